//===- VmapPlumbing.cpp - VmapGeneratedPlumbing.h ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// function => Plumbing (which kind, if any) => the template that takes batched tensors apart,
// calls the batch rule and wraps its results
//
//===----------------------------------------------------------------------===//
#include "Api/FamilyPlansInternal.h"
#include "opsig/Codegen/Aten.h"
#include "opsig/Signature/Signature.h"
#include "opsig/Support/Printer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace opsig {

//===-- The shape of the emitted code ---------------------------------------===//

namespace {

constexpr Template FileText = R"(

#pragma once
#include <ATen/Operators.h>
#include <ATen/functorch/PlumbingHelper.h>

namespace at { namespace functorch {

${=body}

}} // namespace at::functorch
)";

constexpr Template FunctionText =
    R"(template <typename batch_rule_t, batch_rule_t batch_rule>
${signature} {
  c10::impl::ExcludeDispatchKeyGuard guard(DispatchKey::FuncTorchBatched);
  auto maybe_layer = maybeCurrentDynamicLayer();
  ${check_layer};
  int64_t cur_level = maybe_layer->layerId();
  if (${nothing_batched}) {
    return at::_ops::${op}::call(${call_args});
  }
${=unwraps}
  ${=call_rule}
})";

constexpr Template AssertLayerText = "TORCH_INTERNAL_ASSERT(maybe_layer.has_value())";
constexpr Template CheckLayerText = "vmap_check_escaped(maybe_layer, \"${which}\")";

constexpr Template NotBatchedText = "!isBatchedAtLevel(${arg}, cur_level)";

// A tensor as its value and batch dimension.
constexpr Template TieTensorText = R"(  Tensor ${arg}_value;
  optional<int64_t> ${arg}_bdim;
  std::tie(${arg}_value, ${arg}_bdim) = unwrapTensorAtLevel(${arg}, cur_level);)";
constexpr Template BindTensorText =
    "  auto [${arg}_value, ${arg}_bdim] = unwrapTensorAtLevel(${arg}, cur_level);";
constexpr Template OptionalTensorText = R"(  ${std}optional<Tensor> ${arg}_value;
  ${std}optional<int64_t> ${arg}_bdim;
  if (${arg}) {
      std::tie(${arg}_value, ${arg}_bdim) = unwrapTensorAtLevel(${arg}.value(), cur_level);
  })";

// What becomes of the batch rule's results.
constexpr Template NoResultText = "batch_rule(${args});";
constexpr Template ReturnFirstText = R"(batch_rule(${args});
  return ${first};)";
constexpr Template WrapResultsText = R"(auto results = batch_rule(${args});
  return ${wrapped};)";
constexpr Template WrapTensorText =
    "makeBatched(std::get<${value}>(results), std::get<${dim}>(results), cur_level)";
constexpr Template WrapListText =
    "makeBatchedVector(std::get<${value}>(results), std::get<${dim}>(results), cur_level)";
constexpr Template PassOnText = "std::get<${value}>(results)";
constexpr Template TupleText = "std::make_tuple(${elements})";

} // namespace

//===-- What is generated ---------------------------------------------------===//

namespace {

bool isTensor(const Type &T) { return T.is(BaseTy::Tensor); }
bool isOptionalTensor(const Type &T) { return T.isOptional() && isTensor(T.elem()); }
bool isTensorList(const Type &T) { return T.isList() && isTensor(T.elem()); }

/// Inplace plumbing writes to the first argument only, and returns it.
bool fitsInplace(const FunctionSchema &S) {
  auto Writes = [](const Argument &A) { return A.isWrite(); };
  return Writes(S.Args.all().front()) && count_if(S.Args.all(), Writes) == 1 &&
         all_of(S.Returns, [](const Return &R) { return isTensor(R.Ty) || isTensorList(R.Ty); });
}

} // namespace

std::variant<Plumbing, NoPlumbing> planPlumbing(const NativeFunction &F, const Dialect &D) {
  const FunctionSchema &S = F.Schema;
  if (none_of(S.Args.all(), [](const Argument &A) { return A.Ty.isTensorLike(); }))
    return NoPlumbing::NoTensor;
  if (S.Returns.empty())
    return Plumbing::NoReturns;
  if (!all_of(S.Returns, [](const Return &R) { return R.Ty.isTensorLike(); }) &&
      !is_contained(D.Output.VmapDespiteReturns, S.Name.unambiguous()))
    return NoPlumbing::OtherReturns;
  // What changes the view of its argument needs more than this.
  if (F.hasTag("inplace_view"))
    return NoPlumbing::ChangesView;
  if (F.kind() == SchemaKind::Functional)
    return Plumbing::Functional;
  if (F.kind() != SchemaKind::Inplace)
    return NoPlumbing::OtherKind;
  if (!fitsInplace(S))
    return NoPlumbing::OtherWrites;
  return Plumbing::Inplace;
}

//===-- Its text ------------------------------------------------------------===//

namespace {

/// The name that the layer check of later releases gives to a kind.
StringRef nameOf(Plumbing Kind) {
  switch (Kind) {
  case Plumbing::NoReturns:
    return "gen_vmap_plumbing_no_returns";
  case Plumbing::Inplace:
    return "gen_vmap_inplace_plumbing";
  case Plumbing::Functional:
    break;
  }
  return "gen_vmap_plumbing";
}

std::string layerCheckText(Plumbing Kind, VmapShape Shape) {
  if (Shape == VmapShape::AssertsLayer)
    return printed<AssertLayerText>();
  return printed<CheckLayerText>("which"_hole = nameOf(Kind));
}

std::string nothingBatchedText(const FunctionSchema &S) {
  std::vector<std::string> Conditions;
  for (const Argument &A : S.Args.all())
    if (A.Ty.isTensorLike())
      Conditions.push_back(printed<NotBatchedText>("arg"_hole = A.Name));
  return join(Conditions, " && ");
}

/// Tensors first, then optional ones.
std::string unwrapsText(const FunctionSchema &S, VmapShape Shape) {
  std::vector<std::string> Unwraps;
  bool Binds = Shape == VmapShape::BindsTensors;
  for (const Argument &A : S.Args.all())
    if (isTensor(A.Ty))
      Unwraps.push_back(Binds ? printed<BindTensorText>("arg"_hole = A.Name)
                              : printed<TieTensorText>("arg"_hole = A.Name));
  for (const Argument &A : S.Args.all())
    if (isOptionalTensor(A.Ty))
      Unwraps.push_back(
          printed<OptionalTensorText>("std"_hole = Binds ? "std::" : "", "arg"_hole = A.Name));
  return join(Unwraps, "\n");
}

std::string ruleArguments(const FunctionSchema &S) {
  std::vector<std::string> Args;
  for (const Argument &A : S.Args.all())
    if (isTensor(A.Ty) || isOptionalTensor(A.Ty))
      append_values(Args, A.Name + "_value", A.Name + "_bdim");
    else
      Args.push_back(A.Name);
  return join(Args, ", ");
}

std::string wrappedResultsText(const FunctionSchema &S) {
  std::vector<std::string> Wrapped;
  unsigned Next = 0;
  for (const Return &R : S.Returns) {
    std::string Value = utostr(Next++);
    if (isTensor(R.Ty))
      Wrapped.push_back(printed<WrapTensorText>("value"_hole = Value, "dim"_hole = utostr(Next++)));
    else if (isTensorList(R.Ty))
      Wrapped.push_back(printed<WrapListText>("value"_hole = Value, "dim"_hole = utostr(Next++)));
    else
      Wrapped.push_back(printed<PassOnText>("value"_hole = Value));
  }
  if (Wrapped.size() == 1)
    return Wrapped.front();
  return printed<TupleText>("elements"_hole = join(Wrapped, ", "));
}

std::string callRuleText(Plumbing Kind, const FunctionSchema &S) {
  std::string Args = ruleArguments(S);
  switch (Kind) {
  case Plumbing::NoReturns:
    return printed<NoResultText>("args"_hole = Args);
  case Plumbing::Inplace:
    return printed<ReturnFirstText>("args"_hole = Args, "first"_hole = S.Args.all().front().Name);
  case Plumbing::Functional:
    break;
  }
  return printed<WrapResultsText>("args"_hole = Args, "wrapped"_hole = wrappedResultsText(S));
}

std::string functionText(Plumbing Kind, const NativeFunction &F, const Dialect &D) {
  const FunctionSchema &S = F.Schema;
  Signature Sig = dispatcherSignature(S, Lowering::of(F, D));
  std::string Op = S.Name.unambiguous();
  // Both sides of the call are the dispatcher's, so the parameters are handed on as they are.
  std::vector<StringRef> CallArgs;
  for (const Binding &Param : Sig.Params)
    CallArgs.push_back(Param.Name);
  VmapShape Shape = D.Output.Vmap;
  return printed<FunctionText>("signature"_hole = Sig.decl(D, Op + "_generated_plumbing"),
                               "check_layer"_hole = layerCheckText(Kind, Shape),
                               "nothing_batched"_hole = nothingBatchedText(S), "op"_hole = Op,
                               "call_args"_hole = join(CallArgs, ", "),
                               "unwraps"_hole = unwrapsText(S, Shape),
                               "call_rule"_hole = callRuleText(Kind, S));
}

} // namespace

void generateVmapPlumbing(const AtenInput &In, AtenSink Out, Diagnostics &) {
  std::vector<std::string> Functions;
  for (const NativeFunction &F : In.Ops.Functions) {
    auto Plan = planPlumbing(F, In.dialect());
    if (const auto *Kind = std::get_if<Plumbing>(&Plan))
      Functions.push_back(functionText(*Kind, F, In.dialect()));
  }
  Out({AtenFolder::Main, AtenList::Main, "VmapGeneratedPlumbing.h",
       printed<FileText>("body"_hole = join(Functions, "\n"))});
}

} // namespace opsig
