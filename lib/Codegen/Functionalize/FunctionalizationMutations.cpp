//===- FunctionalizationMutations.cpp - Kernels of functions that write -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// out | inplace | mutable => call the functional variant on unwrapped tensors, replace what the
//   wrappers hold, return the wrappers
//
//===----------------------------------------------------------------------===//
#include "Functionalize/FunctionalizationInternal.h"
#include "opsig/Support/Printer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace opsig {

namespace {

//===-- The shape of the emitted code ---------------------------------------===//

constexpr Template MutationText = R"(

    ${signature} {
      if (${checks_meta}) {
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
      if (!(${written_are_functional})) {
        ${if others_are_xla}
        // We want to disable this check if there are any XLA tensors.
        // cpu_tensor.copy_(xla_tensor) is valid code.
        if (!(${others_are_xla}) && (${others_are_functional})) {
        ${else}
        if ((${others_are_functional})) {
        ${end}
         // case 1: trying to mutate a non functional tensor with a functional tensor is an error
         TORCH_INTERNAL_ASSERT(false,
           "mutating a non-functional tensor with a functional tensor is not allowed.",
           " Please ensure that all of your inputs are wrapped inside of a functionalize() call.");
        } else {
         // case 2: arguments are not functional tensors, so we no-op and redispatch.
         at::AutoDispatchSkipFunctionalize guard;
         ${output}at::_ops::${op}::call(${args});
         ${=return_noop}
        }
      } else {
        ${functional_type} tmp_output;
        {
          at::AutoDispatchSkipFunctionalize guard;
          tmp_output = at::_ops::${functional}::call(${functional_args});
        }
        ${=updates}
    ${=return}
      }
    })";

constexpr Template IsFunctionalText = "at::functionalization::impl::isFunctionalTensor(${arg})";
constexpr Template IsXlaText = "${arg}.device().type() == c10::DeviceType::XLA";

constexpr Template WrapText =
    "  auto output_${index} = at::functionalization::impl::to_functional_tensor(${value});";

constexpr Template OutDtypeText =
    "${dtype}.has_value() ? ${dtype} : std::optional<at::ScalarType>(${out}.scalar_type())";

// A result replaces what its argument holds.
constexpr Template CommitText =
    R"(  at::functionalization::impl::replace_(${arg}, ${value});
  at::functionalization::impl::commit_update(${arg});)";
constexpr Template CommitAndSyncText =
    R"(  at::functionalization::impl::replace_(${arg}, ${value});
  at::functionalization::impl::commit_update(${arg});
  at::functionalization::impl::sync(${arg});)";
constexpr Template CommitXlaFromResultText =
    R"(  at::functionalization::impl::propagate_xla_data(${arg}, ${value});
  at::functionalization::impl::replace_(${arg}, ${value});
  at::functionalization::impl::commit_update(${arg});
  at::functionalization::impl::sync(${arg});)";
constexpr Template CommitXlaBetweenInnerText =
    R"(  auto ${arg}_inner = at::functionalization::impl::from_functional_tensor(${arg});
  at::functionalization::impl::replace_(${arg}, ${value});
  at::functionalization::impl::commit_update(${arg});
  at::functionalization::impl::sync(${arg});
  auto ${arg}_inner_updated = at::functionalization::impl::from_functional_tensor(${arg});
  at::functionalization::impl::propagate_xla_data_direct(${arg}_inner, ${arg}_inner_updated);)";

//===-- Conditions ----------------------------------------------------------===//

/// Whether the op is tried on meta tensors before its functional variant runs.
std::string checksMeta(const NativeFunction &F, const FunctionalizationFacts &Facts) {
  bool TakesStorage =
      any_of(F.Schema.Args.all(), [](const Argument &A) { return A.Ty.is(BaseTy::Storage); });
  bool Checks = F.kind() == SchemaKind::Inplace && !(Facts.SparesStorageOps && TakesStorage);
  return ((Checks ? "true" : "false") + metaSwitch(Facts)).str();
}

/// The conditions on a kernel's tensors, each a chain that begins with its neutral value.
struct TensorConditions {
  std::string WrittenAreFunctional = "true";
  std::string OthersAreFunctional = "false";
  std::string OthersAreXla = "false";
};

TensorConditions tensorConditions(const FunctionSchema &S) {
  TensorConditions C;
  for (const Argument &A : S.Args.all()) {
    if (!A.Ty.isTensorLike())
      continue;
    std::string IsFunctional = printed<IsFunctionalText>("arg"_hole = A.Name);
    if (A.Annotation)
      C.WrittenAreFunctional += " && " + IsFunctional;
    else
      C.OthersAreFunctional += " || " + IsFunctional;
    if (!A.Annotation && A.Ty.is(BaseTy::Tensor))
      C.OthersAreXla += " || " + printed<IsXlaText>("arg"_hole = A.Name);
  }
  return C;
}

/// Whether functional and other tensors may be mixed if some are of XLA.
bool sparesXla(MutationUpdate How) {
  return How == MutationUpdate::XlaFromResult || How == MutationUpdate::XlaBetweenInner;
}

//===-- Results -------------------------------------------------------------===//

/// What a call of \p S that returned \p Var gives: arguments by name, and values of its own.
struct ReturnedNames {
  std::vector<std::string> Arguments;
  std::vector<std::string> Fresh;
};

ReturnedNames returnedNames(const FunctionSchema &S, StringRef Var) {
  ReturnedNames Names;
  for (auto [I, Alias] : enumerate(S.aliasedReturnNames())) {
    if (!Alias.empty())
      Names.Arguments.push_back(Alias);
    else
      Names.Fresh.push_back(returnedValue(Var, I, S.Returns.size()));
  }
  return Names;
}

std::string update(StringRef Arg, StringRef Value, MutationUpdate How) {
  auto ArgHole = "arg"_hole = Arg;
  auto ValueHole = "value"_hole = Value;
  switch (How) {
  case MutationUpdate::Commit:
    return printed<CommitText>(ArgHole, ValueHole);
  case MutationUpdate::CommitAndSync:
    return printed<CommitAndSyncText>(ArgHole, ValueHole);
  case MutationUpdate::XlaFromResult:
    return printed<CommitXlaFromResultText>(ArgHole, ValueHole);
  case MutationUpdate::XlaBetweenInner:
    return printed<CommitXlaBetweenInnerText>(ArgHole, ValueHole);
  }
  llvm_unreachable("unknown update");
}

/// The statements after the functional call, and what is returned then.
struct Results {
  std::string Updates;
  std::string Return;
};

/// The functional variant returns first what the function itself returns anew, then the new values
/// of what it writes.
Results results(const NativeFunction &F, const NativeFunction &Functional, const Lowering &L) {
  ReturnedNames Outer = returnedNames(F.Schema, "tmp_output");
  ArrayRef<std::string> Values;
  std::vector<std::string> Inner = returnedNames(Functional.Schema, "tmp_output").Fresh;
  Values = Inner;

  std::vector<std::string> Updates;
  std::vector<std::string> Returned = std::move(Outer.Arguments);
  for (auto [I, Value] : enumerate(Values.take_front(Outer.Fresh.size()))) {
    std::string Index = std::to_string(I);
    Updates.push_back(printed<WrapText>("index"_hole = Index, "value"_hole = Value));
    Returned.push_back("output_" + Index);
  }
  Values = Values.drop_front(Outer.Fresh.size());
  for (const Argument &A : F.Schema.Args.all())
    if (A.isWrite()) {
      Updates.push_back(update(A.Name, Values.front(), L.D->Functionalization.Mutations));
      Values = Values.drop_front();
    }
  return {llvm::join(Updates, "\n"), returnStatement(F.Schema.Returns, Returned, L)};
}

std::string valueType(ReturnCType Returns, const Dialect &D) {
  for (CType &Ty : Returns.Elements)
    Ty = Ty.withoutRefs();
  return Returns.str(D);
}

std::string returnNoop(const FunctionSchema &S, const Lowering &L) {
  ReturnedNames Names = returnedNames(S, "tmp_output");
  append_range(Names.Arguments, Names.Fresh);
  return returnStatement(S.Returns, Names.Arguments, L) +
         (L.D->Functionalization.RedispatchEndsTwice ? ";" : "");
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

std::string names(ArrayRef<Binding> Bindings) {
  return llvm::join(map_range(Bindings, [](const Binding &B) { return StringRef(B.Name); }), ", ");
}

} // namespace

//===-- Kernels -------------------------------------------------------------===//

Expected<std::string> mutationKernel(const FunctionalizationKernel &K, const Dialect &D) {
  const FunctionSchema &S = K.Function->Schema;
  const FunctionSchema &Functional = K.Group->Functional->Schema;
  const FunctionalizationFacts &Facts = D.Functionalization;
  Lowering L = Lowering::of(*K.Function, D);
  Signature Own = dispatcherSignature(S, L);
  Signature Inner = dispatcherSignature(Functional, L);
  PreparedArguments Unwrapped = unwrapTensors(Own, SyncInputs::Yes, D);
  PreparedArguments Meta = convertToMeta(Own);
  Expected<std::vector<Expr>> Args = translate(Unwrapped.Bindings, Own.Params, D);
  if (!Args)
    return Args.takeError();
  Expected<std::vector<Expr>> InnerArgs = translate(Unwrapped.Bindings, Inner.Params, D);
  if (!InnerArgs)
    return InnerArgs.takeError();
  keepOutDtype(*InnerArgs, *K.Function, D);
  TensorConditions Conditions = tensorConditions(S);
  Results R = results(*K.Function, *K.Group->Functional, L);
  return printed<MutationText>(
      "signature"_hole = redispatchingDefn(Own, S, D),
      "checks_meta"_hole = checksMeta(*K.Function, Facts),
      "technically"_hole = Facts.MisspellsTechnically ? "technicaly" : "technically",
      "guards_first"_hole = Facts.Meta == MetaTensorUse::Always, "to_meta"_hole = Meta.Statements,
      "meta_args"_hole = names(Meta.Bindings), "op"_hole = S.Name.unambiguous(),
      "unwrap"_hole = Unwrapped.Statements,
      "written_are_functional"_hole = Conditions.WrittenAreFunctional,
      "others_are_functional"_hole = Conditions.OthersAreFunctional,
      "others_are_xla"_hole = sparesXla(Facts.Mutations) ? StringRef(Conditions.OthersAreXla) : "",
      "output"_hole = S.Returns.empty() ? "" : valueType(Own.Returns, D) + " tmp_output = ",
      "args"_hole = join(*Args), "return_noop"_hole = returnNoop(S, L),
      "functional_type"_hole = valueType(Inner.Returns, D),
      "functional"_hole = Functional.Name.unambiguous(), "functional_args"_hole = join(*InnerArgs),
      "updates"_hole = R.Updates, "return"_hole = R.Return);
}

} // namespace opsig
