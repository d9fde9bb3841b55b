//===- EditSet.h - Edits of several files that do not conflict --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fix* (all or none at a time) => per file: clang::tooling::Replacements
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_EDIT_EDITSET_H
#define OPSIG_EDIT_EDITSET_H

#include "opsig/Support/Finding.h"
#include "clang/Tooling/Core/Replacement.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem/UniqueID.h"
#include <map>

namespace opsig {

class EditSet {
public:
  explicit EditSet(const SourceFiles &Files) : Files(Files) {}

  /// Takes all of \p Fixes or none: none where one overlaps what is here already, or lies outside
  /// of its file. The same change may come several times; it is made once.
  bool take(llvm::ArrayRef<Fix> Fixes);

  /// The edited files, in the order in which they came.
  const llvm::MapVector<SourceId, clang::tooling::Replacements> &all() const { return Edits; }
  bool empty() const { return Edits.empty(); }

private:
  /// Of one file. Whole lists would be compared with each other otherwise.
  class FixesAt {
  public:
    bool has(const Fix &F) const {
      auto It = ByOffset.find(F.Offset);
      return It != ByOffset.end() && llvm::is_contained(It->second, F);
    }
    void add(const Fix &F) { ByOffset[F.Offset].push_back(F); }

  private:
    std::map<uint32_t, std::vector<Fix>> ByOffset;
  };

  bool takeOne(Fix F);

  /// The name under which a file came first: with links of either kind it may have several.
  SourceId firstNameOf(SourceId File);

  const SourceFiles &Files;
  std::map<llvm::sys::fs::UniqueID, SourceId> FirstNames;
  llvm::MapVector<SourceId, clang::tooling::Replacements> Edits;
  llvm::MapVector<SourceId, FixesAt> Taken;
};

} // namespace opsig

#endif
