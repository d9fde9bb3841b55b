//===- SharedPchWatch.cpp - whether a prefix makes no difference to a file -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands in front of an #include of a header of the prefix
//   - must not leave a macro defined or removed that has a name which the headers know, unless it
//     was tried that they are the same with it, or the name stands in none that comes by the
//     #include,
//   - must define the macros that the prefix was made with,
//   - must not ask for a macro that only a header further down defines,
//   - in files of the project must not come by a declaration of such a header,
//   - nor be in the middle of one, or in a namespace: the header would be, too.
//
//===----------------------------------------------------------------------===//
#include "Parse/Invocation.h"
#include "Parse/SharedPchInternal.h"

#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Serialization/ASTDeserializationListener.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace opsig;
using namespace clang;

namespace {

/// Whether declarations of namespace scope have ended where they may have.
class TopLevelPosition {
public:
  bool isBetween() const { return Depth == 0 && !Within; }

  void advance(const Token &Tok) {
    if (Tok.isOneOf(tok::l_brace, tok::l_paren, tok::l_square))
      ++Depth;
    else if (Tok.isOneOf(tok::r_brace, tok::r_paren, tok::r_square))
      Depth -= Depth != 0; // Clang leaves out one that closes nothing
    else if (Depth == 0)
      // Behind its braces this goes on up to a semicolon.
      NeedsSemi |=
          Tok.isOneOf(tok::kw_struct, tok::kw_class, tok::kw_union, tok::kw_enum, tok::equal);
    if (Depth != 0)
      return;
    Within = !Tok.is(tok::semi) && (!Tok.is(tok::r_brace) || NeedsSemi);
    NeedsSemi &= Within;
  }

private:
  int Depth = 0;
  bool Within = false, NeedsSemi = false;
};

class SharedPchWatch : public PPCallbacks, public ASTDeserializationListener {
public:
  SharedPchWatch(Preprocessor &PP, ProjectPlaces &Project, SharedPchFit &Fit)
      : PP(PP), SM(PP.getSourceManager()), Project(Project), Fit(Fit),
        Given(Fit.sharedPch().Macros.size()) {
    includeByCommand();
    PP.setPreprocessToken(false); // tokens of the source alone
    PP.setTokenWatcher([this](const Token &Tok) {
      lookAtBounds();
      if (!InProject || !isWatching())
        return;
      Position.advance(Tok);
      if (const IdentifierInfo *Name = Tok.isAnnotation() ? nullptr : Tok.getIdentifierInfo())
        Mentioned.insert(Name);
    });
  }

  void InclusionDirective(SourceLocation Hash, const Token &, StringRef, bool, CharSourceRange,
                          OptionalFileEntryRef File, StringRef, StringRef, const Module *, bool,
                          SrcMgr::CharacteristicKind) override {
    if (!File || !isWatching())
      return;
    settle();
    std::optional<uint32_t> Header = Fit.sharedPch().Headers.find(File->getUniqueID());
    if (!Header || Fit.isReached(*Header))
      return;
    // It would be read here, and see them.
    if (!isHarmlessTo(*Header))
      Fit.misfit("'" + Changed.begin()->getKey() + "' is changed before " + Fit.nameOf(*Header));
    if (!Given.all())
      Fit.misfit("'" + Fit.sharedPch().Macros[Given.find_first_unset()].Name +
                 "' is not defined before " + Fit.nameOf(*Header));
    if (!Position.isBetween())
      Fit.misfit(Fit.nameOf(*Header) + " is included inside a declaration");
    Fit.include(*Header, Hash);
  }

  void LexedFileChanged(FileID File, LexedFileChangeReason, SrcMgr::CharacteristicKind, FileID,
                        SourceLocation) override {
    if (!isWatching())
      return;
    InFile = SM.getFileEntryRefForID(File).has_value();
    InProject = InFile && Project.contain(SM.getLocForStartOfFile(File));
  }

  void MacroDefined(const Token &Name, const MacroDirective *Macro) override {
    change(Name, Macro->getPrevious(), textOf(*Macro->getMacroInfo()));
  }
  void MacroUndefined(const Token &Name, const MacroDefinition &Macro,
                      const MacroDirective *) override {
    change(Name, Macro.getLocalDirective(), "");
  }

  void MacroExpands(const Token &Name, const MacroDefinition &Macro, SourceRange,
                    const MacroArgs *) override {
    ask(Name, Macro);
  }
  void Defined(const Token &Name, const MacroDefinition &Macro, SourceRange) override {
    ask(Name, Macro);
  }
  void Ifdef(SourceLocation, const Token &Name, const MacroDefinition &Macro) override {
    ask(Name, Macro);
  }
  void Ifndef(SourceLocation, const Token &Name, const MacroDefinition &Macro) override {
    ask(Name, Macro);
  }
  void Elifdef(SourceLocation, const Token &Name, const MacroDefinition &Macro) override {
    ask(Name, Macro);
  }
  void Elifndef(SourceLocation, const Token &Name, const MacroDefinition &Macro) override {
    ask(Name, Macro);
  }
  using PPCallbacks::Elifdef;
  using PPCallbacks::Elifndef;

  // Nothing more must be loaded while something is. What is left at the end does not matter: if
  // headers are, too, the prefix does not fit.
  void DeclRead(GlobalDeclID, const Decl *D) override {
    if (!InProject || !isWatching())
      return;
    if (const auto *Namespace = dyn_cast<NamespaceDecl>(D))
      Namespaces.push_back(Namespace);
    else
      Loaded.push_back(D->getLocation());
  }

private:
  /// What `-include` names is in the shared headers, and Clang does not include it once more.
  void includeByCommand() {
    for (const std::string &Name : PP.getPreprocessorOpts().Includes)
      if (OptionalFileEntryRef File = PP.getFileManager().getOptionalFileRef(Name))
        if (std::optional<uint32_t> Header = Fit.sharedPch().Headers.find(File->getUniqueID()))
          Fit.include(*Header, SourceLocation());
  }

  bool isWatching() const { return Fit.fits() && Fit.isBefore(); }

  bool isUnreached(SourceLocation At) const {
    if (At.isInvalid())
      return false;
    OptionalFileEntryRef File = SM.getFileEntryRefForID(SM.getFileID(SM.getExpansionLoc(At)));
    std::optional<uint32_t> Header;
    if (File)
      Header = Fit.sharedPch().Headers.find(File->getUniqueID());
    return Header && !Fit.isReached(*Header);
  }

  void ask(const Token &Name, const MacroDefinition &Macro) {
    if (!isWatching() || !InFile)
      return;
    // The prefix has defined it already, the file has not.
    for (const auto &[Index, Leading] : llvm::enumerate(Fit.sharedPch().Macros))
      if (!Given.test(Index) && Leading.Name == Name.getIdentifierInfo()->getName())
        Fit.misfit("'" + Leading.Name + "' is used before it is defined");
    if (const MacroInfo *Info = Macro.getMacroInfo(); Info && isUnreached(Info->getDefinitionLoc()))
      Fit.misfit("'" + Name.getIdentifierInfo()->getName() +
                 "' is used before the header that defines it is included");
  }

  std::string textOf(const MacroInfo &Macro) const {
    return macroText(Macro, SM, PP.getLangOpts());
  }

  /// From now on the macro \p Name is \p Text, "" where it is not defined.
  void change(const Token &Name, const MacroDirective *Before, std::string Text) {
    if (!isWatching() || !InFile)
      return;
    StringRef Word = Name.getIdentifierInfo()->getName();
    ArrayRef<LeadingMacro> Leading = Fit.sharedPch().Macros;
    if (auto It = llvm::find(Leading, LeadingMacro{Word.str(), Text}); It != Leading.end()) {
      Given.set(It - Leading.begin());
      return;
    }
    if (!Fit.sharedPch().Headers.hasWord(Word))
      return;
    auto [It, New] = Changed.try_emplace(Word);
    Change &Of = It->second;
    if (New && Before && Before->isDefined()) {
      // What a header further down defines is not there yet, and is to be there afterwards.
      Of.HidesLater = isUnreached(Before->getMacroInfo()->getDefinitionLoc());
      if (!Of.HidesLater)
        Of.Before = textOf(*Before->getMacroInfo());
    }
    Of.Now = std::move(Text);
    // Some headers mean something each time, and define what they did before.
    if (!Of.HidesLater && Of.Before == Of.Now)
      Changed.erase(It);
  }

  /// Whether the headers are the same with the macros as they are now.
  bool isHarmless() const {
    const SharedPch &P = Fit.sharedPch();
    return Changed.empty() || llvm::any_of(P.Harmless, [&](ArrayRef<LeadingMacro> Set) {
             size_t Known = 0;
             return llvm::all_of(Set,
                                 [&](const LeadingMacro &Macro) {
                                   if (!P.Headers.hasWord(Macro.Name))
                                     return true;
                                   ++Known;
                                   auto It = Changed.find(Macro.Name);
                                   return It != Changed.end() && !It->second.HidesLater &&
                                          It->second.Now == Macro.Text;
                                 }) &&
                    Known == Changed.size();
           });
  }

  /// Whether what comes by an #include of \p Header is the same with the macros as they are now.
  bool isHarmlessTo(uint32_t Header) const {
    return isHarmless() || llvm::all_of(Changed, [&](const auto &Entry) {
             return !Entry.second.HidesLater && !isMentionedIn(Fit.newWith(Header), Entry.getKey());
           });
  }

  bool isMentionedIn(const llvm::BitVector &Headers, StringRef Word) const {
    const IncludeGraph &Graph = Fit.sharedPch().Headers;
    return Graph.wasPasted(Word) || llvm::any_of(Headers.set_bits(), [&](unsigned I) {
             auto Text = SM.getFileManager().getBufferForFile(Graph.Files[I].Name);
             return !Text || (*Text)->getBuffer().contains(Word);
           });
  }

  /// Every part of a namespace comes with any other; one of them has to be there if it is named.
  bool isUnreached(const NamespaceDecl &Namespace) const {
    return Mentioned.contains(Namespace.getIdentifier()) &&
           llvm::all_of(Namespace.redecls(), [&](const NamespaceDecl *Part) {
             return isUnreached(Part->getLocation());
           });
  }

  void settle() {
    // To look at the parts may load others.
    std::vector<const NamespaceDecl *> Opened = std::exchange(Namespaces, {});
    for (SourceLocation At : Loaded)
      if (isUnreached(At))
        Fit.misfit("a declaration is used before its header is included: " + At.printToString(SM));
    for (const NamespaceDecl *N : Opened)
      if (isUnreached(*N))
        Fit.misfit("namespace '" + N->getName() + "' is used before its headers are included");
    Loaded.clear();
    Namespaces.clear();
  }

  Preprocessor &PP;
  const SourceManager &SM;
  ProjectPlaces &Project;
  SharedPchFit &Fit;
  /// Which macros of the prefix the file has defined.
  llvm::BitVector Given;
  std::vector<SourceLocation> Loaded;
  std::vector<const NamespaceDecl *> Namespaces;
  /// By files of the project.
  llvm::DenseSet<const IdentifierInfo *> Mentioned;
  TopLevelPosition Position;
  struct Change {
    std::string Before, Now; ///< "" for none
    bool HidesLater = false; ///< the prefix had defined it already
  };
  /// Macros that are not as they were at the beginning.
  llvm::StringMap<Change> Changed;
  /// Where text is read now: in a file, in one of the project.
  bool InFile = false, InProject = false;
};

} // namespace

void SharedPchFit::noteFolders(uint32_t Header, llvm::BitVector Seen) {
  // Deep first, as the preprocessor goes; the stack has what is left of each file on the way.
  llvm::SmallVector<std::pair<uint32_t, size_t>, 32> Way;
  auto Enter = [&](uint32_t File) {
    if (!Seen.test(File))
      Way.emplace_back(File, 0);
    Seen.set(File);
  };
  Enter(Header);
  while (!Way.empty()) {
    auto &[At, Next] = Way.back();
    const IncludeGraph::File &File = P.Headers.Files[At];
    if (Next == File.Includes.size()) {
      Way.pop_back();
      continue;
    }
    size_t Edge = Next++;
    if (uint32_t Found = File.FoundIn[Edge])
      Folders.push_back(P.TorchFolders[Found - 1]);
    Enter(File.Includes[Edge]);
  }
}

/// Whether a header in which the words of \p Headers stand may find something in \p D, or by it.
static bool mayBeSeen(const Decl &D, const IncludeGraph &Headers) {
  if (isa<EmptyDecl, StaticAssertDecl>(D))
    return false;
  const auto *Named = dyn_cast<NamedDecl>(&D);
  const auto *Namespace = dyn_cast<NamespaceDecl>(&D);
  bool IsOpen = isa<LinkageSpecDecl>(D) ||
                (Namespace && (Namespace->isAnonymousNamespace() || Namespace->isInline()));
  if (IsOpen && llvm::any_of(cast<DeclContext>(D).noload_decls(),
                             [&](const Decl *Inner) { return mayBeSeen(*Inner, Headers); }))
    return true;
  if (IsOpen && (!Named || !Named->getIdentifier()))
    return false;
  return !Named || isa<UsingDirectiveDecl>(D) || !Named->getIdentifier() ||
         Headers.hasWord(Named->getName());
}

void SharedPchFit::noteDecls(ArrayRef<Decl *> TopLevel, const SourceManager &SM) {
  SeesProject = llvm::any_of(TopLevel, [&](const Decl *D) {
    return LastInclude.isValid() &&
           SM.isBeforeInTranslationUnit(SM.getExpansionLoc(D->getLocation()), LastInclude) &&
           mayBeSeen(*D, P.Headers);
  });
}

std::unique_ptr<PPCallbacks> opsig::watchSharedPch(Preprocessor &PP, ProjectPlaces &Project,
                                                   SharedPchFit &Fit,
                                                   ASTDeserializationListener *&Listener) {
  auto Watch = std::make_unique<SharedPchWatch>(PP, Project, Fit);
  Listener = Watch.get();
  return Watch;
}
