//===- FileWalk.cpp - The files below a folder, but for what is left out -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Workspace/FileWalk.h"
#include "opsig/Support/LinkGuard.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Support/ReadFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace opsig {

bool isBuildName(llvm::StringRef Name) {
  return Name == "build" || Name == "out" || Name.starts_with("build-") ||
         Name.starts_with("build_") || Name.starts_with("cmake-build-");
}

std::string tidied(llvm::StringRef Name) {
  llvm::SmallString<256> Path(Name);
  path::remove_dots(Path, /*remove_dot_dot=*/false);
  return std::string(Path);
}

static bool has(llvm::StringRef Folder, llvm::StringRef Name) {
  return fs::exists(joinedPath(Folder, Name));
}

/// "build" always is one; what is only called like one has what a build system wrote.
static bool isBuildFolder(llvm::StringRef Folder) {
  llvm::StringRef Name = path::filename(Folder);
  if (Name == "build" || has(Folder, "CMakeCache.txt"))
    return true;
  return isBuildName(Name) && (has(Folder, "build.ninja") || has(Folder, "compile_commands.json"));
}

static bool isThirdPartyName(llvm::StringRef Name) {
  return Name == "third_party" || Name == "third-party" || Name == "thirdparty" ||
         Name == "3rdparty";
}

void Exclusions::add(llvm::ArrayRef<std::string> Patterns, llvm::StringRef Folder) {
  for (llvm::StringRef Pattern : Patterns) {
    Pattern = Pattern.rtrim('/');
    if (!Pattern.contains('/')) {
      Names.push_back({Pattern.str(), absolutePath(Folder)});
      continue;
    }
    Globs.push_back(
        absolutePath(path::is_absolute(Pattern) ? Pattern.str() : joinedPath(Folder, Pattern)));
  }
}

std::string leftOutText(llvm::ArrayRef<LeftOut> Left) {
  std::vector<std::string> Some;
  for (const LeftOut &L : Left.take_front(3))
    Some.push_back("'" + tidied(L.Path) + "' (" + L.Why + ")");
  if (Left.size() > Some.size())
    Some.push_back("...");
  return std::to_string(Left.size()) + (Left.size() == 1 ? " was" : " were") +
         " left out: " + llvm::join(Some, ", ");
}

/// One of the folders below \p Folder on the way to \p Path, or what it leads to.
static bool hasName(llvm::StringRef Path, llvm::StringRef Folder, llvm::StringRef Name) {
  std::string Below = pathBelow(Path, Folder);
  llvm::StringRef Rest = path::is_absolute(Below) ? path::filename(Below) : Below;
  return llvm::any_of(llvm::split(Rest, '/'),
                      [&](llvm::StringRef Part) { return pathGlobMatches(Name, Part); });
}

bool Exclusions::contain(llvm::StringRef Path) const {
  if (Names.empty() && Globs.empty())
    return false;
  std::string Absolute = absolutePath(Path);
  return llvm::any_of(Globs, [&](llvm::StringRef G) { return pathGlobCovers(G, Absolute); }) ||
         llvm::any_of(Names,
                      [&](const NameRule &N) { return hasName(Absolute, N.Folder, N.Name); });
}

void FileWalk::readIgnores(llvm::StringRef Folder) {
  std::string File = joinedPath(Folder, ".gitignore");
  if (!fs::is_regular_file(File))
    return;
  if (auto Text = readWholeFile(File))
    Ignored.add(absolutePath(Folder), (*Text)->getBuffer());
  else
    llvm::consumeError(Text.takeError());
}

/// Those of the repository that \p Folder lies in, if it does.
void FileWalk::readIgnoresAbove(llvm::StringRef Folder) {
  std::string Start = absolutePath(Folder);
  std::vector<llvm::StringRef> Above;
  llvm::StringRef At = Start;
  while (!has(At, ".git")) {
    At = path::parent_path(At);
    if (At.empty())
      return;
    Above.push_back(At);
  }
  for (llvm::StringRef Outer : llvm::reverse(Above))
    readIgnores(Outer);
}

/// "" for what is read.
std::string FileWalk::whyLeftOut(const std::string &Path, bool IsFolder) const {
  if (Excluded.contain(Path))
    return "excluded";
  if (IsFolder && isBuildFolder(Path))
    return "a build folder";
  if (IsFolder && isThirdPartyName(path::filename(Path)))
    return "third-party code";
  if (IsFolder && has(Path, "pyvenv.cfg"))
    return "a virtual environment";
  if (Ignored.ignores(absolutePath(Path), IsFolder))
    return "in .gitignore";
  bool IsForeign = !IsFolder && fs::is_symlink_file(Path) && linksToForeignText(Path);
  return IsForeign ? "a link to a non-code file outside the project" : "";
}

/// More are no project; somebody has made them, or named the wrong folder.
static constexpr size_t MostFiles = 100000;

void FileWalk::enter(const std::string &Folder, llvm::function_ref<bool(llvm::StringRef)> Expected,
                     std::vector<std::string> &Found) {
  size_t Outer = Ignored.size();
  readIgnores(Folder);
  std::error_code Error;
  std::vector<std::pair<std::string, bool>> Entries;
  for (fs::directory_iterator At(Folder, Error, /*follow_symlinks=*/false), End;
       At != End && !Error; At.increment(Error))
    Entries.push_back({At->path(), At->type() == fs::file_type::directory_file});
  if (Error)
    Problems.push_back("cannot read the folder '" + Folder + "': " + Error.message());
  llvm::sort(Entries);
  for (const auto &[Path, IsFolder] : Entries) {
    if (path::filename(Path).starts_with(".") || Found.size() > MostFiles)
      continue;
    if (!IsFolder && (!Expected(Path) || fs::is_directory(Path)))
      continue;
    if (std::string Why = whyLeftOut(Path, IsFolder); !Why.empty())
      Left.push_back({Path, std::move(Why)});
    else if (IsFolder)
      enter(Path, Expected, Found);
    else
      Found.push_back(Path);
  }
  Ignored.shrink(Outer);
}

std::vector<std::string> FileWalk::files(llvm::StringRef Folder,
                                         llvm::function_ref<bool(llvm::StringRef)> Expected) {
  std::vector<std::string> Found;
  readIgnoresAbove(Folder);
  enter(Folder.str(), Expected, Found);
  Ignored.shrink(0);
  if (Found.size() > MostFiles) {
    Problems.push_back("'" + Folder.str() + "' has more than " + std::to_string(MostFiles) +
                       " files; pass a folder with the project's sources");
    Found.clear();
  }
  return Found;
}

} // namespace opsig
