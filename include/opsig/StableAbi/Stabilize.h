//===- Stabilize.h - Changes towards the stable ABI as edits of files ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// (UnitFacts, StablePlan)* => changes of all files, each once (StableEdits)
//   => the ways that are taken, nested in each other (RewriteTree)
//    + includes and helpers that they need (StableIncludes)
//   => replacements of each file => Format.h => new texts
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_STABLEABI_STABILIZE_H
#define OPSIG_STABLEABI_STABILIZE_H

#include "opsig/Edit/Format.h"
#include "opsig/StableAbi/Stable.h"
#include "llvm/ADT/MapVector.h"

namespace opsig {

/// Spans of such a change count files by their SourceId.
struct StableEdit {
  StableChange Change;
  /// Which of its ways is made; none behind the last.
  size_t Way = 0;
  /// Why the last one that was tried was not good.
  std::string Refused;

  bool isMade() const { return Way < Change.Ways.size(); }
  const RewriteAlternative &way() const { return Change.Ways[Way]; }
};

/// \p Changes of \p Text, so that the old lines stay where TORCH_STABLE_ONLY is not defined. Lines
/// that a span of \p Whole joins, as the use of a macro does, are written together.
clang::tooling::Replacements keepBoth(llvm::StringRef Path, llvm::StringRef Text,
                                      const clang::tooling::Replacements &Changes,
                                      llvm::ArrayRef<Span> Whole);

/// The header of the language's library that an error of Clang's is about the lack of: "variant"
/// for what begins with "no member named 'variant' in namespace 'std'". Where nothing of std is
/// known, \p Behind, the text from its place on, has the name. "" for other errors.
std::string missingStandardHeader(llvm::StringRef Error, llvm::StringRef End);

class StableEdits {
public:
  explicit StableEdits(SourceFiles &Files) : Files(Files) {}

  /// Takes in the changes of a unit that no other unit has had. Opens its files.
  void add(const UnitFacts &Unit, const StablePlan &Plan);

  const std::vector<StableEdit> &all() const { return Edits; }
  /// The next way is tried, or none; what is made together with it is not made then, either.
  void refuse(size_t Index, std::string Why);

  /// \p File is to include a header of the language's library, as old headers did for it. False
  /// where that is so already.
  bool include(SourceId File, const std::string &Header) {
    return Parts[File].Standard.insert(Header).second;
  }

  struct Edited {
    clang::tooling::Replacements Changes;
    std::vector<Fix> Additions;
    /// What edits span, each in one piece.
    std::vector<Span> Whole;
  };
  /// What the edits that are made change. Edits that cannot be made with others are refused.
  llvm::MapVector<SourceId, Edited> changes();

  /// The edit that writes what stands at \p Offset, as the file is; none where nobody does.
  std::optional<size_t> writerAt(SourceId File, uint32_t Offset) const;
  /// The innermost call that an edit makes of another one, and that has \p Offset among its
  /// arguments.
  std::optional<size_t> callAround(SourceId File, uint32_t Offset) const;
  /// The innermost call around \p Offset that another edit than \p Inner makes, and for which there
  /// is another way.
  std::optional<size_t> otherWayAround(SourceId File, uint32_t Offset, size_t Inner) const;
  /// The edit of a parameter that the line at \p Offset uses.
  std::optional<size_t> reaching(SourceId File, uint32_t Offset) const;
  /// The edit about a name that stays there, whether there is no rule or it was refused.
  std::optional<size_t> leftAt(SourceId File, uint32_t Offset) const;
  /// Whether \p Edit is part of something else that stays and is reported with that.
  bool staysWith(const StableEdit &Edit) const;

  /// The lowest target that all that is written needs.
  llvm::VersionTuple target() const;

private:
  struct FileParts {
    std::set<std::string> Kept, Standard;
    std::vector<Span> Unstable, Stable;
  };

  SourceFiles &Files;
  std::vector<StableEdit> Edits;
  std::map<std::tuple<unsigned, SourceId, uint32_t, uint32_t>, size_t> Known;
  std::map<SourceId, FileParts> Parts;
  /// Of each unit, the main file first.
  std::vector<std::vector<SourceId>> UnitFiles;
};

} // namespace opsig

#endif
