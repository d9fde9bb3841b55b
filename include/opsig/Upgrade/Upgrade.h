//===- Upgrade.h - Code for an older PyTorch => edits for a newer one --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// UnitFacts with API uses, Clang's errors x apiChanges() (Dialect)
//   => UpgradeEdit* : what is replaced, and why => lib/Edit (VerifiedEdits.h)
// build files => edits of the standard that they choose
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_UPGRADE_UPGRADE_H
#define OPSIG_UPGRADE_UPGRADE_H

#include "opsig/Dialect/ApiChanges.h"
#include "opsig/Frontend/NoteText.h"
#include "opsig/Support/Finding.h"
#include <set>

namespace opsig {

/// What is made as a whole or not at all.
struct UpgradeEdit {
  std::string From, To; ///< as a report shows them: "AT_CHECK", "TORCH_CHECK"
  Place At;             ///< where From is
  std::vector<Fix> Fixes;
  /// Why From had to go: "gone as of 1.5", "deprecated since 1.2".
  std::string Since;
  std::string Review; ///< as ApiChange::Review
  /// The header of what it writes, for where that is not declared otherwise.
  std::string Needs;
  /// Names that it takes away.
  std::set<std::string> Removes = {};
  /// From is gone, and not only deprecated.
  bool IsGone = false;
  /// A header that tells releases with To from the older ones that are kept; "" where all have it.
  std::string Guard = {};
  /// To says what to write, and is not written.
  bool IsAdvice = false;
  /// What cannot contain the #if that --keep needs ("a macro definition cannot contain"); "" where
  /// the edit can be made.
  std::string Blocked = {};
};

struct UpgradeInput {
  llvm::ArrayRef<UnitFacts> Units;
  /// Of each unit.
  llvm::ArrayRef<std::vector<ClangMessage>> Errors;
  /// Files that may be edited.
  std::function<bool(llvm::StringRef)> IsProjectFile;
  /// The oldest release that has to read the code, too; empty for the new one alone.
  llvm::VersionTuple Keep = {};
  /// The folder of the new release's headers; "" if it is not known. A header of PyTorch that is
  /// not in it is gone, although the compiler finds one of another PyTorch in a later folder.
  std::string Headers = {};
};

/// In the order of units and places; each place once. Edits are of live code only: lines that
/// conditions leave out stay. Opens the files that are edited.
std::vector<UpgradeEdit> planUpgrade(const UpgradeInput &Input, SourceFiles &Files);

/// What one of \p Input's units, which were read with headers of \p Old, uses and a newer release
/// lacks or marks as deprecated: edits without fixes, sorted by place. Only the units of Input
/// count.
std::vector<UpgradeEdit> changedUses(const UpgradeInput &Input, const llvm::VersionTuple &Old,
                                     const llvm::VersionTuple &New, SourceFiles &Files);

/// The names in single quotes of a message of Clang's, without what qualifies them.
std::set<std::string> namesIn(llvm::StringRef Message);

/// Whether a message of Clang's is that it does not know the first name in it.
bool saysUndeclared(llvm::StringRef Message);

/// What a table knows of a name that Clang does not, and no edit can say: "'at::symeig' is gone
/// as of ...: call ..."; "" where it knows nothing.
std::string adviceFor(llvm::StringRef Message);
/// The same where Clang cannot read a use of the macro \p Name, because its definition in \p Texts,
/// the files of \p Unit, needs a macro that is gone. Clang names neither.
std::string adviceForMacro(llvm::StringRef Name, llvm::ArrayRef<llvm::StringRef> Texts,
                           const UnitFacts &Unit);

/// Whether a message of Clang's is that a class lacks methods; its notes point at them.
bool saysAbstract(llvm::StringRef Message);

/// What overrides the pure virtual method whose name is at \p Offset of \p Header, without its end:
/// "void copy_data(void *to) const override"; "" where none is there.
std::string overrideOf(llvm::StringRef Header, uint32_t Offset);

/// Adds `#include <Header>` to \p Text, after its first include of PyTorch's, or of anything; at
/// its beginning without. Nothing where it is included already.
/// With \p IsGuarded it is there only where the header is.
std::optional<Fix> includeFix(llvm::StringRef Text, SourceId File, llvm::StringRef Header,
                              bool IsGuarded = false);

/// Edits of a setup.py or CMakeLists.txt for \p Release: literal standards of C++ that are older
/// than its headers need, and literal arguments that are gone. \p Name is what the file is called.
std::vector<UpgradeEdit> planBuildFile(llvm::StringRef Name, SourceId File,
                                       const llvm::VersionTuple &Release, const SourceFiles &Files);
/// What a build file names that \p Release lacks, and no edit replaces: "torch.utils.ffi".
std::vector<UpgradeEdit> adviceForBuildFile(SourceId File, const llvm::VersionTuple &Release,
                                            const SourceFiles &Files);

} // namespace opsig

#endif
