//===- Memory.h - How the process gets its memory ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_TOOL_MEMORY_H
#define OPSIG_TOOL_MEMORY_H

namespace opsig {

/// For commands that are over in less than a second: memory is asked of the system in few large
/// pieces, of which only what is used counts, and what was freed is used again instead of being
/// given back. To be called before there are threads.
void keepFreedMemory();

/// The same where most memory is written to once: it comes in large pages, where the kernel has
/// them, which is a tenth of the time of a short run and some MB that are not needed.
void keepMemoryInLargePages();

} // namespace opsig

#endif
