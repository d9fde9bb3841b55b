//===- ReadDecl.cpp - what a declaration says, and where --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Decls/UnitSpansInternal.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Basic/SourceManager.h"

using namespace opsig;
using namespace clang;

namespace {

class DeclReader {
public:
  DeclReader(const FunctionDecl &F, UnitSpans &Spans)
      : F(F), Spans(Spans), Context(Spans.context()), Written(F.getFunctionTypeLoc()) {}

  KernelDecl read();

private:
  void readName();
  void readList();
  void readReturn();
  KernelParam readParam(unsigned Index);
  void readType(const ParmVarDecl &P, KernelParam &Out);
  Span defaultSpan(const ParmVarDecl &P);
  Span returnSpan();
  /// A lambda or a typedef may have none.
  bool isReturnWritten() const;
  std::string print(QualType T) const { return T.getAsString(Context.getPrintingPolicy()); }
  Span token(SourceLocation At) { return Spans.span(SourceRange(At, At)); }

  const FunctionDecl &F;
  UnitSpans &Spans;
  ASTContext &Context;
  FunctionTypeLoc Written;
  KernelDecl Out;
};

/// Clang begins a default in braces at its equal sign.
Span DeclReader::defaultSpan(const ParmVarDecl &P) {
  Span At = Spans.span(P.getDefaultArgRange());
  StringRef Text = Spans.text(At);
  if (Text.consume_front("=")) {
    Text = Text.ltrim();
    At = {At.File, uint32_t(At.end() - Text.size()), uint32_t(Text.size())};
  }
  return At;
}

/// Where its type and name stand; they are all in one file.
void DeclReader::readType(const ParmVarDecl &P, KernelParam &Out) {
  if (Out.Name.empty()) {
    Out.NameAt = {Out.Whole.File, Out.Whole.end(), 0};
    Out.Type = Out.Whole;
    if (Out.Default.isValid()) {
      StringRef Before = Spans.text(Out.Whole).substr(0, Out.Default.Offset - Out.Whole.Offset);
      Before = Before.rtrim();
      Before.consume_back("=");
      Out.Type.Length = Before.rtrim().size();
    }
    return;
  }
  Out.NameAt = token(P.getLocation());
  StringRef Before = Spans.text(Out.Whole).substr(0, Out.NameAt.Offset - Out.Whole.Offset);
  Out.Type = {Out.Whole.File, Out.Whole.Offset, uint32_t(Before.rtrim().size())};
  // In `int x[2]` and `int (*x)(int)` the type goes on behind the name.
  TypeLoc OfType = P.getTypeSourceInfo() ? P.getTypeSourceInfo()->getTypeLoc() : TypeLoc();
  if (!OfType.isNull() && OfType.getEndLoc().isValid() &&
      Context.getSourceManager().isBeforeInTranslationUnit(P.getLocation(), OfType.getEndLoc()))
    Out.Type = {};
}

KernelParam DeclReader::readParam(unsigned Index) {
  const ParmVarDecl &P = *F.getParamDecl(Index);
  KernelParam Out;
  // The canonical type has the parameters as they count: without outer const, arrays decayed.
  const auto *Type = F.getType().getCanonicalType()->castAs<FunctionProtoType>();
  Out.Name = P.getNameAsString();
  Out.Whole = Spans.span(P.getSourceRange());
  // Clang takes int for a type that it does not know; a class stays itself also where it is wrong.
  bool Known = !P.isInvalidDecl() || P.getType().getNonReferenceType()->getAsCXXRecordDecl();
  if (Known && !Spans.hasError(Out.Whole))
    Out.Canonical = opsig::readType(Type->getParamType(Index), Context);
  if (P.getTypeSourceInfo())
    placeType(Out.Canonical, P.getTypeSourceInfo()->getTypeLoc(), Spans);
  if (P.hasDefaultArg() && !P.hasInheritedDefaultArg() && !P.hasUnparsedDefaultArg() &&
      !P.hasUninstantiatedDefaultArg()) {
    Out.Default = defaultSpan(P);
    // What {} comes to depends on the type.
    if (Out.Canonical.isRead())
      Out.DefaultValue = defaultValue(*P.getDefaultArg(), Context);
  }
  if (!Out.Whole.isValid() || P.getBeginLoc().isMacroID() || P.getEndLoc().isMacroID() ||
      P.getLocation().isMacroID()) {
    this->Out.Editable = false;
    if (!Out.Whole.isValid()) // something to point at all the same
      Out.Whole = token(Context.getSourceManager().getExpansionLoc(P.getLocation()));
    Out.NameAt = {Out.Whole.File, Out.Whole.end(), 0};
  } else {
    readType(P, Out);
  }
  Out.TypeText = Out.Type.isValid() ? inOneLine(Spans.text(Out.Type)) : print(P.getType());
  return Out;
}

bool DeclReader::isReturnWritten() const {
  const auto *Method = dyn_cast<CXXMethodDecl>(&F);
  bool Lambda = Method && Method->getParent()->isLambda();
  return Written && (!Lambda || Written.getReturnLoc().getBeginLoc() > Written.getRParenLoc());
}

Span DeclReader::returnSpan() {
  if (!isReturnWritten())
    return {};
  bool Trailing = Written.getTypePtr()->castAs<FunctionProtoType>()->hasTrailingReturn();
  Span Return =
      Spans.span(Trailing ? Written.getReturnLoc().getSourceRange() : F.getReturnTypeSourceRange());
  // The range lacks qualifiers that stand before the type.
  Span Begin = token(Trailing ? Written.getRParenLoc() : F.getBeginLoc());
  if (!Return.isValid() || !Begin.isValid() || Begin.File != Return.File ||
      Begin.Offset >= Return.Offset)
    return Return;
  StringRef Before = Spans.text({Begin.File, Begin.Offset, Return.Offset - Begin.Offset}).rtrim();
  if (!Before.consume_back("const") ||
      (!Before.empty() && isAsciiIdentifierContinue(Before.back())))
    return Return;
  uint32_t Start = Begin.Offset + Before.size();
  return {Return.File, Start, Return.end() - Start};
}

void DeclReader::readReturn() {
  Out.Return = returnSpan();
  Span Before = Spans.span(SourceRange(F.getBeginLoc(), F.getLocation()));
  bool End = Out.Return.isValid() && Out.Return.Offset > Out.NameAt.Offset;
  // Where Clang cannot read what stands behind "->", it takes int.
  bool Lost = Out.Return.isValid() && Spans.text(Out.Return) == "auto" &&
              !F.getReturnType()->getContainedAutoType();
  if (!Lost && !Spans.hasError(Before) && !(End && Spans.hasError(Out.Return)))
    Out.ReturnCanonical = opsig::readType(F.getReturnType(), Context);
  if (isReturnWritten())
    placeType(Out.ReturnCanonical, Written.getReturnLoc(), Spans);
  Out.ReturnText =
      Out.Return.isValid() ? inOneLine(Spans.text(Out.Return)) : print(F.getReturnType());
}

void DeclReader::readName() {
  Out.Name = F.getNameAsString();
  const DeclContext *Scope = F.getDeclContext()->getRedeclContext();
  Out.Scope = scopeName(*Scope);
  Out.Member = Scope->isRecord();
  Out.Definition = F.isThisDeclarationADefinition();
  Out.Internal = !Out.Member && (F.getStorageClass() == SC_Static || F.isInAnonymousNamespace());
  // A macro's name stands for the function's; the parameters behind it may be the file's own.
  Out.NameAt = token(F.getLocation());
  if (!Out.NameAt.isValid() || F.getLocation().isMacroID())
    Out.NameAt = token(Context.getSourceManager().getExpansionLoc(F.getLocation()));
  Out.Surroundings = scopeName(*F.getLexicalDeclContext()->getEnclosingNamespaceContext());
  Out.Short = shortNames(F, Spans.names());
}

void DeclReader::readList() {
  if (!Written)
    return;
  SourceLocation Open = Written.getLParenLoc(), Close = Written.getRParenLoc();
  Span OpenAt = token(Open), CloseAt = token(Close);
  if (!OpenAt.isValid() || !CloseAt.isValid() || OpenAt.File != CloseAt.File || Open.isMacroID() ||
      Close.isMacroID() || CloseAt.Offset < OpenAt.end())
    return; // of a lambda without a list both stand at its body
  Out.ParamList = {OpenAt.File, OpenAt.end(), CloseAt.Offset - OpenAt.end()};
  Out.Head = Spans.span(SourceRange(F.getBeginLoc(), Close));
}

KernelDecl DeclReader::read() {
  readName();
  readList();
  Out.Editable = Out.ParamList.isValid();
  for (unsigned I = 0; I < F.getNumParams(); ++I)
    Out.Params.push_back(readParam(I));
  readReturn();
  readTokens(F, Spans, Out);
  return std::move(Out);
}

} // namespace

void opsig::addForeign(KernelDecl &K, const FunctionDecl &Other, const UnitSpans &Spans) {
  K.Editable = false;
  if (K.ForeignFile.empty())
    K.ForeignFile = Spans.fileOf(Other);
}

KernelDecl opsig::readDecl(const FunctionDecl &F, UnitSpans &Spans) {
  return DeclReader(F, Spans).read();
}
