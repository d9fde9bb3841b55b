//===- RulePagesInternal.h - What the documentation says of a check ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_LIB_CHECK_RULEPAGESINTERNAL_H
#define OPSIG_LIB_CHECK_RULEPAGESINTERNAL_H

#include "opsig/Support/Diagnostic.h"

namespace opsig {

/// docs/diagnostics/<id>.md as it was when opsig was built.
llvm::StringRef rulePage(DiagId Id);

/// The first paragraph of a page, in one line.
std::string firstParagraph(llvm::StringRef Page);

} // namespace opsig

#endif
