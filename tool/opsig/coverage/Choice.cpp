//===- Choice.cpp - The keys and operators that a report is about ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "coverage/Choice.h"
#include "opsig/Dialect/DispatchTableTraits.h"
#include "opsig/Operators/OperatorSuggestion.h"
#include "opsig/Support/FindingIds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include <set>

namespace opsig {

//===-- Keys ----------------------------------------------------------------===//

llvm::Expected<std::vector<KeyId>> namedKeys(llvm::ArrayRef<std::string> Names,
                                             const DispatchKeys &Keys, bool IsVerified,
                                             std::vector<std::string> &LeftOut) {
  std::set<KeyId> Chosen;
  auto IsKnown = [&](const KeySlot &Slot) { return IsVerified || Slot.By != Registrant::Hand; };
  for (const std::string &Name : Names) {
    if (Name == "all") {
      for (auto [Key, Slot] : llvm::enumerate(Keys.slots()))
        if (IsKnown(Slot))
          Chosen.insert(Key);
        else
          LeftOut.push_back(Slot.Name);
      continue;
    }
    std::optional<KeyId> Key = Keys.find(Name);
    if (!Key)
      return llvm::createStringError("--keys: unknown dispatch key '" + Name + "'" +
                                     didYouMean(Name, Keys.names()));
    if (Keys.isAlias(*Key))
      return llvm::createStringError(
          "--keys: '" + Name + "' is an alias for other keys, so no call is dispatched to it");
    if (!IsKnown(Keys.slots()[*Key]))
      return llvm::createStringError(
          "--keys: PyTorch's kernels for '" + Name +
          "' are registered by hand and not listed in any YAML; use --dispatch-dump");
    Chosen.insert(*Key);
  }
  return std::vector<KeyId>(Chosen.begin(), Chosen.end());
}

std::vector<KeyId> withAutograd(llvm::ArrayRef<KeyId> Registered, const DispatchKeys &Keys) {
  std::set<KeyId> All;
  for (KeyId Key : Registered) {
    if (Keys.isAlias(Key))
      continue;
    All.insert(Key);
    if (KeyId Autograd = Keys.slots()[Key].Autograd)
      All.insert(Autograd);
  }
  return std::vector<KeyId>(All.begin(), All.end());
}

std::vector<KeyId> keysWithKernels(const CoverageInput &Input) {
  std::set<KeyId> Found;
  for (const CoveredOperator &Op : Input.Operators) {
    for (auto [Key, Kernel] : Op.Kernels.all())
      if (!Input.Keys.isAlias(Key))
        Found.insert(Key);
    for (auto [Key, Entry] : llvm::enumerate(Op.Table))
      if (Entry.By == ServedBy::Kernel)
        Found.insert(Key);
  }
  return std::vector<KeyId>(Found.begin(), Found.end());
}

//===-- Operators -----------------------------------------------------------===//

namespace {

/// Operators by their names, and by those without overload.
class NameTable {
public:
  explicit NameTable(llvm::ArrayRef<CoveredOperator> All) {
    for (auto [Number, Op] : llvm::enumerate(All)) {
      llvm::StringRef Name = Op.Name, Base = Name.split('.').first;
      ByName[Name].push_back(Number);
      if (Base != Name)
        ByBase[Base].push_back(Number);
    }
    for (const CoveredOperator &Op : All)
      Names.push_back(Op.Name);
  }

  std::vector<size_t> find(llvm::StringRef Name) const {
    // An operator without overload is as much of the name as those with one.
    std::vector<size_t> Found = ByName.lookup(Name);
    if (!Name.contains('.'))
      llvm::append_range(Found, ByBase.lookup(Name));
    return Found;
  }

  const std::vector<llvm::StringRef> &names() const { return Names; }

private:
  llvm::StringMap<std::vector<size_t>> ByName, ByBase;
  std::vector<llvm::StringRef> Names;
};

} // namespace

std::vector<CoveredOperator> neededOperators(SourceId List, const SourceFiles &Files,
                                             std::vector<CoveredOperator> All, Findings &Diags) {
  NameTable Table(All);
  OperatorNameIndex Near(Table.names());
  std::vector<bool> IsNeeded(All.size());
  llvm::StringRef Text = Files.text(List), Rest = Text;
  while (!Rest.empty()) {
    llvm::StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    llvm::StringRef Name = Line.split('#').first.trim();
    if (Name.empty())
      continue;
    std::string Qualified = Name.contains("::") ? Name.str() : ("aten::" + Name).str();
    std::vector<size_t> Found = Table.find(Qualified);
    if (Found.empty())
      Diags.report(finding::ListedOperatorUnknown,
                   Files.placeAt(List, Name.data() - Text.data(), Name.size()),
                   "unknown operator '{0}'{1}", Name, Near.didYouMean(Qualified));
    for (size_t Number : Found)
      IsNeeded[Number] = true;
  }
  std::vector<CoveredOperator> Needed;
  for (size_t I = 0; I != All.size(); ++I)
    if (IsNeeded[I])
      Needed.push_back(std::move(All[I]));
  return Needed;
}

} // namespace opsig
