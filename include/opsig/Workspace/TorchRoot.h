//===- TorchRoot.h - Which PyTorch a folder has -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// folder => TorchRoot: schemas and templates, headers, the version as it is written there
// folders that a compiler searches => TorchHeaders: PyTorch's headers, and the root they belong to
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_WORKSPACE_TORCHROOT_H
#define OPSIG_WORKSPACE_TORCHROOT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VersionTuple.h"
#include <optional>
#include <string>
#include <vector>

namespace opsig {

/// A version in PyTorch's words, with all that a builder put behind its numbers.
struct TorchVersion {
  std::string Text;
  llvm::VersionTuple Release; ///< major and minor
  std::string File;           ///< where it is written; "" where a user gave it
};

/// \p Text is all there is of it. None where that is no version.
std::optional<TorchVersion> readTorchVersion(llvm::StringRef Text, llvm::StringRef File = "");

/// A PyTorch that has schemas.
struct TorchRoot {
  std::string Dir;
  std::string Aten; ///< the folder with native/native_functions.yaml and templates/
  std::optional<TorchVersion> Version;
  std::string From = ""; ///< who named it: "--torch-root", "VIRTUAL_ENV", "the headers in 'X'"
};

/// The two layouts of TorchRoot::Aten, seen from the root.
extern const llvm::StringRef TorchRootLayouts[2];

/// What the folder \p Dir is: site-packages of an installed PyTorch, or a source tree; or none.
std::optional<TorchRoot> torchRootAt(llvm::StringRef Dir);

/// The version that \p Dir states, of whatever PyTorch stands there: of a source tree, an installed
/// package or its headers.
std::optional<TorchVersion> torchVersionOf(llvm::StringRef Dir);

/// The tree that a folder is in.
struct TreeVersion {
  std::string Dir;
  TorchVersion Version;
};

/// The nearest folder at or above \p Dir that states a version.
std::optional<TreeVersion> torchVersionAbove(llvm::StringRef Dir);

/// The include folders of the PyTorch at \p Dir, for code that names the C++ API as well; none
/// where its headers are not installed.
std::vector<std::string> torchHeaderFolders(llvm::StringRef Dir);

/// The folders for Python packages below \p Prefix (/usr, a virtual environment), those of the
/// newest Python first.
std::vector<std::string> pythonPackageFolders(llvm::StringRef Prefix);

/// The folder with Python.h of the Python that the packages in \p Root are for; "" where it is not
/// installed.
std::string pythonHeaderFolder(llvm::StringRef Root);

/// The standard of C++ that the headers in the include folder \p Dir refuse to be compiled without,
/// as -std= names it, if that is newer than Clang's own choice; "" otherwise.
std::string neededStandard(llvm::StringRef Dir);

/// PyTorch's headers as a compiler finds them.
struct TorchHeaders {
  std::string Folder;
  std::optional<TorchVersion> Version;
  std::optional<TorchRoot> Root;
  /// neededStandard(Folder).
  std::string Standard;
  /// Where the folder of the C++ API is that belongs to them but is not searched; "" if it is.
  std::string MissingApi;
};

/// The first of \p Folders, in the order of a search, that has headers of PyTorch.
std::optional<TorchHeaders> findTorchHeaders(llvm::ArrayRef<std::string> Folders);

/// Whether \p Dir is a copy of PyTorch, or of its headers: it has an ATen and says of which
/// version.
bool holdsTorch(llvm::StringRef Dir);

/// Whether \p File belongs to the sources of PyTorch itself: it is in a source tree, or its path is
/// that of ATen in one.
bool isInTorchSources(llvm::StringRef File);

/// The installed PyTorches that a user who works in \p Dir may mean: those of VIRTUAL_ENV and
/// CONDA_PREFIX, of the nearest `.venv` or `venv`, of the python3 on PATH, and of the system.
/// \p Notes says which of them have no schemas, \p Searched gets a word for each place.
/// A python3 is asked where its packages are only if its own folder does not show it; nothing of
/// \p Dir is run.
std::vector<TorchRoot> installedTorchRoots(llvm::StringRef Dir, std::vector<std::string> &Notes,
                                           std::vector<std::string> &Searched);

} // namespace opsig

#endif
