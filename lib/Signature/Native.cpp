//===- Native.cpp - Kernels in at::native -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As the dispatcher convention, except that an optional tensor stays optional when it is written
// to, and that functions without out arguments keep their defaults, which callers of kernels rely
// on.
//
//===----------------------------------------------------------------------===//

#include "opsig/Signature/Signature.h"

namespace opsig {

namespace {

std::optional<std::string> defaultOf(const FunctionSchema &S, unsigned Index, const Dialect &D,
                                     bool SymInt) {
  const Argument &A = S.Args.All[Index];
  if (S.isOut())
    return std::nullopt;
  if (S.Args.isTensorOption(Index))
    return "{}"; // whatever the schema says
  if (!A.Default)
    return std::nullopt;
  return defaultText(*A.Default, A.Ty, D, SymInt);
}

/// Tensor options are optional here even where the schema wants a value.
CType typeOf(const FunctionSchema &S, unsigned Index, const Lowering &L, bool SymInt) {
  static constexpr CppBase OptionTypes[] = {CppBase::ScalarType, CppBase::Layout, CppBase::Device,
                                            CppBase::Bool};
  if (S.Args.isTensorOption(Index))
    return CType(OptionTypes[Index - S.Args.TensorOptionsIndex]).optional();
  return nativeType(S.Args.All[Index], L, SymInt);
}

} // namespace

CType nativeType(const Argument &A, const Lowering &L, bool SymInt) {
  if (A.Ty == Type(BaseTy::Tensor).optional()) {
    CType Tensor = CType(CppBase::Tensor).optional();
    return A.isWrite() && !L.ConstRefForMutableTensors ? Tensor.mutRef() : Tensor.constRef();
  }
  return cppType(A, L, SymInt);
}

std::string nativeName(const FunctionSchema &S) {
  std::string Name = cppName(S);
  if (!S.Name.Overload.empty())
    Name += "_" + S.Name.Overload;
  return Name;
}

Signature nativeSignature(const FunctionSchema &S, const Lowering &L, bool SymInt,
                          llvm::StringRef Prefix) {
  Signature Result;
  Result.Name = Prefix.str() + nativeName(S);
  Result.Returns = returnsType(S.Returns, L, SymInt);
  Result.Params.reserve(S.Args.All.size());
  for (unsigned Index = 0; Index < S.Args.All.size(); ++Index) {
    const Argument &A = S.Args.All[Index];
    Result.Params.push_back({A.Name,
                             {A.Name, false, typeOf(S, Index, L, SymInt)},
                             defaultOf(S, Index, *L.D, SymInt),
                             &A});
  }
  return Result;
}

} // namespace opsig
