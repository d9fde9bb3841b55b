//===- FunctionalizationArguments.cpp - Arguments and results of kernels ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Functionalize/FunctionalizationInternal.h"
#include "opsig/Support/Printer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace opsig {

namespace {

constexpr Template UnwrapText = R"(

      ${type} ${unwrapped};
      if (at::functionalization::impl::isFunctionalTensor(${arg})) {
        ${=sync}
        ${unwrapped} = at::functionalization::impl::from_functional_tensor(${arg});
      } else {
        ${unwrapped} = ${plain};
      })";
constexpr Template SyncText = "at::functionalization::impl::sync(${arg});";
constexpr Template IncludeText = "#include <ATen/ops/${root}_${suffix}.h>";
constexpr Template ToMetaText = "auto ${meta} = to_meta(${arg});";

/// A type that owns what a tensor argument holds, and how it is made from the argument.
struct Owned {
  CType Ty;
  std::string Value;
};

Owned ownedTensors(const Binding &B) {
  CType Ty = B.Type.Ty.withoutRefs();
  if (Ty.is(CppBase::TensorList))
    return {CType(CppBase::Tensor).vector(), B.Name + ".vec()"};
  if (Ty.is(CppBase::ITensorListRef))
    return {CType(CppBase::Tensor).vector(), "{" + B.Name + ".begin(), " + B.Name + ".end()}"};
  return {std::move(Ty), B.Name};
}

} // namespace

PreparedArguments unwrapTensors(const Signature &S, SyncInputs Sync, const Dialect &D) {
  std::vector<std::string> Statements;
  std::vector<Binding> Bindings = S.Params;
  for (Binding &B : Bindings) {
    if (!B.Arg->Ty.isTensorLike())
      continue;
    Owned As = ownedTensors(B);
    std::string Unwrapped = B.Name + "_";
    std::string SyncIt = Sync == SyncInputs::Yes ? printed<SyncText>("arg"_hole = B.Name) : "";
    Statements.push_back(printed<UnwrapText>("type"_hole = As.Ty.str(D),
                                             "unwrapped"_hole = Unwrapped, "arg"_hole = B.Name,
                                             "sync"_hole = SyncIt, "plain"_hole = As.Value));
    B.Name = std::move(Unwrapped);
  }
  return {llvm::join(Statements, "\n      "), std::move(Bindings)};
}

PreparedArguments convertToMeta(const Signature &S) {
  std::vector<std::string> Statements;
  std::vector<Binding> Bindings = S.Params;
  for (Binding &B : Bindings) {
    if (!B.Arg->Ty.isTensorLike())
      continue;
    std::string Meta = B.Name + "_meta";
    Statements.push_back(printed<ToMetaText>("meta"_hole = Meta, "arg"_hole = B.Name));
    B.Name = std::move(Meta);
  }
  return {llvm::join(Statements, "\n"), std::move(Bindings)};
}

std::string functionalizationName(const FunctionSchema &S) {
  std::string Name = cppName(S);
  if (!S.Name.Overload.empty())
    Name += "_" + S.Name.Overload;
  return Name;
}

std::string redispatchingDefn(const Signature &S, const FunctionSchema &Of, const Dialect &D) {
  std::string Text =
      S.Returns.str(D) + " " + functionalizationName(Of) + "(c10::DispatchKeySet dispatchKeySet";
  for (const Binding &B : S.Params)
    Text += ", " + B.defn(D);
  return Text + ")";
}

std::string returnedValue(StringRef Var, size_t Index, size_t NumReturns) {
  if (NumReturns == 1)
    return Var.str();
  return ("std::get<" + Twine(Index) + ">(" + Var + ")").str();
}

std::string returnStatement(ArrayRef<Return> Returns, ArrayRef<std::string> Names,
                            const Lowering &L) {
  if (Returns.empty())
    return "";
  if (Returns.size() == 1)
    return "return " + Names[0] + ";";
  return "return " + returnsType(Returns, L, /*SymInt=*/true).str(*L.D) + "(" +
         llvm::join(Names, ", ") + ");";
}

std::string opInclude(const NativeFunction &F, StringRef Suffix) {
  return printed<IncludeText>("root"_hole = F.rootName(), "suffix"_hole = Suffix);
}

//===-- Reports -------------------------------------------------------------===//

void reportFunctionalization(const NativeFunction &F, StringRef Why, Diagnostics &Diags) {
  std::string Op = F.Schema.Name.str();
  Diags
      .report(diag::FunctionalizationKernel, F.SchemaText.At,
              "no code for functionalization can be made for '{0}': {1}", Op, Why)
      .op(Op);
}

std::optional<std::string> orReport(Expected<std::string> Text, const NativeFunction &F,
                                    Diagnostics &Diags) {
  if (Text)
    return std::move(*Text);
  reportFunctionalization(F, toString(Text.takeError()), Diags);
  return std::nullopt;
}

} // namespace opsig
