//===- ProjectConfig.h - .opsig.yaml ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// .opsig.yaml => ProjectConfig: the SCHEMA OPTIONS of a project and how its files are checked, the
// same for every front end
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_OPERATORS_PROJECTCONFIG_H
#define OPSIG_OPERATORS_PROJECTCONFIG_H

#include "opsig/Operators/BackendLayout.h"
#include "opsig/Support/Finding.h"
#include <map>

namespace opsig {

/// A Python function by which a project's files define operators, such as vLLM's
/// direct_register_custom_op(op_name, op_func, ...): an entry of `python-registrars`.
struct PythonRegistrar {
  std::string Function; ///< its name, optionally with its module

  // The names of its parameters.
  std::string Name = "op_name";
  std::string Kernel = "op_func";
  std::string MutatesArgs = "mutates_args";
  std::string Fake = "fake_impl";
  std::string Library = "target_lib";
  std::string Key = "dispatch_key";
  /// All of them in their order, for arguments without a name; empty: those above.
  std::vector<std::string> Parameters;

  // The value for calls without this argument. Empty: unknown.
  std::string Namespace;
  std::string DefaultKey;
};

/// The fields of .opsig.yaml, each with the name of its member in kebab-case; where several values
/// are allowed, a single one or a list of them. Empty where not given. Paths stand as written,
/// relative to the file's folder.
struct ProjectConfig {
  std::string File; ///< the .opsig.yaml itself, absolute; empty where there is none

  std::string TorchRoot;
  std::string Torch;
  std::string Schemas;
  std::string Tags;
  std::vector<std::string> Backends; ///< `backend`

  // How files are checked.
  std::string Checks;              ///< globs as clang-tidy has them, lists joined by commas
  std::vector<std::string> Levels; ///< `levels`, a mapping: each "CHECK=LEVEL"
  std::string Baseline;
  std::vector<std::string> SuppressPaths; ///< globs; findings in such files are not reported
  std::vector<std::string> Exclude;       ///< names and globs; such files are not looked for
  std::string Build;                      ///< folder with compile_commands.json
  std::vector<std::string> Flags;         ///< of the compiler, where no Build is given
  std::string Scope;                      ///< "unit", "project" or ""
  std::vector<std::string>
      Variants; ///< folders, files, patterns; no program has files of two of them

  std::vector<PythonRegistrar> PythonRegistrars;
  std::vector<BackendLayout>
      BackendLayouts; ///< of YAML that a generator of the project's own reads

  /// Where the value of a field begins: line and column.
  std::map<std::string, std::pair<uint32_t, uint32_t>> Places;

  /// "FILE:LINE:COLUMN" of a field that the file has, else the file's name.
  std::string placeOf(llvm::StringRef Field) const;

  /// Every field that is a path.
  std::vector<std::string *> paths();
};

/// Reads .opsig.yaml; errors go to \p Diags.
ProjectConfig readProjectConfig(SourceId File, const SourceFiles &Files, Findings &Diags);

} // namespace opsig

#endif
