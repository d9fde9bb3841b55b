//===- ProjectUnits.cpp - All files of a run, read for what they register ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/ProjectUnits.h"
#include "check/PythonFiles.h"
#include "check/WrongFlags.h"
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
  reportIncomplete(Read.Units, Setup.Settings.Compile, Setup.Source.Project);
  return {std::move(Read.Units), Lost};
}

llvm::Expected<std::optional<ReadProject>>
readProject(const SchemaOptions &Schema, const CheckOptions &Options, const ReadingOptions &Reading,
            std::vector<std::string> Inputs, const std::vector<std::string> &Flags) {
  llvm::Expected<CheckSetup> Setup =
      setUpCheck(Schema, Options, {std::move(Inputs), /*AllListed=*/false, Flags}, llvm::errs());
  if (!Setup)
    return Setup.takeError();
  ReadProject Out{std::move(*Setup), nullptr, nullptr, {}};
  Out.Schemas = loadOrComplain(Out.Setup.Source, OutputFormat::Text, Schema.Verbose);
  if (!Out.Schemas)
    return std::nullopt;
  Out.Files = std::make_unique<SourceFiles>(&Out.Schemas->Files);
  Out.Read = readProject(Out.Setup, *Out.Schemas, Reading,
                         Reading.settings(Out.Setup.Settings.Compile.Threads,
                                          /*WithPrefixes=*/true),
                         *Out.Files);
  return std::move(Out);
}

} // namespace opsig
