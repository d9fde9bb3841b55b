//===- SafeText.h - Text of others, safe to print ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// names, settings, schemas, lines of sources => text | the beginning of a line | Markdown | a patch
//
// A checkout may hold any bytes. Printed as they are, they could command a terminal (ESC, C1), add
// lines of their own to a log, reorder what is read (bidirectional controls), or command whoever
// reads the log: services that run builds take lines with `::error` or `##[error]` for theirs.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SUPPORT_SAFETEXT_H
#define OPSIG_SUPPORT_SAFETEXT_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace opsig {

enum class LineEnds : uint8_t { Escaped, Kept };

/// \p Text with everything escaped ("\x1b", "\n", "\u202e") that is not plain text in UTF-8.
/// With LineEnds::Kept line ends and tabs stay.
std::string safeText(llvm::StringRef Text, LineEnds Ends = LineEnds::Escaped);

/// The same for what a line begins with.
std::string safeLineStart(llvm::StringRef Text);

/// \p Json, printed, with everything of that kind as an escape of JSON: the same values.
std::string safeJson(llvm::StringRef Json);

/// \p Line with a '?' for each byte that safeText would escape, and a blank for each tab, so that
/// every byte keeps its column.
std::string safeColumns(llvm::StringRef Line);

/// Whether a log service could take \p Line for a command.
bool looksLikeCommand(llvm::StringRef Line);

/// \p Text as running text of Markdown, and as code in it. Both may stand in a table.
std::string markdownText(llvm::StringRef Text);
std::string markdownCode(llvm::StringRef Text);

/// \p Path as git writes it behind "--- " and "+++ ": quoted where it has to be.
std::string patchName(llvm::StringRef Path);

} // namespace opsig

#endif
