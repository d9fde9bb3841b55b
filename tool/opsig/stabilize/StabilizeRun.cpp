//===- StabilizeRun.cpp - files moved to the stable ABI, in memory -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/WrongFlags.h"
#include "stabilize/StabilizeRun.h"
#include "opsig/Check/KernelMarks.h"
#include "opsig/Edit/VerifiedEdits.h"
#include "opsig/Frontend/ApiUse.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Support/SafeText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"

using llvm::sys::fs::UniqueID;

namespace opsig {

std::string targetNumber(const llvm::VersionTuple &Target) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << "0x" << llvm::format_hex_no_prefix(Target.getMajor(), 2)
     << llvm::format_hex_no_prefix(Target.getMinor().value_or(0), 2) << "000000000000";
  return Text;
}

namespace {

/// Edits are those of StableEdits, under their numbers there.
class StabilizeRunner : public EditPolicy {
public:
  StabilizeRunner(const CheckSetup &Setup, const StabilizeRequest &Request)
      : Setup(Setup), Request(Request) {}

  llvm::Expected<StabilizeOutcome> run();

  /// Each round takes back at least one edit.
  unsigned maxRounds() const override { return 13; }
  llvm::Expected<EditProposal> propose() override;
  llvm::Expected<std::vector<SourceErrors>> read(const EditedTexts &Texts) override;
  void blame(const NewError &Error, Verdict &Out) override;
  void ban(llvm::ArrayRef<Regression> Regressions) override;
  llvm::Error exhausted(Verdict &) override { return llvm::Error::success(); }

private:
  llvm::Error readInputs();
  void readOtherBuilds();
  std::string outlook();
  /// The command of a unit's file, with the flags of a build.
  ParseJob job(size_t Unit, size_t Build) const;
  llvm::Error findNames();
  llvm::Error plan();
  /// Numbers of units that have to be read again, since what they are made of is not as it was.
  std::vector<size_t> staleUnits(const EditedTexts &New);
  /// What Clang says of these units, in their order: as the files are, or with \p Edited.
  std::vector<std::vector<ClangMessage>> parse(llvm::ArrayRef<size_t> Units,
                                               const EditedTexts *Edited);
  void readBefore();
  void keepError(const ClangMessage &Error);
  /// Whether a header of the language's library is what an error is about, and is included now.
  bool includeFor(const ClangMessage &Error);
  std::optional<size_t> blamed(const ClangMessage &Error) const;
  std::optional<std::pair<SourceId, uint32_t>> original(const CodePoint &P) const;

  const CheckSetup &Setup;
  const StabilizeRequest &Request;
  StabilizeOutcome Out;
  std::unique_ptr<LoadedSchemas> Schemas;
  KnownStableNames Known;
  ParseOptions Options;
  mutable FileIdentities Identities;
  std::map<UniqueID, SourceId> FileOf;
  /// Of the round that is judged.
  const EditedTexts *Current = nullptr;
  /// Places whose errors are in Out.Errors.
  std::set<std::pair<SourceId, uint32_t>> Kept;
  /// By unit: errors of the files as they were, and of the last texts that it was read with.
  std::vector<std::vector<ClangMessage>> Before, After;
  /// What those were made of.
  std::map<std::string, std::string> LastTexts;
  llvm::VersionTuple LastTarget;
  ReadLog EditedReads;
  /// In this round.
  std::set<std::pair<SourceId, std::string>> JustIncluded;
  /// By unit: which of Request.ExtraFlags it was read for, counted from 1.
  std::vector<size_t> BuildOf;
};

llvm::Error StabilizeRunner::readInputs() {
  Options.IsProjectFile = [Files = Setup.Project](llvm::StringRef Path) {
    return Files->contain(Path);
  };
  Options.Uses = true;
  Options.Bodies = true; // schemas that are written mark what bodies write
  for (const std::string &Name : Setup.Inputs.Names)
    Out.Read->Texts.addName(Name);
  UnitReader Reader({"", "", /*Prefixes=*/false, Setup.Settings.Compile.Threads});
  ReadUnits Read = readKernels(Setup.Inputs.Files, Setup.Commands, Options, Reader, *Out.Files,
                               {Out.Read->note()});
  if (Read.Lost || Read.Units.empty())
    return llvm::createStringError("no file was changed");
  Out.Units = std::move(Read.Units);
  BuildOf.resize(Out.Units.size());
  readOtherBuilds();
  reportIncomplete(Out.Units, Setup.Settings.Compile, Setup.Source.Project);
  size_t InPart = llvm::count_if(Out.Units, [](const UnitFacts &U) { return !U.complete(); });
  if (InPart && !Request.Partial)
    return llvm::createStringError(
        "no file was changed: " + llvm::Twine(InPart) +
        (InPart == 1 ? " file was" : " files were") +
        " read only in part; --partial continues without the parts that were not read" + outlook());
  return llvm::Error::success();
}

/// What --partial would move, before Clang has seen the new texts.
std::string StabilizeRunner::outlook() {
  if (llvm::Error Err = findNames()) {
    llvm::consumeError(std::move(Err));
    return "";
  }
  BoxedKernels Boxed = boxedKernels(Out.Units);
  std::map<std::pair<std::string, uint32_t>, bool> Moves; // by place: headers are read often
  for (const UnitFacts &Unit : Out.Units)
    for (const StableChange &Change : planStable(Unit, Known.Names, *Out.Files, Boxed).Changes)
      Moves[{absolutePath(Unit.Files[Change.At.File]), Change.At.Offset}] |=
          Change.Is == StableChange::Moves || Change.Is == StableChange::Review;
  if (Moves.empty())
    return "";
  size_t Movable = llvm::count_if(Moves, [](const auto &M) { return M.second; });
  return llvm::formatv(" (opsig would convert up to {0} of {1} uses of unstable API)", Movable,
                       Moves.size());
}

ParseJob StabilizeRunner::job(size_t Unit, size_t Build) const {
  ParseJob Job = Setup.Commands.job(Out.Units[Unit].MainFile);
  if (Build != 0 && !Job.Command.empty()) {
    // Behind the flags that all builds share: the last of -DX and -UX counts.
    const std::vector<std::string> &Flags = Request.ExtraFlags[Build - 1];
    auto End = llvm::find(Job.Command, "--");
    if (End == Job.Command.end())
      End = std::find(Job.Command.begin() + 1, Job.Command.end(), Job.Command.back());
    Job.Command.insert(End, Flags.begin(), Flags.end());
  }
  return Job;
}

/// Lines that one build leaves out are read where another has them.
void StabilizeRunner::readOtherBuilds() {
  const size_t First = Out.Units.size();
  for (size_t Build = 1; Build <= Request.ExtraFlags.size(); ++Build) {
    std::vector<ParseJob> Jobs;
    for (size_t I = 0; I < First; ++I)
      Jobs.push_back(job(I, Build));
    for (UnitFacts &Unit :
         parseFiles(Jobs, Options, Setup.Settings.Compile.Threads, Out.Read->note())) {
      if (!Unit.Parsed)
        continue;
      Out.Units.push_back(std::move(Unit));
      BuildOf.push_back(Build);
    }
  }
}

/// Leaves out macros in whose definitions some unit has found a use, so that it expands them.
static void dropWhatOthersExpand(llvm::ArrayRef<UnitFacts> Units, std::vector<StablePlan> &Plans) {
  std::map<std::string, std::vector<Span>> Used;
  for (auto [Unit, Plan] : llvm::zip_equal(Units, Plans))
    for (const StableChange &Change : Plan.Changes)
      if (Change.Is != StableChange::NotRead)
        Used[absolutePath(Unit.Files[Change.At.File])].push_back(Change.At);
  for (auto [Unit, Plan] : llvm::zip_equal(Units, Plans))
    llvm::erase_if(Plan.Changes, [&, &Unit = Unit](const StableChange &Macro) {
      return Macro.Is == StableChange::NotRead && !Macro.What.empty() &&
             llvm::any_of(Used[absolutePath(Unit.Files[Macro.At.File])], [&](const Span &At) {
               return Macro.At.Offset <= At.Offset && At.end() <= Macro.At.end();
             });
    });
}

/// Leaves out lines that some build has read.
static void dropWhatOthersRead(llvm::ArrayRef<UnitFacts> Units, llvm::ArrayRef<size_t> BuildOf,
                               size_t NumBuilds, std::vector<StablePlan> &Plans) {
  using Stretch = std::tuple<std::string, uint32_t, uint32_t>;
  std::map<Stretch, std::set<size_t>> Unread;
  auto StretchOf = [&](size_t Unit, const StableChange &Change) {
    return Stretch(absolutePath(Units[Unit].Files[Change.At.File]), Change.At.Offset,
                   Change.At.Length);
  };
  for (size_t I = 0; I < Units.size(); ++I)
    for (const StableChange &Change : Plans[I].Changes)
      if (Change.Is == StableChange::NotRead)
        Unread[StretchOf(I, Change)].insert(BuildOf[I]);
  for (size_t I = 0; I < Units.size(); ++I)
    llvm::erase_if(Plans[I].Changes, [&](const StableChange &Change) {
      return Change.Is == StableChange::NotRead && Unread[StretchOf(I, Change)].size() < NumBuilds;
    });
}

llvm::Error StabilizeRunner::findNames() {
  llvm::Expected<std::unique_ptr<LoadedSchemas>> Loaded = loadSchemas(Setup.Source);
  if (!Loaded)
    return Loaded.takeError();
  Schemas = std::move(*Loaded);
  llvm::Expected<KnownStableNames> Found = stableNamesOf(Out.Units, Schemas->Ops.get());
  if (!Found)
    return llvm::createStringError(llvm::toString(Found.takeError()) + "; no file was changed");
  Known = std::move(*Found);
  if (Known.Oldest.empty())
    return llvm::createStringError(
        "this PyTorch is too old: its stable ABI has no TORCH_TARGET_VERSION; pass a newer one "
        "with --torch-root; no file was changed");
  if (Request.Target && *Request.Target < Known.Oldest)
    return llvm::createStringError("invalid target '" + Request.Target->getAsString() +
                                   "' (--target); these headers support " +
                                   Known.Oldest.getAsString() + " and later");
  Known.Names.Target = Request.Target;
  return llvm::Error::success();
}

llvm::Error StabilizeRunner::plan() {
  Out.Edits = std::make_unique<StableEdits>(*Out.Files);
  size_t Unwritten = 0;
  BoxedKernels Boxed = boxedKernels(Out.Units);
  KernelMarks Marks(*Schemas->Ops, Out.Units);
  Boxed.MarksOf = [&](const UnitFacts &Unit, const RegisteredKernel &Kernel) {
    return Marks.of(Unit, Kernel);
  };
  std::vector<StablePlan> Plans;
  for (const UnitFacts &Unit : Out.Units)
    Plans.push_back(planStable(Unit, Known.Names, *Out.Files, Boxed));
  dropWhatOthersExpand(Out.Units, Plans);
  dropWhatOthersRead(Out.Units, BuildOf, Request.ExtraFlags.size() + 1, Plans);
  for (auto [Unit, Plan] : llvm::zip_equal(Out.Units, Plans)) {
    for (const Span &S : Plan.Unwritten) {
      SourceId File = llvm::cantFail(Out.Files->open(Unit.Files[S.File]));
      Place At = Out.Files->placeAt(File, S.Offset);
      llvm::WithColor::note(llvm::errs(), safeLineStart(Unit.Files[S.File]) + ":" +
                                              std::to_string(At.Line) + ":" +
                                              std::to_string(At.Column))
          << "this registration cannot be converted, because it comes from a macro or could not be "
             "read\n";
      ++Unwritten;
    }
    Out.Edits->add(Unit, Plan);
    for (const ApiUse &Use : Unit.Uses)
      Out.UsesCuda |=
          llvm::StringRef(Use.Name).contains("cuda") || llvm::StringRef(Use.Name).contains("CUDA_");
  }
  if (Unwritten && !Request.Partial)
    return llvm::createStringError("no file was changed; write these registrations without macros, "
                                   "or pass --partial to skip them");
  return llvm::Error::success();
}

llvm::Expected<EditProposal> StabilizeRunner::propose() {
  EditProposal Proposal;
  for (auto &[File, Edited] : Out.Edits->changes()) {
    llvm::StringRef Name = Out.Files->name(File), Text = Out.Files->text(File);
    EditedText New = applyFormatted(Name, Text, Edited.Changes, Edited.Additions);
    if (Request.KeepBoth) {
      New.Changes = keepBoth(Name, Text, New.Changes, Edited.Whole);
      New.Text = llvm::cantFail(clang::tooling::applyAllReplacements(Text, New.Changes));
    }
    if (auto Id = Identities.of(Name))
      FileOf[*Id] = File;
    Proposal.Files.push_back({Name.str(), Text.str(), std::move(New.Text), std::move(New.Changes)});
  }
  Out.Target = Request.Target.value_or(std::max(Out.Edits->target(), Known.Oldest));
  // Later, what is left has to be read even where nothing is edited any more.
  if (Proposal.Files.empty() && After.empty())
    Proposal.Kind = EditProposal::Nothing;
  return Proposal;
}

std::vector<size_t> StabilizeRunner::staleUnits(const EditedTexts &New) {
  std::set<std::string> Changed;
  std::map<std::string, std::string> Texts;
  for (const EditedFileText &Text : New.files())
    Texts[absolutePath(Text.Name)] = Text.Now;
  for (const auto &[Name, Text] : Texts)
    if (auto Last = LastTexts.find(Name); Last == LastTexts.end() || Last->second != Text)
      Changed.insert(Name);
  for (const auto &[Name, Text] : LastTexts)
    if (!Texts.count(Name))
      Changed.insert(Name);
  bool All = After.empty() || LastTarget != Out.Target;
  std::vector<size_t> Stale;
  for (size_t I = 0; I < Out.Units.size(); ++I) {
    const std::string &Source = Out.Units[I].MainFile;
    auto IsChanged = [&](const std::string &File) { return Changed.count(File) != 0; };
    if (All || llvm::any_of(Out.Read->filesOf(Source), IsChanged) ||
        llvm::any_of(EditedReads.filesOf(Source), IsChanged))
      Stale.push_back(I);
  }
  LastTexts = std::move(Texts);
  LastTarget = Out.Target;
  return Stale;
}

std::vector<std::vector<ClangMessage>> StabilizeRunner::parse(llvm::ArrayRef<size_t> Units,
                                                              const EditedTexts *Edited) {
  ParseOptions Now = Options;
  std::vector<ParseJob> Jobs;
  for (size_t I : Units)
    Jobs.push_back(job(I, BuildOf[I]));
  if (Edited) {
    Now.Buffers = Edited->buffers();
    for (ParseJob &Job : Jobs)
      if (!Job.Command.empty()) {
        std::vector<std::string> Flags = {"-DTORCH_STABLE_ONLY",
                                          "-DTORCH_TARGET_VERSION=" + targetNumber(Out.Target)};
        if (Out.UsesCuda)
          Flags.push_back("-DUSE_CUDA");
        Job.Command.insert(Job.Command.begin() + 1, Flags.begin(), Flags.end());
      }
  }
  std::vector<ClangMessages> Messages(Jobs.size());
  parseFiles(Jobs, Now, Setup.Settings.Compile.Threads, Edited ? EditedReads.note() : NoteRead(),
             &Messages);
  std::vector<std::vector<ClangMessage>> All;
  for (ClangMessages &M : Messages)
    All.push_back(std::move(M.Errors));
  return All;
}

/// Where it was in a file that is edited.
std::optional<std::pair<SourceId, uint32_t>> StabilizeRunner::original(const CodePoint &P) const {
  auto File = FileOf.find(P.File);
  if (File == FileOf.end())
    return std::nullopt;
  return std::pair(File->second, Current->original(P).Offset);
}

std::optional<size_t> StabilizeRunner::blamed(const ClangMessage &Error) const {
  std::vector<CodePoint> Points = {Error.Spelled, Error.At};
  llvm::append_range(Points, Error.Notes);
  for (const CodePoint &P : Points)
    if (auto Place = original(P)) {
      // What stays is known to be wrong.
      if (Out.Edits->leftAt(Place->first, Place->second))
        return std::nullopt;
      if (std::optional<size_t> Edit = Out.Edits->writerAt(Place->first, Place->second)) {
        // An argument is not at fault where the call can be written otherwise.
        if (auto Other = Out.Edits->otherWayAround(Place->first, Place->second, *Edit))
          return Other;
        return Edit;
      }
    }
  auto Place = original(Error.Spelled);
  if (!Place)
    return std::nullopt;
  if (std::optional<size_t> Call = Out.Edits->callAround(Place->first, Place->second))
    return Call;
  if (std::optional<size_t> Type = Out.Edits->reaching(Place->first, Place->second))
    return Type;
  // What follows an edit may be no code any more because of that.
  llvm::StringRef Before = Out.Files->text(Place->first).take_front(Place->second).rtrim();
  return Before.empty() ? std::nullopt : Out.Edits->writerAt(Place->first, Before.size() - 1);
}

bool StabilizeRunner::includeFor(const ClangMessage &Error) {
  auto Place = original(Error.Spelled);
  if (!Place)
    return false;
  std::string Header =
      missingStandardHeader(Error.Text, Out.Files->text(Place->first).substr(Place->second));
  if (Header.empty())
    return false;
  if (Out.Edits->include(Place->first, Header))
    JustIncluded.insert({Place->first, Header});
  return JustIncluded.count({Place->first, Header}) != 0;
}

/// An error of no edit that could be taken back.
void StabilizeRunner::keepError(const ClangMessage &Error) {
  auto At = original(Error.Spelled);
  for (const CodePoint &Note : Error.Notes)
    if (!At)
      At = original(Note);
  if (At && Kept.insert(*At).second && !Out.Edits->leftAt(At->first, At->second))
    Out.Errors.push_back({Out.Files->placeAt(At->first, At->second), Error.Text});
}

/// Other files have no error as they are.
void StabilizeRunner::readBefore() {
  std::vector<size_t> InPart;
  for (size_t I = 0; I < Out.Units.size(); ++I)
    if (!Out.Units[I].complete())
      InPart.push_back(I);
  Before.resize(Out.Units.size());
  for (auto [Unit, Errors] : llvm::zip_equal(InPart, parse(InPart, nullptr)))
    Before[Unit] = std::move(Errors);
}

llvm::Expected<std::vector<SourceErrors>> StabilizeRunner::read(const EditedTexts &Texts) {
  if (Before.empty())
    readBefore();
  Current = &Texts;
  std::vector<size_t> Stale = staleUnits(Texts);
  std::vector<std::vector<ClangMessage>> Messages = parse(Stale, &Texts);
  After.resize(Out.Units.size());
  for (auto [Unit, Errors] : llvm::zip_equal(Stale, Messages))
    After[Unit] = std::move(Errors);
  JustIncluded.clear();
  Out.Errors.clear();
  Kept.clear();
  std::vector<SourceErrors> Sources;
  for (auto [Old, New] : llvm::zip_equal(Before, After))
    Sources.push_back({Old, New});
  return Sources;
}

void StabilizeRunner::blame(const NewError &New, Verdict &Verdict) {
  if (New.IsLastRound)
    return keepError(New.Error);
  if (includeFor(New.Error)) {
    Verdict.IsRepaired = true;
    return;
  }
  if (std::optional<size_t> Edit = blamed(New.Error))
    Verdict.Regressions.push_back({{*Edit}, newErrorText(New.Error)});
  else
    keepError(New.Error);
}

void StabilizeRunner::ban(llvm::ArrayRef<Regression> Regressions) {
  std::map<size_t, std::string> Guilty;
  for (const Regression &R : Regressions)
    Guilty.try_emplace(R.Edits.front(), R.Why);
  for (auto &[Edit, Why] : Guilty)
    Out.Edits->refuse(Edit, Why);
}

llvm::Expected<StabilizeOutcome> StabilizeRunner::run() {
  if (llvm::Error Err = readInputs())
    return std::move(Err);
  if (llvm::Error Err = findNames())
    return std::move(Err);
  if (llvm::Error Err = plan())
    return std::move(Err);
  llvm::Expected<EditedTexts> Verified = verifyEdits(*this, Identities);
  if (!Verified)
    return Verified.takeError();
  Out.Texts = Verified->takeFiles();
  return std::move(Out);
}

} // namespace

llvm::Expected<StabilizeOutcome> runStabilize(const CheckSetup &Setup,
                                              const StabilizeRequest &Request) {
  return StabilizeRunner(Setup, Request).run();
}

} // namespace opsig
