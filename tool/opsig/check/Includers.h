//===- Includers.h - Who else includes a file --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_TOOL_INCLUDERS_H
#define OPSIG_TOOL_INCLUDERS_H

#include "check/CheckSetup.h"
#include "opsig/Edit/Proof.h"
#include <set>

namespace opsig {

/// How many files of the build's commands that are none of \p Units include one of \p Edited, by
/// way of files of the project. Conditions are not looked at: rather one too many.
size_t countUnreadIncluders(const std::set<llvm::sys::fs::UniqueID> &Edited,
                            llvm::ArrayRef<UnitFacts> Units, const CheckSetup &Setup,
                            FileIdentities &Identities);

/// Whether one of \p Sources is among \p Files, or has an #include that leads to one of them
/// through headers that \p IsOpened.
bool reachAny(const std::set<llvm::sys::fs::UniqueID> &Files, llvm::ArrayRef<std::string> Sources,
              const CheckSetup &Setup, std::function<bool(llvm::StringRef)> IsOpened);

} // namespace opsig

#endif
