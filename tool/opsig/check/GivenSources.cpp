//===- GivenSources.cpp - Whether a run has all sources of its project --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/GivenSources.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Support/ReadFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace opsig {

namespace {

/// More entries are no project that somebody builds; a search through them takes seconds.
constexpr unsigned MaxEntries = 200000;

enum class SourceKind : uint8_t { None, Cpp, Gpu, Foreign };

/// Foreign: what opsig does not read, and what may define functions or become a source that does.
SourceKind kindOf(llvm::StringRef File) {
  return llvm::StringSwitch<SourceKind>(path::extension(File))
      .Cases({".cpp", ".cc", ".cxx", ".c++", ".C", ".cp"}, SourceKind::Cpp)
      .Cases({".cu", ".hip", ".mu"}, SourceKind::Gpu)
      .Cases({".mm", ".metal", ".ispc", ".jinja", ".j2", ".sycl"}, SourceKind::Foreign)
      .Default(SourceKind::None);
}

/// "a.cu.in" becomes a source.
bool makesSource(llvm::StringRef File) {
  llvm::StringRef Extension = path::extension(File);
  return (Extension == ".in" || Extension == ".tmpl" || Extension == ".template") &&
         kindOf(path::stem(File)) != SourceKind::None;
}

std::string realPath(llvm::StringRef File) {
  llvm::SmallString<256> Real;
  return fs::real_path(File, Real) ? absolutePath(File) : std::string(Real);
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

GivenSources::GivenSources(const CheckSetup &Setup, const CheckArguments &Arguments)
    : Setup(Setup), Listed(Setup.Commands.files()) {
  for (const std::string &File : Setup.Inputs.Files)
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

void GivenSources::miss(llvm::StringRef File, llvm::StringRef Why) {
  Note = ("whether all registered kernels are defined is not told: '" + pathBelow(File, ".") +
          "' " + Why)
             .str();
}

void GivenSources::lookAt(llvm::StringRef File) {
  SourceKind Kind = makesSource(File) ? SourceKind::Foreign : kindOf(File);
  if (Kind == SourceKind::None || Given.contains(realPath(File)) || !Setup.Project->contain(File))
    return;
  if (Kind == SourceKind::Foreign)
    return miss(File, "may define some, and is not read");
  // What a build with sources of its kind leaves out belongs to something else.
  if (ListedKinds.contains(Kind == SourceKind::Gpu ? "gpu" : "cpp"))
    return;
  if (Kind == SourceKind::Gpu)
    return miss(File, "may define some, and was not given");
  Unread.push_back(File.str());
}

/// False if something is missing.
bool GivenSources::findMissing() {
  for (const std::string &File : Listed)
    if (kindOf(File) != SourceKind::None && !Given.contains(realPath(File))) {
      miss(File, "stands in compile_commands.json, and was not given");
      return false;
    }
  unsigned Entries = 0;
  std::error_code Error;
  std::vector<std::string> Found;
  for (fs::recursive_directory_iterator At(Setup.Project->root(), Error, /*follow_symlinks=*/false),
       End;
       At != End && !Error; At.increment(Error)) {
    if (++Entries > MaxEntries) {
      miss(Setup.Project->root(), "has too many files to look at");
      return false;
    }
    bool IsFolder = At->type() == fs::file_type::directory_file;
    if (path::filename(At->path()).starts_with(".") ||
        (IsFolder && !Setup.Project->contain(At->path() + "/x")))
      At.no_push();
    else if (!IsFolder)
      Found.push_back(At->path());
  }
  llvm::sort(Found); // folders have no order
  for (const std::string &File : Found) {
    lookAt(File);
    if (!Note.empty())
      return false;
  }
  return true;
}

bool GivenSources::hasAll() {
  if (!All)
    All = WholeMeant && findMissing();
  return *All;
}

bool GivenSources::isMentioned(llvm::StringRef Word) {
  return llvm::any_of(Unread, [&](const std::string &File) {
    auto Text = readWholeFile(File);
    if (Text)
      return hasWord((*Text)->getBuffer(), Word);
    llvm::consumeError(Text.takeError());
    return true;
  });
}

ProjectLayout GivenSources::layout() {
  Alternatives Programs;
  Programs.addVariants(Setup.Source.Project.Variants);
  for (const std::string &File : Setup.Inputs.Files) {
    std::vector<std::string> Targets;
    for (const CompileCommands::Output &Written : Setup.Commands.outputs(File))
      if (std::string Target = targetOfObject(Written.Object, Written.Directory); !Target.empty())
        Targets.push_back(std::move(Target));
    Programs.addTargets(File, Targets);
  }
  return {[this] { return hasAll(); }, [this](llvm::StringRef Word) { return isMentioned(Word); },
          std::move(Programs)};
}

} // namespace opsig
