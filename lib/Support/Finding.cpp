//===- Finding.cpp - Collecting and printing diagnostics -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Support/Finding.h"
#include "opsig/Support/JsonText.h"
#include "opsig/Support/RunNote.h"
#include "opsig/Support/SafeText.h"
#include "opsig/Support/TextLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <numeric>
#include <tuple>

namespace opsig {
namespace {

constexpr llvm::StringLiteral Ellipsis = "...";

/// The part of a long line around \p Column, with signs of what was left out.
std::string partAround(llvm::StringRef Line, size_t &Column, size_t LongestLine) {
  if (Line.size() <= LongestLine)
    return Line.str();
  size_t First = Column < LongestLine / 2 ? 0 : std::min(Column, Line.size()) - LongestLine / 4;
  size_t End = std::max(First, cutPlace(Line, First + LongestLine));
  First = cutPlace(Line, First);
  std::string Part = Line.slice(First, End).str();
  Column -= First;
  if (End < Line.size())
    Part += Ellipsis;
  if (First == 0)
    return Part;
  Column += Ellipsis.size();
  return Ellipsis.str() + Part;
}

void printPlace(llvm::raw_ostream &OS, const Place &At, const SourceFiles &Files,
                const PrintOptions &Options) {
  if (At.File == SourceId::None)
    return;
  OS << TextStyle(Options).place(Files.name(At.File), At.Line, At.Column) << ": ";
}

/// The row below the caret.
struct HintRow {
  uint32_t Shift = 0; ///< columns behind the beginning of the finding
  std::string Text;
};

void printSourceLine(llvm::raw_ostream &OS, const Place &At, const HintRow &Hint,
                     const SourceFiles &Files, const PrintOptions &Options) {
  if (!At.isValid() || !At.Column)
    return;
  size_t Before = At.Column - 1;
  std::string Line = partAround(Files.line(At.File, At.Line), Before, Options.LongestLine);
  if (Line.empty())
    return;
  std::string Number = std::to_string(At.Line);
  std::string Gutter(std::max<size_t>(5, Number.size() + 1), ' ');
  OS << std::string(Gutter.size() - Number.size(), ' ') << Number << " | " << safeColumns(Line)
     << '\n';

  Before = std::min(Before, Line.size());
  size_t Width = std::max<size_t>(1, std::min<size_t>(At.Length, Line.size() - Before));
  std::string Caret = std::string(Before, ' ') + '^' + std::string(Width - 1, '~');
  OS << Gutter << " | ";
  if (Options.Colors)
    OS.changeColor(llvm::raw_ostream::GREEN, /*Bold=*/true);
  OS << Caret << '\n';
  if (Options.Colors)
    OS.resetColor();
  if (!Hint.Text.empty()) {
    OS << Gutter << " | " << std::string(Before + Hint.Shift, ' ');
    if (Options.Colors)
      OS.changeColor(llvm::raw_ostream::GREEN);
    size_t Nothing = 0;
    OS << safeColumns(partAround(Hint.Text, Nothing, Options.LongestLine)) << '\n';
    if (Options.Colors)
      OS.resetColor();
  }
}

void printLevel(llvm::raw_ostream &OS, llvm::StringRef Word, llvm::raw_ostream::Colors Color,
                const PrintOptions &Options) {
  if (Options.Colors)
    OS.changeColor(Color, /*Bold=*/true);
  OS << Word << ": ";
  if (Options.Colors)
    OS.resetColor();
}

llvm::json::Object placeFields(const Place &At, const SourceFiles &Files) {
  return llvm::json::Object{{"file", At.File == SourceId::None ? "" : utf8(Files.name(At.File))},
                            {"line", At.Line},
                            {"column", At.Column}};
}

} // namespace

std::string qualifiedOperator(llvm::StringRef Op) {
  if (Op.empty() || Op.consume_front("::"))
    return Op.str();
  return Op.contains("::") ? Op.str() : ("aten::" + Op).str();
}

llvm::StringRef levelName(Level L) { return L == Level::Error ? "error" : "warning"; }

llvm::StringRef confidenceName(Confidence Sure) {
  switch (Sure) {
  case Confidence::Unstated:
    return "";
  case Confidence::Likely:
    return "likely";
  case Confidence::Certain:
    return "certain";
  }
  llvm_unreachable("closed kind");
}

Finding &Finding::note(Place Where, std::string Text) {
  Notes.push_back({Where, std::move(Text)});
  return *this;
}

Finding &Finding::op(llvm::StringRef Name) {
  Name.consume_front("aten::");
  Op = Name.str();
  return *this;
}

Finding &Findings::add(FindingId Id, Place At, std::string Message) {
  Finding D{Id, findingLevel(Id), At, std::move(Message), {}, {}, {}, {}};
  Found.push_back(std::move(D));
  return Found.back();
}

void Findings::setOp(llvm::StringRef Name, size_t From) {
  Name.consume_front("aten::");
  for (Finding &D : llvm::MutableArrayRef(Found).drop_front(From))
    if (D.Op.empty())
      D.Op = Name.str();
}

size_t Findings::numErrors() const {
  return llvm::count_if(Found, [](const Finding &D) { return D.Severity == Level::Error; });
}

void Findings::sort(const SourceFiles &Files) {
  std::vector<size_t> Order(Found.size());
  std::iota(Order.begin(), Order.end(), 0);
  // The index last: what was found first at a place stays first.
  auto Key = [&](size_t I) {
    const Place &At = Found[I].At;
    return std::tuple(Files.name(At.File), At.Line, At.Column, At.Length, I);
  };
  llvm::sort(Order, [&](size_t L, size_t R) { return Key(L) < Key(R); });

  auto Same = [](const Finding &L, const Finding &R) {
    return L.Id == R.Id && L.At == R.At && L.Message == R.Message;
  };
  std::vector<Finding> Sorted;
  // Repeats stand at one place, perhaps with others between them.
  auto IsRepeat = [&](const Finding &D) {
    for (const Finding &Before : llvm::reverse(Sorted)) {
      if (Before.At != D.At)
        return false;
      if (Same(Before, D))
        return true;
    }
    return false;
  };
  for (size_t I : Order)
    if (!IsRepeat(Found[I]))
      Sorted.push_back(std::move(Found[I]));
  Found = std::move(Sorted);
}

namespace {

/// What `--fix` writes looks like a replacement and stands where it is written; any other hint is
/// worded, so that nobody takes it for one.
HintRow hintRow(const Finding &D, const SourceFiles &Files) {
  if (D.Hint.empty() || !D.At.isValid() || !D.At.Column)
    return {0, D.Hint};
  size_t From = Files.offsetOf(D.At), End = From + std::max<size_t>(D.At.Length, 1);
  const Fix *Inside = nullptr;
  bool IsWritten = false;
  for (const Fix &F : D.Fixes) {
    if (F.File == D.At.File && F.Offset >= From && F.Offset + F.Length <= End && !Inside)
      Inside = &F;
    IsWritten |= llvm::StringRef(F.Text).contains(D.Hint);
  }
  // An insertion has commas or parentheses around it.
  if (IsWritten && !(Inside && Inside->Text == D.Hint))
    return {0, D.Hint};
  if (Inside)
    return {uint32_t(Inside->Offset - From), Inside->Text};
  // A whole declaration is what is missing somewhere, and replaces nothing.
  llvm::StringRef BeforeParams = llvm::StringRef(D.Hint).split('(').first;
  if (BeforeParams.size() != D.Hint.size() && BeforeParams.contains(' '))
    return {0, D.Hint};
  return {0, "use '" + D.Hint + "'"};
}

} // namespace

void printText(llvm::raw_ostream &OS, const Finding &D, const SourceFiles &Files,
               const PrintOptions &Options) {
  printPlace(OS, D.At, Files, Options);
  bool IsError = D.Severity == Level::Error;
  printLevel(OS, levelName(D.Severity),
             IsError ? llvm::raw_ostream::RED : llvm::raw_ostream::MAGENTA, Options);
  OS << safeText(D.Message) << " [" << TextStyle(Options).check(D.Id) << "]\n";
  printSourceLine(OS, D.At, hintRow(D, Files), Files, Options);
  for (const Note &N : D.Notes) {
    printPlace(OS, N.At, Files, Options);
    printLevel(OS, "note", llvm::raw_ostream::CYAN, Options);
    OS << safeText(N.Message) << '\n';
  }
}

void printJson(llvm::raw_ostream &OS, const Finding &D, const SourceFiles &Files) {
  llvm::json::Object Root = placeFields(D.At, Files);
  Root["id"] = ("opsig-" + findingName(D.Id)).str();
  Root["level"] = levelName(D.Severity);
  Root["message"] = utf8(D.Message);
  size_t Scope = llvm::StringRef(D.Op).find("::");
  Root["op"] = utf8(Scope == llvm::StringRef::npos ? D.Op : D.Op.substr(Scope + 2));
  Root["operator"] = utf8(qualifiedOperator(D.Op));
  llvm::json::Array Notes, Fixes;
  for (const Note &N : D.Notes) {
    llvm::json::Object Entry = placeFields(N.At, Files);
    Entry["message"] = utf8(N.Message);
    Notes.push_back(std::move(Entry));
  }
  for (const Fix &F : D.Fixes)
    Fixes.push_back(llvm::json::Object{{"file", utf8(Files.name(F.File))},
                                       {"offset", F.Offset},
                                       {"length", F.Length},
                                       {"text", utf8(F.Text)}});
  Root["notes"] = std::move(Notes);
  Root["fixes"] = std::move(Fixes);
  if (D.Sure != Confidence::Unstated)
    Root["confidence"] = confidenceName(D.Sure);
  OS << safeJson(llvm::formatv("{0}", llvm::json::Value(std::move(Root))).str()) << '\n';
}

void printJson(llvm::raw_ostream &OS, const RunNote &N) {
  llvm::json::Object Root{{"id", "opsig-run"},
                          {"level", "note"},
                          {"file", ""},
                          {"line", 0},
                          {"column", 0},
                          {"message", utf8(N.Message)},
                          {"op", ""},
                          {"operator", ""},
                          {"notes", llvm::json::Array()},
                          {"fixes", llvm::json::Array()}};
  OS << safeJson(llvm::formatv("{0}", llvm::json::Value(std::move(Root))).str()) << '\n';
}

} // namespace opsig
