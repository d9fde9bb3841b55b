//===- RulePages.h - What the documentation says of a check -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FindingId => its page of docs/diagnostics, as it was when opsig was built
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_REPORT_RULEPAGES_H
#define OPSIG_REPORT_RULEPAGES_H

#include "opsig/Support/Finding.h"

namespace opsig {

/// The whole page, in Markdown.
llvm::StringRef rulePage(FindingId Id);

/// The first paragraph of a page below its headings, in one line.
std::string firstParagraph(llvm::StringRef Page);

} // namespace opsig

#endif
