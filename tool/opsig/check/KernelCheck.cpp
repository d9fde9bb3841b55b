//===- KernelCheck.cpp - Kernels in files against loaded schemas ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/CompileDbLocator.h"
#include "check/KernelCheck.h"
#include "check/Progress.h"
#include "check/StubHeaders.h"
#include "check/TorchIncludeDirs.h"
#include "check/UnseenBlocks.h"
#include "check/WrongFlags.h"
#include "opsig/Check/IncompleteUnits.h"
#include "opsig/Frontend/FlagErrors.h"
#include "opsig/Report/SiftFindings.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/ReadFile.h"
#include "opsig/Support/SafeText.h"
#include "clang/Driver/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

namespace path = llvm::sys::path;

namespace opsig {

namespace {

/// What is no source at all is told before Clang makes guesses at it; "" for a source.
std::string whyNoSource(llvm::StringRef File, llvm::StringRef Text,
                        llvm::ArrayRef<std::string> Command) {
  namespace types = clang::driver::types;
  if (Text.take_front(1024).contains('\0'))
    return ("'" + File + "' is not a text file").str();
  bool LanguageSaid =
      llvm::any_of(Command, [](llvm::StringRef Flag) { return Flag.starts_with("-x"); });
  llvm::StringRef Extension = path::extension(File).ltrim('.');
  if (LanguageSaid || Extension.empty())
    return "";
  types::ID Type = types::lookupTypeForExtension(Extension);
  bool IsOther =
      Type == types::TY_INVALID || Type == types::TY_C || !types::isAcceptedByClang(Type);
  if (!IsOther)
    return "";
  bool IsYaml = Extension == "yaml" || Extension == "yml";
  return ("'" + File + "' is not a C++ or Python file" +
          (IsYaml ? "; pass YAML files with --backend or --schemas" : ""))
      .str();
}

} // namespace

std::vector<UnitFacts> parseFiles(llvm::ArrayRef<ParseJob> Jobs, const ParseOptions &Options,
                                  UnitReader &Reader, const ReadNotes &Notes,
                                  std::vector<ClangMessages> *Messages) {
  ProgressLine Progress(Jobs.size());
  ReadingListeners Listeners;
  if (Notes.Text)
    Listeners.Note = [&](size_t I) {
      return [&, I](llvm::StringRef Path, llvm::StringRef Text) {
        Notes.Text(Jobs[I].File, Path, Text);
      };
    };
  if (Messages)
    Listeners.Messages = [&](size_t I) { return &(*Messages)[I]; };
  Listeners.Done = [&](size_t I) { Progress.done(Jobs[I].File); };
  if (Notes.Files)
    Listeners.Files = [&](size_t, std::vector<std::string> Names) {
      Notes.Files(std::move(Names));
    };
  return Reader.read(Jobs, Options, Listeners);
}

std::vector<UnitFacts> parseFiles(llvm::ArrayRef<ParseJob> Jobs, const ParseOptions &Options,
                                  unsigned Threads, const NoteRead &Note,
                                  std::vector<ClangMessages> *Messages) {
  UnitReader Reader({"", "", /*Prefixes=*/false, Threads});
  return parseFiles(Jobs, Options, Reader, {Note}, Messages);
}

std::string buildFolder(llvm::StringRef Named) {
  if (path::filename(Named) != "compile_commands.json" || llvm::sys::fs::is_directory(Named))
    return Named.str();
  llvm::StringRef Folder = path::parent_path(Named);
  return Folder.empty() ? "." : Folder.str();
}

ReadUnits readKernels(llvm::ArrayRef<std::string> Inputs, const CompileCommands &Commands,
                      const ParseOptions &Options, UnitReader &Reader, SourceFiles &Files,
                      const ReadNotes &Notes) {
  ReadUnits Result;
  auto Fail = [&](llvm::Error Err) {
    complain(std::move(Err));
    ++Result.Lost;
  };
  std::vector<ParseJob> Jobs;
  for (const std::string &File : Inputs) {
    llvm::Expected<SourceId> Id = Files.open(File);
    if (!Id) {
      Fail(Id.takeError());
      continue;
    }
    ParseJob Job = Commands.job(File);
    if (std::string Why = whyNoSource(File, Files.text(*Id), Job.Command); !Why.empty()) {
      Fail(llvm::createStringError(Why));
      continue;
    }
    // Each counts once a file, however often it stands there.
    for (const std::string &Flag : std::set<std::string>(Job.Dropped.begin(), Job.Dropped.end()))
      ++Result.Dropped[Flag];
    Jobs.push_back(std::move(Job));
  }
  std::set<std::string> WrongFlags; // each is reported once; the summary line counts the files
  for (UnitFacts &Unit : parseFiles(Jobs, Options, Reader, Notes)) {
    if (!Unit.Parsed) {
      if (!isFlagError(Unit.FirstError) || WrongFlags.insert(Unit.FirstError).second)
        complain(llvm::createStringError(whyUnread(Unit)));
      ++Result.Lost;
      Result.WhyLost.push_back(isFlagError(Unit.FirstError)
                                   ? splitFirstErrors(Unit.FirstError).Flags.front().str()
                                   : std::move(Unit.FirstError));
      continue;
    }
    Result.Units.push_back(std::move(Unit));
  }
  return Result;
}

ReadUnits readKernels(llvm::ArrayRef<std::string> Inputs, const CompileCommands &Commands,
                      const ParseOptions &Options, unsigned Threads, SourceFiles &Files) {
  UnitReader Reader({"", "", /*Prefixes=*/false, Threads});
  return readKernels(Inputs, Commands, Options, Reader, Files);
}

ReadUnits joinFacts(llvm::ArrayRef<std::string> FactsFiles, const FactsStamp &Stamp) {
  ReadUnits Result;
  auto Fail = [&](const llvm::Twine &Message) {
    complain(llvm::createStringError(Message));
    ++Result.Lost;
  };
  for (const std::string &File : FactsFiles) {
    auto Text = readWholeFile(File);
    if (!Text) {
      Fail("--facts-in: " + llvm::toString(Text.takeError()));
      continue;
    }
    llvm::Expected<std::vector<UnitFacts>> Units = readFacts((*Text)->getBuffer(), Stamp);
    if (!Units) {
      Fail("cannot use '" + File + "': " + llvm::toString(Units.takeError()));
      continue;
    }
    std::move(Units->begin(), Units->end(), std::back_inserter(Result.Units));
  }
  return Result;
}

void reportDropped(const std::map<std::string, unsigned> &Dropped) {
  for (const auto &[Flag, Count] : Dropped)
    reportNote("dropped flag: " + Flag + " (" + counted(Count, "file") + ")");
}

void reportBodyErrors(llvm::ArrayRef<UnitFacts> Units) {
  constexpr size_t Most = 3; // the summary line counts all of them
  size_t Count = 0;
  for (const UnitFacts &Unit : Units)
    if (std::string Why = bodyErrors(Unit); !Why.empty() && ++Count <= Most)
      llvm::WithColor::note(llvm::errs(), safeLineStart(Unit.MainFile)) << safeText(Why) << '\n';
  if (Count > Most)
    reportNote("function bodies of " + counted(Count - Most, "more file") + " have errors");
}

/// Whether \p Word is at the beginning of a line, where no comment is.
static bool hasLine(llvm::StringRef Text, llvm::StringRef Word) {
  for (llvm::StringRef Rest = Text; !Rest.empty();) {
    auto [Line, After] = Rest.split('\n');
    if (Line.ltrim().starts_with(Word))
      return true;
    Rest = After;
  }
  return false;
}

std::string onlyPybind(llvm::ArrayRef<UnitFacts> Units, SourceFiles &Files) {
  std::string Which;
  for (const UnitFacts &Unit : Units) {
    if (!Unit.Kernels.empty() || !Unit.Registrations.empty())
      return "";
    if (llvm::Expected<SourceId> Id = Files.open(Unit.MainFile)) {
      llvm::StringRef Text = Files.text(*Id);
      // One that this configuration leaves out, or whose header is missing.
      if (hasLine(Text, "TORCH_LIBRARY") || hasLine(Text, "STABLE_TORCH_LIBRARY"))
        return "";
      if (Which.empty() && hasLine(Text, "PYBIND11_MODULE("))
        Which = Unit.MainFile;
    } else {
      llvm::consumeError(Id.takeError());
    }
  }
  if (Which.empty())
    return "";
  return "nothing to compare: '" + Which +
         "' binds functions with PYBIND11_MODULE, which needs no schemas, and no file has a "
         "TORCH_LIBRARY block";
}

std::string raisedStandard(llvm::ArrayRef<UnitFacts> Units) {
  std::map<std::string, std::vector<std::string>> Files;
  for (const UnitFacts &Unit : Units)
    if (!Unit.RaisedStandard.empty())
      Files[Unit.RaisedStandard].push_back(Unit.MainFile);
  std::vector<std::string> Parts;
  for (const auto &[Standard, Names] : Files) {
    bool IsOne = Names.size() == 1;
    std::string More = IsOne ? "" : " and " + counted(Names.size() - 1, "more file");
    Parts.push_back("'" + Names.front() + "'" + More + (IsOne ? " does" : " do") +
                    " not compile with the C++ standard in use, so " +
                    (IsOne ? "it was" : "they were") + " read with -std=" + Standard);
  }
  if (Parts.empty())
    return "";
  return llvm::join(Parts, "; ") +
         "; to use this standard for all files, write -std=" + Files.rbegin()->first +
         " in the compiler flags";
}

llvm::Error checkKernels(const std::string &Input, const CompileSettings &Settings,
                         const SchemaSource &Source, LoadedSchemas &Schemas) {
  llvm::Expected<CompileCommands> Commands = compileCommands(Settings);
  if (!Commands)
    return Commands.takeError();
  addTorchHeaders(*Commands, Settings, Source);
  addStubHeaders(*Commands);
  ProjectChecker Checker(*Schemas.Ops, Schemas.Backends);
  auto Project = std::make_shared<ProjectFiles>(Input, Settings.BuildDir);
  ReadUnits Read = readKernels(Input, *Commands, Checker.parseOptions(std::move(Project)),
                               Settings.Threads, Schemas.Files);
  if (Read.Lost)
    return llvm::createStringError("the kernels cannot be checked");
  reportIncomplete(Read.Units, Settings, Source.Project);
  reportForeignHeaders(Read.Units, Source);
  Findings Found;
  Checker.check(Read.Units, Scope::Project, Schemas.Files, Found);
  // The checks that are on where nobody chooses.
  FindingFilter Filter;
  SiftedFindings Sifted = sift(std::move(Found), Filter, Schemas.Files);
  for (const Finding &Hit : Sifted.Reported.all())
    Schemas.Diags.append(Hit);
  return llvm::Error::success();
}

} // namespace opsig
