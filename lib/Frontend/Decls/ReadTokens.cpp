//===- ReadTokens.cpp - what stands between the words of a declaration --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// text of a declaration => comments, directives, macros in it | where its body mentions parameters
//
// The text is asked, not the AST: bodies are seldom parsed, and an edit must be right for the
// branches of #if, too, that this compilation does not take.
//
//===----------------------------------------------------------------------===//
#include "Decls/UnitSpansInternal.h"

#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <utility>

using namespace opsig;
using namespace clang;

namespace {

/// One token, comment or directive of a file.
struct Piece {
  enum Kind : uint8_t { Word, Comment, Directive, End } Is = End;
  tok::TokenKind Which = tok::eof;
  uint32_t Offset = 0;
  StringRef Text;
  uint32_t end() const { return Offset + Text.size(); }
  bool isOneOf(std::initializer_list<tok::TokenKind> Kinds) const {
    return llvm::is_contained(Kinds, Which);
  }
};

class PieceReader {
public:
  PieceReader(StringRef File, uint32_t Offset, const LangOptions &Options)
      : File(File),
        Raw(SourceLocation(), Options, File.begin(), File.begin() + Offset, File.end()) {
    Raw.SetCommentRetentionState(true);
    lex();
    Tok.clearFlag(Token::StartOfLine); // of the first one nothing is known
  }

  Piece next();

private:
  void lex() {
    Raw.LexFromRawLexer(Tok);
    TokEnd = Raw.getBufferLocation() - File.begin();
  }
  uint32_t begin() const { return TokEnd - Tok.getLength(); }

  StringRef File;
  Lexer Raw;
  Token Tok;
  uint32_t TokEnd = 0;
};

Piece PieceReader::next() {
  Piece Out{Piece::Word, Tok.getKind(), begin(), {}};
  if (Tok.is(tok::eof))
    return {};
  uint32_t End = TokEnd;
  if (Tok.is(tok::hash) && Tok.isAtStartOfLine()) {
    Out.Is = Piece::Directive;
    for (lex(); Tok.isNot(tok::eof) && !Tok.isAtStartOfLine(); lex())
      End = TokEnd;
  } else {
    if (Tok.is(tok::comment))
      Out.Is = Piece::Comment;
    lex();
  }
  Out.Text = File.slice(Out.Offset, End);
  return Out;
}

/// Follows the tokens of a body that returns nothing.
class EndReader {
public:
  explicit EndReader(uint32_t File) : File(File) {}

  /// Which branches of #if are open.
  enum Branch : uint8_t { Always, First, Other };
  /// A token behind the list.
  void see(const Piece &P, Branch In);
  /// The last "}".
  void close(const Piece &P, Branch In);
  VoidReturnPaths take();

private:
  Span spanOf(const Piece &P) const { return {File, P.Offset, uint32_t(P.Text.size())}; }
  void followLambdas(const Piece &P);
  void followStatements(const Piece &P);
  bool endsInThrow() const;

  uint32_t File;
  VoidReturnPaths Out;
  bool IsClear = true, ReturnsValue = false;
  Piece Last, BeforeLast;
  Branch LastIn = Always;
  bool AwaitsBody = false; ///< of a lambda
  unsigned Depth = 0;
  /// How the statement that is being read begins, and the whole one before it.
  std::vector<StringRef> Statement, Done;
  std::vector<unsigned> Lambdas; ///< depths of their bodies, which have returns of their own
};

void EndReader::followLambdas(const Piece &P) {
  bool IsOperand = Last.Which == tok::raw_identifier || Last.Which == tok::r_square ||
                   Last.Which == tok::r_paren;
  if (P.Which == tok::l_square && !IsOperand)
    AwaitsBody = Last.Which != tok::l_square; // [[likely]]
  if (P.Which == tok::l_brace) {
    ++Depth;
    if (std::exchange(AwaitsBody, false))
      Lambdas.push_back(Depth);
  }
  if (P.Which == tok::r_brace && Depth > 0) {
    if (!Lambdas.empty() && Lambdas.back() == Depth)
      Lambdas.pop_back();
    --Depth;
  }
}

/// Of those that stand in the body itself.
void EndReader::followStatements(const Piece &P) {
  bool IsBrace = P.Which == tok::l_brace || P.Which == tok::r_brace;
  if (IsBrace || (P.Which == tok::semi && Depth == 1)) {
    Done = IsBrace ? std::vector<StringRef>() : std::move(Statement);
    Statement.clear();
  } else if (Statement.size() < 3) {
    Statement.push_back(P.Text);
  }
}

/// The last statement never comes back: `throw ...;`, `TORCH_CHECK(false, ...);`.
bool EndReader::endsInThrow() const {
  if (!Statement.empty() || Done.empty())
    return false;
  if (Done.front() == "throw" || Done.front() == "AT_ERROR")
    return true;
  bool IsCheck =
      Done.front().starts_with("TORCH_CHECK") || Done.front().starts_with("TORCH_INTERNAL_ASSERT");
  return IsCheck && Done.size() == 3 && Done[1] == "(" && (Done[2] == "false" || Done[2] == "0");
}

void EndReader::see(const Piece &P, Branch In) {
  if (P.Which == tok::l_brace && !Out.Open.isValid())
    Out.Open = spanOf(P);
  // "try {", ": member(x) {"
  bool IsTry = P.Which == tok::raw_identifier && P.Text == "try";
  if (!Out.Open.isValid() && (IsTry || P.Which == tok::colon))
    IsClear = false;
  if (In != Other) // all branches have the same braces
    followLambdas(P);
  followStatements(P);
  bool IsReturn = Last.Which == tok::raw_identifier && Last.Text == "return" && Lambdas.empty();
  if (IsReturn && P.Which == tok::semi)
    Out.Returns.push_back(spanOf(Last));
  ReturnsValue |= IsReturn && P.Which != tok::semi;
  BeforeLast = std::exchange(Last, P);
  LastIn = In;
}

void EndReader::close(const Piece &P, Branch In) {
  Out.Close = spanOf(P);
  bool EndsInReturn = LastIn == Always && Last.Which == tok::semi && !Out.Returns.empty() &&
                      BeforeLast.Offset == Out.Returns.back().Offset;
  Out.FallsOff = !EndsInReturn && !(LastIn == Always && endsInThrow());
  IsClear &= In == Always; // else each branch has a brace of its own
}

VoidReturnPaths EndReader::take() {
  VoidReturnPaths Ends = IsClear && Out.Close.isValid() ? std::move(Out) : VoidReturnPaths();
  Ends.ReturnsValue = ReturnsValue;
  return Ends;
}

/// Follows the tokens of a body for `A::X<...>::apply(`.
class CallReader {
public:
  explicit CallReader(uint32_t File) : File(File) {}

  /// True if \p P begins the arguments of a call of some apply.
  bool see(const Piece &P);
  llvm::ArrayRef<StringRef> className() const { return llvm::ArrayRef(Names).drop_back(); }
  Span at() const { return {File, First, End - First}; }

private:
  uint32_t File;
  llvm::SmallVector<StringRef, 4> Names; ///< what "::" joins, without arguments
  uint32_t First = 0, End = 0;
  tok::TokenKind Last = tok::unknown;
  unsigned Angles = 0;
};

bool CallReader::see(const Piece &P) {
  bool IsCall = P.Which == tok::l_paren && Last == tok::raw_identifier && Angles == 0 &&
                Names.size() > 1 && Names.back() == "apply";
  if (P.Which == tok::less && !Names.empty())
    ++Angles;
  else if (P.isOneOf({tok::semi, tok::l_brace, tok::r_brace}))
    Angles = 0;
  else if (P.isOneOf({tok::greater, tok::greatergreater}) && Angles != 0)
    Angles -= std::min(Angles, P.Which == tok::greater ? 1u : 2u);
  else if (P.Which == tok::raw_identifier && Angles == 0) {
    if (Last != tok::coloncolon) {
      Names.clear();
      First = P.Offset;
    }
    Names.push_back(P.Text);
    End = P.end();
  } else if (P.Which != tok::coloncolon && Angles == 0 && !IsCall) {
    Names.clear();
  }
  Last = P.Which;
  return IsCall;
}

/// By which a tensor gives its memory away.
bool isMemoryWord(StringRef Word) {
  return llvm::StringSwitch<bool>(Word)
      .Cases({"data_ptr", "mutable_data_ptr", "const_data_ptr", "accessor"}, true)
      .Cases({"packed_accessor", "packed_accessor32", "packed_accessor64"}, true)
      .Default(false);
}

class TokenReader {
public:
  TokenReader(const FunctionDecl &F, UnitSpans &Spans, KernelDecl &K)
      : F(F), Context(Spans.context()), K(K), File(K.ParamList.File),
        Text(Spans.text({File, 0, ~0u})) {}

  void readEditBlockers();
  void readUses();

private:
  bool isMacro(StringRef Word) const {
    auto Known = Context.Idents.find(Word);
    return Known != Context.Idents.end() && Known->second->hasMacroDefinition();
  }
  void use(StringRef Name, Span At) {
    for (KernelParam &P : K.Params)
      if (P.Name == Name && !P.Use.isValid())
        P.Use = At;
  }

  /// A token of the body.
  void follow(const Piece &P, CallReader &Calls) {
    Span At{File, P.Offset, uint32_t(P.Text.size())};
    if (P.Which == tok::raw_identifier && isMemoryWord(P.Text) && !K.TakesMemory.isValid())
      K.TakesMemory = At;
    if (Calls.see(P) && !K.Applies.isValid() && isAutogradFunction(Calls.className(), F))
      K.Applies = Calls.at();
  }

  const FunctionDecl &F;
  ASTContext &Context;
  KernelDecl &K;
  uint32_t File;
  StringRef Text;
};

void TokenReader::readEditBlockers() {
  uint32_t Begin = K.ParamList.Offset, End = K.ParamList.end();
  for (Span S : {K.Head, K.Return})
    if (S.isValid() && S.File == File) {
      Begin = std::min(Begin, S.Offset);
      End = std::max(End, S.end());
    }
  PieceReader Pieces(Text, Begin, Context.getLangOpts());
  for (Piece P = Pieces.next(); P.Is != Piece::End && P.Offset < End; P = Pieces.next()) {
    Span At{File, P.Offset, uint32_t(P.Text.size())};
    if (P.Is == Piece::Comment)
      K.EditBlockers.push_back({EditBlocker::Comment, At});
    else if (P.Is == Piece::Directive)
      K.EditBlockers.push_back({EditBlocker::Directive, At});
    else if (P.Which == tok::raw_identifier && isMacro(P.Text))
      K.EditBlockers.push_back({EditBlocker::Macro, At});
  }
}

/// Up to the end of the body or the semicolon. Braces count only in the first branch of an #if, as
/// all branches have the same ones.
void TokenReader::readUses() {
  std::vector<bool> InElse;
  EndReader Ends(File);
  CallReader Calls(File);
  int Parens = 0, Braces = 0;
  tok::TokenKind Before = tok::r_paren;
  PieceReader Pieces(Text, K.ParamList.end() + 1, Context.getLangOpts());
  for (Piece P = Pieces.next(); P.Is != Piece::End; P = Pieces.next()) {
    if (P.Is == Piece::Directive) {
      StringRef Word = P.Text.drop_front().ltrim();
      if (Word.starts_with("if"))
        InElse.push_back(false);
      else if (Word.starts_with("el") && !InElse.empty())
        InElse.back() = true;
      else if (Word.starts_with("endif") && !InElse.empty())
        InElse.pop_back();
    }
    if (P.Is != Piece::Word)
      continue;
    bool OfAnother = Before == tok::period || Before == tok::arrow || Before == tok::coloncolon;
    if (P.Which == tok::raw_identifier && !OfAnother)
      use(P.Text, {File, P.Offset, uint32_t(P.Text.size())});
    Before = P.Which;
    bool IsLast = P.Which == tok::r_brace && Parens <= 0 && Braces <= 1;
    EndReader::Branch In = InElse.empty()                     ? EndReader::Always
                           : llvm::is_contained(InElse, true) ? EndReader::Other
                                                              : EndReader::First;
    if (!IsLast)
      Ends.see(P, In);
    if (K.Definition && Braces > 0 && In == EndReader::Always)
      follow(P, Calls);
    if (In == EndReader::Other)
      continue;
    Parens += P.Which == tok::l_paren;
    Parens -= P.Which == tok::r_paren;
    if (Parens > 0)
      continue;
    Braces += P.Which == tok::l_brace;
    if (P.Which == tok::r_brace && --Braces <= 0) {
      Ends.close(P, In);
      break;
    }
    if (Braces == 0 && (P.Which == tok::semi || Parens < 0))
      break;
  }
  if (K.Definition && K.ReturnCanonical.is("void"))
    K.Ends = Ends.take();
  // A macro may mention what is not written.
  for (unsigned I = 0; I < K.Params.size() && I < F.getNumParams(); ++I)
    if (F.getParamDecl(I)->isReferenced() && !K.Params[I].Use.isValid())
      K.Params[I].Use = K.NameAt;
}

} // namespace

void opsig::readTokens(const FunctionDecl &F, UnitSpans &Spans, KernelDecl &K) {
  if (!K.ParamList.isValid() || Spans.text({K.ParamList.File, 0, 1}).empty())
    return;
  TokenReader Reader(F, Spans, K);
  Reader.readEditBlockers();
  Reader.readUses();
}
