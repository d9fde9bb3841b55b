//===- FlagErrors.h - Errors that are about flags, not about a text ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_FRONTEND_FLAGERRORS_H
#define OPSIG_FRONTEND_FLAGERRORS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace opsig {

/// Whether the error that Clang words as \p Message is about a flag of the compile command: every
/// file with that command has it.
bool isFlagError(llvm::StringRef Message);

/// The first error of a file, \p First, which is about a flag, together with the next error if this
/// is about a flag too.
std::string joinFlagErrors(llvm::StringRef First, llvm::StringRef Next);

/// The errors that joinFlagErrors() made \p First of.
llvm::SmallVector<llvm::StringRef, 2> splitFlagErrors(llvm::StringRef First);

/// What to do about such an error: "expected 'c++17', 'c++20' ...".
std::string flagAdvice(llvm::StringRef Message);

} // namespace opsig

#endif
