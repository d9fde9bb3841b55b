//===- Structured.cpp - Meta and impl functions of structured kernels -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structured kernels run on real sizes, own nothing and return nothing: never SymInt, light-weight
// references for what is optional or a list, outputs as const references at the end of impl.
//
//===----------------------------------------------------------------------===//

#include "LoweringInternal.h"

namespace opsig {

namespace {

CType structuredType(const Type &T) {
  if (std::optional<CType> Value = valueType(T, /*SymInt=*/false))
    return *Value;
  if (T.isBase())
    return CType(T.is(BaseTy::Tensor) ? CppBase::Tensor : CppBase::Scalar).constRef();
  Type Elem = T.elem();
  if (T.isOptional()) {
    if (Elem.is(BaseTy::Tensor))
      return CppBase::OptionalTensorRef;
    if (Elem.is(BaseTy::Scalar))
      return CppBase::OptionalScalarRef;
    if (Elem.isList() && Elem.elem().is(BaseTy::Int))
      return CppBase::OptionalIntArrayRef;
    return structuredType(Elem).optional();
  }
  if (Elem.is(BaseTy::Tensor))
    return CType(CppBase::ITensorListRef).constRef();
  if (Elem == Type(BaseTy::Tensor).optional())
    return CppBase::IOptTensorListRef;
  if (Elem.is(BaseTy::Int))
    return CppBase::IntArrayRef;
  if (Elem.is(BaseTy::Dimname))
    return CppBase::DimnameList;
  return structuredType(Elem).arrayRef();
}

void add(std::vector<Binding> &Params, const Argument &A) {
  Params.push_back({A.Name, {A.Name, false, structuredType(A)}, std::nullopt, &A});
}

void add(std::vector<Binding> &Params, llvm::ArrayRef<Argument> Args) {
  for (const Argument &A : Args)
    add(Params, A);
}

} // namespace

CType structuredType(const Argument &A) { return structuredType(A.Ty); }

Signature structuredMeta(const NativeFunctionsGroup &G, const Dialect &) {
  Signature Result;
  Result.Name = "meta";
  add(Result.Params, G.Functional->Schema.Args.nonOut());
  return Result;
}

Signature structuredImpl(const NativeFunctionsGroup &G, const Dialect &) {
  const Arguments &Args = G.Out->Schema.Args;
  const std::optional<Precompute> &Precomputed = G.Out->Precomputed;
  Signature Result;
  Result.Name = "impl";
  for (const Argument &A : Args.nonOut()) {
    // `self` is never replaced, even if a precomputed item names it.
    const Precompute::Replacement *Replaced =
        Precomputed && &A != Args.self() ? Precomputed->replacementOf(A.Name) : nullptr;
    if (Replaced)
      add(Result.Params, Replaced->By);
    else
      add(Result.Params, A);
  }
  if (Precomputed)
    add(Result.Params, Precomputed->Add);
  add(Result.Params, Args.out());
  return Result;
}

std::string structuredMetaName(const NativeFunctionsGroup &G) {
  return G.Functional->Schema.Name.unambiguous();
}

} // namespace opsig
