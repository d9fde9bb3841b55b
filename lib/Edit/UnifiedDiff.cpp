//===- UnifiedDiff.cpp - edits as a patch -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The edits are known, so that no common lines have to be searched for: each is widened to whole
// lines, then lines that it leaves as they are are taken off both ends.
//
//===----------------------------------------------------------------------===//
#include "opsig/Edit/UnifiedDiff.h"
#include "opsig/Support/SafeText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"
#include <vector>

using namespace opsig;
using namespace llvm;
using clang::tooling::Replacement;
using clang::tooling::Replacements;

namespace {

constexpr size_t ContextLines = 3;

/// Each line with its line break.
std::vector<StringRef> linesOf(StringRef Text) {
  std::vector<StringRef> Lines;
  while (!Text.empty()) {
    size_t Length = std::min(Text.find('\n'), Text.size() - 1) + 1;
    Lines.push_back(Text.take_front(Length));
    Text = Text.drop_front(Length);
  }
  return Lines;
}

/// Lines [First, First + Old) of the text before become New.
struct Change {
  size_t First;
  size_t Old;
  std::vector<std::string> New;
};

class DiffPrinter {
public:
  DiffPrinter(StringRef Before, const Replacements &Edits);
  void print(raw_ostream &OS, StringRef Path) const;

private:
  size_t lineAt(size_t Offset) const {
    return size_t(upper_bound(Starts, Offset) - Starts.begin()) - 1;
  }
  void add(size_t First, size_t Last, StringRef NewText);
  void printHunk(raw_ostream &OS, ArrayRef<Change> Hunk, ptrdiff_t Shift) const;
  static void printLine(raw_ostream &OS, char Mark, StringRef Line);

  std::vector<StringRef> Lines;
  std::vector<size_t> Starts; ///< of each line, and of the end
  std::vector<Change> Changes;
};

DiffPrinter::DiffPrinter(StringRef Before, const Replacements &Edits) : Lines(linesOf(Before)) {
  size_t Offset = 0;
  for (StringRef Line : Lines) {
    Starts.push_back(Offset);
    Offset += Line.size();
  }
  // What is added behind a last line that has no line break belongs to that line.
  if (Before.empty() || Before.ends_with("\n"))
    Starts.push_back(Before.size());
  for (auto It = Edits.begin(); It != Edits.end();) {
    size_t First = std::min(lineAt(It->getOffset()), Lines.size());
    size_t Begin = First < Lines.size() ? Starts[First] : Before.size();
    size_t At = Begin, Last = First;
    std::string Text;
    // All edits whose lines touch.
    do {
      Text += Before.slice(At, It->getOffset());
      Text += It->getReplacementText();
      At = It->getOffset() + It->getLength();
      // An edit that ends in front of a line's first character takes nothing of it.
      Last = At < Before.size() ? lineAt(At) + 1 : Lines.size();
      ++It;
    } while (It != Edits.end() && lineAt(It->getOffset()) < Last);
    size_t End = Last < Lines.size() ? Starts[Last] : Before.size();
    Text += Before.slice(At, End);
    add(First, Last, Text);
  }
}

void DiffPrinter::add(size_t First, size_t Last, StringRef NewText) {
  std::vector<StringRef> New = linesOf(NewText);
  size_t Front = 0;
  while (First + Front < Last && Front < New.size() && Lines[First + Front] == New[Front])
    ++Front;
  size_t Back = 0;
  while (First + Front + Back < Last && Front + Back < New.size() &&
         Lines[Last - 1 - Back] == New[New.size() - 1 - Back])
    ++Back;
  Change C{First + Front, Last - First - Front - Back, {}};
  for (StringRef Line : ArrayRef(New).drop_front(Front).drop_back(Back))
    C.New.push_back(Line.str());
  if (C.Old != 0 || !C.New.empty())
    Changes.push_back(std::move(C));
}

void DiffPrinter::printLine(raw_ostream &OS, char Mark, StringRef Line) {
  OS << Mark << Line;
  if (!Line.ends_with("\n"))
    OS << "\n\\ No newline at end of file\n";
}

/// "12,3": a hunk without lines is said to stand behind the line before it.
void printRange(raw_ostream &OS, size_t First, size_t Count) {
  OS << (Count == 0 ? First : First + 1);
  if (Count != 1)
    OS << ',' << Count;
}

void DiffPrinter::printHunk(raw_ostream &OS, ArrayRef<Change> Hunk, ptrdiff_t Shift) const {
  size_t First = Hunk.front().First - std::min(Hunk.front().First, ContextLines);
  size_t Last = std::min(Hunk.back().First + Hunk.back().Old + ContextLines, Lines.size());
  ptrdiff_t Growth = 0;
  for (const Change &C : Hunk)
    Growth += ptrdiff_t(C.New.size()) - ptrdiff_t(C.Old);
  OS << "@@ -";
  printRange(OS, First, Last - First);
  OS << " +";
  printRange(OS, First + Shift, Last - First + Growth);
  OS << " @@\n";
  size_t At = First;
  for (const Change &C : Hunk) {
    for (; At < C.First; ++At)
      printLine(OS, ' ', Lines[At]);
    for (; At < C.First + C.Old; ++At)
      printLine(OS, '-', Lines[At]);
    for (StringRef Line : C.New)
      printLine(OS, '+', Line);
  }
  for (; At < Last; ++At)
    printLine(OS, ' ', Lines[At]);
}

void DiffPrinter::print(raw_ostream &OS, StringRef Path) const {
  if (Changes.empty())
    return;
  std::string Name = patchName(Path);
  OS << "--- " << Name << "\n+++ " << Name << '\n';
  ptrdiff_t Shift = 0;
  for (size_t I = 0; I < Changes.size();) {
    size_t End = I + 1;
    while (End < Changes.size() &&
           Changes[End].First <= Changes[End - 1].First + Changes[End - 1].Old + 2 * ContextLines)
      ++End;
    ArrayRef<Change> Hunk = ArrayRef(Changes).slice(I, End - I);
    printHunk(OS, Hunk, Shift);
    for (const Change &C : Hunk)
      Shift += ptrdiff_t(C.New.size()) - ptrdiff_t(C.Old);
    I = End;
  }
}

} // namespace

void opsig::printUnifiedDiff(raw_ostream &OS, StringRef Path, StringRef Before,
                             const Replacements &Changes) {
  DiffPrinter(Before, Changes).print(OS, Path);
}
