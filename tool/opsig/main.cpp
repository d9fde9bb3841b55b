//===- main.cpp - opsig -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Subcommands.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

using namespace opsig;

namespace {

void printVersion(llvm::raw_ostream &OS) { OS << "opsig " OPSIG_VERSION "\n"; }

constexpr llvm::StringLiteral Overview =
    "Keeps PyTorch operator schemas and C++ kernels in agreement.\n\n"
    "  opsig show (OP... | --all)           the signatures an operator has in every convention\n"
    "  opsig check FILE... [-- FLAGS]       kernels against schemas\n"
    "  opsig gen aten --install_dir DIR     what torchgen.gen writes for PyTorch's own build\n"
    "  opsig gen backend --source_yaml YAML --output_dir DIR\n"
    "                                       declarations, wrappers and registrations of a "
    "backend\n\n"
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

} // namespace

int main(int Argc, const char **Argv) {
  llvm::InitLLVM Init(Argc, Argv);
  std::vector<std::unique_ptr<Subcommand>> Commands;
  Commands.push_back(makeShowCommand());
  Commands.push_back(makeCheckCommand());
  Commands.push_back(makeGenAtenCommand());
  Commands.push_back(makeGenBackendCommand());

  std::vector<std::string> Words = joinSubcommandWords({Argv, static_cast<size_t>(Argc)});
  std::vector<std::string> AfterDashes = takeAfterDashes(Words);
  if (Words.size() == 2 && Words[1] == "--version") {
    printVersion(llvm::outs());
    return ExitClean;
  }
  if (Words.size() == 1 || Words[1] == "--help" || Words[1] == "-h" || Words[1] == "help") {
    llvm::outs() << Overview;
    return Words.size() == 1 ? ExitUnusable : ExitClean;
  }

  for (const auto &Command : Commands)
    if (dashed(Command->words()) == Words[1])
      Command->adaptWords(Words);
  std::vector<const char *> Pointers;
  for (const std::string &Word : Words)
    Pointers.push_back(Word.c_str());
  llvm::cl::SetVersionPrinter(printVersion);
  if (!llvm::cl::ParseCommandLineOptions(Pointers.size(), Pointers.data(), "", &llvm::errs()))
    return ExitUnusable;
  for (const auto &Command : Commands)
    if (Command->chosen())
      return Command->run(AfterDashes);
  llvm::errs() << "opsig: '" << Words[1] << "' is no subcommand; see opsig --help\n";
  return ExitUnusable;
}
