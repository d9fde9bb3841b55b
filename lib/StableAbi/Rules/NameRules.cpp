//===- NameRules.cpp - types, constants and macros ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Rules/RuleTable.h"
#include "opsig/Frontend/PythonModule.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

/// Names of the stable ABI are what they are.
bool opsig::isStableName(StringRef Name) {
  return Name.starts_with("torch::stable::") || Name.starts_with("torch::headeronly::");
}

static RuleResult nameRule(RuleTable Of, const ApiUse &Use, const StableContext &Context) {
  StringRef Name = withoutNamespace(Use.Name);
  if (isStableName(Use.Name))
    return std::nullopt;
  if (RuleResult Change = ruleFrom(Of, Name, Use, Context))
    return Change;
  // `at::ScalarType::Half` without its enumeration: an enumerator that `using` has brought.
  if (Context.Names.IsHeader(Use.Header))
    return std::nullopt;
  return staysAsIs(Use, finding::UnstableType, howInstead(Name));
}

RuleResult opsig::typeRule(const ApiUse &Use, const StableContext &Context) {
  if (!isStableName(Use.Name))
    if (RuleResult Address = addressRule(Use, Context))
      return Address;
  return nameRule(RuleTable::Types, Use, Context);
}

RuleResult opsig::constantRule(const ApiUse &Use, const StableContext &Context) {
  return nameRule(RuleTable::Constants, Use, Context);
}

RuleResult opsig::macroRule(const ApiUse &Use, const StableContext &Context) {
  StringRef Name = Use.Name;
  if (RuleResult Change = ruleFrom(RuleTable::Macros, Name, Use, Context))
    return Change;
  if (Name == "TORCH_FN" || Name == "TORCH_FN_TYPE")
    return std::nullopt; // with its registration
  if (Name.starts_with("AT_DISPATCH_"))
    return dispatchRule(Use, Context);
  if (Context.Names.IsHeader(Use.Header))
    return std::nullopt;
  if (any_of(Context.Unit.Modules, [&](const PythonModule &M) { return M.At == Use.NameAt; }))
    return std::nullopt; // ModuleRules.cpp
  return staysAsIs(Use, finding::UnstableMacro, howInstead(Name));
}
