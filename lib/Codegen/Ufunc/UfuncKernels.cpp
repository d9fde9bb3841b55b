//===- UfuncKernels.cpp - UfuncCPU_*.cpp, UfuncCPUKernel_*.cpp, UfuncCUDA_*.cu ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Api/FamilyPlansInternal.h"
#include "Ufunc/UfuncInternal.h"
#include "opsig/Codegen/Aten.h"
#include "opsig/Support/SchemaFindingIds.h"

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
  Signature Impl = structuredImpl(*Group, *D);
  return printed<ImplText>("impl"_hole = implName(Key),
                           "params"_hole = definitions(Impl.Params, *D));
}

std::string UfuncKernel::kernelDefn() const {
  return printed<KernelText>("op"_hole = Name, "params"_hole = definitions(StubParams, *D));
}

std::string UfuncKernel::stubDeclaration() const {
  auto Type = [&](const Binding &B) { return B.Type.Ty.str(*D); };
  return printed<StubText>("op"_hole = Name, "types"_hole = each(StubParams, Type),
                           "ending"_hole = macroEnd());
}

std::string UfuncKernel::stubArguments(FirstError &Failed) const {
  return argumentsFor(StubParams, structuredImpl(*Group, *D).Params, *D, Failed);
}

CType ufuncType(const Argument &A, const CType &Compute) {
  return A.Ty.is(BaseTy::Tensor) || A.Ty.is(BaseTy::Scalar) ? Compute : structuredType(A);
}

Expr asExpr(const Binding &B) { return {B.Name, B.Type}; }

std::string callUfunc(const UfuncKernel &K, StringRef Loop, const std::vector<Expr> &Have,
                      const CType &Compute, FirstError &Failed) {
  std::vector<NamedCType> Want;
  for (const Argument &A : K.Group->Functional->Schema.Args.nonOut())
    Want.push_back({A.Name, false, ufuncType(A, Compute)});
  return ("ufunc::" + Loop + "(" + join(Failed.take(translate(Have, Want, *K.D))) + ")").str();
}

std::string dtypeSwitch(const UfuncKernel &K, StringRef Label, ArrayRef<DtypeCase> Cases) {
  auto Case = [](std::string &To, const DtypeCase &C) {
    print<CaseText>(To, "dtype"_hole = C.Dtype, "body"_hole = C.Body);
  };
  return printed<SwitchText>("kernel"_hole = K.kernelDefn(), "label"_hole = Label,
                             "cases"_hole = each(Cases, Case, "\n"));
}

//===-- Files ---------------------------------------------------------------===//

namespace {

/// What has neither a loop over elements nor a value type cannot be handed to a ufunc.
std::string whyNoUfunc(const NativeFunctionsGroup &G) {
  auto IsValue = [](Type T) {
    while (T.isOptional())
      T = T.elem();
    if (T.isBase())
      return !T.is(BaseTy::Tensor) && !T.is(BaseTy::Scalar);
    return T.elem().is(BaseTy::Bool) && T.listSize() != 0;
  };
  for (const Argument &A : G.Functional->Schema.Args.nonOut())
    if (!A.Ty.is(BaseTy::Tensor) && !A.Ty.is(BaseTy::Scalar) && !IsValue(A.Ty))
      return "a ufunc cannot take '" + A.str() + "'";
  return "";
}

void report(const NativeFunctionsGroup &G, StringRef Why, Findings &Diags) {
  std::string Op = G.Out->Schema.Name.str();
  Diags
      .report(finding::UfuncKernel, G.Out->Entry, "cannot generate a ufunc kernel for '{0}': {1}",
              Op, Why)
      .op(Op);
}

class UfuncFiles {
  /// The meta class and the structured kernel.
  auto declarations(DispatchKey Key) const {
    const KernelEntry *Kernel = In.Ops.index(Key)->kernel(*K.Group->Out);
    std::string Meta;
    declareMeta(Meta, *K.Group, *K.D);
    return frame("meta_declaration"_hole = std::move(Meta),
                 "native_declaration"_hole = structuredDeclaration(*K.Group, *Kernel, *K.D));
  }

public:
  UfuncFiles(const AtenInput &In, const UfuncKernel &K, FileWriter &Out) : In(In), K(K), Out(Out) {}

  void addCpu() {
    std::vector<std::string> Names = ufuncFileNames(K.Name, DispatchKey::CPU);
    add({Names[0], "UfuncCPU.cpp"}, ufuncCpu, declarations(DispatchKey::CPU));
    add({Names[1], "UfuncCPUKernel.cpp", FileFolder::Main, FileList::CpuVec}, ufuncCpuKernel,
        frame("name"_hole = K.Name));
  }

  void addCuda() {
    StringRef Loops = In.Options.Rocm ? "#include <ATen/native/hip/Loops.cuh>"
                                      : "#include <ATen/native/cuda/Loops.cuh>";
    add({ufuncFileNames(K.Name, DispatchKey::CUDA)[0], "UfuncCUDA.cu", FileFolder::Main,
         FileList::Cuda},
        ufuncCuda,
        frame(declarations(DispatchKey::CUDA), "name"_hole = K.Name, "cuda_headers"_hole = Loops));
  }

private:
  template <typename T>
  void add(const FileSpec &Spec, std::string (*Make)(const UfuncKernel &, FirstError &),
           const T &Values) {
    FirstError Failed;
    std::string Text = Make(K, Failed);
    if (Failed)
      report(*K.Group, *Failed.Why, Out.diags());
    else
      Out.add(Spec, Values, "native_definitions"_hole = Text);
  }

  const AtenInput &In;
  const UfuncKernel &K;
  FileWriter &Out;
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

void generateUfuncKernels(const AtenInput &In, FileWriter &Out) {
  for (const FunctionOrGroup &FG : In.Ops.Grouped) {
    SmallVector<DispatchKey, 2> Keys = planUfuncs(FG, In.Keys);
    if (Keys.empty())
      continue;
    const auto &G = std::get<NativeFunctionsGroup>(FG);
    if (std::string Why = whyNoUfunc(G); !Why.empty()) {
      report(G, Why, Out.diags());
      continue;
    }
    UfuncKernel K = UfuncKernel::of(G, In.dialect());
    UfuncFiles Files(In, K, Out);
    for (DispatchKey Key : Keys)
      Key == DispatchKey::CUDA ? Files.addCuda() : Files.addCpu();
  }
}

} // namespace opsig
