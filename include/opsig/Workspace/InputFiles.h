//===- InputFiles.h - FILE arguments => files -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// names, folders, patterns | all of compile_commands.json => files, each once, in order
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_WORKSPACE_INPUTFILES_H
#define OPSIG_WORKSPACE_INPUTFILES_H

#include "opsig/Operators/ProjectConfig.h"
#include "opsig/Workspace/FileWalk.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace opsig {

/// By its name: Python code, and notebooks, which are not read.
bool isPython(llvm::StringRef File);
bool isNotebook(llvm::StringRef File);

struct PythonInputs {
  std::vector<std::string> Files;
  /// The project's own functions that register.
  std::vector<PythonRegistrar> Registrars = {};
  /// Folders whose programs are not run.
  std::vector<std::string> Untrusted = {};

  size_t size() const { return Files.size(); }
  auto begin() const { return Files.begin(); }
  auto end() const { return Files.end(); }
};

/// What one argument stands for, or all of compile_commands.json.
struct InputGroup {
  std::string Name; ///< "src"
  bool IsFile = false;
  std::vector<std::string> Files;        ///< as in InputFiles, Python files among them
  std::vector<std::string> Headers = {}; ///< of C++ in a folder: read with what includes them
};

struct InputFiles {
  /// In alphabetical order; under the first name that the user gave, without "./".
  std::vector<std::string> Files;
  /// The same of Python files.
  PythonInputs Python;
  /// All names that these files were given under.
  std::vector<std::string> Names;
  /// "no C++ file in 'src'", "'a*.cpp' matches no file": one for each argument that gave nothing.
  std::vector<std::string> Problems;
  std::vector<InputGroup> Groups;
  /// Files that nobody named, and folders.
  std::vector<LeftOut> Left;
};

/// What the command line says of files.
struct InputArguments {
  std::vector<std::string> Names;
  /// Besides, all that compile_commands.json lists.
  bool AllListed = false;
  Exclusions Excluded;
};

/// Turns arguments into files. A pattern (`*`, `?`, `[...]`, `**` for any folders) stands for the
/// C++ and Python files that match it, a folder for those in and below it, but for what FileWalk
/// leaves out. With \p Listed, the files of compile_commands.json, a folder stands for those of
/// them that are in it and are not excluded, and for its Python files. Names are not looked at:
/// whether such a file can be read turns out later.
InputFiles expandInputs(const InputArguments &Arguments, llvm::ArrayRef<std::string> Listed);

/// Where the search for .opsig.yaml begins: the folder of the first argument, "." without any.
std::string startFolder(llvm::ArrayRef<std::string> Arguments);

/// The C++ files among those of compile_commands.json, named as from the working directory.
std::vector<std::string> listedSources(llvm::ArrayRef<std::string> Listed);

} // namespace opsig

#endif
