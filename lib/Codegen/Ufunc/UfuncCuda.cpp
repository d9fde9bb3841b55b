//===- UfuncCuda.cpp - CUDA kernels made from an elementwise function -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Ufunc/UfuncInternal.h"
#include "llvm/ADT/MapVector.h"
#include <deque>
#include <map>

using namespace llvm;

namespace opsig {

namespace {

//===-- The shape of the emitted code ---------------------------------------===//

constexpr Template FunctorText = R"(

template <typename scalar_t>
struct ${functor} {
  using opmath_t = at::opmath_type<scalar_t>;
  ${=fields}
  ${functor}(${params}) : ${initialisers} {}
  __device__ scalar_t operator()(${operands}) const {
    return ${call};
  }
};
)";

// A branch begins where the one before it ends.
constexpr Template BodyText = R"(using opmath_t = at::opmath_type<scalar_t>;if (false) {}
${=scalar_branches}
else {
  gpu_kernel(iter, ${functor}<scalar_t>(${args}));
}
    )";
constexpr Template ScalarBranchText = R"(else if (iter.is_cpu_scalar(${operand})) {
  ${functor}<scalar_t> ufunctor(${args});
  iter.remove_operand(${operand});
  gpu_kernel(iter, ufunctor);
})";

constexpr Template CudaText = R"(

${=functors}

${=stub}

${=kernel}
REGISTER_DISPATCH(${op}_stub, &${op}_kernel)${ending}

${impl} {
  ${op}_kernel(*this, ${args});
}
)";

//===-- Functors ------------------------------------------------------------===//

/// A functor holds what is not a tensor, and of a binary operator with a CPU scalar that tensor.
struct FunctorKind {
  UfuncKey Key;
  /// Which tensor it holds; none: all are operands.
  std::optional<unsigned> HeldTensor;
};
constexpr FunctorKind BinaryKinds[] = {{UfuncKey::CUDAFunctorOnSelf, 1},
                                       {UfuncKey::CUDAFunctorOnOther, 0},
                                       {UfuncKey::CUDAFunctor, std::nullopt}};
constexpr FunctorKind GeneralKinds[] = {{UfuncKey::CUDAFunctor, std::nullopt}};

struct Functor {
  std::string Name;
  std::vector<Binding> Held, Operands;
  std::vector<StringRef> Dtypes;
};

bool isBinary(const UfuncKernel &K) {
  return count_if(K.Group->Functional->Schema.Args.nonOut(),
                  [](const Argument &A) { return A.Ty.isTensorLike(); }) == 2;
}

void addParams(const UfuncKernel &K, std::optional<unsigned> HeldTensor, Functor &F) {
  unsigned Tensor = 0;
  for (const Argument &A : K.Group->Functional->Schema.Args.nonOut()) {
    bool IsOperand = A.Ty.isTensorLike() && HeldTensor != Tensor;
    if (A.Ty.isTensorLike())
      ++Tensor;
    CType Ty = IsOperand ? CType(CppBase::ScalarT) : ufuncType(A, CppBase::OpmathT);
    (IsOperand ? F.Operands : F.Held).push_back({A.Name, {A.Name, false, Ty}, std::nullopt, &A});
  }
}

/// The function that an unwritten functor calls, and the scalar types that it serves.
struct GeneralLoop {
  StringRef Name;
  std::vector<StringRef> Dtypes;
};

GeneralLoop generalLoop(const UfuncKernel &K, FirstError &Failed) {
  GeneralLoop Result;
  for (UfuncKey Key : {UfuncKey::ScalarOnly, UfuncKey::Generic}) {
    const UfuncInnerLoop *Loop = K.loop(Key);
    if (!Loop)
      continue;
    if (!Result.Name.empty() && Result.Name != Loop->Name)
      Failed.fail(
          "in a CUDA kernel, 'ScalarOnly' and 'Generic' must name the same function, not '" +
          Result.Name + "' and '" + Loop->Name + "'");
    Result.Name = Loop->Name;
    for (StringRef Dtype : Loop->Dtypes)
      if (!is_contained(Result.Dtypes, Dtype))
        Result.Dtypes.push_back(Dtype);
  }
  if (Result.Name.empty())
    Failed.fail("a CUDA kernel needs a 'ScalarOnly' or 'Generic' loop");
  return Result;
}

std::string functorText(const UfuncKernel &K, const Functor &F, StringRef Loop,
                        FirstError &Failed) {
  std::vector<Expr> Have;
  for (const Binding &B : F.Held)
    Have.push_back({B.Name + "_", B.Type});
  for (const Binding &B : F.Operands)
    Have.push_back(asExpr(B));
  auto Field = [&](const Binding &B) { return B.Type.Ty.str(*K.D) + " " + B.Name + "_;"; };
  auto Initialise = [](const Binding &B) { return B.Name + "_(" + B.Name + ")"; };
  return printed<FunctorText>("functor"_hole = F.Name, "fields"_hole = each(F.Held, Field, "\n"),
                              "params"_hole = definitions(F.Held, *K.D),
                              "initialisers"_hole = each(F.Held, Initialise),
                              "operands"_hole = definitions(F.Operands, *K.D),
                              "call"_hole = callUfunc(K, Loop, Have, CppBase::OpmathT, Failed));
}

/// Functors by scalar type and kind, and the texts of those that nobody wrote.
struct Functors {
  MapVector<StringRef, std::map<UfuncKey, const Functor *>> ByDtype;
  std::vector<std::string> Texts;
  std::deque<Functor> All;

  Functors(const UfuncKernel &K, FirstError &Failed) {
    bool Binary = isBinary(K);
    for (UfuncKey Key : {UfuncKey::CUDAFunctorOnSelf, UfuncKey::CUDAFunctorOnOther})
      if (!Binary && K.loop(Key))
        Failed.fail("loop '" + toString(Key) + "' is for functions of two tensors");
    for (const FunctorKind &Kind : Binary ? ArrayRef(BinaryKinds) : ArrayRef(GeneralKinds))
      add(K, Kind, Failed);
  }

  void add(const UfuncKernel &K, const FunctorKind &Kind, FirstError &Failed) {
    Functor &F = All.emplace_back();
    addParams(K, Kind.HeldTensor, F);
    if (const UfuncInnerLoop *Written = K.loop(Kind.Key)) {
      F.Name = Written->Name;
      F.Dtypes.assign(Written->Dtypes.begin(), Written->Dtypes.end());
    } else {
      GeneralLoop Loop = generalLoop(K, Failed);
      F.Name = (toString(Kind.Key) + "_" + Loop.Name).str();
      F.Dtypes = Loop.Dtypes;
      Texts.push_back(functorText(K, F, Loop.Name, Failed));
    }
    for (StringRef Dtype : F.Dtypes)
      ByDtype[Dtype][Kind.Key] = &F;
  }
};

//===-- The body for a scalar type ------------------------------------------===//

/// Where an operand that is a CPU scalar goes to the functor that holds it.
struct ScalarOperand {
  unsigned Number; ///< in the iterator, in which the output is number 0
  StringLiteral Tensor;
  UfuncKey Key;
};
constexpr ScalarOperand ScalarOperands[] = {{1, "self", UfuncKey::CUDAFunctorOnOther},
                                            {2, "other", UfuncKey::CUDAFunctorOnSelf}};

std::string dtypeBody(const UfuncKernel &K, const std::map<UfuncKey, const Functor *> &Functors,
                      FirstError &Failed) {
  const Dialect &D = *K.D;
  std::vector<Expr> Have;
  Signature Impl = structuredImpl(*K.Group, D);
  for (const Binding &B : Impl.Params)
    Have.push_back(asExpr(B));
  std::string Branches;
  for (const ScalarOperand &Operand : ScalarOperands) {
    auto F = Functors.find(Operand.Key);
    if (F == Functors.end())
      continue;
    std::string Number = utostr(Operand.Number);
    std::vector<Expr> WithScalar = Have;
    WithScalar.push_back({"iter.scalar_value<opmath_t>(" + Number + ")",
                          {Operand.Tensor.str(), false, CppBase::OpmathT}});
    print<ScalarBranchText>(Branches, "operand"_hole = Number, "functor"_hole = F->second->Name,
                            "args"_hole = argumentsFor(F->second->Held, WithScalar, D, Failed));
  }
  auto General = Functors.find(UfuncKey::CUDAFunctor);
  if (General == Functors.end()) {
    Failed.fail("a CUDA kernel needs a tensor-only loop for every scalar type");
    return "";
  }
  return printed<BodyText>("scalar_branches"_hole = Branches,
                           "functor"_hole = General->second->Name,
                           "args"_hole = argumentsFor(General->second->Held, Have, D, Failed));
}

} // namespace

std::string ufuncCuda(const UfuncKernel &K, FirstError &Failed) {
  Functors All(K, Failed);
  std::vector<DtypeCase> Cases;
  for (const auto &[Dtype, Functors] : All.ByDtype)
    Cases.push_back({Dtype, dtypeBody(K, Functors, Failed)});
  return printed<CudaText>(
      "functors"_hole = llvm::join(All.Texts, "\n"), "stub"_hole = K.stubDeclaration(),
      "kernel"_hole = dtypeSwitch(K, K.implName(DispatchKey::CUDA), Cases), "op"_hole = K.Name,
      "ending"_hole = K.macroEnd(), "impl"_hole = K.implDefn(DispatchKey::CUDA),
      "args"_hole = K.stubArguments(Failed));
}

} // namespace opsig
