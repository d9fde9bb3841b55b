//===- FixVerifier.cpp - Fixes that leave nothing worse -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/FixVerifier.h"
#include "check/Includers.h"
#include "check/PythonFiles.h"
#include "check/RunSummary.h"
#include "opsig/Support/FindingIds.h"
#include "opsig/Support/PathGlob.h"
#include "llvm/ADT/STLExtras.h"

using llvm::sys::fs::UniqueID;

namespace opsig {

NoteRead ReadLog::note() {
  return [this](llvm::StringRef Source, llvm::StringRef Path, llvm::StringRef Text) {
    std::string Name = absolutePath(Path);
    Texts.note(Name, Text);
    std::lock_guard Guard(Mutex);
    Files[Source.str()].insert(std::move(Name));
  };
}

const std::set<std::string> &ReadLog::filesOf(llvm::StringRef Source) const {
  static const std::set<std::string> None;
  auto It = Files.find(Source);
  return It == Files.end() ? None : It->second;
}

namespace {

/// Everything as it is with some edits.
struct Reading {
  std::vector<UnitFacts> Units;
  /// Of those that are read again, in their order.
  std::vector<std::vector<ClangMessage>> Errors;
  std::unique_ptr<SourceFiles> Files;
  SiftedFindings Found;
  Comparison Done;
};

SourceId openOrNone(SourceFiles &Files, llvm::StringRef Name) {
  llvm::Expected<SourceId> File = Files.open(Name);
  if (File)
    return *File;
  llvm::consumeError(File.takeError());
  return SourceId::None;
}

/// Edits are the fixes of findings, under their numbers.
class FixProver : public EditPolicy {
public:
  FixProver(SiftedFindings &All, SourceFiles &Files, const CheckedProject &Project)
      : All(All), Files(Files), Project(Project), Reported(All.Reported.all()),
        Groups(editGroups(Reported)), Banned(Reported.size()),
        Sites({Reported, Files}, Project.Units, Identities) {}

  VerifiedFixes run();

  /// Each round takes back at least one fix; where that leads nowhere, all go.
  unsigned maxRounds() const override { return 9; }
  llvm::Expected<EditProposal> propose() override;
  llvm::Expected<std::vector<SourceErrors>> read(const EditedTexts &Texts) override;
  void blame(const NewError &Error, Verdict &Out) override;
  void blameForLoss(size_t Source, Verdict &Out) override;
  bool comesToLight(const Finding &New);
  void blameForFindings(const EditedTexts &Texts, Verdict &Out) override;
  void ban(llvm::ArrayRef<Regression> Regressions) override;
  llvm::Error exhausted(Verdict &Out) override;

private:
  /// Of those that were taken back with others some may be right: makes these, if they are.
  EditedTexts retry(EditedTexts Texts);
  std::vector<size_t> suspects() const;
  /// The texts with the fixes of \p These groups, too; nothing where they do harm, which \p Why
  /// says then.
  std::optional<EditedTexts> tryWith(llvm::ArrayRef<size_t> These, Verdict &Why);
  /// Notes at \p I why it is not fixed; \p Hit, of its group, is to blame for \p R.
  void explain(size_t I, size_t Hit, const Regression &R);
  /// The same once the fixes of \p Group were tried without others that were to blame with them.
  void explainAgain(size_t Group, const Verdict &Alone);
  void setBanned(llvm::ArrayRef<size_t> These, bool IsBanned);

  void findReaders();
  /// As the files are on disk, or with \p Texts.
  Reading readWith(const EditedTexts *Texts);
  void readPythonInto(Reading &Out, llvm::ArrayRef<size_t> Of, const EditedTexts *Texts);
  std::optional<size_t> knownBefore(const Finding &D, const SourceFiles &In,
                                    const EditedTexts &Texts, const std::vector<bool> &Taken);
  RemainingFindings remaining(const EditedTexts &Texts);
  std::optional<CodePoint> pointOf(const Place &At, const SourceFiles &In);
  Place placeAfter(const Place &Before, SourceFiles &In, const EditedTexts &Texts);
  Place placeOf(const Regression &Of);

  SiftedFindings &All;
  SourceFiles &Files;
  const CheckedProject &Project;
  FileIdentities Identities;
  std::vector<Finding> Reported;
  std::vector<size_t> Groups;
  std::vector<bool> Banned;
  std::set<size_t> Guilty; ///< groups that alone were to blame
  EditSites Sites;

  /// Files that some fix edits; units that have one; what such a file is called anywhere.
  std::set<UniqueID> Editable;
  std::vector<size_t> Readers;
  std::map<UniqueID, std::set<std::string>> NamesOf;

  std::vector<size_t> Applied, Refused;
  std::optional<Reading> Before, After;
};

void FixProver::findReaders() {
  for (const Finding &D : Reported)
    for (const Fix &F : D.Fixes)
      if (F.File != SourceId::None)
        if (auto Id = Identities.of(Files.name(F.File)))
          Editable.insert(*Id);
  for (size_t I = 0; I < Project.Units.size(); ++I) {
    const UnitFacts &Unit = Project.Units[I];
    std::set<std::string> Names = Project.Log.filesOf(Unit.MainFile);
    Names.insert(Unit.Files.begin(), Unit.Files.end());
    bool HasOne = false;
    for (const std::string &Name : Names)
      if (auto Id = Identities.of(Name); Id && Editable.count(*Id)) {
        NamesOf[*Id].insert(Name);
        HasOne = true;
      }
    if (HasOne)
      Readers.push_back(I);
  }
}

llvm::Expected<EditProposal> FixProver::propose() {
  Applied.clear();
  Refused.clear();
  EditSet Edits(Files);
  for (size_t I = 0; I < Reported.size(); ++I)
    if (!Reported[I].Fixes.empty() && !Banned[I])
      (Edits.take(Reported[I].Fixes) ? Applied : Refused).push_back(I);
  EditProposal Out;
  if (Applied.empty())
    Out.Kind = EditProposal::Nothing;
  for (const auto &[File, Edit] : Edits.all()) {
    std::string Before = Files.text(File).str();
    // Every replacement lies inside of its file and overlaps no other.
    std::string Now = llvm::cantFail(clang::tooling::applyAllReplacements(Before, Edit));
    Out.Files.push_back({Files.name(File).str(), std::move(Before), std::move(Now), Edit});
  }
  return Out;
}

Reading FixProver::readWith(const EditedTexts *Texts) {
  Reading Out;
  Out.Units = Project.Units;
  Out.Files = std::make_unique<SourceFiles>(&Project.Schemas);
  ParseOptions Options = Project.Options;
  if (Texts) {
    llvm::append_range(Options.Buffers, Texts->buffers());
    for (const EditedFileText &Text : Texts->files()) {
      Out.Files->add(Text.Name, Text.Now);
      if (auto Id = Identities.of(Text.Name))
        for (const std::string &Name : NamesOf[*Id])
          Out.Files->add(Name, Text.Now);
    }
  }
  std::vector<ParseJob> Jobs;
  std::vector<size_t> Cpp, Python;
  for (size_t Reader = 0; Reader < Readers.size(); ++Reader) {
    const std::string &File = Project.Units[Readers[Reader]].MainFile;
    (isPython(File) ? Python : Cpp).push_back(Reader);
    if (!isPython(File))
      Jobs.push_back(Project.Setup.Commands.job(File));
  }
  std::vector<ClangMessages> Messages(Jobs.size());
  for (ClangMessages &M : Messages)
    M.Named = Sites.functions();
  // What is on disk should still be what the findings are about.
  NoteRead Note;
  if (!Texts)
    Note = Project.Log.note();
  std::vector<UnitFacts> Again =
      parseFiles(Jobs, Options, Project.Setup.Settings.Compile.Threads, Note, &Messages);
  Out.Errors.resize(Readers.size());
  for (size_t I = 0; I < Cpp.size(); ++I) {
    Out.Units[Readers[Cpp[I]]] = std::move(Again[I]);
    Out.Errors[Cpp[I]] = std::move(Messages[I].Errors);
  }
  readPythonInto(Out, Python, Texts);
  std::vector<UnitFacts> Readable;
  llvm::copy_if(Out.Units, std::back_inserter(Readable),
                [](const UnitFacts &Unit) { return Unit.Parsed; });
  JudgedUnits Judged = Project.Judge(Readable, *Out.Files);
  Out.Found = std::move(Judged.Found);
  Out.Done = std::move(Judged.Done);
  return Out;
}

void FixProver::readPythonInto(Reading &Out, llvm::ArrayRef<size_t> Of, const EditedTexts *Texts) {
  if (Of.empty())
    return;
  std::vector<const UnitFacts *> Units;
  for (size_t Reader : Of)
    Units.push_back(&Project.Units[Readers[Reader]]);
  llvm::StringMap<std::string> Now;
  if (Texts)
    for (const EditedFileText &Text : Texts->files()) {
      Now[Text.Name] = Text.Now;
      if (auto Id = Identities.of(Text.Name))
        for (const std::string &Name : NamesOf[*Id])
          Now[Name] = Text.Now;
    }
  std::vector<UnitFacts> Again = rereadPython(Project.Setup.Inputs.Python, Units, Now);
  for (size_t I = 0; I < Of.size(); ++I) {
    UnitFacts &Unit = Out.Units[Readers[Of[I]]];
    ScriptRules Rules = std::move(Unit.Names.Strings);
    Unit = std::move(Again[I]);
    Unit.Names.Strings = std::move(Rules);
  }
}

llvm::Expected<std::vector<SourceErrors>> FixProver::read(const EditedTexts &Texts) {
  if (!Before)
    Before = readWith(nullptr);
  After = readWith(&Texts);
  std::vector<SourceErrors> Out;
  for (size_t I = 0; I < Readers.size(); ++I) {
    const UnitFacts &Old = Before->Units[Readers[I]], &New = After->Units[Readers[I]];
    // Python's own parser says of a file only that it is wrong.
    bool IsLost =
        (Old.Parsed && !New.Parsed) || (isPython(New.MainFile) && New.NumErrors > Old.NumErrors);
    Out.push_back({Before->Errors[I], After->Errors[I], IsLost});
  }
  return Out;
}

/// In the texts before.
Place FixProver::placeOf(const Regression &Of) {
  if (Of.Path.empty())
    return {};
  std::string Name = Of.Path;
  std::optional<UniqueID> Id = Identities.of(Name);
  // By the name that findings have for it.
  for (size_t I : Applied)
    for (const Fix &F : Reported[I].Fixes)
      if (Id && F.File != SourceId::None && Identities.of(Files.name(F.File)) == Id)
        Name = Files.name(F.File).str();
  SourceId File = openOrNone(Files, Name);
  return File == SourceId::None ? Place() : Files.placeAt(File, Of.Offset);
}

void FixProver::blameForLoss(size_t Source, Verdict &Out) {
  const std::string &Name = After->Units[Readers[Source]].MainFile;
  Out.Regressions.push_back({Applied, "with this edit, opsig could not read '" + Name + "'"});
}

void FixProver::blame(const NewError &New, Verdict &Out) {
  const ClangMessage &Error = New.Error;
  SourceId File = openOrNone(*After->Files, Error.Path);
  std::set<std::string> Names;
  if (File != SourceId::None)
    Names = namesInLine(After->Files->text(File), Error.At.Offset);
  Out.Regressions.push_back({Sites.blame(New.Points, Error.Function, Names, Applied),
                             newErrorText(Error), Error.Path, New.Points.front().Offset});
}

/// Whether what \p New says was so before the edits, too: an operator that gets its kernel back
/// lacked the fake all the time, and one whose schema can be read now lacked the kernel.
bool FixProver::comesToLight(const Finding &New) {
  if (New.Id == finding::MissingMeta)
    return true;
  return New.Id == finding::DefWithoutKernel && llvm::any_of(Applied, [&](size_t A) {
           const Finding &Fixed = Reported[A];
           return Fixed.Id == finding::RegisteredSchema && Fixed.At.Line == New.At.Line &&
                  Identities.of(Files.name(Fixed.At.File)) ==
                      Identities.of(After->Files->name(New.At.File));
         });
}

void FixProver::blameForFindings(const EditedTexts &Texts, Verdict &Out) {
  // The same findings as All has, by another reading.
  std::vector<size_t> Fixed;
  llvm::ArrayRef<Finding> Now = Before->Found.Reported.all();
  for (size_t I = 0; I < Now.size(); ++I)
    if (llvm::any_of(Applied, [&](size_t A) {
          return Reported[A].Id == Now[I].Id && Reported[A].At.Line == Now[I].At.Line &&
                 Reported[A].At.Column == Now[I].At.Column && Reported[A].Message == Now[I].Message;
        }))
      Fixed.push_back(I);
  FindingChanges Changes =
      compareFindings({Now, *Before->Files}, {After->Found.Reported.all(), *After->Files}, Fixed,
                      Texts.maps(), Identities);
  for (size_t Left : Changes.Left)
    for (size_t A : Applied)
      if (Reported[A].Id == Now[Left].Id && Reported[A].Message == Now[Left].Message)
        Out.Regressions.push_back({{A}, "the edit would not remove the finding"});
  for (size_t New : Changes.New) {
    const Finding &D = After->Found.Reported.all()[New];
    if (comesToLight(D))
      continue;
    Regression Is{{}, "the edit would cause a new finding: " + D.Message};
    std::vector<CodePoint> Points;
    if (std::optional<CodePoint> At = pointOf(D.At, *After->Files)) {
      Points.push_back(Texts.original(*At));
      Is.Path = After->Files->name(D.At.File).str();
      Is.Offset = Points.front().Offset;
    }
    // A registration is a part of what a finding about its function depends on.
    for (const Note &N : isPython(Is.Path) ? llvm::ArrayRef(D.Notes) : llvm::ArrayRef<Note>())
      if (std::optional<CodePoint> At = pointOf(N.At, *After->Files))
        Points.push_back(Texts.original(*At));
    std::vector<size_t> SameOp;
    llvm::copy_if(Applied, std::back_inserter(SameOp),
                  [&](size_t A) { return !D.Op.empty() && Reported[A].Op == D.Op; });
    Is.Edits = Sites.blame(Points, "", {}, SameOp.empty() ? Applied : SameOp);
    Out.Regressions.push_back(std::move(Is));
  }
}

void FixProver::ban(llvm::ArrayRef<Regression> Regressions) {
  for (const Regression &R : Regressions) {
    std::set<size_t> Blamed;
    for (size_t Hit : R.Edits)
      Blamed.insert(Groups[Hit]);
    if (Blamed.size() == 1)
      Guilty.insert(*Blamed.begin());
    for (size_t Hit : R.Edits)
      for (size_t I = 0; I < Reported.size(); ++I) {
        if (Banned[I] || Reported[I].Fixes.empty() || Groups[I] != Groups[Hit])
          continue;
        Banned[I] = true;
        explain(I, Hit, R);
      }
  }
}

void FixProver::explain(size_t I, size_t Hit, const Regression &R) {
  Place At = placeOf(R);
  // Several findings can offer one edit.
  bool IsOwn = I == Hit || Reported[I].Fixes == Reported[Hit].Fixes;
  const std::string &Op = Reported[Hit].Op;
  std::string Other = Op.empty() ? "another edit" : "the edit for '" + Op + "'";
  Reported[I].note(
      At.isValid() ? At : Reported[I].At,
      (IsOwn ? "not fixed: "
             : "not fixed, because this edit also needs " + Other + ", which was not made: ") +
          R.Why);
}

void FixProver::explainAgain(size_t Group, const Verdict &Alone) {
  if (Alone.Regressions.empty())
    return;
  // Where several are to blame, the first is as good as any.
  const Regression &R = Alone.Regressions.front();
  auto Hit = llvm::find_if(R.Edits, [&](size_t Edit) { return Groups[Edit] == Group; });
  if (Hit == R.Edits.end())
    return;
  for (size_t I = 0; I < Reported.size(); ++I)
    if (Banned[I] && Groups[I] == Group) {
      Reported[I].Notes.pop_back();
      explain(I, *Hit, R);
    }
}

llvm::Error FixProver::exhausted(Verdict &Out) {
  Out.Regressions.push_back({Applied, "too many other fixes of this run failed verification"});
  return llvm::Error::success();
}

std::vector<size_t> FixProver::suspects() const {
  std::set<size_t> Out;
  for (size_t I = 0; I < Reported.size(); ++I)
    if (Banned[I] && !Guilty.count(Groups[I]))
      Out.insert(Groups[I]);
  return {Out.begin(), Out.end()};
}

void FixProver::setBanned(llvm::ArrayRef<size_t> These, bool IsBanned) {
  for (size_t I = 0; I < Reported.size(); ++I)
    if (!Reported[I].Fixes.empty() && llvm::is_contained(These, Groups[I]))
      Banned[I] = IsBanned;
}

std::optional<EditedTexts> FixProver::tryWith(llvm::ArrayRef<size_t> These, Verdict &Why) {
  Why = Verdict();
  setBanned(These, false);
  EditProposal Proposal = llvm::cantFail(propose());
  EditedTexts Texts(std::move(Proposal.Files), Identities);
  bool IsRight = Proposal.Kind == EditProposal::Texts && llvm::none_of(Refused, [&](size_t I) {
                   return llvm::is_contained(These, Groups[I]);
                 });
  if (IsRight) {
    Why = llvm::cantFail(judgeEdits(*this, Texts, /*IsLast=*/true));
    IsRight = Why.Regressions.empty();
  }
  setBanned(These, true);
  return IsRight ? std::optional(std::move(Texts)) : std::nullopt;
}

EditedTexts FixProver::retry(EditedTexts Texts) {
  constexpr unsigned MostTrials = 8;
  std::vector<size_t> All = suspects(), Right;
  if (All.empty())
    return Texts;
  std::vector<std::vector<size_t>> Parts;
  auto Split = [&](llvm::ArrayRef<size_t> Part) {
    size_t Half = Part.size() / 2;
    for (llvm::ArrayRef<size_t> One : {Part.drop_front(Half), Part.take_front(Half)})
      if (!One.empty())
        Parts.push_back(One.vec());
  };
  Split(All);
  std::vector<size_t> WasApplied = Applied, WasRefused = Refused;
  std::optional<Reading> WasAfter = std::move(After);
  for (unsigned Trials = 0; !Parts.empty() && Trials < MostTrials; ++Trials) {
    std::vector<size_t> Part = std::move(Parts.back());
    Parts.pop_back();
    Verdict Why;
    if (tryWith(Part, Why))
      llvm::append_range(Right, Part);
    else if (Part.size() > 1)
      Split(Part);
    else
      explainAgain(Part.front(), Why);
  }
  // Two that are right alone, and not together, leave open which one was meant.
  std::optional<EditedTexts> With;
  if (Verdict Why; !Right.empty())
    With = tryWith(Right, Why);
  if (!With) {
    Applied = std::move(WasApplied);
    Refused = std::move(WasRefused);
    After = std::move(WasAfter);
    return Texts;
  }
  for (size_t I = 0; I < Reported.size(); ++I)
    if (Banned[I] && llvm::is_contained(Right, Groups[I]))
      Reported[I].Notes.pop_back(); // why it was not fixed
  setBanned(Right, false);
  return std::move(*With);
}

/// Nothing for what is about no file on disk.
std::optional<CodePoint> FixProver::pointOf(const Place &At, const SourceFiles &In) {
  if (!At.isValid())
    return std::nullopt;
  std::optional<UniqueID> Id = Identities.of(In.name(At.File));
  if (!Id)
    return std::nullopt;
  return CodePoint{*Id, uint32_t(In.offsetOf(At))};
}

/// The same place in the edited texts.
Place FixProver::placeAfter(const Place &Before, SourceFiles &In, const EditedTexts &Texts) {
  std::string Name = Files.name(Before.File).str();
  SourceId File = openOrNone(In, Name);
  if (File == SourceId::None)
    return {};
  uint32_t Offset = Files.offsetOf(Before);
  if (auto Id = Identities.of(Name))
    if (auto Map = Texts.maps().find(*Id); Map != Texts.maps().end())
      Offset = Map->second.after(Offset);
  return In.placeAt(File, Offset, Before.Length);
}

/// The finding before the edits that \p D, in the edited texts, is; none of \p Taken.
std::optional<size_t> FixProver::knownBefore(const Finding &D, const SourceFiles &In,
                                             const EditedTexts &Texts,
                                             const std::vector<bool> &Taken) {
  std::optional<CodePoint> At = pointOf(D.At, In);
  if (At)
    At = Texts.original(*At);
  // Next to an edit a place is not known exactly, and an edit may change what is said of another
  // place.
  for (auto [SamePlace, SameText] : {std::pair(true, true), {false, true}, {true, false}})
    for (size_t I = 0; I < Reported.size(); ++I) {
      const Finding &R = Reported[I];
      if (!Taken[I] && R.Id == D.Id && R.Op == D.Op &&
          (SameText ? R.Message == D.Message : At.has_value()) &&
          (!SamePlace || At == pointOf(R.At, Files)))
        return I;
    }
  return std::nullopt;
}

/// What stands in the edited files, with what was said of fixes that were taken back.
RemainingFindings FixProver::remaining(const EditedTexts &Texts) {
  RemainingFindings Out{SiftedFindings(), std::move(After->Files)};
  Out.Units = std::move(After->Units);
  Out.Done = std::move(After->Done);
  Out.Found.Suppressed = std::move(After->Found.Suppressed);
  Out.IsLeft.resize(Reported.size());
  for (Finding D : After->Found.Reported.all()) {
    std::optional<size_t> Known = knownBefore(D, *Out.Files, Texts, Out.IsLeft);
    Out.CameToLight += !Known;
    if (Known)
      Out.IsLeft[*Known] = true;
    if (Known && Banned[*Known]) {
      D.Fixes.clear();
      const Note &Why = Reported[*Known].Notes.back();
      D.note(placeAfter(Why.At, *Out.Files, Texts), Why.Message);
    }
    Out.Found.Reported.append(std::move(D));
  }
  return Out;
}

VerifiedFixes FixProver::run() {
  VerifiedFixes Out;
  findReaders();
  // Nothing of this policy fails.
  EditedTexts Texts = retry(llvm::cantFail(verifyEdits(*this, Identities)));
  Out.Refused = Refused.size();
  size_t NumBanned = llvm::count(Banned, true);
  Out.TakenBack = NumBanned;
  if (!Applied.empty()) {
    Out.Remaining = remaining(Texts);
    // One edit may repair several findings.
    const std::vector<bool> &IsLeft = Out.Remaining->IsLeft;
    size_t Before = All.Suppressed.size(), Now = Out.Remaining->Found.Suppressed.size();
    Out.Suppressed = Now - std::min(Before, Now);
    size_t Gone = llvm::count(IsLeft, false);
    Out.Repaired = Gone - std::min(Gone, Out.Suppressed);
    Out.Refused = llvm::count_if(Refused, [&](size_t I) { return IsLeft[I]; });
    // What another edit repairs as well has not failed.
    for (size_t I = 0; I < IsLeft.size(); ++I)
      Out.TakenBack -= Banned[I] && !IsLeft[I];
  }
  if (NumBanned) {
    All.Reported = Findings();
    for (size_t I = 0; I < Reported.size(); ++I) {
      if (Banned[I])
        Reported[I].Fixes.clear();
      All.Reported.append(std::move(Reported[I]));
    }
  }
  std::set<UniqueID> Edited;
  for (const auto &[Id, Map] : Texts.maps())
    Edited.insert(Id);
  if (!Edited.empty())
    Out.NotRead = countUnreadIncluders(Edited, Project.Units, Project.Setup, Identities);
  Out.Files = Texts.takeFiles();
  return Out;
}

} // namespace

VerifiedFixes verifyFixes(SiftedFindings &All, SourceFiles &Files, const CheckedProject &Project) {
  return FixProver(All, Files, Project).run();
}

} // namespace opsig
