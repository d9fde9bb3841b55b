//===- SafeText.h - Text of others, safe to print ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// names, settings, schemas, lines of sources => text | the beginning of a line | Markdown | a patch
//
// A checkout can contain any bytes. Unescaped, they could control a terminal (ESC, C1), add lines
// to a log, reorder text (bidirectional controls), or control services that read the log: build
// services interpret lines with `::error` or `##[error]` as commands.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SUPPORT_SAFETEXT_H
#define OPSIG_SUPPORT_SAFETEXT_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace opsig {

enum class LineEnds : uint8_t { Escaped, Kept };

/// \p Text with everything escaped that is not plain UTF-8 text ("\x1b", "\n", "\u202e"). With
/// LineEnds::Kept, line ends and tabs are kept.
std::string safeText(llvm::StringRef Text, LineEnds Ends = LineEnds::Escaped);

/// The same for text at the beginning of a line.
std::string safeLineStart(llvm::StringRef Text);

/// The printed JSON \p Json with all such characters as JSON escapes; the values stay the same.
std::string safeJson(llvm::StringRef Json);

/// \p Line with a '?' for each byte that safeText would escape and a blank for each tab, so that
/// every byte keeps its column.
std::string safeColumns(llvm::StringRef Line);

/// Whether a log service could interpret \p Line as a command.
bool looksLikeCommand(llvm::StringRef Line);

/// \p Text escaped for Markdown, as running text and as code. Both can be used in a table.
std::string markdownText(llvm::StringRef Text);
std::string markdownCode(llvm::StringRef Text);

/// \p Path as git writes it after "--- " and "+++ ": quoted if necessary.
std::string patchName(llvm::StringRef Path);

} // namespace opsig

#endif
