//===- HelpCommand.cpp - opsig help -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nothing => an overview; a subcommand, "gen" => its options, the generators
//
//===----------------------------------------------------------------------===//
#include "SchemaInput.h"
#include "Terminal.h"
#include "help/Completion.h"
#include "help/HelpText.h"
#include "help/ManPage.h"
#include "opsig/Support/Finding.h"
#include "opsig/Support/SafeText.h"
#include "opsig/Workspace/TorchRoot.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace cl = llvm::cl;

namespace opsig {

namespace {

class HelpCommand : public Subcommand {
public:
  explicit HelpCommand(const std::vector<std::unique_ptr<Subcommand>> &Commands)
      : Commands(Commands) {}

  llvm::StringRef words() const override { return "help"; }
  llvm::StringRef operands() const override { return "[SUBCOMMAND]"; }
  cl::SubCommand &parser() override { return Sub; }
  Choices choices() override { return {{"completion", &Shell.getParser()}}; }

  int run(const std::vector<std::string> &AfterDashes) override { return statusOf(help()); }

private:
  llvm::Expected<int> help() const;
  /// Nothing is an error where a shell asks: it has no place to show it.
  void printWords() const;
  /// Those whose words begin with what was asked for.
  llvm::Expected<std::vector<CommandText>> chosen() const;

  const std::vector<std::unique_ptr<Subcommand>> &Commands;
  cl::SubCommand Sub{"help", "List the options of a subcommand, or all subcommands"};
  cl::list<std::string> Topic{cl::Positional, cl::sub(Sub), cl::desc("[SUBCOMMAND]")};
  cl::opt<bool> Man{"man", cl::sub(Sub), cl::desc("Print a man page, for man -l")};
  enum class Words { Operators, Roots };
  cl::opt<Words> WordsOf{
      "words-of", cl::sub(Sub), cl::Hidden,
      cl::desc("Print the words that a shell completes, one per line"),
      cl::values(clEnumValN(Words::Operators, "operators", "Operators of the PyTorch in use"),
                 clEnumValN(Words::Roots, "roots", "Installed copies of PyTorch"))};
  cl::opt<opsig::Shell> Shell{
      "completion", cl::sub(Sub), cl::desc("Print a completion script for a shell"),
      cl::values(
          clEnumValN(opsig::Shell::Bash, "bash", "For ~/.bashrc: source <(...)"),
          clEnumValN(opsig::Shell::Zsh, "zsh", "For a file named _opsig in $fpath"),
          clEnumValN(opsig::Shell::Fish, "fish", "For ~/.config/fish/completions/opsig.fish"))};
};

llvm::Expected<std::vector<CommandText>> HelpCommand::chosen() const {
  std::string Asked = llvm::join(Topic, " ");
  if (llvm::StringRef(Asked).starts_with("gen-")) // as it is for llvm::cl
    Asked[3] = ' ';
  std::vector<CommandText> All = describe(Commands), Found;
  std::vector<llvm::StringRef> Known;
  for (const CommandText &Command : All) {
    Known.push_back(Command.Words);
    if (Command.Words == Asked || llvm::StringRef(Command.Words).starts_with(Asked + " ") ||
        Asked.empty())
      Found.push_back(Command);
  }
  if (!Found.empty())
    return Found;
  std::string Unknown = "unknown subcommand '" + Asked + "'";
  // Users of other checkers name what is to be checked first. What looks like a file is one, even
  // if it is in another folder.
  if (llvm::sys::fs::exists(Asked) || llvm::sys::path::has_extension(Asked) ||
      llvm::StringRef(Asked).contains('/'))
    return llvm::createStringError(Unknown + "; did you mean 'opsig check " + Asked + "'?");
  // What other checkers call it.
  static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> Elsewhere[] = {
      {"fix", "opsig check --fix"},
      {"lint", "opsig check"},
      {"run", "opsig check"},
      {"scan", "opsig check"},
      {"analyze", "opsig check"},
      {"watch", "opsig check --watch"},
      {"baseline", "opsig check --write-baseline FILE"},
      {"suppress", "opsig check --add-suppressions REASON"},
      {"version", "opsig --version"},
      {"completion", "opsig help --completion bash"},
      {"man", "opsig help --man SUBCOMMAND"},
      {"checks", "opsig explain --list"},
      {"rules", "opsig explain --list"},
      {"rule", "opsig explain ID"},
  };
  for (const auto &[Word, Command] : Elsewhere)
    if (Word == Asked)
      return llvm::createStringError(Unknown + "; did you mean '" + Command + "'?");
  std::string Meant = didYouMean(Asked, Known);
  // Of `gen foo` only those that begin with the first word.
  std::string First = llvm::StringRef(Asked).split(' ').first.str() + " ";
  if (llvm::any_of(Known, [&](llvm::StringRef Words) { return Words.starts_with(First); }))
    llvm::erase_if(Known, [&](llvm::StringRef Words) { return !Words.starts_with(First); });
  return llvm::createStringError(Unknown + Meant + " (subcommands: " + llvm::join(Known, ", ") +
                                 ")");
}

void HelpCommand::printWords() const {
  if (WordsOf == Words::Roots) {
    std::vector<std::string> Notes, Searched;
    std::set<std::string> Dirs;
    for (const TorchRoot &Root : installedTorchRoots(".", Notes, Searched))
      Dirs.insert(Root.Dir);
    for (const std::string &Dir : Dirs)
      llvm::outs() << safeText(Dir) << '\n';
    return;
  }
  SourceFiles Files;
  Findings Diags;
  llvm::Expected<SchemaSource> Source = findSchemas(SchemaSettings(), ".", Files, Diags);
  if (!Source)
    return llvm::consumeError(Source.takeError());
  llvm::Expected<std::unique_ptr<LoadedSchemas>> Loaded = loadSchemas(*Source);
  if (!Loaded)
    return llvm::consumeError(Loaded.takeError());
  for (const NativeFunction &F : (*Loaded)->Ops->Functions)
    llvm::outs() << safeText(F.Schema.Name.str()) << '\n';
}

llvm::Expected<int> HelpCommand::help() const {
  if (WordsOf.getNumOccurrences()) {
    printWords();
    return ExitClean;
  }
  llvm::Expected<std::vector<CommandText>> Found = chosen();
  if (!Found)
    return Found.takeError();
  bool One = Found->size() == 1;
  if (Shell.getNumOccurrences())
    printCompletion(llvm::outs(), Shell, describe(Commands));
  else if (Man)
    One ? printManPage(llvm::outs(), Found->front()) : printManPage(llvm::outs(), *Found);
  else
    One ? printHelp(llvm::outs(), Found->front(), outputColumns())
        : printOverview(llvm::outs(), *Found, Topic.empty(), outputColumns());
  return ExitClean;
}

} // namespace

std::unique_ptr<Subcommand>
makeHelpCommand(const std::vector<std::unique_ptr<Subcommand>> &Commands) {
  return std::make_unique<HelpCommand>(Commands);
}

} // namespace opsig
