//===- Messages.cpp - every error of a parse, and the bodies that show them ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Parse/ParseInternal.h"
#include "opsig/Frontend/FromAst.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace opsig;
using namespace clang;

/// Where arguments of macros are spelled.
static std::optional<CodePoint> spelledPoint(const clang::Diagnostic &Info) {
  if (!Info.hasSourceManager() || Info.getLocation().isInvalid())
    return std::nullopt;
  SourceManager &SM = Info.getSourceManager();
  auto [File, Offset] = SM.getDecomposedLoc(SM.getFileLoc(Info.getLocation()));
  OptionalFileEntryRef Entry = SM.getFileEntryRefForID(File);
  return Entry ? std::optional(CodePoint{Entry->getUniqueID(), Offset}) : std::nullopt;
}

static std::optional<CodePoint> pointOf(const clang::Diagnostic &Info, std::string *Path) {
  if (!Info.hasSourceManager() || Info.getLocation().isInvalid())
    return std::nullopt;
  SourceManager &SM = Info.getSourceManager();
  auto [File, Offset] = SM.getDecomposedExpansionLoc(Info.getLocation());
  OptionalFileEntryRef Entry = SM.getFileEntryRefForID(File);
  if (!Entry)
    return std::nullopt;
  if (Path) {
    SmallString<256> Absolute(Entry->getName());
    SM.getFileManager().makeAbsolutePath(Absolute);
    *Path = std::string(Absolute);
  }
  return CodePoint{Entry->getUniqueID(), Offset};
}

bool MessageReader::isOwnBody(const FunctionDecl *F) const {
  for (const DeclContext *Around = F; Around; Around = Around->getParent()) {
    const auto *Function = dyn_cast<FunctionDecl>(Around);
    if (!Function)
      continue;
    const FunctionDecl *Pattern = Function->getTemplateInstantiationPattern();
    if (Own.count(Function->getCanonicalDecl()) ||
        (Pattern && Own.count(Pattern->getCanonicalDecl())))
      return true;
  }
  return false;
}

bool MessageReader::add(DiagnosticsEngine::Level Level, const clang::Diagnostic &Info,
                        const FunctionDecl *Current) {
  if (Level == DiagnosticsEngine::Note) {
    if (std::optional<CodePoint> At = pointOf(Info, nullptr); At && LastIsError)
      Out.Errors.back().Notes.push_back(*At);
    return true;
  }
  LastIsError = Level >= DiagnosticsEngine::Error;
  if (!LastIsError)
    return true;
  ClangMessage Error;
  Error.Id = Info.getID();
  Error.At = pointOf(Info, &Error.Path).value_or(CodePoint());
  Error.Spelled = spelledPoint(Info).value_or(Error.At);
  Error.Mismatch = isMismatch(Info.getID());
  SmallString<256> Text;
  Info.FormatDiagnostic(Text);
  Error.Text = std::string(Text);
  if (Current)
    Error.Function = Current->getNameAsString();
  Out.Errors.push_back(std::move(Error));
  return Current && isOwnBody(Current);
}

/// Up to the last "}" of the definition whose name stands at \p Lex, whatever is between: too much
/// is read rather than too little.
static bool namesOne(Lexer &Lex, const std::set<std::string, std::less<>> &Names) {
  unsigned Depth = 0;
  bool Ended = false;
  Token Tok;
  for (Lex.LexFromRawLexer(Tok); Tok.isNot(tok::eof); Lex.LexFromRawLexer(Tok)) {
    bool IsName = Tok.is(tok::raw_identifier);
    // "X() : a{1}, b{2} {", "} catch (...) {"
    if (Ended && !Tok.isOneOf(tok::l_brace, tok::comma) &&
        !(IsName && Tok.getRawIdentifier() == "catch"))
      return false;
    Ended = false;
    if (IsName && Names.count(Tok.getRawIdentifier()))
      return true;
    if (Tok.is(tok::l_brace))
      ++Depth;
    else if (Tok.is(tok::r_brace))
      Ended = Depth <= 1, Depth -= Depth > 0;
  }
  return false;
}

bool MessageReader::wantsBody(const Decl &D) {
  if (Named.empty())
    return false;
  const SourceManager &SM = D.getASTContext().getSourceManager();
  auto [File, Offset] = SM.getDecomposedExpansionLoc(D.getLocation());
  std::optional<StringRef> Text = SM.getBufferDataOrNone(File);
  if (!Text || Offset > Text->size())
    return false;
  Lexer Lex(SM.getLocForStartOfFile(File), D.getASTContext().getLangOpts(), Text->begin(),
            Text->begin() + Offset, Text->end());
  if (!namesOne(Lex, Named))
    return false;
  const auto *Template = dyn_cast<FunctionTemplateDecl>(&D);
  Own.insert((Template ? Template->getTemplatedDecl() : &D)->getCanonicalDecl());
  return true;
}
