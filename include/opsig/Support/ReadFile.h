//===- ReadFile.h - A file on disk => its text -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// path => text | why it cannot be read; path => which file that is
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SUPPORT_READFILE_H
#define OPSIG_SUPPORT_READFILE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace opsig {

/// The largest size of a text in a project.
inline constexpr uint64_t LargestFile = 512 << 20;

/// The text of a file. Pipes and devices, which may have no end, and files of more than \p Largest
/// bytes are not read. Fails with "cannot read 'PATH': reason".
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> readWholeFile(llvm::StringRef Path,
                                                                  uint64_t Largest = LargestFile);

/// Whether \p Path names a pipe, a device or a socket, which a read may wait for without end.
bool isEndless(llvm::StringRef Path);

} // namespace opsig

#endif
