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

/// What UnitFacts::FirstError consists of.
struct FirstErrors {
  llvm::SmallVector<llvm::StringRef, 2> Flags; ///< all of them, in the order of Clang's driver
  llvm::StringRef Text;                        ///< the first error in the text of a file; or ""
};
FirstErrors splitFirstErrors(llvm::StringRef First);

/// \p First, an UnitFacts::FirstError that begins with an error about a flag, with the error
/// \p Next: if this is about a flag too, it becomes the last of these; otherwise, it is the Text.
std::string joinFirstErrors(llvm::StringRef First, llvm::StringRef Next);

/// What to do about an error that is about a flag: "expected 'c++17', 'c++20' ...".
std::string flagAdvice(llvm::StringRef Message);

/// \p First for the user, in one line: after each error about a flag stands what to do about it.
std::string withFlagAdvice(llvm::StringRef First);

} // namespace opsig

#endif
