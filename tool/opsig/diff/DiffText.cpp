//===- DiffText.cpp - Diffs as text and as Markdown -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Terminal.h"
#include "diff/DiffReport.h"
#include "diff/DiffWords.h"
#include "opsig/Support/SafeText.h"
#include "opsig/Support/TextLayout.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

namespace opsig {

//===-- text ----------------------------------------------------------------===//

namespace {

class TextPrinter {
public:
  TextPrinter(llvm::raw_ostream &OS, unsigned Columns)
      : OS(OS), Columns(Columns), Style(styleOf(OS)) {}

  void print(const DiffItem &Item) {
    OS << "  " << Style.code(safeLineStart(Item.Head));
    if (!Item.Remark.empty())
      OS << "  (" << safeText(Item.Remark) << ')';
    OS << '\n';
    for (const std::string &Line : Item.Lines)
      OS << "      " << safeLineStart(Line) << '\n';
    for (const DiffPair &Pair : Item.Pairs)
      print(Pair);
    if (!Item.Names.empty()) {
      OS << "      ";
      printWrapped(OS, safeLineStart(llvm::join(Item.Names, " ")), 6, Columns, 6);
    }
  }

  const TextStyle &style() const { return Style; }

private:
  void print(const DiffPair &Pair) {
    // Both are made safe first: what is marked must be what is shown.
    std::string From = safeText(Pair.From), To = safeText(Pair.To);
    auto [Old, New] = changedWords(From, To);
    printSide('-', Pair.Label, Old);
    printSide('+', Pair.Label, New);
  }

  void printSide(char Sign, llvm::StringRef Label, llvm::ArrayRef<DiffWord> Words) {
    if (Words.empty())
      return;
    auto Marked = [&](llvm::StringRef Text, bool Changed = false) {
      return Sign == '-' ? Style.removed(Text, Changed) : Style.added(Text, Changed);
    };
    OS << "    " << Marked(std::string(1, Sign)) << llvm::formatv(" {0,-16} ", Label);
    for (const DiffWord &Word : Words)
      OS << Marked(Word.Text, Word.Changed);
    OS << '\n';
  }

  llvm::raw_ostream &OS;
  unsigned Columns;
  TextStyle Style;
};

} // namespace

void printDiffText(llvm::raw_ostream &OS, const DiffReport &Report, unsigned Columns) {
  TextPrinter Printer(OS, Columns);
  const TextStyle &Style = Printer.style();
  OS << Style.strong(Report.Title) << '\n'
     << Report.Counts << "\n- " << safeText(Report.Old) << "\n+ " << safeText(Report.New) << '\n';
  for (const DiffSection &Section : Report.Sections) {
    OS << '\n' << Style.strong(Section.Title);
    if (!Section.Intro.empty())
      OS << ": " << Section.Intro;
    OS << '\n';
    for (const DiffItem &Item : Section.Items)
      Printer.print(Item);
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
     << Report.Counts << ".\n\n"
     << "Old: " << markdownCode(Report.Old) << "  \nNew: " << markdownCode(Report.New) << "\n";
  for (const DiffSection &Section : Report.Sections) {
    OS << "\n## " << Section.Title << "\n\n";
    if (!Section.Intro.empty())
      OS << Section.Intro << "\n\n";
    for (const DiffItem &Item : Section.Items)
      printMarkdown(OS, Item);
  }
}

} // namespace opsig
