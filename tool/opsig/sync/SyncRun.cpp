//===- SyncRun.cpp - Rewrites files until nothing is left to be rewritten --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/Reading.h"
#include "check/TorchIncludeDirs.h"
#include "check/WrongFlags.h"
#include "sync/InputReadings.h"
#include "sync/SyncRun.h"
#include "opsig/Check/Comparison.h"
#include "opsig/Edit/EditSet.h"
#include "opsig/Edit/VerifiedEdits.h"
#include "opsig/Support/FindingIds.h"
#include "opsig/Support/PathGlob.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <numeric>

namespace opsig {

namespace {

/// An edit may lay open what the next round mends; more rounds than this are no progress.
constexpr unsigned MaxRounds = 6;

/// Edits are those that were made in this round, under their numbers in Made.
class SyncRunner : public EditPolicy {
public:
  SyncRunner(const CheckSetup &Setup, const LoadedSchemas &Schemas)
      : Setup(Setup), Inputs(Setup.Inputs.Files), Settings(Setup.Settings), Schemas(Schemas),
        Checker(*Schemas.Ops, Schemas.Backends, Bodies::Skip),
        Readings(Setup, Identities, *Outcome.Read) {}

  llvm::Expected<SyncOutcome> run();

  /// How often edits are taken back, and all begins again.
  unsigned maxRounds() const override { return 8; }
  llvm::Expected<EditProposal> propose() override;
  llvm::Expected<std::vector<SourceErrors>> read(const EditedTexts &Texts) override;
  void blame(const NewError &Error, Verdict &Out) override;
  void blameForFindings(const EditedTexts &Texts, Verdict &Out) override;
  void ban(llvm::ArrayRef<Regression> Regressions) override;
  llvm::Error exhausted(Verdict &Out) override;

private:
  /// How the files are now.
  ParseOptions parseOptions() const;
  void openNow();
  llvm::Expected<std::vector<UnitFacts>> read();
  void check(llvm::ArrayRef<UnitFacts> Units);
  std::vector<SyncEdit> plan(llvm::ArrayRef<UnitFacts> Units);
  std::set<llvm::sys::fs::UniqueID> namedIn(llvm::ArrayRef<SyncEdit> Edits);
  /// Makes those of \p Edits that fit; false if there are none.
  bool make(llvm::ArrayRef<SyncEdit> Edits);
  /// Edits until nothing is left to be edited; false if what is edited comes up again and again,
  /// which is banned then.
  llvm::Expected<bool> edit();
  bool banWhatToggles(llvm::ArrayRef<SyncEdit> Again);
  /// Of the inputs of these \p Numbers.
  std::vector<std::vector<ClangMessage>> errors(llvm::ArrayRef<size_t> Numbers,
                                                const ParseOptions &Options,
                                                llvm::ArrayRef<std::string> Named) const;
  /// The edit as it would be made in the file that is on disk.
  std::vector<Fix> inOriginal(const SyncEdit &Edit);
  RefusedEdit refusal(std::string Why, llvm::StringRef Path, uint32_t Offset);

  const CheckSetup &Setup;
  llvm::ArrayRef<std::string> Inputs;
  const CheckSettings &Settings;
  const LoadedSchemas &Schemas;
  ProjectChecker Checker;
  SyncOutcome Outcome;
  FileIdentities Identities;
  InputReadings Readings;
  bool FirstRound = true;
  /// Of the first round.
  std::vector<UnitFacts> Before;
  Findings FoundBefore;
  std::unique_ptr<SourceFiles> FoundIn; ///< what those point into
  /// What was made, and what is not to be made, as in the files on disk.
  std::vector<Finding> Made;
  std::vector<std::vector<Fix>> Banned;
  /// Of Made.
  std::optional<EditSites> Sites;
  std::vector<std::vector<ClangMessage>> ErrorsBefore, ErrorsAfter;
};

ParseOptions SyncRunner::parseOptions() const {
  ParseOptions Options = Checker.parseOptions(Setup.Project);
  for (const auto &[Name, File] : Outcome.Files)
    Options.Buffers.push_back({absolutePath(Name), File.Now.Text});
  return Options;
}

void SyncRunner::openNow() {
  if (!FoundIn)
    FoundIn = std::move(Outcome.Sources);
  Outcome.Sources = std::make_unique<SourceFiles>(&Schemas.Files);
  for (const auto &[Name, File] : Outcome.Files)
    Outcome.Sources->add(Name, File.Now.Text);
}

llvm::Expected<std::vector<UnitFacts>> SyncRunner::read() {
  llvm::Expected<std::vector<UnitFacts>> Units = Readings.read(parseOptions(), *Outcome.Sources);
  if (Units && FirstRound) {
    reportIncomplete(*Units, Setup.Settings.Compile, Setup.Source.Project);
    reportForeignHeaders(*Units, Setup.Source);
    FirstRound = false;
  }
  return Units;
}

void SyncRunner::check(llvm::ArrayRef<UnitFacts> Units) {
  Findings Diags;
  Outcome.NumKernels = Checker.check(Units, Settings.Of, *Outcome.Sources, Diags).Kernels.size();
  unifyFiles(Diags, Inputs, *Outcome.Sources);
  FindingFilter Filter = Settings.Filter; // a baseline is used up
  Outcome.Left = sift(std::move(Diags), Filter, *Outcome.Sources);
}

/// What stands before "(" in new code: functions that it declares, defines or calls.
std::vector<std::string> calledNames(llvm::StringRef Code) {
  std::vector<std::string> Names;
  auto IsWord = [](char C) { return llvm::isAlnum(C) || C == '_'; };
  for (size_t At = Code.find('('); At != llvm::StringRef::npos; At = Code.find('(', At + 1)) {
    llvm::StringRef Head = Code.take_front(At);
    size_t Begin = At;
    while (Begin > 0 && IsWord(Head[Begin - 1]))
      --Begin;
    if (Begin < At)
      Names.push_back(Head.drop_front(Begin).str());
  }
  return Names;
}

std::vector<SyncEdit> SyncRunner::plan(llvm::ArrayRef<UnitFacts> Units) {
  return planSync({Checker.expected(), Schemas.Backends, Units, Outcome.Left.Reported.all(),
                   Settings.Of, *Schemas.Ops->D},
                  *Outcome.Sources);
}

bool SyncRunner::make(llvm::ArrayRef<SyncEdit> Edits) {
  SourceFiles &Sources = *Outcome.Sources;
  EditSet Fitting(Sources);
  std::vector<Fix> Additions;
  for (const SyncEdit &Edit : Edits) {
    std::vector<Fix> Original = inOriginal(Edit);
    if (llvm::is_contained(Banned, Original))
      continue;
    if (!Fitting.take(Edit.Fixes))
      continue; // in the next round
    Made.push_back({finding::KernelSignature, Level::Error, {}, "", "", "", {}, Original});
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

/// "k.cpp:3:7: ".
std::string where(const SourceFiles &Files, Place At) {
  if (!At.isValid())
    return "";
  return (Files.name(At.File) + ":" + llvm::Twine(At.Line) + ":" + llvm::Twine(At.Column) + ": ")
      .str();
}

/// Two schemas would have a function otherwise, each: what is edited for one is undone for the
/// other.
bool SyncRunner::banWhatToggles(llvm::ArrayRef<SyncEdit> Again) {
  EditSites Sites({Made, *Outcome.SourcesBefore}, Before, Identities);
  std::set<size_t> Guilty;
  for (const SyncEdit &Edit : Again)
    for (const Fix &F : inOriginal(Edit)) {
      std::string Name = Outcome.SourcesBefore->name(F.File).str();
      std::vector<size_t> Here;
      if (auto File = Identities.of(Name))
        Here = Sites.at({*File, F.Offset});
      size_t Known = Guilty.size();
      Guilty.insert(Here.begin(), Here.end());
      if (Guilty.size() > Known)
        Outcome.Refused.push_back(
            refusal("an edit for one schema would conflict with another schema", Name, F.Offset));
    }
  for (size_t Edit : Guilty)
    Banned.push_back(Made[Edit].Fixes);
  return !Guilty.empty();
}

/// The files that \p Edits change, and those that what was found is about.
std::set<llvm::sys::fs::UniqueID> SyncRunner::namedIn(llvm::ArrayRef<SyncEdit> Edits) {
  std::set<llvm::sys::fs::UniqueID> Named = filesNamedIn(Outcome.Left, *Outcome.Sources);
  for (const SyncEdit &Edit : Edits)
    for (const Fix &F : Edit.Fixes)
      if (auto File = Identities.of(Outcome.Sources->name(F.File)))
        Named.insert(*File);
  return Named;
}

llvm::Expected<bool> SyncRunner::edit() {
  std::string Where;
  for (unsigned Round = 0; Round < MaxRounds; ++Round) {
    openNow();
    llvm::Expected<std::vector<UnitFacts>> Units = read();
    if (!Units)
      return Units.takeError();
    check(*Units);
    std::vector<SyncEdit> Edits = plan(*Units);
    llvm::Expected<bool> Confirmed =
        Readings.confirm(namedIn(Edits), parseOptions(), *Outcome.Sources);
    if (!Confirmed)
      return Confirmed.takeError();
    if (*Confirmed) {
      *Units = Readings.units();
      check(*Units);
      Edits = plan(*Units);
    }
    if (!Outcome.SourcesBefore) {
      Before = *Units;
      FoundBefore = Outcome.Left.Reported;
      Outcome.SourcesBefore = std::make_unique<SourceFiles>(&Schemas.Files);
    }
    if (!make(Edits))
      return true;
    if (Round + 1 == MaxRounds && banWhatToggles(Edits))
      return false;
    const Fix &First = Edits.front().Fixes.front();
    Where = where(*Outcome.Sources, Outcome.Sources->placeAt(First.File, First.Offset));
  }
  return llvm::createStringError(Where + "this place still needs edits after " +
                                 llvm::Twine(MaxRounds) +
                                 " attempts; edit it by hand; no file was changed");
}

std::vector<Fix> SyncRunner::inOriginal(const SyncEdit &Edit) {
  std::vector<Fix> Out = Edit.Fixes;
  for (Fix &F : Out) {
    std::string Name = Outcome.Sources->name(F.File).str();
    if (auto Known = Outcome.Files.find(Name); Known != Outcome.Files.end())
      F.Offset = EditMap(Known->second.Now.Changes).before(F.Offset);
    F.File = SourceId::None;
    if (llvm::Expected<SourceId> File = Outcome.SourcesBefore->open(Name))
      F.File = *File;
    else
      llvm::consumeError(File.takeError());
  }
  return Out;
}

std::vector<std::vector<ClangMessage>> SyncRunner::errors(llvm::ArrayRef<size_t> Numbers,
                                                          const ParseOptions &Options,
                                                          llvm::ArrayRef<std::string> Named) const {
  std::vector<ParseJob> Jobs;
  for (size_t Input : Numbers)
    Jobs.push_back(Setup.Commands.job(Inputs[Input]));
  std::vector<ClangMessages> Messages(Jobs.size());
  for (ClangMessages &M : Messages)
    M.Named = Named;
  parseFiles(Jobs, Options, Settings.Compile.Threads, {}, &Messages);
  std::vector<std::vector<ClangMessage>> Out;
  for (ClangMessages &M : Messages)
    Out.push_back(std::move(M.Errors));
  return Out;
}

RefusedEdit SyncRunner::refusal(std::string Why, llvm::StringRef Path, uint32_t Offset) {
  RefusedEdit Out{{}, std::move(Why)};
  SourceFiles &Files = *Outcome.SourcesBefore;
  std::string Name = Path.str();
  for (const auto &[Edited, File] : Outcome.Files)
    if (Identities.of(Edited) == Identities.of(Path))
      Name = Edited;
  if (llvm::Expected<SourceId> File = Files.open(Name))
    Out.At = Files.placeAt(*File, Offset);
  else
    llvm::consumeError(File.takeError());
  return Out;
}

llvm::Expected<EditProposal> SyncRunner::propose() {
  Outcome.Files.clear();
  Outcome.Counts.clear();
  Made.clear();
  EditProposal Out;
  llvm::Expected<bool> Settled = edit();
  if (!Settled)
    return Settled.takeError();
  if (!*Settled)
    Out.Kind = EditProposal::Again;
  else if (Made.empty())
    Out.Kind = EditProposal::Nothing;
  for (const auto &[Name, File] : Outcome.Files)
    Out.Files.push_back({Name, File.Before, File.Now.Text, File.Now.Changes});
  return Out;
}

llvm::Expected<std::vector<SourceErrors>> SyncRunner::read(const EditedTexts &) {
  Sites.emplace(FindingsIn{Made, *Outcome.SourcesBefore}, Before, Identities);
  std::vector<std::string> Named = Sites->functions();
  for (const Finding &Edit : Made)
    for (const Fix &F : Edit.Fixes)
      llvm::append_range(Named, calledNames(F.Text));
  ParseOptions Options = parseOptions();
  // The others are as they were.
  std::vector<size_t> Edited = Readings.inputsWith(Options.Buffers);
  ErrorsAfter = errors(Edited, Options, Named);
  Options.Buffers.clear();
  ErrorsBefore = errors(Edited, Options, Named);
  std::vector<SourceErrors> Out;
  for (auto [Old, New] : llvm::zip_equal(ErrorsBefore, ErrorsAfter))
    Out.push_back({Old, New});
  return Out;
}

void SyncRunner::blame(const NewError &New, Verdict &Out) {
  // A header that is generated, or was not given, may lag behind: a finding tells of it.
  if (New.Error.Mismatch)
    return;
  std::vector<size_t> All(Made.size());
  std::iota(All.begin(), All.end(), 0);
  Out.Regressions.push_back({Sites->blame(New.Points, New.Error.Function, {}, All),
                             newErrorText(New.Error), New.Error.Path, New.Points.front().Offset});
}

void SyncRunner::blameForFindings(const EditedTexts &Texts, Verdict &Out) {
  // Which findings the edits are for is not told: those that stay are what is left.
  llvm::ArrayRef<Finding> Now = Outcome.Left.Reported.all();
  FindingChanges Changes = compareFindings({FoundBefore.all(), *FoundIn}, {Now, *Outcome.Sources},
                                           {}, Texts.maps(), Identities);
  for (size_t New : Changes.New) {
    const Finding &D = Now[New];
    std::optional<llvm::sys::fs::UniqueID> File;
    // The header may be generated, or was not given, and lags behind.
    if (D.At.isValid() && D.Id != finding::UndeclaredKernel)
      File = Identities.of(Outcome.Sources->name(D.At.File));
    if (!File)
      continue; // about the YAML, or the whole
    CodePoint At = Texts.original({*File, uint32_t(Outcome.Sources->offsetOf(D.At))});
    // Where nothing is edited it was hidden by what is mended now.
    if (std::vector<size_t> Here = Sites->at(At); !Here.empty())
      Out.Regressions.push_back({Here, "the edit would cause a new finding: " + D.Message,
                                 Outcome.Sources->name(D.At.File).str(), At.Offset});
  }
}

void SyncRunner::ban(llvm::ArrayRef<Regression> Regressions) {
  std::set<size_t> Guilty;
  for (const Regression &R : Regressions) {
    size_t Known = Guilty.size();
    Guilty.insert(R.Edits.begin(), R.Edits.end());
    if (Guilty.size() > Known) // of all that an edit does the first
      Outcome.Refused.push_back(refusal(R.Why, R.Path, R.Offset));
  }
  for (size_t Edit : Guilty)
    Banned.push_back(Made[Edit].Fixes);
}

llvm::Error SyncRunner::exhausted(Verdict &Out) {
  ban(Out.Regressions);
  const RefusedEdit &Last = Outcome.Refused.back();
  return llvm::createStringError(where(*Outcome.SourcesBefore, Last.At) + Last.Why +
                                 "; no file was changed");
}

llvm::Expected<SyncOutcome> SyncRunner::run() {
  for (const std::string &Name : Setup.Inputs.Names)
    Outcome.Read->addName(Name);
  llvm::Expected<EditedTexts> Verified = verifyEdits(*this, Identities);
  if (!Verified)
    return Verified.takeError();
  return std::move(Outcome);
}

} // namespace

llvm::Expected<SyncOutcome> runSync(const CheckSetup &Setup, const LoadedSchemas &Schemas) {
  return SyncRunner(Setup, Schemas).run();
}

} // namespace opsig
