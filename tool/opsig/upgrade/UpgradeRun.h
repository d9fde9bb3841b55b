//===- UpgradeRun.h - Files for a newer PyTorch, in memory ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// files => units, Clang's errors => planUpgrade() (Upgrade/Upgrade.h) => verified edits
//   => the same of the new texts, until nothing is left to edit => new texts, what is left
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_UPGRADE_UPGRADERUN_H
#define OPSIG_TOOL_UPGRADE_UPGRADERUN_H

#include "check/CheckSetup.h"
#include "check/FixVerifier.h"
#include "opsig/Upgrade/Upgrade.h"

namespace opsig {

/// A place in a file as a report shows it.
struct UpgradePlace {
  std::string File;
  uint32_t Line = 0, Column = 0;
};

/// What was replaced.
struct UpgradeChange {
  UpgradePlace At;
  std::string From, To, Since, Review;
};

/// What could not be helped: an error of Clang's, or an edit that was taken back.
struct UpgradeRest {
  UpgradePlace At;
  std::string Text;
};

struct UpgradeOutcome {
  std::vector<EditedFileText> Texts;
  std::vector<UpgradeChange> Changes;
  std::vector<UpgradeRest> Left;
  /// Inputs that Clang reads without errors: before, afterwards, of all.
  size_t CleanBefore = 0, CleanAfter = 0, NumInputs = 0;
  std::unique_ptr<ReadLog> Read = std::make_unique<ReadLog>();
};

struct UpgradeRequest {
  ReadingSettings Reading = {};
  /// As UpgradeInput::Keep.
  llvm::VersionTuple Keep = {};
  /// Include folders of that release, with which new texts are read, too; none where they are not
  /// here.
  std::vector<std::string> KeptHeaders = {};
  /// What Clang does not know is searched in the headers of PyTorch.
  bool NamesHeaders = false;
};

/// Fails where a file cannot be read.
llvm::Expected<UpgradeOutcome> runUpgrade(const CheckSetup &Setup, const UpgradeRequest &Request);

} // namespace opsig

#endif
