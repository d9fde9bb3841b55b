//===- Name.cpp - Operator names -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Schema/Name.h"
#include "llvm/Support/raw_ostream.h"

namespace opsig {

std::string BaseOperatorName::str() const {
  std::string S;
  S.reserve(Base.size() + 1); // with the underscore of most that do not fit in otherwise
  if (!Namespace.empty())
    (S += Namespace) += "::";
  if (Dunder)
    S += Inplace ? "__i" : "__";
  S += Base;
  if (Dunder)
    S += "__";
  else if (Inplace)
    S += '_';
  else if (FunctionalOverload)
    S += "_functional";
  return S;
}

std::string OperatorName::str() const {
  std::string S = Name.str();
  if (!Overload.empty())
    S += '.' + Overload;
  return S;
}

std::string OperatorName::unambiguous() const {
  std::string S = Name.str();
  if (!Overload.empty())
    S += '_' + Overload;
  return S;
}

OperatorName OperatorName::withoutInplace() const { return withOverload(Overload); }

OperatorName OperatorName::withOverload(llvm::StringRef NewOverload) const {
  OperatorName N;
  N.Name.Base = Name.Base;
  N.Name.Dunder = Name.Dunder;
  N.Overload = NewOverload.str();
  return N;
}

llvm::hash_code hash_value(const BaseOperatorName &N) {
  return llvm::hash_combine(N.Base, N.Inplace, N.Dunder, N.FunctionalOverload, N.Namespace);
}

llvm::hash_code hash_value(const OperatorName &N) { return llvm::hash_combine(N.Name, N.Overload); }

llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, const BaseOperatorName &N) {
  return OS << N.str();
}

llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, const OperatorName &N) {
  return OS << N.str();
}

} // namespace opsig
