//===- Lowerable.cpp - Which schemas have C++ signatures --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The schema language can write down more than the conventions can say in C++.
//
//===----------------------------------------------------------------------===//

#include "LoweringInternal.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "llvm/ADT/Twine.h"

namespace opsig {

namespace {

using Reason = std::optional<std::string>;

Reason reason(const llvm::Twine &Text) { return Text.str(); }

/// What is wrong with a type wherever it stands, as the rest of "'TYPE' ...".
Reason typeReason(const Type &T) {
  if (T.isBase())
    return baseType(T.base(), /*SymInt=*/true) == CppBase::Unlowerable
               ? reason("has no C++ equivalent")
               : std::nullopt;
  if (T.isList() && T.elem().is(BaseTy::Bool) && T.listSize() == 0)
    return reason("has no C++ equivalent; a list of bool needs a size");
  return typeReason(T.elem());
}

Reason returnTypeReason(const Type &T, bool Mutable, const Dialect &D) {
  if (Reason R = typeReason(T))
    return R;
  if (T.isBase() || valueType(T, /*SymInt=*/true))
    return std::nullopt;
  if (T.isOptional())
    return T.elem().is(BaseTy::Tensor) && D.Spelling.OptionalTensorReturn
               ? std::nullopt
               : reason("is not supported");
  if (Mutable)
    return reason("cannot be a list that the operator writes to");
  if (T.listSize() != 0)
    return reason("cannot be a list with a size");
  return returnTypeReason(T.elem(), /*Mutable=*/false, D);
}

bool isBadListDefault(const Type &T, llvm::StringRef Default) {
  if (T.isOptional())
    return Default != "None" && isBadListDefault(T.elem(), Default);
  return T.isList() && T.listSize() == 0 && !(Default.starts_with("[") && Default.ends_with("]"));
}

} // namespace

std::optional<std::string> whyNotLowerable(const FunctionSchema &S, const Dialect &D) {
  for (const Argument &A : S.Args.All) {
    if (Reason R = typeReason(A.Ty))
      return "type '" + A.Ty.str() + "' of argument '" + A.Name + "' " + *R;
    if (A.Default && isBadListDefault(A.Ty, *A.Default))
      return "default '" + *A.Default + "' of argument '" + A.Name + "' is not a list; '" +
             A.Ty.str() + "' needs a list in brackets";
  }
  for (const Return &R : S.Returns)
    if (Reason Why = returnTypeReason(R.Ty, R.isWrite(), D))
      return "return type '" + R.Ty.str() + "' " + *Why;
  return std::nullopt;
}

bool isLowerable(const NativeFunction &F, const Dialect &D, Findings &Diags) {
  Reason Why = whyNotLowerable(F.Schema, D);
  if (Why)
    Diags.report(finding::SchemaNotLowerable, F.SchemaText.At, "{0}", *Why).op(F.Schema.Name.str());
  return !Why;
}

void checkLowerable(const Operators &Ops, Findings &Diags) {
  for (const NativeFunction &F : Ops.Functions)
    if (!F.Generated)
      isLowerable(F, *Ops.D, Diags);
  for (const FunctionOrGroup &Entry : Ops.Grouped) {
    const auto *G = std::get_if<NativeFunctionsGroup>(&Entry);
    if (G && G->structured() && G->Functional->Schema.Args.hasTensorOptions())
      Diags
          .report(finding::StructuredTensorOptions, G->Functional->SchemaText.At,
                  "'{0}' is structured, so it cannot take tensor options",
                  G->Functional->Schema.Name.str())
          .op(G->Functional->Schema.Name.str());
  }
}

} // namespace opsig
