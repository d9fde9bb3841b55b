//===- DifferenceText.cpp - how findings speak of a difference ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FixIts/FixItsInternal.h"

using namespace opsig;
using namespace llvm;

std::string opsig::paramName(const KernelParam &P, unsigned Index) {
  return P.Name.empty() ? std::to_string(Index + 1) : "'" + P.Name + "'";
}

std::string opsig::listMessage(const Difference &Diff, const KernelDecl &K, StringRef Name,
                               StringRef Expected) {
  if (Diff.Is == Difference::ParamMissing)
    return formatv("missing parameter in {0}; the schema {1}", Name, Expected);
  std::string Param = paramName(K.Params[Diff.Got], Diff.Got);
  if (Diff.Is == Difference::ParamExtra)
    return formatv("the schema has no argument for parameter {0} of {1}", Param, Name);
  return formatv("parameter {0} of {1} is at position {2}; the schema needs it at position {3}",
                 Param, Name, Diff.Got + 1, Diff.Want + 1);
}

Span opsig::differenceSpan(const KernelDecl &K, const Difference &Diff) {
  switch (Diff.Is) {
  case Difference::ReturnType:
    return K.Return.isValid() ? K.Return : K.NameAt;
  case Difference::ParamType: {
    const KernelParam &P = K.Params[Diff.Got];
    return P.Type.isValid() ? P.Type : P.Whole;
  }
  case Difference::ParamMissing:
    if (Diff.Got < K.Params.size()) {
      Span At = K.Params[Diff.Got].Whole;
      return {At.File, At.Offset, 0};
    }
    if (K.ParamList.isValid())
      return {K.ParamList.File, K.ParamList.end(), 0};
    return K.NameAt;
  case Difference::ParamExtra:
  case Difference::ParamMoved:
    return K.Params[Diff.Got].Whole;
  }
  llvm_unreachable("closed kind");
}
