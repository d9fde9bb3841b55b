//===- ProjectFiles.cpp - Which files are the project's ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Workspace/ProjectFiles.h"
#include "opsig/Support/LinkGuard.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Support/SettingsSign.h"
#include "opsig/Support/UnbrokenLock.h"
#include "opsig/Workspace/TorchRoot.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

using namespace opsig;

static bool has(llvm::StringRef Folder, llvm::StringRef Name) {
  return fs::exists(joinedPath(Folder, Name));
}

/// At or below.
static bool isWithin(llvm::StringRef Path, llvm::StringRef Folder) {
  return Path.consume_front(Folder) &&
         (Path.empty() || Path.front() == '/' || Folder.ends_with("/"));
}

/// The nearest folder that holds all of \p Folders.
static std::string commonFolder(llvm::ArrayRef<std::string> Folders) {
  llvm::StringRef Common = Folders.front();
  while (!path::parent_path(Common).empty() &&
         !llvm::all_of(Folders, [&](llvm::StringRef F) { return isWithin(F, Common); }))
    Common = path::parent_path(Common);
  return Common.str();
}

static std::string findRoot(llvm::ArrayRef<std::string> Folders) {
  std::string Working = realPath(".");
  if (Folders.empty())
    return Working;
  for (llvm::StringRef At = Folders.front(); !At.empty(); At = path::parent_path(At))
    if (holdsSettings(At) || has(At, ".git"))
      return At.str();
  if (llvm::all_of(Folders, [&](llvm::StringRef F) { return isWithin(F, Working); }))
    return Working;
  return commonFolder(Folders);
}

ProjectFiles::ProjectFiles(llvm::ArrayRef<std::string> Files, llvm::StringRef BuildDir,
                           llvm::StringRef GivenRoot)
    : RootGiven(!GivenRoot.empty()) {
  std::vector<std::string> Folders;
  llvm::StringMap<std::string> RealFolders;
  for (const std::string &File : Files) {
    std::string Absolute = absolutePath(File);
    auto [Folder, IsNew] = RealFolders.try_emplace(path::parent_path(Absolute));
    if (IsNew)
      Folder->second = realPath(Folder->first());
    Folders.push_back(Folder->second);
    // Its own folder may be reached through a link and "..", which absolutePath() does not follow.
    bool IsPlain = !llvm::StringRef(File).contains("..") && !fs::is_symlink_file(Absolute);
    Sources.insert(IsPlain ? joinedPath(Folder->second, path::filename(Absolute)) : realPath(File));
    Sources.insert(std::move(Absolute));
  }
  Root = RootGiven ? absolutePath(GivenRoot) : findRoot(Folders);
  if (BuildDir.empty())
    return;
  // A link to compile_commands.json is often put where the sources are.
  std::string Commands = joinedPath(BuildDir, "compile_commands.json");
  std::string Candidate = path::parent_path(realPath(Commands)).str();
  size_t Inside =
      llvm::count_if(Folders, [&](llvm::StringRef Folder) { return isWithin(Folder, Candidate); });
  if (2 * Inside <= Folders.size())
    Build = Candidate;
}

std::vector<std::string> ProjectFiles::checkout() const {
  std::vector<std::string> Folders = {Root};
  for (llvm::StringRef At = Root; !At.empty(); At = path::parent_path(At))
    if (has(At, ".git")) {
      if (At != Root)
        Folders.push_back(At.str());
      break;
    }
  return Folders;
}

/// Whether the folder, which is not the root, begins what belongs to somebody else.
bool ProjectFiles::isOthers(llvm::StringRef Folder) const {
  static constexpr llvm::StringLiteral Systems[] = {"/usr", "/lib", "/opt"};
  llvm::StringRef Name = path::filename(Folder);
  return Folder == Build || llvm::is_contained(Systems, Folder) || Name == "site-packages" ||
         Name == "dist-packages" || has(Folder, ".git") || holdsTorch(Folder);
}

bool ProjectFiles::isOfProject(llvm::StringRef Folder) const {
  if (Folder == Root)
    return true;
  if (!isWithin(Folder, Root))
    return false;
  if (auto Found = KnownReal.find(Folder); Found != KnownReal.end())
    return Found->second;
  bool Is = !isOthers(Folder) && isOfProject(path::parent_path(Folder));
  KnownReal[Folder] = Is;
  return Is;
}

std::string ProjectFiles::place(llvm::StringRef Folder) const {
  return RootGiven ? absolutePath(Folder) : realPath(Folder);
}

bool ProjectFiles::contain(llvm::StringRef Path) const {
  {
    UnbrokenLock Lock(Mutex);
    if (auto It = KnownFiles.find(Path); It != KnownFiles.end())
      return It->second;
  }
  bool Is = isContained(Path);
  UnbrokenLock Lock(Mutex);
  return KnownFiles[Path] = Is;
}

bool ProjectFiles::isContained(llvm::StringRef Path) const {
  std::string Absolute = absolutePath(Path);
  if (Sources.contains(Absolute))
    return true;
  // ".." may lead through a link.
  llvm::StringRef Folder = path::parent_path(Path);
  {
    UnbrokenLock Lock(Mutex);
    auto [It, New] = Known.try_emplace(Folder);
    if (New)
      It->second = isOfProject(place(Folder.empty() ? "." : Folder));
    if (It->second)
      return RootGiven || !fs::is_symlink_file(Path) || !linksToForeignText(Path);
  }
  return Sources.contains(realPath(Path));
}
