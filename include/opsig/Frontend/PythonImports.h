//===- PythonImports.h - Which file a Python name comes from ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// a name that a file imports, the project's files => a file, and the name there
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_FRONTEND_PYTHONIMPORTS_H
#define OPSIG_FRONTEND_PYTHONIMPORTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace opsig {

struct PythonImport {
  size_t File;      ///< among those that were given
  std::string Name; ///< "f", or "Class.f"
};

/// The modules that the project's files are.
class PythonModules {
public:
  PythonModules() = default;
  /// The names have to stay where they are.
  explicit PythonModules(llvm::ArrayRef<llvm::StringRef> Files);

  llvm::ArrayRef<llvm::StringRef> files() const { return Files; }

  /// The file that \p Import of \p From stands for; nothing where none does, or where several may.
  /// \p Import: "pkg.mod.f", or ".mod:f" where it is relative.
  std::optional<PythonImport> find(llvm::StringRef From, llvm::StringRef Import) const;

private:
  /// The files that these are the last parts of; with \p Base, those above them are that.
  std::vector<size_t> withPath(llvm::ArrayRef<std::string> Parts,
                               const std::vector<std::string> *Base) const;

  std::vector<llvm::StringRef> Files;
  std::string WorkingFolder;
  std::vector<std::vector<std::string>> Paths;   ///< of Files, from the outside in
  llvm::StringMap<std::vector<size_t>> ByModule; ///< by the last part of the path
};

} // namespace opsig

#endif
