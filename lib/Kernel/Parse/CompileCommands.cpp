//===- CompileCommands.cpp - how files are compiled -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Parse/ForeignCommands.h"
#include "Parse/ParseInternal.h"
#include "opsig/Support/JsonText.h"
#include "opsig/Support/LinkGuard.h"
#include "opsig/Support/ReadFile.h"

#include "clang/Options/OptionUtils.h"
#include "clang/Tooling/ArgumentsAdjusters.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "clang/Tooling/JSONCompilationDatabase.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace opsig;
using namespace clang;
using llvm::Error;
using llvm::Expected;

namespace {

/// Another database's commands, in Clang's words: what looks for a command that resembles has to
/// understand them.
class TranslatedDatabase : public tooling::CompilationDatabase {
public:
  explicit TranslatedDatabase(std::shared_ptr<const tooling::CompilationDatabase> Of)
      : Of(std::move(Of)) {}

  std::vector<tooling::CompileCommand> getCompileCommands(StringRef File) const override {
    return translated(Of->getCompileCommands(File));
  }
  std::vector<std::string> getAllFiles() const override { return Of->getAllFiles(); }
  std::vector<tooling::CompileCommand> getAllCompileCommands() const override {
    return translated(Of->getAllCompileCommands());
  }

private:
  static std::vector<tooling::CompileCommand>
  translated(std::vector<tooling::CompileCommand> Commands) {
    for (tooling::CompileCommand &C : Commands)
      C.CommandLine =
          withoutUnknown(translate(C.CommandLine, styleOf(C.CommandLine), C.Directory).Command,
                         C.Filename)
              .Command;
    return Commands;
  }

  std::shared_ptr<const tooling::CompilationDatabase> Of;
};

} // namespace

struct CompileCommands::Impl {
  std::unique_ptr<tooling::CompilationDatabase> Database;
  /// As the build has it; none if Fixed.
  std::shared_ptr<const tooling::CompilationDatabase> Untranslated;
  bool Fixed = false;
  std::function<void(ParseJob &)> AdjustJob;
};

CompileCommands::CompileCommands(std::unique_ptr<Impl> I) : TheImpl(std::move(I)) {}
CompileCommands::CompileCommands(CompileCommands &&) = default;
CompileCommands &CompileCommands::operator=(CompileCommands &&) = default;
CompileCommands::~CompileCommands() = default;

/// Why \p Json, which is in \p BuildDir if anything is, cannot be used.
static llvm::Error whyNoCommands(StringRef BuildDir, StringRef Json, StringRef Message) {
  if (!llvm::sys::fs::exists(Json))
    return llvm::createStringError("no compile commands in '" + BuildDir +
                                   "': there is no compile_commands.json");
  return llvm::createStringError("cannot use '" + Json +
                                 "': " + Message.split('\n').first.trim());
}

Expected<CompileCommands> CompileCommands::load(StringRef BuildDir) {
  std::string Message;
  llvm::SmallString<128> Json(BuildDir);
  llvm::sys::path::append(Json, "compile_commands.json");
  // Clang reads it, and would read without end or fill the stack.
  if (llvm::sys::fs::exists(Json)) {
    auto Text = readWholeFile(Json);
    if (!Text)
      return Text.takeError();
    if (Error E = checkJsonDepth((*Text)->getBuffer()))
      return llvm::createStringError("cannot use '" + Json + "': " + toString(std::move(E)));
    // Clang prints the line that it cannot read, which may be that of a file that a link leads to.
    std::string Project = projectAround(BuildDir);
    if (!isInside(Json, Project.empty() ? BuildDir : Project)) {
      Expected<llvm::json::Value> Value = parseJson((*Text)->getBuffer());
      if (!Value) {
        llvm::consumeError(Value.takeError());
        return llvm::createStringError("cannot use '" + Json +
                                       "': it leads out of the project, to what is not JSON");
      }
    }
  }
  // What Clang loads from a folder has looked for commands that resemble before any is translated.
  std::unique_ptr<tooling::CompilationDatabase> Database;
  if (llvm::sys::fs::exists(Json))
    Database = tooling::JSONCompilationDatabase::loadFromFile(
        Json, Message, tooling::JSONCommandLineSyntax::AutoDetect);
  else
    Database = tooling::CompilationDatabase::loadFromDirectory(BuildDir, Message);
  if (!Database)
    return whyNoCommands(BuildDir, Json, Message);
  // A compile_flags.txt lists none either, but has flags for all.
  if (llvm::sys::fs::exists(Json) && Database->getAllFiles().empty())
    return llvm::createStringError("'" + Json + "' lists no file");
  auto I = std::make_unique<Impl>();
  I->Untranslated =
      tooling::expandResponseFiles(std::move(Database), llvm::vfs::getRealFileSystem());
  I->Database = tooling::inferTargetAndDriverMode(
      tooling::inferMissingCompileCommands(std::make_unique<TranslatedDatabase>(I->Untranslated)));
  return CompileCommands(std::move(I));
}

CompileCommands CompileCommands::fixed(llvm::ArrayRef<std::string> Flags) {
  auto I = std::make_unique<Impl>();
  I->Database =
      std::make_unique<tooling::FixedCompilationDatabase>(".", std::vector<std::string>(Flags));
  I->Fixed = true;
  return CompileCommands(std::move(I));
}

/// Clang takes a .h file for C.
static bool isHeaderOfUnclearLanguage(StringRef File) {
  StringRef Extension = llvm::sys::path::extension(File);
  return Extension == ".h" || Extension.empty();
}

/// What \p Command of \p Style loses on its way to Clang, all of it.
static std::vector<std::string> droppedOf(const tooling::CompileCommand &Command,
                                          CommandStyle Style) {
  TranslatedCommand Known = translate(Command.CommandLine, Style, Command.Directory);
  TranslatedCommand Rest = withoutUnknown(Known.Command, Command.Filename);
  llvm::append_range(Known.Dropped, Rest.Dropped);
  return std::move(Known.Dropped);
}

/// The first command for \p File, in Clang's words.
static tooling::CompileCommand commandFor(const tooling::CompilationDatabase &Database, bool Fixed,
                                          StringRef File) {
  std::vector<tooling::CompileCommand> Commands =
      Database.getCompileCommands(Fixed ? File.str() : tooling::getAbsolutePath(File));
  if (Commands.empty())
    Commands = tooling::FixedCompilationDatabase(".", {}).getCompileCommands(File);
  return std::move(Commands.front());
}

/// Clang's own headers: those that are unpacked or installed beside the program, else those of the
/// LLVM it was built with.
static std::string resourceFolder() {
  std::string Beside = GetResourcesPath("opsig", reinterpret_cast<void *>(&resourceFolder));
  bool There = llvm::sys::fs::exists(Beside + "/include/stddef.h");
  return There ? Beside : OPSIG_CLANG_RESOURCE_DIR;
}

/// The flags that a check needs in addition.
static tooling::CommandLineArguments neededFlags(const tooling::CommandLineArguments &Command,
                                                 StringRef File) {
  tooling::CommandLineArguments Extra = {"-w", "-ferror-limit=0"};
  if (llvm::none_of(Command, [](StringRef Arg) { return Arg.starts_with("-resource-dir"); }))
    Extra.push_back("-resource-dir=" + resourceFolder());
  if (isHeaderOfUnclearLanguage(File) &&
      llvm::none_of(Command, [](StringRef Arg) { return Arg.starts_with("-x"); }))
    Extra.push_back("-xc++");
  return Extra;
}

ParseJob CompileCommands::job(StringRef File) const {
  ParseJob Job;
  Job.File = File.str();
  tooling::CompileCommand Command = commandFor(*TheImpl->Database, TheImpl->Fixed, File);
  if (!TheImpl->Fixed && Command.Directory != ".")
    Job.Directory = Command.Directory;
  if (CommandStyle Style = usualStyle(File); TheImpl->Fixed && Style != CommandStyle::Clang) {
    Job.Dropped = droppedOf(Command, Style);
    Command.CommandLine =
        withoutUnknown(translate(Command.CommandLine, Style, "").Command, File).Command;
  } else if (TheImpl->Untranslated) {
    auto Own = TheImpl->Untranslated->getCompileCommands(tooling::getAbsolutePath(File));
    if (!Own.empty())
      Job.Dropped = droppedOf(Own.front(), styleOf(Own.front().CommandLine));
  }
  Job.Language = languageOf(Command.CommandLine, File);
  Command.CommandLine = forHost(Command.CommandLine, Job.Language);
  tooling::ArgumentsAdjuster Adjust = tooling::combineAdjusters(
      tooling::combineAdjusters(tooling::getClangStripOutputAdjuster(),
                                tooling::getClangStripDependencyFileAdjuster()),
      tooling::combineAdjusters(
          tooling::getClangSyntaxOnlyAdjuster(),
          tooling::getInsertArgumentAdjuster(neededFlags(Command.CommandLine, File),
                                             tooling::ArgumentInsertPosition::BEGIN)));
  Job.Command = Adjust(withoutOutputs(Command.CommandLine), Command.Filename);
  if (TheImpl->AdjustJob)
    TheImpl->AdjustJob(Job);
  return Job;
}

/// "a.o" of `-o a.o` and `-oa.o`; "" where it is not said.
static std::string outputOf(const tooling::CompileCommand &Command) {
  if (!Command.Output.empty())
    return Command.Output;
  for (size_t I = 0; I < Command.CommandLine.size(); ++I) {
    StringRef Flag = Command.CommandLine[I];
    if (Flag == "-o")
      return I + 1 < Command.CommandLine.size() ? Command.CommandLine[I + 1] : "";
    if (Flag.consume_front("-o") && !Flag.contains('='))
      return Flag.str();
  }
  return "";
}

std::vector<CompileCommands::Output> CompileCommands::outputs(StringRef File) const {
  std::vector<Output> All;
  if (!TheImpl->Untranslated)
    return All;
  for (const tooling::CompileCommand &Command :
       TheImpl->Untranslated->getCompileCommands(tooling::getAbsolutePath(File)))
    if (std::string Object = outputOf(Command); !Object.empty())
      All.push_back({std::move(Object), Command.Directory});
  return All;
}

void CompileCommands::adjustJobs(std::function<void(ParseJob &)> Adjust) {
  TheImpl->AdjustJob = [Before = std::move(TheImpl->AdjustJob),
                        Adjust = std::move(Adjust)](ParseJob &Job) {
    if (Before)
      Before(Job);
    Adjust(Job);
  };
}

std::vector<std::string> CompileCommands::files() const {
  std::vector<std::string> Files;
  if (TheImpl->Fixed)
    return Files;
  for (const std::string &File : TheImpl->Database->getAllFiles()) {
    llvm::SmallString<256> Path(File);
    llvm::sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
    Files.push_back(std::string(Path));
  }
  llvm::sort(Files);
  Files.erase(llvm::unique(Files), Files.end());
  return Files;
}
