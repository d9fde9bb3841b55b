//===- Selector.h - Selective build ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// whitelist | op selection YAML (read by the tool) => Selector => is this function built?
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CODEGEN_SELECTOR_H
#define OPSIG_CODEGEN_SELECTOR_H

#include "opsig/Operators/NativeFunction.h"
#include "llvm/ADT/StringMap.h"

namespace opsig {

class Selector {
public:
  /// Selects everything.
  static Selector all() {
    Selector S;
    S.IncludeAll = true;
    return S;
  }

  /// An operator of a selection: "aten::add.Tensor"; AllOverloads selects by the part before the
  /// dot.
  void select(llvm::StringRef Name, bool AllOverloads) { Operators[Name] |= AllOverloads; }
  void setIncludeAll(bool Value) { IncludeAll = Value; }

  /// Whether everything is selected.
  bool includesAll() const { return IncludeAll; }
  bool isSelected(const NativeFunction &F) const {
    std::string Name = IncludeAll ? "" : F.Namespace + "::" + F.Schema.Name.str();
    return IncludeAll || Operators.contains(Name) ||
           Operators.lookup(llvm::StringRef(Name).split('.').first);
  }

private:
  bool IncludeAll = false;
  llvm::StringMap<bool> Operators; ///< name => all overloads
};

} // namespace opsig

#endif
