//===- RegistrationKernel.cpp - what is handed to impl() and def() -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registrations/ConstantValues.h"
#include "Registrations/RegistrationInternal.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace clang;

namespace {

/// As readDecl(), of any function; without parameters where Clang's types do not go with them.
KernelDecl declOf(const FunctionDecl &F, UnitSpans &Spans) {
  const auto *Type = F.getType().getCanonicalType()->getAs<FunctionProtoType>();
  if (!Type || F.getNumParams() != Type->getNumParams())
    return {};
  KernelDecl Out = readDecl(F, Spans);
  if (!Out.NameAt.isValid())
    Out.NameAt = Spans.use(SourceRange(F.getLocation(), F.getLocation()));
  return Out;
}

/// The one that the user is likely to look at: in the main file or at least in one of the project,
/// and with a body.
const FunctionDecl *bestDeclaration(const FunctionDecl *F, const UnitSpans &Spans,
                                    const SourceManager &SM) {
  auto Rank = [&](const FunctionDecl *D) {
    bool Main = SM.isInMainFile(SM.getExpansionLoc(D->getLocation()));
    return (Main ? 4 : 0) + (Spans.isForeign(*D) ? 0 : 2) +
           (D->isThisDeclarationADefinition() ? 1 : 0);
  };
  const FunctionDecl *Best = F;
  for (const FunctionDecl *D : F->redecls())
    if (Rank(D) > Rank(Best))
      Best = D;
  return Best;
}

/// What is wrong with a function that stands in a file of others is told where it is registered.
void moveTo(Span Use, KernelDecl &Decl) {
  for (KernelParam &P : Decl.Params) {
    P.Whole = Use;
    P.Type = P.NameAt = P.Default = Span();
  }
  Decl.NameAt = Use;
  Decl.Return = Decl.ParamList = Decl.Head = Span();
}

/// The call operators that a class has itself or, as they are not hidden, from its bases.
struct CallOperators {
  std::vector<const CXXMethodDecl *> Methods;
  bool Template = false;

  void add(const CXXRecordDecl &Class) {
    bool Own = false;
    for (const Decl *Member : Class.decls()) {
      const auto *Generic = dyn_cast<FunctionTemplateDecl>(Member);
      const auto *Method = dyn_cast<CXXMethodDecl>(Generic ? Generic->getTemplatedDecl() : Member);
      if (!Method || Method->getOverloadedOperator() != OO_Call)
        continue;
      Own = true;
      Template |= Generic != nullptr;
      Methods.push_back(Method);
    }
    if (Own)
      return;
    for (const CXXBaseSpecifier &Base : Class.bases())
      if (const auto *Inherited = Base.getType()->getAsCXXRecordDecl();
          Inherited && Inherited->hasDefinition())
        add(*Inherited->getDefinition());
  }
};

/// A kernel known by its type alone.
RegisteredKernel typedKernel(const FunctionProtoType &Type, Span Use, UnitSpans &Spans) {
  RegisteredKernel K;
  K.Is = RegisteredKernel::Function;
  K.Use = Use;
  K.Noexcept = Type.isNothrow();
  ASTContext &Context = Spans.context();
  const PrintingPolicy &Policy = Context.getPrintingPolicy();
  for (QualType T : Type.getParamTypes()) {
    KernelParam P;
    P.TypeText = T.getAsString(Policy);
    P.Canonical = readType(T, Context);
    P.Whole = Use;
    K.Decl.Params.push_back(P);
  }
  K.Decl.ReturnText = Type.getReturnType().getAsString(Policy);
  K.Decl.ReturnCanonical = readType(Type.getReturnType(), Context);
  K.Decl.NameAt = Use;
  return K;
}

RegisteredKernel form(RegisteredKernel::Form Is, Span Use) {
  RegisteredKernel K;
  K.Is = Is;
  K.Use = Use;
  return K;
}

RegisteredKernel overloadedKernel(const OverloadExpr &Names, Span Use, UnitSpans &Spans) {
  unsigned Functions = 0;
  const FunctionDecl *Only = nullptr;
  for (const NamedDecl *D : Names.decls()) {
    const auto *F = dyn_cast<FunctionDecl>(D->getUnderlyingDecl());
    if (!F || Spans.isGarbled(*F))
      return form(RegisteredKernel::Unread, Use);
    ++Functions;
    Only = F;
  }
  if (Functions == 1)
    return functionKernel(Only, Use, Spans);
  RegisteredKernel K =
      form(Functions ? RegisteredKernel::Overloaded : RegisteredKernel::Unread, Use);
  K.Name = Names.getName().getAsString();
  return K;
}

/// What is given to makeFromBoxedFunction: `void(const OperatorHandle &, Stack *)`, with a key set
/// between the two or without.
bool isBoxedSignature(const FunctionProtoType &Type) {
  llvm::ArrayRef<QualType> Params = Type.getParamTypes();
  return Params.size() >= 2 && Params.size() <= 3 && Params.back()->isPointerType() &&
         className(Params.front()) == "c10::OperatorHandle" &&
         className(Params.back()->getPointeeType()) == "std::vector" &&
         (Params.size() == 2 || className(Params[1]) == "c10::DispatchKeySet");
}

bool isBoxedSignature(const FunctionDecl &F) {
  const auto *Type = F.getType()->getAs<FunctionProtoType>();
  return Type && !F.getType()->isDependentType() && isBoxedSignature(*Type);
}

/// `makeFallthrough`, without the parentheses that call it.
bool isMaker(const NamedDecl &D) {
  const auto *Class = dyn_cast<CXXRecordDecl>(D.getDeclContext());
  return Class && D.getDeclName().isIdentifier() && D.getName().starts_with("make") &&
         scopeName(*Class) == "torch::CppFunction";
}

RegisteredKernel uncalledMaker(const Expr &Named, Span Use, UnitSpans &Spans) {
  RegisteredKernel K = form(RegisteredKernel::Uncalled, Use);
  K.Name = inOneLine(Spans.text(Spans.use(Named.getSourceRange())));
  return K;
}

RegisteredKernel bareBoxed(const FunctionDecl &F, Span Use) {
  RegisteredKernel K = form(RegisteredKernel::BareBoxed, Use);
  K.Name = scopeName(F);
  return K;
}

/// `f` of `&f`.
const Expr *withoutAddressOf(const Expr *E) {
  E = underlying(E);
  const auto *Address = dyn_cast<UnaryOperator>(E);
  return Address && Address->getOpcode() == UO_AddrOf ? underlying(Address->getSubExpr()) : E;
}

/// `f` of the class that TORCH_FN(f) makes: the function is an argument of the template.
const FunctionDecl *compileTimeFunction(const CXXRecordDecl &Class) {
  const auto *Special = dyn_cast<ClassTemplateSpecializationDecl>(&Class);
  return Special && scopeName(Class) == "c10::CompileTimeFunctionPointer"
             ? functionOf(Special->getTemplateArgs())
             : nullptr;
}

class KernelReader {
public:
  KernelReader(RegistrationEntry &Entry, ConstantValues &Values)
      : Entry(Entry), Values(Values), Spans(Values.spans()) {}

  RegisteredKernel read(const Expr *E);

private:
  RegisteredKernel readCall(const CallExpr &Call, Span Use);
  RegisteredKernel readConstruct(const CXXConstructExpr &Construct, Span Use);
  RegisteredKernel readType(QualType T, Span Use);
  RegisteredKernel readVariable(const Expr &Named, Span Use);

  RegistrationEntry &Entry;
  ConstantValues &Values;
  UnitSpans &Spans;
  unsigned Depth = 0;
};

RegisteredKernel KernelReader::readType(QualType T, Span Use) {
  T = T.getNonReferenceType();
  if (T->isPointerType())
    T = T->getPointeeType();
  if (const auto *Function = T->getAs<FunctionProtoType>(); Function && !T->isDependentType())
    return typedKernel(*Function, Use, Spans);
  const auto *Class = T->getAsCXXRecordDecl();
  if (Class && Class->isLambda())
    return functorKernel(Class, Use, Spans);
  if (const FunctionDecl *F = Class ? compileTimeFunction(*Class) : nullptr)
    return functionKernel(F, Use, Spans);
  return form(RegisteredKernel::Unread, Use);
}

/// The function type that a variable, or a reference, points to; null for others.
const FunctionProtoType *pointedTo(QualType T) {
  T = T.getNonReferenceType();
  if (T->isPointerType())
    T = T->getPointeeType();
  return T->isDependentType() ? nullptr : T->getAs<FunctionProtoType>();
}

/// A function that a variable holds: what it can be registered as is up to the variable's type,
/// which may be without the noexcept of the function, and does not follow an edit unless it is
/// deduced.
RegisteredKernel KernelReader::readVariable(const Expr &Named, Span Use) {
  if (const FunctionProtoType *Type = pointedTo(Named.getType()); Type && isBoxedSignature(*Type))
    return form(RegisteredKernel::BareBoxed, Use);
  RegisteredKernel ByType = readType(Named.getType(), Use);
  if (ByType.Is == RegisteredKernel::Lambda || !ByType.Name.empty())
    return ByType;
  ConstantValue Value = Values.valueOf(&Named);
  if (Value.E == &Named)
    return ByType;
  if (Value.InRow)
    ByType.Use = Use = ByType.Decl.NameAt = Spans.use(Value.E->getSourceRange());
  const FunctionProtoType *Type = pointedTo(Named.getType());
  if (!Type) // a lambda, a CppFunction, or the like
    return ByType.Is == RegisteredKernel::Unread ? read(Value.E) : ByType;
  const Expr *Held = withoutAddressOf(Value.E);
  auto IsDeduced = [](const VarDecl *Var) { return Var->getType()->getContainedDeducedType(); };
  bool Follows = !Value.InRow && llvm::all_of(Value.Through, IsDeduced);
  if (const auto *Plus = dyn_cast<UnaryOperator>(Held); Plus && Plus->getOpcode() == UO_Plus)
    Held = underlying(Plus->getSubExpr());
  if (const auto *Lambda = dyn_cast<LambdaExpr>(Held)) {
    RegisteredKernel K = functorKernel(Lambda->getLambdaClass(), Use, Spans);
    K.Editable &= Follows;
    return K;
  }
  const auto *Ref = dyn_cast<DeclRefExpr>(Held);
  const auto *F = Ref ? dyn_cast<FunctionDecl>(Ref->getDecl()) : nullptr;
  if (F && isMaker(*F))
    return uncalledMaker(*Ref, Use, Spans);
  if (!F ||
      !Spans.context().hasSameFunctionTypeIgnoringExceptionSpec(F->getType(), QualType(Type, 0)))
    return ByType;
  RegisteredKernel K = functionKernel(F, Use, Spans);
  if (!K.hasSignature())
    return ByType;
  K.Noexcept = ByType.Noexcept;
  K.Editable &= Follows;
  return K;
}

RegisteredKernel KernelReader::readConstruct(const CXXConstructExpr &Construct, Span Use) {
  const CXXRecordDecl *Class = Construct.getConstructor()->getParent();
  std::string Name = scopeName(*Class);
  if (Name == "torch::CppFunction" && Construct.getNumArgs() > 0)
    return read(Construct.getArg(0));
  if (const FunctionDecl *F = compileTimeFunction(*Class))
    return functionKernel(F, Use, Spans);
  return functorKernel(Class, Use, Spans);
}

RegisteredKernel KernelReader::readCall(const CallExpr &Call, Span Use) {
  const FunctionDecl *F = Call.getDirectCallee();
  if (!F)
    return form(RegisteredKernel::Unread, Use);
  std::string Name = scopeName(*F);
  if (Name == "torch::dispatch" && Call.getNumArgs() == 2) {
    Entry.Key = readKey(Call.getArg(0), Values);
    Entry.KeyUnknown = Entry.Key.empty();
    return read(Call.getArg(1));
  }
  if (Name == "torch::CppFunction::makeFallthrough")
    return form(RegisteredKernel::Fallthrough, Use);
  if (Name == "torch::CppFunction::makeFromUnboxedFunction" && Call.getNumArgs() == 1)
    return read(Call.getArg(0));
  if (StringRef(Name).starts_with("torch::CppFunction::make")) {
    RegisteredKernel K = form(RegisteredKernel::Boxed, Use);
    // makeFromBoxedFunction<&f>()
    if (const TemplateArgumentList *Template = F->getTemplateSpecializationArgs())
      if (const FunctionDecl *Held = functionOf(*Template))
        K.Name = scopeName(*Held);
    return K;
  }
  if (Name == "torch::CppFunction::debug")
    return read(cast<CXXMemberCallExpr>(Call).getImplicitObjectArgument());
  RegisteredKernel Made = readVariable(Call, Use);
  if (Made.Is == RegisteredKernel::Lambda && Call.getNumArgs() == 1)
    if (RegisteredKernel Given = read(Call.getArg(0)); Given.Is == RegisteredKernel::Function)
      Made.Wrapped.push_back(std::move(Given));
  return Made;
}

/// torch::dispatch(KEY, f) with an error in an argument, which hides the key.
static bool isBrokenDispatch(const Expr &E) {
  if (!isa<RecoveryExpr>(E) || E.child_begin() == E.child_end())
    return false;
  const auto *Names = dyn_cast_or_null<OverloadExpr>(*E.child_begin());
  return Names && Names->getName().getAsString() == "dispatch";
}

RegisteredKernel KernelReader::read(const Expr *E) {
  if (++Depth > 64) // variables of broken code may hold each other
    return form(RegisteredKernel::Unread, Spans.use(E->getSourceRange()));
  Span Use = Spans.use(E->getSourceRange());
  // `TORCH_FN(f)` is `Pointer<type, f>()`, whose innermost expression is the construction.
  const Expr *Inner = withoutAddressOf(E);
  if (const auto *Deref = dyn_cast<UnaryOperator>(Inner); Deref && Deref->getOpcode() == UO_Plus)
    Inner = underlying(Deref->getSubExpr());
  if (const auto *Ref = dyn_cast<DeclRefExpr>(Inner)) {
    const auto *F = dyn_cast<FunctionDecl>(Ref->getDecl());
    if (F && isMaker(*F))
      return uncalledMaker(*Inner, Use, Spans);
    if (F)
      return isBoxedSignature(*F) ? bareBoxed(*F, Use) : functionKernel(F, Use, Spans);
    return readVariable(*Ref, Use);
  }
  if (isa<MemberExpr, ArraySubscriptExpr>(Inner) && !Inner->containsErrors())
    return readVariable(*Inner, Use);
  if (const auto *Lambda = dyn_cast<LambdaExpr>(Inner))
    return functorKernel(Lambda->getLambdaClass(), Use, Spans);
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(Inner))
    return readConstruct(*Construct, Use);
  const auto *Names = dyn_cast<OverloadExpr>(Inner);
  if (Names && llvm::any_of(Names->decls(),
                            [](const NamedDecl *D) { return isMaker(*D->getUnderlyingDecl()); }))
    return uncalledMaker(*Inner, Use, Spans);
  if (Names)
    return overloadedKernel(*Names, Use, Spans);
  if (const auto *Call = dyn_cast<CallExpr>(Inner))
    return readCall(*Call, Use);
  if (isa<CXXScalarValueInitExpr, InitListExpr>(Inner))
    if (const auto *Class = Inner->getType()->getAsCXXRecordDecl())
      return functorKernel(Class, Use, Spans);
  Entry.KeyUnknown |= Entry.Key.empty() && isBrokenDispatch(*Inner);
  return Inner->containsErrors() ? form(RegisteredKernel::Unread, Use)
                                 : readType(Inner->getType(), Use);
}

} // namespace

const FunctionDecl *opsig::functionOf(const TemplateArgumentList &Template) {
  for (const TemplateArgument &Argument : Template.asArray())
    if (Argument.getKind() == TemplateArgument::Declaration)
      return dyn_cast<FunctionDecl>(Argument.getAsDecl());
  return nullptr;
}

RegisteredKernel opsig::functionKernel(const FunctionDecl *F, Span Use, UnitSpans &Spans) {
  const SourceManager &SM = Spans.context().getSourceManager();
  F = bestDeclaration(F, Spans, SM);
  const auto *Type = F->getType()->getAs<FunctionProtoType>();
  if (!Type || F->getType()->isDependentType() || F->isVariadic() || Spans.isGarbled(*F))
    return form(RegisteredKernel::Unread, Use);
  recordCustomClasses(*F, Spans);
  RegisteredKernel K;
  K.Is = RegisteredKernel::Function;
  K.Name = scopeName(*F);
  K.Noexcept = isNoexceptExceptionSpec(Type->getExceptionSpecType()) && Type->isNothrow();
  K.Use = Use;
  K.Editable = F->getTemplatedKind() == FunctionDecl::TK_NonTemplate;
  K.Decl = declOf(*F, Spans);
  K.Symbol = neededSymbol(*F, Spans);
  if (Spans.isForeign(*F)) {
    addForeign(K.Decl, *F, Spans);
    moveTo(Use, K.Decl);
  }
  K.Editable &= K.Decl.Editable;
  for (const FunctionDecl *Other : F->redecls()) {
    if (Other == F)
      continue;
    if (Spans.isForeign(*Other)) {
      addForeign(K.Decl, *Other, Spans);
      K.Editable = false;
      continue;
    }
    K.Others.push_back(declOf(*Other, Spans));
    K.Editable &= K.Others.back().Editable;
  }
  return K;
}

RegisteredKernel opsig::functorKernel(const CXXRecordDecl *Class, Span Use, UnitSpans &Spans) {
  Class = Class->getDefinition();
  CallOperators Operators;
  if (Class)
    Operators.add(*Class);
  if (Operators.Template)
    return form(RegisteredKernel::Generic, Use);
  if (Operators.Methods.size() != 1)
    return form(RegisteredKernel::Unread, Use);
  if (isBoxedSignature(*Operators.Methods.front()))
    return form(RegisteredKernel::BareBoxed, Use);
  RegisteredKernel K = functionKernel(Operators.Methods.front(), Use, Spans);
  K.Is = K.Is == RegisteredKernel::Function ? RegisteredKernel::Lambda : K.Is;
  K.Noexcept = false; // a functor's signature is taken without it
  K.Name = Class->isLambda() ? "" : scopeName(*Class);
  return K;
}

RegisteredKernel opsig::stableKernel(const Expr &E, ConstantValues &Values) {
  UnitSpans &Spans = Values.spans();
  Span Use = Spans.use(E.getSourceRange());
  ConstantValue Value = Values.valueOf(withoutAddressOf(&E));
  if (Value.InRow)
    Use = Spans.use(Value.E->getSourceRange());
  const Expr *Inner = withoutAddressOf(Value.E);
  const auto *Ref = dyn_cast<DeclRefExpr>(Inner);
  const auto *Method = Ref ? dyn_cast<CXXMethodDecl>(Ref->getDecl()) : nullptr;
  const auto *Boxer =
      Method ? dyn_cast<ClassTemplateSpecializationDecl>(Method->getParent()) : nullptr;
  // TORCH_BOX(f) is `boxer<type, f>::boxed_fn`.
  if (!Boxer || !isOfStableAbi(scopeName(*Boxer), "boxer")) {
    RegisteredKernel K =
        form(Inner->containsErrors() ? RegisteredKernel::Unread : RegisteredKernel::Boxed, Use);
    if (const auto *Boxed = Ref ? dyn_cast<FunctionDecl>(Ref->getDecl()) : nullptr) {
      K.Name = scopeName(*Boxed);
      K.Stack = readStack(*Boxed, Spans);
    }
    return K;
  }
  const FunctionDecl *F = functionOf(Boxer->getTemplateArgs());
  if (!F)
    return form(RegisteredKernel::Unread, Use);
  RegisteredKernel K = functionKernel(F, Use, Spans);
  K.Interface = KernelInterface::Stable;
  K.Noexcept = false; // of such a function the types cannot be taken, which does not compile
  return K;
}

void opsig::readKernel(const Expr *E, RegistrationEntry &Entry, ConstantValues &Values) {
  Entry.Kernel = KernelReader(Entry, Values).read(E);
}
