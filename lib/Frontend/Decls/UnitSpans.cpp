//===- UnitSpans.cpp - source ranges as spans of a unit's files --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Decls/RawText.h"
#include "Decls/UnitSpansInternal.h"

#include "opsig/Support/LinkGuard.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/Support/Path.h"

using namespace opsig;
using namespace clang;

UnitSpans::UnitSpans(ASTContext &Context, UnitFacts &Unit, llvm::ArrayRef<ClangError> Errors,
                     ProjectPlaces *Project)
    : Context(Context), SM(Context.getSourceManager()), Unit(Unit), Errors(Errors),
      Project(Project) {
  Indices[SM.getMainFileID()] = 0;
  Files[0] = SM.getMainFileID();
}

uint32_t UnitSpans::fileIndex(FileID File) {
  auto [It, New] = Indices.try_emplace(File, 0);
  if (!New)
    return It->second;
  std::string Path = absolutePathOf(File, SM);
  uint32_t Index = 0;
  while (Index < Unit.Files.size() && Unit.Files[Index] != Path)
    ++Index;
  if (Index == Unit.Files.size())
    Unit.Files.push_back(std::move(Path));
  Files[Index] = File;
  return Indices[File] = Index;
}

Span UnitSpans::span(SourceRange Range) {
  if (Range.isInvalid())
    return {};
  CharSourceRange File =
      Lexer::makeFileCharRange(CharSourceRange::getTokenRange(Range), SM, Context.getLangOpts());
  if (File.isInvalid())
    return {};
  auto [Id, Begin] = SM.getDecomposedLoc(File.getBegin());
  unsigned End = SM.getFileOffset(File.getEnd());
  if (End < Begin || !SM.getFileEntryRefForID(Id))
    return {};
  return {fileIndex(Id), Begin, End - Begin};
}

Span UnitSpans::fixed(SourceRange Range) {
  return Range.getBegin().isMacroID() || Range.getEnd().isMacroID() ? Span() : span(Range);
}

Span UnitSpans::use(SourceRange Range) {
  if (Span Own = span(Range); Own.isValid())
    return Own;
  CharSourceRange Expansion = SM.getExpansionRange(Range);
  return span(Expansion.getAsRange());
}

Span UnitSpans::byte(SourceLocation At) {
  if (At.isInvalid() || At.isMacroID())
    return {};
  auto [Id, Offset] = SM.getDecomposedLoc(At);
  if (!SM.getFileEntryRefForID(Id))
    return {};
  return {fileIndex(Id), Offset, 1};
}

void UnitSpans::useClass(std::string Name) {
  std::vector<std::string> &Used = Unit.Classes.Used;
  auto At = llvm::lower_bound(Used, Name);
  if (At == Used.end() || *At != Name)
    Used.insert(At, std::move(Name));
}

/// Adds the identifiers of \p Text.
static void addWords(StringRef Text, llvm::StringSet<> &Words) {
  while (!Text.empty()) {
    StringRef Word = Text.take_while([](char C) { return isAsciiIdentifierContinue(C); });
    if (!Word.empty())
      Words.insert(Word);
    Text = Text.drop_front(std::max<size_t>(Word.size(), 1));
  }
}

bool UnitSpans::isForeign(const Decl &D) const {
  return Project ? !Project->contain(D) : SM.isInSystemHeader(D.getLocation());
}

bool UnitSpans::isForeignText(SourceLocation At) {
  FileID Id = SM.getFileID(SM.getSpellingLoc(At));
  OptionalFileEntryRef File = SM.getFileEntryRefForID(Id),
                       Main = SM.getFileEntryRefForID(SM.getMainFileID());
  if (!File || !Main || Id == SM.getMainFileID())
    return false;
  auto [It, New] = ForeignTexts.try_emplace(Id, false);
  StringRef Real = File->getFileEntry().tryGetRealPathName();
  if (!New || Real.empty() || isNamedAsCode(Real) || SM.isInSystemHeader(SM.getSpellingLoc(At)))
    return It->second;
  StringRef Folder = llvm::sys::path::parent_path(Main->getFileEntry().tryGetRealPathName());
  std::string Around = projectAround(Folder);
  return It->second = !isInside(Real, Around.empty() ? Folder : Around);
}

std::string UnitSpans::fileOf(const Decl &D) const {
  OptionalFileEntryRef File =
      SM.getFileEntryRefForID(SM.getFileID(SM.getExpansionLoc(D.getLocation())));
  SmallString<256> Path(File ? File->getName() : "");
  SM.getFileManager().makeAbsolutePath(Path);
  return std::string(Path);
}

bool UnitSpans::maySkip(StringRef Name) {
  if (!Skipped) {
    Skipped.emplace();
    StringRef Main = SM.getBufferData(SM.getMainFileID());
    for (const ClangError &E : Errors)
      if (E.Syntax && E.Offset <= Main.size())
        addWords(Main.drop_front(E.Offset).take_until(
                     [](char C) { return C == ';' || C == '{' || C == '}'; }),
                 *Skipped);
  }
  return Skipped->contains(Name);
}

bool UnitSpans::isGarbled(const FunctionDecl &F) {
  SourceLocation Begin = SM.getExpansionLoc(F.getLocation());
  if (Errors.empty())
    return false;
  if (F.getDeclName().isIdentifier() && maySkip(F.getName()))
    return true;
  if (!SM.isInMainFile(Begin))
    return false;
  FunctionTypeLoc Written = F.getFunctionTypeLoc();
  if (Written && Written.getLParenLoc().isValid() && Written.getRParenLoc().isInvalid())
    return true;
  // Clang tells what it expected at the next token.
  SourceLocation End = SM.getExpansionLoc(F.getEndLoc());
  if (const Stmt *Body = F.doesThisDeclarationHaveABody() ? F.getBody() : nullptr)
    End = SM.getExpansionLoc(Body->getBeginLoc());
  else if (F.getNumParams() != 0)
    End = std::max(End, SM.getExpansionLoc(F.parameters().back()->getEndLoc()));
  if (std::optional<Token> Next = Lexer::findNextToken(End, SM, Context.getLangOpts()))
    End = Next->getLocation();
  unsigned First = SM.getFileOffset(Begin), Last = SM.getFileOffset(End);
  return llvm::any_of(Errors, [&](const ClangError &E) {
    return E.Syntax && E.Offset >= First && E.Offset <= Last;
  });
}

bool UnitSpans::hasError(Span S, bool OnlySyntax) const {
  return S.File == 0 && llvm::any_of(Errors, [&](const ClangError &E) {
           return (E.Syntax || !OnlySyntax) && E.Offset >= S.Offset && E.Offset <= S.end();
         });
}

StringRef UnitSpans::text(Span S) const {
  if (!S.isValid())
    return "";
  auto File = Files.find(S.File);
  return File == Files.end() ? "" : SM.getBufferData(File->second).substr(S.Offset, S.Length);
}

std::string opsig::inOneLine(StringRef Text) {
  std::string Out;
  for (char C : Text) {
    bool Blank = C == ' ' || C == '\t' || C == '\n' || C == '\r';
    if (!Blank || (!Out.empty() && Out.back() != ' '))
      Out += Blank ? ' ' : C;
  }
  return StringRef(Out).rtrim().str();
}
