//===- RegistrationBlocks.cpp - library blocks and who fills them ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TORCH_LIBRARY(ns, m) { ... } is, after expansion, an object whose initialiser names the kind, the
// namespace and the key, and a function that takes the block.
//
//===----------------------------------------------------------------------===//
#include "Registrations/BlockFillers.h"
#include "Registrations/ConstantValues.h"
#include "Registrations/RegistrationInternal.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"
#include <array>
#include <map>

using namespace opsig;
using namespace clang;

namespace {

bool isKindOfLibrary(const EnumConstantDecl &Enumerator) {
  std::string Scope = scopeName(*Enumerator.getDeclContext());
  return StringRef(Scope).starts_with("torch::Library") ||
         isOfStableAbi(Scope, "StableLibrary::Kind");
}

/// What the initialiser of a block says: the first of each kind that occurs in it.
class InitReader : public RecursiveASTVisitor<InitReader> {
public:
  const StringLiteral *Namespace = nullptr;
  const StringLiteral *Second = nullptr; ///< the key where that is a string, too
  const EnumConstantDecl *Kind = nullptr;
  const FunctionDecl *Function = nullptr;

  bool VisitStringLiteral(StringLiteral *Literal) {
    if (!Namespace)
      Namespace = Literal;
    else if (!Second)
      Second = Literal;
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *Ref) {
    if (const auto *F = dyn_cast<FunctionDecl>(Ref->getDecl()); F && !Function && takesLibrary(*F))
      Function = F;
    const auto *Enumerator = dyn_cast<EnumConstantDecl>(Ref->getDecl());
    if (Enumerator && !Kind && isKindOfLibrary(*Enumerator))
      Kind = Enumerator;
    return true;
  }
};

class BlockCollector {
public:
  BlockCollector(ASTContext &Context, llvm::ArrayRef<ClangError> Errors, ProjectPlaces &Project,
                 UnitFacts &Unit)
      : Spans(Context, Unit, Errors, &Project), Values(Spans), Errors(Errors), Project(Project),
        Unit(Unit), ClassesWritten(countClassTemplates(Context, Project)) {}

  /// \p InMainFile: \p D is part of a top level declaration of the main file.
  void visit(const Decl *D, bool InMainFile);
  void finish(llvm::ArrayRef<Decl *> TopLevel);

private:
  void visitVariable(const VarDecl &Var);
  void readNamespace(const VarDecl &Var, const StringLiteral &Text, RegistrationBlock &Block);
  void addClasses(const Stmt &Code, StringRef Namespace) {
    if (ClassesWritten != 0)
      readClasses(Code, Namespace, Values, Unit.Classes.Registered);
  }
  void findShared();
  void fill(RegistrationBlock &Block, const FunctionDecl *F, BlockFillers &Seen);
  void addFilled(RegistrationBlock Block, const FunctionDecl *F,
                 llvm::SmallPtrSetImpl<const FunctionDecl *> &Used);
  void locate(RegistrationBlock &Block, const FunctionDecl &F, const Stmt &Body);
  void addHandedOn(const FunctionDecl &F, llvm::SmallPtrSetImpl<const FunctionDecl *> &Used);
  bool hasError(const FunctionDecl *F);
  std::array<std::string, 7> macroWords(const NamedDecl &D);
  void recognize(const FunctionDecl &F, RegistrationBlock &Block);

  UnitSpans Spans;
  ConstantValues Values;
  llvm::ArrayRef<ClangError> Errors;
  ProjectPlaces &Project;
  UnitFacts &Unit;
  size_t ClassesWritten;
  /// What fills a block, in the order of the blocks.
  std::vector<std::pair<RegistrationBlock, const FunctionDecl *>> Blocks;
  std::vector<const FunctionDecl *> Fillers;
  llvm::SmallPtrSet<const VarDecl *, 8> Legacy; ///< those of Blocks
};

void BlockCollector::visitVariable(const VarDecl &Var) {
  const Expr *Init = Var.getInit();
  if (!Init || Var.getType()->isDependentType())
    return;
  addClasses(*Init, "");
  // The last part of the name first: there are thousands of variables in headers.
  const CXXRecordDecl *Record = Var.getType().getNonReferenceType()->getAsCXXRecordDecl();
  if (!Record || !Record->getIdentifier() ||
      !llvm::is_contained({"TorchLibraryInit", "StableTorchLibraryInit", "RegisterOperators"},
                          Record->getName()))
    return;
  RegistrationBlock Block;
  SourceLocation At = Spans.context().getSourceManager().getExpansionLoc(Var.getLocation());
  Block.At = Spans.span(SourceRange(At, At));
  std::string Class = className(Var.getType());
  Block.Stable = isOfStableAbi(Class, "StableTorchLibraryInit");
  if (Class == "torch::detail::TorchLibraryInit" || Block.Stable) {
    InitReader Reader;
    Reader.TraverseStmt(const_cast<Expr *>(Init));
    std::optional<RegistrationBlock::Kind> Kind = blockKind(Reader.Kind);
    if (!Kind || !Reader.Namespace || !Reader.Function)
      return;
    Block.Is = *Kind;
    readNamespace(Var, *Reader.Namespace, Block);
    if (Block.Is == RegistrationBlock::Impl && !Block.Stable)
      Block.Key = readKey(Init, Values);
    else if (Block.Is == RegistrationBlock::Impl && Reader.Second)
      Block.Key = Reader.Second->getBytes().str();
    Blocks.push_back({std::move(Block), Reader.Function});
    return;
  }
  if (Class != "c10::RegisterOperators")
    return;
  Block.Is = RegistrationBlock::Legacy;
  if (!readLegacyEntries(Init, Values, Block))
    return;
  Legacy.insert(&Var);
  Blocks.push_back({std::move(Block), nullptr});
}

void BlockCollector::visit(const Decl *D, bool InMainFile) {
  if (const auto *F = dyn_cast<FunctionDecl>(D)) {
    // A header's function that fills a block is read with the block that it gets.
    if (InMainFile && takesLibrary(*F) && F->doesThisDeclarationHaveABody() &&
        F->getTemplatedKind() == FunctionDecl::TK_NonTemplate)
      Fillers.push_back(F);
    return;
  }
  if (const auto *Var = dyn_cast<VarDecl>(D))
    visitVariable(*Var);
  if (isa<NamespaceDecl, LinkageSpecDecl, ExportDecl>(D))
    for (const Decl *Member : cast<DeclContext>(D)->decls())
      visit(Member, InMainFile);
}

/// Whether the parser lost its way inside of the function.
bool BlockCollector::hasError(const FunctionDecl *F) {
  Span Body = Spans.use(F->getSourceRange());
  return Body.isValid() && Body.File == 0 && llvm::any_of(Errors, [&](const ClangError &E) {
           return E.Syntax && E.Offset >= Body.Offset && E.Offset <= Body.end();
         });
}

void BlockCollector::locate(RegistrationBlock &Block, const FunctionDecl &F, const Stmt &Body) {
  SourceRange Braces = Body.getSourceRange();
  Span Open = Spans.span(SourceRange(Braces.getBegin(), Braces.getBegin()));
  Span Close = Spans.span(SourceRange(Braces.getEnd(), Braces.getEnd()));
  if (Open.isValid() && Close.isValid() && Open.File == Close.File)
    Block.Body = {Open.File, Open.end(), Close.Offset - Open.end()};
  if (F.getNumParams() == 1)
    Block.Variable = F.getParamDecl(0)->getNameAsString();
}

/// Reads \p F, and what it hands its block to, in the order of the calls.
void BlockCollector::fill(RegistrationBlock &Block, const FunctionDecl *F, BlockFillers &Seen) {
  const FunctionDecl *Definition = nullptr;
  const Stmt *Body = F->getBody(Definition);
  if (!Body || !Seen.add(Definition))
    return;
  if (Seen.size() == 1)
    locate(Block, *Definition, *Body);
  size_t Before = Unit.Classes.Registered.size();
  addClasses(*Body, Block.Namespace);
  // When a function runs that gets the block, nobody knows.
  if (Seen.size() > 1)
    for (RegisteredClass &Class : llvm::MutableArrayRef(Unit.Classes.Registered).drop_front(Before))
      Class.Conditional = true;
  Block.Complete &= !hasError(Definition);
  BlockCode Code = readEntries(Body, Values, Seen.LastBranch);
  Block.Complete &= Code.Complete;
  llvm::append_range(Block.Entries, std::move(Code.Entries));
  Seen.addEntries(*Definition, std::move(Code.Branches));
  for (HandedBlock &Handed : Code.HandedTo) {
    const FunctionDecl *Next = Handed.To;
    Seen.addCall(Definition, std::move(Handed));
    fill(Block, Next, Seen);
  }
}

/// The rest of a block, which functions fill that a branch decides about.
static RegistrationBlock restOf(const RegistrationBlock &Block, std::vector<std::string> Fillers) {
  RegistrationBlock Rest = Block;
  if (Rest.Is == RegistrationBlock::Library)
    Rest.Is = RegistrationBlock::Fragment; // it is no second one
  Rest.Entries.clear();
  Rest.Complete = true;
  Rest.HandedInBranch = true;
  Rest.HandedTo = std::move(Fillers);
  return Rest;
}

/// Adds the block with what \p F and the functions that it hands the block to fill it with. Where
/// a branch decides about some of several functions of other files, these fill a block of their
/// own.
void BlockCollector::addFilled(RegistrationBlock Block, const FunctionDecl *F,
                               llvm::SmallPtrSetImpl<const FunctionDecl *> &Used) {
  BlockFillers Seen;
  if (!F->getBody())
    Seen.addCall(nullptr, {F, {}});
  fill(Block, F, Seen);
  numberBranches(Block.Entries, Seen.branchesOfEntries());
  std::vector<std::string> InBranch;
  for (const FunctionDecl *Unseen : Seen.withoutBody()) {
    std::string Symbol = neededSymbol(*Unseen, Spans);
    if (Symbol.empty()) {
      Block.Complete = false;
      continue;
    }
    bool IsCertain = Seen.branchesAround(*Unseen).empty();
    (IsCertain ? Block.HandedTo : InBranch).push_back(std::move(Symbol));
  }
  Used.insert_range(Seen.functions());
  Block.HandedInBranch = Block.HandedTo.empty() && !InBranch.empty();
  if (Block.HandedInBranch)
    Block.HandedTo = std::exchange(InBranch, {});
  if (Block.Entries.empty() && Block.HandedTo.empty() && Block.Is == RegistrationBlock::Unknown)
    return;
  Unit.Registrations.push_back(std::move(Block));
  if (!InBranch.empty())
    Unit.Registrations.push_back(restOf(Unit.Registrations.back(), std::move(InBranch)));
}

/// The first words of the macro that \p D is made by, as they are written.
std::array<std::string, 7> BlockCollector::macroWords(const NamedDecl &D) {
  const SourceManager &SM = Spans.context().getSourceManager();
  const LangOptions &Options = Spans.context().getLangOpts();
  std::array<std::string, 7> Words;
  if (!D.getLocation().isMacroID())
    return Words;
  SourceLocation At = SM.getExpansionLoc(D.getLocation());
  for (std::string &Word : Words) {
    Token Tok;
    if (Lexer::getRawToken(At, Tok, SM, Options, /*IgnoreWhiteSpace=*/true))
      break;
    Word = Lexer::getSpelling(Tok, SM, Options);
    At = Tok.getEndLoc();
  }
  return Words;
}

/// The namespace, and what gives it: `#ns` of a macro's own argument is the argument as it stands,
/// and of an argument that was handed on to another macro it is what that stands for.
void BlockCollector::readNamespace(const VarDecl &Var, const StringLiteral &Text,
                                   RegistrationBlock &Block) {
  const SourceManager &SM = Spans.context().getSourceManager();
  Block.Namespace = Text.getBytes().str();
  auto Words = macroWords(Var);
  StringRef Name = Words[0], Word = Words[2];
  bool IsMacro = Word == "TORCH_EXTENSION_NAME" ||
                 (!Word.empty() && Spans.context().Idents.get(Word).hadMacroDefinition());
  SourceLocation At = Text.getStrTokenLoc(0);
  if (!IsMacro || Words[1] != "(" || !At.isMacroID())
    return;
  Block.NamespaceMacro = Word.str();
  // The string stands for the `#` of the macro that makes it.
  SourceLocation Hash = SM.getImmediateExpansionRange(At).getBegin();
  Block.Pasted = Block.Namespace == Word && Hash.isMacroID() &&
                 Lexer::getImmediateMacroName(Hash, SM, Spans.context().getLangOpts()) == Name;
}

/// Of TORCH_LIBRARY_IMPL(demo, CPUU, m) the object has no initialiser, because there is no such
/// key, and half a declaration in front of a block swallows it; but the function has what it needs.
/// So has that of a project's own macro, ACME_LIBRARY_IMPL(aten, PrivateUse1, m), whose object is
/// of a class of the project's.
void BlockCollector::recognize(const FunctionDecl &F, RegistrationBlock &Block) {
  auto [Name, Open, Namespace, Comma, Key, OtherComma, Variable] = macroWords(F);
  auto IsMacro = [&](StringRef Word) {
    return Spans.context().Idents.get(Word).hadMacroDefinition();
  };
  std::optional<RegistrationBlock::Kind> Kind = kindOfMacro(Name);
  bool IsOwn = !Kind && StringRef(Name).ends_with("_LIBRARY_IMPL") && Comma == "," &&
               OtherComma == "," && F.getNumParams() == 1 &&
               F.getParamDecl(0)->getName() == Variable;
  if ((!Kind && !IsOwn) || Open != "(" || Namespace.empty() || IsMacro(Namespace))
    return;
  SourceLocation Macro = Spans.context().getSourceManager().getExpansionLoc(F.getLocation());
  Block.Is = Kind.value_or(RegistrationBlock::Impl);
  Block.Namespace = Namespace;
  if (IsOwn && !IsMacro(Key))
    Block.Key = Key;
  else if (IsOwn && F.getIdentifier()) // what a macro stands for is in the name, as in torch's own
    Block.Key = F.getName().split("_init_" + Namespace + "_").second.rsplit('_').first;
  Block.At = Spans.span(SourceRange(Macro, Macro));
}

/// A literal of a constant may be the name in one entry, and a part of the schema in another.
void BlockCollector::findShared() {
  // What it is in the entry: of one kind and one text. Texts may have as many pieces as bytes.
  using Role = std::pair<RegistrationEntry::Kind, size_t>;
  using User = std::pair<Role, LiteralText::Piece *>;
  std::map<std::pair<uint32_t, uint32_t>, std::vector<User>> Literals;
  llvm::StringMap<size_t> Texts;
  for (RegistrationBlock &Block : Unit.Registrations)
    for (RegistrationEntry &Entry : Block.Entries) {
      if (Block.Is == RegistrationBlock::Legacy)
        break; // a definition and its other kernels have one string
      size_t Text = Texts.try_emplace(Entry.Text.Value, Texts.size()).first->second;
      for (LiteralText::Piece &P : Entry.Text.Pieces)
        Literals[{P.Source.File, P.Source.Offset}].push_back({{Entry.Is, Text}, &P});
    }
  for (auto &[Place, Users] : Literals) {
    bool IsShared =
        llvm::any_of(Users, [&](const User &U) { return U.first != Users.front().first; });
    for (User &U : Users)
      U.second->Shared |= IsShared;
  }
}

/// Functions that \p F hands its block to are read with \p F.
void BlockCollector::addHandedOn(const FunctionDecl &F,
                                 llvm::SmallPtrSetImpl<const FunctionDecl *> &Used) {
  uint32_t LastBranch = 0;
  for (const HandedBlock &Next : readEntries(F.getBody(), Values, LastBranch).HandedTo)
    if (const FunctionDecl *Definition = Next.To->getDefinition(); Definition && Definition != &F)
      Used.insert(Definition);
}

void BlockCollector::finish(llvm::ArrayRef<Decl *> TopLevel) {
  llvm::SmallPtrSet<const FunctionDecl *, 8> Used;
  for (auto &[Block, Filler] : Blocks) {
    if (Filler)
      addFilled(std::move(Block), Filler, Used);
    else
      Unit.Registrations.push_back(std::move(Block));
  }
  for (const FunctionDecl *F : Fillers)
    addHandedOn(*F, Used);
  for (const FunctionDecl *F : Fillers) {
    if (Used.contains(F))
      continue;
    RegistrationBlock Block;
    Block.Is = RegistrationBlock::Unknown;
    Block.At = Spans.use(SourceRange(F->getLocation(), F->getLocation()));
    recognize(*F, Block);
    if (Block.Is == RegistrationBlock::Unknown)
      Block.Filler = offeredSymbol(*F, Spans);
    addFilled(std::move(Block), F, Used);
  }
  collectLibraryObjects(TopLevel, Project, Legacy, Values, Unit);
  findShared();
  // What a macro writes is read as often as that is used.
  size_t Read = llvm::count_if(Unit.Classes.Registered, [&](const RegisteredClass &C) {
    return Spans.text(C.At).contains("class_");
  });
  Unit.Classes.MayHaveMore = Read < ClassesWritten;
}

} // namespace

std::optional<RegistrationBlock::Kind> opsig::kindOfMacro(StringRef Name) {
  return llvm::StringSwitch<std::optional<RegistrationBlock::Kind>>(Name)
      .Case("TORCH_LIBRARY", RegistrationBlock::Library)
      .Case("TORCH_LIBRARY_FRAGMENT", RegistrationBlock::Fragment)
      .Case("TORCH_LIBRARY_IMPL", RegistrationBlock::Impl)
      .Default(std::nullopt);
}

void opsig::collectRegistrations(llvm::ArrayRef<Decl *> TopLevel, ASTContext &Context,
                                 llvm::ArrayRef<ClangError> Errors, ProjectPlaces &Project,
                                 UnitFacts &Unit) {
  BlockCollector Collector(Context, Errors, Project, Unit);
  const SourceManager &SM = Context.getSourceManager();
  for (const Decl *D : TopLevel)
    Collector.visit(D, SM.isInMainFile(SM.getExpansionLoc(D->getLocation())));
  Collector.finish(TopLevel);
}

std::optional<RegistrationBlock::Kind> opsig::blockKind(const EnumConstantDecl *Kind) {
  std::string Name = Kind ? Kind->getNameAsString() : "";
  if (Name == "DEF")
    return RegistrationBlock::Library;
  if (Name == "FRAGMENT")
    return RegistrationBlock::Fragment;
  if (Name == "IMPL")
    return RegistrationBlock::Impl;
  return std::nullopt;
}

bool opsig::callsImplOrDef(SourceLocation At, const SourceManager &SM, const LangOptions &Options) {
  auto [File, Offset] = SM.getDecomposedLoc(SM.getExpansionLoc(At));
  StringRef Text = SM.getBufferData(File);
  Lexer Raw(SM.getLocForStartOfFile(File), Options, Text.begin(), Text.begin() + Offset,
            Text.end());
  unsigned Depth = 0;
  bool Named = false;
  for (Token Tok; !Raw.LexFromRawLexer(Tok);) {
    if (Named && Depth != 0 && Tok.is(tok::l_paren))
      return true;
    Named = Tok.is(tok::raw_identifier) &&
            (Tok.getRawIdentifier() == "impl" || Tok.getRawIdentifier() == "def");
    Depth += Tok.is(tok::l_brace);
    if (Tok.is(tok::r_brace) && (Depth == 0 || --Depth == 0))
      return false;
    if (Depth == 0 && Tok.is(tok::semi))
      return false;
  }
  return false;
}

/// `template <typename Module> void fill(Module &m)`, for the libraries of both worlds.
static bool mayTakeLibrary(const FunctionDecl &F) {
  return F.getDescribedFunctionTemplate() && llvm::any_of(F.parameters(), [](const ParmVarDecl *P) {
           QualType T = P->getType();
           return T->isLValueReferenceType() && isa<TemplateTypeParmType>(T->getPointeeType()) &&
                  !T->getPointeeType().isConstQualified();
         });
}

bool opsig::fillsLibrary(const Decl &D, ProjectPlaces &Project) {
  const FunctionDecl *F = D.getAsFunction();
  if (!F || !(takesLibrary(*F) || mayTakeLibrary(*F)) || !Project.contain(*F))
    return false;
  const ASTContext &Context = F->getASTContext();
  return takesLibrary(*F) ||
         callsImplOrDef(F->getLocation(), Context.getSourceManager(), Context.getLangOpts());
}
