//===- UpgradeRun.cpp - files for a newer PyTorch, in memory ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/TorchIncludeDirs.h"
#include "upgrade/MissingOverrides.h"
#include "upgrade/UpgradeRun.h"
#include "opsig/Edit/EditSet.h"
#include "opsig/Edit/VerifiedEdits.h"
#include "opsig/Frontend/FlagErrors.h"
#include "opsig/Support/LinkGuard.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Upgrade/HeaderNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using llvm::sys::fs::UniqueID;

namespace opsig {

namespace {

/// An edit may lay open what the next pass edits.
constexpr unsigned MaxPasses = 4;

/// A file that is edited is read before, with the edits, with headers that they need, and once
/// more.
constexpr unsigned UsualReadings = 4;

ReadingSettings readingSettings(const UpgradeRequest &Request) {
  ReadingSettings Out = Request.Reading;
  Out.Readings = UsualReadings;
  return Out;
}

/// How the files are after some passes.
struct UpgradeState {
  std::vector<UnitFacts> Units;
  std::vector<std::vector<ClangMessage>> Errors;
  /// The same with the headers of the release that is kept; empty where they are not here.
  std::vector<UnitFacts> KeptUnits = {};
  std::vector<std::vector<ClangMessage>> KeptErrors = {};
  /// Texts that are not as on disk, by name.
  std::map<std::string, EditedFileText> Edited;
};

/// What an edit of an earlier pass wrote, and the header that declares it.
struct WrittenName {
  std::string File, Text, Header;
  bool IsGuarded;
};

/// What all passes have.
struct UpgradeProject {
  const CheckSetup &Setup;
  ParseOptions Options;
  FileIdentities Identities;
  ReadLog &Read;
  /// Headers that no edit changes are read once for all passes.
  UnitReader Reader;
  /// For readings with the headers of the release that is kept.
  UnitReader KeptReader;
  llvm::ArrayRef<std::string> KeptHeaders;
  /// Clang may miss a header only once what hid that is edited, too.
  std::vector<WrittenName> Written = {};
};

/// \p Jobs are those of \p Numbers.
void parseKept(UpgradeProject &Project, llvm::ArrayRef<size_t> Numbers, std::vector<ParseJob> Jobs,
               const ParseOptions &Options, UpgradeState &State) {
  for (ParseJob &Job : Jobs)
    replaceTorchHeaders(Job, Project.KeptHeaders);
  std::vector<ClangMessages> Messages(Jobs.size());
  std::vector<UnitFacts> Units = parseFiles(Jobs, Options, Project.KeptReader, {}, &Messages);
  State.KeptUnits.resize(State.Units.size());
  State.KeptErrors.resize(State.Units.size());
  for (size_t I = 0; I < Numbers.size(); ++I) {
    State.KeptUnits[Numbers[I]] = std::move(Units[I]);
    State.KeptErrors[Numbers[I]] = std::move(Messages[I].Errors);
  }
}

void parseAll(UpgradeProject &Project, llvm::ArrayRef<size_t> Numbers,
              llvm::ArrayRef<VirtualFile> Buffers, bool FromDisk, UpgradeState &State) {
  ParseOptions Options = Project.Options;
  llvm::append_range(Options.Buffers, Buffers);
  std::vector<ParseJob> Jobs;
  for (size_t I : Numbers)
    Jobs.push_back(Project.Setup.Commands.job(Project.Setup.Inputs.Files[I]));
  if (!Project.KeptHeaders.empty())
    parseKept(Project, Numbers, Jobs, Options, State);
  std::vector<ClangMessages> Messages(Jobs.size());
  std::vector<UnitFacts> Units = parseFiles(
      Jobs, Options, Project.Reader, {FromDisk ? Project.Read.note() : NoteRead()}, &Messages);
  for (size_t I = 0; I < Numbers.size(); ++I) {
    State.Units[Numbers[I]] = std::move(Units[I]);
    State.Errors[Numbers[I]] = std::move(Messages[I].Errors);
  }
}

/// Edits are those of the plan, under their numbers.
class UpgradePass : public EditPolicy {
public:
  UpgradePass(UpgradeProject &Project, const UpgradeState &Before, SourceFiles &Files,
              llvm::ArrayRef<UpgradeEdit> Edits)
      : Project(Project), Before(Before), After(Before), Files(Files), Edits(Edits),
        Banned(Edits.size()) {}

  unsigned maxRounds() const override { return 12; }
  llvm::Expected<EditProposal> propose() override;
  llvm::Expected<std::vector<SourceErrors>> read(const EditedTexts &Texts) override;
  void blame(const NewError &Error, Verdict &Out) override;
  void blameForLoss(size_t Source, Verdict &Out) override;
  void blameForFindings(const EditedTexts &Texts, Verdict &Out) override;
  void ban(llvm::ArrayRef<Regression> Regressions) override;
  llvm::Error exhausted(Verdict &Out) override;

  /// Of the last reading.
  UpgradeState takeAfter() { return std::move(After); }
  llvm::ArrayRef<size_t> applied() const { return Applied; }
  /// Why an edit was taken back, by its number.
  const std::map<size_t, std::string> &whyBanned() const { return WhyBanned; }

private:
  bool includeFor(const std::set<std::string> &Names);
  void blameForUnknownNames(const EditedTexts &Texts, Verdict &Out);
  bool isNear(const UpgradeEdit &Edit, llvm::ArrayRef<CodePoint> Points);
  bool isIn(const UpgradeEdit &Edit, size_t Source) const;
  std::string definedMacro(const UpgradeEdit &Edit) const;

  UpgradeProject &Project;
  const UpgradeState &Before;
  UpgradeState After;
  SourceFiles &Files;
  llvm::ArrayRef<UpgradeEdit> Edits;
  std::vector<bool> Banned;
  std::map<size_t, std::string> WhyBanned;
  std::vector<size_t> Applied;
  /// Headers that edits need, by file; and whether they stand under a guard.
  std::map<std::pair<SourceId, std::string>, bool> Includes;
};

llvm::Expected<EditProposal> UpgradePass::propose() {
  Applied.clear();
  EditSet Set(Files);
  for (size_t I = 0; I < Edits.size(); ++I)
    if (!Banned[I] && Set.take(Edits[I].Fixes))
      Applied.push_back(I);
  // All of a file are one edit: two at one place would be a conflict.
  std::map<SourceId, Fix> Included;
  for (const auto &[Where, IsGuarded] : Includes) {
    const auto &[File, Header] = Where;
    if (std::optional<Fix> Include = includeFix(Files.text(File), File, Header, IsGuarded)) {
      auto [Known, IsFirst] = Included.try_emplace(File, *Include);
      if (!IsFirst)
        Known->second.Text += Include->Text;
    }
  }
  for (const auto &[File, Include] : Included)
    Set.take(Include);
  EditProposal Out;
  if (Applied.empty()) {
    Out.Kind = EditProposal::Nothing;
    return Out;
  }
  Out.Files = editedTexts(Set, Files);
  return Out;
}

llvm::Expected<std::vector<SourceErrors>> UpgradePass::read(const EditedTexts &Texts) {
  std::vector<VirtualFile> Buffers = Texts.buffers();
  std::set<std::string> Changed;
  for (const VirtualFile &Text : Buffers)
    Changed.insert(Text.Name);
  for (const auto &[Name, Text] : Before.Edited)
    if (std::string Path = absolutePath(Name); !Changed.count(Path))
      Buffers.push_back({Path, Text.Now});
  std::vector<size_t> Stale;
  for (size_t I = 0; I < Before.Units.size(); ++I)
    if (llvm::any_of(Project.Read.filesOf(Before.Units[I].MainFile),
                     [&](const std::string &File) { return Changed.count(File) != 0; }))
      Stale.push_back(I);
  After.Units = Before.Units;
  After.Errors = Before.Errors;
  After.KeptUnits = Before.KeptUnits;
  After.KeptErrors = Before.KeptErrors;
  parseAll(Project, Stale, Buffers, /*FromDisk=*/false, After);
  std::vector<SourceErrors> Out;
  for (size_t I = 0; I < Before.Units.size(); ++I)
    Out.push_back(
        {Before.Errors[I], After.Errors[I], Before.Units[I].Parsed && !After.Units[I].Parsed});
  for (size_t I = 0; I < Before.KeptErrors.size(); ++I)
    Out.push_back({Before.KeptErrors[I], After.KeptErrors[I],
                   Before.KeptUnits[I].Parsed && !After.KeptUnits[I].Parsed});
  return Out;
}

/// An unknown name in place of another one is the same error to a comparison.
void UpgradePass::blameForUnknownNames(const EditedTexts &Texts, Verdict &Out) {
  for (const std::vector<ClangMessage> &Errors : After.Errors)
    for (const ClangMessage &Error : Errors) {
      if (!saysUndeclared(Error.Text))
        continue;
      std::set<std::string> Names = namesIn(Error.Text);
      if (includeFor(Names)) {
        Out.IsRepaired = true;
        continue;
      }
      CodePoint At = Texts.original(Error.Spelled);
      Regression Is{{}, newErrorText(Error), Error.Path, At.Offset};
      for (size_t I : Applied)
        if (llvm::any_of(namesInText(Edits[I].To),
                         [&](const auto &Name) { return Names.count(Name) != 0; }) &&
            isNear(Edits[I], At))
          Is.Edits.push_back(I);
      if (!Is.Edits.empty())
        Out.Regressions.push_back(std::move(Is));
    }
}

/// A header that the kept release lacks is no error of Clang's.
void UpgradePass::blameForFindings(const EditedTexts &Texts, Verdict &Out) {
  blameForUnknownNames(Texts, Out);
  if (Out.IsRepaired)
    return;
  for (size_t I = 0; I < After.KeptUnits.size(); ++I)
    for (const std::string &Header : After.KeptUnits[I].MissingHeaders) {
      if (llvm::is_contained(Before.KeptUnits[I].MissingHeaders, Header))
        continue;
      Regression Is{{}, "the older PyTorch (--keep) has no '" + Header + "'"};
      for (size_t Edit : Applied)
        if (Edits[Edit].To == Header || Edits[Edit].Needs == Header)
          Is.Edits.push_back(Edit);
      if (!Is.Edits.empty())
        Out.Regressions.push_back(std::move(Is));
    }
}

/// Whether one of \p Names is what an edit writes, whose header is included now.
bool UpgradePass::includeFor(const std::set<std::string> &Names) {
  auto Writes = [&](llvm::StringRef Text) {
    return llvm::any_of(namesInText(Text), [&](const auto &W) { return Names.count(W) != 0; });
  };
  bool IsNew = false;
  auto Include = [&](SourceId File, const std::string &Header, bool IsGuarded) {
    if (includeFix(Files.text(File), File, Header))
      IsNew |= Includes.try_emplace({File, Header}, IsGuarded).second;
  };
  for (size_t I : Applied)
    if (!Edits[I].Needs.empty() && Writes(Edits[I].To))
      for (const Fix &F : Edits[I].Fixes)
        Include(F.File, Edits[I].Needs, Edits[I].Guard == Edits[I].Needs);
  for (const WrittenName &Known : Project.Written)
    if (SourceId File = Files.find(Known.File); File != SourceId::None && Writes(Known.Text))
      Include(File, Known.Header, Known.IsGuarded);
  return IsNew;
}

/// Whether an edit is in the line of one of these points.
bool UpgradePass::isNear(const UpgradeEdit &Edit, llvm::ArrayRef<CodePoint> Points) {
  for (const Fix &F : Edit.Fixes) {
    llvm::StringRef Text = Files.text(F.File);
    size_t Begin = Text.take_front(F.Offset).rfind('\n') + 1;
    size_t End = std::min(Text.find('\n', F.Offset + F.Length), Text.size());
    for (const CodePoint &P : Points)
      if (Project.Identities.of(Files.name(F.File)) == P.File && P.Offset >= Begin &&
          P.Offset <= End)
        return true;
  }
  return false;
}

/// Whether an edit is in a file of a source.
bool UpgradePass::isIn(const UpgradeEdit &Edit, size_t Source) const {
  return llvm::is_contained(
      Project.Read.filesOf(Before.Units[Source % Before.Units.size()].MainFile),
      absolutePath(Files.name(Edit.Fixes.front().File)));
}

/// "X", where the edit is in the definition of a macro X.
std::string UpgradePass::definedMacro(const UpgradeEdit &Edit) const {
  llvm::StringRef Text = Files.text(Edit.Fixes.front().File);
  size_t Begin = Text.take_front(Edit.Fixes.front().Offset).rfind('\n') + 1;
  // Up to where the lines before do not go on.
  while (Begin > 1 && Text.take_front(Begin - 1).rtrim("\r").ends_with("\\"))
    Begin = Text.take_front(Begin - 1).rfind('\n') + 1;
  llvm::StringRef Line = Text.drop_front(Begin).ltrim(" \t");
  if (!Line.consume_front("#") || !(Line = Line.ltrim(" \t")).consume_front("define"))
    return "";
  return Line.ltrim(" \t").take_while([](char C) { return llvm::isAlnum(C) || C == '_'; }).str();
}

void UpgradePass::blame(const NewError &New, Verdict &Out) {
  std::set<std::string> Names = namesIn(New.Error.Text);
  const bool IsKept = New.Source >= Before.Units.size();
  if (!New.IsLastRound && !IsKept && includeFor(Names)) {
    Out.IsRepaired = true;
    return;
  }
  // What the edits neither write nor take away was as unknown before, where another error hid it.
  bool IsOld = saysUndeclared(New.Error.Text) && llvm::none_of(Applied, [&](size_t I) {
                 std::set<std::string> Own = namesInText(Edits[I].To);
                 Own.insert(Edits[I].Removes.begin(), Edits[I].Removes.end());
                 return llvm::any_of(Own, [&](const auto &Name) { return Names.count(Name) != 0; });
               });
  if (IsOld)
    return;
  std::vector<CodePoint> Points = New.Points;
  std::set<std::string> LineWords;
  if (auto File = llvm::find_if(Edits,
                                [&](const UpgradeEdit &E) {
                                  return Project.Identities.of(Files.name(E.Fixes.front().File)) ==
                                         New.Points.front().File;
                                });
      File != Edits.end()) {
    llvm::StringRef Text = Files.text(File->Fixes.front().File);
    LineWords = namesInLine(Text, std::min<size_t>(New.Points.front().Offset, Text.size()));
  }
  Regression Is{{},
                newErrorText(New.Error, IsKept ? "the older PyTorch (--keep)" : ""),
                New.Error.Path,
                New.Points.front().Offset};
  for (size_t I : Applied) {
    std::string Macro = definedMacro(Edits[I]);
    if (isNear(Edits[I], Points) || (!Macro.empty() && LineWords.count(Macro)) ||
        (isIn(Edits[I], New.Source) &&
         llvm::any_of(Edits[I].Removes, [&](const auto &Name) { return Names.count(Name) != 0; })))
      Is.Edits.push_back(I);
  }
  // Of several edits in a line, those that write an unknown name are to blame for it.
  auto Writes = [&](size_t I) {
    return llvm::any_of(namesInText(Edits[I].To),
                        [&](const auto &Name) { return Names.count(Name) != 0; });
  };
  if (saysUndeclared(New.Error.Text) && llvm::any_of(Is.Edits, Writes))
    llvm::erase_if(Is.Edits, [&](size_t I) { return !Writes(I); });
  // What no edit touches was hidden by what is gone now, and is left.
  if (!Is.Edits.empty())
    Out.Regressions.push_back(std::move(Is));
}

void UpgradePass::blameForLoss(size_t Source, Verdict &Out) {
  Out.Regressions.push_back({Applied, "with this edit, opsig could not read '" +
                                          Before.Units[Source % Before.Units.size()].MainFile +
                                          "'"});
}

void UpgradePass::ban(llvm::ArrayRef<Regression> Regressions) {
  for (const Regression &R : Regressions)
    for (size_t Edit : R.Edits) {
      Banned[Edit] = true;
      WhyBanned.try_emplace(Edit, R.Why);
    }
}

llvm::Error UpgradePass::exhausted(Verdict &Out) {
  Out.IsRepaired = false;
  Out.Regressions.push_back({Applied, "too many other edits of this run failed verification"});
  return llvm::Error::success();
}

class UpgradeRunner {
public:
  UpgradeRunner(const CheckSetup &Setup, const UpgradeRequest &Request)
      : Setup(Setup), Request(Request), Project{Setup,
                                                {},
                                                {},
                                                *Out.Read,
                                                UnitReader(readingSettings(Request)),
                                                UnitReader(readingSettings(Request)),
                                                Request.KeptHeaders} {}

  llvm::Expected<UpgradeOutcome> run();

private:
  llvm::Error readInputs();
  /// False where there was nothing to edit.
  llvm::Expected<bool> pass();
  void openTexts(SourceFiles &Files);
  void keepTexts(EditedTexts Texts);
  void addBuildFiles();
  void addBuildFile(const std::string &Path, bool MayEdit);
  std::string torchFolder() const;
  void listLeft();
  UpgradePlace placeOf(const SourceFiles &Files, const Place &At) const {
    return {Files.name(At.File).str(), At.Line, At.Column};
  }
  /// The same in the file as it is on disk.
  UpgradePlace placeOnDisk(const SourceFiles &Files, const Place &At);

  const CheckSetup &Setup;
  const UpgradeRequest &Request;
  UpgradeOutcome Out;
  UpgradeProject Project;
  UpgradeState State;
  /// Texts of edited files as they are on disk.
  SourceFiles OnDisk;
  /// Edits that were taken back, so that no pass tries them again: where they are, what they say.
  std::set<std::tuple<std::string, std::string>> TakenBack;
};

llvm::Error UpgradeRunner::readInputs() {
  Project.Options.IsProjectFile = [Files = Setup.Project](llvm::StringRef Path) {
    return Files->contain(Path);
  };
  Project.Options.Uses = true;
  for (const std::string &Name : Setup.Inputs.Names)
    Out.Read->Texts.addName(Name);
  size_t Count = Setup.Inputs.Files.size();
  State.Units.resize(Count);
  State.Errors.resize(Count);
  std::vector<size_t> All;
  for (size_t I = 0; I < Count; ++I)
    All.push_back(I);
  parseAll(Project, All, {}, /*FromDisk=*/true, State);
  Out.NumInputs = Count;
  Out.CleanBefore = llvm::count_if(State.Units, [](const UnitFacts &U) { return U.complete(); });
  for (const UnitFacts &Unit : State.Units)
    if (!Unit.Parsed)
      return llvm::createStringError("'" + Unit.MainFile + "' cannot be read: " +
                                     withFlagAdvice(Unit.FirstError) + "; no file was changed");
  return llvm::Error::success();
}

/// Under all names that units have for them.
void UpgradeRunner::openTexts(SourceFiles &Files) {
  std::map<UniqueID, llvm::StringRef> Texts;
  for (const auto &[Name, Text] : State.Edited)
    if (auto Id = Project.Identities.of(Name))
      Texts[*Id] = Text.Now;
  for (const UnitFacts &Unit : State.Units)
    for (const std::string &Name : Unit.Files)
      if (auto Id = Project.Identities.of(Name); Id && Texts.count(*Id))
        if (Files.find(Name) == SourceId::None)
          Files.add(Name, Texts[*Id].str());
}

void UpgradeRunner::keepTexts(EditedTexts Texts) {
  for (EditedFileText &New : Texts.takeFiles()) {
    auto [It, IsFirst] = State.Edited.try_emplace(New.Name, New);
    if (IsFirst)
      continue;
    It->second.Changes = It->second.Changes.merge(New.Changes);
    It->second.Now = std::move(New.Now);
  }
}

UpgradePlace UpgradeRunner::placeOnDisk(const SourceFiles &Files, const Place &At) {
  auto Id = Project.Identities.of(Files.name(At.File));
  for (const auto &[Name, Text] : State.Edited)
    if (Id && Project.Identities.of(Name) == Id) {
      SourceId File = OnDisk.find(Files.name(At.File));
      if (File == SourceId::None)
        File = OnDisk.add(Files.name(At.File), Text.Before);
      return placeOf(OnDisk,
                     OnDisk.placeAt(File, EditMap(Text.Changes).before(Files.offsetOf(At))));
    }
  return placeOf(Files, At);
}

/// Whether the PyTorch that was found does not have what an edit would write, while what it would
/// replace is still there.
static bool lacksTarget(const UpgradeEdit &Edit, const std::string &Why) {
  // Clang's own words are quoted in it.
  llvm::StringRef Message = llvm::StringRef(Why).split('\'').second;
  if (Edit.IsGone || !saysUndeclared(Message))
    return false;
  std::set<std::string> Written = namesInText(Edit.To), Unknown = namesIn(Message);
  return llvm::any_of(Written, [&](const auto &Name) { return Unknown.count(Name) != 0; });
}

/// The folder of the newer PyTorch's headers; "" if its ATen stands elsewhere, as in a source tree.
std::string UpgradeRunner::torchFolder() const {
  std::optional<TorchHeaders> Torch = TorchIncludeDirs().ofMost(Setup.Inputs.Files, Setup.Commands);
  return Torch && llvm::sys::fs::exists(Torch->Folder + "/ATen") ? Torch->Folder : "";
}

llvm::Expected<bool> UpgradeRunner::pass() {
  SourceFiles Files;
  openTexts(Files);
  std::vector<UpgradeEdit> Edits = planUpgrade(
      {State.Units, State.Errors, Project.Options.IsProjectFile, Request.Keep, torchFolder()},
      Files);
  auto KeyOf = [&](const UpgradeEdit &Edit) {
    return std::tuple(
        Files.name(Edit.At.File).str(),
        (Edit.From + " " + llvm::Twine(Files.line(Edit.At.File, Edit.At.Line))).str());
  };
  llvm::erase_if(Edits, [&](const UpgradeEdit &E) { return TakenBack.count(KeyOf(E)) != 0; });
  auto Leave = [&](const UpgradeEdit &Edit, const std::string &Why) {
    TakenBack.insert(KeyOf(Edit));
    Out.Left.push_back({placeOnDisk(Files, Edit.At),
                        "'" + Edit.From + "' (" + Edit.Since + ") is not edited: " + Why});
  };
  for (const UpgradeEdit &Edit : Edits)
    if (!Edit.Blocked.empty())
      Leave(Edit, "--keep needs #if around this edit, which " + Edit.Blocked);
  llvm::erase_if(Edits, [](const UpgradeEdit &E) { return !E.Blocked.empty(); });
  if (Edits.empty())
    return false;
  UpgradePass Pass(Project, State, Files, Edits);
  llvm::Expected<EditedTexts> Verified = verifyEdits(Pass, Project.Identities);
  if (!Verified)
    return Verified.takeError();
  for (const auto &[Number, Why] : Pass.whyBanned())
    if (lacksTarget(Edits[Number], Why))
      TakenBack.insert(KeyOf(Edits[Number]));
    else
      Leave(Edits[Number], Why);
  if (Pass.applied().empty())
    return false;
  for (size_t Number : Pass.applied()) {
    const UpgradeEdit &Edit = Edits[Number];
    Out.Changes.push_back(
        {placeOnDisk(Files, Edit.At), Edit.From, Edit.To, Edit.Since, Edit.Review});
    if (!Edit.Needs.empty())
      Project.Written.push_back(
          {Files.name(Edit.At.File).str(), Edit.To, Edit.Needs, Edit.Guard == Edit.Needs});
  }
  std::map<std::string, EditedFileText> Edited = std::move(State.Edited);
  State = Pass.takeAfter();
  State.Edited = std::move(Edited);
  keepTexts(std::move(*Verified));
  return true;
}

/// In folders that were named, those that files are in, and the ones between.
static std::set<std::string> foldersOf(const InputFiles &Inputs) {
  std::set<std::string> Out;
  for (const InputGroup &Group : Inputs.Groups) {
    if (Group.IsFile || !llvm::sys::fs::is_directory(Group.Name))
      continue;
    Out.insert(Group.Name);
    for (const std::string &File : Group.Files)
      for (llvm::StringRef Folder = llvm::sys::path::parent_path(File);
           Folder.size() > Group.Name.size() || (Group.Name == "." && !Folder.empty());
           Folder = llvm::sys::path::parent_path(Folder))
        Out.insert(Folder.str());
  }
  return Out;
}

/// Those of the nearest folder above what was named that has one and belongs to the project.
static std::set<std::string> buildFilesAbove(const std::set<std::string> &Named,
                                             const ProjectFiles &Project) {
  std::set<std::string> Out;
  for (const std::string &Folder : Named) {
    std::string Start = absolutePath(Folder);
    for (llvm::StringRef Above = llvm::sys::path::parent_path(Start);
         !Above.empty() && Project.contain((Above + "/setup.py").str());
         Above = llvm::sys::path::parent_path(Above)) {
      size_t Known = Out.size();
      for (llvm::StringRef Name : {"setup.py", "CMakeLists.txt"})
        if (std::string Path = (Above + "/" + Name).str(); llvm::sys::fs::is_regular_file(Path))
          Out.insert(std::move(Path));
      if (Out.size() != Known)
        break;
    }
  }
  for (const std::string &Folder : Named)
    for (llvm::StringRef Name : {"setup.py", "CMakeLists.txt"})
      Out.erase((absolutePath(Folder) + "/" + Name).str());
  return Out;
}

void UpgradeRunner::addBuildFiles() {
  const llvm::VersionTuple &Release = Setup.Source.Version.Release;
  if (Release.empty())
    return;
  std::set<std::string> Named = foldersOf(Setup.Inputs);
  for (const std::string &Folder : Named)
    for (llvm::StringRef Name : {"setup.py", "CMakeLists.txt"})
      addBuildFile(Folder == "." ? Name.str() : Folder + "/" + Name.str(), /*MayEdit=*/true);
  for (const std::string &Path : buildFilesAbove(Named, *Setup.Project))
    addBuildFile(Path, /*MayEdit=*/false);
}

void UpgradeRunner::addBuildFile(const std::string &Path, bool MayEdit) {
  if (!llvm::sys::fs::is_regular_file(Path) || linksToForeignText(Path))
    return;
  SourceFiles Files;
  llvm::Expected<SourceId> File = Files.open(Path);
  if (!File) {
    llvm::consumeError(File.takeError());
    return;
  }
  const llvm::VersionTuple &Release = Setup.Source.Version.Release;
  for (const UpgradeEdit &Edit : adviceForBuildFile(*File, Release, Files))
    Out.Left.push_back({placeOf(Files, Edit.At), "'" + Edit.From + "' is " + Edit.To});
  std::vector<UpgradeEdit> Edits = planBuildFile(Path, *File, Release, Files);
  if (!MayEdit) {
    for (const UpgradeEdit &Edit : Edits)
      Out.Left.push_back({placeOf(Files, Edit.At), "'" + Edit.From + "' must become '" + Edit.To +
                                                       "': " + Edit.Since +
                                                       "; to let opsig edit this file, pass "
                                                       "the file's folder"});
    return;
  }
  EditSet Set(Files);
  for (const UpgradeEdit &Edit : Edits)
    if (Set.take(Edit.Fixes))
      Out.Changes.push_back({placeOf(Files, Edit.At), Edit.From, Edit.To, Edit.Since, ""});
  for (EditedFileText &New : editedTexts(Set, Files)) {
    Out.Read->Texts.note(absolutePath(Path), New.Before);
    Out.Texts.push_back(std::move(New));
  }
}

/// \p Text begins with the name of the macro; \p Paths are what \p Unit reads.
static std::string adviceForMacroAt(llvm::StringRef Text, const UnitFacts &Unit,
                                    const std::set<std::string> &Paths, SourceFiles &Files) {
  llvm::StringRef Name = Text.take_while([](char C) { return llvm::isAlnum(C) || C == '_'; });
  std::vector<llvm::StringRef> Texts;
  for (const std::string &Path : Paths) {
    llvm::Expected<SourceId> File = Files.open(Path);
    if (File)
      Texts.push_back(Files.text(*File));
    else
      llvm::consumeError(File.takeError());
  }
  return Name.empty() ? "" : adviceForMacro(Name, Texts, Unit);
}

void UpgradeRunner::listLeft() {
  SourceFiles Files;
  openTexts(Files);
  std::optional<TorchHeaders> Torch = TorchIncludeDirs().ofMost(Setup.Inputs.Files, Setup.Commands);
  std::optional<HeaderNames> Headers;
  if (Request.NamesHeaders && Torch)
    Headers.emplace(Torch->Folder);
  std::optional<MissingOverrides> Overrides;
  if (Torch)
    Overrides.emplace(Torch->Folder);
  std::set<std::tuple<std::string, uint32_t, uint32_t>> Said;
  for (size_t I = 0; I < State.Units.size(); ++I) {
    const UnitFacts &Unit = State.Units[I];
    Out.CleanAfter += Unit.complete();
    for (const std::string &Header : Unit.MissingHeaders)
      if (Said.insert({Unit.MainFile + Header, 0, 0}).second)
        Out.Left.push_back({{Unit.MainFile}, "'" + Header + "' was not found"});
    for (const ClangMessage &Error : State.Errors[I]) {
      std::string Name = Error.Path;
      for (const std::string &Known : Unit.Files)
        if (Project.Identities.of(Known) == Error.At.File)
          Name = Known;
      llvm::Expected<SourceId> File = Files.open(Name);
      if (!File) {
        llvm::consumeError(File.takeError());
        continue;
      }
      UpgradePlace At = placeOf(Files, Files.placeAt(*File, Error.At.Offset));
      if (!Said.insert({At.File, At.Line, At.Column}).second)
        continue;
      std::string Advice = adviceFor(Error.Text);
      if (Advice.empty() && Headers && saysUndeclared(Error.Text))
        Advice = Headers->about(Error.Text);
      if (Advice.empty() && Overrides)
        Advice = Overrides->about(Error);
      if (Advice.empty() && llvm::StringRef(Error.Text).starts_with("expected "))
        Advice = adviceForMacroAt(Files.text(*File).drop_front(Error.At.Offset), Unit,
                                  Out.Read->filesOf(Unit.MainFile), Files);
      Out.Left.push_back({At, Error.Text + (Advice.empty() ? "" : "; " + Advice)});
    }
  }
}

llvm::Expected<UpgradeOutcome> UpgradeRunner::run() {
  if (llvm::Error Err = readInputs())
    return std::move(Err);
  for (unsigned Pass = 0; Pass < MaxPasses; ++Pass) {
    llvm::Expected<bool> IsEdited = pass();
    if (!IsEdited)
      return IsEdited.takeError();
    if (!*IsEdited)
      break;
  }
  listLeft();
  for (auto &[Name, Text] : State.Edited)
    Out.Texts.push_back(std::move(Text));
  addBuildFiles();
  auto KeyOf = [](const UpgradePlace &At) { return std::tie(At.File, At.Line, At.Column); };
  llvm::sort(Out.Changes, [&](const UpgradeChange &L, const UpgradeChange &R) {
    return std::pair(KeyOf(L.At), L.From) < std::pair(KeyOf(R.At), R.From);
  });
  llvm::sort(Out.Left, [&](const UpgradeRest &L, const UpgradeRest &R) {
    return std::pair(KeyOf(L.At), L.Text) < std::pair(KeyOf(R.At), R.Text);
  });
  // A pass tries an edit again where the line of it changed.
  auto IsSame = [&](const UpgradeRest &L, const UpgradeRest &R) {
    return std::pair(KeyOf(L.At), L.Text) == std::pair(KeyOf(R.At), R.Text);
  };
  Out.Left.erase(std::unique(Out.Left.begin(), Out.Left.end(), IsSame), Out.Left.end());
  return std::move(Out);
}

} // namespace

llvm::Expected<UpgradeOutcome> runUpgrade(const CheckSetup &Setup, const UpgradeRequest &Request) {
  return UpgradeRunner(Setup, Request).run();
}

} // namespace opsig
