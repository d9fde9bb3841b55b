//===- ProjectReading.h - The sources of a project, read beside ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// a file that an editor opens => compile commands of its project (.opsig.yaml, build folders)
//   => in a thread of low priority: sources that register or hold kernels, Python files of the
//   project => FactsBoard
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_LSP_PROJECTREADING_H
#define OPSIG_TOOL_LSP_PROJECTREADING_H

#include "opsig/Editor/FactsBoard.h"
#include "opsig/Workspace/InputFiles.h"
#include <functional>
#include <set>

namespace opsig {

/// Reads each project once, when its first file is opened. Its threads end with the program, which
/// must not destroy this before.
class ProjectReading {
public:
  /// \p BuildDir: where compile commands are, if somebody said so. \p Opsig says which program this
  /// is: readings are kept between runs.
  /// Of Python files: a program has to be started for them.
  using ReadPython = std::function<std::vector<UnitFacts>(const PythonInputs &Inputs)>;
  /// \p Python reads those of a project; without it they are not read. \p Told is called, by any
  /// thread, when the board has got more.
  ProjectReading(std::shared_ptr<FactsBoard> Board, std::string BuildDir, std::string Opsig,
                 ReadPython Python = {}, std::function<void()> Told = {})
      : Board(std::move(Board)), BuildDir(std::move(BuildDir)), Opsig(std::move(Opsig)),
        Python(std::move(Python)), Told(std::move(Told)) {}

  /// Returns at once. Safe to call from several threads.
  void openedFile(llvm::StringRef Path);

private:
  void read(const std::string &Path);
  /// The Python files of the project that \p Path is in, each project once.
  void readPythonOf(const std::string &Path);

  std::shared_ptr<FactsBoard> Board;
  std::string BuildDir, Opsig;
  ReadPython Python;
  std::function<void()> Told;
  std::mutex Mutex;
  std::set<std::string> Folders; ///< of files that were opened
  std::set<std::string> Builds;  ///< those whose sources are read, or being read
  std::set<std::string> Roots;   ///< of projects whose Python files are
};

} // namespace opsig

#endif
