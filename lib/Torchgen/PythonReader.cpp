//===- PythonReader.cpp - Values of expressions that are data ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PythonDataInternal.h"
#include "llvm/ADT/StringExtras.h"

namespace opsig {

static constexpr unsigned MaxDepth = 64;

/// One expression of the grammar:
///   sum := term ('+' term)*
///   term := strings ['.split' '(' [string] ')'] | number | list | tuple | set | dict
///         | 'OperatorName.parse' '(' string ')' | 'Enum' '(' string ',' sum ')' | dotted words
/// A word alone is another variable, and stands for its value if it has one.
class PythonExpression {
public:
  PythonExpression(PythonReader &Reader, const ModuleAssignments &In,
                   llvm::ArrayRef<PythonToken> Tokens)
      : Reader(Reader), In(In), Tokens(Tokens) {
    EndToken.Line = Tokens.empty() ? 1 : Tokens.back().Line;
  }

  std::optional<PythonValue> whole() {
    std::optional<PythonValue> Value = sum();
    if (Value && peek().Is != PythonToken::End)
      return stop(describe(peek()));
    return Value;
  }

private:
  using Result = std::optional<PythonValue>;

  const PythonToken &peek(size_t Ahead = 0) const {
    return At + Ahead < Tokens.size() ? Tokens[At + Ahead] : EndToken;
  }
  bool take(llvm::StringRef Op) {
    if (!peek().is(Op))
      return false;
    ++At;
    return true;
  }

  static std::string describe(const PythonToken &T) {
    if (T.Is == PythonToken::End || T.Is == PythonToken::LineEnd)
      return "the end of the line";
    if (T.Is == PythonToken::Bad)
      return "an unterminated string";
    return "'" + T.Text.str() + "'";
  }

  std::nullopt_t stop(std::string Why) { return stopAt(peek().Line, std::move(Why)); }
  std::nullopt_t stopAt(uint32_t Line, std::string Why) {
    if (!Reader.Stop)
      Reader.Stop = {In.name(), Line, std::move(Why)};
    return std::nullopt;
  }

  Result sum() {
    if (++Reader.Depth > MaxDepth)
      return stop("too deeply nested brackets or names");
    Result Left = term();
    while (Left && peek().is("+")) {
      uint32_t Line = peek().Line;
      ++At;
      Result Right = term();
      if (!Right)
        return std::nullopt;
      if (Left->Is != PythonValue::List || Right->Is != PythonValue::List)
        return stopAt(Line, "a '+' between values that are not lists");
      llvm::append_range(Left->Items, std::move(Right->Items));
    }
    --Reader.Depth;
    return Left;
  }

  Result term() {
    const PythonToken &T = peek();
    switch (T.Is) {
    case PythonToken::String:
      return text();
    case PythonToken::Number:
      ++At;
      return PythonValue{PythonValue::Number, T.Line, T.Text.str(), {}, {}};
    case PythonToken::Word:
      return words();
    default:
      if (take("["))
        return elements("]", T.Line);
      if (take("{"))
        return elements("}", T.Line);
      if (take("("))
        return parenthesized(T.Line);
      return stop(describe(T));
    }
  }

  /// Strings side by side are one. A split one is a list.
  Result text() {
    PythonValue Value{PythonValue::String, peek().Line, "", {}, {}};
    for (; peek().Is == PythonToken::String; ++At) {
      std::optional<std::string> Part = stringValue(peek().Text);
      if (!Part)
        return stop("a string that is not plain text: " + peek().Text.take_front(40).str());
      Value.Text += *Part;
    }
    if (!peek().is(".") || !peek(1).is("split"))
      return Value;
    At += 2;
    return split(Value);
  }

  Result split(const PythonValue &Whole) {
    if (!take("("))
      return stop("'split' that is not called");
    std::optional<std::string> Separator;
    if (peek().Is == PythonToken::String) {
      Separator = stringValue(peek().Text);
      if (!Separator || Separator->empty())
        return stop("an unusual argument of 'split'");
      ++At;
    }
    if (!take(")"))
      return stop("an unusual argument of 'split'");
    llvm::SmallVector<llvm::StringRef> Pieces;
    if (Separator)
      llvm::StringRef(Whole.Text).split(Pieces, *Separator);
    else
      llvm::SplitString(Whole.Text, Pieces, " \t\n\r\f\v");
    PythonValue List{PythonValue::List, Whole.Line, "", {}, {}};
    for (llvm::StringRef Piece : Pieces)
      List.Items.push_back({PythonValue::String, Whole.Line, Piece.str(), {}, {}});
    return List;
  }

  /// Of a list, a set or a dict, behind the bracket that opens it.
  Result elements(llvm::StringRef Close, uint32_t Line) {
    PythonValue Whole{PythonValue::List, Line, "", {}, {}};
    if (Close == "}" && peek().is("}"))
      Whole.Is = PythonValue::Dict;
    while (!take(Close)) {
      Result Item = sum();
      if (!Item)
        return std::nullopt;
      bool IsPair = Close == "}" && peek().is(":");
      if (Whole.Items.empty() && IsPair)
        Whole.Is = PythonValue::Dict;
      if (IsPair != (Whole.Is == PythonValue::Dict))
        return stop(describe(peek()));
      Whole.Items.push_back(std::move(*Item));
      if (IsPair) {
        ++At;
        Result Value = sum();
        if (!Value)
          return std::nullopt;
        Whole.Values.push_back(std::move(*Value));
      }
      if (!peek().is(Close) && !take(","))
        return stop(describe(peek()));
    }
    return Whole;
  }

  Result parenthesized(uint32_t Line) {
    if (take(")"))
      return PythonValue{PythonValue::List, Line, "", {}, {}};
    Result First = sum();
    if (!First || take(")"))
      return First;
    if (!take(","))
      return stop(describe(peek()));
    Result Rest = elements(")", Line);
    if (Rest)
      Rest->Items.insert(Rest->Items.begin(), std::move(*First));
    return Rest;
  }

  Result words() {
    PythonValue Value{PythonValue::Word, peek().Line, peek().Text.str(), {}, {}};
    ++At;
    while (peek().is(".") && peek(1).Is == PythonToken::Word) {
      Value.Text += "." + peek(1).Text.str();
      At += 2;
    }
    if (take("("))
      return call(Value);
    if (peek().is("["))
      return stop("an element of '" + Value.Text + "'");
    if (llvm::StringRef(Value.Text).contains('.'))
      return Value;
    if (Value.Text == "lambda" || Value.Text == "not" || Value.Text == "await")
      return stopAt(Value.Line, "'" + Value.Text + "'");
    for (llvm::StringRef Constant : {"True", "False", "None"})
      if (Value.Text == Constant)
        return Value;
    Result Named = Reader.read(In, Value.Text);
    if (!Named && !Reader.Stop)
      return stopAt(Value.Line, "'" + Value.Text + "', which is never assigned");
    return Named;
  }

  Result call(const PythonValue &Callee) {
    llvm::StringRef Name(Callee.Text);
    bool IsName = Name == "OperatorName.parse", IsEnum = Name == "Enum" || Name == "enum.Enum";
    if (!IsName && !IsEnum)
      return stopAt(Callee.Line, "a call to '" + Name.str() + "'");
    Result Argument = text();
    if (!Argument)
      return std::nullopt;
    if (IsEnum) {
      if (!take(","))
        return stop(describe(peek()));
      Argument = sum();
      if (!Argument)
        return std::nullopt;
    }
    take(",");
    if (!take(")"))
      return stop(describe(peek()));
    return Argument;
  }

  PythonReader &Reader;
  const ModuleAssignments &In;
  llvm::ArrayRef<PythonToken> Tokens;
  size_t At = 0;
  PythonToken EndToken;
};

std::optional<PythonValue> PythonReader::read(const ModuleAssignments &In,
                                              llvm::StringRef Variable) {
  llvm::ArrayRef<ModuleAssignments::Change> Changes = In.changes(Variable);
  if (Changes.empty()) {
    for (const ModuleAssignments &Other : Modules)
      if (&Other != &In && Depth && !Other.changes(Variable).empty())
        return read(Other, Variable);
    return std::nullopt;
  }
  if (++Depth > MaxDepth) {
    Stop = {In.name(), Changes[0].Line, "'" + Variable.str() + "', which refers to itself"};
    return std::nullopt;
  }
  std::optional<PythonValue> Value;
  auto Refuse = [&](uint32_t Line, std::string Why) {
    if (!Stop)
      Stop = {In.name(), Line, std::move(Why)};
    return std::nullopt;
  };
  for (const ModuleAssignments::Change &C : Changes) {
    if (C.Is == ModuleAssignments::Change::Touched)
      return Refuse(C.Line, "'" + Variable.str() + "', which " + C.What);
    std::optional<PythonValue> Next = C.Is == ModuleAssignments::Change::Class
                                          ? readEnum(In, C)
                                          : PythonExpression(*this, In, C.Tokens).whole();
    if (!Next)
      return std::nullopt;
    Next->Line = C.Line;
    if (C.Is != ModuleAssignments::Change::Added) {
      Value = std::move(Next);
      continue;
    }
    if (!Value || Value->Is != PythonValue::List || Next->Is != PythonValue::List)
      return Refuse(C.Line, "a '+=' of a value that is not a list");
    llvm::append_range(Value->Items, std::move(Next->Items));
  }
  --Depth;
  return Value;
}

/// Members are assigned; one that is assigned another member is only a second name of it. Functions
/// of the class say nothing about its members.
std::optional<PythonValue> PythonReader::readEnum(const ModuleAssignments &In,
                                                  const ModuleAssignments::Change &Class) {
  PythonValue Members{PythonValue::List, Class.Line, "", {}, {}};
  auto Refuse = [&](const PythonToken &T, std::string Why) {
    Stop = {In.name(), T.Line, std::move(Why)};
    return std::nullopt;
  };
  llvm::ArrayRef<PythonToken> Tokens = Class.Tokens;
  auto IsEnd = [&](size_t I) { return I >= Tokens.size() || Tokens[I].Is == PythonToken::LineEnd; };
  size_t At = 0;
  bool IsEnum = false;
  for (; !IsEnd(At); ++At)
    IsEnum |= Tokens[At].Text.ends_with("Enum");
  if (!IsEnum)
    return Refuse(Tokens[0], "a class that is not an Enum");
  uint32_t Indent = At + 1 < Tokens.size() ? Tokens[At + 1].Indent : 0;
  while (++At < Tokens.size()) {
    size_t Begin = At;
    while (!IsEnd(At))
      ++At;
    llvm::ArrayRef<PythonToken> Line = Tokens.slice(Begin, At - Begin);
    if (Line.empty() || Line[0].Is == PythonToken::End)
      continue;
    const PythonToken &First = Line[0];
    // A decorator, or something inside a function.
    if (First.Indent > Indent || First.is("def") || First.is("@") || First.is("pass") ||
        First.Is == PythonToken::String)
      continue;
    if (First.Is != PythonToken::Word || Line.size() < 3 || !Line[1].is("="))
      return Refuse(First, "'" + First.Text.str() + "' in the body of an Enum");
    bool Known =
        Line.size() == 3 && (Line[2].Is == PythonToken::Number ||
                             Line[2].Is == PythonToken::String || Line[2].Is == PythonToken::Word);
    bool Auto = Line.size() == 5 && Line[2].is("auto") && Line[3].is("(") && Line[4].is(")");
    if (!Known && !Auto)
      return Refuse(Line[2], "the value of the member '" + First.Text.str() + "'");
    if (Line[2].Is != PythonToken::Word || Auto)
      Members.Items.push_back({PythonValue::String, First.Line, First.Text.str(), {}, {}});
  }
  return Members;
}

} // namespace opsig
