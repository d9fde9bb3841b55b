//===- FunctionalizationViews.cpp - Kernels of views ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// view | inplace view => call the view (or its copy) on the unwrapped tensor, record the view,
//   wrap the result | change the wrapper's own view
//
//===----------------------------------------------------------------------===//
#include "Functionalize/FunctionalizationInternal.h"
#include "opsig/Signature/Functionalization.h"
#include "opsig/Support/Printer.h"

using namespace llvm;

namespace opsig {

namespace {

//===-- The shape of the emitted code ---------------------------------------===//

constexpr Template ViewText = R"(

    ${signature} {
      ${=unwrap}
      if (!at::functionalization::impl::isFunctionalTensor(${self})) {
        // functionalization is re-entrant, but will no-op if it wasn't passed a FunctionalTensorWrapper.
        at::AutoDispatchSkipFunctionalize guard;
        return at::_ops::${view}::call(${args});
      }
      ${modes}
      ${reference}
      ${type} tmp_output;
      {
        at::AutoDispatchSkipFunctionalize guard;
        if (reapply_views) {
          tmp_output = at::_ops::${view}::call(${args});
        } else {
          tmp_output = at::_ops::${copy}::call(${args});
        }
      }
      ${+record}
      auto out = at::functionalization::impl::create_functional_tensor_with_view_meta(tmp_output, ${self}, view_meta);
      // See  Note [Propagating strides in the functionalization pass]
      ${set_strides}
      return out;
    }
)";

constexpr Template InplaceViewText = R"(

    ${signature} {
      if (!at::functionalization::impl::isFunctionalTensor(${self})) {
        // functionalization is re-entrant, but will no-op if it wasn't passed a FunctionalTensorWrapper.
        ${=unwrap}
        at::AutoDispatchSkipFunctionalize guard;
        return at::_ops::${view}::call(${args});
      }
      ${modes}
      ${+record}
      ${reference}
      // This function adds the above view meta to the current tensor and replays them off the base,
      // mutating the size/stride info of the current FunctionalTensorWrapper.
      // Because of this, we need to make sure to run the reference shape function above,
      // BEFORE doing this (otherwise we'll end up ${running} the reference function using the wrong sizes/strides)
      at::functionalization::impl::mutate_view_meta(${self}, view_meta);
      // See  Note [Propagating strides in the functionalization pass]
      // XLA/LTC don't implement the logic to propagate strides correctly, so we need to rely
      // on a reference implementation here (instead of relying on the output from the forward lambda
      // having the correct stride info)
      ${set_strides}
      return ${self};
    }
)";

// Strides are computed on meta tensors: always, or for lazy backends.
constexpr Template ReferenceText = R"(
${if always}
${type} reference_tensor_output;
{
  at::AutoDispatchSkipFunctionalize func_guard;
  c10::impl::ExcludeDispatchKeyGuard guard(exclude_keys_for_meta_dispatch);
  ${to_meta}
${else}
auto compute_reference_meta =
  ${self}.key_set().has_backend(c10::BackendComponent::XLABit) ||
  ${self}.key_set().has_backend(c10::BackendComponent::LazyBit);
${type} reference_tensor_output;
if (compute_reference_meta${meta_switch}) {
  ${to_meta}
  at::AutoDispatchSkipFunctionalize func_guard;
  c10::impl::ExcludeDispatchKeyGuard guard(exclude_keys_for_meta_dispatch);
${end}
  reference_tensor_output = at::_ops::${view}::call(${meta_args});
}
)";
constexpr Template SetStridesText = R"(
${if always}
at::functionalization::impl::set_sizes_strides_offset(${changed}, reference_tensor_output);
${else}
if (compute_reference_meta${meta_switch}) {
  at::functionalization::impl::set_sizes_strides_offset(${changed}, reference_tensor_output);
}
${end}
)";

// How the view is returned, and how its inverse is to return.
constexpr Template ModesText = R"(
auto reapply_views = at::functionalization::impl::getFunctionalizationReapplyViewsTLS();
${if inverses_of_views}
auto inverse_return_mode = (
    reapply_views ? at::functionalization::InverseReturnMode::ViewOrScatterInverse
      : at::functionalization::InverseReturnMode::NeverView
);
${end}
)";

// The record of a view: lambdas, or an object.
constexpr Template LambdasText = R"(
at::functionalization::ViewMeta view_meta = at::functionalization::ViewMeta(
  ${forward} {
    if (reapply_views) {
      return ${call_view};
    } else {
      return ${call_copy};
    }
  },
  ${reverse} {
    return ${call_inverse};
  }${if description},${end}
  ${description}
);
)";
constexpr Template DescriptionText = R"(
${if symbolic}/*has_symbolic_inputs=*/has_symbolic_inputs${if several},${end}${end}
${if several}/*is_multi_output=*/${several}${if as_strided},${end}${end}
${if as_strided}/*is_as_strided=*/${as_strided}${end}
)";
constexpr Template ObjectText = "auto view_meta = ${object};";

// A record that is told whether a size among the arguments is symbolic.
constexpr Template SymbolicRecordText = R"(

bool has_symbolic_inputs = false;
${if statements}
${statements}
${else}

${end}
${record}
)";
constexpr Template SymbolicArgText = "has_symbolic_inputs = has_symbolic_inputs | (${condition});";
constexpr Template SymbolicItemText = "${value}.is_symbolic()";
constexpr Template SymbolicListText =
    "std::any_of(${value}.begin(), ${value}.end(), [=](auto& arg) { return ${item}; })";
constexpr Template SymbolicOptionalText = "${value}.has_value() ? ${inner} : false";

//===-- Symbolic inputs -----------------------------------------------------===//

Expected<std::string> isSymbolic(const std::string &Value, const CType &Ty, const Dialect &D) {
  if (Ty.is(CppBase::SymInt))
    return printed<SymbolicItemText>("value"_hole = Value);
  bool IsOptionalList = Ty.is(CppBase::OptionalSymIntArrayRef);
  if (IsOptionalList || Ty.isA(CTypeLayer::Optional)) {
    CType Elem = IsOptionalList ? CType(CppBase::SymIntArrayRef) : Ty.elem();
    Expected<std::string> Inner = isSymbolic("(*" + Value + ")", Elem, D);
    if (!Inner)
      return Inner.takeError();
    return printed<SymbolicOptionalText>("value"_hole = Value, "inner"_hole = *Inner);
  }
  if (Ty.is(CppBase::SymIntArrayRef) || Ty == CType(CppBase::SymInt).vector())
    return printed<SymbolicListText>("value"_hole = Value,
                                     "item"_hole = printed<SymbolicItemText>("value"_hole = "arg"));
  return createStringError("it is not known how to find symbolic values in a '" + Ty.str(D) + "'");
}

Expected<std::vector<std::string>> symbolicInputs(const Signature &Copy, const Dialect &D) {
  std::vector<std::string> Statements;
  for (const Binding &B : Copy.Params) {
    if (!B.Arg->Ty.isSymIntLike())
      continue;
    Expected<std::string> Condition = isSymbolic(B.Name, B.Type.Ty, D);
    if (!Condition)
      return Condition.takeError();
    Statements.push_back(printed<SymbolicArgText>("condition"_hole = *Condition));
  }
  return Statements;
}

//===-- Records -------------------------------------------------------------===//

bool isInplaceView(const FunctionalizationKernel &K) {
  return K.Is == FunctionalizationKernel::Shape::InplaceView;
}

std::string description(const FunctionalizationKernel &K, const Dialect &D) {
  ViewRecord Views = D.Functionalization.Views;
  bool Inplace = isInplaceView(K);
  if (Views == ViewRecord::Lambdas || (Inplace && Views == ViewRecord::CountedLambdas))
    return "";
  auto Bool = [](bool Value) { return Value ? "true" : "false"; };
  const FunctionSchema &S = K.Function->Schema;
  bool Full = !Inplace && Views != ViewRecord::CountedLambdas;
  return printed<DescriptionText>("symbolic"_hole = Views != ViewRecord::CountedLambdas,
                                  "several"_hole = Inplace ? "" : Bool(S.Returns[0].Ty.isList()),
                                  "as_strided"_hole =
                                      Full ? Bool(S.Name.str() == "as_strided") : "");
}

Expected<std::string> lambdas(const FunctionalizationKernel &K, const Lowering &L) {
  const NativeFunctionsViewGroup &G = *K.ViewGroup;
  Expected<ViewLambda> Forward = viewLambda(G, ViewCallee::View, L);
  if (!Forward)
    return Forward.takeError();
  Expected<ViewLambda> Reverse = viewLambda(G, ViewCallee::Inverse, L);
  if (!Reverse)
    return Reverse.takeError();
  std::string Calls[3];
  for (ViewCallee Callee : {ViewCallee::View, ViewCallee::Copy, ViewCallee::Inverse}) {
    Expected<std::string> Call = viewLambdaCall(G, Callee, L);
    if (!Call)
      return Call.takeError();
    Calls[unsigned(Callee)] = std::move(*Call);
  }
  return printed<LambdasText>("forward"_hole = Forward->decl(*L.D),
                              "reverse"_hole = Reverse->decl(*L.D),
                              "call_view"_hole = Calls[unsigned(ViewCallee::View)],
                              "call_copy"_hole = Calls[unsigned(ViewCallee::Copy)],
                              "call_inverse"_hole = Calls[unsigned(ViewCallee::Inverse)],
                              "description"_hole = description(K, *L.D));
}

Expected<std::string> record(const FunctionalizationKernel &K, const Lowering &L) {
  if (L.D->Functionalization.Views != ViewRecord::Classes)
    return lambdas(K, L);
  return printed<ObjectText>(
      "object"_hole = viewMetaClass(*K.ViewGroup, *K.Function, L).make(/*OutIndex=*/"0"));
}

//===-- Kernels -------------------------------------------------------------===//

/// The record, and what it is told of symbolic sizes.
Expected<std::string> recordStatements(const FunctionalizationKernel &K, const Signature &Copy,
                                       const Lowering &L) {
  Expected<std::string> Record = record(K, L);
  ViewRecord Views = L.D->Functionalization.Views;
  if (!Record || (Views != ViewRecord::DescribedLambdas && Views != ViewRecord::Classes))
    return Record;
  Expected<std::vector<std::string>> Symbolic = symbolicInputs(Copy, *L.D);
  if (!Symbolic)
    return Symbolic.takeError();
  return printed<SymbolicRecordText>("statements"_hole = *Symbolic, "record"_hole = *Record);
}

std::string valueType(const ReturnCType &Returns, const Dialect &D) {
  ReturnCType Values;
  for (const CType &Ty : Returns.Elements)
    Values.Elements.push_back(Ty.withoutRefs());
  return Values.str(D);
}

} // namespace

Expected<std::string> viewKernel(const FunctionalizationKernel &K, const Dialect &D) {
  const FunctionSchema &S = K.Function->Schema;
  const FunctionalizationFacts &Facts = D.Functionalization;
  Lowering L = Lowering::of(*K.Function, D);
  Signature Own = dispatcherSignature(S, L);
  Signature Copy = dispatcherSignature(K.ViewGroup->ViewCopy->Schema, L);
  PreparedArguments Unwrapped = unwrapTensors(Own, SyncInputs::No, D);
  PreparedArguments Meta = convertToMeta(Own);

  // The view is called with the arguments of its copy, which are the same.
  Expected<std::vector<Expr>> Args = translate(Unwrapped.Bindings, Copy.Params, D);
  if (!Args)
    return Args.takeError();
  Expected<std::vector<Expr>> MetaArgs = translate(Meta.Bindings, Copy.Params, D);
  if (!MetaArgs)
    return MetaArgs.takeError();
  Expected<std::string> Record = recordStatements(K, Copy, L);
  if (!Record)
    return Record.takeError();

  bool Inplace = isInplaceView(K);
  StringRef Self = Own.Params[0].Name;
  auto Shared =
      frame("signature"_hole = redispatchingDefn(Own, S, D), "self"_hole = Self,
            "changed"_hole = Inplace ? Self : "out", "type"_hole = valueType(Own.Returns, D),
            "view"_hole = S.Name.unambiguous(), "args"_hole = join(*Args),
            "copy"_hole = K.ViewGroup->ViewCopy->Schema.Name.unambiguous(),
            "always"_hole = Facts.Meta == MetaTensorUse::Always, "to_meta"_hole = Meta.Statements,
            "meta_args"_hole = join(*MetaArgs), "meta_switch"_hole = metaSwitch(Facts),
            "inverses_of_views"_hole = Facts.Inverses == ViewInverses::OfViews,
            "unwrap"_hole = Unwrapped.Statements, "record"_hole = *Record,
            "running"_hole = Facts.MisspellsRunning ? "runnin" : "running");
  auto Kernel = frame(
      Shared, "modes"_hole = [&](std::string &Out) { print<ModesText>(Out, Shared); },
      "reference"_hole = [&](std::string &Out) { print<ReferenceText>(Out, Shared); },
      "set_strides"_hole = [&](std::string &Out) { print<SetStridesText>(Out, Shared); });
  return Inplace ? printed<InplaceViewText>(Kernel) : printed<ViewText>(Kernel);
}

} // namespace opsig
