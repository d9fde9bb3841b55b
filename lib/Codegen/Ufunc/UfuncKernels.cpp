//===- UfuncKernels.cpp - UfuncCPU_*.cpp, UfuncCPUKernel_*.cpp, UfuncCUDA_*.cu ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Api/KernelDeclarationsInternal.h"
#include "Ufunc/UfuncInternal.h"
#include "opsig/Codegen/Sharding.h"
#include "opsig/Support/Printer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace opsig {

namespace {

constexpr Template ImplText = "TORCH_IMPL_FUNC(${impl})(${params})";
constexpr Template KernelText = "void ${op}_kernel(TensorIteratorBase& iter, ${params})";
constexpr Template StubText = R"(using ${op}_fn = void(*)(TensorIteratorBase&, ${types});
DECLARE_DISPATCH(${op}_fn, ${op}_stub)${ending})";

constexpr Template CaseText = R"(

AT_DISPATCH_CASE(at::ScalarType::${dtype},
  [&]() {
    ${=body}
  }
)
)";
constexpr Template SwitchText = R"(${kernel} {
  AT_DISPATCH_SWITCH(iter.common_dtype(), "${label}",
    ${=cases}
  );
})";

} // namespace

//===-- What the files share ------------------------------------------------===//

UfuncKernel UfuncKernel::of(const NativeFunctionsGroup &G, const Dialect &D) {
  UfuncKernel K{&G, &D, G.Functional->Schema.Name.Name.str(), {}};
  for (const Argument &A : G.Out->Schema.Args.nonOut())
    if (!A.Ty.isTensorLike())
      K.StubParams.push_back({A.Name, {A.Name, false, structuredType(A)}, std::nullopt, &A});
  return K;
}

const UfuncInnerLoop *UfuncKernel::loop(UfuncKey Key) const {
  for (const UfuncInnerLoop &Loop : Group->Out->UfuncInnerLoops)
    if (Loop.Key == Key)
      return &Loop;
  return nullptr;
}

std::string UfuncKernel::implName(DispatchKey Key) const {
  return "ufunc_" + Group->Out->Schema.Name.Name.str() + "_" + toString(Key).str();
}

std::string UfuncKernel::implDefn(DispatchKey Key) const {
  return printed<ImplText>("impl"_hole = implName(Key),
                           "params"_hole = paramList(structuredImpl(*Group, *D).Params, *D));
}

std::string UfuncKernel::kernelDefn() const {
  return printed<KernelText>("op"_hole = Name, "params"_hole = paramList(StubParams, *D));
}

std::string UfuncKernel::stubDeclaration() const {
  std::string Types =
      llvm::join(map_range(StubParams, [&](const Binding &B) { return B.Type.Ty.str(*D); }), ", ");
  return printed<StubText>("op"_hole = Name, "types"_hole = Types, "ending"_hole = macroEnd());
}

Expected<std::string> UfuncKernel::stubArguments() const {
  Expected<std::vector<Expr>> Args = translate(structuredImpl(*Group, *D).Params, StubParams, *D);
  if (!Args)
    return Args.takeError();
  return join(*Args);
}

CType ufuncType(const Argument &A, const CType &Compute) {
  return A.Ty.is(BaseTy::Tensor) || A.Ty.is(BaseTy::Scalar) ? Compute : structuredType(A);
}

Expr asExpr(const Binding &B) { return {B.Name, B.Type}; }

std::string paramList(ArrayRef<Binding> Params, const Dialect &D) {
  return llvm::join(map_range(Params, [&](const Binding &B) { return B.defn(D); }), ", ");
}

Expected<std::string> callUfunc(const UfuncKernel &K, StringRef Loop, ArrayRef<Expr> Have,
                                const CType &Compute) {
  std::vector<NamedCType> Want;
  for (const Argument &A : K.Group->Functional->Schema.Args.nonOut())
    Want.push_back({A.Name, false, ufuncType(A, Compute)});
  Expected<std::vector<Expr>> Args = translate(Have, Want, *K.D);
  if (!Args)
    return Args.takeError();
  return ("ufunc::" + Loop + "(" + join(*Args) + ")").str();
}

std::string dtypeCase(StringRef Dtype, StringRef Body) {
  return printed<CaseText>("dtype"_hole = Dtype, "body"_hole = Body);
}

std::string dtypeSwitch(const UfuncKernel &K, StringRef Label, ArrayRef<std::string> Cases) {
  return printed<SwitchText>("kernel"_hole = K.kernelDefn(), "label"_hole = Label,
                             "cases"_hole = llvm::join(Cases, "\n"));
}

//===-- Files ---------------------------------------------------------------===//

namespace {

/// What has neither a loop over elements nor a value type cannot be handed to a ufunc.
Error checkArguments(const NativeFunctionsGroup &G) {
  auto IsValue = [](Type T) {
    while (T.isOptional())
      T = T.elem();
    if (T.isBase())
      return !T.is(BaseTy::Tensor) && !T.is(BaseTy::Scalar);
    return T.elem().is(BaseTy::Bool) && T.listSize() != 0;
  };
  for (const Argument &A : G.Functional->Schema.Args.nonOut())
    if (!A.Ty.is(BaseTy::Tensor) && !A.Ty.is(BaseTy::Scalar) && !IsValue(A.Ty))
      return createStringError("no ufunc takes '" + A.str() + "'");
  return Error::success();
}

void report(const NativeFunctionsGroup &G, Error Why, Diagnostics &Diags) {
  std::string Op = G.Out->Schema.Name.str();
  Diags
      .report(diag::UfuncKernel, G.Out->Entry, "'{0}' gets no ufunc kernel: {1}", Op,
              toString(std::move(Why)))
      .op(Op);
}

class UfuncFiles {
public:
  UfuncFiles(const AtenInput &In, const UfuncKernel &K, AtenSink Out, Diagnostics &Diags)
      : In(In), K(K), Out(Out), Diags(Diags) {}

  void addCpu() {
    std::vector<std::string> Names = ufuncFileNames(K.Name, DispatchKey::CPU);
    if (std::optional<std::string> Text = textOf(ufuncCpu(K)))
      add({AtenFolder::Main, AtenList::Main, Names[0], "UfuncCPU.cpp"}, *Text,
          declarations(DispatchKey::CPU));
    if (std::optional<std::string> Text = textOf(ufuncCpuKernel(K)))
      add({AtenFolder::Main, AtenList::CpuVec, Names[1], "UfuncCPUKernel.cpp"}, *Text,
          {{"name", K.Name}});
  }

  void addCuda() {
    std::optional<std::string> Text = textOf(ufuncCuda(K));
    if (!Text)
      return;
    TemplateValues Values = declarations(DispatchKey::CUDA);
    Values["name"] = K.Name;
    Values["cuda_headers"] = In.Options.Rocm ? "#include <ATen/native/hip/Loops.cuh>"
                                             : "#include <ATen/native/cuda/Loops.cuh>";
    std::vector<std::string> Names = ufuncFileNames(K.Name, DispatchKey::CUDA);
    add({AtenFolder::Main, AtenList::Cuda, Names[0], "UfuncCUDA.cu"}, *Text, std::move(Values));
  }

private:
  std::optional<std::string> textOf(Expected<std::string> Text) {
    if (Text)
      return std::move(*Text);
    report(*K.Group, Text.takeError(), Diags);
    return std::nullopt;
  }

  /// The meta class and the structured kernel.
  TemplateValues declarations(DispatchKey Key) const {
    const KernelEntry *Kernel = In.Ops.index(Key)->kernel(*K.Group->Out);
    return {{"meta_declaration", metaDeclaration(*K.Group, *K.D)},
            {"native_declaration", structuredDeclaration(*K.Group, *Kernel, *K.D)}};
  }

  void add(const AtenFileSpec &Spec, StringRef Definitions, TemplateValues Values) {
    Values["native_definitions"] = Definitions.str();
    addFile(In, Spec, std::move(Values), {"native_definitions"}, Out, Diags);
  }

  const AtenInput &In;
  const UfuncKernel &K;
  AtenSink Out;
  Diagnostics &Diags;
};

} // namespace

SmallVector<DispatchKey, 2> planUfuncs(const FunctionOrGroup &FG,
                                       ArrayRef<DispatchKey> Registered) {
  SmallVector<DispatchKey, 2> Keys;
  const auto *G = std::get_if<NativeFunctionsGroup>(&FG);
  if (G && G->structured() && !G->Out->UfuncInnerLoops.empty())
    for (DispatchKey Key : {DispatchKey::CPU, DispatchKey::CUDA})
      if (is_contained(Registered, Key))
        Keys.push_back(Key);
  return Keys;
}

std::vector<std::string> ufuncFileNames(StringRef Op, DispatchKey Key) {
  if (Key == DispatchKey::CUDA)
    return {("UfuncCUDA_" + Op + ".cu").str()};
  return {("UfuncCPU_" + Op + ".cpp").str(), ("UfuncCPUKernel_" + Op + ".cpp").str()};
}

void generateUfuncKernels(const AtenInput &In, AtenSink Out, Diagnostics &Diags) {
  for (const FunctionOrGroup &FG : In.Ops.Grouped) {
    SmallVector<DispatchKey, 2> Keys = planUfuncs(FG, In.Keys);
    if (Keys.empty())
      continue;
    const auto &G = std::get<NativeFunctionsGroup>(FG);
    if (Error Why = checkArguments(G)) {
      report(G, std::move(Why), Diags);
      continue;
    }
    UfuncKernel K = UfuncKernel::of(G, In.dialect());
    UfuncFiles Files(In, K, Out, Diags);
    for (DispatchKey Key : Keys)
      Key == DispatchKey::CUDA ? Files.addCuda() : Files.addCpu();
  }
}

} // namespace opsig
