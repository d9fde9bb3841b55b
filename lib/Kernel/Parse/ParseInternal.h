//===- ParseInternal.h - The steps from a file to its AST -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// compile command + file system with stand-ins for missing headers => Clang AST => TranslationUnit
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_KERNEL_PARSE_PARSEINTERNAL_H
#define OPSIG_LIB_KERNEL_PARSE_PARSEINTERNAL_H

#include "opsig/Kernel/Parse.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"

namespace llvm::vfs {
class FileSystem;
}

namespace opsig {

/// The real files, under the in-memory ones, with a folder FallbackDir in which any path that ends
/// in the name of a fallback header is that header.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> makeFileSystem(const ParseOptions &Options);
inline constexpr llvm::StringLiteral FallbackDir = "/opsig-fallback-headers";

} // namespace opsig

#endif
