//===- main.cpp - opsig -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Subcommands.h"
#include "check/CheckOutput.h"
#include "opsig/Support/Diagnostic.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"
#include <new>

using namespace opsig;

namespace {

void printVersion(llvm::raw_ostream &OS) { OS << "opsig " OPSIG_VERSION "\n"; }

constexpr llvm::StringLiteral Overview =
    "Keeps PyTorch operator schemas and C++ kernels in agreement.\n\n"
    "  opsig show (OP... | --all)           the signatures an operator has in every convention\n"
    "  opsig check FILE... [-- FLAGS]       kernels against schemas\n"
    "  opsig sync FILE... [-- FLAGS]        rewrites headers and sources until they agree\n"
    "  opsig gen aten --install_dir DIR     what torchgen.gen writes for PyTorch's own build\n"
    "  opsig gen backend --source_yaml YAML --output_dir DIR\n"
    "                                       declarations, wrappers and registrations of a "
    "backend\n"
    "  opsig gen python NATIVE TAGS OUT AUTOGRAD_DIR\n"
    "                                       the Python bindings of PyTorch's own build\n"
    "  opsig explain (ID... | --list)       what a finding means, and all that there are\n\n"
    "opsig SUBCOMMAND --help lists the options of each.\n";

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

/// llvm::cl itself would go on and list the options of all of LLVM.
int refuseSubcommand(const Subcommands &Commands, llvm::StringRef Word) {
  std::vector<llvm::StringRef> Known;
  for (const auto &Command : Commands)
    Known.push_back(Command->words());
  std::string Spoken = Word.starts_with("gen-") ? "gen " + Word.drop_front(4).str() : Word.str();
  llvm::WithColor::error(llvm::errs(), "opsig")
      << "'" << Spoken << "' is no subcommand" << didYouMean(Spoken, Known)
      << " (there are: " << llvm::join(Known, ", ") << ")\n";
  return ExitUnusable;
}

/// \p Status, but where what was printed has not arrived.
int finished(int Status) {
  llvm::Error Err = finishOutput();
  if (!Err)
    return Status;
  complain(std::move(Err));
  return ExitUnusable;
}

} // namespace

int main(int Argc, const char **Argv) {
  // Never destroyed: at its end it would walk through what a crash of Clang left behind on a stack
  // that is gone, such as timers that still run.
  alignas(llvm::InitLLVM) static char Room[sizeof(llvm::InitLLVM)];
  new (Room) llvm::InitLLVM(Argc, Argv);
  Subcommands Commands;
  Commands.push_back(makeShowCommand());
  Commands.push_back(makeCheckCommand());
  Commands.push_back(makeSyncCommand());
  Commands.push_back(makeGenAtenCommand());
  Commands.push_back(makeGenBackendCommand());
  Commands.push_back(makeGenPythonCommand());
  Commands.push_back(makeExplainCommand());

  std::vector<std::string> Words = joinSubcommandWords({Argv, static_cast<size_t>(Argc)});
  std::vector<std::string> AfterDashes = takeAfterDashes(Words);
  if (Words.size() == 2 && Words[1] == "--version") {
    printVersion(llvm::outs());
    return finished(ExitClean);
  }
  if (Words.size() == 1 || Words[1] == "--help" || Words[1] == "-h" || Words[1] == "help") {
    llvm::outs() << Overview;
    return finished(Words.size() == 1 ? ExitUnusable : ExitClean);
  }

  Subcommand *Chosen = find(Commands, Words[1]);
  if (!Chosen)
    return refuseSubcommand(Commands, Words[1]);
  Chosen->adaptWords(Words);
  std::vector<const char *> Pointers;
  for (const std::string &Word : Words)
    Pointers.push_back(Word.c_str());
  llvm::cl::SetVersionPrinter(printVersion);
  if (!llvm::cl::ParseCommandLineOptions(Pointers.size(), Pointers.data(), "", &llvm::errs()))
    return ExitUnusable;
  return finished(Chosen->run(AfterDashes));
}
