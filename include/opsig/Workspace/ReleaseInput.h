//===- ReleaseInput.h - A release that is named by a root or by its YAML ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// torch root | native_functions.yaml (with tags.yaml, deprecated.yaml beside it)
//   => SchemaSource => LoadedRelease
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_WORKSPACE_RELEASEINPUT_H
#define OPSIG_WORKSPACE_RELEASEINPUT_H

#include "opsig/Operators/DeprecatedFunctions.h"
#include "opsig/Workspace/Schemas.h"

namespace opsig {

struct ReleaseInput {
  /// A torch root (as --torch-root takes it), or a native_functions.yaml.
  std::string Path;
  /// Which release it is; "": as the root says, or, of a YAML, the oldest one whose rules it fits.
  std::string Version;
  /// For messages: "torch" is the option that Version is from.
  OptionSpelling Spell = dashedOption;
};

struct LoadedRelease {
  SchemaSource Source;
  std::unique_ptr<LoadedSchemas> Schemas;
  /// Missing where there is no deprecated.yaml.
  std::optional<DeprecatedFunctions> Deprecated;
};

/// Reads all files of \p Input, and \p Backends, which are written for it. Fails where something
/// cannot be found or read; what is wrong in the files is in Schemas (see LoadedSchemas::usable).
llvm::Expected<LoadedRelease> loadRelease(const ReleaseInput &Input,
                                          std::vector<std::string> Backends = {});

} // namespace opsig

#endif
