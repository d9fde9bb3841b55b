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
ProjectUnits readProject(CheckSetup &Setup, const LoadedSchemas &Loaded,
                         const ReadingOptions &Reading, SourceFiles &Files);

} // namespace opsig

#endif
