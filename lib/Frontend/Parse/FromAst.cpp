//===- FromAst.cpp - a finished parse => UnitFacts --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ApiUses/UsesInternal.h"
#include "Bodies/FlowInternal.h"
#include "Decls/KernelInternal.h"
#include "Registrations/RegistrationInternal.h"
#include "Registrations/SkippedText.h"
#include "opsig/Frontend/FlagErrors.h"
#include "opsig/Frontend/FromAst.h"
#include "opsig/Support/LinkGuard.h"

#include "clang/Basic/DiagnosticLex.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace opsig;
using namespace clang;
// Not to be confused with the ids of opsig.
namespace clang_diag = clang::diag;

namespace {

/// "expected ')'" is among what all of Clang's parts share.
bool isSyntaxError(unsigned Id) {
  return (Id >= clang_diag::DIAG_START_PARSE && Id < clang_diag::DIAG_START_AST) ||
         Id == clang_diag::err_expected || Id == clang_diag::err_expected_either ||
         Id == clang_diag::err_expected_after ||
         // Names in the place of an expression: what stands behind them is skipped, too.
         Id == clang_diag::err_unexpected_namespace || Id == clang_diag::err_unexpected_typedef;
}

/// Whether Clang may quote the file that \p At is in. An include can lead to any file of the
/// user's, under any name: what is not named as code is none.
bool mayBeQuoted(const SourceManager &SM, SourceLocation At) {
  OptionalFileEntryRef File = SM.getFileEntryRefForID(SM.getFileID(At));
  if (!File)
    return true;
  StringRef Real = File->getFileEntry().tryGetRealPathName();
  StringRef Name = llvm::sys::path::filename(Real.empty() ? File->getName() : Real);
  // But for a link, the main file was chosen by its name.
  if (SM.isInMainFile(At) && Name == llvm::sys::path::filename(File->getName()))
    return true;
  // Headers without an extension are the standard library's, and have no dot in front.
  return Name.contains('.') ? isNamedAsCode(Name) : SM.isInSystemHeader(At);
}

std::string describe(const clang::Diagnostic &Info) {
  SmallString<256> Text;
  bool IsQuoted = true;
  if (Info.hasSourceManager() && Info.getLocation().isValid()) {
    const SourceManager &SM = Info.getSourceManager();
    PresumedLoc At = SM.getPresumedLoc(SM.getExpansionLoc(Info.getLocation()));
    IsQuoted = mayBeQuoted(SM, SM.getExpansionLoc(Info.getLocation())) &&
               mayBeQuoted(SM, SM.getSpellingLoc(Info.getLocation()));
    if (At.isValid())
      (Twine(At.getFilename()) + ":" + Twine(At.getLine()) + ":" + Twine(At.getColumn()) + ": ")
          .toVector(Text);
  }
  if (!IsQuoted)
    return (Text + "this is not C++").str();
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

bool opsig::isMismatch(unsigned Id) {
  return Id == clang_diag::err_member_decl_does_not_match ||
         Id == clang_diag::err_member_decl_does_not_match_suggest ||
         Id == clang_diag::err_member_def_does_not_match_ret_type ||
         Id == clang_diag::err_ovl_diff_return_type || Id == clang_diag::err_conflicting_types;
}

static bool isWordChar(char C) { return llvm::isAlnum(C) || C == '_'; }

/// Its offset in the main file.
static std::optional<uint32_t> mainFileOffset(const clang::Diagnostic &Error) {
  if (!Error.hasSourceManager() || Error.getLocation().isInvalid())
    return std::nullopt;
  const SourceManager &SM = Error.getSourceManager();
  SourceLocation At = SM.getExpansionLoc(Error.getLocation());
  return SM.isInMainFile(At) ? std::optional<uint32_t>(SM.getFileOffset(At)) : std::nullopt;
}

/// Words of C++20.
static bool isNewerKeyword(StringRef Word) {
  static constexpr llvm::StringLiteral Words[] = {"concept",  "requires", "consteval", "constinit",
                                                  "co_await", "co_yield", "co_return"};
  return llvm::is_contained(Words, Word);
}

/// Names of the standard library since C++17.
static bool isNewerName(StringRef Word) {
  static constexpr llvm::StringLiteral Words[] = {
      // C++17
      "optional", "nullopt", "variant", "any", "string_view", "byte", "filesystem", "void_t",
      "conjunction", "disjunction", "invoke_result_t", "is_invocable_v", "is_same_v", "clamp",
      "apply", "is_integral_v", "is_floating_point_v", "is_base_of_v", "is_convertible_v",
      "bool_constant", "size", "data", "reduce", "scoped_lock", "shared_mutex",
      // C++20
      "span", "bit_cast", "source_location", "ranges", "integral", "floating_point", "same_as",
      "convertible_to", "derived_from", "invocable", "strong_ordering", "partial_ordering",
      "remove_cvref_t", "remove_cvref", "type_identity", "type_identity_t", "bit_ceil",
      "has_single_bit", "countl_zero", "countr_zero", "popcount", "signed_integral",
      "unsigned_integral", "is_constant_evaluated"};
  return llvm::is_contained(Words, Word);
}

/// Whether the line of \p Error has one, or an #error that asks for a standard.
static bool wantsCpp20(const clang::Diagnostic &Error) {
  if (!Error.hasSourceManager() || Error.getLocation().isInvalid())
    return false;
  if (Error.getID() == clang_diag::err_auto_not_allowed)
    return true; // void f(auto x)
  const SourceManager &SM = Error.getSourceManager();
  auto [File, Offset] = SM.getDecomposedLoc(SM.getExpansionLoc(Error.getLocation()));
  StringRef Text = SM.getBufferData(File);
  StringRef Line = Text.drop_front(Text.take_front(Offset).rfind('\n') + 1);
  Line = Line.take_until([](char C) { return C == '\n'; });
  if (Error.getID() == clang_diag::err_pp_hash_error)
    return Line.contains("C++"); // "#error C++17 or later ... is required to use PyTorch"
  for (bool OfLibrary = false; !Line.empty();) {
    StringRef Word = Line.take_while(isWordChar);
    if (isNewerKeyword(Word) || (OfLibrary && isNewerName(Word)))
      return true;
    Line = Line.drop_front(std::max<size_t>(Word.size(), 1));
    if (!Word.empty())
      OfLibrary = Word == "std" && Line.consume_front("::");
  }
  return false;
}

void ParseErrors::addWithinBody(const clang::Diagnostic &Error, bool IsTold) {
  if (IsTold && splitFirstErrors(First).Text.empty())
    First = joinFirstErrors(First, describe(Error));
  WantsCpp20 = WantsCpp20 || wantsCpp20(Error);
  if (std::optional<uint32_t> Offset = mainFileOffset(Error))
    InMainFile.push_back({*Offset, false});
  else
    InHeaderBody = true;
}

void ParseErrors::add(const clang::Diagnostic &Error) {
  if (isMismatch(Error.getID()))
    return;
  ++Count;
  WantsCpp20 = WantsCpp20 || wantsCpp20(Error);
  if (std::optional<uint32_t> Offset = mainFileOffset(Error))
    InMainFile.push_back({*Offset, isSyntaxError(Error.getID())});
  size_t NumFlags = splitFirstErrors(First).Flags.size();
  if (NumFlags == 0 && Count > 1)
    return;
  std::string Next = describe(Error);
  // One in a body may stand there. That the command is of no use follows from its flags.
  bool IsOfText = NumFlags == 0 || Error.getLocation().isValid();
  if (isFlagError(Next) || (IsOfText && Count == NumFlags + 1))
    First = joinFirstErrors(First, Next);
}

void ParseErrors::addMissingHeader(StringRef Name) {
  if (!llvm::is_contained(MissingHeaders, Name))
    MissingHeaders.push_back(Name.str());
}

bool opsig::isTorchHeaderName(StringRef Name) {
  return Name.starts_with("ATen/") || Name.starts_with("torch/") || Name.starts_with("c10/");
}

std::string opsig::torchFolderOf(StringRef Name, FileEntryRef File, FileManager &Manager) {
  SmallString<256> Folder(File.getName());
  if (!isTorchHeaderName(Name) || !StringRef(Folder).ends_with(("/" + Name).str()))
    return "";
  Folder.resize(Folder.size() - Name.size() - 1);
  Manager.makeAbsolutePath(Folder);
  return std::string(Folder);
}

void ParseErrors::addTorchFolder(StringRef Folder) {
  if (!Folder.empty() && !llvm::is_contained(TorchFolders, Folder))
    TorchFolders.push_back(Folder.str());
}

void ParseErrors::addInclude(StringRef Name, FileEntryRef File, FileManager &Manager) {
  addTorchFolder(torchFolderOf(Name, File, Manager));
}

static bool isInMainFile(const Decl *D) {
  const SourceManager &SM = D->getASTContext().getSourceManager();
  return SM.isInMainFile(SM.getExpansionLoc(D->getLocation()));
}

bool ProjectPlaces::contain(SourceLocation At) {
  if (At.isInvalid())
    return false;
  At = SM.getExpansionLoc(At);
  if (SM.isInMainFile(At))
    return true;
  if (SM.isInSystemHeader(At))
    return false;
  if (!IsProjectFile)
    return true;
  FileID Id = SM.getFileID(At);
  auto [It, New] = Known.try_emplace(Id);
  if (New)
    if (OptionalFileEntryRef File = SM.getFileEntryRefForID(Id)) {
      SmallString<256> Path(File->getName());
      SM.getFileManager().makeAbsolutePath(Path);
      It->second = IsProjectFile(Path);
    }
  return It->second;
}

bool ProjectPlaces::contain(const Decl &D) { return contain(D.getLocation()); }

std::vector<FileID> ProjectPlaces::files() {
  std::vector<FileID> Files;
  llvm::SmallPtrSet<const FileEntry *, 16> Seen;
  for (unsigned I = 0, E = SM.local_sloc_entry_size(); I < E; ++I) {
    const SrcMgr::SLocEntry &Entry = SM.getLocalSLocEntry(I);
    if (!Entry.isFile())
      continue;
    SourceLocation Start = SourceLocation::getFromRawEncoding(Entry.getOffset());
    FileID Id = SM.getFileID(Start);
    OptionalFileEntryRef File = SM.getFileEntryRefForID(Id);
    if (File && contain(Start) && Seen.insert(&File->getFileEntry()).second)
      Files.push_back(Id);
  }
  return Files;
}

std::vector<Decl *> opsig::projectDecls(const ASTContext &Context, const ParseOptions &Options) {
  ProjectPlaces Project(Context.getSourceManager(), Options);
  std::vector<Decl *> TopLevel;
  for (Decl *D : Context.getTranslationUnitDecl()->noload_decls())
    if (!D->isFromASTFile() && Project.contain(*D))
      TopLevel.push_back(D);
  return TopLevel;
}

UnitFacts opsig::translationUnitFromAst(ASTContext &Context, llvm::ArrayRef<Decl *> TopLevel,
                                        StringRef MainFile, const ParseOptions &Options,
                                        const ParseErrors &Errors) {
  UnitFacts Unit;
  Unit.MainFile = MainFile.str();
  Unit.Files.push_back(Unit.MainFile);
  Unit.MissingHeaders = Errors.MissingHeaders;
  Unit.TorchFolders = Errors.TorchFolders;
  Unit.NumErrors = Errors.Count;
  Unit.Garbled = llvm::any_of(Errors.InMainFile, [](const ClangError &E) { return E.Syntax; });
  Unit.FirstError = Errors.First;
  Unit.Names = resolveNames(Context);
  std::vector<Decl *> OfMainFile;
  llvm::copy_if(TopLevel, std::back_inserter(OfMainFile), isInMainFile);
  ProjectPlaces Project(Context.getSourceManager(), Options);
  collectKernels(OfMainFile, Context, Options.Scopes, Errors.InMainFile, Project, Unit);
  collectRegistrations(TopLevel, Context, Errors.InMainFile, Project, Unit);
  if (Options.Bodies) {
    collectFlows(TopLevel, Context, Errors, Project, Unit);
    collectLookups(TopLevel, Context, Errors, Project, Unit);
    collectGradients(TopLevel, Context, Errors, Unit);
  }
  if (!Errors.Skipped.empty())
    Unit.SkippedDefinitions = skippedDefinitions(
        readRaw(Context.getSourceManager().getMainFileID(), Context), Errors.Skipped);
  Unit.Parsed = true;
  if (Unit.complete()) {
    collectUnused(OfMainFile, Context, Unit);
    collectSymbols(TopLevel, Context, Unit);
  } else {
    Unit.Mentioned = mentionedNames(Context);
    Unit.Reach = registrationReach(Context, Project, Unit);
  }
  return Unit;
}
