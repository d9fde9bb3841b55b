//===- InputFiles.cpp - FILE arguments => files -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Workspace/InputFiles.h"
#include "opsig/Support/CodeFiles.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/PathGlob.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace opsig {

namespace {

/// What a compiler is called with. Headers are read where these include them.
bool isSource(llvm::StringRef File) {
  CodeFile Is = codeFile(File);
  return Is == CodeFile::Cpp || Is == CodeFile::Gpu || Is == CodeFile::GpuHeader;
}

/// "src" of "src/*/a.cpp": the folder below which all matches lie.
std::string fixedFolder(llvm::StringRef Glob) {
  llvm::StringRef Folder = Glob.take_front(Glob.find_first_of("*?["));
  Folder = Folder.take_front(Folder.rfind('/') + 1);
  return Folder.empty() ? "." : Folder.str();
}

bool isBelow(llvm::StringRef File, llvm::StringRef Folder) {
  return pathBelow(File, Folder) != absolutePath(File);
}

/// The same for all names of a file, links of either kind.
std::string identity(llvm::StringRef Name) {
  fs::UniqueID OnDisk;
  if (!fs::getUniqueID(Name, OnDisk))
    return std::to_string(OnDisk.getDevice()) + ":" + std::to_string(OnDisk.getFile());
  return realPath(Name);
}

} // namespace

bool isNotebook(llvm::StringRef File) { return File.ends_with(".ipynb"); }

bool isPython(llvm::StringRef File) { return File.ends_with(".py") || isNotebook(File); }

std::vector<std::string> listedSources(llvm::ArrayRef<std::string> Listed) {
  std::vector<std::string> Sources;
  for (const std::string &File : Listed)
    if (isSource(File))
      Sources.push_back(pathBelow(File, "."));
  return Sources;
}

namespace {

bool isInput(llvm::StringRef File) { return isSource(File) || isPython(File); }

/// Finds the files of arguments, one by one.
class InputSearch {
public:
  InputSearch(const InputArguments &Arguments, llvm::ArrayRef<std::string> Listed)
      : Arguments(Arguments), HasCommands(!Listed.empty()), Walk(Arguments.Excluded) {
    for (std::string &File : listedSources(Listed)) {
      if (Arguments.Excluded.contain(File))
        Walk.Left.push_back({std::move(File), "excluded"});
      else
        this->Listed.push_back(std::move(File));
    }
  }

  InputFiles run();

private:
  std::vector<std::string> filesOf(const std::string &Argument);
  std::vector<std::string> inFolder(const std::string &Folder);
  void needsIn(const std::string &Folder, const std::vector<std::string> &Found);
  std::vector<std::string> matching(const std::string &Glob);
  void needs(const std::vector<std::string> &Found, std::string Problem);
  void add(InputGroup Group);

  const InputArguments &Arguments;
  std::vector<std::string> Listed; ///< but for what is excluded
  bool HasCommands;
  FileWalk Walk;
  InputFiles Result;
  std::vector<std::string> Headers;   ///< of the folder that was searched last
  llvm::StringMap<std::string> Known; ///< by identity: the first name
};

void InputSearch::needs(const std::vector<std::string> &Found, std::string Problem) {
  if (!Found.empty())
    return;
  if (!Walk.Left.empty())
    Problem += "; " + leftOutText(Walk.Left);
  Result.Problems.push_back(std::move(Problem));
}

void InputSearch::needsIn(const std::string &Folder, const std::vector<std::string> &Found) {
  if (HasCommands)
    return needs(Found, "compile_commands.json lists no C++ file in '" + Folder + "'");
  if (Headers.empty())
    return needs(Found, "no C++ or Python file in '" + Folder + "'");
  needs(Found, "no C++ source or Python file in '" + Folder + "', only " +
                   counted(Headers.size(), "header") +
                   "; pass the headers that register operators, for example '" +
                   tidied(Headers.front()) + "'");
}

std::vector<std::string> InputSearch::inFolder(const std::string &Folder) {
  size_t Problems = Walk.Problems.size();
  std::vector<std::string> Found = Walk.files(Folder, [&](llvm::StringRef File) {
    if (codeFile(File) == CodeFile::Header && !Arguments.Excluded.contain(File))
      Headers.push_back(File.str());
    return HasCommands ? isPython(File) : isInput(File);
  });
  for (const std::string &File : Listed)
    if (isBelow(File, Folder))
      Found.push_back(File);
  if (Walk.Problems.size() > Problems) // that says why there is none
    return Found;
  needsIn(Folder, Found);
  return Found;
}

std::vector<std::string> InputSearch::matching(const std::string &Glob) {
  std::string Pattern = absolutePath(Glob);
  std::vector<std::string> Found = Walk.files(fixedFolder(Glob), [&](llvm::StringRef File) {
    return isInput(File) && pathGlobMatches(Pattern, absolutePath(File));
  });
  needs(Found, "'" + Glob + "' matches no C++ or Python file");
  return Found;
}

std::vector<std::string> InputSearch::filesOf(const std::string &Argument) {
  if (fs::is_directory(Argument))
    return inFolder(Argument);
  if (isPathGlob(Argument) && !fs::exists(Argument))
    return matching(Argument);
  return {Argument};
}

void InputSearch::add(InputGroup Group) {
  for (std::string &Name : Group.Files) {
    Result.Names.push_back(Name);
    auto [It, New] = Known.try_emplace(identity(Name), tidied(Name));
    Name = It->second;
    if (New)
      (isPython(Name) ? Result.Python.Files : Result.Files).push_back(Name);
  }
  Result.Groups.push_back(std::move(Group));
}

InputFiles InputSearch::run() {
  for (const std::string &Argument : Arguments.Names) {
    std::vector<std::string> Found = filesOf(Argument);
    bool IsFile = Found.size() == 1 && Found.front() == Argument;
    add({Argument, IsFile, std::move(Found), std::move(Headers)});
    Headers.clear();
  }
  if (Arguments.AllListed)
    add({"compile_commands.json", false, Listed});
  llvm::append_range(Result.Problems, Walk.Problems);
  Result.Left = std::move(Walk.Left);
  llvm::sort(Result.Files);
  llvm::sort(Result.Python.Files);
  return std::move(Result);
}

} // namespace

InputFiles expandInputs(const InputArguments &Arguments, llvm::ArrayRef<std::string> Listed) {
  return InputSearch(Arguments, Listed).run();
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
