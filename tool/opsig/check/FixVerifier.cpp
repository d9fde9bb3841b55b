//===- FixVerifier.cpp - Fixes that leave nothing worse -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/FixVerifier.h"
#include "check/Includers.h"
#include "check/PythonFiles.h"
#include "check/RunSummary.h"
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

/// Each round takes back at least one fix; where that leads nowhere, all go.
constexpr unsigned MaxRounds = 8;

/// Everything as it is with some edits.
struct Reading {
  std::vector<UnitFacts> Units;
  /// Of those that are read again, in their order.
  std::vector<std::vector<ClangMessage>> Errors;
  std::unique_ptr<SourceFiles> Files;
  SiftedFindings Found;
};

/// Why a fix is taken back.
struct Regression {
  size_t Hit;
  std::string Why;
  Place At;
};

SourceId openOrNone(SourceFiles &Files, llvm::StringRef Name) {
  llvm::Expected<SourceId> File = Files.open(Name);
  if (File)
    return *File;
  llvm::consumeError(File.takeError());
  return SourceId::None;
}

class FixProver {
public:
  FixProver(SiftedFindings &All, SourceFiles &Files, const CheckedProject &Project)
      : All(All), Files(Files), Project(Project), Reported(All.Reported.all()),
        Groups(editGroups(Reported)), Banned(Reported.size()),
        Sites({Reported, Files}, Project.Units, Identities) {}

  VerifiedFixes run();

private:
  void findReaders();
  Reading read(bool Edited);
  void readPythonInto(Reading &Out, llvm::ArrayRef<size_t> Of, bool Edited);
  void applyAllowed();
  std::vector<Regression> regressions(const Reading &Before, const Reading &After);
  void objectToErrors(size_t Reader, const Reading &Before, const Reading &After,
                      std::vector<Regression> &Out);
  void revert(llvm::ArrayRef<Regression> Regressions);
  RemainingFindings remaining(Reading After);
  std::optional<CodePoint> pointOf(const Finding &D, const SourceFiles &In);
  Place placeAfter(const Place &Before, SourceFiles &In);
  CodePoint original(CodePoint P) const;
  Place placeOf(const std::string &Path, uint32_t Offset);

  SiftedFindings &All;
  SourceFiles &Files;
  const CheckedProject &Project;
  FileIdentities Identities;
  std::vector<Finding> Reported;
  std::vector<size_t> Groups;
  std::vector<bool> Banned;
  EditSites Sites;

  /// Files that some fix edits; units that have one; what such a file is called anywhere.
  std::set<UniqueID> Editable;
  std::vector<size_t> Readers;
  std::map<UniqueID, std::set<std::string>> NamesOf;

  std::vector<size_t> Applied, Refused;
  std::vector<EditedFileText> Texts;
  EditMaps Maps;
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

void FixProver::applyAllowed() {
  Applied.clear();
  Refused.clear();
  Texts.clear();
  Maps.clear();
  EditSet Edits(Files);
  for (size_t I = 0; I < Reported.size(); ++I)
    if (!Reported[I].Fixes.empty() && !Banned[I])
      (Edits.take(Reported[I].Fixes) ? Applied : Refused).push_back(I);
  for (const auto &[File, Edit] : Edits.all()) {
    std::string Before = Files.text(File).str();
    // Every replacement lies inside of its file and overlaps no other.
    std::string Now = llvm::cantFail(clang::tooling::applyAllReplacements(Before, Edit));
    if (auto Id = Identities.of(Files.name(File)))
      Maps[*Id] = EditMap(Edit);
    Texts.push_back({Files.name(File).str(), std::move(Before), std::move(Now), Edit});
  }
}

Reading FixProver::read(bool Edited) {
  Reading Out;
  Out.Units = Project.Units;
  Out.Files = std::make_unique<SourceFiles>(&Project.Schemas);
  ParseOptions Options = Project.Options;
  if (Edited)
    for (const EditedFileText &Text : Texts) {
      Options.Buffers.push_back({absolutePath(Text.Name), Text.Now});
      Out.Files->add(Text.Name, Text.Now);
      if (auto Id = Identities.of(Text.Name))
        for (const std::string &Name : NamesOf[*Id])
          Out.Files->add(Name, Text.Now);
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
  if (!Edited)
    Note = Project.Log.note();
  std::vector<UnitFacts> Again =
      parseFiles(Jobs, Options, Project.Setup.Settings.Compile.Threads, Note, &Messages);
  Out.Errors.resize(Readers.size());
  for (size_t I = 0; I < Cpp.size(); ++I) {
    Out.Units[Readers[Cpp[I]]] = std::move(Again[I]);
    Out.Errors[Cpp[I]] = std::move(Messages[I].Errors);
  }
  readPythonInto(Out, Python, Edited);
  std::vector<UnitFacts> Readable;
  llvm::copy_if(Out.Units, std::back_inserter(Readable),
                [](const UnitFacts &Unit) { return Unit.Parsed; });
  Out.Found = Project.Judge(Readable, *Out.Files);
  return Out;
}

void FixProver::readPythonInto(Reading &Out, llvm::ArrayRef<size_t> Of, bool Edited) {
  if (Of.empty())
    return;
  std::vector<std::string> Names;
  for (size_t Reader : Of)
    Names.push_back(Project.Units[Readers[Reader]].MainFile);
  llvm::StringMap<std::string> Now;
  if (Edited)
    for (const EditedFileText &Text : Texts) {
      Now[Text.Name] = Text.Now;
      if (auto Id = Identities.of(Text.Name))
        for (const std::string &Name : NamesOf[*Id])
          Now[Name] = Text.Now;
    }
  std::vector<UnitFacts> Again =
      rereadPython(Project.Setup.Inputs.Python, std::move(Names), Now);
  for (size_t I = 0; I < Of.size(); ++I) {
    UnitFacts &Unit = Out.Units[Readers[Of[I]]];
    ScriptRules Rules = std::move(Unit.Names.Strings);
    Unit = std::move(Again[I]);
    Unit.Names.Strings = std::move(Rules);
  }
}

CodePoint FixProver::original(CodePoint P) const {
  if (auto Map = Maps.find(P.File); Map != Maps.end())
    P.Offset = Map->second.before(P.Offset);
  return P;
}

/// In the texts before.
Place FixProver::placeOf(const std::string &Path, uint32_t Offset) {
  std::string Name = Path;
  std::optional<UniqueID> Id = Identities.of(Path);
  // By the name that findings have for it.
  for (const EditedFileText &Text : Texts)
    if (Id && Identities.of(Text.Name) == Id)
      Name = Text.Name;
  SourceId File = openOrNone(Files, Name);
  return File == SourceId::None ? Place() : Files.placeAt(File, Offset);
}

void FixProver::objectToErrors(size_t Reader, const Reading &Before, const Reading &After,
                               std::vector<Regression> &Out) {
  const UnitFacts &Unit = After.Units[Readers[Reader]];
  const UnitFacts &Old = Before.Units[Readers[Reader]];
  bool IsLost = isPython(Unit.MainFile) && Unit.NumErrors > Old.NumErrors;
  if (IsLost || (!Unit.Parsed && Old.Parsed)) {
    for (size_t I : Applied)
      Out.push_back({I, "'" + Unit.MainFile + "' could not be read any more", {}});
    return;
  }
  llvm::ArrayRef<ClangMessage> Errors = After.Errors[Reader];
  for (size_t New : newErrors(Before.Errors[Reader], Errors, Maps)) {
    const ClangMessage &Error = Errors[New];
    std::vector<CodePoint> Points = {original(Error.At)};
    for (const CodePoint &Note : Error.Notes)
      Points.push_back(original(Note));
    SourceId File = openOrNone(*After.Files, Error.Path);
    std::set<std::string> Names;
    if (File != SourceId::None)
      Names = namesInLine(After.Files->text(File), Error.At.Offset);
    Place At = Error.Path.empty() ? Place() : placeOf(Error.Path, Points.front().Offset);
    for (size_t I : Sites.blame(Points, Error.Function, Names, Applied))
      Out.push_back({I, "Clang would then say '" + Error.Text + "'", At});
  }
}

std::vector<Regression> FixProver::regressions(const Reading &Before, const Reading &After) {
  std::vector<Regression> Out;
  for (size_t Reader = 0; Reader < Readers.size(); ++Reader)
    objectToErrors(Reader, Before, After, Out);
  // Errors of Clang may be why there are other findings.
  if (!Out.empty())
    return Out;
  // The same findings as All has, by another reading.
  std::vector<size_t> Fixed;
  llvm::ArrayRef<Finding> Now = Before.Found.Reported.all();
  for (size_t I = 0; I < Now.size(); ++I)
    if (llvm::any_of(Applied, [&](size_t A) {
          return Reported[A].Id == Now[I].Id && Reported[A].At.Line == Now[I].At.Line &&
                 Reported[A].At.Column == Now[I].At.Column && Reported[A].Message == Now[I].Message;
        }))
      Fixed.push_back(I);
  FindingChanges Changes = compareFindings(
      {Now, *Before.Files}, {After.Found.Reported.all(), *After.Files}, Fixed, Maps, Identities);
  for (size_t Left : Changes.Left)
    for (size_t A : Applied)
      if (Reported[A].Id == Now[Left].Id && Reported[A].Message == Now[Left].Message)
        Out.push_back({A, "it would be as wrong as before", {}});
  for (size_t New : Changes.New) {
    const Finding &D = After.Found.Reported.all()[New];
    std::vector<CodePoint> Points;
    std::string Path;
    if (D.At.isValid()) {
      Path = After.Files->name(D.At.File).str();
      if (auto Id = Identities.of(Path))
        Points.push_back(original({*Id, uint32_t(After.Files->offsetOf(D.At))}));
    }
    std::vector<size_t> SameOp;
    llvm::copy_if(Applied, std::back_inserter(SameOp),
                  [&](size_t A) { return !D.Op.empty() && Reported[A].Op == D.Op; });
    Place At = Points.empty() ? Place() : placeOf(Path, Points.front().Offset);
    for (size_t I : Sites.blame(Points, "", {}, SameOp.empty() ? Applied : SameOp))
      Out.push_back({I, "then there would be '" + D.Message + "'", At});
  }
  return Out;
}

void FixProver::revert(llvm::ArrayRef<Regression> Regressions) {
  for (const Regression &O : Regressions)
    for (size_t I = 0; I < Reported.size(); ++I) {
      if (Banned[I] || Reported[I].Fixes.empty() || Groups[I] != Groups[O.Hit])
        continue;
      Banned[I] = true;
      bool IsOwn = I == O.Hit;
      Reported[I].note(O.At.isValid() ? O.At : Reported[I].At,
                       (IsOwn ? "not mended: "
                              : "not mended, as its edit has to be made for '" +
                                    Reported[O.Hit].Op + "', too: ") +
                           O.Why);
    }
}

/// Nothing for what is about no file on disk.
std::optional<CodePoint> FixProver::pointOf(const Finding &D, const SourceFiles &In) {
  if (!D.At.isValid())
    return std::nullopt;
  std::optional<UniqueID> Id = Identities.of(In.name(D.At.File));
  if (!Id)
    return std::nullopt;
  return CodePoint{*Id, uint32_t(In.offsetOf(D.At))};
}

/// The same place in the edited texts.
Place FixProver::placeAfter(const Place &Before, SourceFiles &In) {
  std::string Name = Files.name(Before.File).str();
  SourceId File = openOrNone(In, Name);
  if (File == SourceId::None)
    return {};
  uint32_t Offset = Files.offsetOf(Before);
  if (auto Id = Identities.of(Name))
    if (auto Map = Maps.find(*Id); Map != Maps.end())
      Offset = Map->second.after(Offset);
  return In.placeAt(File, Offset, Before.Length);
}

/// What stands in the edited files, with what was said of fixes that were taken back.
RemainingFindings FixProver::remaining(Reading After) {
  RemainingFindings Out{SiftedFindings(), std::move(After.Files)};
  Out.Found.Suppressed = std::move(After.Found.Suppressed);
  for (Finding D : After.Found.Reported.all()) {
    std::optional<CodePoint> At = pointOf(D, *Out.Files);
    if (At)
      At = original(*At);
    auto IsSame = [&](const Finding &R) {
      return R.Id == D.Id && R.Op == D.Op && R.Message == D.Message;
    };
    auto Known = llvm::find_if(
        Reported, [&](const Finding &R) { return IsSame(R) && At == pointOf(R, Files); });
    // Next to an edit a place is not known exactly.
    if (Known == Reported.end())
      Known = llvm::find_if(Reported, IsSame);
    if (Known == Reported.end()) {
      Out.CameToLight++;
    } else if (Banned[Known - Reported.begin()]) {
      D.Fixes.clear();
      const Note &Why = Known->Notes.back();
      D.note(placeAfter(Why.At, *Out.Files), Why.Message);
    }
    Out.Found.Reported.append(std::move(D));
  }
  return Out;
}

VerifiedFixes FixProver::run() {
  VerifiedFixes Out;
  findReaders();
  std::optional<Reading> Before;
  for (unsigned Round = 0;; ++Round) {
    applyAllowed();
    if (Applied.empty())
      break;
    if (!Before)
      Before = read(/*Edited=*/false);
    Reading After = read(/*Edited=*/true);
    std::vector<Regression> Wrong = regressions(*Before, After);
    if (Wrong.empty()) {
      Out.Remaining = remaining(std::move(After));
      break;
    }
    if (Round == MaxRounds)
      for (size_t I : Applied)
        Wrong.push_back({I, "other fixes had to be taken back", {}});
    revert(Wrong);
  }
  Out.Files = std::move(Texts);
  Out.Applied = Applied.size();
  Out.Refused = Refused.size();
  size_t NumBanned = llvm::count(Banned, true);
  Out.TakenBack = NumBanned;
  if (NumBanned) {
    All.Reported = Findings();
    for (size_t I = 0; I < Reported.size(); ++I) {
      if (Banned[I])
        Reported[I].Fixes.clear();
      All.Reported.append(std::move(Reported[I]));
    }
  }
  std::set<UniqueID> Edited;
  for (const auto &[Id, Map] : Maps)
    Edited.insert(Id);
  if (!Edited.empty())
    Out.NotRead = countUnreadIncluders(Edited, Project.Units, Project.Setup, Identities);
  return Out;
}

} // namespace

VerifiedFixes verifyFixes(SiftedFindings &All, SourceFiles &Files, const CheckedProject &Project) {
  return FixProver(All, Files, Project).run();
}

} // namespace opsig
