//===- InplaceName.cpp - Schemas that are named like in-place operators -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Schema/InplaceName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace opsig;
using namespace llvm;

static bool hasAnnotation(const FunctionSchema &S) {
  auto Has = [](const Argument &A) { return A.Annotation.has_value(); };
  return any_of(S.Args.All, Has) || any_of(S.Returns, Has);
}

UnwrittenSelf opsig::unwrittenSelf(const FunctionSchema &S) {
  if (!S.isInplace() || S.Args.All.empty())
    return {};
  const Argument &Self = S.Args.All.front();
  if (!Self.Ty.isTensorLike() || Self.isWrite())
    return {};
  auto IsSelf = [&](const Return &R) { return R.Annotation && *R.Annotation == *Self.Annotation; };
  if (Self.Annotation && any_of(S.Returns, IsSelf))
    return {&Self, true};
  // Many names end in '_' for another reason, such as 'lambda_'; few of these take a 'self'.
  if (Self.Name == "self" && !hasAnnotation(S))
    return {&Self, false};
  return {};
}

std::string opsig::unwrittenSelfMessage(const FunctionSchema &S, const Argument &Self) {
  return formatv("'{0}' is named like an in-place operator, but its schema does not mark '{1}' as "
                 "written; expected 'Tensor(a!){2} {1}'",
                 S.operatorName(), Self.Name, StringRef(Self.Ty.str()).drop_front(6));
}
