//===- CoverageRun.h - One run of opsig coverage -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// options => schemas, dumps, sources => CoverageInput (LibraryKernels.h: PyTorch's own;
//   BackendKernels.h: a backend's) => operators and keys that are asked for (Choice.h)
//   => CoverageReport => printed
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_COVERAGE_COVERAGERUN_H
#define OPSIG_TOOL_COVERAGE_COVERAGERUN_H

#include "SchemaInput.h"
#include "check/CheckSetup.h"
#include "check/Reading.h"
#include "coverage/Choice.h"
#include "opsig/Coverage/CoveragePrint.h"
#include "opsig/Coverage/SourceKernels.h"

namespace opsig {

struct CoverageRequest {
  CheckArguments Arguments;
  std::vector<std::string> Dumps;
  std::vector<std::string> Keys;
  std::vector<std::string> Without;
  std::string OpsFile;
  RowChoice Rows = RowChoice::All;

  bool readsFiles() const { return !Arguments.Inputs.empty() || Arguments.AllListed; }
};

class CoverageRun {
public:
  explicit CoverageRun(CoverageRequest Request) : Request(std::move(Request)) {}

  /// Fails where a part cannot be had; false where the user's YAML has errors, or none of the named
  /// sources could be read, which is printed.
  llvm::Expected<bool> read(const SchemaOptions &Schema, const CheckOptions &Options,
                            const ReadingOptions &Reading);
  /// What is wrong in dumps and lists is in diagnostics().
  llvm::Expected<CoverageReport> report();

  Findings &diagnostics() { return Diags; }
  const SourceFiles &files() const { return *Files; }
  llvm::ArrayRef<RunNote> notes() const { return Notes; }
  /// PyTorch tags it as one of its core set.
  bool isCore(const CoveredOperator &Op) const;
  /// All files could be read, if only in part.
  bool complete() const { return Complete; }

private:
  llvm::Error readDumps();
  void readSources(const ReadingOptions &Reading);
  void addLibrary();
  void addOperators();
  void addSources();
  void checkDump(size_t First, SourceId File);
  llvm::Error chooseOperators();
  llvm::Expected<std::vector<KeyId>> chooseKeys();
  void note(std::string Text, bool IsWarning = false);

  CoverageRequest Request;
  std::optional<CheckSetup> Setup;
  SchemasOfRun Schemas;
  std::optional<SourceFiles> Files;
  std::vector<UnitFacts> Units;
  std::optional<CoverageInput> Input;
  SourceRegistrations FromSources;
  Findings Diags;
  std::vector<RunNote> Notes;
  bool Complete = true;
};

} // namespace opsig

#endif
