//===- ManPage.cpp - Help as man pages --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "help/HelpTables.h"
#include "help/ManPage.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace opsig {

/// Text in which nothing is a request: dashes that can be copied, backslashes and a first dot or
/// quote that are meant.
static std::string escaped(llvm::StringRef Text) {
  std::string Out = Text.starts_with(".") || Text.starts_with("'") ? "\\&" : "";
  for (char C : Text) {
    if (C == '\\')
      Out += "\\e";
    else if (C == '-')
      Out += "\\-";
    else if (C == '\'')
      Out += "\\(aq";
    else if (C == '`')
      Out += "\\(ga";
    else
      Out += C;
  }
  return Out;
}

static std::string pageName(const CommandText &Command) {
  std::string Name = "opsig-" + Command.Words;
  llvm::replace(Name, ' ', '-');
  return Name;
}

static void printHead(llvm::raw_ostream &OS, llvm::StringRef Name, llvm::StringRef What) {
  OS << ".TH " << Name.upper() << " 1 \"\" \"opsig " OPSIG_VERSION "\" \"User Commands\"\n"
     << ".SH NAME\n"
     << escaped(Name) << " \\- " << escaped(What) << "\n.SH SYNOPSIS\n";
}

static void printStatus(llvm::raw_ostream &OS, llvm::StringRef Findings) {
  OS << ".SH EXIT STATUS\n.TP\n0\n" << escaped(CleanStatus) << "\n";
  if (!Findings.empty())
    OS << ".TP\n1\n" << escaped(Findings) << "\n";
  OS << ".TP\n2\n" << escaped(UnusableStatus) << "\n";
}

static void printExamples(llvm::raw_ostream &OS, llvm::StringRef Words) {
  if (helpExamples(Words).empty())
    return;
  OS << ".SH EXAMPLES\n";
  for (const HelpExample &Example : helpExamples(Words))
    OS << ".TP\n.B " << escaped(Example.Command) << "\n" << escaped(Example.What) << "\n";
}

void printManPage(llvm::raw_ostream &OS, llvm::ArrayRef<CommandText> Commands) {
  printHead(OS, "opsig", "keeps PyTorch operator schemas and kernels in agreement");
  OS << ".B opsig\n.I SUBCOMMAND\n[\\fIOPTION\\fR...]\n.SH SUBCOMMANDS\n";
  for (const CommandText &Command : Commands)
    OS << ".TP\n.B " << escaped("opsig " + Command.Words) << "\n"
       << escaped(Command.What) << ".\nSee \\fB" << escaped(pageName(Command)) << "\\fR(1).\n";
  printExamples(OS, "");
  printStatus(OS, "findings were reported");
}

static void printOption(llvm::raw_ostream &OS, const OptionText &Option) {
  OS << ".TP\n.B " << escaped(Option.usage()) << "\n" << escaped(Option.What) << "\n";
  if (Option.Choices.empty())
    return;
  OS << ".RS\n";
  for (const ChoiceText &Choice : Option.Choices)
    OS << ".TP\n.B " << escaped(Choice.Name) << "\n" << escaped(Choice.What) << "\n";
  OS << ".RE\n";
}

void printManPage(llvm::raw_ostream &OS, const CommandText &Command) {
  printHead(OS, pageName(Command), Command.What);
  OS << ".B " << escaped("opsig " + Command.Words) << "\n[\\fIOPTION\\fR...]\n";
  if (!Command.Operands.empty())
    OS << escaped(Command.Operands) << "\n";
  OS << ".SH OPTIONS\n";
  for (const OptionGroup &Group : Command.groups()) {
    OS << ".SS " << escaped(Group.Title) << "\n";
    for (const OptionText *Option : Group.Options)
      printOption(OS, *Option);
  }
  printExamples(OS, Command.Words);
  printStatus(OS, findingsStatus(Command.Words));
  OS << ".SH SEE ALSO\n\\fBopsig\\fR(1)\n";
}

} // namespace opsig
