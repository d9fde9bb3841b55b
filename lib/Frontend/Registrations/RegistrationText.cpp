//===- RegistrationText.cpp - string constants, dispatch keys ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registrations/ConstantValues.h"
#include "Registrations/RegistrationInternal.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringSwitch.h"

using namespace opsig;
using namespace clang;

/// The first one that ends behind \p Offset.
static const LiteralText::Piece *pieceFrom(llvm::ArrayRef<LiteralText::Piece> Pieces,
                                           size_t Offset) {
  return llvm::partition_point(
      Pieces, [&](const LiteralText::Piece &P) { return P.Offset + P.Length <= Offset; });
}

Span LiteralText::at(size_t Offset, size_t Length) const {
  const Piece *P = pieceFrom(Pieces, Offset);
  if (P != Pieces.data() + Pieces.size() && P->Offset <= Offset) {
    if (P->Length != P->Source.Length)
      return P->Source;
    uint32_t Skip = Offset - P->Offset;
    return {P->Source.File, P->Source.Offset + Skip,
            uint32_t(std::min<size_t>(Length, P->Length - Skip))};
  }
  // The end of the text: behind its last byte.
  if (!Pieces.empty() && Offset >= Pieces.back().Offset + Pieces.back().Length)
    return {Pieces.back().Source.File, Pieces.back().Source.end(), 0};
  return Whole;
}

bool LiteralText::isShared(size_t Offset, size_t Length) const {
  const Piece *End = Pieces.data() + Pieces.size();
  for (const Piece *P = pieceFrom(Pieces, Offset); P != End && P->Offset < Offset + Length; ++P)
    if (P->Shared)
      return true;
  return false;
}

std::string opsig::className(QualType T) {
  if (T.isNull())
    return "";
  const auto *Record = T.getNonReferenceType()->getAsCXXRecordDecl();
  return Record ? scopeName(*Record) : "";
}

/// "torch::stable::detail::StableLibrary", and without the namespaces before they came up.
bool opsig::isOfStableAbi(StringRef Qualified, StringRef Name) {
  Qualified.consume_front("torch::stable::detail::");
  return Qualified == Name;
}

LibraryClass opsig::libraryClass(QualType T) {
  // Asked of every function that has a body: the last part of the name first.
  const auto *Record = T.getNonReferenceType()->getAsCXXRecordDecl();
  if (!Record || !Record->getIdentifier())
    return LibraryClass::None;
  if (Record->getName() == "Library" && scopeName(*Record) == "torch::Library")
    return LibraryClass::Torch;
  if (Record->getName() == "StableLibrary" && isOfStableAbi(scopeName(*Record), "StableLibrary"))
    return LibraryClass::Stable;
  return LibraryClass::None;
}

bool opsig::takesLibrary(const FunctionDecl &F) {
  return llvm::any_of(F.parameters(), [](const ParmVarDecl *P) {
    return P->getType()->isLValueReferenceType() &&
           libraryClass(P->getType()) != LibraryClass::None;
  });
}

const Expr *opsig::underlying(const Expr *E) {
  while (true) {
    const Expr *Before = E;
    E = E->IgnoreUnlessSpelledInSource();
    if (const auto *Cast = dyn_cast<ExplicitCastExpr>(E))
      E = Cast->getSubExpr();
    if (const auto *Call = dyn_cast<CallExpr>(E); Call && Call->isCallToStdMove())
      E = Call->getArg(0);
    if (E == Before)
      return E;
  }
}

namespace {

/// Where the bytes of a literal stand, joined to runs. Clang can tell it of each byte, but reads
/// the token again for that: what is spelled as it is, and simple escapes, are found here.
class LiteralReader {
public:
  LiteralReader(const StringLiteral &Literal, UnitSpans &Spans)
      : Literal(Literal), Spans(Spans), SM(Spans.context().getSourceManager()) {
    Out.Value = Literal.getBytes().str();
    Out.Whole = Spans.use(Literal.getSourceRange());
  }

  LiteralText read() {
    for (unsigned Token = 0; Token < Literal.getNumConcatenated() && !rest().empty(); ++Token)
      if (!readToken(Literal.getStrTokenLoc(Token)))
        askForToken(Token);
    return std::move(Out);
  }

private:
  /// A token of which Clang is asked byte by byte is read as often as it has bytes.
  static constexpr size_t LongestAsked = 4096;

  bool readToken(SourceLocation At);
  void askForToken(unsigned Token);
  void addAsked(Span Byte);
  StringRef rest() const { return StringRef(Out.Value).substr(Next); }
  void add(size_t Length, SourceLocation At, size_t Spelled);

  const StringLiteral &Literal;
  UnitSpans &Spans;
  const SourceManager &SM;
  LiteralText Out;
  uint32_t Next = 0; ///< the byte of the value that comes next
};

/// The next \p Length bytes of the value are the \p Spelled ones at \p At.
void LiteralReader::add(size_t Length, SourceLocation At, size_t Spelled) {
  if (Length == 0)
    return;
  if (Span First = Spans.byte(At); First.isValid()) {
    First.Length = Spelled;
    Out.Pieces.push_back({Next, uint32_t(Length), First});
  }
  Next += Length;
}

/// False, and nothing is read, where the token is spelled in a way that is left to Clang.
bool LiteralReader::readToken(SourceLocation At) {
  At = SM.getSpellingLoc(At);
  // The rest of the file is not measured for each of many tokens.
  auto [File, Offset] = SM.getDecomposedLoc(At);
  bool Invalid = false;
  StringRef Text = SM.getBufferData(File, &Invalid);
  if (Invalid)
    return false;
  Text = Text.drop_front(Offset);
  StringRef Body = Text;
  Body.consume_front("u8");
  size_t Before = Next, Known = Out.Pieces.size();
  if (Body.consume_front("R\"")) {
    size_t Open = Body.find('(');
    if (Open > 16)
      return false; // no delimiter is longer
    std::string Close = (")" + Body.take_front(Open) + "\"").str();
    Body = Body.drop_front(Open + 1);
    size_t Length = Body.find(Close);
    if (Length == StringRef::npos || !rest().starts_with(Body.take_front(Length)))
      return false;
    add(Length, At.getLocWithOffset(Body.data() - Text.data()), Length);
    return true;
  }
  if (!Body.consume_front("\""))
    return false;
  while (!Body.starts_with("\"")) {
    size_t Length = Body.find_first_of("\\\"\n\r");
    if (Length == StringRef::npos || !rest().starts_with(Body.take_front(Length)))
      break;
    add(Length, At.getLocWithOffset(Body.data() - Text.data()), Length);
    Body = Body.drop_front(Length);
    if (!Body.starts_with("\\"))
      continue;
    if (Body.size() < 2 || !StringRef("\"\\'?abfnrtv").contains(Body[1]) || rest().empty())
      break;
    add(1, At.getLocWithOffset(Body.data() - Text.data()), 2);
    Body = Body.drop_front(2);
  }
  if (Body.starts_with("\""))
    return true;
  Next = Before;
  Out.Pieces.resize(Known);
  return false;
}

void LiteralReader::askForToken(unsigned Token) {
  SourceLocation At = SM.getSpellingLoc(Literal.getStrTokenLoc(Token));
  ASTContext &Context = Spans.context();
  // What stands in a long one, and behind it, has the whole literal for its place.
  if (Lexer::MeasureTokenLength(At, SM, Context.getLangOpts()) > LongestAsked) {
    Next = Out.Value.size();
    return;
  }
  unsigned Reached = Token, Offset = Next;
  for (; Next < Out.Value.size(); ++Next) {
    SourceLocation Byte = Literal.getLocationOfByte(Next, SM, Context.getLangOpts(),
                                                    Context.getTargetInfo(), &Reached, &Offset);
    if (Reached != Token)
      return;
    addAsked(Spans.byte(Byte.isMacroID() ? SM.getSpellingLoc(Byte) : Byte));
  }
}

void LiteralReader::addAsked(Span Byte) {
  if (!Byte.isValid())
    return;
  LiteralText::Piece *Last = Out.Pieces.empty() ? nullptr : &Out.Pieces.back();
  bool Escape = Spans.text(Byte) != StringRef(Out.Value).substr(Next, 1);
  if (Last && Last->Length != Last->Source.Length && Last->Source.File == Byte.File &&
      Byte.Offset > Last->Source.Offset && Byte.Offset - Last->Source.Offset <= 10)
    Last->Source.Length = Byte.Offset - Last->Source.Offset; // as long as the escape was
  if (Escape)
    Byte.Length = 2;
  else if (Last && Last->Length == Last->Source.Length && Last->Source.File == Byte.File &&
           Last->Source.end() == Byte.Offset && Last->Offset + Last->Length == Next) {
    ++Last->Length;
    ++Last->Source.Length;
    return;
  }
  Out.Pieces.push_back({Next, 1, Byte});
}

bool isWrapper(const FunctionDecl *F) {
  // torch::schema(...), and the conversion of a SelectiveStr.
  return F && (scopeName(*F) == "torch::schema" || isa<CXXConversionDecl>(F));
}

/// \p Text with \p More behind it.
void append(LiteralText &Text, LiteralText More) {
  for (LiteralText::Piece &P : More.Pieces) {
    P.Offset += Text.Value.size();
    Text.Pieces.push_back(P);
  }
  Text.Value += More.Value;
}

bool isString(const CXXRecordDecl *Class) {
  std::string Name = Class ? Class->getNameAsString() : "";
  return Name == "basic_string" || Name == "string" || Name == "basic_string_view" ||
         Name == "string_view";
}

/// Reads what strings are made of.
class TextReader {
public:
  explicit TextReader(ConstantValues &Values) : Values(Values), Spans(Values.spans()) {}

  std::optional<LiteralText> read(const Expr *E);

private:
  std::optional<LiteralText> readConstruct(const CXXConstructExpr &Construct);
  std::optional<LiteralText> readCall(const CallExpr &Call);
  std::optional<LiteralText> join(llvm::ArrayRef<const Expr *> Parts, const Expr &Whole);

  ConstantValues &Values;
  UnitSpans &Spans;
  unsigned Depth = 0;
};

std::optional<LiteralText> TextReader::readConstruct(const CXXConstructExpr &Construct) {
  const CXXRecordDecl *Class = Construct.getConstructor()->getParent();
  if ((Class->getNameAsString() != "SelectiveStr" && !isString(Class)) ||
      Construct.getNumArgs() == 0)
    return std::nullopt;
  for (unsigned I = 1; I < Construct.getNumArgs(); ++I)
    if (!isa<CXXDefaultArgExpr>(Construct.getArg(I)))
      return std::nullopt; // a part of it
  return read(Construct.getArg(0));
}

std::optional<LiteralText> TextReader::join(llvm::ArrayRef<const Expr *> Parts, const Expr &Whole) {
  LiteralText Out;
  Out.Whole = Spans.use(Whole.getSourceRange());
  for (const Expr *Part : Parts) {
    std::optional<LiteralText> Text = read(Part);
    if (!Text)
      return std::nullopt;
    append(Out, std::move(*Text));
  }
  return Out;
}

std::optional<LiteralText> TextReader::readCall(const CallExpr &Call) {
  const FunctionDecl *F = Call.getDirectCallee();
  if (!F)
    return std::nullopt;
  llvm::ArrayRef<const Expr *> Args(Call.getArgs(), Call.getNumArgs());
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call)) {
    const CXXMethodDecl *Method = Member->getMethodDecl();
    bool IsWhole =
        isWrapper(Method) ||
        (Method && Method->getDeclName().isIdentifier() && isString(Method->getParent()) &&
         (Method->getName() == "c_str" || Method->getName() == "data"));
    return IsWhole ? read(Member->getImplicitObjectArgument()) : std::nullopt;
  }
  if (isa<UserDefinedLiteral>(Call)) // "..."s
    return !Args.empty() && isString(Call.getType()->getAsCXXRecordDecl()) && F->isInStdNamespace()
               ? read(Args.front())
               : std::nullopt;
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(&Call))
    return Operator->getOperator() == OO_Plus && isString(Call.getType()->getAsCXXRecordDecl())
               ? join(Args, Call)
               : std::nullopt;
  if (scopeName(*F) == "c10::str")
    return join(Args, Call);
  return isWrapper(F) && !Args.empty() ? read(Args.front()) : std::nullopt;
}

std::optional<LiteralText> TextReader::read(const Expr *E) {
  if (++Depth > 200)
    return std::nullopt;
  ConstantValue Value = Values.valueOf(E);
  std::optional<LiteralText> Out;
  if (const auto *Literal = dyn_cast<StringLiteral>(Value.E)) {
    if (Literal->isOrdinary() || Literal->isUTF8())
      Out = LiteralReader(*Literal, Spans).read();
  } else if (const auto *Construct = dyn_cast<CXXConstructExpr>(Value.E)) {
    Out = readConstruct(*Construct);
  } else if (const auto *Call = dyn_cast<CallExpr>(Value.E)) {
    Out = readCall(*Call);
  }
  if (Out && Values.isShared(Value.Through))
    for (LiteralText::Piece &P : Out->Pieces)
      P.Shared = true;
  return Out;
}

} // namespace

std::optional<LiteralText> opsig::readText(const Expr *E, ConstantValues &Values) {
  return TextReader(Values).read(E);
}

bool opsig::isKeyType(QualType T) {
  if (T.isNull()) // of an initialiser with errors
    return false;
  const EnumDecl *Enum = T.getNonReferenceType()->getAsEnumDecl();
  if (!Enum)
    return false;
  std::string Name = scopeName(*Enum);
  return Name == "c10::DispatchKey" || Name == "c10::DeviceType";
}

namespace {

/// Finds the first expression of a key's type.
class KeyFinder : public RecursiveASTVisitor<KeyFinder> {
public:
  const Expr *Found = nullptr;
  bool VisitExpr(Expr *E) {
    if (!Found && isKeyType(E->getType()))
      Found = E;
    return !Found;
  }
};

} // namespace

std::string opsig::readKey(const Expr *E, ConstantValues &Values) {
  ASTContext &Context = Values.spans().context();
  KeyFinder Finder;
  Finder.TraverseStmt(const_cast<Expr *>(E));
  if (!Finder.Found)
    return "";
  const Expr *Key = Values.valueOf(Finder.Found).E;
  if (!isKeyType(Key->getType()))
    return "";
  if (const auto *Ref = dyn_cast<DeclRefExpr>(Key))
    if (const auto *Enumerator = dyn_cast<EnumConstantDecl>(Ref->getDecl()))
      return Enumerator->getNameAsString();
  Expr::EvalResult Value;
  if (Key->isValueDependent() || !Key->EvaluateAsInt(Value, Context))
    return "";
  for (const EnumConstantDecl *Enumerator : Key->getType()->getAsEnumDecl()->enumerators())
    if (llvm::APSInt::isSameValue(Enumerator->getInitVal(), Value.Val.getInt()))
      return Enumerator->getNameAsString();
  return "";
}
