//===- FunctionalizationMutations.cpp - Kernels of functions that write -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// out | inplace | mutable => call the functional variant on unwrapped tensors, replace what the
//   wrappers hold, return the wrappers
//
//===----------------------------------------------------------------------===//
#include "Functionalize/FunctionalizationInternal.h"
#include "opsig/Dialect/FunctionalizationTraits.h"

using namespace llvm;

namespace opsig {

namespace {

//===-- The shape of the emitted code ---------------------------------------===//

constexpr Template MutationText = R"(

    ${signature} {
      if (${checks_meta}${meta_switch}) {
        // Before converting the mutable op to its functional variant, run meta tensors through the original op.
        // This will help us catch shape errors that apply to inplace ops that wouldn't apply to their functional variants.
        // (We can only do this for inplace ops today though, because they ${technically} all support meta tensors).
        ${if guards_first}
        at::AutoDispatchSkipFunctionalize func_guard;
        c10::impl::ExcludeDispatchKeyGuard guard(exclude_keys_for_meta_dispatch);
        ${to_meta}
        ${else}
        ${to_meta}
        at::AutoDispatchSkipFunctionalize func_guard;
        c10::impl::ExcludeDispatchKeyGuard guard(exclude_keys_for_meta_dispatch);
        ${end}
        at::_ops::${op}::call(${meta_args});
      }
      ${=unwrap}
      if (!(true${written_are_functional})) {
        ${if spares_xla}
        // We want to disable this check if there are any XLA tensors.
        // cpu_tensor.copy_(xla_tensor) is valid code.
        if (!(false${others_are_xla}) && (false${others_are_functional})) {
        ${else}
        if ((false${others_are_functional})) {
        ${end}
         // case 1: trying to mutate a non functional tensor with a functional tensor is an error
         TORCH_INTERNAL_ASSERT(false,
           "mutating a non-functional tensor with a functional tensor is not allowed.",
           " Please ensure that all of your inputs are wrapped inside of a functionalize() call.");
        } else {
         // case 2: arguments are not functional tensors, so we no-op and redispatch.
         at::AutoDispatchSkipFunctionalize guard;
         ${if returns}${type} tmp_output = ${end}at::_ops::${op}::call(${args});
         ${=return_noop}${if ends_twice};${end}
        }
      } else {
        ${functional_type} tmp_output;
        {
          at::AutoDispatchSkipFunctionalize guard;
          tmp_output = at::_ops::${functional}::call(${functional_args});
        }
        ${=updates}    ${=return}
      }
    })";

constexpr Template IsFunctionalText = "at::functionalization::impl::isFunctionalTensor(${arg})";

constexpr Template WrapText = R"(
  auto output_${index} = at::functionalization::impl::to_functional_tensor(${value});
)";

// A result replaces what its argument holds.
constexpr Template UpdateText = R"(
${if between_inner}
  auto ${arg}_inner = at::functionalization::impl::from_functional_tensor(${arg});
${end}
${if from_result}
  at::functionalization::impl::propagate_xla_data(${arg}, ${value});
${end}
  at::functionalization::impl::replace_(${arg}, ${value});
  at::functionalization::impl::commit_update(${arg});
${if syncs}
  at::functionalization::impl::sync(${arg});
${end}
${if between_inner}
  auto ${arg}_inner_updated = at::functionalization::impl::from_functional_tensor(${arg});
  at::functionalization::impl::propagate_xla_data_direct(${arg}_inner, ${arg}_inner_updated);
${end}
)";

constexpr Template OutDtypeText =
    "${dtype}.has_value() ? ${dtype} : std::optional<at::ScalarType>(${out}.scalar_type())";

//===-- Plans ---------------------------------------------------------------===//

/// What is done with a result of the functional variant.
struct ResultUse {
  /// Whose tensor it replaces; null where it is returned anew.
  const Argument *Written;
  std::string Value;
};

/// The functional variant returns first what the function itself returns anew, then the new values
/// of what it writes.
std::vector<ResultUse> planResults(const FunctionSchema &S, const FunctionSchema &Functional,
                                   size_t NumFresh) {
  std::vector<ResultUse> Uses;
  for (std::string &Value : returnedNames(Functional, "tmp_output").Fresh)
    Uses.push_back({nullptr, std::move(Value)});
  for (const Argument &A : S.Args.all())
    if (A.isWrite())
      Uses[NumFresh++].Written = &A;
  return Uses;
}

/// Whether the op is tried on meta tensors before its functional variant runs.
bool checksMeta(const NativeFunction &F, const FunctionalizationTraits &Facts) {
  bool TakesStorage =
      any_of(F.Schema.Args.all(), [](const Argument &A) { return A.Ty.is(BaseTy::Storage); });
  return F.kind() == SchemaKind::Inplace && !(Facts.SparesStorageOps && TakesStorage);
}

/// \p Args of the functional variant: where the caller of an out function names no dtype, some are
/// asked for that of what is written.
void keepOutDtype(std::vector<Expr> &Args, const NativeFunction &F, const Dialect &D) {
  if (F.kind() != SchemaKind::Out || F.Schema.Args.NumOut != 1 ||
      !is_contained(D.Functionalization.KeepsOutDtype, F.Schema.Name.str()))
    return;
  std::string Out = F.Schema.Args.out().front().Name + "_";
  for (Expr &Arg : Args)
    if (Arg.Type.Name == "dtype")
      Arg.Text = printed<OutDtypeText>("dtype"_hole = Arg.Text, "out"_hole = Out);
}

//===-- Texts ---------------------------------------------------------------===//

void printUse(std::string &Out, const ResultUse &Use, size_t Index, MutationUpdate How) {
  if (!Use.Written)
    return print<WrapText>(Out, "index"_hole = utostr(Index), "value"_hole = Use.Value);
  print<UpdateText>(Out, "arg"_hole = Use.Written->Name, "value"_hole = Use.Value,
                    "from_result"_hole = How == MutationUpdate::XlaFromResult,
                    "between_inner"_hole = How == MutationUpdate::XlaBetweenInner,
                    "syncs"_hole = How != MutationUpdate::Commit);
}

/// A condition on the tensors that \p Test chooses, behind what it begins with.
template <typename Fn> auto conditions(const FunctionSchema &S, StringRef Join, Fn Test) {
  return each(
      make_filter_range(S.Args.all(),
                        [=](const Argument &A) { return A.Ty.isTensorLike() && Test(A); }),
      [=](std::string &Out, const Argument &A) {
        Out += Join;
        print<IsFunctionalText>(Out, "arg"_hole = A.Name);
      },
      "");
}

} // namespace

void printMutationKernel(std::string &Out, const KernelPlan &Plan, const Dialect &D,
                         FirstError &Failed) {
  const NativeFunction &F = *Plan.For.Function;
  const FunctionSchema &S = F.Schema;
  const FunctionSchema &Functional = Plan.For.Group->Functional->Schema;
  const FunctionalizationTraits &Facts = D.Functionalization;
  Lowering L = Lowering::of(F, D);
  Signature Inner = dispatcherSignature(Functional, L);
  std::string Args = argumentsFor(Plan.Own.Params, Plan.Unwrapped.Bindings, D, Failed);
  std::vector<Expr> InnerArgs = Failed.take(translate(Plan.Unwrapped.Bindings, Inner.Params, D));
  keepOutDtype(InnerArgs, F, D);
  ReturnedNames Names = returnedNames(S, "tmp_output");
  size_t NumFresh = Names.Fresh.size();
  std::vector<ResultUse> Uses = planResults(S, Functional, NumFresh);
  std::vector<std::string> Returned = Names.Arguments, ReturnedNoop = Names.Arguments;
  append_range(ReturnedNoop, Names.Fresh);
  for (size_t I = 0; I != NumFresh; ++I)
    Returned.push_back("output_" + utostr(I));

  auto Print = [&](std::string &To, const ResultUse &Use) {
    printUse(To, Use, &Use - Uses.data(), Facts.Mutations);
  };
  auto IsXla = [](const Argument &A) {
    return " || " + A.Name + ".device().type() == c10::DeviceType::XLA";
  };
  auto OtherTensors = make_filter_range(
      S.Args.all(), [](const Argument &A) { return !A.Annotation && A.Ty.is(BaseTy::Tensor); });
  print<MutationText>(
      Out, "signature"_hole = kernelDefn(Plan, D),
      "checks_meta"_hole = boolText(checksMeta(F, Facts)), "meta_switch"_hole = metaSwitch(Facts),
      "technically"_hole = Facts.MisspellsTechnically ? "technicaly" : "technically",
      "guards_first"_hole = Facts.Meta == MetaTensorUse::Always,
      "to_meta"_hole = [&](std::string &To) { printToMeta(To, Plan.Meta); },
      "meta_args"_hole = names(Plan.Meta.Bindings), "op"_hole = S.Name.unambiguous(),
      "unwrap"_hole =
          [&](std::string &To) { printUnwrapping(To, Plan.Unwrapped, SyncInputs::Yes); },
      "written_are_functional"_hole =
          conditions(S, " && ", [](const Argument &A) { return A.Annotation.has_value(); }),
      "others_are_functional"_hole =
          conditions(S, " || ", [](const Argument &A) { return !A.Annotation; }),
      "spares_xla"_hole = Facts.Mutations == MutationUpdate::XlaFromResult ||
                          Facts.Mutations == MutationUpdate::XlaBetweenInner,
      "others_are_xla"_hole = each(OtherTensors, IsXla, ""), "returns"_hole = !S.Returns.empty(),
      "type"_hole = valueType(Plan.Own.Returns, D), "args"_hole = Args,
      "return_noop"_hole = returnStatement(S.Returns, ReturnedNoop, L),
      "ends_twice"_hole = Facts.RedispatchEndsTwice,
      "functional_type"_hole = valueType(Inner.Returns, D),
      "functional"_hole = Functional.Name.unambiguous(), "functional_args"_hole = join(InnerArgs),
      "updates"_hole = each(Uses, Print, ""),
      "return"_hole = returnStatement(S.Returns, Returned, L));
}

} // namespace opsig
