//===- HelpText.cpp - Help in a terminal ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Terminal.h"
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

void printOverview(llvm::raw_ostream &OS, llvm::ArrayRef<CommandText> Commands, unsigned Columns) {
  OS << "Keeps PyTorch operator schemas and C++ kernels in agreement.\n\n";
  for (const CommandText &Command : Commands)
    printRow(OS,
             "opsig " + Command.Words + (Command.Operands.empty() ? "" : " ") + Command.Operands,
             Command.What, Columns);
  OS << '\n';
  printWrapped(OS,
               "`opsig help SUBCOMMAND` lists the options of each; `opsig --version` tells the "
               "version.",
               0, Columns);
}

void printHelp(llvm::raw_ostream &OS, const CommandText &Command, unsigned Columns) {
  printWrapped(OS, "opsig " + Command.Words + " [OPTIONS] " + Command.Operands, 0, Columns);
  OS << '\n';
  printWrapped(OS, Command.What + ".", 0, Columns);
  OS << "\nOptions:\n";
  for (const OptionText &Option : Command.Options) {
    if (!Option.IsListed)
      continue;
    printRow(OS, Option.usage(), Option.What, Columns);
    for (const ChoiceText &Choice : Option.Choices)
      printRow(OS, Choice.Name, Choice.What, Columns, /*Indent=*/6);
  }
}

} // namespace opsig
