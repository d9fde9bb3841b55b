//===- FromAst.cpp - a finished parse => TranslationUnit --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Flow/FlowInternal.h"
#include "Read/KernelInternal.h"
#include "Read/RegistrationInternal.h"
#include "opsig/Kernel/FromAst.h"

#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace clang;
// Not to be confused with the ids of opsig.
namespace clang_diag = clang::diag;

namespace {

bool isMismatch(unsigned Id) {
  return Id == clang_diag::err_member_decl_does_not_match ||
         Id == clang_diag::err_member_decl_does_not_match_suggest ||
         Id == clang_diag::err_member_def_does_not_match_ret_type ||
         Id == clang_diag::err_ovl_diff_return_type || Id == clang_diag::err_conflicting_types;
}

/// "expected ')'" is among what all of Clang's parts share.
bool isSyntaxError(unsigned Id) {
  return (Id >= clang_diag::DIAG_START_PARSE && Id < clang_diag::DIAG_START_AST) ||
         Id == clang_diag::err_expected || Id == clang_diag::err_expected_either ||
         Id == clang_diag::err_expected_after;
}

std::string describe(const clang::Diagnostic &Info) {
  SmallString<256> Text;
  if (Info.hasSourceManager() && Info.getLocation().isValid()) {
    const SourceManager &SM = Info.getSourceManager();
    PresumedLoc At = SM.getPresumedLoc(SM.getExpansionLoc(Info.getLocation()));
    if (At.isValid())
      (Twine(At.getFilename()) + ":" + Twine(At.getLine()) + ":" + Twine(At.getColumn()) + ": ")
          .toVector(Text);
  }
  Info.FormatDiagnostic(Text);
  return std::string(Text);
}

/// Every identifier of the main file that stands before "(", sorted, each once.
std::vector<std::string> mentionedNames(const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  Lexer Raw(SM.getMainFileID(), SM.getBufferOrFake(SM.getMainFileID()), SM, Context.getLangOpts());
  Token Tok;
  std::vector<std::string> Mentioned;
  std::string Last;
  for (Raw.LexFromRawLexer(Tok); Tok.isNot(tok::eof); Raw.LexFromRawLexer(Tok)) {
    if (Tok.is(tok::l_paren) && !Last.empty())
      Mentioned.push_back(Last);
    Last = Tok.is(tok::raw_identifier) ? Tok.getRawIdentifier().str() : "";
  }
  llvm::sort(Mentioned);
  Mentioned.erase(llvm::unique(Mentioned), Mentioned.end());
  return Mentioned;
}

} // namespace

/// Its offset in the main file.
static std::optional<uint32_t> mainFileOffset(const clang::Diagnostic &Error) {
  if (!Error.hasSourceManager() || Error.getLocation().isInvalid())
    return std::nullopt;
  const SourceManager &SM = Error.getSourceManager();
  SourceLocation At = SM.getExpansionLoc(Error.getLocation());
  return SM.isInMainFile(At) ? std::optional<uint32_t>(SM.getFileOffset(At)) : std::nullopt;
}

void ParseErrors::addWithinBody(const clang::Diagnostic &Error) {
  if (std::optional<uint32_t> Offset = mainFileOffset(Error))
    InMainFile.push_back({*Offset, false});
}

void ParseErrors::add(const clang::Diagnostic &Error) {
  if (isMismatch(Error.getID()))
    return;
  ++Count;
  if (std::optional<uint32_t> Offset = mainFileOffset(Error))
    InMainFile.push_back({*Offset, isSyntaxError(Error.getID())});
  if (First.empty())
    First = describe(Error);
}

void ParseErrors::addMissingHeader(StringRef Name) {
  if (!llvm::is_contained(MissingHeaders, Name))
    MissingHeaders.push_back(Name.str());
}

static bool isInMainFile(const Decl *D) {
  const SourceManager &SM = D->getASTContext().getSourceManager();
  return SM.isInMainFile(SM.getExpansionLoc(D->getLocation()));
}

bool opsig::isProjectDecl(const Decl &D) {
  const SourceManager &SM = D.getASTContext().getSourceManager();
  SourceLocation At = SM.getExpansionLoc(D.getLocation());
  return At.isValid() && (SM.isInMainFile(At) || !SM.isInSystemHeader(At));
}

std::vector<Decl *> opsig::projectDecls(const ASTContext &Context) {
  std::vector<Decl *> TopLevel;
  for (Decl *D : Context.getTranslationUnitDecl()->noload_decls())
    if (!D->isFromASTFile() && isProjectDecl(*D))
      TopLevel.push_back(D);
  return TopLevel;
}

TranslationUnit opsig::translationUnitFromAst(ASTContext &Context, llvm::ArrayRef<Decl *> TopLevel,
                                              StringRef MainFile, const ParseOptions &Options,
                                              const ParseErrors &Errors) {
  TranslationUnit Unit;
  Unit.MainFile = MainFile.str();
  Unit.Files.push_back(Unit.MainFile);
  Unit.MissingHeaders = Errors.MissingHeaders;
  Unit.NumErrors = Errors.Count;
  Unit.Garbled = llvm::any_of(Errors.InMainFile, [](const ClangError &E) { return E.Syntax; });
  Unit.FirstError = Errors.First;
  Unit.Names = resolveNames(Context);
  std::vector<Decl *> OfMainFile;
  llvm::copy_if(TopLevel, std::back_inserter(OfMainFile), isInMainFile);
  collectKernels(OfMainFile, Context, Options.Scopes, Errors.InMainFile, Unit);
  collectRegistrations(TopLevel, Context, Errors.InMainFile, Unit);
  if (Options.Bodies)
    collectFlows(TopLevel, Context, Errors.InMainFile, Unit);
  Unit.Parsed = true;
  if (Unit.complete())
    collectUnused(OfMainFile, Context, Unit);
  else
    Unit.Mentioned = mentionedNames(Context);
  return Unit;
}
