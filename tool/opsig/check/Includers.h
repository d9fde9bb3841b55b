//===- Includers.h - Who else includes a file --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_TOOL_INCLUDERS_H
#define OPSIG_TOOL_INCLUDERS_H

#include "check/CheckSetup.h"
#include "opsig/Edit/Proof.h"
#include "opsig/Workspace/ChangedLines.h"
#include <set>

namespace opsig {

/// How many files of the build's commands that are none of \p Units include one of \p Edited, by
/// way of files of the project. Conditions are not looked at: rather one too many.
size_t countUnreadIncluders(const std::set<llvm::sys::fs::UniqueID> &Edited,
                            llvm::ArrayRef<UnitFacts> Units, const CheckSetup &Setup,
                            FileIdentities &Identities);

/// Whether a finding of the run may stand on one of \p Lines: one of the sources, a file that they
/// include or a YAML has changed.
bool mayConcern(const ChangedLines &Lines, const CheckSetup &Setup);

} // namespace opsig

#endif
