//===- UnusedFunctions.cpp - functions that nothing in their file mentions ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// definitions of the main file that no other file can see
//   => minus those that the parse saw in use (bodies may have been skipped)
//   => minus those whose name stands anywhere else in the text
//
//===----------------------------------------------------------------------===//
#include "Registrations/RegistrationInternal.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace clang;

FileWords::FileWords(const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  Lexer Raw(SM.getMainFileID(), SM.getBufferOrFake(SM.getMainFileID()), SM, Context.getLangOpts());
  Token Tok;
  bool AfterHash = false;
  for (Raw.LexFromRawLexer(Tok); Tok.isNot(tok::eof); Raw.LexFromRawLexer(Tok)) {
    if (Tok.is(tok::raw_identifier)) {
      ++Counts[Tok.getRawIdentifier()];
      if (AfterHash && Tok.getRawIdentifier() == "include")
        LastInclude = SM.getFileOffset(Tok.getLocation());
    }
    AfterHash = Tok.is(tok::hash) && Tok.isAtStartOfLine();
  }
}

namespace {

/// A definition of internal linkage that the parse saw no use of.
bool mayBeUnused(const FunctionDecl &F, const SourceManager &SM) {
  return F.isThisDeclarationADefinition() && !isa<CXXMethodDecl>(F) &&
         F.getFormalLinkage() == Linkage::Internal && F.getDeclName().isIdentifier() &&
         F.getTemplatedKind() == FunctionDecl::TK_NonTemplate && !F.isInvalidDecl() &&
         !F.isDeleted() && !F.isReferenced() && F.getLocation().isFileID() &&
         SM.isInMainFile(F.getLocation()) && !F.hasAttr<UsedAttr>() && !F.hasAttr<UnusedAttr>() &&
         !F.hasAttr<ConstructorAttr>() && !F.hasAttr<DestructorAttr>();
}

/// Takes or returns a tensor, as every kernel does.
bool handlesTensors(const FunctionDecl &F, const ASTContext &Context) {
  auto IsOne = [&](QualType T) {
    return llvm::StringRef(readType(T, Context).str()).contains("at::Tensor");
  };
  return IsOne(F.getReturnType()) ||
         llvm::any_of(F.parameters(), [&](const ParmVarDecl *P) { return IsOne(P->getType()); });
}

void addUnused(const Decl *D, const SourceManager &SM, std::vector<const FunctionDecl *> &Out) {
  if (const auto *F = dyn_cast<FunctionDecl>(D); F && mayBeUnused(*F, SM))
    Out.push_back(F);
  if (isa<NamespaceDecl, LinkageSpecDecl, ExportDecl>(D))
    for (const Decl *Member : cast<DeclContext>(D)->decls())
      addUnused(Member, SM, Out);
}

} // namespace

void opsig::collectUnused(llvm::ArrayRef<Decl *> TopLevel, ASTContext &Context, UnitFacts &Unit) {
  const SourceManager &SM = Context.getSourceManager();
  std::vector<const FunctionDecl *> Functions;
  for (const Decl *D : TopLevel)
    addUnused(D, SM, Functions);
  if (Functions.empty())
    return;
  FileWords Words(Context);
  UnitSpans Spans(Context, Unit);
  for (const FunctionDecl *F : Functions) {
    unsigned Declarations = std::distance(F->redecls_begin(), F->redecls_end());
    // What is included behind it may use it in bodies that were skipped.
    if (Words.Counts.lookup(F->getName()) != Declarations ||
        SM.getFileOffset(F->getLocation()) < Words.LastInclude || !handlesTensors(*F, Context))
      continue;
    Span At = Spans.span(SourceRange(F->getLocation(), F->getLocation()));
    Unit.Unused.push_back(functionKernel(F, At, Spans));
  }
}
