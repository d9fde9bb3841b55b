//===- RunSummary.h - What a run of opsig check has done -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// units, what was compared (Check/Comparison.h), findings
//   => the last line of a run | notes of a log
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_CLOSING_H
#define OPSIG_TOOL_CLOSING_H

#include "opsig/Check/Check.h"
#include "opsig/Check/Comparison.h"
#include "opsig/Report/SiftFindings.h"
#include "opsig/Support/RunNote.h"
#include "opsig/Workspace/Schemas.h"

namespace opsig {

class RunSummary {
public:
  /// \p YamlOperators: how many the schemas have. They count where no file was given.
  explicit RunSummary(size_t YamlOperators) : YamlOperators(YamlOperators) {}

  /// The files that were read, and how many inputs were not; why, of some of those.
  void read(llvm::ArrayRef<UnitFacts> Units, size_t Lost, std::vector<std::string> WhyLost);
  /// So many findings are no more; what is left is reported.
  void mended(unsigned Count) { Fixed = Count; }
  /// Blocks of which nothing but their words is known.
  void unseen(std::vector<UnreadRegistration> Blocks) { Unseen = std::move(Blocks); }
  /// No change is asked about that any finding could be about.
  void limitedToNone() { LimitedToNone = true; }
  void compared(Comparison What) { Done = std::move(What); }
  /// Files whose errors are all among the findings \p Found are not said to be read in part.
  void explain(const SiftedFindings &Found);
  bool isExplained(llvm::StringRef File) const { return Explained.count(File) != 0; }
  /// Kernels, if \p There are any, were not looked at, since the schemas have errors.
  void schemasAreWrong(bool There) {
    WrongSchemas = true;
    LeftOut = There;
  }
  /// Entries of YAML files have errors; nothing is compared with these.
  void entriesAreLeftOut(const LoadedSchemas &Schemas);
  /// What was asked for was not done.
  bool leavesOut() const { return LeftOut; }

  /// The files were read, and have nothing that a check looks at.
  bool hadNothing() const;
  /// Registrations stand there, and nothing of them could be compared.
  bool sawNothing() const { return comparedNothing() && !(Unseen.empty() && Done.Unread.empty()); }

  bool comparedKernels() const { return !Done.Kernels.empty(); }

  std::vector<UnreadRegistration> unread() const;
  llvm::ArrayRef<Place> longBodies() const { return Done.LongBodies; }

  /// The line ends with the PyTorch that opsig found in an environment of the user's.
  void usesTorch(const SchemaSource &Source);

  /// "3 files, 2 operators, 3 kernels compared; 1 error, 1 can be fixed; 1 file was read in part
  /// ('a.h' was not found)".
  std::string line(const SiftedFindings &All) const;

  /// What was not read, each with its place, and then line().
  std::vector<RunNote> notes(const SiftedFindings &All, const SourceFiles &Files) const;

private:
  std::string done() const;
  std::string found(const SiftedFindings &All) const;
  bool comparedNothing() const;

  std::string Torch; ///< "PyTorch X.Y (.venv)", or ""
  size_t YamlOperators;
  std::optional<unsigned> Fixed;
  size_t NumFiles = 0, Lost = 0;
  bool WasRead = false, WrongSchemas = false, LeftOut = false;
  bool Registers = false, LimitedToNone = false;
  /// A file that was read in part.
  struct PartlyRead {
    std::string File, Why, Reason; ///< Reason: Why in few words
    unsigned NumErrors;            ///< 0 where something else than an error is the reason
    unsigned FirstLine;            ///< of the first error, where that is in the file itself
  };
  std::vector<PartlyRead> InPart;
  std::set<std::string, std::less<>> Explained;
  /// The same for files that were read whole and have errors in function bodies.
  std::vector<std::pair<std::string, std::string>> WrongBodies;
  size_t NumEntries = 0;              ///< of YAML files, with errors
  std::vector<std::string> YamlFiles; ///< of which nothing is used
  std::vector<std::string> WhyLost;
  Comparison Done;
  std::vector<UnreadRegistration> Unseen;
};

/// What is said of one of Comparison::LongBodies.
std::string bodyText(const Place &Name, const SourceFiles &Files);

/// "a.cpp:3:1: this registration could not be read: the name is not a constant".
std::string unreadText(const UnreadRegistration &Unread, const SourceFiles &Files);

} // namespace opsig

#endif
