//===- Preprocess.h - Readings that parse nothing ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// file x callbacks => the preprocessor, run to the end; headers of others are empty where wanted
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_FRONTEND_PARSE_PREPROCESS_H
#define OPSIG_LIB_FRONTEND_PARSE_PREPROCESS_H

#include "Parse/Invocation.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/PPCallbacks.h"

namespace opsig {

/// Errors are told by the reading.
class NoMessages : public clang::DiagnosticConsumer {
public:
  void HandleDiagnostic(clang::DiagnosticsEngine::Level, const clang::Diagnostic &) override {}
};

/// Preprocesses to the end.
class PreprocessAction : public clang::PreprocessorFrontendAction {
public:
  using Callbacks = std::function<std::unique_ptr<clang::PPCallbacks>(clang::Preprocessor &)>;
  PreprocessAction(Callbacks Make, std::function<void(clang::Preprocessor &)> Finish)
      : Make(std::move(Make)), Finish(std::move(Finish)) {}

private:
  bool PrepareToExecuteAction(clang::CompilerInstance &Compiler) override;
  void ExecuteAction() override;

  Callbacks Make;
  std::function<void(clang::Preprocessor &)> Finish;
};

/// \p Base, in which files for which \p IsOpened says no are there, and empty.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
hollowFiles(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Base,
            std::function<bool(llvm::StringRef)> IsOpened);

} // namespace opsig

#endif
