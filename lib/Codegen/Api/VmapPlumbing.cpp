//===- VmapPlumbing.cpp - VmapGeneratedPlumbing.h ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// function => Plumbing (which kind, if any) => the template that takes batched tensors apart,
// calls the batch rule and wraps its results
//
//===----------------------------------------------------------------------===//
#include "Api/FamilyPlansInternal.h"
#include "opsig/Codegen/Aten.h"
#include "opsig/Dialect/OutputTraits.h"

using namespace llvm;

namespace opsig {

//===-- The shape of the emitted code ---------------------------------------===//

namespace {

constexpr Template FileText = R"(

#pragma once
#include <ATen/Operators.h>
#include <ATen/functorch/PlumbingHelper.h>

namespace at { namespace functorch {

${=functions}

}} // namespace at::functorch
)";

constexpr Template FunctionText = R"(
template <typename batch_rule_t, batch_rule_t batch_rule>
${signature} {
  c10::impl::ExcludeDispatchKeyGuard guard(DispatchKey::FuncTorchBatched);
  auto maybe_layer = maybeCurrentDynamicLayer();
  ${if asserts}TORCH_INTERNAL_ASSERT(maybe_layer.has_value());${end}
  ${if checks}vmap_check_escaped(maybe_layer, "${checks}");${end}
  int64_t cur_level = maybe_layer->layerId();
  if (${nothing_batched}) {
    return at::_ops::${op}::call(${call_args});
  }
${=tensors}${=optional_tensors}
  ${if wraps}auto results = ${end}batch_rule(${rule_args});
  ${if returns}return ${returns};${end}
})";

// A tensor as its value and batch dimension.
constexpr Template TieTensorText = R"(
  Tensor ${arg}_value;
  optional<int64_t> ${arg}_bdim;
  std::tie(${arg}_value, ${arg}_bdim) = unwrapTensorAtLevel(${arg}, cur_level);)";
constexpr Template BindTensorText =
    "  auto [${arg}_value, ${arg}_bdim] = unwrapTensorAtLevel(${arg}, cur_level);";
constexpr Template OptionalTensorText = R"(
  ${std}optional<Tensor> ${arg}_value;
  ${std}optional<int64_t> ${arg}_bdim;
  if (${arg}) {
      std::tie(${arg}_value, ${arg}_bdim) = unwrapTensorAtLevel(${arg}.value(), cur_level);
  })";

constexpr Template WrapText =
    "makeBatched${kind}(std::get<${value}>(results), std::get<${dim}>(results), cur_level)";

//===-- What is generated ---------------------------------------------------===//

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

std::variant<Plumbing, Nothing> planPlumbing(const NativeFunction &F, const Dialect &D) {
  const FunctionSchema &S = F.Schema;
  if (none_of(S.Args.all(), [](const Argument &A) { return A.Ty.isTensorLike(); }))
    return Nothing{"it takes no tensor"};
  if (S.Returns.empty())
    return Plumbing::NoReturns;
  if (!all_of(S.Returns, [](const Return &R) { return R.Ty.isTensorLike(); }) &&
      !is_contained(D.Output.VmapDespiteReturns, S.Name.unambiguous()))
    return Nothing{"it returns values that are not tensors"};
  // What changes the view of its argument needs more than this.
  if (F.hasTag("inplace_view"))
    return Nothing{"it changes the shape or strides of its argument"};
  if (F.kind() == SchemaKind::Functional)
    return Plumbing::Functional;
  if (F.kind() != SchemaKind::Inplace)
    return Nothing{"out and mutable functions have no vmap plumbing"};
  if (!fitsInplace(S))
    return Nothing{"it writes to arguments other than self, or does not return self"};
  return Plumbing::Inplace;
}

//===-- Its text ------------------------------------------------------------===//

namespace {

/// The name that the layer check of later releases gives to a kind, by Plumbing.
constexpr StringLiteral LayerNames[] = {"gen_vmap_plumbing_no_returns", "gen_vmap_inplace_plumbing",
                                        "gen_vmap_plumbing"};

/// What the function returns: the results, of which tensors are wrapped.
std::string wrappedResults(const FunctionSchema &S) {
  std::vector<std::string> Wrapped;
  unsigned Next = 0;
  for (const Return &R : S.Returns) {
    std::string Value = utostr(Next++);
    if (isTensor(R.Ty) || isTensorList(R.Ty))
      Wrapped.push_back(printed<WrapText>("kind"_hole = isTensor(R.Ty) ? "" : "Vector",
                                          "value"_hole = Value, "dim"_hole = utostr(Next++)));
    else
      Wrapped.push_back("std::get<" + Value + ">(results)");
  }
  return Wrapped.size() == 1 ? Wrapped.front()
                             : "std::make_tuple(" + llvm::join(Wrapped, ", ") + ")";
}

std::string returnedBy(Plumbing Kind, const FunctionSchema &S) {
  if (Kind == Plumbing::NoReturns)
    return "";
  return Kind == Plumbing::Inplace ? S.Args.all().front().Name : wrappedResults(S);
}

void printPlumbing(std::string &Out, Plumbing Kind, const NativeFunction &F, const Dialect &D) {
  const FunctionSchema &S = F.Schema;
  Signature Sig = dispatcherSignature(S, Lowering::of(F, D));
  std::string Op = S.Name.unambiguous();
  bool Binds = D.Output.Vmap == VmapShape::BindsTensors;
  bool Asserts = D.Output.Vmap == VmapShape::AssertsLayer;
  auto Of = [&](auto Test) {
    return make_filter_range(S.Args.all(), [=](const Argument &A) { return Test(A.Ty); });
  };
  auto NotBatched = [](const Argument &A) {
    return "!isBatchedAtLevel(" + A.Name + ", cur_level)";
  };
  auto Unwrap = [&](std::string &To, const Argument &A) {
    Binds ? print<BindTensorText>(To, "arg"_hole = A.Name)
          : print<TieTensorText>(To, "arg"_hole = A.Name);
  };
  bool HasTensors = !Of(isTensor).empty();
  auto UnwrapOptional = [&](std::string &To, const Argument &A) {
    print<OptionalTensorText>(To, "std"_hole = Binds ? "std::" : "", "arg"_hole = A.Name);
  };
  auto RuleArg = [](const Argument &A) {
    return isTensor(A.Ty) || isOptionalTensor(A.Ty) ? A.Name + "_value, " + A.Name + "_bdim"
                                                    : A.Name;
  };
  print<FunctionText>(
      Out, "signature"_hole = Sig.decl(D, Op + "_generated_plumbing"), "asserts"_hole = Asserts,
      "checks"_hole = Asserts ? "" : LayerNames[unsigned(Kind)],
      "nothing_batched"_hole =
          each(Of([](const Type &T) { return T.isTensorLike(); }), NotBatched, " && "),
      "op"_hole = Op, "call_args"_hole = names(Sig.Params),
      "tensors"_hole = each(Of(isTensor), Unwrap, "\n"),
      "optional_tensors"_hole =
          [&](std::string &To) {
            for (const Argument &A : Of(isOptionalTensor)) {
              To += std::exchange(HasTensors, true) ? "\n" : "";
              UnwrapOptional(To, A);
            }
          },
      "wraps"_hole = Kind == Plumbing::Functional, "rule_args"_hole = each(S.Args.all(), RuleArg),
      "returns"_hole = returnedBy(Kind, S));
}

} // namespace

void generateVmapPlumbing(const AtenInput &In, FileWriter &Out) {
  print<FileText>(
      Out.buffer(), "functions"_hole = [&](std::string &To) {
        StringRef Separator;
        for (const NativeFunction &F : In.Ops.Functions) {
          auto Plan = planPlumbing(F, In.dialect());
          if (const auto *Kind = std::get_if<Plumbing>(&Plan)) {
            To += std::exchange(Separator, "\n");
            printPlumbing(To, *Kind, F, In.dialect());
          }
        }
      });
  Out.addBuffer({"VmapGeneratedPlumbing.h"});
}

} // namespace opsig
