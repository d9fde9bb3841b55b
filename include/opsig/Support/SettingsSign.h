//===- SettingsSign.h - Which folders hold settings -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_SUPPORT_SETTINGSSIGN_H
#define OPSIG_SUPPORT_SETTINGSSIGN_H

#include "llvm/ADT/StringRef.h"

namespace opsig {

/// Whether a line of \p Text, of a pyproject.toml, is the header of the table tool.opsig or of one
/// in it. The text need not be TOML; one that writes the table without a header has none.
bool hasOpsigHeader(llvm::StringRef Text);

/// Whether there is a .opsig.yaml in \p Folder, or a pyproject.toml with such a header.
bool holdsSettings(llvm::StringRef Folder);

} // namespace opsig

#endif
