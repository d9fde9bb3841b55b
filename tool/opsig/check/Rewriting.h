//===- Rewriting.h - Subcommands that rewrite sources -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FILEs, --dry-run, --report => what a run works on (CheckSetup.h), or why it cannot
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_REWRITING_H
#define OPSIG_TOOL_REWRITING_H

#include "check/CheckOutput.h"
#include "check/CheckSetup.h"

namespace opsig {

/// The options that all of these subcommands have.
struct RewriteOptions {
  /// \p AboutReport: what --report does.
  RewriteOptions(llvm::cl::SubCommand &Sub, llvm::StringRef AboutReport);

  SchemaOptions Schema;
  CheckOptions Check;
  llvm::cl::list<std::string> Inputs;
  llvm::cl::opt<bool> AllListed;
  llvm::cl::opt<bool> DryRun;
  llvm::cl::opt<bool> Report;
  llvm::cl::opt<ReportFormat> Format;
};

/// Fails where \p Words, a subcommand, was given nothing to rewrite.
llvm::Error refuseNoInputs(llvm::StringRef Words, const llvm::cl::list<std::string> &Inputs);
/// Fails, with all reasons, where a file that was named cannot be read.
llvm::Error refuseProblems(const CheckSetup &Setup);
/// Fails, with all reasons, where no file may be changed.
llvm::Expected<CheckSetup> setUpRewriting(llvm::StringRef Words, const RewriteOptions &Options,
                                          const std::vector<std::string> &AfterDashes);

} // namespace opsig

#endif
