//===- HelpText.cpp - Help in a terminal ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Terminal.h"
#include "help/HelpTables.h"
#include "help/HelpText.h"

namespace opsig {

/// Where explanations begin; longer names have a line of their own.
static constexpr unsigned NameColumns = 28;

/// "  NAME      WHAT".
static void printRow(llvm::raw_ostream &OS, llvm::StringRef Name, llvm::StringRef What,
                     unsigned Columns, unsigned Indent = 2) {
  unsigned At = Indent + Name.size();
  if (At > Columns) {
    printWrapped(OS, Name, Indent, Columns);
    At = 0;
  } else {
    OS.indent(Indent) << Name;
    if (At + 2 > NameColumns) {
      OS << '\n';
      At = 0;
    }
  }
  printWrapped(OS, What, NameColumns, Columns, At);
}

/// "  COMMAND" and below it, further in, what it does.
static void printExamples(llvm::raw_ostream &OS, llvm::StringRef Title,
                          llvm::ArrayRef<HelpExample> Examples, unsigned Columns) {
  if (Examples.empty())
    return;
  OS << styleOf(OS).strong(Title) << ":\n";
  for (const HelpExample &Example : Examples) {
    printWrapped(OS, Example.Command, 2, Columns);
    printWrapped(OS, Example.What, 6, Columns);
  }
  OS << '\n';
}

static void printStatus(llvm::raw_ostream &OS, const CommandText &Command, unsigned Columns) {
  OS << styleOf(OS).strong("Exit status") << ":\n";
  printRow(OS, "0", CleanStatus, Columns);
  if (llvm::StringRef Findings = findingsStatus(Command.Words); !Findings.empty())
    printRow(OS, "1", Findings, Columns);
  printRow(OS, "2", UnusableStatus, Columns);
}

void printOverview(llvm::raw_ostream &OS, llvm::ArrayRef<CommandText> Commands, bool IsAll,
                   unsigned Columns) {
  OS << "Keeps PyTorch operator schemas and kernels in agreement.\n\n";
  if (IsAll)
    printExamples(OS, "Start here", helpExamples(""), Columns);
  OS << styleOf(OS).strong("Subcommands") << ":\n";
  for (const CommandText &Command : Commands)
    printRow(OS,
             "opsig " + Command.Words + (Command.Operands.empty() ? "" : " ") + Command.Operands,
             Command.What, Columns);
  OS << '\n';
  printWrapped(OS,
               "`opsig help SUBCOMMAND` lists the options of a subcommand; `opsig --version` "
               "prints the version.",
               0, Columns);
  if (std::string Home = documentationHome(); !Home.empty())
    printWrapped(OS, "Documentation: " + Home, 0, Columns);
}

static void printOption(llvm::raw_ostream &OS, const OptionText &Option, unsigned Columns) {
  printRow(OS, Option.usage(), Option.What, Columns);
  for (const ChoiceText &Choice : Option.Choices)
    printRow(OS, Choice.Name, Choice.What, Columns, /*Indent=*/6);
}

void printHelp(llvm::raw_ostream &OS, const CommandText &Command, unsigned Columns) {
  printWrapped(OS, "opsig " + Command.Words + " [OPTIONS] " + Command.Operands, 0, Columns);
  OS << '\n';
  printWrapped(OS, Command.What + ".", 0, Columns);
  OS << '\n';
  printExamples(OS, "Examples", helpExamples(Command.Words), Columns);
  for (const OptionGroup &Group : Command.groups()) {
    OS << styleOf(OS).strong(Group.Title) << ":\n";
    for (const OptionText *Option : Group.Options)
      printOption(OS, *Option, Columns);
    OS << '\n';
  }
  printStatus(OS, Command, Columns);
}

} // namespace opsig
