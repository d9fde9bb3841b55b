//===- SourceCompleteness.cpp - Whether a run has all sources of its project --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/SetupSources.h"
#include "check/SourceCompleteness.h"
#include "opsig/Frontend/PythonRegistrations.h"
#include "opsig/Frontend/WrittenRegistrations.h"
#include "opsig/Support/CodeFiles.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Support/ReadFile.h"
#include "opsig/Workspace/ProjectIncludeDirs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace opsig {

namespace {

enum class SourceKind : uint8_t { None, Cpp, Gpu, Foreign };

/// Foreign: what opsig does not read, and what may define functions or become a source that does.
SourceKind kindOf(llvm::StringRef File) {
  CodeFile Is = codeFile(File);
  if (Is == CodeFile::Cpp || Is == CodeFile::Gpu)
    return Is == CodeFile::Cpp ? SourceKind::Cpp : SourceKind::Gpu;
  return llvm::StringSwitch<SourceKind>(path::extension(File))
      .Cases({".mm", ".metal", ".ispc", ".jinja", ".j2", ".sycl", ".mlu"}, SourceKind::Foreign)
      .Default(SourceKind::None);
}

/// "a.cu.in" becomes a source.
bool makesSource(llvm::StringRef File) {
  llvm::StringRef Extension = path::extension(File);
  return (Extension == ".in" || Extension == ".tmpl" || Extension == ".template") &&
         kindOf(path::stem(File)) != SourceKind::None;
}

bool hasWord(llvm::StringRef Text, llvm::StringRef Word) {
  auto IsPart = [&](size_t At) {
    return At < Text.size() && (llvm::isAlnum(Text[At]) || Text[At] == '_');
  };
  for (size_t At = Text.find(Word); At != llvm::StringRef::npos; At = Text.find(Word, At + 1))
    if ((At == 0 || !IsPart(At - 1)) && !IsPart(At + Word.size()))
      return true;
  return false;
}

} // namespace

void WordTable::add(llvm::StringRef Text) {
  // Shorter ones are parts of anything.
  constexpr size_t LeastPasted = 3;
  auto IsPart = [](char C) { return llvm::isAlnum(C) || C == '_'; };
  while (true) {
    llvm::StringRef Gap = Text.take_until(IsPart);
    bool Pasted = Gap.trim().ends_with("##");
    Text = Text.drop_front(Gap.size());
    llvm::StringRef Word = Text.take_while(IsPart);
    if (Word.empty())
      return;
    Text = Text.drop_front(Word.size());
    Words.insert(Word);
    if (Word.size() < LeastPasted)
      continue;
    if (Text.ltrim().starts_with("##"))
      Beginnings.insert(Word);
    if (Pasted)
      Ends.insert(Word);
  }
}

bool WordTable::contains(llvm::StringRef Name) const {
  return Words.contains(Name) ||
         llvm::any_of(Beginnings.keys(), [&](llvm::StringRef B) { return Name.starts_with(B); }) ||
         llvm::any_of(Ends.keys(), [&](llvm::StringRef E) { return Name.ends_with(E); });
}

SourceCompleteness::SourceCompleteness(const CheckSetup &Setup, const CheckArguments &Arguments,
                                       std::vector<std::string> Files)
    : Setup(Setup), Files(std::move(Files)), AllListed(Arguments.AllListed),
      Listed(Setup.Commands.files()) {
  for (const std::string &File : this->Files)
    Given.insert(realPath(File));
  for (const std::string &File : Listed)
    ListedKinds.insert(kindOf(File) == SourceKind::Gpu ? "gpu" : "cpp");
  WholeMeant = Arguments.AllListed || llvm::any_of(Arguments.Inputs, [](const std::string &Name) {
                 return fs::is_directory(Name);
               });
  WholeMeant |= !Listed.empty() && llvm::all_of(Listed, [&](const std::string &File) {
    return kindOf(File) == SourceKind::None || Given.contains(realPath(File));
  });
}

void SourceCompleteness::miss(llvm::StringRef File, llvm::StringRef Why) {
  Note = ("undefined kernels are not reported: '" + pathBelow(File, ".") + "' " + Why).str();
}

void SourceCompleteness::lookAt(llvm::StringRef File) {
  SourceKind Kind = makesSource(File) ? SourceKind::Foreign : kindOf(File);
  if (Kind == SourceKind::None || Given.contains(realPath(File)) || !Setup.Project->contain(File))
    return;
  if (Kind == SourceKind::Foreign)
    return miss(File, "may define kernels, but opsig does not read files of this kind");
  // What a build with sources of its kind leaves out belongs to something else.
  if (ListedKinds.contains(Kind == SourceKind::Gpu ? "gpu" : "cpp"))
    return;
  if (Kind == SourceKind::Gpu && !isLeftOut(File))
    return miss(File, "may define kernels but was not passed");
  Unread.push_back(File.str());
}

/// A walk through a folder that was given came by, and did not take it.
bool SourceCompleteness::isLeftOut(llvm::StringRef File) const {
  return llvm::any_of(Setup.Inputs.Left, [&](const LeftOut &Left) {
    std::string Path = realPath(Left.Path);
    return File == Path || File.starts_with(Path + "/");
  });
}

/// False if something is missing.
bool SourceCompleteness::findMissing() {
  for (const std::string &File : Listed)
    if (kindOf(File) != SourceKind::None && !Given.contains(realPath(File))) {
      miss(File, "is listed in compile_commands.json but was not passed");
      return false;
    }
  std::optional<std::vector<std::string>> Found = filesOf(*Setup.Project);
  if (!Found) {
    miss(Setup.Project->root(), "has too many files to search");
    return false;
  }
  for (const std::string &File : *Found) {
    lookAt(File);
    if (!Note.empty())
      return false;
  }
  return true;
}

bool SourceCompleteness::hasAll() {
  if (!All)
    All = WholeMeant && findMissing();
  return *All;
}

/// What cannot be read may hold anything.
static bool mayHaveWord(const std::string &File, llvm::StringRef Word) {
  auto Text = readWholeFile(File);
  if (Text)
    return hasWord((*Text)->getBuffer(), Word);
  llvm::consumeError(Text.takeError());
  return true;
}

bool SourceCompleteness::isMentioned(llvm::StringRef Word) {
  return llvm::any_of(Unread, [&](const std::string &File) { return mayHaveWord(File, Word); });
}

/// Of what opsig does not read, each mention counts.
static bool mayHaveDefinition(const std::string &File, llvm::StringRef Name) {
  auto Text = readWholeFile(File);
  if (Text)
    return kindOf(File) == SourceKind::Cpp || kindOf(File) == SourceKind::Gpu
               ? mayDefine((*Text)->getBuffer(), Name)
               : hasWord((*Text)->getBuffer(), Name);
  llvm::consumeError(Text.takeError());
  return true;
}

bool SourceCompleteness::mayBeDefinedBeside(llvm::StringRef Name,
                                            llvm::ArrayRef<std::string> Known) const {
  llvm::StringSet<> Paths;
  for (const std::string &File : Known)
    Paths.insert(realPath(File));
  std::optional<std::vector<std::string>> Files = filesOf(*Setup.Project);
  return !Files || llvm::any_of(*Files, [&](const std::string &File) {
    return (kindOf(File) != SourceKind::None || makesSource(File)) &&
           !Paths.contains(realPath(File)) && mayHaveDefinition(File, Name);
  });
}

bool SourceCompleteness::isMentionedOutside(llvm::StringRef Scope, llvm::StringRef Name) {
  auto [It, New] = OutsideWords.try_emplace(Scope);
  if (!New)
    return It->second.contains(Name);
  for (const std::string &File : filesOf(*Setup.Project).value_or(std::vector<std::string>())) {
    if (kindOf(File) == SourceKind::None || Given.contains(realPath(File)))
      continue;
    auto Text = readWholeFile(File);
    if (Text && hasWord((*Text)->getBuffer(), Scope))
      It->second.add((*Text)->getBuffer());
    if (!Text)
      llvm::consumeError(Text.takeError());
  }
  return It->second.contains(Name);
}

/// Words that only such code has that gives operators Meta kernels.
static bool namesFakes(llvm::StringRef File, llvm::StringRef Text) {
  if (!isPython(File))
    return hasWord(Text, "Meta");
  static constexpr llvm::StringLiteral Words[] = {"register_fake", "impl_abstract", "register_meta",
                                                  "\"Meta\"", "'Meta'"};
  return llvm::any_of(Words, [&](llvm::StringRef Word) { return Text.contains(Word); });
}

void SourceCompleteness::findFakes() {
  Fakes.emplace();
  std::optional<std::vector<std::string>> Files = filesOf(*Setup.Project);
  if (!Files)
    Fakes->emplace_back(Setup.Project->root().str(), WordTable());
  for (const std::string &File : Files.value_or(std::vector<std::string>())) {
    if ((!isPython(File) && kindOf(File) == SourceKind::None) || Read.contains(realPath(File)))
      continue;
    auto Text = readWholeFile(File);
    if (!Text)
      llvm::consumeError(Text.takeError());
    else if (namesFakes(File, (*Text)->getBuffer()))
      Fakes->emplace_back(pathBelow(File, "."), WordTable()).second.add((*Text)->getBuffer());
  }
}

std::string SourceCompleteness::mayHaveFake(llvm::StringRef Op) {
  if (!Fakes)
    findFakes();
  llvm::StringRef Name = Op.rsplit("::").second.split('.').first;
  for (const auto &[File, Words] : *Fakes)
    if (Words.contains(Name) || File == Setup.Project->root())
      return File;
  return "";
}

/// Tools keep their settings in a pyproject.toml, too, of folders that are no packages.
static bool buildsPackage(const std::string &Folder) {
  if (fs::is_regular_file(Folder + "/setup.py"))
    return true;
  auto Text = readWholeFile(Folder + "/pyproject.toml");
  if (Text)
    return (*Text)->getBuffer().contains("[build-system]");
  llvm::consumeError(Text.takeError());
  return false;
}

std::string SourceCompleteness::packageOf(llvm::StringRef File) const {
  std::string Path = realPath(File);
  for (llvm::StringRef Folder = path::parent_path(Path);
       !Folder.empty() && Setup.Project->contain((Folder + "/setup.py").str());
       Folder = path::parent_path(Folder))
    if (buildsPackage(Folder.str()))
      return Folder.str();
  return "";
}

/// The sources with a TORCH_LIBRARY block of a namespace of which other sources have one, too.
static std::vector<std::string> withSameLibrary(llvm::ArrayRef<UnitFacts> Units) {
  llvm::StringMap<std::set<std::string>> FilesOf;
  for (const UnitFacts &Unit : Units)
    for (const RegistrationBlock &Block : Unit.Registrations)
      if (Block.Is == RegistrationBlock::Library && !isPython(Unit.MainFile))
        FilesOf[Block.Namespace].insert(Unit.MainFile);
  std::set<std::string> Out;
  for (const auto &Files : FilesOf)
    if (Files.second.size() > 1)
      Out.insert(Files.second.begin(), Files.second.end());
  return {Out.begin(), Out.end()};
}

void SourceCompleteness::addExtensions(llvm::ArrayRef<UnitFacts> Units, BuildVariants &Programs) {
  std::set<std::string> Folders;
  for (const std::string &File : withSameLibrary(Units))
    for (std::string Folder = path::parent_path(realPath(File)).str();
         !Folder.empty() && Setup.Project->contain(Folder + "/setup.py");
         Folder = path::parent_path(Folder).str())
      if (fs::is_regular_file(Folder + "/setup.py"))
        Folders.insert(Folder);
  for (const std::string &Folder : Folders)
    for (const std::vector<std::string> &Sources :
         setupSources(Folder, Setup.Inputs.Python.Untrusted)) {
      // By the names that the files have here.
      std::set<std::string> Paths;
      for (const std::string &Source : Sources)
        Paths.insert(realPath(Source));
      std::vector<std::string> Built;
      llvm::copy_if(Files, std::back_inserter(Built),
                    [&](const std::string &File) { return Paths.count(realPath(File)) != 0; });
      Programs.addBuild(Built);
    }
}

ProjectLayout SourceCompleteness::layout(llvm::ArrayRef<UnitFacts> Units) {
  for (const UnitFacts &Unit : Units)
    if (Unit.complete())
      Read.insert(realPath(Unit.MainFile));
  BuildVariants Programs;
  Programs.addVariants(Setup.Source.Project.Variants);
  Programs.addBuild(Listed);
  addExtensions(Units, Programs);
  for (const std::string &File : Files) {
    std::vector<std::string> Targets;
    for (const CompileCommands::Output &Written : Setup.Commands.outputs(File))
      if (std::string Target = targetOfObject(Written.Object, Written.Directory); !Target.empty())
        Targets.push_back(std::move(Target));
    Programs.addTargets(File, Targets);
  }
  bool IsPart = !AllListed && llvm::any_of(Listed, [&](const std::string &File) {
    return kindOf(File) != SourceKind::None && !Given.contains(realPath(File));
  });
  ProjectLayout Layout;
  Layout.HasAllSources = [this] { return hasAll(); };
  Layout.IsMentionedElsewhere = [this](llvm::StringRef Word) { return isMentioned(Word); };
  Layout.MayBeDefinedBeside = [this](llvm::StringRef Name, llvm::ArrayRef<std::string> Known) {
    return mayBeDefinedBeside(Name, Known);
  };
  Layout.IsPart = IsPart;
  if (!WholeMeant)
    Layout.IsMentionedOutside = [this](llvm::StringRef Scope, llvm::StringRef Name) {
      return isMentionedOutside(Scope, Name);
    };
  Layout.MayHaveFake = [this](llvm::StringRef Op) { return mayHaveFake(Op); };
  Layout.PackageOf = [this](llvm::StringRef File) { return packageOf(File); };
  Layout.Programs = std::move(Programs);
  return Layout;
}

} // namespace opsig
