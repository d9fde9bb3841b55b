//===- ProjectConfig.h - .opsig.yaml ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// .opsig.yaml => ProjectConfig: the SCHEMA OPTIONS of a project, the same for every front end
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_OPERATORS_PROJECTCONFIG_H
#define OPSIG_OPERATORS_PROJECTCONFIG_H

#include "opsig/Support/Diagnostic.h"

namespace opsig {

/// The fields of .opsig.yaml: torch-root, torch, schemas, tags, backend (a file or a list of them).
/// Empty where not given. Paths stand as written, relative to the file's folder.
struct ProjectConfig {
  std::string TorchRoot;
  std::string Torch;
  std::string Schemas;
  std::string Tags;
  std::vector<std::string> Backends;

  /// Every field that is a path.
  std::vector<std::string *> paths();
};

/// Reads .opsig.yaml; errors go to \p Diags.
ProjectConfig readProjectConfig(FileId File, const SourceFiles &Files, Diagnostics &Diags);

} // namespace opsig

#endif
