//===- UfuncCuda.cpp - CUDA kernels made from an elementwise function -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Ufunc/UfuncInternal.h"
#include "opsig/Support/Printer.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
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
constexpr Template ScalarValueText = "iter.scalar_value<opmath_t>(${operand})";

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

Expected<GeneralLoop> generalLoop(const UfuncKernel &K) {
  GeneralLoop Result;
  for (UfuncKey Key : {UfuncKey::ScalarOnly, UfuncKey::Generic}) {
    const UfuncInnerLoop *Loop = K.loop(Key);
    if (!Loop)
      continue;
    if (!Result.Name.empty() && Result.Name != Loop->Name)
      return createStringError(
          "for CUDA, ScalarOnly and Generic must name the same function, not '" + Result.Name +
          "' and '" + Loop->Name + "'");
    Result.Name = Loop->Name;
    for (StringRef Dtype : Loop->Dtypes)
      if (!is_contained(Result.Dtypes, Dtype))
        Result.Dtypes.push_back(Dtype);
  }
  if (Result.Name.empty())
    return createStringError("for CUDA, it needs a loop ScalarOnly or Generic");
  return Result;
}

Expected<std::string> functorText(const UfuncKernel &K, const Functor &F, StringRef Loop) {
  const Dialect &D = *K.D;
  std::vector<std::string> Fields, Initialisers;
  std::vector<Expr> Have;
  for (const Binding &B : F.Held) {
    Fields.push_back(B.Type.Ty.str(D) + " " + B.Name + "_;");
    Initialisers.push_back(B.Name + "_(" + B.Name + ")");
    Have.push_back({B.Name + "_", B.Type});
  }
  for (const Binding &B : F.Operands)
    Have.push_back(asExpr(B));
  Expected<std::string> Call = callUfunc(K, Loop, Have, CppBase::OpmathT);
  if (!Call)
    return Call.takeError();
  return printed<FunctorText>("functor"_hole = F.Name, "fields"_hole = llvm::join(Fields, "\n"),
                              "params"_hole = paramList(F.Held, D),
                              "initialisers"_hole = llvm::join(Initialisers, ", "),
                              "operands"_hole = paramList(F.Operands, D), "call"_hole = *Call);
}

/// Functors by scalar type and kind, and the texts of those that nobody wrote.
struct Functors {
  MapVector<StringRef, std::map<UfuncKey, const Functor *>> ByDtype;
  std::vector<std::string> Texts;
  std::deque<Functor> All;

  Error add(const UfuncKernel &K, const FunctorKind &Kind) {
    Functor &F = All.emplace_back();
    addParams(K, Kind.HeldTensor, F);
    if (const UfuncInnerLoop *Written = K.loop(Kind.Key)) {
      F.Name = Written->Name;
      F.Dtypes.assign(Written->Dtypes.begin(), Written->Dtypes.end());
    } else {
      Expected<GeneralLoop> Loop = generalLoop(K);
      if (!Loop)
        return Loop.takeError();
      F.Name = (toString(Kind.Key) + "_" + Loop->Name).str();
      F.Dtypes = Loop->Dtypes;
      Expected<std::string> Text = functorText(K, F, Loop->Name);
      if (!Text)
        return Text.takeError();
      Texts.push_back(std::move(*Text));
    }
    for (StringRef Dtype : F.Dtypes)
      ByDtype[Dtype][Kind.Key] = &F;
    return Error::success();
  }
};

Expected<std::unique_ptr<Functors>> functorsOf(const UfuncKernel &K) {
  auto Result = std::make_unique<Functors>();
  bool Binary = isBinary(K);
  if (!Binary)
    for (UfuncKey Key : {UfuncKey::CUDAFunctorOnSelf, UfuncKey::CUDAFunctorOnOther})
      if (K.loop(Key))
        return createStringError("loop '" + toString(Key) + "' is for functions of two tensors");
  for (const FunctorKind &Kind : Binary ? ArrayRef(BinaryKinds) : ArrayRef(GeneralKinds))
    if (Error Why = Result->add(K, Kind))
      return std::move(Why);
  return std::move(Result);
}

//===-- The body for a scalar type ------------------------------------------===//

/// Where an operand that is a CPU scalar goes to the functor that holds it.
struct ScalarOperand {
  unsigned Number; ///< in the iterator, in which the output is number 0
  StringLiteral Tensor;
  UfuncKey Key;
};
constexpr ScalarOperand ScalarOperands[] = {{1, "self", UfuncKey::CUDAFunctorOnOther},
                                            {2, "other", UfuncKey::CUDAFunctorOnSelf}};

Expected<std::string> functorArguments(const Functor &F, ArrayRef<Expr> Have, const Dialect &D) {
  std::vector<NamedCType> Want;
  for (const Binding &B : F.Held)
    Want.push_back(B.Type);
  Expected<std::vector<Expr>> Args = translate(Have, Want, D);
  if (!Args)
    return Args.takeError();
  return join(*Args);
}

Expected<std::string> scalarBranch(const ScalarOperand &Operand, const Functor &F,
                                   std::vector<Expr> Have, const Dialect &D) {
  std::string Number = std::to_string(Operand.Number);
  Have.push_back({printed<ScalarValueText>("operand"_hole = Number),
                  {Operand.Tensor.str(), false, CppBase::OpmathT}});
  Expected<std::string> Args = functorArguments(F, Have, D);
  if (!Args)
    return Args.takeError();
  return printed<ScalarBranchText>("operand"_hole = Number, "functor"_hole = F.Name,
                                   "args"_hole = *Args);
}

Expected<std::string> dtypeBody(const UfuncKernel &K,
                                const std::map<UfuncKey, const Functor *> &Functors) {
  std::vector<Expr> Have;
  Signature Impl = structuredImpl(*K.Group, *K.D);
  for (const Binding &B : Impl.Params)
    Have.push_back(asExpr(B));
  std::string Branches;
  for (const ScalarOperand &Operand : ScalarOperands) {
    auto F = Functors.find(Operand.Key);
    if (F == Functors.end())
      continue;
    Expected<std::string> Branch = scalarBranch(Operand, *F->second, Have, *K.D);
    if (!Branch)
      return Branch.takeError();
    Branches += *Branch;
  }
  auto General = Functors.find(UfuncKey::CUDAFunctor);
  if (General == Functors.end())
    return createStringError("for CUDA, every scalar type needs a loop for tensors alone");
  Expected<std::string> Args = functorArguments(*General->second, Have, *K.D);
  if (!Args)
    return Args.takeError();
  return printed<BodyText>("scalar_branches"_hole = Branches,
                           "functor"_hole = General->second->Name, "args"_hole = *Args);
}

} // namespace

Expected<std::string> ufuncCuda(const UfuncKernel &K) {
  Expected<std::unique_ptr<Functors>> All = functorsOf(K);
  if (!All)
    return All.takeError();
  std::vector<std::string> Cases;
  for (const auto &[Dtype, Functors] : (*All)->ByDtype) {
    Expected<std::string> Body = dtypeBody(K, Functors);
    if (!Body)
      return Body.takeError();
    Cases.push_back(dtypeCase(Dtype, *Body));
  }
  Expected<std::string> Args = K.stubArguments();
  if (!Args)
    return Args.takeError();
  return printed<CudaText>("functors"_hole = llvm::join((*All)->Texts, "\n"),
                           "stub"_hole = K.stubDeclaration(),
                           "kernel"_hole = dtypeSwitch(K, K.implName(DispatchKey::CUDA), Cases),
                           "op"_hole = K.Name, "ending"_hole = K.macroEnd(),
                           "impl"_hole = K.implDefn(DispatchKey::CUDA), "args"_hole = *Args);
}

} // namespace opsig
