//===- Torchgen.h - What a release says of itself ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// texts of torchgen's sources => literals => lists of names (with places)
//   x Dialect => ReleaseTraits: a Dialect with the release's own lists
//
// The sources are read as data and never run, by a closed grammar; what is not in it is said to be,
// and the dialect's own list stays. Who calls this opens the files.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TORCHGEN_TORCHGEN_H
#define OPSIG_TORCHGEN_TORCHGEN_H

#include "opsig/Dialect/Dialect.h"
#include <deque>
#include <string>
#include <vector>

namespace opsig {

struct ShimVersion;

/// The files of a torch root that are read, each with the paths where it may be, the likeliest
/// first.
llvm::ArrayRef<llvm::ArrayRef<llvm::StringRef>> torchgenFiles();

/// One of torchgenFiles(): an empty name where the root has none.
struct TorchgenText {
  std::string Name;
  llvm::StringRef Text;
};

/// Where a list comes from.
enum class ListOrigin : uint8_t {
  Torchgen,   ///< the release itself
  NoFile,     ///< the dialect: the root does not have the file
  NoVariable, ///< the dialect: the file does not have the variable
  Computed,   ///< the dialect: the variable is no data, or no such data as it should be
};

/// What a release says of one C shim (Dialect: ShimVersion).
struct TorchgenShim {
  std::string Op;
  unsigned Number = 1;
  std::vector<std::string> NewArguments;
  std::string Since;
};

/// One list as a release states it.
struct TorchgenList {
  ListOrigin Origin = ListOrigin::NoFile;
  std::string File;
  /// Of the assignment; where the list is computed, where reading stopped.
  unsigned Line = 0;
  std::string Why;                 ///< Computed: "a call to 'sorted'"
  std::vector<std::string> Items;  ///< Torchgen
  std::vector<TorchgenShim> Shims; ///< of a list of shims, those with something particular
};

/// Reads all lists there are, in an order of their own. \p Texts: in the order of torchgenFiles();
/// nothing of them is kept.
std::vector<TorchgenList> readTorchgen(llvm::ArrayRef<TorchgenText> Texts);

/// One list of a dialect, and where it was looked for.
struct ListFact {
  llvm::StringRef Name;     ///< "base-types"
  llvm::StringRef Variable; ///< "BaseTy"
  TorchgenList Read;
  /// What is used, and what the dialect alone would have said.
  std::vector<llvm::StringRef> Items;
  std::vector<llvm::StringRef> OfDialect;
  /// Names that the release has and opsig does not know: types, dispatch keys.
  std::vector<llvm::StringRef> Foreign;
  /// Whether the order of the names says anything.
  bool Ordered = false;

  /// The release says something else than the dialect.
  bool differs() const;
};

/// A dialect with the lists that a release states itself.
class ReleaseTraits {
public:
  ReleaseTraits(const Dialect &Base, std::vector<TorchgenList> Read);
  ~ReleaseTraits();
  ReleaseTraits(const ReleaseTraits &) = delete;
  ReleaseTraits &operator=(const ReleaseTraits &) = delete;

  const Dialect &dialect() const { return D; }
  llvm::ArrayRef<ListFact> lists() const { return Lists; }
  size_t count(ListOrigin Origin) const;
  /// How many names one of release and dialect has and the other has not.
  size_t distance() const;

private:
  void useShims();

  Dialect D;
  std::vector<ListFact> Lists;
  std::deque<std::string> Texts;
  std::deque<std::vector<llvm::StringRef>> Arguments;
  std::vector<ShimVersion> Shims;
  std::deque<std::vector<DispatchKey>> KeyLists;
  std::vector<llvm::StringRef> ForeignKeys;
};

/// The dialect whose lists are most like the release's: of several the newest, but rather a
/// measured one. Nothing where the release states none.
const Dialect *nearestDialect(const std::vector<TorchgenList> &Read);

} // namespace opsig

#endif
