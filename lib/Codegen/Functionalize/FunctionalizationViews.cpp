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
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace opsig {

namespace {

//===-- The shape of the emitted code ---------------------------------------===//

/// Kernels of releases that always compute strides on meta tensors.
constexpr Template ViewText = R"(

    ${signature} {
      ${=unwrap}
      if (!at::functionalization::impl::isFunctionalTensor(${self})) {
        // functionalization is re-entrant, but will no-op if it wasn't passed a FunctionalTensorWrapper.
        at::AutoDispatchSkipFunctionalize guard;
        return at::_ops::${view}::call(${args});
      }
      auto reapply_views = at::functionalization::impl::getFunctionalizationReapplyViewsTLS();
      ${type} reference_tensor_output;
      {
        at::AutoDispatchSkipFunctionalize func_guard;
        c10::impl::ExcludeDispatchKeyGuard guard(exclude_keys_for_meta_dispatch);
        ${=to_meta}
        reference_tensor_output = at::_ops::${view}::call(${meta_args});
      }
      ${type} tmp_output;
      {
        at::AutoDispatchSkipFunctionalize guard;
        if (reapply_views) {
          tmp_output = at::_ops::${view}::call(${args});
        } else {
          tmp_output = at::_ops::${copy}::call(${args});
        }
      }
      ${=record}
      auto out = at::functionalization::impl::create_functional_tensor_with_view_meta(tmp_output, ${self}, view_meta);
      // See  Note [Propagating strides in the functionalization pass]
      at::functionalization::impl::set_sizes_strides_offset(out, reference_tensor_output);
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
      auto reapply_views = at::functionalization::impl::getFunctionalizationReapplyViewsTLS();
      ${=record}
      ${type} reference_tensor_output;
      {
        at::AutoDispatchSkipFunctionalize func_guard;
        c10::impl::ExcludeDispatchKeyGuard guard(exclude_keys_for_meta_dispatch);
        ${=to_meta}
        reference_tensor_output = at::_ops::${view}::call(${meta_args});
      }
      // This function adds the above view meta to the current tensor and replays them off the base,
      // mutating the size/stride info of the current FunctionalTensorWrapper.
      // Because of this, we need to make sure to run the reference shape function above,
      // BEFORE doing this (otherwise we'll end up ${running} the reference function using the wrong sizes/strides)
      at::functionalization::impl::mutate_view_meta(${self}, view_meta);
      // See  Note [Propagating strides in the functionalization pass]
      // XLA/LTC don't implement the logic to propagate strides correctly, so we need to rely
      // on a reference implementation here (instead of relying on the output from the forward lambda
      // having the correct stride info)
      at::functionalization::impl::set_sizes_strides_offset(${self}, reference_tensor_output);
      return ${self};
    }
)";

/// Kernels of releases that do so for lazy backends.
constexpr Template ViewMaybeMetaText = R"(

    ${signature} {
      ${=unwrap}
      if (!at::functionalization::impl::isFunctionalTensor(${self})) {
        // functionalization is re-entrant, but will no-op if it wasn't passed a FunctionalTensorWrapper.
        at::AutoDispatchSkipFunctionalize guard;
        return at::_ops::${view}::call(${args});
      }
      ${=modes}
      auto compute_reference_meta =
        ${self}.key_set().has_backend(c10::BackendComponent::XLABit) ||
        ${self}.key_set().has_backend(c10::BackendComponent::LazyBit);
      ${type} reference_tensor_output;
      if (compute_reference_meta${meta_switch}) {
        ${=to_meta}
        at::AutoDispatchSkipFunctionalize func_guard;
        c10::impl::ExcludeDispatchKeyGuard guard(exclude_keys_for_meta_dispatch);
        reference_tensor_output = at::_ops::${view}::call(${meta_args});
      }
      ${type} tmp_output;
      {
        at::AutoDispatchSkipFunctionalize guard;
        if (reapply_views) {
          tmp_output = at::_ops::${view}::call(${args});
        } else {
          tmp_output = at::_ops::${copy}::call(${args});
        }
      }
      ${=record}
      auto out = at::functionalization::impl::create_functional_tensor_with_view_meta(tmp_output, ${self}, view_meta);
      // See  Note [Propagating strides in the functionalization pass]
      if (compute_reference_meta${meta_switch}) {
        at::functionalization::impl::set_sizes_strides_offset(out, reference_tensor_output);
      }
      return out;
    }
)";

constexpr Template InplaceViewMaybeMetaText = R"(

    ${signature} {
      if (!at::functionalization::impl::isFunctionalTensor(${self})) {
        // functionalization is re-entrant, but will no-op if it wasn't passed a FunctionalTensorWrapper.
        ${=unwrap}
        at::AutoDispatchSkipFunctionalize guard;
        return at::_ops::${view}::call(${args});
      }
      ${=modes}
      ${=record}
      auto compute_reference_meta =
        ${self}.key_set().has_backend(c10::BackendComponent::XLABit) ||
        ${self}.key_set().has_backend(c10::BackendComponent::LazyBit);
      ${type} reference_tensor_output;
      if (compute_reference_meta${meta_switch}) {
        ${=to_meta}
        at::AutoDispatchSkipFunctionalize func_guard;
        c10::impl::ExcludeDispatchKeyGuard guard(exclude_keys_for_meta_dispatch);
        reference_tensor_output = at::_ops::${view}::call(${meta_args});
      }
      // This function adds the above view meta to the current tensor and replays them off the base,
      // mutating the size/stride info of the current FunctionalTensorWrapper.
      // Because of this, we need to make sure to run the reference shape function above,
      // BEFORE doing this (otherwise we'll end up ${running} the reference function using the wrong sizes/strides)
      at::functionalization::impl::mutate_view_meta(${self}, view_meta);
      // See  Note [Propagating strides in the functionalization pass]
      // XLA/LTC don't implement the logic to propagate strides correctly, so we need to rely
      // on a reference implementation here (instead of relying on the output from the forward lambda
      // having the correct stride info)
      if (compute_reference_meta${meta_switch}) {
        at::functionalization::impl::set_sizes_strides_offset(${self}, reference_tensor_output);
      }
      return ${self};
    }
)";

// How the view is returned, and how its inverse is to return.
constexpr Template ReapplyText =
    "auto reapply_views = at::functionalization::impl::getFunctionalizationReapplyViewsTLS();";
constexpr Template InverseModeText =
    R"(auto inverse_return_mode = (
          reapply_views ? at::functionalization::InverseReturnMode::ViewOrScatterInverse
            : at::functionalization::InverseReturnMode::NeverView
      );)";

// The record of a view: lambdas, or an object.
constexpr Template LambdasText =
    R"(at::functionalization::ViewMeta view_meta = at::functionalization::ViewMeta(
        ${forward} {
          if (reapply_views) {
            return ${call_view};
          } else {
            return ${call_copy};
          }
        },
        ${reverse} {
          return ${call_inverse};
        }${description}
      );)";
constexpr Template CountText = R"(,
        /*is_multi_output=*/${several})";
constexpr Template InplaceDescriptionText = R"(,
        /*has_symbolic_inputs=*/has_symbolic_inputs)";
constexpr Template DescriptionText = R"(,
        /*has_symbolic_inputs=*/has_symbolic_inputs,
        /*is_multi_output=*/${several},
        /*is_as_strided=*/${as_strided})";
constexpr Template ObjectText = "auto view_meta = ${object};";

// Whether a size among the arguments is symbolic.
constexpr Template SymbolicText = R"(

      bool has_symbolic_inputs = false;
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

Expected<std::string> symbolicInputs(const Signature &Copy, const Dialect &D) {
  std::string Text = printed<SymbolicText>();
  ListSeparator NewLine("\n      ");
  for (const Binding &B : Copy.Params) {
    if (!B.Arg->Ty.isSymIntLike())
      continue;
    Expected<std::string> Condition = isSymbolic(B.Name, B.Type.Ty, D);
    if (!Condition)
      return Condition.takeError();
    Text += StringRef(NewLine).str() + printed<SymbolicArgText>("condition"_hole = *Condition);
  }
  return Text;
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
  if (Inplace)
    return printed<InplaceDescriptionText>();
  auto Bool = [](bool Value) { return Value ? "true" : "false"; };
  const FunctionSchema &S = K.Function->Schema;
  auto Several = "several"_hole = Bool(S.Returns[0].Ty.isList());
  if (Views == ViewRecord::CountedLambdas)
    return printed<CountText>(Several);
  return printed<DescriptionText>(Several, "as_strided"_hole = Bool(S.Name.str() == "as_strided"));
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

/// What fills the holes of a view's kernel.
struct ViewParts {
  std::string Signature, Self, Unwrap, View, Copy, Args, Type, ToMeta, MetaArgs, Modes, Record;
};

/// Statements at the depth of a kernel's own.
std::string statements(ArrayRef<std::string> Texts) { return llvm::join(Texts, "\n      "); }

std::string modes(const FunctionalizationFacts &Facts) {
  std::vector<std::string> Texts = {printed<ReapplyText>()};
  if (Facts.Inverses == ViewInverses::OfViews)
    Texts.push_back(printed<InverseModeText>());
  return statements(Texts);
}

/// The record, and what it is told of symbolic sizes.
Expected<std::string> recordStatements(const FunctionalizationKernel &K, const Signature &Copy,
                                       const Lowering &L) {
  std::vector<std::string> Texts;
  ViewRecord Views = L.D->Functionalization.Views;
  if (Views == ViewRecord::DescribedLambdas || Views == ViewRecord::Classes) {
    Expected<std::string> Symbolic = symbolicInputs(Copy, *L.D);
    if (!Symbolic)
      return Symbolic.takeError();
    Texts.push_back(std::move(*Symbolic));
  }
  Expected<std::string> Record = record(K, L);
  if (!Record)
    return Record.takeError();
  Texts.push_back(std::move(*Record));
  return statements(Texts);
}

Expected<ViewParts> viewParts(const FunctionalizationKernel &K, const Dialect &D) {
  const FunctionSchema &S = K.Function->Schema;
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

  ReturnCType Values;
  for (const CType &Ty : Own.Returns.Elements)
    Values.Elements.push_back(Ty.withoutRefs());
  ViewParts P;
  P.Signature = redispatchingDefn(Own, S, D);
  P.Self = Own.Params[0].Name;
  P.Unwrap = std::move(Unwrapped.Statements);
  P.View = S.Name.unambiguous();
  P.Copy = K.ViewGroup->ViewCopy->Schema.Name.unambiguous();
  P.Args = join(*Args);
  P.Type = Values.str(D);
  P.ToMeta = std::move(Meta.Statements);
  P.MetaArgs = join(*MetaArgs);
  P.Modes = modes(D.Functionalization);
  Expected<std::string> Record = recordStatements(K, Copy, L);
  if (!Record)
    return Record.takeError();
  P.Record = std::move(*Record);
  return P;
}

} // namespace

Expected<std::string> viewKernel(const FunctionalizationKernel &K, const Dialect &D) {
  Expected<ViewParts> Parts = viewParts(K, D);
  if (!Parts)
    return Parts.takeError();
  const ViewParts &P = *Parts;
  const FunctionalizationFacts &Facts = D.Functionalization;
  bool Inplace = isInplaceView(K);
  auto Signature = "signature"_hole = P.Signature;
  auto Self = "self"_hole = P.Self;
  auto Unwrap = "unwrap"_hole = P.Unwrap;
  auto View = "view"_hole = P.View;
  auto Copy = "copy"_hole = P.Copy;
  auto Args = "args"_hole = P.Args;
  auto Type = "type"_hole = P.Type;
  auto ToMeta = "to_meta"_hole = P.ToMeta;
  auto MetaArgs = "meta_args"_hole = P.MetaArgs;
  auto Record = "record"_hole = P.Record;
  auto Running = "running"_hole = Facts.MisspellsRunning ? "runnin" : "running";
  if (Facts.Meta == MetaTensorUse::Always)
    return Inplace ? printed<InplaceViewText>(Signature, Self, Unwrap, View, Args, Type, ToMeta,
                                              MetaArgs, Record, Running)
                   : printed<ViewText>(Signature, Self, Unwrap, View, Copy, Args, Type, ToMeta,
                                       MetaArgs, Record);
  auto Modes = "modes"_hole = P.Modes;
  auto Switch = "meta_switch"_hole = metaSwitch(Facts);
  return Inplace
             ? printed<InplaceViewMaybeMetaText>(Signature, Self, Unwrap, View, Args, Type, ToMeta,
                                                 MetaArgs, Modes, Record, Running, Switch)
             : printed<ViewMaybeMetaText>(Signature, Self, Unwrap, View, Copy, Args, Type, ToMeta,
                                          MetaArgs, Modes, Record, Switch);
}

} // namespace opsig
