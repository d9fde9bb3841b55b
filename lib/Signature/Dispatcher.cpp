//===- Dispatcher.cpp - What is registered with the dispatcher --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of the C++ API, in schema order, with SymInt and without defaults.
//
//===----------------------------------------------------------------------===//

#include "opsig/Signature/Signature.h"
#include "llvm/ADT/Twine.h"

namespace opsig {

Signature dispatcherSignature(const FunctionSchema &S, const Lowering &L, bool SymInt,
                              llvm::StringRef Prefix) {
  Signature Result;
  Result.Name = (Prefix + cppName(S)).str();
  Result.Returns = returnsType(S.Returns, L, SymInt);
  Result.Params.reserve(S.Args.All.size());
  for (const Argument &A : S.Args.All)
    Result.Params.emplace_back(A.Name, NamedCType{A.Name, false, cppType(A, L, SymInt)},
                               std::nullopt, &A);
  return Result;
}

} // namespace opsig
