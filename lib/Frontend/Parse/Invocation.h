//===- Invocation.h - One run of Clang over a file --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ParseJob => what decides how its file is read (ReadingCommand.h) => Clang's driver
//   => an invocation that only reads (MacroCompat.cpp) => an action, within bounds (Bounds.h)
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_FRONTEND_PARSE_INVOCATION_H
#define OPSIG_LIB_FRONTEND_PARSE_INVOCATION_H

#include "Parse/ParseInternal.h"
#include "clang/AST/DeclGroup.h"
#include "clang/Frontend/FrontendAction.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace opsig {

/// What is run, and with what.
struct ClangRun {
  std::function<std::unique_ptr<clang::FrontendAction>()> Action;
  clang::DiagnosticConsumer &Errors;
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files;
  /// Has the last word on the invocation; may be empty. False: there is nothing to run.
  std::function<bool(clang::CompilerInvocation &)> Adjust;
  /// What it takes leaves less to others where it is given up (TimeBudget.h).
  bool IsCounted = true;
  /// It reads all of the file itself: no other run of this file takes more.
  bool IsWhole = false;
};

/// Safe to call from several threads. Returns why the run did not come to its end ("Clang crashes
/// on it", "took more than 30 s"); "" where it did.
std::string runClang(const ParseJob &Job, const ParseOptions &Options, const ClangRun &Run);

/// Calls \p Do on a thread that can only read (opsig/Support/Sandbox.h), unless \p Job says
/// otherwise.
void onReadingThread(const ParseJob &Job, llvm::function_ref<void()> Do);

/// CPU seconds of this thread, with those of the reading threads that it has waited for.
double readingSeconds();

/// Calls \p Run where crashes of Clang are survived, in a stack for signals of its own. Returns
/// whether there was none.
bool runSafely(llvm::function_ref<void()> Run);

/// Gives up the run of this thread where it takes too much; for who watches its tokens, which only
/// one can.
void lookAtBounds();

/// The invocation for \p Job, which neither Clang's driver nor the compiler writes, loads or runs
/// anything for; null where the command cannot be used. \p Errors are the driver's.
std::shared_ptr<clang::CompilerInvocation>
readingInvocation(const ParseJob &Job, llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files,
                  clang::DiagnosticConsumer &Errors);

/// Settings of every reading: bodies are skipped, errors are counted and none ends it.
void resolveForReading(clang::CompilerInstance &Compiler);

/// Of each part of a namespace Clang asks whether any part of it is referenced, where the part ends
/// and where it is written, and headers of operators reopen theirs thousands of times. Takes the
/// namespaces of \p Group for referenced, so that it need not look far.
void markNamespaces(clang::DeclGroupRef Group);

} // namespace opsig

#endif
