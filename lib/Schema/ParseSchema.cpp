//===- ParseSchema.cpp - Text => FunctionSchema ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ForeignSyntax.h"
#include "ParseInternal.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>

namespace opsig::schema {

namespace {

/// How many brackets of \p Text stay open, and whether one closes that was not open.
int openBrackets(llvm::StringRef Text) {
  int Depth = 0;
  char Before = 0;
  for (char Ch : Text) {
    // '<' of a C++ type; the '>' of an arrow closes none.
    if (Ch == '(' || Ch == '[' || Ch == '<')
      ++Depth;
    else if (Ch == ')' || Ch == ']' || (Ch == '>' && Before != '-'))
      --Depth;
    Before = Ch;
  }
  return Depth;
}

/// Pieces of a list. A piece that is wrong because it ends inside a bracket is joined with those up
/// to the bracket's end, so that one thing is reported once.
class PieceList {
public:
  explicit PieceList(llvm::StringRef Text) : Rest(Text) {}

  bool next(llvm::StringRef &Piece) {
    if (Done)
      return false;
    size_t Comma = nextSeparator();
    Piece = Rest.take_front(Comma);
    Done = Comma == llvm::StringRef::npos;
    Rest = Done ? Rest.drop_front(Rest.size()) : Rest.drop_front(Comma + 2);
    return true;
  }

  /// Joins \p Piece with the pieces after it, up to the one that closes its brackets. Changes
  /// nothing and returns false where none does.
  bool join(llvm::StringRef &Piece) {
    constexpr unsigned Farthest = 32;
    if (openBrackets(Piece) <= 0)
      return false;
    PieceList Ahead = *this;
    llvm::StringRef Last;
    for (unsigned I = 0; I != Farthest && Ahead.next(Last); ++I) {
      llvm::StringRef Joined(Piece.data(), Last.end() - Piece.data());
      if (openBrackets(Joined) > 0)
        continue;
      Piece = Joined;
      *this = Ahead;
      return true;
    }
    return false;
  }

private:
  /// Where ", " stands; npos if nowhere. By the comma, for which the C library has a quick search.
  size_t nextSeparator() const {
    size_t Comma = Rest.find(',');
    while (Comma != llvm::StringRef::npos && !Rest.drop_front(Comma + 1).starts_with(" "))
      Comma = Rest.find(',', Comma + 1);
    return Comma;
  }

  llvm::StringRef Rest;
  bool Done = false;
};

/// Reports an argument that ", " tore apart; \p Text is the whole of it.
void reportTornArgument(Context &C, llvm::StringRef Text) {
  size_t Equals = Text.find('=');
  size_t Bracket = Text.find_first_of("([");
  size_t Comma = Text.find(", ");
  if (Equals < Comma) {
    C.error(finding::DefaultListSpaces, Text.substr(Comma, 2),
            "a list in a default cannot contain spaces, because PyTorch splits the arguments at ', "
            "'; write '[0,1]'");
    return;
  }
  size_t Blank = Text.rfind(' ');
  llvm::StringRef Type = Text.take_front(Blank);
  if (openBrackets(Type) == 0 && Bracket < Type.size())
    reportUnknownType(C, Type);
  else
    reportUnknownType(C, Text);
}

class SchemaParser {
public:
  explicit SchemaParser(Context &C) : C(C), Foreign(C.G, Language::Native) {}

  std::optional<FunctionSchema> run();

private:
  void parseArguments(llvm::StringRef Text);
  void parseReturns(llvm::StringRef Text);
  void parseReturnPieces(llvm::StringRef Text);
  void addArgument(Argument A, const PieceText &At);
  void keywordMarker(llvm::StringRef Piece);
  /// Replaces the errors from \p Before on by one that knows what was meant.
  bool explain(size_t Before, const std::optional<Explanation> &Why);

  Context &C;
  ForeignSyntax Foreign;
  FunctionSchema F;
  SchemaText Where;
  llvm::StringRef Marker; ///< the "*", once it was seen
};

bool SchemaParser::explain(size_t Before, const std::optional<Explanation> &Why) {
  if (!Why || C.Errors.size() == Before)
    return false;
  FindingId Id = Why->Id.value_or(C.Errors[Before].Id);
  C.Errors.resize(Before, SchemaError{});
  C.error(Id, Why->At, "{0}", Why->Message);
  return true;
}

void SchemaParser::keywordMarker(llvm::StringRef Piece) {
  if (!Marker.empty()) {
    C.error(finding::KeywordMarkerTwice, Piece, "a schema can have only one '*'");
    return;
  }
  Marker = Piece;
  F.Args.NumPositional = F.Args.All.size();
}

void SchemaParser::addArgument(Argument A, const PieceText &At) {
  if (!Marker.empty()) {
    if (A.isWrite())
      ++F.Args.NumOut;
    else if (F.Args.NumOut)
      C.error(finding::OutArgumentNotLast, At.Whole,
              "out arguments must come last, but '{0}' follows the out argument '{1}'",
              quoted(A.Name), quoted(F.Args.All.back().Name));
  }
  F.Args.All.push_back(std::move(A));
  Where.Args.push_back(At);
}

void SchemaParser::parseArguments(llvm::StringRef Text) {
  // What a schema needs; a text of commas does not get what it asks for.
  size_t Expected = std::min<size_t>(Text.count(',') + 1, 64);
  F.Args.All.reserve(Expected);
  Where.Args.reserve(Expected);
  PieceList Pieces(Text);
  llvm::StringRef Piece;
  bool IsFirst = true, MarkerIsLast = false;
  while (Pieces.next(Piece)) {
    bool IsOnly = IsFirst && Piece.size() == Text.size();
    IsFirst = false;
    if (Piece.empty()) {
      if (!IsOnly)
        C.error(finding::ArgumentMissing, Piece, "expected an argument; remove the extra ','");
      continue;
    }
    MarkerIsLast = Piece == "*";
    if (MarkerIsLast) {
      keywordMarker(Piece);
      continue;
    }
    size_t Before = C.Errors.size();
    PieceText At;
    std::optional<Argument> A = parseArgument(C, Piece, At);
    if (A) {
      addArgument(std::move(*A), At);
      continue;
    }
    bool IsTorn = Pieces.join(Piece);
    if (!explain(Before, Foreign.explainArgument(Piece)) && IsTorn) {
      C.Errors.resize(Before, SchemaError{});
      reportTornArgument(C, Piece);
    }
  }
  if (Marker.empty())
    F.Args.NumPositional = F.Args.All.size();
  else if (MarkerIsLast)
    C.error(finding::KeywordMarkerLast, Piece, "expected a keyword-only argument after '*'");
}

void SchemaParser::parseReturnPieces(llvm::StringRef Text) {
  PieceList Pieces(Text);
  llvm::StringRef Piece;
  while (Pieces.next(Piece)) {
    if (Piece.empty()) {
      C.error(finding::ReturnMissing, Piece, "expected a return type; remove the extra ','");
      continue;
    }
    size_t Before = C.Errors.size();
    PieceText At;
    std::optional<Return> R = parseReturn(C, Piece, At);
    if (R) {
      F.Returns.push_back(std::move(*R));
      Where.Rets.push_back(At);
    } else if (Pieces.join(Piece)) {
      C.Errors.resize(Before, SchemaError{});
      reportUnknownType(C, Piece);
    }
  }
}

void SchemaParser::parseReturns(llvm::StringRef Text) {
  if (Text == "()")
    return;
  if (Text.empty()) {
    C.error(finding::ReturnMissing, Text, "{0}", Foreign.explainReturns(Text)->Message);
    return;
  }
  if (!Text.starts_with("(")) {
    size_t Before = C.Errors.size();
    parseReturnPieces(Text);
    if (Where.Rets.size() > 1)
      C.error(finding::ReturnsNotParenthesized, Text,
              "several returns need parentheses; write '({0})'", quoted(Text));
    explain(Before, Foreign.explainReturns(Text));
    return;
  }
  // Where the first parenthesis closes.
  size_t Close = 0;
  for (int Depth = 0; Close != Text.size(); ++Close) {
    if (Text[Close] == '(')
      ++Depth;
    else if (Text[Close] == ')' && --Depth == 0)
      break;
  }
  if (Close == Text.size()) {
    C.error(finding::ReturnsUnclosed, Text.take_front(1), "expected ')' after the return types");
    return;
  }
  llvm::StringRef Trailing = Text.drop_front(Close + 1);
  if (!Trailing.empty()) {
    C.error(finding::ReturnsTrailingText, Trailing, "unexpected '{0}' after the return types",
            quoted(Trailing));
    return;
  }
  llvm::StringRef Inner = Text.slice(1, Close);
  size_t Before = C.Errors.size();
  parseReturnPieces(Inner);
  if (C.Errors.size() == Before && F.Returns.size() == 1)
    C.error(finding::ReturnParenthesized, Text, "a single return needs no parentheses; write '{0}'",
            quoted(Inner));
  else
    explain(Before, Foreign.explainReturns(Text));
}

std::optional<FunctionSchema> SchemaParser::run() {
  std::optional<Frame> Parts = splitSchema(C);
  if (!Parts)
    return std::nullopt;
  std::optional<OperatorName> Name = parseName(C, Parts->Name);
  if (Name)
    F.Name = std::move(*Name);
  Where.Name = Parts->Name;
  if (Parts->HasArgs) {
    size_t Before = C.Errors.size();
    parseArguments(Parts->Args);
    if (C.Errors.size() != Before && !Parts->EarlierArrow.empty()) {
      // What follows the first arrow was never meant to be arguments.
      C.Errors.resize(Before, SchemaError{});
      C.error(finding::SchemaArrowTwice, Parts->EarlierArrow,
              "expected one ') -> ' in a schema but found several");
    }
  }
  if (Parts->HasReturns) {
    Where.Returns = Parts->Returns;
    parseReturns(Parts->Returns);
  }
  if (!C.Errors.empty())
    return std::nullopt;

  F.NameAt = C.place(Parts->Name);
  groupArguments(F.Args, [&](unsigned I) {
    C.error(finding::TensorOptionsTwice, Where.Args[I].Whole,
            "dtype, layout, device and pin_memory occur twice");
  });
  if (C.Errors.empty())
    verifySchema(C, F, Where);
  if (!C.Errors.empty())
    return std::nullopt;
  return std::move(F);
}

/// Runs \p Step with errors of its own and adds them, by place, to \p Errors.
template <typename Fn>
auto collect(llvm::StringRef Text, const Grammar &G, SchemaErrors &Errors, Fn Step) {
  SchemaErrors Own;
  Context C{Text, G, Own};
  auto Result = Step(C);
  if (!Own.empty()) {
    Result.reset();
    llvm::sort(Own, [](const SchemaError &A, const SchemaError &B) {
      return std::tie(A.Offset, A.Id, A.Message) < std::tie(B.Offset, B.Id, B.Message);
    });
    Errors.insert(Errors.end(), Own.begin(), Own.end());
  }
  return Result;
}

} // namespace

} // namespace opsig::schema

namespace opsig {

using namespace schema;

std::optional<FunctionSchema> parseSchema(llvm::StringRef Text, const Grammar &G,
                                          SchemaErrors &Errors) {
  return collect(Text, G, Errors, [&](Context &C) {
    std::optional<FunctionSchema> F = SchemaParser(C).run();
    // All that does not print back has its own diagnostic; this is for what was overlooked.
    if (F)
      if (std::string Printed = F->str(); Printed != Text)
        C.error(finding::SchemaRoundTrip, Text,
                "PyTorch reads the schema as '{0}'; use this spelling", quoted(Printed));
    return F;
  });
}

std::optional<OperatorName> parseOperatorName(llvm::StringRef Text, const Grammar &G,
                                              SchemaErrors &Errors) {
  return collect(Text, G, Errors, [&](Context &C) { return parseName(C, Text); });
}

std::optional<Type> parseType(llvm::StringRef Text, const Grammar &G, SchemaErrors &Errors) {
  return collect(Text, G, Errors, [&](Context &C) { return schema::parseType(C, Text); });
}

std::optional<Argument> parseArgument(llvm::StringRef Text, const Grammar &G,
                                      SchemaErrors &Errors) {
  return collect(Text, G, Errors, [&](Context &C) {
    PieceText Where;
    return schema::parseArgument(C, Text, Where);
  });
}

std::optional<AliasAnnotation> parseAnnotation(llvm::StringRef Text, SchemaErrors &Errors) {
  return collect(Text, Grammar(), Errors,
                 [&](Context &C) { return schema::parseAnnotation(C, Text); });
}

void report(Findings &D, const LocatedText &Text, llvm::ArrayRef<SchemaError> Errors) {
  for (const SchemaError &E : Errors)
    D.add(E.Id, Text.at(E.Offset, E.Length), E.Message);
}

std::vector<llvm::StringRef> splitList(llvm::StringRef Text) {
  std::vector<llvm::StringRef> Pieces;
  PieceList List(Text);
  for (llvm::StringRef Piece; List.next(Piece);)
    Pieces.push_back(Piece);
  return Pieces;
}

} // namespace opsig
