//===- Functionalization.cpp - Views recorded, replayed and reverted --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dispatcher convention without the view's first argument, for which `base` stands, and with a
// few arguments that no schema has.
//
//===----------------------------------------------------------------------===//

#include "opsig/Signature/Functionalization.h"
#include "opsig/Dialect/FunctionalizationTraits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace opsig {

namespace {

//===-- arguments that no schema has ----------------------------------------===//

Binding made(StringRef Name, CType Ty) {
  return {Name.str(), {Name.str(), false, std::move(Ty)}, std::nullopt, nullptr};
}

Binding base() { return made("base", CType(CppBase::Tensor).constRef()); }
Binding mutatedView() { return made("mutated_view", CType(CppBase::Tensor).constRef()); }
Binding reapplyViews() { return made("reapply_views", CppBase::Bool); }
Binding inverseReturnMode() { return made("inverse_return_mode", CppBase::InverseReturnMode); }
Binding hasSymbolicInputs() { return made("has_symbolic_inputs", CppBase::Bool); }

constexpr StringLiteral OutIndex = "out_index";

/// The index of the output, where a record is of one of several.
Binding outputIndex(const Dialect &D) {
  return made(D.Functionalization.Views == ViewRecord::Classes ? StringRef(OutIndex)
                                                               : "mutated_view_idx",
              CppBase::Long);
}

/// How an inverse is told whether to return a view.
Binding inverseMode(const Dialect &D) {
  return D.Functionalization.Inverses == ViewInverses::OfCopies ? reapplyViews()
                                                                : inverseReturnMode();
}

//===-- arguments of views --------------------------------------------------===//

/// Whether a record keeps what it was given or refers to it.
enum class Keep { Value, Reference };

/// All arguments but the first, which is the tensor that is viewed.
void addViewArguments(std::vector<Binding> &To, const FunctionSchema &S, Keep How,
                      const Lowering &L) {
  for (const Argument &A : S.Args.all().drop_front()) {
    CType Ty = How == Keep::Value ? owningType(A, L) : cppType(A, L, /*SymInt=*/true);
    To.push_back({A.Name, {A.Name, false, std::move(Ty)}, std::nullopt, &A});
  }
}

/// What \p Callee takes; \p S is the schema that its arguments come from.
std::vector<Binding> calleeParams(const FunctionSchema &S, ViewCallee Callee, const Lowering &L) {
  std::vector<Binding> Params = {base()};
  if (Callee == ViewCallee::Inverse) {
    Params.push_back(mutatedView());
    Params.push_back(inverseMode(*L.D));
    if (hasSeveralOutputs(S))
      Params.push_back(outputIndex(*L.D));
  }
  addViewArguments(Params, S, Keep::Reference, L);
  return Params;
}

/// "view_copy_inverse"
std::string inverseName(const NativeFunctionsViewGroup &G, const Dialect &D) {
  bool AfterCopy = D.Functionalization.Inverses == ViewInverses::OfCopies;
  return (AfterCopy ? G.ViewCopy : G.View)->Schema.Name.unambiguous() + "_inverse";
}

std::string calleeName(const NativeFunctionsViewGroup &G, ViewCallee Callee, const Dialect &D) {
  if (Callee == ViewCallee::Inverse)
    return "at::functionalization::FunctionalInverses::" + inverseName(G, D);
  const NativeFunction &F = Callee == ViewCallee::View ? *G.View : *G.ViewCopy;
  return "at::_ops::" + F.Schema.Name.unambiguous() + "::call";
}

std::vector<Binding> lambdaParams(ViewCallee Callee, const Dialect &D) {
  if (Callee == ViewCallee::Inverse)
    return {base(), mutatedView(), outputIndex(D)};
  return {base(), outputIndex(D)};
}

std::vector<Binding> captured(const FunctionSchema &View, ViewCallee Callee, const Lowering &L) {
  std::vector<Binding> Captures = {Callee == ViewCallee::Inverse ? inverseMode(*L.D)
                                                                 : reapplyViews()};
  addViewArguments(Captures, View, Keep::Value, L);
  return Captures;
}

/// "NAME(ARGUMENTS)" with arguments made from \p Have; \p Index, where not empty, chooses an
/// output.
Expected<std::string> call(const NativeFunctionsViewGroup &G, ViewCallee Callee,
                           ArrayRef<Binding> Have, StringRef Index, const Lowering &L) {
  // Whatever is called, the arguments are those of the copy; the view has the same.
  Expected<std::vector<Expr>> Args =
      translate(Have, calleeParams(G.ViewCopy->Schema, Callee, L), *L.D);
  if (!Args)
    return Args.takeError();
  std::string Text = calleeName(G, Callee, *L.D) + "(" + join(*Args) + ")";
  if (Callee != ViewCallee::Inverse && !Index.empty())
    Text += ("[" + Index + "]").str();
  return Text;
}

} // namespace

bool hasSeveralOutputs(const FunctionSchema &S) {
  return S.Returns.size() > 1 || (S.Returns.size() == 1 && S.Returns[0].Ty.listLike());
}

CType owningType(const Argument &A, const Lowering &L) {
  if (A.Ty.isList()) {
    Type Elem = A.Ty.elem();
    if (Elem.is(BaseTy::Int))
      return CType(CppBase::Long).vector();
    if (Elem.is(BaseTy::SymInt))
      return CType(CppBase::SymInt).vector();
  }
  CType Ty = cppType(A, L, /*SymInt=*/true);
  const Type &Base = A.Ty.isOptional() ? A.Ty.elem() : A.Ty;
  bool IsHeld = Base.is(BaseTy::Tensor) || Base.is(BaseTy::Scalar);
  if (L.D->Functionalization.RecordsOwnTensors && IsHeld && Ty.isA(CTypeLayer::ConstRef))
    return Ty.elem();
  return Ty;
}

Signature viewInverseSignature(const NativeFunctionsViewGroup &G, const Lowering &L) {
  bool OfCopy = L.D->Functionalization.Inverses == ViewInverses::OfCopies;
  const FunctionSchema &S = (OfCopy ? G.ViewCopy : G.View)->Schema;
  return {inverseName(G, *L.D), calleeParams(S, ViewCallee::Inverse, L),
          ReturnCType{{CppBase::Tensor}}};
}

//===-- lambdas -------------------------------------------------------------===//

std::string ViewLambda::decl(const Dialect &D) const {
  std::string Text = "[";
  ListSeparator Comma;
  for (const Expr &E : Captures)
    Text += (StringRef(Comma) + E.Type.Name + " = " + E.Text).str();
  Text += "](";
  ListSeparator ParamComma;
  for (const Binding &B : Params)
    Text += (StringRef(ParamComma) + B.decl(D)).str();
  return Text + ") -> " + CType(CppBase::Tensor).str(D);
}

Expected<ViewLambda> viewLambda(const NativeFunctionsViewGroup &G, ViewCallee Callee,
                                const Lowering &L) {
  // The lambda stands in a kernel of the dispatcher convention, with two locals.
  const FunctionSchema &View = G.View->Schema;
  std::vector<Binding> Have = dispatcherSignature(View, L).Params;
  Have.push_back(reapplyViews());
  if (L.D->Functionalization.Inverses == ViewInverses::OfViews)
    Have.push_back(inverseReturnMode());
  Expected<std::vector<Expr>> Captures =
      translate(Have, captured(View, Callee, L), *L.D, {.AllowExpensive = true});
  if (!Captures)
    return Captures.takeError();
  return ViewLambda{std::move(*Captures), lambdaParams(Callee, *L.D)};
}

Expected<std::string> viewLambdaCall(const NativeFunctionsViewGroup &G, ViewCallee Callee,
                                     const Lowering &L) {
  std::vector<Binding> Have = lambdaParams(Callee, *L.D);
  append_range(Have, captured(G.View->Schema, Callee, L));
  std::string Index = hasSeveralOutputs(G.ViewCopy->Schema) ? outputIndex(*L.D).Name : "";
  return call(G, Callee, Have, Index, L);
}

//===-- classes -------------------------------------------------------------===//

std::vector<Binding> ViewMetaClass::params() const {
  std::vector<Binding> All = BaseParams;
  append_range(All, OwnParams);
  return All;
}

std::string ViewMetaClass::make(StringRef Index) const {
  std::string Text = "std::make_shared<at::functionalization::" + Name + ">(";
  ListSeparator Comma;
  for (const Binding &B : concat<const Binding>(BaseParams, OwnParams))
    Text += (StringRef(Comma) + (B.Name == OutIndex ? Index : StringRef(B.Name))).str();
  return Text + ")";
}

ViewMetaClass viewMetaClass(const NativeFunctionsViewGroup &G, const NativeFunction &F,
                            const Lowering &L) {
  const FunctionSchema &S = F.Schema;
  ViewMetaClass C;
  C.Group = &G;
  C.SeveralOutputs = hasSeveralOutputs(S);
  C.AsStrided = S.Name.str() == "as_strided";
  C.Name = S.Name.unambiguous() + "_ViewMeta";

  C.BaseParams = {hasSymbolicInputs()};
  if (C.SeveralOutputs)
    C.BaseParams.push_back(outputIndex(*L.D));
  C.OwnParams = {reapplyViews(), inverseReturnMode()};
  C.Attributes = C.OwnParams;
  addViewArguments(C.OwnParams, S, Keep::Reference, L);
  addViewArguments(C.Attributes, S, Keep::Value, L);
  return C;
}

Expected<std::vector<Expr>> viewMetaInitialisers(const ViewMetaClass &C, const Lowering &L) {
  return translate(C.OwnParams, C.Attributes, *L.D, {.AllowExpensive = true});
}

Expected<std::string> viewMetaCall(const ViewMetaClass &C, ViewCallee Callee, const Lowering &L) {
  std::vector<Binding> Have = {base()};
  append_range(Have, C.BaseParams);
  append_range(Have, C.Attributes);
  if (Callee == ViewCallee::Inverse)
    Have.push_back(mutatedView());
  return call(*C.Group, Callee, Have, C.SeveralOutputs ? StringRef(OutIndex) : "", L);
}

} // namespace opsig
