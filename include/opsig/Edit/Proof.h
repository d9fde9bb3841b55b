//===- Proof.h - What edits did besides what they were made for --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// findings, errors of Clang before and after edits (places shifted through them: EditMap)
//   => what is left, what is new, and whose edits are to blame (EditSites)
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_EDIT_PROOF_H
#define OPSIG_EDIT_PROOF_H

#include "opsig/Frontend/NoteText.h"
#include "opsig/Support/Finding.h"
#include "clang/Tooling/Core/Replacement.h"
#include <map>
#include <set>

namespace opsig {

/// Offsets of a text before and after its edits.
class EditMap {
public:
  EditMap() = default;
  explicit EditMap(const clang::tooling::Replacements &Edits);

  /// What stands within an edit is at its end.
  uint32_t after(uint32_t Before) const;
  /// The first offset that is there afterwards; what an edit brings is where the edit was.
  uint32_t before(uint32_t After) const;

private:
  struct Edit {
    uint32_t Offset, Length, NewLength;
  };
  std::vector<Edit> Edits;
};

/// Of edited files.
using EditMaps = std::map<llvm::sys::fs::UniqueID, EditMap>;

/// Files under the names that findings and units have for them.
class FileIdentities {
public:
  /// Nothing for what is not on disk.
  std::optional<llvm::sys::fs::UniqueID> of(llvm::StringRef Name);

private:
  std::map<std::string, std::optional<llvm::sys::fs::UniqueID>, std::less<>> Known;
};

/// Indices of errors in \p After that are not in \p Before, which are of the same file: the same id
/// at the same place is the same error.
std::vector<size_t> newErrors(llvm::ArrayRef<ClangMessage> Before,
                              llvm::ArrayRef<ClangMessage> After, const EditMaps &Maps);

/// Findings and the files that they point into.
struct FindingsIn {
  llvm::ArrayRef<Finding> All;
  const SourceFiles &Files;
};

struct FindingChanges {
  /// Indices into those before that should be gone and are there.
  std::vector<size_t> Left;
  /// Indices into those afterwards that none before is like. Warnings that other operators of the
  /// same file had before in the same words are not among them, nor are findings about what bodies
  /// do: nothing edits a body.
  std::vector<size_t> New;
};

/// \p Fixed are indices into \p Before.
FindingChanges compareFindings(const FindingsIn &Before, const FindingsIn &After,
                               llvm::ArrayRef<size_t> Fixed, const EditMaps &Maps,
                               FileIdentities &Identities);

/// Where the edits of findings are: declarations of functions, or lines.
class EditSites {
public:
  EditSites(const FindingsIn &Hits, llvm::ArrayRef<UnitFacts> Units, FileIdentities &Identities);

  /// The last names of all functions whose declarations are edited, each once.
  std::vector<std::string> functions() const;

  /// Those whose edits touch the declaration, or the line, at \p Point, a place before the edits.
  std::vector<size_t> at(const CodePoint &Point) const;

  /// Those of \p Fixed that may have brought what stands at \p Points, places before the edits, in
  /// the body of \p Function and in a line of \p Names. If nothing tells, those of the same files;
  /// all of them if there are none.
  std::vector<size_t> blame(llvm::ArrayRef<CodePoint> Points, llvm::StringRef Function,
                            const std::set<std::string> &Names, llvm::ArrayRef<size_t> Fixed) const;

private:
  struct Site {
    size_t Hit;
    llvm::sys::fs::UniqueID File;
    uint32_t Begin, End;
    std::string Function; ///< "" for a line
    bool holds(const CodePoint &P) const {
      return P.File == File && P.Offset >= Begin && P.Offset <= End;
    }
  };
  std::vector<Site> Sites;
};

/// For each of \p Findings the first of those whose edits have to be made or left with its own: an
/// edit that several want is made for all of them.
std::vector<size_t> editGroups(llvm::ArrayRef<Finding> Hits);

/// The identifiers in the line of \p Offset.
std::set<std::string> namesInLine(llvm::StringRef Text, size_t Offset);
/// The same of all of \p Text.
std::set<std::string> namesInText(llvm::StringRef Text);

} // namespace opsig

#endif
