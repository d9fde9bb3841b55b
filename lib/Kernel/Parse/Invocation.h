//===- Invocation.h - One run of Clang over a file --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ParseJob x file system => Clang's driver => an invocation that writes nothing => an action
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_KERNEL_PARSE_INVOCATION_H
#define OPSIG_LIB_KERNEL_PARSE_INVOCATION_H

#include "Parse/ParseInternal.h"
#include "clang/AST/DeclGroup.h"
#include "clang/Frontend/FrontendAction.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace opsig {

/// What is run, and with what.
struct ClangRun {
  std::function<std::unique_ptr<clang::FrontendAction>()> Action;
  clang::DiagnosticConsumer &Errors;
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files;
  /// Has the last word on the invocation; may be empty. False: there is nothing to run.
  std::function<bool(clang::CompilerInvocation &)> Adjust;
};

/// False where Clang crashes on the way. Safe to call from several threads.
bool runClang(const ParseJob &Job, const ParseOptions &Options, const ClangRun &Run);

/// Settings of every reading: bodies are skipped, errors are counted and none ends it.
void settleForReading(clang::CompilerInstance &Compiler);

/// Of each part of a namespace Clang asks whether any part of it is referenced, where the part ends
/// and where it is written, and headers of operators reopen theirs thousands of times. Takes the
/// namespaces of \p Group for referenced, so that it need not look far.
void markNamespaces(clang::DeclGroupRef Group);

} // namespace opsig

#endif
