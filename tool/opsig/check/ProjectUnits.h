//===- ProjectUnits.h - All files of a run, read for what they register ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CheckSetup => C++ and Python files => UnitFacts*, without bodies
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_PROJECTUNITS_H
#define OPSIG_TOOL_PROJECTUNITS_H

#include "check/CheckSetup.h"
#include "check/Reading.h"

namespace opsig {

struct ProjectUnits {
  std::vector<UnitFacts> Units;
  /// A file of the project was not read.
  bool Lost = false;
};

/// Prints to standard error what could not be read, or not completely. \p Settings are those of
/// \p Reading.
ProjectUnits readProject(CheckSetup &Setup, const LoadedSchemas &Loaded,
                         const ReadingOptions &Reading, ReadingSettings Settings,
                         SourceFiles &Files);

/// A project by itself, with what it was read by.
struct ReadProject {
  CheckSetup Setup;
  SchemasOfRun Schemas;
  std::unique_ptr<SourceFiles> Files;
  ProjectUnits Read;
};
/// \p Inputs with \p Flags. None where the schemas cannot be used, which is printed.
llvm::Expected<std::optional<ReadProject>>
readProject(const SchemaOptions &Schema, const CheckOptions &Options, const ReadingOptions &Reading,
            std::vector<std::string> Inputs, const std::vector<std::string> &Flags);

} // namespace opsig

#endif
