//===- AstCheck.cpp - Checks what a host of Clang parsed --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Tidy/AstCheck.h"
#include "opsig/Check/Comparison.h"
#include "opsig/Report/SiftFindings.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace opsig;
using namespace clang;

bool opsig::mentionsTorch(ASTContext &Context) {
  for (StringRef Name : {"at", "c10", "torch"})
    for (const NamedDecl *Found :
         Context.getTranslationUnitDecl()->lookup(DeclarationName(&Context.Idents.get(Name))))
      if (isa<NamespaceDecl>(Found))
        return true;
  return false;
}

static std::string absolutePath(const SourceManager &SM, StringRef Name) {
  SmallString<256> Path(Name);
  SM.getFileManager().makeAbsolutePath(Path);
  llvm::sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return std::string(Path);
}

/// Under the name that the user gave.
static std::string mainFileName(const SourceManager &SM) {
  OptionalFileEntryRef File = SM.getFileEntryRefForID(SM.getMainFileID());
  return File ? File->getName().str() : "";
}

std::string opsig::mainFileFolder(const SourceManager &SM) {
  std::string Name = mainFileName(SM);
  return Name.empty() ? "" : llvm::sys::path::parent_path(absolutePath(SM, Name)).str();
}

UnitFacts opsig::checkAst(ASTContext &Context, const ParseErrors &Errors, const SchemasOfFile &Of,
                          AstFindings &Hits) {
  if (Context.getDiagnostics().hasFatalErrorOccurred())
    return {};
  const ProjectChecker &Checker = *Of.Schemas->Checker;
  SourceManager &SM = Context.getSourceManager();
  std::string MainFile = absolutePath(SM, mainFileName(SM));
  ParseOptions Options =
      Checker.parseOptions(std::make_shared<ProjectFiles>(MainFile, Of.Project.Build));
  UnitFacts Unit = translationUnitFromAst(Context, projectDecls(Context, Options), mainFileName(SM),
                                          Options, Errors);
  // An editor's text goes before what is on disk.
  for (const std::string &Name : Unit.Files) {
    OptionalFileEntryRef Entry = SM.getFileManager().getOptionalFileRef(Name);
    if (!Entry)
      continue;
    if (std::optional<llvm::MemoryBufferRef> Text = SM.getMemoryBufferForFileOrNone(*Entry))
      Hits.Files.add(Name, Text->getBuffer().str());
  }
  Findings All;
  Checker.check(Unit, Scope::Unit, Hits.Files, All);
  FindingFilter Filter = filterOf(Of.Project);
  Hits.Diags = sift(std::move(All), Filter, Hits.Files).Reported;
  return Unit;
}

static bool overlap(const Fix &L, const Fix &R) {
  return L.File == R.File && L.Offset <= R.Offset + R.Length && R.Offset <= L.Offset + L.Length;
}

std::vector<opsig::Finding> opsig::withFixesOnce(llvm::ArrayRef<opsig::Finding> Diags) {
  std::vector<opsig::Finding> Out(Diags.begin(), Diags.end());
  std::vector<Fix> Taken;
  for (opsig::Finding &D : Out) {
    bool Free = llvm::none_of(D.Fixes, [&](const Fix &Mine) {
      return llvm::any_of(Taken, [&](const Fix &Other) { return overlap(Mine, Other); });
    });
    if (Free)
      llvm::append_range(Taken, D.Fixes);
    else
      D.Fixes.clear();
  }
  return Out;
}

FileID HostPlaces::fileId(SourceId File) {
  auto [It, New] = Known.try_emplace(File);
  if (!New || File == SourceId::None)
    return It->second;
  StringRef Name = Files.name(File);
  if (Name == mainFileName(SM))
    return It->second = SM.getMainFileID();
  OptionalFileEntryRef Entry = SM.getFileManager().getOptionalFileRef(Name);
  if (!Entry)
    return It->second;
  It->second = SM.translateFile(*Entry);
  if (It->second.isInvalid())
    It->second = SM.createFileID(*Entry, SourceLocation(), SrcMgr::C_User);
  return It->second;
}

SourceLocation HostPlaces::location(const Place &At) {
  FileID File = At.isValid() ? fileId(At.File) : FileID();
  return File.isValid() ? SM.translateLineCol(File, At.Line, At.Column) : SourceLocation();
}

CharSourceRange HostPlaces::range(const Place &At) {
  SourceLocation Begin = location(At);
  if (Begin.isInvalid())
    return {};
  return CharSourceRange::getCharRange(Begin, Begin.getLocWithOffset(At.Length));
}

std::vector<FixItHint> HostPlaces::fixIts(llvm::ArrayRef<Fix> Fixes) {
  std::vector<FixItHint> Hints;
  for (const Fix &F : Fixes) {
    FileID File = fileId(F.File);
    if (File.isInvalid() || F.Offset + F.Length > SM.getFileIDSize(File))
      return {};
    SourceLocation Begin = SM.getLocForStartOfFile(File).getLocWithOffset(F.Offset);
    Hints.push_back(FixItHint::CreateReplacement(
        CharSourceRange::getCharRange(Begin, Begin.getLocWithOffset(F.Length)), F.Text));
  }
  return Hints;
}
