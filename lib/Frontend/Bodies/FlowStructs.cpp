//===- FlowStructs.cpp - pointers that are kept in structs --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A variable of a plain struct holds a tuple: one value for each member that is a tensor or a
// pointer, those of bases and of structs within it included. Who takes such a struct has a
// parameter more for each of these members, behind the written ones, so that a kernel that writes
// to `p.out` does not write to `p.in`.
//
//===----------------------------------------------------------------------===//
#include "Bodies/FlowInternal.h"

#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace clang;

/// A struct as C has it: all of it can be seen, and a copy is the same.
static bool isPlainStruct(const CXXRecordDecl &Record) {
  return !Record.isUnion() && !Record.isLambda() && !Record.isPolymorphic() &&
         !Record.hasUserDeclaredCopyConstructor() && !Record.hasUserDeclaredCopyAssignment() &&
         llvm::all_of(Record.fields(), [](const FieldDecl *F) {
           return F->getAccess() != AS_private && F->getAccess() != AS_protected;
         });
}

/// Adds the members of \p Record to \p Out, each behind \p Way. False where it is no plain struct.
bool FlowTypes::addMembers(const CXXRecordDecl &Record, const MemberPath &Way,
                           std::vector<MemberPath> &Out) {
  constexpr size_t Deepest = 4, Most = 64;
  if (!Record.hasDefinition() || Way.size() > Deepest)
    return false;
  const CXXRecordDecl &Definition = *Record.getDefinition();
  if (!isPlainStruct(Definition))
    return false;
  for (const CXXBaseSpecifier &Base : Definition.bases()) {
    const CXXRecordDecl *Of = Base.getType()->getAsCXXRecordDecl();
    if (!Of || !addMembers(*Of, Way, Out))
      return false;
  }
  for (const FieldDecl *Field : Definition.fields()) {
    MemberPath Own = Way;
    Own.push_back(Field);
    if (carries(Field->getType()))
      Out.push_back(Own);
    else if (const CXXRecordDecl *Inner = Field->getType()->getAsCXXRecordDecl())
      (void)addMembers(*Inner, Own, Out);
  }
  return Out.size() <= Most;
}

llvm::ArrayRef<MemberPath> FlowTypes::members(QualType T) {
  if (T.isNull() || T->isDependentType())
    return {};
  T = T.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  const CXXRecordDecl *Record = T->getAsCXXRecordDecl();
  if (!Record || carries(T) || Record->isInStdNamespace())
    return {};
  auto [It, New] = MembersOf.try_emplace(T.getTypePtr());
  if (New) {
    std::vector<MemberPath> Found;
    if (addMembers(*Record, {}, Found))
      It->second = std::move(Found);
  }
  return It->second;
}

std::optional<unsigned> FlowTypes::memberIndex(QualType T, llvm::ArrayRef<const FieldDecl *> Path) {
  llvm::ArrayRef<MemberPath> All = members(T);
  auto Known = llvm::find_if(
      All, [&](const MemberPath &P) { return llvm::ArrayRef<const FieldDecl *>(P) == Path; });
  return Known == All.end() ? std::nullopt : std::optional<unsigned>(Known - All.begin());
}

/// The variable of a struct that \p E is; null for anything else.
const ValueDecl *FlowReader::structVariable(const Expr *E) {
  const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  const ValueDecl *D = Ref ? slot(Ref->getDecl()) : nullptr;
  return D && isa<VarDecl>(D) && !Types.members(D->getType()).empty() ? D : nullptr;
}

/// `p.a.b` of a variable of a struct.
std::optional<FlowReader::StructMember> FlowReader::structMember(const Expr *E) {
  MemberPath Path;
  while (const auto *Member = dyn_cast<MemberExpr>(E->IgnoreParenImpCasts())) {
    const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
    if (!Field || Member->isArrow())
      return std::nullopt;
    Path.insert(Path.begin(), Field);
    E = Member->getBase();
  }
  const ValueDecl *Var = Path.empty() ? nullptr : structVariable(E);
  std::optional<unsigned> Index = Var ? Types.memberIndex(Var->getType(), Path) : std::nullopt;
  return Index ? std::optional(StructMember{Var, *Index}) : std::nullopt;
}

/// What member number \p Index of the struct \p Whole holds.
FlowIndex FlowReader::memberOf(FlowIndex Whole, unsigned Index) {
  const FlowValue &Value = Out.Values[Whole];
  if (Value.Is == FlowValue::Tuple && Index < Value.From.size())
    return Value.From[Index];
  return part(Whole, Index);
}

bool FlowReader::assignStruct(const Expr *Target, FlowIndex Value) {
  if (const ValueDecl *Whole = structVariable(Target)) {
    if (Whole->getType()->isReferenceType())
      escape(Value); // the caller's own changes
    hold(Whole, Value);
    return true;
  }
  bool IsElement = false;
  Target = Target->IgnoreParenImpCasts();
  while (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Target)) {
    IsElement = true;
    Target = Subscript->getBase()->IgnoreParenImpCasts();
  }
  std::optional<StructMember> Member = structMember(Target);
  if (!Member || (IsElement && !Target->getType()->isArrayType()))
    return false;
  const auto *Var = cast<VarDecl>(Member->Variable);
  if (!Var->hasLocalStorage() || Var->getType()->isReferenceType())
    escape(Value);
  FlowIndex Before = held(Var);
  std::vector<FlowIndex> Parts;
  for (unsigned I = 0; I < Types.members(Var->getType()).size(); ++I)
    Parts.push_back(memberOf(Before, I));
  FlowIndex &Part = Parts[Member->Index];
  Part = IsElement && Part != NoValue ? oneOf({Part, Value}) : Value;
  hold(Var, tuple(Parts));
  return true;
}

/// Somebody else may change the struct, or keep what is in it.
void FlowReader::loseStruct(const Expr *E) {
  if (const ValueDecl *Var = structVariable(E)) {
    escape(held(Var));
    hold(Var, NoValue);
  }
}

FlowIndex FlowReader::structList(const InitListExpr &E) {
  std::vector<FlowIndex> Inits;
  for (const Expr *Init : E.inits())
    Inits.push_back(expression(Init));
  std::vector<FlowIndex> Parts;
  for (const MemberPath &Path : Types.members(E.getType())) {
    unsigned Index = Path.front()->getFieldIndex();
    Parts.push_back(Index < Inits.size() ? Inits[Index] : NoValue);
  }
  return tuple(Parts);
}

/// Members are initialised one by one, in their order, without bases or structs in between.
bool FlowReader::isFlatList(const InitListExpr &E) {
  const CXXRecordDecl *Record = E.getType()->getAsCXXRecordDecl();
  llvm::ArrayRef<MemberPath> Members = Types.members(E.getType());
  return !Members.empty() && Record->getNumBases() == 0 &&
         llvm::all_of(Members, [](const MemberPath &Path) { return Path.size() == 1; });
}

/// Whether \p E copies a struct as it is.
bool FlowReader::isStructCopy(const CXXConstructExpr &E) {
  return E.getNumArgs() == 1 && E.getConstructor()->isCopyOrMoveConstructor() &&
         !Types.members(E.getType()).empty() &&
         Spans.context().hasSameUnqualifiedType(E.getArg(0)->IgnoreParenImpCasts()->getType(),
                                                E.getType());
}

/// Values of parameters stand in a row.
void FlowReader::holdParameters(const FunctionDecl &F) {
  std::vector<std::pair<const ParmVarDecl *, std::vector<FlowIndex>>> Structs;
  for (const ParmVarDecl *P : F.parameters()) {
    std::vector<FlowIndex> Parts;
    for (unsigned I = 0; I < Types.members(P->getType()).size(); ++I)
      Parts.push_back(add(FlowValue::Parameter, Out.NumParams++, {}));
    if (!Parts.empty())
      Structs.push_back({P, std::move(Parts)});
  }
  for (const auto &[P, Parts] : Structs)
    hold(P, tuple(Parts));
}

void FlowReader::handStruct(const Expr *Argument, FlowIndex Value, const ParmVarDecl &P,
                            uint32_t First, FlowCall &Call) {
  const Expr *Written = Argument->IgnoreParenImpCasts();
  for (const auto &[I, Path] : llvm::enumerate(Types.members(P.getType()))) {
    std::optional<unsigned> Index = Types.memberIndex(Written->getType(), Path);
    FlowIndex Member = Index ? memberOf(Value, *Index) : NoValue;
    if (Member != NoValue)
      Call.Args.push_back({"", uint32_t(First + I), Member, false});
  }
  QualType T = P.getType();
  if (T->isReferenceType() && !T->getPointeeType().isConstQualified())
    loseStruct(Argument);
}
