//===- CheckList.cpp - All checks, in a list --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Terminal.h"
#include "explain/CheckList.h"
#include "opsig/Report/RulePages.h"
#include "opsig/Report/Selection.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

namespace opsig {

namespace {

CheckRow rowOf(FindingId Id) {
  static const CheckGlobs Defaults(DefaultChecks);
  std::string Name = checkName(Id);
  bool On = Defaults.contains(Name);
  return {Id, std::move(Name), findingLevel(Id), On, isFixable(Id), firstParagraph(rulePage(Id))};
}

/// What a reader has to know of a check before he meets it: "warning, off, fix".
std::string remarks(const CheckRow &Row) {
  std::string Text = levelName(Row.Severity).str();
  if (!Row.OnByDefault)
    Text += ", off";
  if (Row.Fixed)
    Text += ", fix";
  return Text;
}

} // namespace

std::vector<CheckGroup> listChecks(llvm::ArrayRef<std::string> Globs) {
  std::vector<CheckGroup> Groups;
  for (const FindingGroup &From : findingGroups()) {
    CheckGroup Group{From.Title, From.Commands, {}};
    for (FindingId Id : From.Ids) {
      std::string Name = checkName(Id);
      if (Globs.empty() ||
          llvm::any_of(Globs, [&](llvm::StringRef Glob) { return globMatches(Glob, Name); }))
        Group.Rows.push_back(rowOf(Id));
    }
    if (!Group.Rows.empty())
      Groups.push_back(std::move(Group));
  }
  return Groups;
}

void printText(llvm::raw_ostream &OS, llvm::ArrayRef<CheckGroup> Groups, unsigned Columns) {
  const TextStyle Style = styleOf(OS);
  llvm::StringRef Between = "";
  for (const CheckGroup &Group : Groups) {
    OS << Between;
    std::string Commands = ("(" + Group.Commands + ")").str();
    bool Fits = Group.Title.size() + 1 + Commands.size() <= Columns;
    OS << Style.strong(Group.Title) << (Fits ? " " : "\n");
    printWrapped(OS, Commands, /*Indent=*/0, Columns, Fits ? Group.Title.size() + 1 : 0);
    Between = "\n";
    for (const CheckRow &Row : Group.Rows) {
      OS << "  " << Style.check(Row.Id) << " (" << remarks(Row) << ")\n";
      printProse(OS, Row.Summary, /*Indent=*/6, Columns);
    }
  }
}

void printJson(llvm::raw_ostream &OS, llvm::ArrayRef<CheckGroup> Groups) {
  for (const CheckGroup &Group : Groups)
    for (const CheckRow &Row : Group.Rows)
      OS << llvm::json::Value(llvm::json::Object{{"id", Row.Name},
                                                 {"level", levelName(Row.Severity)},
                                                 {"default", Row.OnByDefault},
                                                 {"fix", Row.Fixed},
                                                 {"group", Group.Title},
                                                 {"commands", Group.Commands},
                                                 {"summary", Row.Summary}})
         << '\n';
}

void printMarkdown(llvm::raw_ostream &OS, llvm::ArrayRef<CheckGroup> Groups) {
  OS << "# What opsig reports\n\n"
        "Each check has a page, which `opsig explain ID` prints. "
        "A check that is *off* runs only if `--checks` names it.\n"
        "If *fix* is `yes`, `opsig check --fix` corrects the code where the correction is "
        "certain.\n"
        "`opsig explain --list` prints a summary of each check.\n";
  for (const CheckGroup &Group : Groups) {
    OS << "\n## " << Group.Title << "\n\nReported by: " << Group.Commands << ".\n\n"
       << "| check | level | fix |\n|---|---|---|\n";
    for (const CheckRow &Row : Group.Rows)
      OS << "| [" << Row.Name << "](" << llvm::StringRef(Row.Name).substr(6) << ".md) | "
         << levelName(Row.Severity) << (Row.OnByDefault ? "" : ", off") << " | "
         << (Row.Fixed ? "yes" : "") << " |\n";
  }
}

} // namespace opsig
