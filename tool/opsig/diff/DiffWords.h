//===- DiffWords.h - Which words of two lines differ --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_TOOL_DIFF_DIFFWORDS_H
#define OPSIG_TOOL_DIFF_DIFFWORDS_H

#include "llvm/ADT/StringRef.h"
#include <utility>
#include <vector>

namespace opsig {

/// A part of a line: words that both lines have, or words of this one alone.
struct DiffWord {
  llvm::StringRef Text;
  bool Changed;
};

/// Both lines in parts, which have all of their text. Where one line is empty, nothing of the other
/// is marked.
std::pair<std::vector<DiffWord>, std::vector<DiffWord>> changedWords(llvm::StringRef From,
                                                                     llvm::StringRef To);

} // namespace opsig

#endif
