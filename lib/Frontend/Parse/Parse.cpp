//===- Parse.cpp - runs Clang over a file -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ParseJob => one run of Clang => top level declarations of the project, errors, missing headers
//   => translationUnitFromAst (FromAst.cpp)
//
//===----------------------------------------------------------------------===//
#include "ApiUses/UsesInternal.h"
#include "Bodies/FlowInternal.h"
#include "Decls/KernelInternal.h"
#include "Parse/Invocation.h"
#include "Parse/SharedPchInternal.h"
#include "Registrations/RegistrationInternal.h"
#include "Registrations/SkippedText.h"
#include "opsig/Frontend/NoteText.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "llvm/Support/Path.h"
#include <map>

using namespace opsig;
using namespace clang;
// Not to be confused with the ids of opsig.
namespace clang_diag = clang::diag;

namespace {

/// What every step of one parse works on. Options holds until the end, Unit is the outcome.
struct ParseState {
  ParseState(const ParseOptions &Options, const NoteText &Note, const ParseAids &Aids)
      : Options(Options), Note(Note), SharedPch(Aids.SharedPch), Again(Aids.Again),
        BodySeconds(Aids.Bodies) {
    if (Aids.Messages)
      Messages.emplace(*Aids.Messages);
  }

  const ParseOptions &Options;
  const NoteText &Note;
  std::optional<MessageReader> Messages;
  SharedPchFit *SharedPch;
  bool Again;
  double *BodySeconds;
  /// Of what is loaded of the prefix.
  ASTDeserializationListener *Listener = nullptr;
  ParseErrors Errors;
  UnitFacts Unit;
  CompilerInstance *Compiler = nullptr;
  /// Once the compiler has a SourceManager.
  std::optional<ProjectPlaces> Project;
  /// For Note, by name.
  std::map<std::string, FileEntryRef> Included;
  /// For UnitFacts::Uses.
  MacroUses Macros;
  /// As ParseErrors::Skipped, of the project's headers.
  std::map<FileID, std::vector<SkippedLines>> SkippedInHeaders;
  SkippedRegistrations Skipped;
  StringRef Newer = ""; ///< the standard that may help, in place of the command's
};

class ErrorCollector : public DiagnosticConsumer {
public:
  ErrorCollector(ParseState &State) : State(State) {}

  void HandleDiagnostic(DiagnosticsEngine::Level Level, const clang::Diagnostic &Info) override {
    if (State.Messages && State.Messages->add(Level, Info, currentFunction()))
      return;
    if (Level < DiagnosticsEngine::Error)
      return;
    // A shared header may have needed the general template earlier than the file does.
    if (State.SharedPch && Info.getID() == clang_diag::err_specialization_after_instantiation)
      State.SharedPch->misfit("it specializes a template that the shared headers use");
    if (State.SharedPch && isInSharedPch(Info))
      State.SharedPch->misfit("a shared header has an error");
    if (isWithinBody(Info))
      State.Errors.addWithinBody(Info, !isOfDevice(currentFunction()));
    else if (isNew(Info))
      State.Errors.add(Info);
  }

private:
  /// A macro that uses its argument twice has the same error twice.
  bool isNew(const clang::Diagnostic &Info) {
    if (!Info.hasSourceManager() || Info.getLocation().isInvalid())
      return true;
    SmallString<256> Text;
    Info.FormatDiagnostic(Text);
    SourceLocation At = Info.getSourceManager().getExpansionLoc(Info.getLocation());
    return Known.insert({At.getRawEncoding(), std::string(Text)}).second;
  }

  /// A header that was read without an error has one where it is read again.
  bool isInSharedPch(const clang::Diagnostic &Info) const {
    if (!Info.hasSourceManager() || Info.getLocation().isInvalid())
      return false;
    const SourceManager &SM = Info.getSourceManager();
    OptionalFileEntryRef File =
        SM.getFileEntryRefForID(SM.getFileID(SM.getExpansionLoc(Info.getLocation())));
    return File && State.SharedPch->sharedPch().Headers.find(File->getUniqueID());
  }

  /// The one whose body is being read.
  const FunctionDecl *currentFunction() const {
    bool Reading = State.Compiler && State.Compiler->hasSema();
    return Reading ? State.Compiler->getSema().getCurFunctionDecl() : nullptr;
  }

  /// Sources are read as the host sees them: what calls nothing but device code may be right.
  static bool isOfDevice(const FunctionDecl *F) {
    return F && (F->hasAttr<CUDAGlobalAttr>() ||
                 (F->hasAttr<CUDADeviceAttr>() && !F->hasAttr<CUDAHostAttr>()));
  }

  /// The token behind a body is looked at while that is still open, and with it directives that no
  /// function holds.
  static bool isOfLexer(unsigned Id) {
    return Id >= clang_diag::DIAG_START_LEX && Id < clang_diag::DIAG_START_PARSE;
  }

  /// "no member named 'CPUU' in 'c10::DispatchKey'", also in a lambda of what fills a block: the
  /// finding about the key stands for one error that counts.
  bool isUnknownKey(const clang::Diagnostic &Info, const FunctionDecl *Outer) const {
    if ((Info.getID() != clang_diag::err_no_member &&
         Info.getID() != clang_diag::err_no_member_suggest) ||
        !Outer || !fillsLibrary(*Outer, *State.Project))
      return false;
    SmallString<256> Text;
    Info.FormatDiagnostic(Text);
    return StringRef(Text).contains("DispatchKey'");
  }

  /// In a body that is read only for what it does: no declaration depends on it, but for those that
  /// stand behind a brace that is missing.
  bool isWithinBody(const clang::Diagnostic &Info) const {
    // Where uses are looked for, what is in bodies is what counts.
    if (!State.Options.Bodies || State.Options.Uses || !State.Compiler ||
        !State.Compiler->hasSema() || Info.getID() == clang_diag::err_expected ||
        isOfLexer(Info.getID()))
      return false;
    const Sema &S = State.Compiler->getSema();
    const FunctionDecl *F = S.getCurFunctionDecl(/*AllowLambda=*/true);
    // A lambda of which not even the parameters have been read is no place of its own.
    if (F && F->getType().isNull())
      F = S.getCurFunctionDecl();
    return F && needsBodyForFlow(*F, *State.Project) && !fillsLibrary(*F, *State.Project) &&
           !isUnknownKey(Info, S.getCurFunctionDecl());
  }

  ParseState &State;
  std::set<std::pair<SourceLocation::UIntTy, std::string>> Known; ///< places and texts of errors
};

/// Notes where headers are found, and what conditions leave out of the main file. Headers that
/// cannot be found it goes on without: after Clang's own error, which is fatal, alias templates are
/// no longer looked through.
class HeaderWatch : public PPCallbacks {
public:
  HeaderWatch(ParseState &State, SourceManager &SM)
      : State(State), Errors(State.Errors), SM(SM), Files(SM.getFileManager()) {}

  void InclusionDirective(SourceLocation, const Token &, StringRef Name, bool, CharSourceRange,
                          OptionalFileEntryRef File, StringRef, StringRef, const Module *, bool,
                          SrcMgr::CharacteristicKind) override {
    if (!File)
      return;
    Errors.addInclude(Name, *File, Files);
    if (State.SharedPch)
      for (StringRef Folder : State.SharedPch->takeFolders())
        Errors.addTorchFolder(Folder);
    if (State.Note)
      State.Included.try_emplace(File->getName().str(), *File);
  }

  bool FileNotFound(StringRef Name) override {
    // Of what may not be read Clang says so.
    if (!mayBeThere(Name))
      Errors.addMissingHeader(Name);
    return true;
  }

  void SourceRangeSkipped(SourceRange Range, SourceLocation) override {
    SkippedLines Lines{SM.getFileOffset(Range.getBegin()), SM.getFileOffset(Range.getEnd())};
    if (SM.isInMainFile(Range.getBegin()))
      Errors.Skipped.push_back(Lines);
    else if (!State.Again && State.Project->contain(Range.getBegin()))
      State.SkippedInHeaders[SM.getFileID(Range.getBegin())].push_back(Lines);
  }

private:
  static std::error_code noPermission() {
    return std::make_error_code(std::errc::permission_denied);
  }

  /// Whether nobody may look into a folder that is searched for \p Name, or read it there.
  bool mayBeThere(StringRef Name) const {
    Preprocessor &PP = State.Compiler->getPreprocessor();
    std::vector<std::string> Folders;
    if (PreprocessorLexer *Lexer = PP.getCurrentFileLexer())
      if (OptionalFileEntryRef Includer = Lexer->getFileEntry())
        Folders.push_back(Includer->getDir().getName().str());
    for (const DirectoryLookup &Folder : PP.getHeaderSearchInfo().search_dir_range())
      if (OptionalDirectoryEntryRef Dir = Folder.getDirRef())
        Folders.push_back(Dir->getName().str());
    return llvm::any_of(Folders, [&](StringRef Folder) {
      SmallString<256> Path(Folder);
      llvm::sys::path::append(Path, Name);
      auto File = Files.getVirtualFileSystem().openFileForRead(Path);
      return !File && File.getError() == noPermission();
    });
  }

  ParseState &State;
  ParseErrors &Errors;
  SourceManager &SM;
  FileManager &Files;
};

/// Tells State.Note what this parse has read.
void recordTexts(SourceManager &SM, ParseState &State) {
  auto NoteOf = [&](FileEntryRef File) {
    SmallString<256> Path(File.getName());
    SM.getFileManager().makeAbsolutePath(Path);
    if (State.Options.IsProjectFile && !State.Options.IsProjectFile(Path))
      return;
    if (auto Buffer = SM.getMemoryBufferForFileOrNone(File))
      State.Note(Path, Buffer->getBuffer());
  };
  if (OptionalFileEntryRef Main = SM.getFileEntryRefForID(SM.getMainFileID()))
    NoteOf(*Main);
  for (const auto &[Name, File] : State.Included)
    NoteOf(File);
}

/// Where conditions left something out: the main file first, each header once.
std::vector<SkippedFile> skippedFiles(const ASTContext &Context, const ParseState &State) {
  const SourceManager &SM = Context.getSourceManager();
  std::vector<SkippedFile> Out;
  if (!State.Errors.Skipped.empty())
    Out.push_back(
        {State.Unit.MainFile, readRaw(SM.getMainFileID(), Context), State.Errors.Skipped});
  for (const auto &[File, Lines] : State.SkippedInHeaders) {
    OptionalFileEntryRef Entry = SM.getFileEntryRefForID(File);
    // Where a header is included again all of it may be left out. Most have no block.
    if (Entry && SM.translateFile(*Entry) == File &&
        SM.getBufferOrFake(File).getBuffer().contains("LIBRARY"))
      Out.push_back({absolutePathOf(File, SM), readRaw(File, Context), Lines});
  }
  return Out;
}

class KernelConsumer : public ASTConsumer {
public:
  KernelConsumer(ParseState &State) : State(State) {}

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    // Functions that a body has instantiated come while it is read.
    if (BodyBegan && !State.Compiler->getSema().getCurFunctionDecl())
      endBody();
    markNamespaces(Group);
    for (Decl *D : Group)
      if (State.Project->contain(*D))
        TopLevel.push_back(D);
    // It is read again without.
    return !State.SharedPch || State.SharedPch->fits();
  }

  void HandleTranslationUnit(ASTContext &Context) override {
    endBody();
    if (State.Note)
      recordTexts(Context.getSourceManager(), State);
    if (State.SharedPch)
      State.SharedPch->noteDecls(TopLevel, Context.getSourceManager());
    State.Unit =
        translationUnitFromAst(Context, TopLevel, State.Unit.MainFile, State.Options, State.Errors);
    if (!State.Again)
      State.Skipped = skippedRegistrations(skippedFiles(Context, State), State.Unit);
    if (State.Errors.WantsCpp20 && !Context.getLangOpts().CPlusPlus20)
      State.Newer = Context.getLangOpts().CPlusPlus17 ? "c++20" : "c++17";
    if (State.Options.Uses) {
      collectUses(TopLevel, Context, State.Macros, *State.Project, State.Unit);
      collectPythonModules(TopLevel, Context, *State.Project, State.Unit);
    }
  }

  ASTDeserializationListener *GetASTDeserializationListener() override { return State.Listener; }

  bool shouldSkipFunctionBody(Decl *D) override {
    endBody();
    bool Skips = !needsBody(D);
    if (!Skips && State.BodySeconds)
      BodyBegan = readingSeconds();
    return Skips;
  }

private:
  /// What is read between the braces, up to the next declaration.
  void endBody() {
    if (BodyBegan)
      *State.BodySeconds += readingSeconds() - *BodyBegan;
    BodyBegan.reset();
  }

  bool needsBody(Decl *D) {
    if (fillsLibrary(*D, *State.Project) || isBoxedByHand(*D, *State.Project) ||
        (State.Options.Bodies && needsBodyForFlow(*D, *State.Project)))
      return true;
    if (State.Options.Uses && State.Project->contain(*D))
      return true;
    if (makesLibrary(*D, *State.Project, Mentions))
      return true;
    if (State.Messages && State.Options.Uses && isOfStableHeader(*D))
      return true;
    return State.Messages && State.Project->contain(*D) && State.Messages->wantsBody(*D);
  }

  /// What TORCH_BOX cannot carry is an error nowhere but in a body of the stable ABI's own.
  bool isOfStableHeader(const Decl &D) {
    const SourceManager &SM = D.getASTContext().getSourceManager();
    FileID File = SM.getFileID(SM.getExpansionLoc(D.getLocation()));
    auto [It, New] = StableHeaders.try_emplace(File, false);
    if (OptionalFileEntryRef Entry = SM.getFileEntryRefForID(File); New && Entry)
      It->second = Entry->getName().contains("/torch/csrc/stable/") ||
                   Entry->getName().contains("/torch/headeronly/");
    return It->second;
  }

  ParseState &State;
  LibraryMentions Mentions;
  std::vector<Decl *> TopLevel;
  llvm::DenseMap<FileID, bool> StableHeaders;
  std::optional<double> BodyBegan;
};

class KernelAction : public ASTFrontendAction {
public:
  KernelAction(ParseState &State) : State(State) {}

private:
  bool PrepareToExecuteAction(CompilerInstance &Compiler) override {
    State.Compiler = &Compiler;
    resolveForReading(Compiler);
    return true;
  }

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &Compiler, StringRef) override {
    Compiler.getPreprocessor().addPPCallbacks(
        std::make_unique<HeaderWatch>(State, Compiler.getSourceManager()));
    State.Project.emplace(Compiler.getSourceManager(), State.Options);
    if (State.SharedPch)
      Compiler.getPreprocessor().addPPCallbacks(watchSharedPch(
          Compiler.getPreprocessor(), *State.Project, *State.SharedPch, State.Listener));
    if (State.Options.Uses)
      Compiler.getPreprocessor().addPPCallbacks(
          watchMacros(Compiler.getPreprocessor(), *State.Project, State.Macros));
    return std::make_unique<KernelConsumer>(State);
  }

  ParseState &State;
};

} // namespace

UnitFacts opsig::parseKernels(const ParseJob &Job, const ParseOptions &Options) {
  return parseKernels(Job, Options, NoteText(), ParseAids());
}

UnitFacts opsig::parseKernels(const ParseJob &Job, const ParseOptions &Options,
                              const NoteText &Note, ClangMessages *Messages) {
  return parseKernels(Job, Options, Note, ParseAids{Messages});
}

namespace {

/// One reading, and what another one may add.
struct Reading {
  UnitFacts Unit;
  SkippedRegistrations Skipped;
  StringRef Newer = "";
};

Reading readOnce(const ParseJob &Job, const ParseOptions &Options, const NoteText &Note,
                 const ParseAids &Aids) {
  auto Held = std::make_unique<ParseState>(Options, Note, Aids);
  ParseState &State = *Held;
  State.Unit.MainFile = Job.File;
  ErrorCollector Errors(State);
  ClangRun Run{[&] { return std::make_unique<KernelAction>(State); }, Errors,
               makeFileSystem(Options, Aids.Trace), nullptr};
  if (Aids.SharedPch)
    loadSharedPch(Aids.SharedPch->sharedPch(), Run);
  Run.IsWhole = true;
  std::string WhyUnread = runClang(Job, Options, Run);
  if (Aids.WhyUnread)
    *Aids.WhyUnread = WhyUnread;
  if (!WhyUnread.empty()) {
    // What the parse had is lost, and may be half of anything: it is not even destroyed.
    (void)Held.release();
    Reading Unread;
    Unread.Unit.MainFile = Job.File;
    Unread.Unit.Files.push_back(Job.File);
    Unread.Unit.FirstError = std::move(WhyUnread);
    return Unread;
  }
  State.Compiler = nullptr;
  State.Project.reset();
  UnitFacts &Unit = State.Unit;
  if (Aids.SharedPch && !Aids.SharedPch->fitsWhole())
    Aids.SharedPch->misfit("it does not include all of the shared headers");
  if (!Unit.Parsed) {
    Unit.Files.push_back(Job.File);
    Unit.MissingHeaders = State.Errors.MissingHeaders;
    Unit.NumErrors = State.Errors.Count;
    Unit.FirstError = State.Errors.First.empty()
                          ? "the compile command of '" + Job.File + "' cannot be used"
                          : State.Errors.First;
  }
  return {std::move(Unit), std::move(State.Skipped), State.Newer};
}

/// Reads what needs a newer standard by that, whatever the command says. \p Job becomes what was
/// read.
void readByNewer(ParseJob &Job, const ParseOptions &Options, const NoteText &Note,
                 const ParseAids &Aids, Reading &First) {
  StringRef Newer = First.Newer;
  First.Newer = "";
  ParseJob Raised = withFlags(Job, ("-std=" + Newer).str());
  ClangMessages Messages;
  if (Aids.Messages)
    Messages.Named = Aids.Messages->Named;
  ParseAids Own{Aids.Messages ? &Messages : nullptr, Aids.Trace, nullptr, nullptr, Aids.Again};
  Reading Second = readOnce(Raised, Options, Note, Own);
  // Errors in bodies are not counted.
  auto Errors = [](const UnitFacts &Unit) {
    return std::pair(Unit.NumErrors, !Unit.FirstError.empty());
  };
  if (!Second.Unit.Parsed || Errors(Second.Unit) >= Errors(First.Unit) ||
      Second.Unit.MissingHeaders.size() > First.Unit.MissingHeaders.size()) {
    First.Newer = Second.Newer; // the next one may do
    return;
  }
  First = std::move(Second);
  First.Unit.RaisedStandard = Newer.str();
  Job = std::move(Raised);
  if (Aids.Messages)
    *Aids.Messages = std::move(Messages);
}

} // namespace

ParseJob opsig::withFlags(ParseJob Job, llvm::ArrayRef<std::string> Flags) {
  // The last one counts, and the file may stand behind "--".
  auto End = llvm::find(Job.Command, "--");
  Job.Command.insert(End, Flags.begin(), Flags.end());
  return Job;
}

UnitFacts opsig::parseKernels(const ParseJob &Job, const ParseOptions &Options,
                              const NoteText &Note, const ParseAids &Aids) {
  Reading Read = readOnce(Job, Options, Note, Aids);
  // It is read again without the prefix.
  if (Aids.Again || !Read.Unit.Parsed || (Aids.SharedPch && !Aids.SharedPch->fits()))
    return std::move(Read.Unit);
  ParseJob As = Job;
  while (!Read.Newer.empty()) // at most twice
    readByNewer(As, Options, Note, Aids, Read);
  if (!Read.Skipped.Branches.empty())
    readOtherBranches(As, Options, Aids.Trace, std::move(Read.Skipped), Read.Unit);
  return std::move(Read.Unit);
}
