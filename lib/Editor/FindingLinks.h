//===- FindingLinks.h - Links of findings in messages of clangd ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_LIB_EDITOR_FINDINGLINKS_H
#define OPSIG_LIB_EDITOR_FINDINGLINKS_H

#include "opsig/Report/DocsLinks.h"
#include "llvm/Support/JSON.h"

namespace opsig {

/// Whether the body of a message may hold a finding with a link. Most messages hold none, and need
/// not be parsed.
bool mayLinkFindings(llvm::StringRef Body);

/// Each finding of opsig in \p Message links to its page. clangd takes them for clang-tidy's own
/// and links to pages of clang-tidy's site, which do not exist. Without a page there is no link.
void linkFindings(llvm::json::Object &Message, const DocsLinks &Docs);

} // namespace opsig

#endif
