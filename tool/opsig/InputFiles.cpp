//===- InputFiles.cpp - FILE arguments => files -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "InputFiles.h"
#include "opsig/Kernel/PythonRegistrations.h"
#include "opsig/Support/PathGlob.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace opsig {

namespace {

/// What a compiler is called with. Headers are read where these include them.
bool isSource(llvm::StringRef File) {
  return llvm::StringSwitch<bool>(path::extension(File))
      .Cases({".cpp", ".cc", ".cxx", ".c++", ".C", ".cp"}, true)
      .Cases({".cu", ".cuh", ".hip", ".mu"}, true)
      .Default(false);
}

/// "src" of "src/*/a.cpp": the folder below which all matches lie.
std::string fixedFolder(llvm::StringRef Glob) {
  llvm::StringRef Folder = Glob.take_front(Glob.find_first_of("*?["));
  Folder = Folder.take_front(Folder.rfind('/') + 1);
  return Folder.empty() ? "." : Folder.str();
}

/// More are no project; somebody has made them, or named the wrong folder.
constexpr size_t MostFiles = 100000;

/// What is in folders.
struct FolderFiles {
  std::vector<std::string> Found;
  /// "cannot read the folder 'a/b': Permission denied".
  std::vector<std::string> Problems;
};

/// All sources and Python files in and below \p Folder for which \p Wanted holds. A folder that
/// cannot be read takes away no other.
void walk(llvm::StringRef Folder, llvm::function_ref<bool(llvm::StringRef)> Wanted,
          FolderFiles &Out) {
  std::error_code Error;
  fs::directory_iterator At(Folder, Error, /*follow_symlinks=*/false);
  for (fs::directory_iterator End; !Error && At != End; At.increment(Error)) {
    llvm::StringRef Path = At->path();
    if (path::filename(Path).starts_with(".") || Out.Found.size() > MostFiles)
      continue;
    if (At->type() == fs::file_type::directory_file)
      walk(Path, Wanted, Out);
    else if ((isSource(Path) || isPython(Path)) && !fs::is_directory(Path) && Wanted(Path))
      Out.Found.push_back(Path.str());
  }
  if (Error)
    Out.Problems.push_back(("cannot read the folder '" + Folder + "': " + Error.message()).str());
}

/// The same, of all that \p Folder has.
FolderFiles filesIn(llvm::StringRef Folder, llvm::function_ref<bool(llvm::StringRef)> Wanted) {
  FolderFiles Out;
  walk(Folder, Wanted, Out);
  if (Out.Found.size() > MostFiles) {
    Out.Problems.push_back(("'" + Folder + "' has more than " + llvm::Twine(MostFiles) +
                            " files; name a folder of the project's sources")
                               .str());
    Out.Found.clear();
  }
  return Out;
}

bool isBelow(llvm::StringRef File, llvm::StringRef Folder) {
  std::string Absolute = absolutePath(File);
  return pathBelow(File, Folder) != Absolute;
}

/// "src/a.cpp" for "./src//a.cpp"; ".." stays, it may lead through a link.
std::string tidied(llvm::StringRef Name) {
  llvm::SmallString<256> Path(Name);
  path::remove_dots(Path, /*remove_dot_dot=*/false);
  return std::string(Path);
}

/// The same for all names of a file, links of either kind.
std::string identity(llvm::StringRef Name) {
  fs::UniqueID OnDisk;
  if (!fs::getUniqueID(Name, OnDisk))
    return std::to_string(OnDisk.getDevice()) + ":" + std::to_string(OnDisk.getFile());
  llvm::SmallString<256> Real;
  return fs::real_path(Name, Real) ? absolutePath(Name) : std::string(Real);
}

} // namespace

std::vector<std::string> listedSources(llvm::ArrayRef<std::string> Listed) {
  std::vector<std::string> Sources;
  for (const std::string &File : Listed)
    if (isSource(File))
      Sources.push_back(pathBelow(File, "."));
  return Sources;
}

InputFiles expandInputs(llvm::ArrayRef<std::string> Arguments, llvm::ArrayRef<std::string> Listed) {
  InputFiles Result;
  std::vector<std::string> Names;
  for (const std::string &Argument : Arguments) {
    std::vector<std::string> Found;
    FolderFiles Below;
    std::string Problem;
    if (fs::is_directory(Argument) && Listed.empty()) {
      Below = filesIn(Argument, [](llvm::StringRef) { return true; });
      Problem = "no C++ file in '" + Argument + "'";
    } else if (fs::is_directory(Argument)) {
      Below = filesIn(Argument, isPython);
      for (const std::string &File : listedSources(Listed))
        if (isBelow(File, Argument))
          Found.push_back(File);
      Problem = "compile_commands.json lists no C++ file in '" + Argument + "'";
    } else if (isPathGlob(Argument) && !fs::exists(Argument)) {
      std::string Pattern = absolutePath(Argument);
      Below = filesIn(fixedFolder(Argument), [&](llvm::StringRef File) {
        return pathGlobMatches(Pattern, absolutePath(File));
      });
      Problem = "'" + Argument + "' matches no C++ file";
    } else {
      Found = {Argument};
    }
    llvm::append_range(Found, Below.Found);
    llvm::append_range(Result.Problems, Below.Problems);
    if (Found.empty() && Below.Problems.empty())
      Result.Problems.push_back(Problem);
    llvm::append_range(Names, Found);
  }
  llvm::StringSet<> Seen;
  for (const std::string &Name : Names)
    if (Seen.insert(identity(Name)).second)
      (isPython(Name) ? Result.Python.Files : Result.Files).push_back(tidied(Name));
  llvm::sort(Result.Files);
  llvm::sort(Result.Python.Files);
  Result.Names = std::move(Names);
  return Result;
}

std::string startFolder(llvm::ArrayRef<std::string> Arguments) {
  if (Arguments.empty())
    return ".";
  if (fs::is_directory(Arguments.front()))
    return Arguments.front();
  std::string Folder = path::parent_path(Arguments.front()).str();
  return Folder.empty() ? "." : Folder;
}

} // namespace opsig
