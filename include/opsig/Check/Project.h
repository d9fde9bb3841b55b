//===- Project.h - Every check, over one file or a whole project -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// schemas => ProjectChecker => what to look for in sources (ParseOptions)
// UnitFacts* => findings
//
// All front ends use this class: the command line, plugins of other programs, editors.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CHECK_PROJECT_H
#define OPSIG_CHECK_PROJECT_H

#include "opsig/Check/Check.h"
#include "opsig/Frontend/Parse.h"
#include "opsig/Workspace/ProjectFiles.h"

namespace opsig {

/// Whether checks are enabled that need function bodies.
enum class Bodies : uint8_t { Skip, Read };

/// Which files may have kernels that a YAML asks for.
enum class KernelFiles : uint8_t { Cpp, None };

class ProjectChecker {
public:
  /// Kernels of \p Backends, or without any those of PyTorch itself; both must outlive the checker.
  /// With KernelFiles::None no unit may have any, and expected() is empty.
  ProjectChecker(const Operators &Ops, llvm::ArrayRef<ExternalBackend> Backends,
                 Bodies Of = Bodies::Read, KernelFiles In = KernelFiles::Cpp);

  /// How check() needs files to be read.
  const ParseOptions &parseOptions() const { return Options; }
  /// The same if the files of a project are known.
  ParseOptions parseOptions(std::shared_ptr<const ProjectFiles> Files) const;

  /// Whether files must be read for UnitFacts::Uses, too.
  void readUses() { Options.Uses = true; }

  /// What check() may use besides the units.
  void setLayout(ProjectLayout Known);

  /// The kernels that the schemas ask for, in their order; structured ones of PyTorch not among
  /// them.
  llvm::ArrayRef<ExpectedKernel> expected() const { return Expected; }

  /// Reports what is wrong in \p Units; returns what was compared. Opens the files that findings
  /// point into; everything the findings need to outlive this call is in \p Files.
  Comparison check(llvm::ArrayRef<UnitFacts> Units, Scope Of, SourceFiles &Files,
                   Findings &Diags) const;

private:
  void checkRegistered(const CheckContext &Context, SourceFiles &Files, Comparison &Done,
                       Findings &Diags) const;

  const Operators &Ops;
  llvm::ArrayRef<ExternalBackend> Backends;
  bool ForBackends;
  std::vector<ExpectedKernel> Expected;
  std::vector<ExpectedKernel> ExpectedStructured;
  ParseOptions Options;
  std::shared_ptr<const ProjectLayout> Layout;
};

} // namespace opsig

#endif
