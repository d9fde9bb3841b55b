//===- Messages.h - What is said on standard error ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_TOOL_MESSAGES_H
#define OPSIG_TOOL_MESSAGES_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

namespace opsig {

/// "opsig: error: ..." to standard error. Whatever stands in the message is printed as one line.
void complain(llvm::Error Err);
/// The same for a note and for a warning.
void reportNote(const llvm::Twine &Text);
void reportWarning(const llvm::Twine &Text);

} // namespace opsig

#endif
