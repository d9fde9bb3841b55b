//===- RegistrationText.cpp - string constants, dispatch keys ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Read/RegistrationInternal.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSwitch.h"

using namespace opsig;
using namespace clang;

Span LiteralText::at(size_t Offset, size_t Length) const {
  for (const Piece &P : Pieces) {
    if (Offset < P.Offset || Offset >= P.Offset + P.Length)
      continue;
    if (P.Length != P.Source.Length)
      return P.Source;
    uint32_t Skip = Offset - P.Offset;
    return {P.Source.File, P.Source.Offset + Skip,
            uint32_t(std::min<size_t>(Length, P.Length - Skip))};
  }
  // The end of the text: behind its last byte.
  if (!Pieces.empty() && Offset >= Pieces.back().Offset + Pieces.back().Length)
    return {Pieces.back().Source.File, Pieces.back().Source.end(), 0};
  return Whole;
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

/// Where the bytes of a literal stand, joined to runs.
LiteralText literalText(const StringLiteral &Literal, UnitSpans &Spans) {
  ASTContext &Context = Spans.context();
  const SourceManager &SM = Context.getSourceManager();
  LiteralText Out;
  Out.Value = Literal.getBytes().str();
  Out.Whole = Spans.use(Literal.getSourceRange());
  unsigned Token = 0, TokenOffset = 0;
  for (uint32_t I = 0; I < Out.Value.size(); ++I) {
    SourceLocation At = Literal.getLocationOfByte(I, SM, Context.getLangOpts(),
                                                  Context.getTargetInfo(), &Token, &TokenOffset);
    Span Byte = Spans.byte(At.isMacroID() ? SM.getSpellingLoc(At) : At);
    if (!Byte.isValid())
      continue;
    LiteralText::Piece *Last = Out.Pieces.empty() ? nullptr : &Out.Pieces.back();
    bool Escape = Spans.text(Byte) != StringRef(Out.Value).substr(I, 1);
    if (Last && Last->Length != Last->Source.Length && Last->Source.File == Byte.File &&
        Byte.Offset > Last->Source.Offset && Byte.Offset - Last->Source.Offset <= 10)
      Last->Source.Length = Byte.Offset - Last->Source.Offset; // as long as the escape was
    if (Escape)
      Byte.Length = 2;
    else if (Last && Last->Length == Last->Source.Length && Last->Source.File == Byte.File &&
             Last->Source.end() == Byte.Offset && Last->Offset + Last->Length == I) {
      ++Last->Length;
      ++Last->Source.Length;
      continue;
    }
    Out.Pieces.push_back({I, 1, Byte});
  }
  return Out;
}

bool isWrapper(const FunctionDecl *F) {
  // torch::schema(...), and the conversion of a SelectiveStr.
  return F && (scopeName(*F) == "torch::schema" || isa<CXXConversionDecl>(F));
}

} // namespace

std::optional<LiteralText> opsig::readText(const Expr *E, UnitSpans &Spans) {
  E = underlying(E);
  if (const auto *Literal = dyn_cast<StringLiteral>(E)) {
    if (Literal->isOrdinary() || Literal->isUTF8())
      return literalText(*Literal, Spans);
    return std::nullopt;
  }
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
    std::string Class = Construct->getConstructor()->getParent()->getNameAsString();
    bool IsString = Class == "SelectiveStr" || Class == "basic_string" || Class == "string" ||
                    Class == "basic_string_view" || Class == "string_view";
    if (!IsString || Construct->getNumArgs() == 0)
      return std::nullopt;
    for (unsigned I = 1; I < Construct->getNumArgs(); ++I)
      if (!isa<CXXDefaultArgExpr>(Construct->getArg(I)))
        return std::nullopt; // a part of it
    return readText(Construct->getArg(0), Spans);
  }
  if (const auto *Call = dyn_cast<CXXMemberCallExpr>(E))
    return isWrapper(Call->getMethodDecl()) ? readText(Call->getImplicitObjectArgument(), Spans)
                                            : std::nullopt;
  if (const auto *Call = dyn_cast<CallExpr>(E); Call && Call->getNumArgs() > 0)
    return isWrapper(Call->getDirectCallee()) ? readText(Call->getArg(0), Spans) : std::nullopt;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (!Var || !Var->getAnyInitializer())
      return std::nullopt;
    QualType T = Var->getType();
    bool Constant =
        T.isConstQualified() || (T->isArrayType() && T->getArrayElementTypeNoTypeQual() &&
                                 Spans.context().getBaseElementType(T).isConstQualified());
    return Constant ? readText(Var->getAnyInitializer(), Spans) : std::nullopt;
  }
  return std::nullopt;
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

std::string opsig::readKey(const Expr *E, ASTContext &Context) {
  KeyFinder Finder;
  Finder.TraverseStmt(const_cast<Expr *>(E));
  if (!Finder.Found)
    return "";
  const Expr *Key = Finder.Found->IgnoreParenImpCasts();
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
