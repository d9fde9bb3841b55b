//===- ChosenModules.h - Python files of which a process loads one ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// what the project's files import, always or in branches => which two files are never loaded
// together, as far as these imports tell
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_FRONTEND_CHOSENMODULES_H
#define OPSIG_FRONTEND_CHOSENMODULES_H

#include "opsig/Frontend/PythonImports.h"
#include "opsig/Frontend/PythonRegistrations.h"
#include <set>

namespace opsig {

class ChosenModules {
public:
  /// \p Modules has to stay where it is.
  explicit ChosenModules(const PythonModules &Modules) : Modules(Modules) {}

  /// The imports of the file \p From.
  void add(llvm::StringRef From, const PythonAnswer &Answer);

  /// A file imports \p A and \p B in branches that exclude each other, and none imports both.
  bool areAlternatives(llvm::StringRef A, llvm::StringRef B) const;

private:
  /// Files, and folders of packages ("pkg/cuda/") all of whose files are meant.
  using Places = std::set<std::string>;
  using Branches = std::vector<Places>;
  /// A block of statements.
  struct Block {
    Places Sure; ///< files only
    Places InBranches;
  };

  Places placesOf(llvm::StringRef From, llvm::ArrayRef<std::string> Names, bool AsPackages) const;
  static bool holds(const Places &Where, llvm::StringRef File);

  const PythonModules &Modules;
  std::vector<Block> Blocks;
  std::vector<Branches> Choices;
};

} // namespace opsig

#endif
