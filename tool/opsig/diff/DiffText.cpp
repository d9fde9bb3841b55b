//===- DiffText.cpp - Diffs as text and as Markdown -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Terminal.h"
#include "diff/DiffReport.h"
#include "opsig/Support/Counted.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

namespace opsig {

//===-- text ----------------------------------------------------------------===//

static void printItem(llvm::raw_ostream &OS, const DiffItem &Item, unsigned Columns) {
  OS << "  " << Item.Head;
  if (!Item.Remark.empty())
    OS << "  (" << Item.Remark << ')';
  OS << '\n';
  for (const std::string &Line : Item.Lines)
    OS << "      " << Line << '\n';
  for (const DiffPair &Pair : Item.Pairs) {
    if (!Pair.From.empty())
      OS << llvm::formatv("    - {0,-16} {1}\n", Pair.Label, Pair.From);
    if (!Pair.To.empty())
      OS << llvm::formatv("    + {0,-16} {1}\n", Pair.Label, Pair.To);
  }
  if (!Item.Names.empty()) {
    OS << "      ";
    printWrapped(OS, llvm::join(Item.Names, " "), 6, Columns, 6);
  }
}

void printDiffText(llvm::raw_ostream &OS, const DiffReport &Report, unsigned Columns) {
  OS << Report.Title << "\n- " << Report.Old << "\n+ " << Report.New << '\n';
  for (const DiffSection &Section : Report.Sections) {
    OS << '\n' << Section.Title;
    if (!Section.Intro.empty())
      OS << ": " << Section.Intro;
    OS << '\n';
    for (const DiffItem &Item : Section.Items)
      printItem(OS, Item, Columns);
  }
}

static std::string orphanText(const OrphanedKernel &K, const ReleaseDiff &Diff) {
  const NativeFunction *New = Diff.newOf(*K.Function);
  std::string Text =
      "'" + K.Kernel + "' is the kernel of '" + K.Function->Schema.Name.str() + "', which is ";
  return Text + (New ? "called '" + New->Schema.Name.str() + "' now" : "gone");
}

static std::string spelledText(size_t Count) {
  return counted(Count, "finding") + (Count == 1 ? " is" : " are") +
         " not shown: there only the spelling of a type changes (see Everywhere)";
}

void printKernelsText(llvm::raw_ostream &OS, const DiffOutcome &Outcome) {
  const UpgradeFindings &Kernels = *Outcome.Kernels;
  OS << "\nKernels in the given files: " << counted(Kernels.Compared, "operator")
     << " compared with both releases\n";
  const PrintOptions Options = printOptions(OS);
  for (const OrphanedKernel &K : Kernels.Orphaned)
    OS << Options.shown(Outcome.OldFiles->name(K.At.File)) << ':' << K.At.Line << ':' << K.At.Column
       << ": " << orphanText(K, Outcome.Release) << '\n';
  for (const Diagnostic &D : Kernels.Changed.all())
    printText(OS, D, *Outcome.NewFiles, Options);
  if (Kernels.SpelledOtherwise)
    OS << spelledText(Kernels.SpelledOtherwise) << '\n';
}

//===-- Markdown ------------------------------------------------------------===//

/// As code, whatever is in it.
static std::string code(llvm::StringRef Text) {
  llvm::StringRef Ticks = Text.contains('`') ? "``" : "`";
  return (Ticks + Text + Ticks).str();
}

/// Names and types are code; the words around them are not.
static std::string headText(const DiffItem &Item) {
  bool IsSentence = !Item.Names.empty();
  return IsSentence ? Item.Head : code(Item.Head);
}

static void printMarkdown(llvm::raw_ostream &OS, const DiffItem &Item) {
  OS << "- " << headText(Item);
  if (!Item.Remark.empty())
    OS << " (" << Item.Remark << ')';
  OS << '\n';
  for (const std::string &Line : Item.Lines)
    OS << "  - " << Line << '\n';
  if (!Item.Pairs.empty()) {
    OS << "\n  ```diff\n";
    for (const DiffPair &Pair : Item.Pairs) {
      if (!Pair.From.empty())
        OS << "  - " << Pair.Label << ": " << Pair.From << '\n';
      if (!Pair.To.empty())
        OS << "  + " << Pair.Label << ": " << Pair.To << '\n';
    }
    OS << "  ```\n\n";
  }
  if (!Item.Names.empty()) {
    std::vector<std::string> Names;
    for (const std::string &Name : Item.Names)
      Names.push_back(code(Name));
    OS << "  " << llvm::join(Names, ", ") << '\n';
  }
}

void printDiffMarkdown(llvm::raw_ostream &OS, const DiffReport &Report) {
  OS << "# " << Report.Title << "\n\n"
     << "Old: " << code(Report.Old) << "  \nNew: " << code(Report.New) << "\n";
  for (const DiffSection &Section : Report.Sections) {
    OS << "\n## " << Section.Title << "\n\n";
    if (!Section.Intro.empty())
      OS << "This is " << Section.Intro << ".\n\n";
    for (const DiffItem &Item : Section.Items)
      printMarkdown(OS, Item);
  }
}

void printKernelsMarkdown(llvm::raw_ostream &OS, const DiffOutcome &Outcome) {
  const UpgradeFindings &Kernels = *Outcome.Kernels;
  const PrintOptions Options = printOptions(OS);
  OS << "\n## Kernels in the given files\n\n"
     << counted(Kernels.Compared, "operator") << " compared with both releases.\n\n";
  auto Print = [&](Place At, const SourceFiles &Files, llvm::StringRef Text) {
    OS << "- " << code((Options.shown(Files.name(At.File)) + ":" + llvm::Twine(At.Line)).str())
       << ": " << Text << '\n';
  };
  for (const OrphanedKernel &K : Kernels.Orphaned)
    Print(K.At, *Outcome.OldFiles, orphanText(K, Outcome.Release));
  for (const Diagnostic &D : Kernels.Changed.all())
    Print(D.At, *Outcome.NewFiles, D.Message);
  if (Kernels.SpelledOtherwise)
    OS << "\n" << spelledText(Kernels.SpelledOtherwise) << ".\n";
}

} // namespace opsig
