//===- Selector.cpp - Selective build ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Codegen/Selector.h"

using namespace llvm;

namespace opsig {

Selector Selector::all() {
  Selector S;
  S.IncludeAll = true;
  return S;
}

void Selector::select(StringRef Name, bool AllOverloads) {
  bool &Selected = Operators[Name];
  Selected |= AllOverloads;
}

bool Selector::isSelected(const NativeFunction &F) const {
  if (IncludeAll)
    return true;
  std::string Name = F.Namespace + "::" + F.Schema.Name.str();
  if (Operators.contains(Name))
    return true;
  auto Base = Operators.find(StringRef(Name).split('.').first);
  return Base != Operators.end() && Base->second;
}

} // namespace opsig
