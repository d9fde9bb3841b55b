//===- ReadOptions.cpp - what a factory is told by TensorOptions --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ApiUses/UsesInternal.h"

#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace clang;

bool opsig::isTensorOptions(QualType T) {
  if (T.isNull())
    return false;
  const CXXRecordDecl *Class = T.getNonReferenceType()->getAsCXXRecordDecl();
  return Class && Class->getIdentifier() && Class->getName() == "TensorOptions";
}

namespace {

class OptionsReader {
public:
  OptionsReader(SourceLocation Next, SpelledPlaces &Places, ApiOptions &Out)
      : Next(Next), Places(Places), Out(Out) {}

  bool read(const Expr *E);

private:
  bool set(StringRef What, const Expr *Value);
  bool call(const CallExpr &E);
  bool variable(const VarDecl &Var);
  bool construct(const CXXConstructExpr &E);

  SourceLocation Next;
  SpelledPlaces &Places;
  ApiOptions &Out;
  unsigned Depth = 0;
};

/// Of what is said twice the last counts, and that is read first.
bool OptionsReader::set(StringRef What, const Expr *Value) {
  Span At = Places.spanBeside(Next, Value->getSourceRange());
  Span *Into = What == "dtype"           ? &Out.Dtype
               : What == "device"        ? &Out.Device
               : What == "layout"        ? &Out.Layout
               : What == "pinned_memory" ? &Out.PinMemory
               : What == "requires_grad" ? &Out.RequiresGrad
                                         : nullptr;
  if (!Into || !At.isValid())
    return false;
  if (!Into->isValid())
    *Into = At;
  return true;
}

bool OptionsReader::call(const CallExpr &E) {
  const FunctionDecl *F = E.getDirectCallee();
  if (!F || !F->getIdentifier())
    return false;
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&E)) {
    const Expr *Object = Member->getImplicitObjectArgument();
    if (F->getName() == "options" && E.getNumArgs() == 0) {
      Out.Like = Places.spanBeside(Next, Object->getSourceRange());
      return Out.Like.isValid();
    }
    return E.getNumArgs() == 1 && set(F->getName(), E.getArg(0)) && read(Object);
  }
  return E.getNumArgs() == 1 && isTensorOptions(E.getType()) && set(F->getName(), E.getArg(0));
}

/// Whether \p Var gets another value than that of its definition.
bool isAssigned(const Stmt *Body, const VarDecl &Var) {
  if (!Body)
    return false;
  if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(Body); Op && Op->isAssignmentOp()) {
    const auto *Left = dyn_cast<DeclRefExpr>(Op->getArg(0)->IgnoreParenImpCasts());
    if (Left && Left->getDecl() == &Var)
      return true;
  }
  return llvm::any_of(Body->children(), [&](const Stmt *Child) { return isAssigned(Child, Var); });
}

bool OptionsReader::variable(const VarDecl &Var) {
  if (!Var.isLocalVarDecl() || !Var.hasInit() || ++Depth > 4)
    return false;
  const auto *F = dyn_cast<FunctionDecl>(Var.getDeclContext());
  if (!F || isAssigned(F->getBody(), Var))
    return false;
  Out.Variables.push_back(Places.span(Var.getSourceRange()));
  return read(Var.getInit());
}

/// `TensorOptions()`, and what turns into one.
bool OptionsReader::construct(const CXXConstructExpr &E) {
  if (E.getNumArgs() == 0 || isa<CXXDefaultArgExpr>(E.getArg(0)))
    return true;
  const Expr *Value = E.getArg(0);
  if (isTensorOptions(Value->getType()))
    return read(Value);
  QualType T = Value->IgnoreImplicit()->getType().getNonReferenceType();
  std::string Name;
  if (const auto *Tag = T->getAsTagDecl())
    Name = Tag->getNameAsString();
  StringRef What = Name == "ScalarType" || Name == "TypeMeta" ? "dtype"
                   : Name == "Device" || Name == "DeviceType" ? "device"
                   : Name == "Layout"                         ? "layout"
                                                              : "";
  return set(What, Value);
}

bool OptionsReader::read(const Expr *E) {
  E = E->IgnoreImplicit()->IgnoreParens()->IgnoreImplicit();
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (Var && isTensorOptions(Var->getType()))
      return variable(*Var);
    QualType T = E->getType().getNonReferenceType();
    std::string Name = T->getAsTagDecl() ? T->getAsTagDecl()->getNameAsString() : "";
    if (Name == "ScalarType")
      return set("dtype", E);
    if (Name == "DeviceType" || Name == "Device")
      return set("device", E);
    return Name == "Layout" && set("layout", E);
  }
  if (const auto *Call = dyn_cast<CallExpr>(E)) {
    std::string Name =
        E->getType()->getAsTagDecl() ? E->getType()->getAsTagDecl()->getNameAsString() : "";
    if (Name == "ScalarType" || Name == "TypeMeta")
      return set("dtype", E);
    if (Name == "Device" || Name == "DeviceType")
      return set("device", E);
    return isTensorOptions(E->getType()) && call(*Call);
  }
  if (const auto *Made = dyn_cast<CXXConstructExpr>(E))
    return construct(*Made);
  if (const auto *Cast = dyn_cast<CXXFunctionalCastExpr>(E))
    return read(Cast->getSubExpr());
  return false;
}

} // namespace

ApiOptions opsig::readOptions(const Expr &E, SourceLocation Next, SpelledPlaces &Places) {
  ApiOptions Out;
  Out.Known = OptionsReader(Next, Places, Out).read(&E);
  return Out;
}
