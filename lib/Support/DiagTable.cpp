//===- DiagTable.cpp - What is known of each kind of diagnostic -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Support/FindingIds.h"
#include "llvm/ADT/STLExtras.h"

namespace opsig {
namespace {

struct DiagRow {
  llvm::StringLiteral Id;
  Level Severity;
};

constexpr DiagRow Table[] = {
#define OPSIG_FINDING(Name, Id, Severity) {Id, Level::Severity},
#include "opsig/Support/Findings.def"
};

constexpr DiagId Mended[] = {
#define OPSIG_FIXABLE(Name) DiagId::Name,
#include "opsig/Support/Findings.def"
};

} // namespace

llvm::StringRef diagName(DiagId Id) { return Table[static_cast<size_t>(Id)].Id; }
Level diagLevel(DiagId Id) { return Table[static_cast<size_t>(Id)].Severity; }
bool isMended(DiagId Id) { return llvm::is_contained(Mended, Id); }

std::optional<DiagId> findDiag(llvm::StringRef Name) {
  const DiagRow *Row = llvm::find_if(Table, [&](const DiagRow &R) { return R.Id == Name; });
  if (Row == std::end(Table))
    return std::nullopt;
  return static_cast<DiagId>(Row - Table);
}

std::vector<DiagGroup> diagGroups() {
  std::vector<DiagGroup> Groups;
#define OPSIG_FINDING_GROUP(Title, Commands) Groups.push_back({Title, Commands, {}});
#define OPSIG_FINDING(Name, Id, Severity) Groups.back().Ids.push_back(DiagId::Name);
#include "opsig/Support/Findings.def"
  return Groups;
}

} // namespace opsig
