//===- CustomClasses.cpp - class_<T> and what its members are -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `torch::class_<T>("ns", "Name").def("add", &T::add)`, with `m.class_<T>("Name")` in a block
//   => RegisteredClass { namespace, name, T, ClassMember* }
//
// A chain of calls begins with what makes the class_, which may be held by a variable.
//
//===----------------------------------------------------------------------===//
#include "Registrations/Conditions.h"
#include "Registrations/ConstantValues.h"
#include "Registrations/RegistrationInternal.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace opsig;
using namespace clang;

namespace {

/// `class_<T>`; null for other types.
const ClassTemplateSpecializationDecl *classHolder(QualType T) {
  if (T.isNull())
    return nullptr;
  const auto *Special = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      T.getNonReferenceType()->getAsCXXRecordDecl());
  return Special && Special->getIdentifier() && Special->getName() == "class_" &&
                 scopeName(*Special) == "torch::class_"
             ? Special
             : nullptr;
}

bool holdsClass(const Expr &E) { return classHolder(E.getType()) != nullptr; }

/// The parameters of the constructor that `torch::init<int64_t, double>()` stands for, with the
/// places of the types.
RegisteredKernel constructorKernel(const ClassTemplateSpecializationDecl &Types, const Expr &Init,
                                   UnitSpans &Spans) {
  RegisteredKernel K;
  K.Is = RegisteredKernel::Function;
  K.Use = K.Decl.NameAt = Spans.use(Init.getSourceRange());
  K.Decl.ReturnCanonical = CppType::named("void");
  std::vector<QualType> Params;
  for (const TemplateArgument &Argument : Types.getTemplateArgs().asArray()) {
    if (Argument.getKind() == TemplateArgument::Type)
      Params.push_back(Argument.getAsType());
    else if (Argument.getKind() == TemplateArgument::Pack)
      for (const TemplateArgument &Element : Argument.pack_elements())
        if (Element.getKind() == TemplateArgument::Type)
          Params.push_back(Element.getAsType());
  }
  // The first one is void.
  llvm::ArrayRef<QualType> Arguments = llvm::ArrayRef(Params).drop_front(Params.empty() ? 0 : 1);
  llvm::ArrayRef<TemplateArgumentLoc> Written;
  const auto *Call = dyn_cast<CallExpr>(underlying(&Init));
  const auto *Ref =
      Call ? dyn_cast<DeclRefExpr>(Call->getCallee()->IgnoreParenImpCasts()) : nullptr;
  if (Ref && Ref->getNumTemplateArgs() == Arguments.size())
    Written = Ref->template_arguments();
  for (auto [I, T] : llvm::enumerate(Arguments)) {
    KernelParam &P = K.Decl.Params.emplace_back();
    P.TypeText = T.getAsString(Spans.context().getPrintingPolicy());
    P.Canonical = readType(T, Spans.context());
    P.Whole = K.Use;
    if (Written.empty() || Written[I].getArgument().getKind() != TemplateArgument::Type)
      continue;
    TypeLoc Loc = Written[I].getTypeSourceInfo()->getTypeLoc();
    placeType(P.Canonical, Loc, Spans);
    if (Span At = Spans.fixed(Loc.getSourceRange()); At.isValid()) {
      P.Whole = P.Type = At;
      P.TypeText = inOneLine(Spans.text(At));
    }
  }
  return K;
}

class ClassReader : public ConditionVisitor<ClassReader> {
public:
  ClassReader(StringRef Namespace, ConstantValues &Values)
      : Namespace(Namespace), Values(Values), Spans(Values.spans()) {}

  bool shouldVisitImplicitCode() const { return false; }

  bool VisitCXXMemberCallExpr(CXXMemberCallExpr *Call) {
    const CXXMethodDecl *Method = Call->getMethodDecl();
    if (!Method || !Method->getDeclName().isIdentifier())
      return true;
    if (const Expr *Object = Call->getImplicitObjectArgument(); Object && holdsClass(*Object)) {
      if (RegisteredClass *C = classOf(Object))
        readMember(Method->getName(), {Call->getArgs(), Call->getNumArgs()}, *C);
    } else if (holdsClass(*Call)) {
      classOf(Call);
    }
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *Construct) {
    if (holdsClass(*Construct))
      classOf(Construct);
    return true;
  }

  void take(std::vector<RegisteredClass> &Out) {
    std::vector<std::pair<SourceLocation, RegisteredClass>> Classes;
    for (auto &[Maker, C] : Found)
      Classes.push_back({Maker->getBeginLoc(), std::move(C)});
    const SourceManager &SM = Spans.context().getSourceManager();
    llvm::stable_sort(Classes, [&](const auto &L, const auto &R) {
      return SM.isBeforeInTranslationUnit(L.first, R.first);
    });
    for (auto &[At, C] : Classes) {
      // Chained calls were visited last to first.
      std::reverse(C.Members.begin(), C.Members.end());
      Out.push_back(std::move(C));
    }
  }

private:
  const Expr *makerOf(const Expr *E) const;
  RegisteredClass *classOf(const Expr *E);
  std::string text(const Expr *E) {
    std::optional<LiteralText> Text = readText(E, Values);
    return Text ? Text->Value : "";
  }
  void readMember(StringRef Called, llvm::ArrayRef<const Expr *> Args, RegisteredClass &C);
  RegisteredKernel function(const Expr *E) {
    RegistrationEntry Entry;
    readKernel(E, Entry, Values);
    return std::move(Entry.Kernel);
  }
  void readField(const Expr *E, ClassMember &Member);

  StringRef Namespace;
  ConstantValues &Values;
  UnitSpans &Spans;
  llvm::MapVector<const Expr *, RegisteredClass> Found;
};

/// The expression that made the class_ that \p E is; null where that is not in sight.
const Expr *ClassReader::makerOf(const Expr *E) const {
  for (unsigned Steps = 0; E && Steps < 10000; ++Steps) {
    E = underlying(E);
    const Expr *Next = nullptr;
    if (const auto *Call = dyn_cast<CXXMemberCallExpr>(E)) {
      const Expr *Object = Call->getImplicitObjectArgument();
      if (!Object || !holdsClass(*Object))
        return Call; // m.class_<T>("Name")
      Next = Object;
    } else if (const auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
      if (Construct->getNumArgs() == 0 || !holdsClass(*Construct->getArg(0)))
        return Construct;
      Next = Construct->getArg(0);
    } else if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
      const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
      Next = Var ? Var->getInit() : nullptr;
    }
    E = Next;
  }
  return nullptr;
}

RegisteredClass *ClassReader::classOf(const Expr *E) {
  const Expr *Maker = makerOf(E);
  const ClassTemplateSpecializationDecl *Holder = Maker ? classHolder(Maker->getType()) : nullptr;
  if (!Holder || Holder->getTemplateArgs().size() == 0)
    return nullptr;
  auto [It, New] = Found.try_emplace(Maker);
  RegisteredClass &C = It->second;
  if (!New)
    return &C;
  if (const TemplateArgument &T = Holder->getTemplateArgs()[0];
      T.getKind() == TemplateArgument::Type)
    C.Type = readType(T.getAsType(), Spans.context());
  C.At = Spans.use(Maker->getSourceRange());
  C.Conditional = Conditions != 0;
  llvm::ArrayRef<const Expr *> Args;
  if (const auto *Call = dyn_cast<CXXMemberCallExpr>(Maker)) {
    C.Namespace = Namespace.str();
    Args = llvm::ArrayRef(Call->getArgs(), Call->getNumArgs());
  } else if (const auto *Construct = dyn_cast<CXXConstructExpr>(Maker)) {
    Args = llvm::ArrayRef(Construct->getArgs(), Construct->getNumArgs());
    if (!Args.empty()) {
      C.Namespace = text(Args.front());
      Args = Args.drop_front();
    }
  }
  if (!Args.empty())
    C.Name = text(Args.front());
  return &C;
}

/// `&T::n` of def_readwrite and def_readonly: a getter that returns the member's type.
void ClassReader::readField(const Expr *E, ClassMember &Member) {
  const auto *Pointer = E->getType().getCanonicalType()->getAs<MemberPointerType>();
  if (!Pointer)
    return;
  RegisteredKernel &K = Member.Kernel;
  K.Is = RegisteredKernel::Function;
  K.Use = K.Decl.NameAt = Spans.use(E->getSourceRange());
  K.Decl.ReturnText = Pointer->getPointeeType().getAsString(Spans.context().getPrintingPolicy());
  K.Decl.ReturnCanonical = readType(Pointer->getPointeeType(), Spans.context());
}

void ClassReader::readMember(StringRef Called, llvm::ArrayRef<const Expr *> Args,
                             RegisteredClass &C) {
  if (Args.empty())
    return;
  ClassMember Member;
  Member.Is = llvm::StringSwitch<ClassMember::Kind>(Called)
                  .Case("def_static", ClassMember::Static)
                  .Cases({"def_property", "def_readwrite", "def_readonly"}, ClassMember::Getter)
                  .Default(ClassMember::Method);
  const auto *First = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      Args.front()->getType().getNonReferenceType()->getAsCXXRecordDecl());
  std::string Argument = First ? scopeName(*First) : "";
  if (Called == "def" && Argument == "torch::detail::types") {
    Member.Is = ClassMember::Init;
    Member.Kernel = constructorKernel(*First, *Args.front(), Spans);
  } else if (Called == "def" && Argument == "torch::detail::InitLambda") {
    Member.Is = ClassMember::Init;
    const TemplateArgument &Function = First->getTemplateArgs()[0];
    const CXXRecordDecl *Functor = Function.getKind() == TemplateArgument::Type
                                       ? Function.getAsType()->getAsCXXRecordDecl()
                                       : nullptr;
    if (Functor)
      Member.Kernel = functorKernel(Functor, Spans.use(Args.front()->getSourceRange()), Spans);
  } else if (StringRef(Called).starts_with("def") && Called != "def_pickle" && Args.size() > 1) {
    Member.Name = text(Args.front());
    if (Called == "def_readwrite" || Called == "def_readonly")
      readField(Args[1], Member);
    else
      Member.Kernel = function(Args[1]);
  } else {
    return;
  }
  C.Members.push_back(std::move(Member));
}

/// Derives from torch::CustomClassHolder, as far as that can be seen.
bool isCustomClass(const CXXRecordDecl &Class) {
  return Class.hasDefinition() && !Class.forallBases([](const CXXRecordDecl *Base) {
    return scopeName(*Base) != "torch::CustomClassHolder";
  });
}

/// Adds those among \p T and the arguments of its template.
void addCustomClasses(QualType T, UnitSpans &Spans, std::vector<std::string> &Out,
                      unsigned Depth = 0) {
  if (T.isNull() || T->isDependentType() || Depth > 8)
    return;
  T = T.getNonReferenceType();
  const CXXRecordDecl *Class = (T->isPointerType() ? T->getPointeeType() : T)->getAsCXXRecordDecl();
  if (!Class)
    return;
  if (!Spans.isForeign(*Class)) {
    if (isCustomClass(*Class))
      Out.push_back(readType(T.getUnqualifiedType(), Spans.context()).str());
    return;
  }
  if (const auto *Special = dyn_cast<ClassTemplateSpecializationDecl>(Class))
    for (const TemplateArgument &Argument : Special->getTemplateArgs().asArray())
      if (Argument.getKind() == TemplateArgument::Type)
        addCustomClasses(Argument.getAsType(), Spans, Out, Depth + 1);
}

/// How often the text has `class_<`, in comments, too.
size_t countOfClassTemplates(StringRef Text) {
  size_t Count = 0;
  for (size_t At = Text.find("class_"); At != StringRef::npos; At = Text.find("class_", At + 6))
    Count += Text.substr(At + 6).ltrim().starts_with("<");
  return Count;
}

} // namespace

void opsig::readClasses(const Stmt &Code, StringRef Namespace, ConstantValues &Values,
                        std::vector<RegisteredClass> &Out) {
  ClassReader Reader(Namespace, Values);
  Reader.TraverseStmt(const_cast<Stmt *>(&Code));
  Reader.take(Out);
}

void opsig::recordCustomClasses(const FunctionDecl &F, UnitSpans &Spans) {
  std::vector<std::string> Own;
  addCustomClasses(F.getReturnType(), Spans, Own);
  for (const ParmVarDecl *P : F.parameters())
    addCustomClasses(P->getType(), Spans, Own);
  for (std::string &Name : Own)
    Spans.useClass(std::move(Name));
}

size_t opsig::countClassTemplates(ASTContext &Context, ProjectPlaces &Project) {
  const SourceManager &SM = Context.getSourceManager();
  size_t Count = 0;
  for (FileID Id : Project.files())
    Count += countOfClassTemplates(SM.getBufferOrFake(Id).getBuffer());
  return Count;
}
