//===- Schemas.h - Where schemas come from, and reading them ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// settings + environment + .opsig.yaml + headers that the code uses
//   => SchemaSource (paths, version) => LoadedSchemas
//
// The same for every front end, so that a file is checked against the same schemas everywhere.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_WORKSPACE_SCHEMAS_H
#define OPSIG_WORKSPACE_SCHEMAS_H

#include "opsig/Operators/Operators.h"
#include "opsig/Operators/ProjectConfig.h"
#include "opsig/Workspace/TorchRoot.h"

namespace opsig {

class ReleaseTraits;

/// How a front end spells its option NAME ("torch-root"), with a value if \p Value is not empty.
using OptionSpelling = std::string (*)(llvm::StringRef Name, llvm::StringRef Value);
/// "--torch-root", "--torch VERSION".
std::string dashedOption(llvm::StringRef Name, llvm::StringRef Value = "");

/// What a user says in a front end's own options; "" and empty: not said.
struct SchemaSettings {
  std::string TorchRoot;
  std::string Torch;
  std::string NativeFunctions;
  std::string Tags;
  std::vector<std::string> Backends;
  /// The folder that the user works in.
  std::string Dir = ".";
  /// For messages.
  OptionSpelling Spell = dashedOption;
};

/// Where the schemas of a run come from, before anything is read.
struct SchemaSource {
  std::string NativeFunctions;
  std::string Tags; ///< "": every tag is right
  /// PyTorch's own templates; empty where only --schemas was given.
  std::string Templates;
  std::vector<std::string> Backends;
  /// Kernels of these keys are checked and then dropped.
  std::vector<DispatchKey> DroppedKeys;
  const Dialect *D = nullptr;
  /// Whose dialect \p D is: the release's own lists, where the torch root has torchgen's sources.
  std::shared_ptr<const ReleaseTraits> Facts;
  /// The release that the schemas are of.
  TorchVersion Version;
  /// The torch root that the schemas or the version are from, or the tree of AtenDir; "" where
  /// there is none.
  std::string TorchRoot;
  /// SchemaSettings::Spell.
  OptionSpelling Spell = dashedOption;
  /// If the user states a release that opsig does not know: the releases that it knows, and what it
  /// does. Of an installed PyTorch, loadSchemas() reports this together with the errors in the
  /// YAML.
  std::string UnknownRelease;
  /// UnknownRelease names the release of TorchRoot.
  bool NamesRootsRelease = false;
  /// Who named that root (TorchRoot::From).
  std::string RootFrom;
  /// The release was compared with its own generator.
  bool IsVerified = false;
  /// Errors in native_functions.yaml and tags.yaml stop nothing: both are the torch root's.
  bool IsInstalled = false;
  /// LoadOptions::Families of native_functions.yaml.
  llvm::StringSet<> Families = {};
  /// The .opsig.yaml that was found, its paths made absolute.
  ProjectConfig Project;
  /// Files outside of the project that only the .opsig.yaml names: a checkout could name any of the
  /// user's, so that no text of them is shown.
  std::vector<std::string> Foreign = {};
  /// For the user, e.g. that the version is newer than all known ones.
  std::vector<std::string> Notes;
  /// The same, of what is probably wrong.
  std::vector<std::string> Warnings;
};

/// The nearest .opsig.yaml in \p StartDir or above, its paths made absolute; an empty one if there
/// is none. What is wrong in it is in \p Diags; then, or if it cannot be read, this fails.
llvm::Expected<ProjectConfig> nearestProjectConfig(llvm::StringRef StartDir, SourceFiles &Files,
                                                   Findings &Diags);

/// The same of the .opsig.yaml in \p Dir alone.
llvm::Expected<ProjectConfig> projectConfigOf(llvm::StringRef Dir, SourceFiles &Files,
                                              Findings &Diags);

/// Decides where schemas and version come from. The first of these that names a PyTorch counts:
/// \p Settings, \p Config, the environment variable OPSIG_TORCH_ROOT, the source tree of PyTorch
/// that the user works in, the root that \p Headers belong to, which the code uses, VIRTUAL_ENV,
/// CONDA_PREFIX, a `.venv` or `venv` in or above the user's folder, the python3 on PATH,
/// /usr/local, and the distribution. Errors say where was looked.
/// Without tags.yaml in the settings, the one beside native_functions.yaml is used.
/// \p AtenDir, if given, is a folder like a source tree's aten/src/ATen; schemas, tags and
/// templates are its own, and the version is that of the tree it is in, if that says one.
llvm::Expected<SchemaSource> findSchemas(const SchemaSettings &Settings, ProjectConfig Config,
                                         const std::optional<TorchHeaders> &Headers,
                                         llvm::StringRef AtenDir = "");
/// The same without code, with .opsig.yaml as seen from \p StartDir; what is wrong in that is in
/// \p Diags.
llvm::Expected<SchemaSource> findSchemas(const SchemaSettings &Settings, llvm::StringRef StartDir,
                                         SourceFiles &Files, Findings &Diags,
                                         llvm::StringRef AtenDir = "");

/// What a user should know before code with \p Headers is held against \p Source; "" if both are of
/// one release.
std::string twoReleases(const SchemaSource &Source, const TorchHeaders &Headers);

/// twoReleases(), except for what SchemaSource::UnknownRelease already says.
std::string warnOfHeaders(const SchemaSource &Source, const TorchHeaders &Headers);

/// The include folders that code with \p Headers, or with none, needs besides those of its flags,
/// so that it finds all that PyTorch installs: what belongs to \p Headers, or else the root's.
std::vector<std::string> missingHeaderFolders(const SchemaSource &Source,
                                              const std::optional<TorchHeaders> &Headers);

/// All that a check or generator works on. Diags holds what is wrong with the YAML files.
struct LoadedSchemas {
  SourceFiles Files;
  Findings Diags;
  /// What is wrong with those of an installed PyTorch, where that stops nothing, and the line that
  /// counts it.
  Findings OfPyTorch;
  std::vector<std::string> Warnings;
  std::shared_ptr<const ReleaseTraits> Facts; ///< as in SchemaSource; Ops needs its dialect
  std::unique_ptr<Operators> Ops;
  std::vector<ExternalBackend> Backends;
  bool usable() const { return Ops && !Diags.hasErrors(); }
  /// Whether kernels can be compared in spite of errors: each takes only its own entry away.
  bool comparable() const { return usable() || (Ops && !Ops->IsEmpty && !Ops->Functions.empty()); }
};

/// The text that a file is about to have.
struct TextOfFile {
  std::string Name; ///< as in SchemaSource
  std::string Text;
};

/// Reads all files of \p Source. Fails only where one cannot be read; wrong contents are in Diags.
/// \p Instead are taken in place of what is on disk.
llvm::Expected<std::unique_ptr<LoadedSchemas>> loadSchemas(const SchemaSource &Source,
                                                           llvm::ArrayRef<TextOfFile> Instead = {});

} // namespace opsig

#endif
