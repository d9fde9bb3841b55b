//===- FunctionalizationViews.cpp - Kernels of views ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// view | inplace view => call the view (or its copy) on the unwrapped tensor, record the view,
//   wrap the result | change the wrapper's own view
//
//===----------------------------------------------------------------------===//
#include "Functionalize/FunctionalizationInternal.h"
#include "opsig/Dialect/FunctionalizationTraits.h"
#include "opsig/Signature/Functionalization.h"

using namespace llvm;

namespace opsig {

namespace {

//===-- The shape of the emitted code ---------------------------------------===//

constexpr Template ViewText = R"(

    ${signature} {
      ${if inplace}
      ${else}
      ${=unwrap}
      ${end}
      if (!at::functionalization::impl::isFunctionalTensor(${self})) {
        // functionalization is re-entrant, but will no-op if it wasn't passed a FunctionalTensorWrapper.
        ${if inplace}
        ${=unwrap}
        ${end}
        at::AutoDispatchSkipFunctionalize guard;
        return at::_ops::${view}::call(${args});
      }
      ${modes}
      ${if inplace}
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
      ${else}
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
      ${end}
      ${set_strides}
      return ${changed};
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

// The record of a view: lambdas, or an object; it may be told whether a size among the arguments is
// symbolic.
constexpr Template RecordText = R"(
${if asks}

bool has_symbolic_inputs = false;
${if symbolic}
${symbolic}
${else}

${end}
${end}
${if object}
auto view_meta = ${object};
${else}
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
${end}
)";
constexpr Template SymbolicArgText = "has_symbolic_inputs = has_symbolic_inputs | (${condition});";
constexpr Template SymbolicListText =
    "std::any_of(${value}.begin(), ${value}.end(), [=](auto& arg) { return arg.is_symbolic(); })";

//===-- Plans ---------------------------------------------------------------===//

/// An expression that is true of symbolic values.
std::string isSymbolic(const std::string &Value, const CType &Ty, const Dialect &D,
                       FirstError &Failed) {
  if (Ty.is(CppBase::SymInt))
    return Value + ".is_symbolic()";
  bool IsOptionalList = Ty.is(CppBase::OptionalSymIntArrayRef);
  if (IsOptionalList || Ty.isA(CTypeLayer::Optional)) {
    CType Elem = IsOptionalList ? CType(CppBase::SymIntArrayRef) : Ty.elem();
    return Value + ".has_value() ? " + isSymbolic("(*" + Value + ")", Elem, D, Failed) + " : false";
  }
  if (Ty.is(CppBase::SymIntArrayRef) || Ty == CType(CppBase::SymInt).vector())
    return printed<SymbolicListText>("value"_hole = Value);
  Failed.fail("opsig cannot find symbolic values in a '" + Ty.str(D) + "'");
  return "";
}

/// What records a view: the call that makes an object, or two lambdas.
struct RecordPlan {
  std::string Object;
  std::string Forward, Reverse, CallView, CallCopy, CallInverse;
  /// What is said of the view besides, each behind a comment with its name.
  std::vector<std::string> Description;
  bool AsksForSymbolic = false;
  std::vector<std::string> Symbolic; ///< conditions
};

std::vector<std::string> describe(const FunctionalizationKernel &K, ViewRecord Views) {
  bool Inplace = K.Is == FunctionalizationKernel::Shape::InplaceView;
  bool Counted = Views == ViewRecord::CountedLambdas;
  std::vector<std::string> Description;
  if (Views == ViewRecord::Lambdas || (Inplace && Counted))
    return Description;
  const FunctionSchema &S = K.Function->Schema;
  if (!Counted)
    Description.push_back("/*has_symbolic_inputs=*/has_symbolic_inputs");
  if (!Inplace)
    Description.push_back(("/*is_multi_output=*/" + boolText(S.Returns[0].Ty.isList())).str());
  if (!Inplace && !Counted)
    Description.push_back(("/*is_as_strided=*/" + boolText(S.Name.str() == "as_strided")).str());
  return Description;
}

RecordPlan planRecord(const FunctionalizationKernel &K, const Signature &Copy, const Lowering &L,
                      FirstError &Failed) {
  RecordPlan Plan;
  const NativeFunctionsViewGroup &G = *K.ViewGroup;
  ViewRecord Views = L.D->Functionalization.Views;
  if (Views == ViewRecord::Classes) {
    Plan.Object = viewMetaClass(G, *K.Function, L).make(/*OutIndex=*/"0");
  } else {
    Plan.Forward = Failed.take(viewLambda(G, ViewCallee::View, L)).decl(*L.D);
    Plan.Reverse = Failed.take(viewLambda(G, ViewCallee::Inverse, L)).decl(*L.D);
    Plan.CallView = Failed.take(viewLambdaCall(G, ViewCallee::View, L));
    Plan.CallCopy = Failed.take(viewLambdaCall(G, ViewCallee::Copy, L));
    Plan.CallInverse = Failed.take(viewLambdaCall(G, ViewCallee::Inverse, L));
    Plan.Description = describe(K, Views);
  }
  Plan.AsksForSymbolic = Views == ViewRecord::DescribedLambdas || Views == ViewRecord::Classes;
  if (Plan.AsksForSymbolic)
    for (const Binding &B : Copy.Params)
      if (B.Arg->Ty.isSymIntLike())
        Plan.Symbolic.push_back(isSymbolic(B.Name, B.Type.Ty, *L.D, Failed));
  return Plan;
}

//===-- Texts ---------------------------------------------------------------===//

void printRecord(std::string &Out, const RecordPlan &Plan) {
  auto Ask = [](std::string &To, StringRef Condition) {
    print<SymbolicArgText>(To, "condition"_hole = Condition);
  };
  auto Describe = [&](const std::string &Line) {
    return Line + (&Line == &Plan.Description.back() ? "" : ",");
  };
  print<RecordText>(Out, "asks"_hole = Plan.AsksForSymbolic,
                    "symbolic"_hole = each(Plan.Symbolic, Ask), "object"_hole = Plan.Object,
                    "forward"_hole = Plan.Forward, "reverse"_hole = Plan.Reverse,
                    "call_view"_hole = Plan.CallView, "call_copy"_hole = Plan.CallCopy,
                    "call_inverse"_hole = Plan.CallInverse,
                    "description"_hole = each(Plan.Description, Describe));
}

} // namespace

void printViewKernel(std::string &Out, const KernelPlan &Plan, const Dialect &D,
                     FirstError &Failed) {
  const FunctionalizationKernel &K = Plan.For;
  const FunctionalizationTraits &Facts = D.Functionalization;
  Lowering L = Lowering::of(*K.Function, D);
  // The view is called with the arguments of its copy, which are the same.
  Signature Copy = dispatcherSignature(K.ViewGroup->ViewCopy->Schema, L);
  std::string Args = argumentsFor(Copy.Params, Plan.Unwrapped.Bindings, D, Failed);
  std::string MetaArgs = argumentsFor(Copy.Params, Plan.Meta.Bindings, D, Failed);
  RecordPlan Record = planRecord(K, Copy, L, Failed);

  bool Inplace = K.Is == FunctionalizationKernel::Shape::InplaceView;
  StringRef Self = Plan.Own.Params[0].Name;
  auto Shared = frame(
      "signature"_hole = kernelDefn(Plan, D), "self"_hole = Self, "inplace"_hole = Inplace,
      "changed"_hole = Inplace ? Self : "out", "type"_hole = valueType(Plan.Own.Returns, D),
      "view"_hole = K.Function->Schema.Name.unambiguous(), "args"_hole = Args,
      "copy"_hole = K.ViewGroup->ViewCopy->Schema.Name.unambiguous(),
      "always"_hole = Facts.Meta == MetaTensorUse::Always,
      "to_meta"_hole = [&](std::string &To) { printToMeta(To, Plan.Meta); },
      "meta_args"_hole = MetaArgs, "meta_switch"_hole = metaSwitch(Facts),
      "inverses_of_views"_hole = Facts.Inverses == ViewInverses::OfViews,
      "unwrap"_hole = [&](std::string &To) { printUnwrapping(To, Plan.Unwrapped, SyncInputs::No); },
      "record"_hole = [&](std::string &To) { printRecord(To, Record); },
      "running"_hole = Facts.MisspellsRunning ? "runnin" : "running");
  auto Kernel = frame(
      Shared, "modes"_hole = [&](std::string &To) { print<ModesText>(To, Shared); },
      "reference"_hole = [&](std::string &To) { print<ReferenceText>(To, Shared); },
      "set_strides"_hole = [&](std::string &To) { print<SetStridesText>(To, Shared); });
  print<ViewText>(Out, Kernel);
}

} // namespace opsig
