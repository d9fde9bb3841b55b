//===- UfuncCpu.cpp - CPU kernels made from an elementwise function ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Ufunc/UfuncInternal.h"
#include "llvm/ADT/MapVector.h"

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

constexpr Template LoopText = R"(

${=values}
cpu_kernel${if vector}_vec${end}(iter,
  [=](${params}) { return ${scalar}; }${if vector},
  [=](${vector_params}) { return ${vector}; }${end}
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

/// What the lambda for one element, or for one vector of them, takes and calls.
struct Lambda {
  std::vector<Binding> Params;
  std::string Call;
};

Lambda lambda(const UfuncKernel &K, const UfuncInnerLoop &Loop, std::vector<Expr> Have,
              const CType &Element, FirstError &Failed) {
  Lambda Result;
  for (const Argument &A : K.Group->Functional->Schema.Args.nonOut())
    if (A.Ty.isTensorLike()) {
      Result.Params.push_back({A.Name, {A.Name, false, Element}, std::nullopt, &A});
      Have.push_back(asExpr(Result.Params.back()));
    }
  Result.Call = callUfunc(K, Loop.Name, Have, Element, Failed);
  return Result;
}

std::string dtypeBody(const UfuncKernel &K, const CpuLoops &Loops, FirstError &Failed) {
  CType Element = CppBase::ScalarT;
  ScalarValues Values;
  Values.add(K, /*Vectors=*/false);
  Lambda Vector;
  if (Loops.Vector) {
    Values.add(K, /*Vectors=*/true);
    Vector = lambda(K, *Loops.Vector, Values.Have, Element.in(CTypeLayer::Vectorized), Failed);
  }
  Lambda Scalar = lambda(K, *Loops.Scalar, Values.Have, Element, Failed);
  return printed<LoopText>(
      "values"_hole = llvm::join(Values.Lines, "\n"),
      "params"_hole = definitions(Scalar.Params, *K.D), "scalar"_hole = Scalar.Call,
      "vector_params"_hole = definitions(Vector.Params, *K.D), "vector"_hole = Vector.Call);
}

} // namespace

std::string ufuncCpu(const UfuncKernel &K, FirstError &Failed) {
  return printed<CpuText>("stub"_hole = K.stubDeclaration(), "op"_hole = K.Name,
                          "impl"_hole = K.implDefn(DispatchKey::CPU),
                          "args"_hole = K.stubArguments(Failed));
}

std::string ufuncCpuKernel(const UfuncKernel &K, FirstError &Failed) {
  std::vector<DtypeCase> Cases;
  for (const auto &[Dtype, Loops] : loopsByDtype(K)) {
    if (!Loops.Scalar)
      Failed.fail("scalar type '" + Dtype +
                  "' has only a vectorized loop, but also needs a scalar one");
    else
      Cases.push_back({Dtype, dtypeBody(K, Loops, Failed)});
  }
  return printed<KernelText>("kernel"_hole = dtypeSwitch(K, K.Name + "_stub", Cases),
                             "stub"_hole = K.stubDeclaration(), "op"_hole = K.Name,
                             "ending"_hole = K.macroEnd());
}

} // namespace opsig
