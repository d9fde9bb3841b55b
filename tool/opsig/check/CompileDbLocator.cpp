//===- CompileDbLocator.cpp - Compile commands, named or not -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/CompileDbLocator.h"
#include "opsig/Frontend/Parse.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Workspace/InputFiles.h"
#include "opsig/Workspace/ProjectFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace opsig {

/// Of a folder or a pattern, which name no file, the folder's.
static std::string rootOf(llvm::ArrayRef<std::string> Arguments) {
  std::vector<std::string> Names;
  for (const std::string &Argument : Arguments)
    Names.push_back(fs::is_directory(Argument) ? Argument + "/file" : Argument);
  if (Names.empty())
    Names.push_back("file");
  return ProjectFiles(Names, "").root().str();
}

/// The root first, then in alphabetical order.
static std::vector<std::string> candidates(llvm::StringRef Root) {
  std::vector<std::string> Below;
  std::error_code Error;
  for (fs::directory_iterator At(Root, Error), End; At != End && !Error; At.increment(Error))
    if (isBuildName(path::filename(At->path())))
      Below.push_back(At->path());
  llvm::sort(Below);
  Below.insert(Below.begin(), Root.str());
  llvm::erase_if(Below, [](const std::string &Folder) {
    return !fs::exists(Folder + "/compile_commands.json");
  });
  return Below;
}

/// How many of the files \p Listed are what \p Arguments stand for.
static size_t countNamed(llvm::ArrayRef<std::string> Listed,
                         llvm::ArrayRef<std::string> Arguments) {
  if (Arguments.empty())
    return Listed.size();
  std::vector<std::string> Names, Patterns;
  for (const std::string &Argument : Arguments)
    (isPathGlob(Argument) && !fs::exists(Argument) ? Patterns : Names)
        .push_back(fs::exists(Argument) ? realPath(Argument) : absolutePath(Argument));
  return llvm::count_if(Listed, [&](const std::string &File) {
    std::string Real = realPath(File);
    return llvm::any_of(Names,
                        [&](llvm::StringRef Name) {
                          return Real == Name || (llvm::StringRef(Real).starts_with(Name) &&
                                                  Real[Name.size()] == '/');
                        }) ||
           llvm::any_of(Patterns,
                        [&](llvm::StringRef Glob) { return pathGlobMatches(Glob, File); });
  });
}

std::string findBuild(llvm::ArrayRef<std::string> Arguments, llvm::raw_ostream &Log) {
  std::string Best;
  size_t Most = 0;
  for (const std::string &Folder : candidates(rootOf(Arguments))) {
    llvm::Expected<CompileCommands> Commands = CompileCommands::load(Folder);
    if (!Commands) {
      llvm::WithColor::note(Log, "opsig") << toString(Commands.takeError()) << '\n';
      continue;
    }
    if (size_t Count = countNamed(Commands->files(), Arguments); Count > Most)
      std::tie(Most, Best) = std::tuple(Count, Folder);
  }
  if (!Best.empty())
    llvm::WithColor::note(Log, "opsig")
        << "compile commands: " << pathBelow(Best + "/compile_commands.json", ".") << '\n';
  return Best;
}

llvm::Expected<CompileCommands> compileCommands(const CompileSettings &Settings) {
  if (!Settings.Flags.empty())
    return CompileCommands::fixed(Settings.Flags);
  if (!Settings.BuildDir.empty()) {
    llvm::Expected<CompileCommands> Commands = CompileCommands::load(Settings.BuildDir);
    if (Commands || Settings.BuildFrom.empty())
      return Commands;
    return llvm::createStringError(llvm::toString(Commands.takeError()) + " (" +
                                   Settings.BuildFrom + ")");
  }
  return CompileCommands::fixed({});
}

} // namespace opsig
