//===- ConstantValues.cpp - what names stand for in registrations ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Decls/StatementsAround.h"
#include "Registrations/ConstantValues.h"
#include "Registrations/RegistrationInternal.h"

#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace clang;

namespace {

/// Initialisers may name each other, in broken code in a circle.
constexpr unsigned MostSteps = 64;
/// A table with more rows is one of something else.
constexpr size_t MostRows = 2000;

//===- Who changes a variable? -----------------------------------------------===//

/// Functions of PyTorch and of the standard library that are handed what is registered take it by
/// `T &&`, and leave it alone; and so do members that are const what they are called of.
bool leavesAlone(const CallExpr &Call, bool IsObject) {
  const FunctionDecl *F = Call.getDirectCallee();
  if (!F)
    return false;
  if (const auto *Method = dyn_cast<CXXMethodDecl>(F))
    return libraryClass(Method->getFunctionObjectParameterType()) != LibraryClass::None ||
           (IsObject && Method->isConst());
  std::string Name = scopeName(*F);
  return llvm::is_contained({"torch::dispatch", "torch::schema", "std::move", "std::forward",
                             "std::get", "c10::str", "torch::CppFunction::makeFromUnboxedFunction"},
                            Name);
}

/// Collects the variables of a function that it may change: all whose use is none of the few that
/// only read.
class TouchFinder : public StatementsAroundVisitor<TouchFinder> {
public:
  explicit TouchFinder(llvm::SmallPtrSetImpl<const VarDecl *> &Touched) : Touched(Touched) {}

  bool VisitDeclRefExpr(DeclRefExpr *Ref) {
    const ValueDecl *Named = Ref->getDecl();
    if (const auto *Binding = dyn_cast<BindingDecl>(Named))
      Named = Binding->getDecomposedDecl();
    if (const auto *Var = dyn_cast<VarDecl>(Named); Var && !onlyRead())
      Touched.insert(Var->getCanonicalDecl());
    return true;
  }

private:
  /// Of the name that the last statement in Around is.
  bool onlyRead() const;

  llvm::SmallPtrSetImpl<const VarDecl *> &Touched;
};

bool TouchFinder::onlyRead() const {
  for (size_t I = Around.size() - 1; I-- > 0;) {
    const Stmt *Outer = Around[I];
    if (const auto *Cast = dyn_cast<ImplicitCastExpr>(Outer)) {
      QualType To = Cast->getType();
      if (Cast->getCastKind() == CK_LValueToRValue ||
          (Cast->getCastKind() == CK_NoOp && To.isConstQualified()) ||
          (Cast->getCastKind() == CK_ArrayToPointerDecay &&
           To->getPointeeType().isConstQualified()))
        return true;
      continue;
    }
    if (isa<MemberExpr, ParenExpr, ArraySubscriptExpr, MaterializeTemporaryExpr, ExplicitCastExpr>(
            Outer))
      continue;
    if (const auto *Loop = dyn_cast<CXXForRangeStmt>(Outer)) {
      // The rows are changed through its variable, if at all.
      QualType T = Loop->getLoopVariable()->getType();
      return !T->isReferenceType() || T.getNonReferenceType().isConstQualified();
    }
    if (const auto *Construct = dyn_cast<CXXConstructExpr>(Outer))
      return scopeName(*Construct->getConstructor()->getParent()) == "torch::CppFunction";
    if (const auto *Call = dyn_cast<CallExpr>(Outer))
      return leavesAlone(*Call, isa<MemberExpr>(Around[I + 1]));
    return false;
  }
  return false;
}

//===- Parts of values -------------------------------------------------------===//

const CXXRecordDecl *recordOf(const Expr &E) {
  return E.getType().getNonReferenceType()->getAsCXXRecordDecl();
}

bool isStd(const CXXRecordDecl *Class, llvm::ArrayRef<StringRef> Names) {
  return Class && Class->isInStdNamespace() && Class->getIdentifier() &&
         llvm::is_contained(Names, Class->getName());
}

/// The list that an aggregate, an initializer_list or a container is made of.
const InitListExpr *listOf(const Expr *E) {
  E = underlying(E);
  if (const auto *List = dyn_cast<CXXStdInitializerListExpr>(E))
    return listOf(List->getSubExpr());
  if (const auto *List = dyn_cast<InitListExpr>(E)) {
    if (!List->isSemanticForm() && List->getSemanticForm())
      List = List->getSemanticForm();
    // `std::array` holds an array.
    if (isStd(recordOf(*List), {"array"}) && List->getNumInits() == 1)
      return listOf(List->getInit(0));
    return List;
  }
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E);
      Construct && Construct->getNumArgs() > 0 &&
      isStd(Construct->getConstructor()->getParent(),
            {"vector", "map", "unordered_map", "multimap", "list", "set", "deque",
             "initializer_list"})) {
    const auto *List = dyn_cast<CXXStdInitializerListExpr>(underlying(Construct->getArg(0)));
    return List ? listOf(List) : nullptr;
  }
  return nullptr;
}

/// `first` of a pair, or element number \p Index of a tuple.
const Expr *elementOf(const Expr *E, unsigned Index) {
  E = underlying(E);
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E);
      Construct && isStd(Construct->getConstructor()->getParent(), {"pair", "tuple"})) {
    const auto *Class =
        dyn_cast<ClassTemplateSpecializationDecl>(Construct->getConstructor()->getParent());
    // What is no more than the elements, one by one.
    unsigned Size = Class && isStd(Class, {"pair"}) ? 2 : 0;
    if (Class && Size == 0 && Class->getTemplateArgs().size() == 1 &&
        Class->getTemplateArgs()[0].getKind() == TemplateArgument::Pack)
      Size = Class->getTemplateArgs()[0].pack_size();
    return Construct->getNumArgs() == Size && Size > 1 && Index < Size ? Construct->getArg(Index)
                                                                       : nullptr;
  }
  if (const auto *Call = dyn_cast<CallExpr>(E); Call && Call->getDirectCallee()) {
    std::string Name = scopeName(*Call->getDirectCallee());
    if ((Name == "std::make_pair" || Name == "std::make_tuple") && Index < Call->getNumArgs())
      return Call->getArg(Index);
    return nullptr;
  }
  const InitListExpr *List = listOf(E);
  return List && Index < List->getNumInits() ? List->getInit(Index) : nullptr;
}

/// The initialiser of a member of an aggregate.
const Expr *memberOf(const Expr *E, const FieldDecl &Field) {
  E = underlying(E);
  const auto *Class = dyn_cast<CXXRecordDecl>(Field.getParent());
  if (isStd(Class, {"pair"}))
    return elementOf(E, Field.getName() == "first" ? 0 : 1);
  const InitListExpr *List = listOf(E);
  if (!List || !Class || Class->isUnion() || recordOf(*List) != Class)
    return nullptr;
  unsigned Index = Class->getNumBases() + Field.getFieldIndex();
  const Expr *Init = Index < List->getNumInits() ? List->getInit(Index) : nullptr;
  if (const auto *Default = dyn_cast_or_null<CXXDefaultInitExpr>(Init))
    return Default->getExpr();
  return Init;
}

} // namespace

//===- ConstantValues --------------------------------------------------------===//

ConstantValues::ConstantValues(UnitSpans &Spans) : Spans(Spans) {}
ConstantValues::~ConstantValues() = default;

bool ConstantValues::isUntouched(const VarDecl &Var) {
  const auto *Function = dyn_cast_or_null<FunctionDecl>(Var.getParentFunctionOrMethod());
  // A lambda may change what is local to the function around it.
  while (const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Function)) {
    const auto *Outer =
        Method->getParent()->isLambda()
            ? dyn_cast_or_null<FunctionDecl>(Method->getParent()->getParentFunctionOrMethod())
            : nullptr;
    if (!Outer)
      break;
    Function = Outer;
  }
  const FunctionDecl *Definition = nullptr;
  const Stmt *Body = Function ? Function->getBody(Definition) : nullptr;
  if (!Body)
    return false;
  auto [It, New] = Touched.try_emplace(Definition);
  if (New)
    TouchFinder(It->second).TraverseStmt(const_cast<Stmt *>(Body));
  return !It->second.contains(Var.getCanonicalDecl());
}

/// How often the main file has a variable's name; a variable of another file has others, too.
unsigned ConstantValues::mentions(const VarDecl &Var) {
  const SourceManager &SM = Spans.context().getSourceManager();
  if (!Var.getDeclName().isIdentifier() || !SM.isInMainFile(SM.getExpansionLoc(Var.getLocation())))
    return ~0u;
  if (!Words)
    Words = std::make_unique<FileWords>(Spans.context());
  auto Count = Words->Counts.find(Var.getName());
  // A macro pastes it, where there is none.
  return Count == Words->Counts.end() ? ~0u : Count->second;
}

bool ConstantValues::isShared(llvm::ArrayRef<const VarDecl *> Through) {
  return llvm::any_of(Through, [&](const VarDecl *Var) {
    return Var->isExternallyVisible() || mentions(*Var) > 2;
  });
}

bool ConstantValues::isConstant(const VarDecl &Var) {
  if (isa<ParmVarDecl>(Var) || Var.isInvalidDecl())
    return false;
  QualType T = Var.getType();
  if (T->isReferenceType() && T.getNonReferenceType()->isFunctionType())
    return true;
  QualType Of = Spans.context().getBaseElementType(T.getNonReferenceType());
  if (Of.isConstQualified() && !Of.isVolatileQualified())
    return true;
  if (Var.isLocalVarDecl())
    return isUntouched(Var);
  // Bodies of other functions are not read: it is declared, and mentioned where it is registered.
  return Var.hasGlobalStorage() && !Var.isExternallyVisible() && mentions(Var) == 2;
}

/// One way from a name to its value.
struct ConstantValues::Follower {
  ConstantValues &Values;
  ConstantValue &Out;
  unsigned Steps = 0;

  const Expr *follow(const Expr *E);

private:
  /// Null where nothing is known of what stands behind \p E.
  const Expr *step(const Expr *E);
  const Expr *ofVariable(const VarDecl &Var);
  const Expr *ofBinding(const BindingDecl &Binding);
  const Expr *ofCall(const CallExpr &Call);
  const Expr *ofSubscript(const ArraySubscriptExpr &Part);
};

const Expr *ConstantValues::Follower::ofVariable(const VarDecl &Var) {
  if (auto Row = Values.Rows.find(Var.getCanonicalDecl()); Row != Values.Rows.end()) {
    // Of a copy, or by a reference, a row may be changed in the loop.
    if (!Var.getType().getNonReferenceType().isConstQualified() && !Values.isUntouched(Var))
      return nullptr;
    Out.InRow = true;
    Out.Through.append(Row->second.Through.begin(), Row->second.Through.end());
    return Row->second.E;
  }
  const VarDecl *Holder = nullptr;
  const Expr *Init = Var.getAnyInitializer(Holder);
  if (!Init || Holder->getType()->isDependentType() || !Values.isConstant(Var))
    return nullptr;
  Out.Through.push_back(Holder);
  return Init;
}

const Expr *ConstantValues::Follower::ofBinding(const BindingDecl &Binding) {
  const VarDecl *Holding = Binding.getHoldingVar();
  if (!Holding)
    return Binding.getBinding();
  // Clang takes this call, which nobody wrote, for what it is made of.
  const auto *Call = dyn_cast_or_null<CallExpr>(
      Holding->getInit() ? Holding->getInit()->IgnoreImpCasts() : nullptr);
  return Call ? ofCall(*Call) : nullptr;
}

const Expr *ConstantValues::Follower::ofCall(const CallExpr &Call) {
  const FunctionDecl *F = Call.getDirectCallee();
  const TemplateArgumentList *Template = F ? F->getTemplateSpecializationArgs() : nullptr;
  // get<0>(row): that is how structured bindings are made, too.
  if (!Template || !F->getDeclName().isIdentifier() || F->getName() != "get" ||
      !F->isInStdNamespace() || Call.getNumArgs() != 1 || Template->size() == 0 ||
      (*Template)[0].getKind() != TemplateArgument::Integral)
    return nullptr;
  const Expr *Whole = follow(Call.getArg(0));
  return elementOf(Whole, (*Template)[0].getAsIntegral().getLimitedValue());
}

const Expr *ConstantValues::Follower::ofSubscript(const ArraySubscriptExpr &Part) {
  const Expr *Index = Part.getIdx();
  Expr::EvalResult Number;
  if (Index->isValueDependent() || Index->containsErrors() ||
      !Index->EvaluateAsInt(Number, Values.Spans.context()))
    return nullptr;
  const InitListExpr *List = listOf(follow(Part.getBase()));
  uint64_t At = Number.Val.getInt().getLimitedValue();
  return List && At < List->getNumInits() ? List->getInit(At) : nullptr;
}

const Expr *ConstantValues::Follower::step(const Expr *E) {
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl()))
      return ofVariable(*Var);
    if (const auto *Binding = dyn_cast<BindingDecl>(Ref->getDecl()))
      return ofBinding(*Binding);
    return nullptr;
  }
  if (const auto *Member = dyn_cast<MemberExpr>(E)) {
    if (const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl()))
      return memberOf(follow(Member->getBase()), *Field);
    if (const auto *Var = dyn_cast<VarDecl>(Member->getMemberDecl()))
      return ofVariable(*Var);
    return nullptr;
  }
  if (const auto *Part = dyn_cast<ArraySubscriptExpr>(E))
    return ofSubscript(*Part);
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return ofCall(*Call);
  return nullptr;
}

const Expr *ConstantValues::Follower::follow(const Expr *E) {
  E = underlying(E);
  while (++Steps < MostSteps) {
    const Expr *End = step(E);
    if (!End)
      break;
    E = underlying(End);
  }
  return E;
}

ConstantValue ConstantValues::valueOf(const Expr *E) {
  ConstantValue Out;
  Out.E = Follower{*this, Out}.follow(E);
  return Out;
}

/// A std::map or a std::set, which keeps the first of those that have one key.
static const CXXRecordDecl *keyedClass(const Expr &E) {
  const CXXRecordDecl *Class = recordOf(E);
  return isStd(Class, {"map", "unordered_map", "set", "unordered_set"}) ? Class : nullptr;
}

/// False where some key is no constant text.
bool ConstantValues::dropRepeated(std::vector<ConstantValue> &Rows, bool IsMap) {
  llvm::StringSet<> Seen;
  std::vector<ConstantValue> Kept;
  for (ConstantValue &Row : Rows) {
    const Expr *Key = IsMap ? elementOf(Row.E, 0) : Row.E;
    std::optional<LiteralText> Text = Key ? readText(Key, *this) : std::nullopt;
    if (!Text)
      return false;
    if (Seen.insert(Text->Value).second)
      Kept.push_back(std::move(Row));
  }
  Rows = std::move(Kept);
  return true;
}

std::optional<std::vector<ConstantValue>> ConstantValues::rowsOf(const Expr *Range) {
  ConstantValue Table = valueOf(Range);
  const InitListExpr *List = listOf(Table.E);
  if (!List || List->getNumInits() > MostRows || List->containsErrors() || List->hasArrayFiller())
    return std::nullopt;
  std::vector<ConstantValue> Rows;
  for (unsigned I = 0; I < List->getNumInits(); ++I)
    Rows.push_back({List->getInit(I), Table.Through, true});
  const CXXRecordDecl *Keyed = keyedClass(*Range);
  if (Keyed && !dropRepeated(Rows, Keyed->getName().ends_with("map")))
    return std::nullopt;
  return Rows;
}

void ConstantValues::bind(const VarDecl &Var, ConstantValue Row) {
  Rows[Var.getCanonicalDecl()] = std::move(Row);
}

void ConstantValues::release(const VarDecl &Var) { Rows.erase(Var.getCanonicalDecl()); }

//===- Conditions ------------------------------------------------------------===//

namespace {

class RowFinder : public RecursiveASTVisitor<RowFinder> {
public:
  explicit RowFinder(const llvm::DenseMap<const VarDecl *, ConstantValue> &Rows) : Rows(Rows) {}

  bool VisitDeclRefExpr(DeclRefExpr *Ref) {
    const ValueDecl *Named = Ref->getDecl();
    if (const auto *Binding = dyn_cast<BindingDecl>(Named))
      Named = Binding->getDecomposedDecl();
    const auto *Var = dyn_cast_or_null<VarDecl>(Named);
    Found |= Var && Rows.contains(Var->getCanonicalDecl());
    return !Found;
  }

  bool Found = false;

private:
  const llvm::DenseMap<const VarDecl *, ConstantValue> &Rows;
};

bool isFunction(const Expr &E) {
  const Expr *Named = &E;
  if (const auto *Address = dyn_cast<UnaryOperator>(Named);
      Address && Address->getOpcode() == UO_AddrOf)
    Named = Address->getSubExpr()->IgnoreParenImpCasts();
  const auto *Ref = dyn_cast<DeclRefExpr>(Named);
  return Ref && isa<FunctionDecl>(Ref->getDecl());
}

} // namespace

bool ConstantValues::isAboutRow(const Expr &Code) const {
  RowFinder Finder(Rows);
  Finder.TraverseStmt(const_cast<Expr *>(&Code));
  return Finder.Found;
}

std::optional<bool> ConstantValues::truthOf(const Expr *Condition) {
  const Expr *E = underlying(Condition);
  if (E->isValueDependent() || E->containsErrors())
    return std::nullopt;
  if (const auto *Not = dyn_cast<UnaryOperator>(E); Not && Not->getOpcode() == UO_LNot) {
    std::optional<bool> Inner = truthOf(Not->getSubExpr());
    return Inner ? std::optional(!*Inner) : std::nullopt;
  }
  const auto *Both = dyn_cast<BinaryOperator>(E);
  if (Both && Both->isLogicalOp()) {
    bool Decides = Both->getOpcode() == BO_LOr;
    std::optional<bool> Left = truthOf(Both->getLHS()), Right = truthOf(Both->getRHS());
    if (Left == Decides || Right == Decides)
      return Decides;
    return Left && Right ? std::optional(!Decides) : std::nullopt;
  }
  auto IsNull = [&](const Expr *Side) {
    return Side->isNullPointerConstant(Spans.context(), Expr::NPC_NeverValueDependent) !=
           Expr::NPCK_NotNull;
  };
  if (Both && Both->isEqualityOp()) { // f != nullptr
    const Expr *Other = IsNull(Both->getRHS())   ? Both->getLHS()
                        : IsNull(Both->getLHS()) ? Both->getRHS()
                                                 : nullptr;
    if (!Other || !Other->getType()->isAnyPointerType())
      return std::nullopt;
    std::optional<bool> IsSet = truthOf(Other);
    return IsSet ? std::optional(*IsSet == (Both->getOpcode() == BO_NE)) : std::nullopt;
  }
  const Expr *Value = valueOf(E).E;
  if (Value->isValueDependent() || Value->containsErrors())
    return std::nullopt;
  if (isFunction(*Value) || isa<StringLiteral>(Value))
    return true;
  if (isa<ImplicitValueInitExpr>(Value))
    return false;
  bool Is = false;
  if (Value->getType()->isPointerType() || Value->getType()->isNullPtrType())
    return IsNull(Value) ? std::optional(false) : std::nullopt;
  return Value->EvaluateAsBooleanCondition(Is, Spans.context()) ? std::optional(Is) : std::nullopt;
}
