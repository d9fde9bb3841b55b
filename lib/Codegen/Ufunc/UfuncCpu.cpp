//===- UfuncCpu.cpp - CPU kernels made from an elementwise function ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Ufunc/UfuncInternal.h"
#include "opsig/Support/Printer.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace opsig {

namespace {

//===-- The shape of the emitted code ---------------------------------------===//

constexpr Template CpuText = R"(

${=stub}
DEFINE_DISPATCH(${op}_stub);

${impl} {
  ${op}_stub(device_type(), *this, ${args});
}
)";

constexpr Template KernelText = R"(

namespace {

${=kernel}

} // anonymous namespace

${=stub}
REGISTER_DISPATCH(${op}_stub, &${op}_kernel)${ending}
)";

constexpr Template ScalarText = "auto _s_${name} = ${name}.to<scalar_t>();";
constexpr Template VectorText = "auto _v_${name} = at::vec::Vectorized<scalar_t>(_s_${name});";

constexpr Template LambdaText = R"([=](${params}) { return ${call}; })";
constexpr Template LoopText = R"(

${=values}
cpu_kernel(iter,
  ${=scalar}
);
)";
constexpr Template VectorLoopText = R"(

${=values}
cpu_kernel_vec(iter,
  ${scalar},
  ${=vector}
);
)";

//===-- Which loop serves a scalar type -------------------------------------===//

struct CpuLoops {
  const UfuncInnerLoop *Scalar = nullptr;
  const UfuncInnerLoop *Vector = nullptr;
};

/// By scalar type, in the order of first mention. A loop for CPU alone comes before a general one.
MapVector<StringRef, CpuLoops> loopsByDtype(const UfuncKernel &K) {
  MapVector<StringRef, CpuLoops> Loops;
  for (UfuncKey Key : {UfuncKey::CPUScalar, UfuncKey::ScalarOnly, UfuncKey::Generic})
    if (const UfuncInnerLoop *Loop = K.loop(Key))
      for (StringRef Dtype : Loop->Dtypes)
        if (CpuLoops &Of = Loops[Dtype]; !Of.Scalar)
          Of.Scalar = Loop;
  for (UfuncKey Key : {UfuncKey::CPUVector, UfuncKey::Generic})
    if (const UfuncInnerLoop *Loop = K.loop(Key))
      for (StringRef Dtype : Loop->Dtypes)
        if (CpuLoops &Of = Loops[Dtype]; !Of.Vector)
          Of.Vector = Loop;
  return Loops;
}

//===-- The body for a scalar type ------------------------------------------===//

/// The scalars of the stub as elements: variables _s_<name>, and _v_<name> for vectors.
struct ScalarValues {
  std::vector<std::string> Lines;
  std::vector<Expr> Have;

  void add(const UfuncKernel &K, bool Vectors) {
    CType Element = CppBase::ScalarT;
    for (const Binding &B : K.StubParams) {
      if (!B.Arg->Ty.is(BaseTy::Scalar))
        continue;
      Lines.push_back(Vectors ? printed<VectorText>("name"_hole = B.Name)
                              : printed<ScalarText>("name"_hole = B.Name));
      Have.push_back({(Vectors ? "_v_" : "_s_") + B.Name,
                      {B.Name, false, Vectors ? Element.in(CTypeLayer::Vectorized) : Element}});
    }
  }
};

/// The lambda that computes one element, or one vector of them.
Expected<std::string> lambda(const UfuncKernel &K, const UfuncInnerLoop &Loop,
                             const ScalarValues &Scalars, const CType &Element) {
  std::vector<Binding> Params;
  std::vector<Expr> Have = Scalars.Have;
  for (const Argument &A : K.Group->Functional->Schema.Args.nonOut())
    if (A.Ty.isTensorLike()) {
      Params.push_back({A.Name, {A.Name, false, Element}, std::nullopt, &A});
      Have.push_back(asExpr(Params.back()));
    }
  Expected<std::string> Call = callUfunc(K, Loop.Name, Have, Element);
  if (!Call)
    return Call.takeError();
  return printed<LambdaText>("params"_hole = paramList(Params, *K.D), "call"_hole = *Call);
}

Expected<std::string> dtypeBody(const UfuncKernel &K, const CpuLoops &Loops) {
  CType Element = CppBase::ScalarT;
  ScalarValues Values;
  Values.add(K, /*Vectors=*/false);
  if (Loops.Vector)
    Values.add(K, /*Vectors=*/true);
  std::string Lines = llvm::join(Values.Lines, "\n");

  Expected<std::string> Scalar = lambda(K, *Loops.Scalar, Values, Element);
  if (!Scalar || !Loops.Vector)
    return Scalar ? printed<LoopText>("values"_hole = Lines, "scalar"_hole = *Scalar)
                  : Expected<std::string>(Scalar.takeError());
  Expected<std::string> Vector =
      lambda(K, *Loops.Vector, Values, Element.in(CTypeLayer::Vectorized));
  if (!Vector)
    return Vector.takeError();
  return printed<VectorLoopText>("values"_hole = Lines, "scalar"_hole = *Scalar,
                                 "vector"_hole = *Vector);
}

} // namespace

Expected<std::string> ufuncCpu(const UfuncKernel &K) {
  Expected<std::string> Args = K.stubArguments();
  if (!Args)
    return Args.takeError();
  return printed<CpuText>("stub"_hole = K.stubDeclaration(), "op"_hole = K.Name,
                          "impl"_hole = K.implDefn(DispatchKey::CPU), "args"_hole = *Args);
}

Expected<std::string> ufuncCpuKernel(const UfuncKernel &K) {
  std::vector<std::string> Cases;
  for (const auto &[Dtype, Loops] : loopsByDtype(K)) {
    if (!Loops.Scalar)
      return createStringError("scalar type '" + Dtype + "' has a vectorized loop only");
    Expected<std::string> Body = dtypeBody(K, Loops);
    if (!Body)
      return Body.takeError();
    Cases.push_back(dtypeCase(Dtype, *Body));
  }
  return printed<KernelText>("kernel"_hole = dtypeSwitch(K, K.Name + "_stub", Cases),
                             "stub"_hole = K.stubDeclaration(), "op"_hole = K.Name,
                             "ending"_hole = K.macroEnd());
}

} // namespace opsig
