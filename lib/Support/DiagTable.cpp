//===- DiagTable.cpp - What is known of each kind of diagnostic -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Support/FindingIds.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "llvm/ADT/STLExtras.h"

namespace opsig {
namespace {

struct FindingRow {
  FindingId Is;
  llvm::StringLiteral Id;
  Level Severity;
};

constexpr FindingRow Table[] = {
#define OPSIG_FINDING(Name, Id, Severity) {finding::Name, Id, Level::Severity},
#include "opsig/Support/Findings.def"
};

constexpr FindingId Fixed[] = {
#define OPSIG_FIXABLE(Name) finding::Name,
#include "opsig/Support/Findings.def"
};

const FindingRow &rowOf(FindingId Id) {
  return *llvm::lower_bound(Table, Id, [](const FindingRow &R, FindingId I) { return R.Is < I; });
}

} // namespace

llvm::StringRef findingName(FindingId Id) { return rowOf(Id).Id; }
Level findingLevel(FindingId Id) { return rowOf(Id).Severity; }
bool isFixable(FindingId Id) { return llvm::is_contained(Fixed, Id); }

std::optional<FindingId> findFindingId(llvm::StringRef Name) {
  const FindingRow *Row = llvm::find_if(Table, [&](const FindingRow &R) { return R.Id == Name; });
  if (Row == std::end(Table))
    return std::nullopt;
  return Row->Is;
}

std::vector<FindingGroup> findingGroups() {
  std::vector<FindingGroup> Groups;
#define OPSIG_FINDING_GROUP(Title, Commands) Groups.push_back({Title, Commands, {}});
#define OPSIG_FINDING(Name, Id, Severity) Groups.back().Ids.push_back(finding::Name);
#include "opsig/Support/Findings.def"
  return Groups;
}

} // namespace opsig
