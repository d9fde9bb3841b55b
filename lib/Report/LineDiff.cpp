//===- LineDiff.cpp - Fixes as lines ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LineDiffInternal.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <tuple>

using namespace opsig;
using namespace llvm;

static std::vector<std::string> linesOf(StringRef Text) {
  std::vector<std::string> Lines;
  for (StringRef Line : split(Text, '\n'))
    Lines.push_back(Line.rtrim('\r').str());
  return Lines;
}

/// The end of the line that holds \p Offset, before its line break.
static size_t lineEnd(StringRef Text, size_t Offset) {
  return std::min(Text.find('\n', Offset), Text.size());
}

std::vector<LineChange> opsig::lineChanges(ArrayRef<Fix> Fixes, const SourceFiles &Files) {
  std::vector<Fix> Sorted(Fixes);
  llvm::stable_sort(Sorted, [](const Fix &L, const Fix &R) {
    return std::tuple(L.File, L.Offset) < std::tuple(R.File, R.Offset);
  });
  std::vector<LineChange> Changes;
  for (auto First = Sorted.begin(); First != Sorted.end();) {
    StringRef Text = Files.text(First->File);
    size_t Begin = Text.take_front(First->Offset).rfind('\n') + 1; // npos + 1 is 0
    size_t End = Begin, At = Begin;
    std::string After;
    auto Next = First;
    do {
      After += Text.slice(At, Next->Offset);
      After += Next->Text;
      At = Next->Offset + Next->Length;
      End = lineEnd(Text, At);
      ++Next;
    } while (Next != Sorted.end() && Next->File == First->File && Next->Offset <= End);
    After += Text.slice(At, End);
    Changes.push_back({First->File, Files.placeAt(First->File, Begin).Line,
                       linesOf(Text.slice(Begin, End)), linesOf(After)});
    First = Next;
  }
  return Changes;
}
