//===- Guards.cpp - edits that older releases have no use for -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "UpgradeInternal.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

/// Whole lines of a file, without the end of the last one.
struct LineRange {
  uint32_t Begin, End;
};

} // namespace

static LineRange linesOf(StringRef Text, const Fix &F) {
  size_t End = F.Offset + F.Length;
  // A line that goes as a whole has its end with it.
  if (F.Length && Text[End - 1] == '\n')
    --End;
  return {uint32_t(Text.take_front(F.Offset).rfind('\n') + 1),
          uint32_t(std::min(Text.find('\n', End), Text.size()))};
}

/// Why no directive can stand around these lines; "" if one can.
static StringRef whyNot(StringRef Text, LineRange Lines) {
  StringRef Before = Text.take_front(Lines.Begin).rtrim("\r\n");
  StringRef Inside = Text.slice(Lines.Begin, Lines.End).rtrim("\r");
  if (Before.ends_with("\\") || Inside.contains("\\\n") || Inside.contains("\\\r\n") ||
      Inside.ends_with("\\"))
    return "a macro definition cannot contain";
  std::vector<SourceToken> Tokens = tokensOf(Text.take_front(Lines.Begin));
  SmallVector<size_t> Open;
  for (size_t I = 0; I < Tokens.size(); ++I) {
    if (Tokens[I].Text == "(")
      Open.push_back(I);
    else if (Tokens[I].Text == ")" && !Open.empty())
      Open.pop_back();
  }
  auto IsMacro = [&](size_t I) {
    StringRef Name = I ? Tokens[I - 1].Text : "";
    return !Name.empty() && Name == Name.upper() && isAlpha(Name.front());
  };
  return any_of(Open, IsMacro) ? "macro arguments cannot contain" : "";
}

/// The lines with \p Fixes, which lie inside of them and overlap no other.
static std::string editedLines(StringRef Text, LineRange Lines, std::vector<Fix> Fixes) {
  llvm::sort(Fixes, [](const Fix &L, const Fix &R) { return L.Offset > R.Offset; });
  std::string Out = Text.slice(Lines.Begin, Lines.End).str();
  for (const Fix &F : Fixes)
    Out.replace(F.Offset - Lines.Begin, std::min<size_t>(F.Length, Lines.End - F.Offset), F.Text);
  return StringRef(Out).rtrim("\r").str();
}

void opsig::guardEdits(std::vector<UpgradeEdit> &Edits, const SourceFiles &Files) {
  std::vector<bool> Merged(Edits.size());
  for (size_t I = 0; I < Edits.size(); ++I) {
    UpgradeEdit &Edit = Edits[I];
    if (Edit.Guard.empty() || Merged[I] || Edit.Fixes.size() != 1)
      continue;
    SourceId File = Edit.Fixes.front().File;
    StringRef Text = Files.text(File);
    LineRange Lines = linesOf(Text, Edit.Fixes.front());
    Edit.Blocked = whyNot(Text, Lines).str();
    if (!Edit.Blocked.empty())
      continue;
    std::vector<Fix> New = Edit.Fixes, Old;
    for (size_t K = 0; K < Edits.size(); ++K) {
      const Fix &Other = Edits[K].Fixes.front();
      if (K == I || Merged[K] || Other.File != File || Other.Offset < Lines.Begin ||
          Other.Offset + Other.Length > Lines.End)
        continue;
      Merged[K] = true;
      Edit.From += ", " + Edits[K].From;
      Edit.To += ", " + Edits[K].To;
      New.push_back(Other);
      if (Edits[K].Guard.empty())
        Old.push_back(Other);
    }
    StringRef End = Text.contains("\r\n") ? "\r\n" : "\n";
    std::string Both =
        ("#if __has_include(<" + Edit.Guard + ">)" + End + editedLines(Text, Lines, New) + End +
         "#else" + End + editedLines(Text, Lines, Old) + End + "#endif")
            .str();
    if (Text.slice(Lines.Begin, Lines.End).ends_with("\r"))
      Both += "\r";
    Edit.Fixes = {{File, Lines.Begin, Lines.End - Lines.Begin, std::move(Both)}};
  }
  size_t Number = 0;
  erase_if(Edits, [&](const UpgradeEdit &) { return Merged[Number++]; });
}
