//===- CodeActions.h - What an editor offers to write ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CodeTarget: an operator that lacks something => declarations and registrations, as edits
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_EDITOR_CODEACTIONS_H
#define OPSIG_EDITOR_CODEACTIONS_H

#include "opsig/Editor/CodeAnswers.h"

namespace opsig {

struct CodeEdit {
  size_t Offset; ///< where Text goes, in the text now
  std::string Text;
};

/// Edits of one file, all of which belong together.
struct CodeAction {
  std::string Title;
  std::vector<CodeEdit> Edits; ///< in the order of the text
};

/// For what stands at a place: declare the kernel that a registration names, register a function
/// (or declare one) for an operator without kernels, add its Meta kernel. Edits are of the file at
/// \p At alone, and none is made where the schema has no C++ type, or where what was read does not
/// stand there any more.
std::vector<CodeAction> codeActions(const CodeIndex &Index, const CodeAnswers &Answers,
                                    const TextOfPath &Texts, const CodePlace &At);

} // namespace opsig

#endif
