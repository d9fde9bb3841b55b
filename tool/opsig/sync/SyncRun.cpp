//===- SyncRun.cpp - Rewrites files until nothing is left to be rewritten --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/CodeHeaders.h"
#include "sync/SyncRun.h"
#include "opsig/Rewrite/EditSet.h"
#include "opsig/Support/PathGlob.h"

namespace opsig {

namespace {

/// An edit may lay open what the next round mends; more rounds than this are no progress.
constexpr unsigned MaxRounds = 6;

class SyncRunner {
public:
  SyncRunner(const CheckSetup &Setup, const LoadedSchemas &Schemas)
      : Setup(Setup), Inputs(Setup.Inputs.Files), Settings(Setup.Settings), Schemas(Schemas),
        Checker(*Schemas.Ops, Schemas.Backends, Bodies::Skip) {}

  llvm::Expected<SyncOutcome> run();

private:
  /// How the files are now.
  ParseOptions parseOptions() const;
  void openNow();
  llvm::Expected<std::vector<TranslationUnit>> read();
  void check(llvm::ArrayRef<TranslationUnit> Units);
  std::vector<SyncEdit> plan(llvm::ArrayRef<TranslationUnit> Units);
  /// Makes those of \p Edits that fit; false if there are none.
  bool make(llvm::ArrayRef<SyncEdit> Edits);

  const CheckSetup &Setup;
  llvm::ArrayRef<std::string> Inputs;
  const CheckSettings &Settings;
  const LoadedSchemas &Schemas;
  ProjectChecker Checker;
  SyncOutcome Outcome;
  bool FirstRound = true;
};

ParseOptions SyncRunner::parseOptions() const {
  ParseOptions Options = Checker.parseOptions(Setup.Project);
  for (const auto &[Name, File] : Outcome.Files)
    Options.Buffers.push_back({absolutePath(Name), File.Now.Text});
  return Options;
}

void SyncRunner::openNow() {
  Outcome.Sources = std::make_unique<SourceFiles>(&Schemas.Files);
  for (const auto &[Name, File] : Outcome.Files)
    Outcome.Sources->add(Name, File.Now.Text);
}

llvm::Expected<std::vector<TranslationUnit>> SyncRunner::read() {
  // The texts that were made here are not on disk.
  ParseOptions Options = parseOptions();
  NoteRead Note = [&](llvm::StringRef, llvm::StringRef Path, llvm::StringRef Text) {
    std::string Name = absolutePath(Path);
    if (llvm::none_of(Options.Buffers, [&](const VirtualFile &B) { return B.Name == Name; }))
      Outcome.Read->note(Name, Text);
  };
  ReadUnits Read = readKernels(Inputs, Setup.Commands, Options, Settings.Compile.Threads,
                               *Outcome.Sources, Note);
  if (!Read.Complete)
    return llvm::createStringError("no file was changed");
  if (FirstRound) {
    tellIncomplete(Read.Units);
    tellForeignHeaders(Read.Units, Setup.Source);
  }
  for (const TranslationUnit &Unit : Read.Units)
    if (Unit.Garbled)
      return llvm::createStringError("the syntax of '" + Unit.MainFile +
                                     "' is broken; no file was changed");
  FirstRound = false;
  return std::move(Read.Units);
}

void SyncRunner::check(llvm::ArrayRef<TranslationUnit> Units) {
  Diagnostics Diags;
  Checker.check(Units, Settings.Of, *Outcome.Sources, Diags);
  unifyFiles(Diags, Inputs, *Outcome.Sources);
  FindingFilter Filter = Settings.Filter; // a baseline is used up
  Outcome.Left = sift(std::move(Diags), Filter, *Outcome.Sources);
}

std::vector<SyncEdit> SyncRunner::plan(llvm::ArrayRef<TranslationUnit> Units) {
  return planSync({Checker.wanted(), Schemas.Backends, Units, Outcome.Left.Reported.all(),
                   Settings.Of, *Schemas.Ops->D},
                  *Outcome.Sources);
}

bool SyncRunner::make(llvm::ArrayRef<SyncEdit> Edits) {
  SourceFiles &Sources = *Outcome.Sources;
  EditSet Fitting(Sources);
  std::vector<Fix> Additions;
  for (const SyncEdit &Edit : Edits) {
    if (!Fitting.take(Edit.Fixes))
      continue; // in the next round
    Outcome.Counts[Edit.Is] += Edit.Count;
    if (Edit.isAddition())
      Additions.insert(Additions.end(), Edit.Fixes.begin(), Edit.Fixes.end());
  }
  for (const auto &[File, Replaced] : Fitting.all()) {
    std::string Name = Sources.name(File).str();
    std::vector<Fix> Own;
    for (const Fix &F : Additions)
      if (F.File == File)
        Own.push_back(F);
    EditedText Edited = applyFormatted(Name, Sources.text(File), Replaced, Own);
    auto [It, New] = Outcome.Files.try_emplace(Name);
    if (New)
      It->second.Before = Sources.text(File).str();
    else
      Edited.Changes = It->second.Now.Changes.merge(Edited.Changes);
    It->second.Now = std::move(Edited);
  }
  return !Fitting.empty();
}

llvm::Expected<SyncOutcome> SyncRunner::run() {
  for (const std::string &Name : Setup.Inputs.Names)
    Outcome.Read->addName(Name);
  for (unsigned Round = 0; Round < MaxRounds; ++Round) {
    openNow();
    llvm::Expected<std::vector<TranslationUnit>> Units = read();
    if (!Units)
      return Units.takeError();
    check(*Units);
    if (!make(plan(*Units)))
      return std::move(Outcome);
  }
  return llvm::createStringError("after " + llvm::Twine(MaxRounds) +
                                 " rounds there is still something to edit; no file was changed");
}

} // namespace

llvm::Expected<SyncOutcome> runSync(const CheckSetup &Setup, const LoadedSchemas &Schemas) {
  return SyncRunner(Setup, Schemas).run();
}

} // namespace opsig
