//===- main.cpp - opsig -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Restart.h"
#include "SchemaInput.h"
#include "Subcommands.h"
#include "Terminal.h"
#include "check/CheckOutput.h"
#include "help/WordCheck.h"
#include "opsig/Frontend/Parse.h"
#include "opsig/Frontend/RunTime.h"
#include "opsig/Support/Finding.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <new>
#include <unistd.h>

using namespace opsig;

namespace {

void printVersion(llvm::raw_ostream &OS) { OS << "opsig " OPSIG_VERSION "\n"; }

std::string dashed(llvm::StringRef SubcommandWords) {
  std::string Name = SubcommandWords.str();
  llvm::replace(Name, ' ', '-');
  return Name;
}

/// llvm::cl knows subcommands of one word: "gen backend" becomes "gen-backend".
std::vector<std::string> joinSubcommandWords(llvm::ArrayRef<const char *> Args) {
  std::vector<std::string> Words(Args.begin(), Args.end());
  if (Words.size() > 2 && Words[1] == "gen" && !llvm::StringRef(Words[2]).starts_with("-")) {
    Words[1] += "-" + Words[2];
    Words.erase(Words.begin() + 2);
  }
  return Words;
}

/// Cuts off "--" and what follows it.
std::vector<std::string> takeAfterDashes(std::vector<std::string> &Words) {
  auto Dashes = llvm::find(Words, "--");
  if (Dashes == Words.end())
    return {};
  std::vector<std::string> After(Dashes + 1, Words.end());
  Words.erase(Dashes, Words.end());
  return After;
}

using Subcommands = std::vector<std::unique_ptr<Subcommand>>;

Subcommand *find(const Subcommands &Commands, llvm::StringRef Word) {
  for (const auto &Command : Commands)
    if (dashed(Command->words()) == Word)
      return Command.get();
  return nullptr;
}

/// `opsig check --help` is `opsig help check`; opsig alone is told what there is, too.
void askForHelp(std::vector<std::string> &Words) {
  auto IsHelp = [](const std::string &Word) { return Word == "--help" || Word == "-h"; };
  if (Words.size() == 1)
    Words.push_back("help");
  else if (IsHelp(Words[1]))
    Words = {Words[0], "help"};
  else if (llvm::any_of(Words, IsHelp))
    Words = {Words[0], "help", Words[1]};
}

void makeCommands(Subcommands &Commands) {
  Commands.push_back(makeShowCommand());
  Commands.push_back(makeCheckCommand());
  Commands.push_back(makeSyncCommand());
  Commands.push_back(makeDiffCommand());
  Commands.push_back(makeCoverageCommand());
  Commands.push_back(makeStabilizeCommand());
  Commands.push_back(makeUpgradeCommand());
  Commands.push_back(makeGenAtenCommand());
  Commands.push_back(makeGenBackendCommand());
  Commands.push_back(makeGenPythonCommand());
  Commands.push_back(makeGenStubsCommand());
  Commands.push_back(makeExplainCommand());
  Commands.push_back(makeConfigCommand());
  Commands.push_back(makeCacheCommand());
  Commands.push_back(makeLspCommand());
  Commands.push_back(makeHelpCommand(Commands));
  for (const auto &Command : Commands)
    Command->addCommonOptions();
}

/// Complains of all options that are wrong.
bool areGood(llvm::ArrayRef<std::string> Words, Subcommand &Command) {
  std::vector<std::string> Wrong = wrongOptions(Words.drop_front(2), describe(Command));
  for (const std::string &Each : Wrong)
    complain(llvm::createStringError(Each));
  if (!Wrong.empty())
    llvm::WithColor::note(llvm::errs(), "opsig")
        << "`opsig help " << Command.words() << "` lists its options\n";
  return Wrong.empty();
}

/// A file that is opened would become standard error where that is closed, and be written to.
void occupyStandardStreams() {
  for (int Descriptor : {STDIN_FILENO, STDERR_FILENO})
    if (fcntl(Descriptor, F_GETFD) < 0 && errno == EBADF) {
      int Null = open("/dev/null", O_RDWR);
      if (Null >= 0 && Null != Descriptor) {
        dup2(Null, Descriptor);
        close(Null);
      }
    }
}

/// \p Status, but where what was printed has not arrived.
int finished(int Status) {
  if (llvm::Error Err = finishOutput()) {
    complain(std::move(Err));
    Status = ExitUnusable;
  }
  // Who does not want to hear of the run gets its findings and its status all the same.
  llvm::errs().flush();
  llvm::errs().clear_error();
  return Status;
}

/// The reading does not come back, and what others have found cannot be printed from here.
void endHanging(const HardFiles &Files, llvm::StringRef File, llvm::StringRef Why) {
  startAgain(Files);
  complain(llvm::createStringError("cannot read '" + File + "': it " + Why +
                                   " and cannot be stopped, so no findings were reported"));
  std::_Exit(ExitUnusable);
}

} // namespace

int main(int Argc, const char **Argv) {
  occupyStandardStreams();
  // After a crash LLVM would run the llvm-symbolizer that it finds.
  setenv("LLVM_DISABLE_SYMBOLIZATION", "1", /*overwrite=*/1);
  // Never destroyed: at its end it would walk through what a crash of Clang left behind on a stack
  // that is gone, such as timers that still run.
  alignas(llvm::InitLLVM) static char Room[sizeof(llvm::InitLLVM)];
  new (Room) llvm::InitLLVM(Argc, Argv);
  // LLVM would end the program. Whoever writes gets an error as well, as where a disk is full.
  std::signal(SIGXFSZ, SIG_IGN);
  boundRunTime(DefaultRunSeconds);
  endHangingReadings(endHanging);
  rememberRun(Argv);
  Subcommands Commands;
  makeCommands(Commands);
  std::vector<std::string> Words = joinSubcommandWords({Argv, static_cast<size_t>(Argc)});
  std::vector<std::string> AfterDashes = takeAfterDashes(Words);
  bool IsBare = Words.size() == 1 || (Words.size() == 2 && Words[1] == "gen");
  if (llvm::is_contained(Words, "--version")) {
    printVersion(llvm::outs());
    return finished(ExitClean);
  }
  askForHelp(Words);
  Subcommand *Chosen = find(Commands, Words[1]);
  if (!Chosen) { // which help says, too
    Words = {Words[0], "help", Words[1]};
    Chosen = Commands.back().get();
  }
  Chosen->adaptWords(Words);
  if (!areGood(Words, *Chosen))
    return ExitUnusable;
  std::vector<const char *> Pointers;
  for (const std::string &Word : Words)
    Pointers.push_back(Word.c_str());
  if (!llvm::cl::ParseCommandLineOptions(Pointers.size(), Pointers.data(), "", &llvm::errs()))
    return ExitUnusable;
  useColors(Chosen->colorWhen());
  Chosen->recordWords({Words.begin() + 1, Words.end()});
  int Status = Chosen->run(AfterDashes);
  return finished(IsBare ? ExitUnusable : Status);
}
