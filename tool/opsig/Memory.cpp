//===- Memory.cpp - How the process gets its memory -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Memory.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Threading.h"
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <malloc.h>
#include <thread>
#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace opsig {

namespace {

/// How far a heap grows at once; as large as glibc lets one of a thread become.
[[maybe_unused]] constexpr size_t HeapSize = 64 << 20;

#if defined(M_ARENA_MAX) && defined(MADV_HUGEPAGE)

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25 // since Linux 6.1; older headers lack it
#endif

/// The first touch of memory is the kernel's work; in large pages that is done for 2 MB at once.
/// Advice only: where it cannot be followed nothing changes.
void askForLargePages(uintptr_t Begin, uintptr_t End) {
  constexpr size_t LargePage = 2 << 20;
  Begin = llvm::alignTo(Begin, LargePage);
  End = llvm::alignDown(End, LargePage);
  if (Begin >= End)
    return;
  madvise(reinterpret_cast<void *>(Begin), End - Begin, MADV_HUGEPAGE);
  // A few words of the first one have been written, for which the kernel took small pages; it would
  // go on with these.
  madvise(reinterpret_cast<void *>(Begin), LargePage, MADV_COLLAPSE);
}

/// Takes \p Size bytes and gives them back, so that the heap of this thread has grown. Returns
/// where they were.
uintptr_t growHeap(size_t Size) {
  void *volatile Taken = std::malloc(Size);
  uintptr_t At = reinterpret_cast<uintptr_t>(Taken);
  std::free(Taken);
  return At;
}

/// For the heap of the main thread, and that which the first thread besides will have.
void askForLargePages() {
  auto EndOfHeap = [] { return reinterpret_cast<uintptr_t>(sbrk(0)); };
  uintptr_t Before = EndOfHeap();
  growHeap(1 << 20); // more than what is left of the first few pages
  askForLargePages(Before, EndOfHeap());
  std::thread([] {
    uintptr_t Begin = llvm::alignDown(growHeap(1), HeapSize);
    askForLargePages(Begin, Begin + HeapSize);
  }).join();
}

#endif

} // namespace

void keepFreedMemory() {
#ifdef M_ARENA_MAX // glibc's
  // The heap of a thread grows page by page otherwise, with a system call each.
  mallopt(M_TOP_PAD, HeapSize);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  // Threads that come after others then take over what those have freed.
  mallopt(M_ARENA_MAX, llvm::hardware_concurrency().compute_thread_count());
#endif
}

void keepMemoryInLargePages() {
  keepFreedMemory();
#if defined(M_ARENA_MAX) && defined(MADV_HUGEPAGE)
  askForLargePages();
#endif
}

} // namespace opsig
