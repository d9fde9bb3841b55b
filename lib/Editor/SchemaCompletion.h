//===- SchemaCompletion.h - What may be written in a schema -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_LIB_EDITOR_SCHEMACOMPLETION_H
#define OPSIG_LIB_EDITOR_SCHEMACOMPLETION_H

#include "opsig/Editor/Completion.h"

namespace opsig {

/// What is known of the operator whose schema is being written.
struct SchemaContext {
  const Operators *Ops = nullptr; ///< PyTorch's own, for the names of arguments
  Grammar Of;
  /// Names of the parameters of its kernel, in order.
  std::vector<std::string> Params;
};

/// Behind \p Before, a schema up to the place that is asked about, with the parenthesis of its
/// arguments. Begin is an offset into it.
Completions completeSchema(llvm::StringRef Before, const SchemaContext &Context);

/// Those that begin as \p Typed, and \p Most of them at most.
void keepBeginning(Completions &All, llvm::StringRef Typed, size_t Most = 300);

} // namespace opsig

#endif
