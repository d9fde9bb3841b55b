//===- OwnHeaders.cpp - Flags for a project's own headers ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/OwnHeaders.h"
#include "check/TorchIncludeDirs.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Workspace/ProjectIncludeDirs.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/WithColor.h"
#include <set>

namespace opsig {

static std::string includeFlag(llvm::StringRef Folder) {
  return "-I" + (Folder == absolutePath(".") ? "." : pathBelow(Folder, "."));
}

void addOwnHeaders(CompileCommands &Commands, llvm::ArrayRef<std::string> Sources,
                   ProjectIncludeDirs Headers, llvm::raw_ostream &Log) {
  if (Sources.empty())
    return;
  std::vector<std::string> Elsewhere = includeFolders(Commands.job(Sources.front()));
  std::vector<std::string> Flags, Shown;
  for (const ProjectIncludeDirs::Folder &Folder : Headers.foldersFor(Sources, Elsewhere)) {
    Flags.insert(Flags.end(), {Folder.Hides ? "-idirafter" : "-I", Folder.Path});
    Shown.push_back(includeFlag(Folder.Path));
  }
  if (Flags.empty())
    return;
  llvm::WithColor::note(Log, "opsig")
      << "include paths added for the project's own headers: " << llvm::join(Shown, " ") << '\n';
  Commands.adjustJobs([Flags](ParseJob &Job) { addFlags(Job, Flags); });
}

void reportProjectIncludeDirs(llvm::ArrayRef<UnitFacts> Units,
                              std::shared_ptr<const ProjectFiles> Project) {
  ProjectIncludeDirs Headers(std::move(Project));
  std::map<std::string, std::set<std::string>> Found;
  for (const UnitFacts &Unit : Units)
    for (const std::string &Name : Unit.MissingHeaders)
      if (std::optional<std::string> Folder =
              Headers.folderFor(Unit.MainFile, {Name, /*Angled=*/true}))
        Found[*Folder].insert(Name);
  for (const auto &[Folder, Names] : Found)
    reportNote(
        "pass " + includeFlag(Folder) + " to find '" + *Names.begin() + "'" +
        (Names.size() == 1 ? "" : " and " + counted(Names.size() - 1, "more missing header")));
}

} // namespace opsig
