//===- Gradients.cpp - how many values backward functions return --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// class derived from torch::autograd::Function => arguments of forward()
//   x `return`s of backward() that are reached
//   => how many values each has, where it or the function that it calls shows it
//
//===----------------------------------------------------------------------===//
#include "Bodies/FlowInternal.h"

#include "opsig/Frontend/DispatcherCall.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace opsig;
using namespace clang;

namespace {

/// One list of tensors while it is made: which of its values are certainly tensors.
using KnownList = std::vector<bool>;
/// No list of gradients is longer.
constexpr uint64_t MostValues = 1000;
/// backward() calls a function for each type, and that another one at most.
constexpr unsigned MostCalls = 4;

bool isTensorVector(QualType T) {
  const auto *Class = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      T.getNonReferenceType()->getAsCXXRecordDecl());
  return Class && Class->isInStdNamespace() && Class->getName() == "vector" &&
         isTensorClass(Class->getTemplateArgs()[0].getAsType());
}

/// An operator made it: no default constructor, no element of a list, which may be undefined.
bool isDefined(const Expr &E) {
  const auto *Call = dyn_cast<CallExpr>(underlying(&E));
  const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
  if (!F || !isTensorClass(Call->getType()))
    return false;
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call))
    return llvm::is_contained({OO_Plus, OO_Minus, OO_Star, OO_Slash}, Operator->getOperator());
  if (const auto *Method = dyn_cast<CXXMethodDecl>(F); Method && Method->isInstance())
    return isTensorClass(F->getASTContext().getCanonicalTagType(Method->getParent())) &&
           F->getDeclName().isIdentifier() && !F->getName().contains("grad");
  return StringRef(scopeName(*F)).starts_with("at::");
}

/// The values in braces that a list is made of.
const InitListExpr *bracesOf(const Expr *E) {
  E = underlying(E);
  if (const auto *Braces = dyn_cast<CXXStdInitializerListExpr>(E))
    E = underlying(Braces->getSubExpr());
  return dyn_cast<InitListExpr>(E);
}

/// Nothing where the length of the list does not show.
std::optional<KnownList> listOf(const Expr &E, const ASTContext &Context) {
  if (!isTensorVector(E.getType()))
    return std::nullopt;
  const auto *Construct = dyn_cast<CXXConstructExpr>(underlying(&E));
  unsigned Given = 0;
  if (Construct)
    Given = llvm::count_if(Construct->arguments(),
                           [](const Expr *A) { return !isa<CXXDefaultArgExpr>(A); });
  if (Construct && Given == 0)
    return KnownList();
  const Expr *First = Construct ? Construct->getArg(0) : &E;
  if (const InitListExpr *List = bracesOf(First)) {
    KnownList Out;
    for (const Expr *Value : List->inits())
      Out.push_back(isDefined(*Value));
    return Out;
  }
  // A number of values, undefined or copies of one.
  Expr::EvalResult Number;
  if (Construct && First->getType()->isIntegerType() && !First->isValueDependent() &&
      First->EvaluateAsInt(Number, Context) && Number.Val.getInt().isNonNegative() &&
      Number.Val.getInt().ule(MostValues))
    return KnownList(Number.Val.getInt().getZExtValue(), false);
  return std::nullopt;
}

/// What happens to a local list, statement by statement of the body's outermost block. Anything
/// but additions and elements leaves its length unknown.
class ListMaker {
public:
  ListMaker(const VarDecl &Var, const Stmt &Body, const ASTContext &Context)
      : Var(Var), Body(Body), Context(Context) {}

  /// What it holds where \p Return stands.
  std::optional<KnownList> at(const ReturnStmt &Return);

private:
  /// Counts what is done with the list in a part of the body.
  class Mentions : public RecursiveASTVisitor<Mentions> {
  public:
    explicit Mentions(const VarDecl &Var) : Var(Var) {}
    bool shouldVisitLambdaBody() const { return true; }
    bool VisitDeclRefExpr(DeclRefExpr *Ref) {
      All += Ref->getDecl() == &Var;
      return true;
    }
    bool VisitCXXMemberCallExpr(CXXMemberCallExpr *E) {
      const CXXMethodDecl *Method = E->getMethodDecl();
      if (isVar(E->getImplicitObjectArgument()) && Method && Method->getDeclName().isIdentifier())
        Harmless += llvm::is_contained({"reserve", "size", "empty", "at", "front", "back"},
                                       Method->getName());
      return true;
    }
    bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *E) {
      Harmless += E->getOperator() == OO_Subscript && isVar(E->getArg(0));
      return true;
    }
    bool VisitReturnStmt(ReturnStmt *S) {
      Harmless += S->getRetValue() && isVar(S->getRetValue());
      return true;
    }
    bool isVar(const Expr *E) const {
      E = underlying(E);
      if (const auto *Copy = dyn_cast<CXXConstructExpr>(E); Copy && Copy->getNumArgs() == 1)
        E = underlying(Copy->getArg(0));
      const auto *Ref = dyn_cast<DeclRefExpr>(E);
      return Ref && Ref->getDecl() == &Var;
    }
    unsigned All = 0, Harmless = 0;

  private:
    const VarDecl &Var;
  };

  /// The value that `list.push_back(value)` adds.
  const Expr *added(const Stmt &S) const;
  /// `list[2] = value`, with a constant: the element of \p List gets that value.
  void assign(const Stmt &S, KnownList &List) const;

  const VarDecl &Var;
  const Stmt &Body;
  const ASTContext &Context;
};

const Expr *ListMaker::added(const Stmt &S) const {
  const auto *E = dyn_cast<Expr>(&S);
  const auto *Call = E ? dyn_cast<CXXMemberCallExpr>(underlying(E)) : nullptr;
  const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
  bool Adds = Method && Method->getDeclName().isIdentifier() &&
              (Method->getName() == "push_back" || Method->getName() == "emplace_back") &&
              Call->getNumArgs() == 1 && Mentions(Var).isVar(Call->getImplicitObjectArgument());
  return Adds ? Call->getArg(0) : nullptr;
}

void ListMaker::assign(const Stmt &S, KnownList &List) const {
  const auto *E = dyn_cast<Expr>(&S);
  const auto *Assignment = E ? dyn_cast<CXXOperatorCallExpr>(underlying(E)) : nullptr;
  if (!Assignment || Assignment->getOperator() != OO_Equal)
    return;
  const auto *Element = dyn_cast<CXXOperatorCallExpr>(underlying(Assignment->getArg(0)));
  if (!Element || Element->getOperator() != OO_Subscript ||
      !Mentions(Var).isVar(Element->getArg(0)))
    return;
  const Expr *Index = Element->getArg(1);
  Expr::EvalResult Number;
  if (!Index->isValueDependent() && Index->EvaluateAsInt(Number, Context) &&
      Number.Val.getInt().ult(List.size()))
    List[Number.Val.getInt().getZExtValue()] = isDefined(*Assignment->getArg(1));
}

std::optional<KnownList> ListMaker::at(const ReturnStmt &Return) {
  const auto *Block = dyn_cast<CompoundStmt>(&Body);
  if (!Block || !Var.getInit() || !Var.isLocalVarDecl() || Var.isStaticLocal() ||
      Var.getType()->isReferenceType())
    return std::nullopt;
  std::optional<KnownList> List = listOf(*Var.getInit(), Context);
  for (const Stmt *S : Block->body()) {
    if (!List)
      return std::nullopt;
    if (const Expr *Value = added(*S)) {
      List->push_back(isDefined(*Value));
      continue;
    }
    Mentions Of(Var);
    Of.TraverseStmt(const_cast<Stmt *>(S));
    if (Of.All != Of.Harmless)
      return std::nullopt;
    assign(*S, *List);
    if (S == &Return)
      return List;
  }
  return std::nullopt; // it stands in a branch
}

/// What a list has of GradientReturn.
struct ListLength {
  uint32_t Count = 0, LastDefined = 0;
  bool operator==(const ListLength &) const = default;
};

/// A return that is reached, without a length where that does not show.
struct ReachedReturn {
  const Expr *Value = nullptr;
  std::optional<ListLength> Length;
};

class ReturnFinder : public RecursiveASTVisitor<ReturnFinder> {
public:
  bool TraverseLambdaExpr(LambdaExpr *) { return true; }
  bool VisitReturnStmt(ReturnStmt *S) {
    Found.push_back(S);
    return true;
  }
  std::vector<const ReturnStmt *> Found;
};

class GradientCollector : public RecursiveASTVisitor<GradientCollector> {
public:
  GradientCollector(ASTContext &Context, const ParseErrors &Errors, UnitFacts &Unit)
      : Context(Context), Spans(Context, Unit, Errors.InMainFile), Errors(Errors), Unit(Unit) {}

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitCXXRecordDecl(CXXRecordDecl *Class) {
    if (Class->isThisDeclarationADefinition() && Class->getIdentifier() &&
        isAutogradFunction(*Class))
      read(*Class);
    return true;
  }

private:
  void read(const CXXRecordDecl &Class);
  /// The list that a return gives, made where it stands or in a local variable.
  std::optional<KnownList> returned(const ReturnStmt &Return, const Stmt &Body);
  /// Those of a function whose body was read without an error.
  std::vector<ReachedReturn> returnsOf(const FunctionDecl &F, unsigned Depth);
  std::optional<ListLength> lengthOf(const ReturnStmt &Return, const Stmt &Body, unsigned Depth);
  /// That of the function that \p Value calls, where all its returns have the same.
  std::optional<ListLength> calledLength(const Expr &Value, unsigned Depth);
  /// How many values PyTorch counts for the arguments of forward() shows in its parameters.
  bool countArguments(const CXXMethodDecl &Forward, AutogradFunction &Out);
  bool hasError(const FunctionDecl &F);

  ASTContext &Context;
  UnitSpans Spans;
  FlowTypes Types;
  const ParseErrors &Errors;
  UnitFacts &Unit;
  /// calledLength() of functions by their depth, which decides how far their own calls count.
  std::map<std::pair<const FunctionDecl *, unsigned>, std::optional<ListLength>> CalledLengths;
};

bool GradientCollector::hasError(const FunctionDecl &F) {
  Span Whole = Spans.use(F.getSourceRange());
  return !Whole.isValid() || (Whole.File == 0 ? Spans.hasError(Whole) : Errors.InHeaderBody);
}

/// The only member of that name, with a body that was read.
const CXXMethodDecl *onlyMethod(const CXXRecordDecl &Class, StringRef Name) {
  auto Found = Class.lookup(&Class.getASTContext().Idents.get(Name));
  return Found.isSingleResult() ? dyn_cast<CXXMethodDecl>(Found.front()) : nullptr;
}

/// Of a list of tensors PyTorch counts each one, or the list, by what apply() gets.
bool GradientCollector::countArguments(const CXXMethodDecl &Forward, AutogradFunction &Out) {
  if (Forward.isVariadic() || Forward.getNumParams() == 0 ||
      Forward.getParamDecl(0)->getType()->getPointeeType().isNull())
    return false;
  for (const ParmVarDecl *P : llvm::drop_begin(Forward.parameters())) {
    QualType T = P->getType().getNonReferenceType();
    if (P->isParameterPack() || T->isDependentType() || T->containsErrors())
      return false;
    const auto *Special =
        dyn_cast_or_null<ClassTemplateSpecializationDecl>(T->getAsCXXRecordDecl());
    bool IsOptional = Special && Special->getName() == "optional" &&
                      isTensorClass(Special->getTemplateArgs()[0].getAsType());
    if (Types.isTensorLike(T) && !isTensorClass(T) && !IsOptional)
      return false;
  }
  Out.NumArgs = Forward.getNumParams() - 1;
  unsigned Required = Forward.getMinRequiredArguments();
  Out.FewestArgs = Required == 0 ? 0 : Required - 1;
  return true;
}

std::optional<KnownList> GradientCollector::returned(const ReturnStmt &Return, const Stmt &Body) {
  const Expr &Value = *Return.getRetValue();
  if (std::optional<KnownList> List = listOf(Value, Context))
    return List;
  const Expr *Given = underlying(&Value);
  if (const auto *Copy = dyn_cast<CXXConstructExpr>(Given); Copy && Copy->getNumArgs() == 1)
    Given = underlying(Copy->getArg(0));
  if (const auto *Ref = dyn_cast<DeclRefExpr>(Given))
    if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl()))
      return ListMaker(*Var, Body, Context).at(Return);
  return std::nullopt;
}

std::optional<ListLength> GradientCollector::lengthOf(const ReturnStmt &Return, const Stmt &Body,
                                                      unsigned Depth) {
  std::optional<KnownList> List = returned(Return, Body);
  if (!List)
    return calledLength(*Return.getRetValue(), Depth);
  auto Last = std::find(List->rbegin(), List->rend(), true);
  return ListLength{uint32_t(List->size()), uint32_t(List->rend() - Last)};
}

std::vector<ReachedReturn> GradientCollector::returnsOf(const FunctionDecl &F, unsigned Depth) {
  std::vector<ReachedReturn> Out;
  const FunctionDecl *Definition = nullptr;
  const Stmt *Body = F.getBody(Definition);
  if (!Body || Definition->hasSkippedBody() || hasError(*Definition) ||
      !isTensorVector(Definition->getReturnType()))
    return Out;
  ReturnFinder Returns;
  Returns.TraverseStmt(const_cast<Stmt *>(Body));
  BodyPaths Paths(*Definition, *Body);
  for (const ReturnStmt *Return : Returns.Found) {
    const Expr *Value = Return->getRetValue();
    if (!Value || Value->containsErrors() || Value->isTypeDependent())
      Out.push_back({Value, std::nullopt});
    else if (Paths.reach(*Return))
      Out.push_back({Value, lengthOf(*Return, *Body, Depth)});
  }
  return Out;
}

std::optional<ListLength> GradientCollector::calledLength(const Expr &Value, unsigned Depth) {
  const auto *Call = dyn_cast<CallExpr>(underlying(&Value));
  const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(F);
  if (!F || Depth == MostCalls || (Method && Method->isVirtual()))
    return std::nullopt;
  auto [Known, IsNew] = CalledLengths.try_emplace({F->getCanonicalDecl(), Depth});
  if (!IsNew)
    return Known->second;
  std::vector<ReachedReturn> Returns = returnsOf(*F, Depth + 1);
  // Which of its returns is taken may depend on the arguments of the call.
  if (!Returns.empty() && llvm::all_of(Returns, [&Returns](const ReachedReturn &R) {
        return R.Length == Returns[0].Length;
      }))
    Known->second = Returns[0].Length;
  return Known->second;
}

void GradientCollector::read(const CXXRecordDecl &Class) {
  const CXXMethodDecl *Forward = onlyMethod(Class, "forward");
  const CXXMethodDecl *Backward = onlyMethod(Class, "backward");
  AutogradFunction Out;
  if (!Forward || !Backward || !countArguments(*Forward, Out))
    return;
  for (const ReachedReturn &Return : returnsOf(*Backward, 0))
    if (Return.Length)
      Out.Returns.push_back({Return.Length->Count, Return.Length->LastDefined,
                             Spans.use(Return.Value->getSourceRange())});
  if (Out.Returns.empty())
    return;
  Out.Name = scopeName(Class);
  Out.ForwardAt = Spans.use(SourceRange(Forward->getLocation(), Forward->getLocation()));
  Unit.Functions.push_back(std::move(Out));
}

} // namespace

void opsig::collectGradients(llvm::ArrayRef<Decl *> TopLevel, ASTContext &Context,
                             const ParseErrors &Errors, UnitFacts &Unit) {
  GradientCollector Collector(Context, Errors, Unit);
  for (Decl *D : TopLevel)
    Collector.TraverseDecl(D);
}
