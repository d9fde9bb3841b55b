//===- DiagTable.cpp - What is known of each kind of diagnostic -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Support/FindingIds.h"
#include "llvm/ADT/STLExtras.h"

namespace opsig {
namespace {

struct FindingRow {
  llvm::StringLiteral Id;
  Level Severity;
};

constexpr FindingRow Table[] = {
#define OPSIG_FINDING(Name, Id, Severity) {Id, Level::Severity},
#include "opsig/Support/Findings.def"
};

constexpr FindingId Fixed[] = {
#define OPSIG_FIXABLE(Name) FindingId::Name,
#include "opsig/Support/Findings.def"
};

} // namespace

llvm::StringRef findingName(FindingId Id) { return Table[static_cast<size_t>(Id)].Id; }
Level findingLevel(FindingId Id) { return Table[static_cast<size_t>(Id)].Severity; }
bool isFixable(FindingId Id) { return llvm::is_contained(Fixed, Id); }

std::optional<FindingId> findFindingId(llvm::StringRef Name) {
  const FindingRow *Row = llvm::find_if(Table, [&](const FindingRow &R) { return R.Id == Name; });
  if (Row == std::end(Table))
    return std::nullopt;
  return static_cast<FindingId>(Row - Table);
}

std::vector<FindingGroup> findingGroups() {
  std::vector<FindingGroup> Groups;
#define OPSIG_FINDING_GROUP(Title, Commands) Groups.push_back({Title, Commands, {}});
#define OPSIG_FINDING(Name, Id, Severity) Groups.back().Ids.push_back(FindingId::Name);
#include "opsig/Support/Findings.def"
  return Groups;
}

} // namespace opsig
