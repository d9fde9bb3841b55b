//===- CheckRun.h - One run of opsig check, step by step ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// setUp() => settings, schemas => limitTo(): the lines that are asked about => read(): the units
//   => judge(): Findings => verify(): verified fixes
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_CHECK_CHECKRUN_H
#define OPSIG_TOOL_CHECK_CHECKRUN_H

#include "check/CheckOutput.h"
#include "check/CheckSetup.h"
#include "check/Depfile.h"
#include "check/FixVerifier.h"
#include "check/Reading.h"
#include "check/RunSummary.h"
#include "check/SourceCompleteness.h"
#include "check/StableChecks.h"
#include "opsig/Frontend/ReadingCache.h"
#include "opsig/StableAbi/Stable.h"
#include "opsig/Workspace/ChangedLines.h"

namespace opsig {

/// What is asked of a run, beside the settings that every subcommand shares.
struct CheckRequest {
  CheckArguments Arguments;
  std::vector<std::string> FactsFrom;
  bool Facts = false;       ///< nothing is compared: the facts are written
  bool NotesInputs = false; ///< keep what facts are made of
  bool Fix = false;         ///< the texts that are read are kept, to be edited
  bool Writes = false;      ///< the edits are written
  bool Baseline = false;    ///< a new baseline replaces the old one
  bool Tell = true; ///< notes go to standard error; in other formats they stand among findings
  bool Verbose = false;
  std::vector<std::string> Binaries; ///< libraries that have to keep to the stable ABI
  std::vector<VirtualFile> Buffers;  ///< texts that go before what is on disk, by absolute path
  std::string Target;                ///< the oldest libtorch that they have to run with

  bool anySource() const {
    return !Arguments.Inputs.empty() || Arguments.AllListed || !FactsFrom.empty();
  }
};

/// The sources that may have comments for opsig: one of them may be spelled wrong, though nothing
/// was found in its file. Each is read once, however often it is asked for.
class CommentedSources {
public:
  /// Of \p Units; \p In has what is edited, and gets the others.
  std::vector<SourceId> of(llvm::ArrayRef<UnitFacts> Units, SourceFiles &In);

private:
  /// "" where no comment can be.
  const std::string &textOf(const std::string &File);

  std::map<std::string, std::string> Texts;
};

class CheckRun {
public:
  explicit CheckRun(CheckRequest Request) : Request(std::move(Request)) {}

  llvm::Error setUp(const SchemaOptions &Schema, const CheckOptions &Options);
  /// Whether kernels can be compared with the schemas.
  bool usable() const {
    bool Compares = Request.anySource() && !Request.Facts;
    return Compares ? Schemas->comparable() : Schemas->usable();
  }
  /// Whether kernels are compared without entries of the user's YAML files, which have errors.
  bool leavesOutEntries() const { return Request.anySource() && !Schemas->usable(); }
  /// What is wrong with the user's YAML files.
  SiftedFindings schemaFindings();

  /// Of all findings only those on lines that changed since a revision are wanted. False: none can
  /// be there, whatever is read.
  llvm::Expected<bool> limitTo(llvm::StringRef Revision);

  /// Fails where libraries cannot be held against the headers.
  llvm::Error read(const ReadingOptions &Reading);
  const std::vector<UnitFacts> &units() const { return Units; }
  /// What the units' facts depend on.
  ParseOptions parseOptions() const { return Checker->parseOptions(); }
  /// Whether all inputs could be read, and whether each was read to its end.
  bool complete() const { return Lost == 0 && Unusable.empty(); }
  bool whole() const { return AllWhole; }

  /// What is confirmed without what sped up the reading.
  SiftedFindings judge();
  VerifiedFixes verify(SiftedFindings &All);

  /// What the units were read from, and the files that say what to look for; of a run that makes
  /// facts.
  std::set<std::string> inputs() const;

  const InputFiles &input() const { return Setup->Inputs; }
  const FindingFilter &filter() const { return Setup->Settings.Filter; }
  SourceFiles &files() { return Files ? *Files : Schemas->Files; }
  llvm::ArrayRef<RunNote> notes() const { return Notes; }
  RunSummary &closing() { return *Close; }
  ReadLog &known() { return *Known; }

private:
  ParseOptions readingOptions() const;
  std::vector<UnitFacts> readAll(const ParseOptions &Options, const ReadingOptions &Reading);
  std::vector<UnitFacts> readSources(const ParseOptions &Options, const ReadingOptions &Reading);
  ProjectLayout layout();
  const Dialect *choosePythonRelease();
  void findStableNames();
  /// Where the user named nothing, and there is no source, the YAML is what there is to check.
  void resolveImplied();
  /// Without --backend, a file of the folders that are checked may list the backend's kernels.
  void takeFoundBackend();
  void findUnseen();
  /// A folder in which nothing could be found is a mistake.
  void findNothing(const SiftedFindings &All);
  void reportLeftOut();
  void refuse(std::string Why);
  void addPython(std::vector<UnitFacts> &To, const CachePlace &Cache);
  void reportOfUnits();
  /// To standard error, or among the findings.
  void note(std::string Text);
  SiftedFindings compare(llvm::ArrayRef<UnitFacts> Of, SourceFiles &In, FindingFilter &Filter,
                         Comparison &Done);
  SiftedFindings report();
  void take(Comparison Done);
  void takeEdited(RemainingFindings &Left);
  /// What Clang reports, and what was looked for, of the files as the run leaves them.
  void reportErrors();
  void reportSearch();

  CheckRequest Request;
  std::optional<CheckSetup> Setup;
  /// A baseline is used up by what it silences.
  FindingFilter Expected;
  std::unique_ptr<LoadedSchemas> Schemas;
  std::optional<SourceFiles> Files;
  std::optional<ChangedLines> Changed;
  std::optional<SourceCompleteness> Sources;
  StableChecks StableCode;
  CommentedSources Commented;
  std::optional<ProjectChecker> Checker;
  /// Where what is not part of the stable ABI is looked for, and there is one.
  std::optional<KnownStableNames> StableNames;
  std::optional<UnitReader> Reader;
  std::unique_ptr<ReadLog> Known = std::make_unique<ReadLog>();
  std::unique_ptr<InputLog> Inputs = std::make_unique<InputLog>();
  std::vector<UnitFacts> Units;
  unsigned Lost = 0;
  std::vector<std::string> WhyLost;
  std::vector<std::string> Unusable;      ///< why nothing of some argument could be checked
  std::vector<std::string> HiddenKernels; ///< why no kernel of some argument could be checked
  bool AllWhole = true;
  std::vector<std::string> LookedFor; ///< Comparison::Notes
  std::vector<RunNote> Notes;
  /// Files in the folders that are checked that list kernels of a backend.
  std::vector<std::string> FoundBackends;
  std::optional<RunSummary> Close;
};

} // namespace opsig

#endif
