//===- CheckSettings.h - How files are checked ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// options of opsig check, .opsig.yaml => CheckSettings
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_CHECKSETTINGS_H
#define OPSIG_TOOL_CHECKSETTINGS_H

#include "check/KernelCheck.h"
#include "opsig/Report/SiftFindings.h"
#include "opsig/Workspace/FileWalk.h"

namespace opsig {

/// The options that .opsig.yaml can give, too.
class CheckOptions {
public:
  explicit CheckOptions(llvm::cl::SubCommand &Sub);

  llvm::cl::opt<std::string> BuildDir;
  llvm::cl::opt<unsigned> Threads;
  llvm::cl::opt<Scope> Of;
  /// The spelling of --scope before it was renamed.
  llvm::cl::alias OldScope;
  llvm::cl::opt<std::string> Checks;
  llvm::cl::list<std::string> Levels;
  llvm::cl::list<std::string> SuppressPaths;
  llvm::cl::opt<std::string> Baseline;
  llvm::cl::opt<bool> NoSandbox;
  llvm::cl::list<std::string> Exclude;
};

struct CheckSettings {
  CompileSettings Compile;
  Scope Of = Scope::Project;
  /// Somebody said so.
  bool ScopeStated = false;
  Exclusions Excluded;
  FindingFilter Filter;
};

/// Joins both: lists are appended to those of \p Project, single values go before its own. Reads
/// the baseline. Fails where one cannot be read and where a check or level does not exist.
llvm::Expected<CheckSettings> chooseSettings(const CheckOptions &Options,
                                             const std::vector<std::string> &Flags,
                                             const ProjectConfig &Project);

} // namespace opsig

#endif
