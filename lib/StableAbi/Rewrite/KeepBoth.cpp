//===- KeepBoth.cpp - changed lines beside the old ones, under a macro ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before: TORCH_LIBRARY(ns, m) {     After: #ifdef TORCH_STABLE_ONLY
//                                           STABLE_TORCH_LIBRARY(ns, m) {
//                                           #else
//                                           TORCH_LIBRARY(ns, m) {
//                                           #endif
//
// Without the macro the file is what it was, line by line.
//
//===----------------------------------------------------------------------===//
#include "Rewrite/StabilizeInternal.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using clang::tooling::Replacement;
using clang::tooling::Replacements;

namespace {

struct Hunk {
  uint32_t Begin, End; ///< whole lines of the text before
};

uint32_t lineBegin(llvm::StringRef Text, uint32_t At) {
  size_t Break = Text.take_front(At).rfind('\n');
  return Break == llvm::StringRef::npos ? 0 : Break + 1;
}

uint32_t lineEnd(llvm::StringRef Text, uint32_t At) {
  size_t Break = Text.find('\n', At);
  return Break == llvm::StringRef::npos ? Text.size() : Break + 1;
}

bool continues(llvm::StringRef Text, uint32_t Begin, uint32_t End) {
  return Text.slice(Begin, End).rtrim("\r\n").ends_with("\\");
}

/// No directive can stand within the definition of a macro.
Hunk withWholeMacros(llvm::StringRef Text, Hunk H) {
  while (H.Begin > 0 && continues(Text, lineBegin(Text, H.Begin - 1), H.Begin))
    H.Begin = lineBegin(Text, H.Begin - 1);
  while (H.End < Text.size() && H.End > H.Begin &&
         continues(Text, lineBegin(Text, H.End - 1), H.End))
    H.End = lineEnd(Text, H.End);
  return H;
}

std::vector<Hunk> hunksOf(llvm::StringRef Text, const Replacements &Changes,
                          llvm::ArrayRef<Span> Whole) {
  std::vector<Hunk> Out;
  for (const Replacement &R : Changes) {
    uint32_t Begin = R.getOffset(), End = Begin + R.getLength();
    for (const Span &S : Whole)
      if (S.Offset < std::max(End, Begin + 1) && Begin < S.end()) {
        Begin = std::min(Begin, S.Offset);
        End = std::max(End, S.end());
      }
    bool Between = Begin == End && lineBegin(Text, Begin) == Begin;
    Hunk H{lineBegin(Text, Begin), Between ? Begin : lineEnd(Text, End > Begin ? End - 1 : End)};
    H = withWholeMacros(Text, H);
    if (!Out.empty() && H.Begin <= Out.back().End)
      Out.back().End = std::max(Out.back().End, H.End);
    else
      Out.push_back(H);
  }
  return Out;
}

/// The lines of \p H with the changes in them.
std::string changed(llvm::StringRef Text, const Replacements &Changes, const Hunk &H) {
  std::string Out;
  uint32_t At = H.Begin;
  for (const Replacement &R : Changes)
    if (R.getOffset() >= H.Begin && R.getOffset() + R.getLength() <= H.End) {
      Out += Text.slice(At, R.getOffset());
      Out += R.getReplacementText();
      At = R.getOffset() + R.getLength();
    }
  Out += Text.slice(At, H.End);
  return Out;
}

std::string asLines(llvm::StringRef Text) {
  return Text.empty() || Text.ends_with("\n") ? Text.str() : Text.str() + "\n";
}

} // namespace

Replacements opsig::keepBoth(llvm::StringRef Path, llvm::StringRef Text,
                             const Replacements &Changes, llvm::ArrayRef<Span> Whole) {
  Replacements Out;
  for (const Hunk &H : hunksOf(Text, Changes, Whole)) {
    std::string Old = asLines(Text.slice(H.Begin, H.End)), New = asLines(changed(Text, Changes, H));
    std::string Both = New.empty() ? "#ifndef TORCH_STABLE_ONLY\n" + Old + "#endif\n"
                       : Old.empty()
                           ? "#ifdef TORCH_STABLE_ONLY\n" + New + "#endif\n"
                           : "#ifdef TORCH_STABLE_ONLY\n" + New + "#else\n" + Old + "#endif\n";
    llvm::cantFail(Out.add(Replacement(Path, H.Begin, H.End - H.Begin, Both)));
  }
  return Out;
}
