//===- ProjectReading.h - The sources of a project, read beside ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// a file that an editor opens => compile commands of its project (.opsig.yaml, build folders), or
//   for a Python file its sources with the flags that torch.utils.cpp_extension would use
//   => in a thread of low priority: sources that register or hold kernels, Python files of the
//   project => FactsBoard
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_LSP_PROJECTREADING_H
#define OPSIG_TOOL_LSP_PROJECTREADING_H

#include "opsig/Editor/FactsBoard.h"
#include "opsig/Workspace/InputFiles.h"
#include "opsig/Workspace/Schemas.h"
#include <functional>
#include <set>

namespace opsig {

/// Reads each project once, when its first file is opened. Its threads end with the program, which
/// must not destroy this before.
class ProjectReading {
public:
  /// A program has to be started for Python files.
  using ReadPython = std::function<std::vector<UnitFacts>(const PythonInputs &Inputs)>;

  struct Setup {
    /// Never null.
    std::shared_ptr<FactsBoard> Board;
    /// Where compile commands are, if somebody said so.
    std::string BuildDir;
    /// Which program this is: readings are kept between runs.
    std::string Opsig;
    /// Which PyTorch, by the command line.
    SchemaSettings Schemas = {};
    /// Reads the Python files of a project; without it they are not read.
    ReadPython Python = {};
    /// Called, by any thread, when the board has got more.
    std::function<void()> Told = {};
  };
  explicit ProjectReading(Setup Of) : Of(std::move(Of)) {}

  /// Returns at once. Safe to call from several threads.
  void openedFile(llvm::StringRef Path);

private:
  void read(const std::string &Path);
  /// The Python files of the project that \p Path is in, each project once.
  void readPythonOf(const std::string &Path);

  Setup Of;
  std::mutex Mutex;
  /// Of files that were opened, and whether those are Python's.
  std::set<std::pair<std::string, bool>> Folders;
  /// Build folders, and roots of projects without one, whose sources are read, or being read.
  std::set<std::string> Builds;
  std::set<std::string> Roots; ///< of projects whose Python files are
};

} // namespace opsig

#endif
