//===- Memory.h - How the process gets its memory ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_TOOL_MEMORY_H
#define OPSIG_TOOL_MEMORY_H

namespace opsig {

/// For commands that are over in less than a second: memory is asked of the system in few large
/// pieces, of which only what is used counts, and what was freed is used again instead of being
/// given back. To be called before there are threads.
void keepFreedMemory();

} // namespace opsig

#endif
