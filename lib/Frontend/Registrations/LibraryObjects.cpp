//===- LibraryObjects.cpp - libraries that code makes without a block ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `torch::Library lib(torch::Library::IMPL, "ns", ...)`, `MAKE_TORCH_LIBRARY(ns)`
//   => blocks that are not complete, because other code may fill the object, too
//   => the calls on the object itself, as entries
// objects of RegisterOperators that are no variables of a namespace
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
        return Each->getName() == "IMPL" ? RegistrationBlock::Impl : RegistrationBlock::Fragment;
  return RegistrationBlock::Unknown;
}

/// The class of TorchScript's own operators, which the dispatcher does not know.
bool isScriptOperators(QualType T) { return className(T) == "torch::jit::RegisterOperators"; }

bool isRegisterOperators(QualType T) {
  const CXXRecordDecl *Class = T.isNull() ? nullptr : T->getAsCXXRecordDecl();
  return Class && Class->getIdentifier() && Class->getName() == "RegisterOperators" &&
         (isScriptOperators(T) || className(T) == "c10::RegisterOperators");
}

/// An object that was found.
struct FoundObject {
  RegistrationBlock Block;
  const ValueDecl *Holder = nullptr; ///< the variable or member that is the object
  const Stmt *Function = nullptr;    ///< the body of the function that makes it
};

class ObjectFinder : public RecursiveASTVisitor<ObjectFinder> {
  using Visitor = RecursiveASTVisitor<ObjectFinder>;

public:
  explicit ObjectFinder(ConstantValues &Values) : Values(Values) {}

  /// The innermost function around an object.
  bool TraverseDecl(Decl *D) {
    const auto *F = dyn_cast_or_null<FunctionDecl>(D);
    const Stmt *Outer = Function;
    if (F && F->doesThisDeclarationHaveABody())
      Function = F->getBody();
    bool GoOn = Visitor::TraverseDecl(D);
    Function = Outer;
    return GoOn;
  }

  /// A variable of RegisterOperators in a namespace is a block by itself.
  bool TraverseVarDecl(VarDecl *Var) {
    bool IsBlock = !Function && Var->getDeclContext()->isFileContext() && Var->getInit() &&
                   className(Var->getType()) == "c10::RegisterOperators";
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
    if (!Function && Init)
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
    if (!InBlock && isRegisterOperators(E->getType()) && !Constructor->isCopyOrMoveConstructor())
      add(E->getBeginLoc(), isScriptOperators(E->getType()) ? RegistrationBlock::Fragment
                                                            : RegistrationBlock::Legacy);
    bool IsLibrary = isLibraryOrDerived(E->getType());
    if (isMade(Constructor, IsLibrary, {E->getArgs(), E->getNumArgs()}))
      addMade(*E, {E->getArgs(), E->getNumArgs()});
    return true;
  }
  /// std::make_unique<torch::Library>(torch::Library::DEF, ...)
  bool VisitCallExpr(CallExpr *E) {
    if (isMade(E->getDirectCallee(), /*IsLibrary=*/false, {E->getArgs(), E->getNumArgs()}))
      addMade(*E, {E->getArgs(), E->getNumArgs()});
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
    return true;
  }

  std::vector<FoundObject> Objects;
  /// Of the variables that are in no function.
  std::vector<const Expr *> Initialisers;

private:
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
           (IsLibrary || (Rest >= ArgsOfLibrary && (!F || F->isTemplateInstantiation())));
  }

  void addMade(const Expr &E, llvm::ArrayRef<const Expr *> Args) {
    const Expr *const *Kind = kindIn(Args);
    const ASTContext &Context = Values.spans().context();
    FoundObject &Made = add(E.getBeginLoc(), kindOf(**Kind, Context));
    Made.Holder = Holders.lookup(&E);
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
  const Stmt *Function = nullptr;
  unsigned InBlock = 0;
  llvm::DenseMap<const Expr *, const ValueDecl *> Holders;
};

/// The calls that stand where the object is made: in its function, or beside it in the file.
void readCalls(FoundObject &Object, llvm::ArrayRef<const Expr *> Initialisers,
               ConstantValues &Values) {
  if (!Object.Holder || Object.Block.Is == RegistrationBlock::Unknown)
    return;
  if (!Object.Function) {
    for (const Expr *Init : Initialisers)
      llvm::append_range(Object.Block.Entries, readEntriesOf(*Object.Holder, Init, Values));
    return;
  }
  Object.Block.Entries = readEntriesOf(*Object.Holder, Object.Function, Values);
  for (RegistrationEntry &Entry : Object.Block.Entries) // who calls it is not known
    Entry.Conditional = Entry.InFunction = true;
}

/// Whether the text of a file may make one.
bool mayMake(StringRef Text) {
  return Text.contains("Library") || Text.contains("MAKE_TORCH_LIBRARY") ||
         Text.contains("RegisterOperators") || Text.contains("::FRAGMENT") ||
         Text.contains("::IMPL");
}

} // namespace

void opsig::collectLibraryObjects(llvm::ArrayRef<Decl *> TopLevel, ProjectPlaces &Project,
                                  ConstantValues &Values, UnitFacts &Unit) {
  const SourceManager &SM = Values.spans().context().getSourceManager();
  if (llvm::none_of(Project.files(),
                    [&](FileID File) { return mayMake(SM.getBufferOrFake(File).getBuffer()); }))
    return;
  ObjectFinder Finder(Values);
  for (Decl *D : TopLevel)
    if (const FunctionDecl *F = D->getAsFunction(); !F || !F->isTemplateInstantiation())
      Finder.TraverseDecl(D); // the template itself is another of them
  for (FoundObject &Object : Finder.Objects) {
    readCalls(Object, Finder.Initialisers, Values);
    Unit.Registrations.push_back(std::move(Object.Block));
  }
}

bool opsig::makesLibrary(const Decl &D, ProjectPlaces &Project) {
  const FunctionDecl *F = D.getAsFunction();
  if (!F || !Project.contain(*F))
    return false;
  const SourceManager &SM = F->getASTContext().getSourceManager();
  auto [File, Offset] = SM.getDecomposedLoc(SM.getExpansionLoc(F->getLocation()));
  StringRef Text = SM.getBufferData(File);
  if (!mayMake(Text.substr(Offset)))
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
