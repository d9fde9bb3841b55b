//===- LibraryObjects.cpp - libraries that code makes without a block ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `torch::Library lib(torch::Library::IMPL, "ns", ...)`, `MAKE_TORCH_LIBRARY(ns)`
//   => blocks that are not complete, because other code may fill the object, too
//   => the calls on the object itself, as entries
// calls on a library that comes from elsewhere, `extern torch::Library lib;`
//   => blocks of which not even the namespace is known
// objects of RegisterOperators that are no blocks by themselves
//   => blocks that are not complete
//
//===----------------------------------------------------------------------===//
#include "Registrations/ConstantValues.h"
#include "Registrations/RegistrationInternal.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace clang;

namespace {

bool isTorchLibrary(QualType T) {
  return !T.isNull() && !T->isReferenceType() && libraryClass(T) == LibraryClass::Torch;
}

/// A class that derives from it is one, too.
bool isLibraryOrDerived(QualType T) {
  if (isTorchLibrary(T))
    return true;
  const CXXRecordDecl *Class = T.isNull() ? nullptr : T->getAsCXXRecordDecl();
  return Class && Class->hasDefinition() && llvm::any_of(Class->bases(), [](const auto &Base) {
           return isTorchLibrary(Base.getType());
         });
}

bool isKind(const Expr *E) {
  const auto *Enum = E->getType().getNonReferenceType()->getAs<EnumType>();
  return Enum && Enum->getDecl()->getName() == "Kind" &&
         scopeName(*Enum->getDecl()) == "torch::Library::Kind";
}

/// Whether the object is made at all, and how often, is not known: it is no second TORCH_LIBRARY.
RegistrationBlock::Kind kindOf(const Expr &E, const ASTContext &Context) {
  Expr::EvalResult Value;
  const auto *Enum = E.getType().getNonReferenceType()->castAs<EnumType>()->getDecl();
  if (!E.isValueDependent() && E.EvaluateAsInt(Value, Context))
    for (const EnumConstantDecl *Each : Enum->enumerators())
      if (llvm::APSInt::isSameValue(Each->getInitVal(), Value.Val.getInt()))
        return blockKind(Each) == RegistrationBlock::Impl ? RegistrationBlock::Impl
                                                          : RegistrationBlock::Fragment;
  return RegistrationBlock::Unknown;
}

/// The class of TorchScript's own operators, which the dispatcher does not know.
bool isScriptOperators(QualType T) { return className(T) == "torch::jit::RegisterOperators"; }

bool isRegisterOperators(QualType T) {
  const CXXRecordDecl *Class = T.isNull() ? nullptr : T->getAsCXXRecordDecl();
  return Class && Class->getIdentifier() && Class->getName() == "RegisterOperators" &&
         (isScriptOperators(T) || className(T) == "c10::RegisterOperators");
}

/// The class of which `std::make_unique<T>()` and `std::vector<T>::emplace_back()` make an object.
QualType madeBy(const FunctionDecl &F) {
  const TemplateArgumentList *Args = F.getTemplateSpecializationArgs();
  const auto *Class = dyn_cast<ClassTemplateSpecializationDecl>(F.getDeclContext());
  if (F.getName().starts_with("emplace"))
    Args = Class ? &Class->getTemplateArgs() : nullptr;
  bool HasType = Args && Args->size() && Args->get(0).getKind() == TemplateArgument::Type;
  return HasType ? Args->get(0).getAsType() : QualType();
}

bool isMakerOfOperators(const FunctionDecl &F) {
  if (!F.getDeclName().isIdentifier())
    return false;
  StringRef Name = F.getName();
  return (Name.starts_with("make_") || Name.starts_with("emplace")) &&
         isRegisterOperators(madeBy(F));
}

/// \p T is a library, or has one for a template argument, as std::unique_ptr<torch::Library> has.
bool mentionsLibrary(QualType T, unsigned Depth = 0) {
  constexpr unsigned MostDepth = 4;
  if (T.isNull() || Depth > MostDepth)
    return false;
  T = T.getNonReferenceType();
  if (const auto *Pointer = T->getAs<PointerType>())
    T = Pointer->getPointeeType();
  if (isLibraryOrDerived(T))
    return true;
  const auto *Class = dyn_cast_or_null<ClassTemplateSpecializationDecl>(T->getAsCXXRecordDecl());
  return Class && llvm::any_of(Class->getTemplateArgs().asArray(), [&](const TemplateArgument &A) {
           return A.getKind() == TemplateArgument::Type &&
                  mentionsLibrary(A.getAsType(), Depth + 1);
         });
}

bool mentionsLibrary(const CXXRecordDecl &Class) {
  QualType T = Class.getASTContext().getCanonicalTagType(&Class);
  return mentionsLibrary(T) ||
         (Class.hasDefinition() && llvm::any_of(Class.fields(), [](const FieldDecl *Field) {
            return mentionsLibrary(Field->getType());
          }));
}

/// Has a variable or a member that is a library, or holds some.
class LibraryUser : public RecursiveASTVisitor<LibraryUser> {
public:
  bool VisitExpr(Expr *E) {
    Found |= mentionsLibrary(E->getType());
    return !Found;
  }
  bool VisitVarDecl(VarDecl *Var) {
    Found |= mentionsLibrary(Var->getType());
    return !Found;
  }
  bool Found = false;
};

/// Whether \p F may make a library of its arguments. One that merely takes the kind of a library,
/// to log it, does not.
bool mayMakeLibrary(const FunctionDecl &F) {
  if (mentionsLibrary(F.getReturnType()))
    return true;
  if (const auto *Method = dyn_cast<CXXMethodDecl>(&F);
      Method && mentionsLibrary(*Method->getParent()))
    return true;
  if (const TemplateArgumentList *Args = F.getTemplateSpecializationArgs())
    for (const TemplateArgument &A : Args->asArray())
      if (A.getKind() == TemplateArgument::Type && mentionsLibrary(A.getAsType()))
        return true;
  const FunctionDecl *Pattern = F.getTemplateInstantiationPattern();
  const FunctionDecl &Code = Pattern ? *Pattern : F;
  const Stmt *Body = Code.getBody();
  if (!Body)
    return !Code.isDefined(); // in another file
  LibraryUser User;
  User.TraverseStmt(const_cast<Stmt *>(Body));
  return User.Found;
}

/// An object that was found.
struct FoundObject {
  RegistrationBlock Block;
  const Expr *Made = nullptr;             ///< what makes it; null where that is not clear
  const ValueDecl *Holder = nullptr;      ///< the variable or member that is the object
  const FunctionDecl *Function = nullptr; ///< that makes it
};

/// A chain of calls that fills a library.
struct FilledLibrary {
  const Expr *Begin = nullptr; ///< of the chain
  const FunctionDecl *Function = nullptr;
};

class ObjectFinder : public RecursiveASTVisitor<ObjectFinder> {
  using Visitor = RecursiveASTVisitor<ObjectFinder>;

public:
  ObjectFinder(ConstantValues &Values, const llvm::SmallPtrSetImpl<const VarDecl *> &Legacy)
      : Values(Values), Legacy(Legacy) {}

  /// The innermost function around an object.
  bool TraverseDecl(Decl *D) {
    const auto *F = dyn_cast_or_null<FunctionDecl>(D);
    const FunctionDecl *Outer = Function;
    if (F && F->doesThisDeclarationHaveABody())
      Function = F;
    bool GoOn = Visitor::TraverseDecl(D);
    Function = Outer;
    return GoOn;
  }

  bool TraverseVarDecl(VarDecl *Var) {
    bool IsBlock = Legacy.contains(Var);
    InBlock += IsBlock;
    bool GoOn = Visitor::TraverseVarDecl(Var);
    InBlock -= IsBlock;
    return GoOn;
  }

  bool TraverseConstructorInitializer(CXXCtorInitializer *Init) {
    if (Init->isMemberInitializer() && Init->getInit())
      holds(*Init->getMember(), *Init->getInit());
    return Visitor::TraverseConstructorInitializer(Init);
  }

  bool VisitVarDecl(VarDecl *Var) {
    const Expr *Init = Var->getInit();
    if (!Function && Init && !Var->isLocalVarDeclOrParm()) // those of lambdas are parts of others
      Initialisers.push_back(Init);
    if (isa<ParmVarDecl>(Var) || !Var->isThisDeclarationADefinition() ||
        !isTorchLibrary(Var->getType()))
      return true;
    if (!Init || isa<ParenListExpr, InitListExpr>(Init)) // depends on a template's, or is wrong
      add(Var->getLocation(), RegistrationBlock::Unknown);
    else
      holds(*Var, *Init);
    return true;
  }

  bool VisitCXXConstructExpr(CXXConstructExpr *E) {
    const CXXConstructorDecl *Constructor = E->getConstructor();
    if (!Constructor->isCopyOrMoveConstructor())
      addOperators(*E);
    bool IsLibrary = isLibraryOrDerived(E->getType());
    if (isMade(Constructor, IsLibrary, {E->getArgs(), E->getNumArgs()}))
      addMade(*E, {E->getArgs(), E->getNumArgs()});
    return true;
  }
  /// std::make_unique<torch::Library>(torch::Library::DEF, ...), lib.def(...)
  bool VisitCallExpr(CallExpr *E) {
    if (const Expr *Begin = filledLibrary(*E))
      Filled.push_back({Begin, Function});
    const FunctionDecl *F = E->getDirectCallee();
    // Of a pointer to a function nothing is known but that it is none of a library's.
    bool IsPointer = !F && !E->isTypeDependent() && !E->containsErrors() &&
                     E->getCallee()->getType()->isFunctionPointerType();
    if (!IsPointer && isMade(F, /*IsLibrary=*/false, {E->getArgs(), E->getNumArgs()}))
      addMade(*E, {E->getArgs(), E->getNumArgs()});
    if (F && isMakerOfOperators(*F))
      addOperators(E->getBeginLoc(), madeBy(*F));
    return true;
  }
  bool VisitCXXUnresolvedConstructExpr(CXXUnresolvedConstructExpr *E) {
    if (isTorchLibrary(E->getType()))
      add(E->getBeginLoc(), RegistrationBlock::Unknown);
    return true;
  }
  bool VisitRecoveryExpr(RecoveryExpr *E) {
    if (isTorchLibrary(E->getType()) && E->isPRValue())
      add(E->getBeginLoc(), RegistrationBlock::Unknown);
    addOperators(*E);
    return true;
  }

  /// Adds those that are filled and not made here.
  void addForeign();

  std::vector<FoundObject> Objects;
  /// Of the variables that are in no function.
  std::vector<const Expr *> Initialisers;

private:
  void addOperators(const Expr &E) { addOperators(E.getBeginLoc(), E.getType()); }
  void addOperators(SourceLocation At, QualType T) {
    if (InBlock || !isRegisterOperators(T) || !Operators.insert(At).second)
      return;
    add(At, isScriptOperators(T) ? RegistrationBlock::Fragment : RegistrationBlock::Legacy);
  }

  void holds(const ValueDecl &Holder, const Expr &Init) {
    if (isTorchLibrary(Holder.getType()))
      Holders[underlying(&Init)] = &Holder;
  }

  static const Expr *const *kindIn(llvm::ArrayRef<const Expr *> Args) {
    return llvm::find_if(Args, isKind);
  }

  /// \p F, which a template makes, may hand its arguments on to a library's constructor.
  static bool isMade(const FunctionDecl *F, bool IsLibrary, llvm::ArrayRef<const Expr *> Args) {
    constexpr size_t ArgsOfLibrary = 5;
    size_t Rest = Args.end() - kindIn(Args);
    return Rest >= 2 &&
           (IsLibrary || (Rest >= ArgsOfLibrary &&
                          (!F || (F->isTemplateInstantiation() && mayMakeLibrary(*F)))));
  }

  void addMade(const Expr &E, llvm::ArrayRef<const Expr *> Args) {
    const Expr *const *Kind = kindIn(Args);
    const ASTContext &Context = Values.spans().context();
    FoundObject &Made = add(E.getBeginLoc(), kindOf(**Kind, Context));
    Made.Holder = Holders.lookup(&E);
    Made.Made = &E;
    std::optional<LiteralText> Namespace = readText(Kind[1], Values);
    if (!Namespace)
      Made.Block.Is = RegistrationBlock::Unknown;
    else if (Made.Block.Is == RegistrationBlock::Unknown) // its kind: what says least
      Made.Block.Is = RegistrationBlock::Fragment;
    if (!Namespace)
      return;
    Made.Block.Namespace = std::move(Namespace->Value);
    if (Made.Block.Is == RegistrationBlock::Impl && Kind + 2 != Args.end())
      Made.Block.Key = readKey(Kind[2], Values);
  }

  FoundObject &add(SourceLocation At, RegistrationBlock::Kind Is) {
    FoundObject &Made = Objects.emplace_back();
    At = Values.spans().context().getSourceManager().getExpansionLoc(At);
    Made.Block.Is = Is;
    Made.Block.At = Values.spans().span(SourceRange(At, At));
    Made.Block.Complete = false;
    Made.Function = Function;
    return Made;
  }

  ConstantValues &Values;
  const llvm::SmallPtrSetImpl<const VarDecl *> &Legacy;
  const FunctionDecl *Function = nullptr;
  unsigned InBlock = 0;
  llvm::DenseMap<const Expr *, const ValueDecl *> Holders;
  llvm::DenseSet<SourceLocation> Operators; ///< where they were added
  std::vector<FilledLibrary> Filled;
};

/// Whether an expression leads to an object that was found, or to a parameter: a block that
/// somebody hands over.
class OriginFinder : public RecursiveASTVisitor<OriginFinder> {
public:
  explicit OriginFinder(llvm::ArrayRef<FoundObject> Objects) : Objects(Objects) {}

  bool VisitDeclRefExpr(DeclRefExpr *Ref) {
    visitNamed(*Ref->getDecl());
    return !Found;
  }
  bool VisitMemberExpr(MemberExpr *Member) {
    visitNamed(*Member->getMemberDecl());
    if (const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl()))
      visitField(*Field);
    return !Found;
  }
  bool VisitExpr(Expr *E) {
    Found |= llvm::any_of(Objects, [&](const FoundObject &Each) { return Each.Made == E; });
    return !Found;
  }

  bool Found = false;

private:
  void visitNamed(const ValueDecl &D) {
    if (const auto *F = dyn_cast<FunctionDecl>(&D))
      Found |= isMaking(F);
    if (const auto *Var = dyn_cast<VarDecl>(&D))
      visitVariable(*Var);
  }
  bool isMaking(const FunctionDecl *F) const {
    return llvm::any_of(Objects, [&](const FoundObject &Each) {
      return Each.Function && Each.Function->getCanonicalDecl() == F->getCanonicalDecl();
    });
  }
  bool isHolder(const ValueDecl &D) const {
    return llvm::any_of(Objects, [&](const FoundObject &Each) {
      return Each.Holder && Each.Holder->getCanonicalDecl() == D.getCanonicalDecl();
    });
  }
  void visitVariable(const VarDecl &Var) {
    Found |= isHolder(Var) || (isa<ParmVarDecl>(Var) && Var.getType()->isReferenceType() &&
                               libraryClass(Var.getType()) == LibraryClass::Torch);
    if (const Expr *Init = Var.getAnyInitializer(); Init && Seen.insert(&Var).second)
      TraverseStmt(const_cast<Expr *>(Init));
  }
  /// What a class makes in any of its functions may be in any of its members.
  void visitField(const FieldDecl &Field) {
    Found |= isHolder(Field) || llvm::any_of(Objects, [&](const FoundObject &Each) {
               return Each.Function && Each.Function->getParent() == Field.getParent();
             });
    if (const Expr *Init = Field.getInClassInitializer(); Init && Seen.insert(&Field).second)
      TraverseStmt(const_cast<Expr *>(Init));
  }

  llvm::ArrayRef<FoundObject> Objects;
  llvm::SmallPtrSet<const ValueDecl *, 8> Seen;
};

void ObjectFinder::addForeign() {
  llvm::SmallPtrSet<const Expr *, 8> Seen;
  std::vector<SourceLocation> Foreign;
  for (const FilledLibrary &Each : Filled) {
    if (!Seen.insert(Each.Begin).second)
      continue;
    bool IsBeside = Each.Function && llvm::any_of(Objects, [&](const FoundObject &Object) {
                      return Object.Function == Each.Function;
                    });
    OriginFinder Origin(Objects);
    if (!IsBeside)
      Origin.TraverseStmt(const_cast<Expr *>(Each.Begin));
    if (!IsBeside && !Origin.Found)
      Foreign.push_back(Each.Begin->getBeginLoc());
  }
  for (SourceLocation At : Foreign)
    add(At, RegistrationBlock::Unknown);
}

/// Calls beside \p Object, a variable of a namespace. Those of another file are a block of their
/// own, with a place of their own: of a header's variable, each file may have others.
std::vector<RegistrationBlock>
readBeside(FoundObject &Object, llvm::ArrayRef<const Expr *> Initialisers, ConstantValues &Values) {
  std::vector<RegistrationBlock> Others;
  const SourceManager &SM = Values.spans().context().getSourceManager();
  FileID Own = SM.getFileID(SM.getExpansionLoc(Object.Holder->getLocation()));
  for (const Expr *Init : Initialisers) {
    std::vector<RegistrationEntry> Entries = readEntriesOf(*Object.Holder, Init, Values);
    for (RegistrationEntry &Entry : Entries) // its branches are none of another initialiser's
      if (Entry.Conditional)
        Entry.Branch = UINT16_MAX, Entry.LastInner = 0;
    SourceLocation Begin = SM.getExpansionLoc(Init->getBeginLoc());
    if (Entries.empty() || SM.getFileID(Begin) == Own) {
      llvm::append_range(Object.Block.Entries, std::move(Entries));
      continue;
    }
    RegistrationBlock &Other = Others.emplace_back();
    Other.Is = Object.Block.Is;
    Other.Namespace = Object.Block.Namespace;
    Other.Key = Object.Block.Key;
    Other.At = Values.spans().span(SourceRange(Begin, Begin));
    Other.Entries = std::move(Entries);
  }
  return Others;
}

/// The calls that stand where the object is made: in its function, or beside it in the file.
std::vector<RegistrationBlock>
readCalls(FoundObject &Object, llvm::ArrayRef<const Expr *> Initialisers, ConstantValues &Values) {
  if (!Object.Holder || Object.Block.Is == RegistrationBlock::Unknown)
    return {};
  if (!Object.Function)
    return readBeside(Object, Initialisers, Values);
  Object.Block.Entries = readEntriesOf(*Object.Holder, Object.Function->getBody(), Values);
  for (RegistrationEntry &Entry : Object.Block.Entries) // who calls it is not known
    Entry.Conditional = Entry.InFunction = true;
  return {};
}

} // namespace

size_t LibraryMentions::last(FileID File, const SourceManager &SM) {
  auto [Known, IsNew] = Last.try_emplace(File, StringRef::npos);
  if (!IsNew)
    return Known->second;
  StringRef Text = SM.getBufferOrFake(File).getBuffer();
  for (StringRef Word :
       {"Library", "MAKE_TORCH_LIBRARY", "RegisterOperators", "::FRAGMENT", "::IMPL"})
    if (size_t At = Text.rfind(Word);
        At != StringRef::npos && (Known->second == StringRef::npos || At > Known->second))
      Known->second = At;
  return Known->second;
}

bool LibraryMentions::areInAny(ProjectPlaces &Project, const SourceManager &SM) {
  return llvm::any_of(Project.files(),
                      [&](FileID File) { return last(File, SM) != StringRef::npos; });
}

void opsig::collectLibraryObjects(llvm::ArrayRef<Decl *> TopLevel, ProjectPlaces &Project,
                                  const llvm::SmallPtrSetImpl<const VarDecl *> &Legacy,
                                  ConstantValues &Values, UnitFacts &Unit) {
  if (!LibraryMentions().areInAny(Project, Values.spans().context().getSourceManager()))
    return;
  ObjectFinder Finder(Values, Legacy);
  for (Decl *D : TopLevel)
    if (const FunctionDecl *F = D->getAsFunction(); !F || !F->isTemplateInstantiation())
      Finder.TraverseDecl(D); // the template itself is another of them
  Finder.addForeign();
  for (FoundObject &Object : Finder.Objects) {
    std::vector<RegistrationBlock> Others = readCalls(Object, Finder.Initialisers, Values);
    Unit.Registrations.push_back(std::move(Object.Block));
    llvm::append_range(Unit.Registrations, std::move(Others));
  }
}

bool opsig::makesLibrary(const Decl &D, ProjectPlaces &Project, LibraryMentions &Mentions) {
  const FunctionDecl *F = D.getAsFunction();
  if (!F || !Project.contain(*F))
    return false;
  const SourceManager &SM = F->getASTContext().getSourceManager();
  auto [File, Offset] = SM.getDecomposedLoc(SM.getExpansionLoc(F->getLocation()));
  StringRef Text = SM.getBufferData(File);
  // A library that comes from elsewhere has its type in some file, a call has not.
  if (callsImplOrDef(F->getLocation(), SM, F->getASTContext().getLangOpts()) &&
      Mentions.areInAny(Project, SM))
    return true;
  if (size_t Last = Mentions.last(File, SM); Last == StringRef::npos || Last < Offset)
    return false;
  Lexer Raw(SM.getLocForStartOfFile(File), F->getASTContext().getLangOpts(), Text.begin(),
            Text.begin() + Offset, Text.end());
  unsigned Depth = 0;
  bool WasClosed = false; // an initialiser's braces, or those of the body
  for (Token Tok; !Raw.LexFromRawLexer(Tok);) {
    if (Depth == 0 && (Tok.is(tok::semi) || (WasClosed && !Tok.isOneOf(tok::comma, tok::l_brace))))
      return false;
    if (Tok.is(tok::raw_identifier)) {
      StringRef Word = Tok.getRawIdentifier();
      if (Word.contains("Library") || Word.contains("TORCH_LIBRARY") ||
          llvm::is_contained({"RegisterOperators", "FRAGMENT", "IMPL"}, Word))
        return true;
    }
    Depth += Tok.is(tok::l_brace);
    WasClosed = Tok.is(tok::r_brace) && (Depth == 0 || --Depth == 0);
  }
  return false;
}
