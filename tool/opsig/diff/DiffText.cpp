//===- DiffText.cpp - Diffs as text and as Markdown -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Terminal.h"
#include "diff/DiffReport.h"
#include "opsig/Support/SafeText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

namespace opsig {

//===-- text ----------------------------------------------------------------===//

static void printItem(llvm::raw_ostream &OS, const DiffItem &Item, unsigned Columns) {
  OS << "  " << safeLineStart(Item.Head);
  if (!Item.Remark.empty())
    OS << "  (" << safeText(Item.Remark) << ')';
  OS << '\n';
  for (const std::string &Line : Item.Lines)
    OS << "      " << safeLineStart(Line) << '\n';
  for (const DiffPair &Pair : Item.Pairs) {
    if (!Pair.From.empty())
      OS << llvm::formatv("    - {0,-16} {1}\n", Pair.Label, safeText(Pair.From));
    if (!Pair.To.empty())
      OS << llvm::formatv("    + {0,-16} {1}\n", Pair.Label, safeText(Pair.To));
  }
  if (!Item.Names.empty()) {
    OS << "      ";
    printWrapped(OS, safeLineStart(llvm::join(Item.Names, " ")), 6, Columns, 6);
  }
}

void printDiffText(llvm::raw_ostream &OS, const DiffReport &Report, unsigned Columns) {
  OS << Report.Title << "\n- " << safeText(Report.Old) << "\n+ " << safeText(Report.New) << '\n';
  for (const DiffSection &Section : Report.Sections) {
    OS << '\n' << Section.Title;
    if (!Section.Intro.empty())
      OS << ": " << Section.Intro;
    OS << '\n';
    for (const DiffItem &Item : Section.Items)
      printItem(OS, Item, Columns);
  }
}

//===-- Markdown ------------------------------------------------------------===//

/// Names and types are code; the words around them are not.
static std::string headText(const DiffItem &Item) {
  bool IsSentence = !Item.Names.empty();
  return IsSentence ? Item.Head : markdownCode(Item.Head);
}

static void printMarkdown(llvm::raw_ostream &OS, const DiffItem &Item) {
  OS << "- " << headText(Item);
  if (!Item.Remark.empty())
    OS << " (" << safeText(Item.Remark) << ')';
  OS << '\n';
  for (const std::string &Line : Item.Lines)
    OS << "  - " << safeText(Line) << '\n';
  if (!Item.Pairs.empty()) {
    OS << "\n  ```diff\n";
    for (const DiffPair &Pair : Item.Pairs) {
      if (!Pair.From.empty())
        OS << "  - " << Pair.Label << ": " << safeText(Pair.From) << '\n';
      if (!Pair.To.empty())
        OS << "  + " << Pair.Label << ": " << safeText(Pair.To) << '\n';
    }
    OS << "  ```\n\n";
  }
  if (!Item.Names.empty()) {
    std::vector<std::string> Names;
    for (const std::string &Name : Item.Names)
      Names.push_back(markdownCode(Name));
    OS << "  " << llvm::join(Names, ", ") << '\n';
  }
}

void printDiffMarkdown(llvm::raw_ostream &OS, const DiffReport &Report) {
  OS << "# " << Report.Title << "\n\n"
     << "Old: " << markdownCode(Report.Old) << "  \nNew: " << markdownCode(Report.New) << "\n";
  for (const DiffSection &Section : Report.Sections) {
    OS << "\n## " << Section.Title << "\n\n";
    if (!Section.Intro.empty())
      OS << Section.Intro << "\n\n";
    for (const DiffItem &Item : Section.Items)
      printMarkdown(OS, Item);
  }
  OS << '\n' << Report.Counts << '\n';
}

} // namespace opsig
