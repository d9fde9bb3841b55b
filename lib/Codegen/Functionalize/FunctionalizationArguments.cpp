//===- FunctionalizationArguments.cpp - Arguments and results of kernels ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Functionalize/FunctionalizationInternal.h"
#include "opsig/Support/SchemaFindingIds.h"

using namespace llvm;

namespace opsig {

//===-- Tensors -------------------------------------------------------------===//

static ConvertedArguments convertTensors(const Signature &S, StringRef Suffix, const Dialect &D) {
  ConvertedArguments Result{{}, S.Params};
  for (Binding &B : Result.Bindings) {
    if (!B.Arg->Ty.isTensorLike())
      continue;
    ConvertedTensor T{B.Name, (B.Name + Suffix).str(), "", B.Name};
    CType Ty = B.Type.Ty.withoutRefs();
    bool IsList = Ty.is(CppBase::TensorList);
    if (IsList)
      T.Plain = B.Name + ".vec()";
    else if (Ty.is(CppBase::ITensorListRef))
      T.Plain = "{" + B.Name + ".begin(), " + B.Name + ".end()}";
    T.Type = (T.Plain == B.Name ? Ty : CType(CppBase::Tensor).vector()).str(D);
    B.Name = T.As;
    Result.Tensors.push_back(std::move(T));
  }
  return Result;
}

KernelPlan planKernel(const FunctionalizationKernel &K, const Dialect &D) {
  KernelPlan Plan{.For = K};
  Plan.Own = dispatcherSignature(K.Function->Schema, Lowering::of(*K.Function, D));
  Plan.Unwrapped = convertTensors(Plan.Own, "_", D);
  Plan.Meta = convertTensors(Plan.Own, "_meta", D);
  return Plan;
}

namespace {

constexpr Template UnwrapText = R"(

      ${type} ${unwrapped};
      if (at::functionalization::impl::isFunctionalTensor(${arg})) {
        ${=blank}${if sync}at::functionalization::impl::sync(${arg});${end}
        ${unwrapped} = at::functionalization::impl::from_functional_tensor(${arg});
      } else {
        ${unwrapped} = ${plain};
      })";

} // namespace

void printUnwrapping(std::string &Out, const ConvertedArguments &From, SyncInputs Sync) {
  auto Unwrap = [&](std::string &To, const ConvertedTensor &T) {
    print<UnwrapText>(To, "type"_hole = T.Type, "unwrapped"_hole = T.As, "arg"_hole = T.Arg,
                      "blank"_hole = "", "sync"_hole = Sync == SyncInputs::Yes,
                      "plain"_hole = T.Plain);
  };
  each(From.Tensors, Unwrap, "\n      ").print(Out, /*AsLines=*/false);
}

void printToMeta(std::string &Out, const ConvertedArguments &From) {
  for (const ConvertedTensor &T : From.Tensors)
    Out += "auto " + T.As + " = to_meta(" + T.Arg + ");\n";
}

//===-- Signatures and results ----------------------------------------------===//

std::string functionalizationName(const FunctionSchema &S) {
  std::string Name = cppName(S);
  if (!S.Name.Overload.empty())
    Name += "_" + S.Name.Overload;
  return Name;
}

std::string kernelDefn(const KernelPlan &Plan, const Dialect &D) {
  std::string Text;
  Plan.Own.appendDefn(Text, D, functionalizationName(Plan.For.Function->Schema), KeySetParam);
  return Text;
}

std::string valueType(ReturnCType Returns, const Dialect &D) {
  for (CType &Ty : Returns.Elements)
    Ty = Ty.withoutRefs();
  return Returns.str(D);
}

std::string returnedValue(StringRef Var, size_t Index, size_t NumReturns) {
  if (NumReturns == 1)
    return Var.str();
  return ("std::get<" + Twine(Index) + ">(" + Var + ")").str();
}

ReturnedNames returnedNames(const FunctionSchema &S, StringRef Var) {
  ReturnedNames Names;
  for (auto [I, Alias] : enumerate(S.aliasedReturnNames()))
    if (!Alias.empty())
      Names.Arguments.push_back(Alias);
    else
      Names.Fresh.push_back(returnedValue(Var, I, S.Returns.size()));
  return Names;
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

//===-- Reports -------------------------------------------------------------===//

void reportFunctionalization(const NativeFunction &F, StringRef Why, Findings &Diags) {
  std::string Op = F.Schema.Name.str();
  Diags
      .report(finding::FunctionalizationKernel, F.SchemaText.At,
              "cannot generate functionalization code for '{0}': {1}", Op, Why)
      .op(Op);
}

bool succeeded(const FirstError &Failed, const NativeFunction &F, Findings &Diags) {
  if (Failed)
    reportFunctionalization(F, *Failed.Why, Diags);
  return !Failed;
}

} // namespace opsig
