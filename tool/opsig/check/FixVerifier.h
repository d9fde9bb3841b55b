//===- FixVerifier.h - Fixes that leave nothing worse ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// findings with fixes => edited texts => read again in memory, every unit that has an edited file
//   => without those that leave their finding, bring a new one or a new error of Clang's
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_FIXPROOF_H
#define OPSIG_TOOL_FIXPROOF_H

#include "check/CheckSetup.h"
#include "opsig/Check/Comparison.h"
#include "opsig/Edit/EditSet.h"
#include "opsig/Edit/VerifiedEdits.h"
#include "opsig/Support/ReadTexts.h"
#include <mutex>
#include <set>

namespace opsig {

/// What a run has read: texts, and for which source.
class ReadLog {
public:
  NoteRead note();
  /// Files of the project that were read for \p Source, by their absolute paths.
  const std::set<std::string> &filesOf(llvm::StringRef Source) const;

  ReadTexts Texts;

private:
  std::mutex Mutex;
  std::map<std::string, std::set<std::string>, std::less<>> Files;
};

/// What was found in units, and what was compared there.
struct JudgedUnits {
  SiftedFindings Found;
  Comparison Done;
};

/// What a run over files has, and how it comes to findings.
struct CheckedProject {
  const CheckSetup &Setup;
  ParseOptions Options;
  /// Under the files that units are opened in.
  const SourceFiles &Schemas;
  std::vector<UnitFacts> Units;
  std::function<JudgedUnits(llvm::ArrayRef<UnitFacts>, SourceFiles &)> Judge;
  ReadLog &Log;
};

/// What is reported of the files as they are when the fixes have been written.
struct RemainingFindings {
  SiftedFindings Found;
  std::unique_ptr<SourceFiles> Files;
  size_t CameToLight = 0; ///< of Found, those that could not be seen before
  /// The reading of these files.
  std::vector<UnitFacts> Units = {};
  Comparison Done = {};
  /// For each finding before the edits, whether it is still in Found.
  std::vector<bool> IsLeft = {};
};

struct VerifiedFixes {
  std::vector<EditedFileText> Files = {};
  /// Numbers of findings. Suppressed: by comments that the edits write.
  size_t Repaired = 0, Suppressed = 0, Refused = 0, TakenBack = 0;
  /// Nothing where no fix is made: then all is as it was.
  std::optional<RemainingFindings> Remaining = std::nullopt;
  /// Sources of the build that include what is edited, and were not read.
  size_t NotRead = 0;
};

/// Chooses among the fixes of \p All, and says at those that it takes back what was wrong with
/// them: they have a note then, and no fixes.
VerifiedFixes verifyFixes(SiftedFindings &All, SourceFiles &Files, const CheckedProject &Project);

} // namespace opsig

#endif
