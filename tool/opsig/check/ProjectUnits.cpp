//===- ProjectUnits.cpp - All files of a run, read for what they register ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/ProjectUnits.h"
#include "check/PythonFiles.h"
#include "opsig/Check/Project.h"
#include "llvm/ADT/STLExtras.h"

namespace opsig {

ProjectUnits readProject(CheckSetup &Setup, const LoadedSchemas &Loaded,
                         const ReadingOptions &Reading, ReadingSettings Settings,
                         SourceFiles &Files) {
  ProjectChecker Checker(*Loaded.Ops, Loaded.Backends, Bodies::Skip);
  Reading.bound(Setup.Commands);
  UnitReader Reader(std::move(Settings));
  ReadUnits Read = readKernels(Setup.Inputs.Files, Setup.Commands,
                               Checker.parseOptions(Setup.Project), Reader, Files);
  PythonUnits Python = readPython(Setup.Inputs.Python, scriptRulesOf(*Loaded.Ops->D));
  for (const std::string &Problem :
       llvm::concat<std::string>(Setup.Inputs.Problems, Python.Problems))
    complain(llvm::createStringError(Problem));
  bool Lost = Read.Lost || !Setup.Inputs.Problems.empty() || !Python.Problems.empty();
  llvm::move(Python.Units, std::back_inserter(Read.Units));
  reportIncomplete(Read.Units);
  return {std::move(Read.Units), Lost};
}

ProjectUnits readProject(CheckSetup &Setup, const LoadedSchemas &Loaded,
                         const ReadingOptions &Reading, SourceFiles &Files) {
  return readProject(Setup, Loaded, Reading,
                     Reading.settings(Setup.Settings.Compile.Threads, /*WithPrefixes=*/true),
                     Files);
}

} // namespace opsig
