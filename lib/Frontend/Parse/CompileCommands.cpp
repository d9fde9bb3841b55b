//===- CompileCommands.cpp - how files are compiled -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Parse/ParseInternal.h"
#include "Parse/ReadingCommand.h"
#include "opsig/Frontend/ClangHeaders.h"
#include "opsig/Support/JsonText.h"
#include "opsig/Support/LinkGuard.h"
#include "opsig/Support/ReadFile.h"

#include "clang/Tooling/CompilationDatabase.h"
#include "clang/Tooling/JSONCompilationDatabase.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"

using namespace opsig;
using namespace clang;
using llvm::Error;
using llvm::Expected;

namespace {

/// Another database's commands, with the words of response files.
class ExpandedDatabase : public tooling::CompilationDatabase {
public:
  explicit ExpandedDatabase(std::unique_ptr<tooling::CompilationDatabase> Of) : Of(std::move(Of)) {}

  std::vector<tooling::CompileCommand> getCompileCommands(StringRef File) const override {
    return expanded(Of->getCompileCommands(File));
  }
  std::vector<std::string> getAllFiles() const override { return Of->getAllFiles(); }
  std::vector<tooling::CompileCommand> getAllCompileCommands() const override {
    return expanded(Of->getAllCompileCommands());
  }

private:
  static std::vector<tooling::CompileCommand>
  expanded(std::vector<tooling::CompileCommand> Commands) {
    for (tooling::CompileCommand &C : Commands)
      C.CommandLine = OptionsFiles(C.Directory).expand(C.CommandLine);
    return Commands;
  }

  std::unique_ptr<tooling::CompilationDatabase> Of;
};

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

/// What Clang makes of the file \p Path, in its words where it cannot use it.
static std::unique_ptr<tooling::CompilationDatabase>
commandsIn(StringRef Path, StringRef BuildDir, StringRef Text, std::string &Message) {
  if (Path.ends_with(".json"))
    return tooling::JSONCompilationDatabase::loadFromBuffer(
        Text, Message, tooling::JSONCommandLineSyntax::AutoDetect);
  return tooling::FixedCompilationDatabase::loadFromBuffer(BuildDir, Text, Message);
}

/// Clang prints what its parser says of such a text; here it is part of the error.
static llvm::Error checkSyntax(llvm::MemoryBufferRef Text) {
  llvm::SourceMgr Sources;
  std::string First;
  Sources.setDiagHandler(
      [](const llvm::SMDiagnostic &D, void *To) {
        auto &Message = *static_cast<std::string *>(To);
        if (Message.empty())
          Message = (" (line " + llvm::Twine(D.getLineNo()) + ", column " +
                     llvm::Twine(D.getColumnNo() + 1) + ")")
                        .str();
      },
      &First);
  llvm::yaml::Stream Stream(Text, Sources);
  if (Stream.validate())
    return llvm::Error::success();
  return llvm::createStringError("it is not JSON" + First +
                                 "; configure the build again to regenerate it");
}

/// Reads the file itself: Clang would read a device without end, and fill the stack with JSON.
static Expected<std::unique_ptr<tooling::CompilationDatabase>> loadFrom(StringRef BuildDir) {
  llvm::SmallString<128> Json(BuildDir), Flags(BuildDir);
  llvm::sys::path::append(Json, "compile_commands.json");
  llvm::sys::path::append(Flags, "compile_flags.txt");
  bool HasJson = llvm::sys::fs::exists(Json);
  if (!llvm::sys::fs::is_directory(BuildDir))
    return llvm::createStringError("no folder '" + BuildDir +
                                   "'; expected the build folder, which has compile_commands.json");
  if (!HasJson && !llvm::sys::fs::exists(Flags))
    return llvm::createStringError("no compile_commands.json in '" + BuildDir +
                                   "'; run CMake with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or pass "
                                   "compiler flags after '--'");
  StringRef Path = HasJson ? Json : Flags;
  auto Text = readWholeFile(Path);
  if (!Text)
    return Text.takeError();
  auto CannotUse = [&](const llvm::Twine &Why) {
    return llvm::createStringError("cannot use '" + Path + "': " + Why);
  };
  if (HasJson) {
    if (Error E = checkJsonDepth((*Text)->getBuffer()))
      return CannotUse(toString(std::move(E)));
    // The line that Clang cannot read may be that of a file that a link leads to.
    std::string Project = projectAround(BuildDir);
    if (!isInside(Json, Project.empty() ? BuildDir : Project)) {
      Expected<llvm::json::Value> Value = parseJson((*Text)->getBuffer());
      if (!Value) {
        llvm::consumeError(Value.takeError());
        return CannotUse("it is a link to a file that is outside the project and is not JSON");
      }
    }
    if (Error E = checkSyntax(**Text))
      return CannotUse(toString(std::move(E)));
  }
  std::string Message;
  auto Database = commandsIn(Path, BuildDir, (*Text)->getBuffer(), Message);
  if (!Database)
    return CannotUse(StringRef(Message).split('\n').first.trim());
  // A compile_flags.txt lists none either, but has flags for all.
  if (HasJson && Database->getAllFiles().empty())
    return llvm::createStringError("'" + Json + "' lists no files; configure the build again");
  return std::move(Database);
}

Expected<CompileCommands> CompileCommands::load(StringRef BuildDir) {
  // What Clang loads from a folder has looked for commands that resemble before any is translated.
  auto Database = loadFrom(BuildDir);
  if (!Database)
    return Database.takeError();
  auto I = std::make_unique<Impl>();
  I->Untranslated = std::make_shared<ExpandedDatabase>(std::move(*Database));
  I->Database = tooling::inferTargetAndDriverMode(
      tooling::inferMissingCompileCommands(std::make_unique<TranslatedDatabase>(I->Untranslated)));
  return CompileCommands(std::move(I));
}

CompileCommands CompileCommands::fixed(llvm::ArrayRef<std::string> Flags) {
  auto I = std::make_unique<Impl>();
  I->Database = std::make_unique<ExpandedDatabase>(
      std::make_unique<tooling::FixedCompilationDatabase>(".", std::vector<std::string>(Flags)));
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

/// The flags that a check needs in addition.
static Words neededFlags(const Words &Command, StringRef File) {
  Words Extra = {"-w", "-ferror-limit=0"};
  if (llvm::none_of(Command, [](StringRef Arg) { return Arg.starts_with("-resource-dir"); }))
    Extra.push_back("-resource-dir=" + clangResourceFolder());
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
  TranslatedCommand Reading = forReading(Command.CommandLine, Command.Filename, Job.Directory);
  llvm::append_range(Job.Dropped, Reading.Dropped);
  Job.Command = std::move(Reading.Command);
  Words Needed = neededFlags(Job.Command, File);
  Job.Command.insert(Job.Command.begin() + 1, Needed.begin(), Needed.end());
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
