//===- Includers.cpp - Who else includes a file ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/Includers.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Support/ReadFile.h"
#include "opsig/Workspace/ProjectIncludeDirs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

namespace path = llvm::sys::path;
using llvm::sys::fs::UniqueID;

namespace opsig {

namespace {

class IncludeSearch {
public:
  using Question = std::function<bool(llvm::StringRef)>;
  IncludeSearch(const std::set<UniqueID> &Edited, const CheckSetup &Setup,
                FileIdentities &Identities, Question IsOpened)
      : Edited(Edited), Setup(Setup), Identities(Identities), IsOpened(std::move(IsOpened)) {}

  bool reaches(const std::string &Source);

private:
  /// The names in #include lines.
  const std::vector<std::string> &includesOf(const std::string &File);
  const std::vector<std::string> &foldersOf(const std::string &Source);

  const std::set<UniqueID> &Edited;
  const CheckSetup &Setup;
  FileIdentities &Identities;
  Question IsOpened;
  std::map<std::string, std::vector<std::string>> Includes;
  std::map<std::vector<std::string>, std::vector<std::string>> Folders;
};

const std::vector<std::string> &IncludeSearch::includesOf(const std::string &File) {
  auto [It, New] = Includes.try_emplace(File);
  if (!New)
    return It->second;
  auto Text = readWholeFile(File);
  if (!Text) {
    llvm::consumeError(Text.takeError());
    return It->second;
  }
  for (IncludeLine &Line : includeLines((*Text)->getBuffer()))
    It->second.push_back(std::move(Line.Name));
  return It->second;
}

const std::vector<std::string> &IncludeSearch::foldersOf(const std::string &Source) {
  ParseJob Job = Setup.Commands.job(Source);
  std::vector<std::string> Key = Job.Command;
  llvm::erase(Key, Source);
  Key.push_back(Job.Directory);
  auto [It, New] = Folders.try_emplace(std::move(Key));
  if (New)
    It->second = includeFolders(Job);
  return It->second;
}

bool IncludeSearch::reaches(const std::string &Source) {
  const std::vector<std::string> &Searched = foldersOf(Source);
  std::vector<std::string> ToDo = {Source};
  std::set<UniqueID> Seen;
  while (!ToDo.empty()) {
    std::string File = std::move(ToDo.back());
    ToDo.pop_back();
    for (const std::string &Name : includesOf(File)) {
      std::vector<std::string> Places = {path::parent_path(File).str()};
      llvm::append_range(Places, Searched);
      for (const std::string &Folder : Places) {
        llvm::SmallString<256> Path(Folder);
        path::append(Path, Name);
        std::optional<UniqueID> Id = Identities.of(Path);
        if (!Id)
          continue;
        if (Edited.count(*Id))
          return true;
        if (Seen.insert(*Id).second && IsOpened(Path))
          ToDo.push_back(std::string(Path));
        break;
      }
    }
  }
  return false;
}

} // namespace

bool mayConcern(const ChangedLines &Lines, const CheckSetup &Setup) {
  std::set<UniqueID> Files = Lines.files();
  if (Lines.mayConcernAll() || Files.empty())
    return Lines.mayConcernAll();
  FileIdentities Identities;
  IncludeSearch Search(Files, Setup, Identities, [&](llvm::StringRef Path) {
    return Setup.Project->contain(Path) || absolutePath(Path).starts_with(Lines.root() + "/");
  });
  auto HasChanged = [&](const std::string &Source) {
    auto Id = Identities.of(Source);
    return Id && Files.count(*Id);
  };
  return llvm::any_of(Setup.Inputs.Python, HasChanged) ||
         llvm::any_of(Setup.Inputs.Files, [&](const std::string &Source) {
           return !Identities.of(Source) || HasChanged(Source) || Search.reaches(Source);
         });
}

size_t countUnreadIncluders(const std::set<UniqueID> &Edited, llvm::ArrayRef<UnitFacts> Units,
                            const CheckSetup &Setup, FileIdentities &Identities) {
  std::set<UniqueID> Read;
  for (const UnitFacts &Unit : Units)
    if (auto Id = Identities.of(Unit.MainFile))
      Read.insert(*Id);
  IncludeSearch Search(Edited, Setup, Identities,
                       [&](llvm::StringRef Path) { return Setup.Project->contain(Path); });
  return llvm::count_if(Setup.Commands.files(), [&](const std::string &Source) {
    auto Id = Identities.of(Source);
    return Id && !Read.count(*Id) && Search.reaches(Source);
  });
}

} // namespace opsig
