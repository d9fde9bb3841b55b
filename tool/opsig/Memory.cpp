//===- Memory.cpp - How the process gets its memory -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Memory.h"
#include "llvm/Support/Threading.h"
#include <climits>
#include <malloc.h>

namespace opsig {

void keepFreedMemory() {
#ifdef M_ARENA_MAX // glibc's
  // The heap of a thread grows page by page otherwise, with a system call each.
  mallopt(M_TOP_PAD, 64 << 20);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  // Threads that come after others then take over what those have freed.
  mallopt(M_ARENA_MAX, llvm::hardware_concurrency().compute_thread_count());
#endif
}

} // namespace opsig
