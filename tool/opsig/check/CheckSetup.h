//===- CheckSetup.h - What a run over files works on ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// options x .opsig.yaml => settings, compile commands
//   => the PyTorch whose headers they find => schemas of the same release
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_CHECKSETUP_H
#define OPSIG_TOOL_CHECKSETUP_H

#include "check/CheckSettings.h"
#include "opsig/Workspace/InputFiles.h"
#include "opsig/Workspace/ProjectFiles.h"

namespace opsig {

/// What the command line names to be read.
struct CheckArguments {
  std::vector<std::string> Inputs;
  /// Besides, every source that compile_commands.json lists.
  bool AllListed = false;
  /// Behind "--".
  std::vector<std::string> Flags;
  /// The folder of the project; "" where it has to be found.
  std::string Root = {};
  /// Besides, facts are joined: of files that were read elsewhere.
  bool Joins = false;
  /// Inputs are what opsig chose, as the user named nothing.
  bool IsImplied = false;
};

struct CheckSetup {
  SchemaSource Source;
  CheckSettings Settings;
  CompileCommands Commands;
  InputFiles Inputs;
  std::shared_ptr<const ProjectFiles> Project;
};

/// Prints what is wrong in .opsig.yaml to standard error, and to \p Log what a user should know
/// about the choice of schemas. Fails where one of the parts cannot be had.
llvm::Expected<CheckSetup> setUpCheck(const SchemaOptions &Schema, const CheckOptions &Options,
                                      const CheckArguments &Arguments, llvm::raw_ostream &Log);
/// The same with \p Schemas, whatever the code's headers are; .opsig.yaml says nothing of them.
llvm::Expected<CheckSetup> setUpCheck(const SchemaSource &Schemas, const CheckOptions &Options,
                                      const CheckArguments &Arguments, llvm::raw_ostream &Log);

} // namespace opsig

#endif
