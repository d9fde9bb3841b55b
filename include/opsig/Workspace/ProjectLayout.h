//===- ProjectLayout.h - What is known of a project besides its units ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// who knows files and folders (the command line) => ProjectLayout => checks of whole projects
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_WORKSPACE_PROJECTLAYOUT_H
#define OPSIG_WORKSPACE_PROJECTLAYOUT_H

#include "opsig/Workspace/BuildVariants.h"
#include "llvm/ADT/ArrayRef.h"
#include <functional>

namespace opsig {

struct Dialect;

/// An empty one knows nothing: then nothing is said that needs it.
struct ProjectLayout {
  /// Whether the units are all that the project is linked of. Asked only if it matters, as files
  /// have to be looked for.
  std::function<bool()> HasAllSources;
  /// Whether a source that is no unit, though the project may be linked of it, has this word. Asked
  /// after HasAllSources.
  std::function<bool(llvm::StringRef Word)> IsMentionedElsewhere;
  /// Whether any source of the project but the files in Known may define a function of this name.
  /// Files are looked for when it is asked.
  std::function<bool(llvm::StringRef Name, llvm::ArrayRef<std::string> Known)> MayBeDefinedBeside =
      {};
  /// The build has sources that were not given.
  bool IsPart = false;
  /// Whether a source of the project that is no unit has both words, whatever it is built into.
  /// Files are looked for when it is asked. Empty where all sources are meant to be there.
  std::function<bool(llvm::StringRef Scope, llvm::StringRef Name)> IsMentionedOutside = {};
  /// A source of the project that was not read, and that has the operator's name beside words that
  /// give operators Meta kernels; "" where there is none. Files are looked for when it is asked.
  std::function<std::string(llvm::StringRef Op)> MayHaveFake = {};
  /// The folder of the Python package that builds a file: the nearest one at or above it with a
  /// setup.py or a pyproject.toml for a build; "" where there is none. Looked for when it is asked.
  std::function<std::string(llvm::StringRef File)> PackageOf = {};
  /// The rules that count for Python files, where they are not those of the release in use. Nobody
  /// said which PyTorch the code is for, and the one that the system has cannot run it.
  const Dialect *PythonRelease = nullptr;
  /// Which files are never parts of one program.
  BuildVariants Programs;
};

} // namespace opsig

#endif
