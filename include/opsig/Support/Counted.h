//===- Counted.h - Numbers with their nouns ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_SUPPORT_COUNTED_H
#define OPSIG_SUPPORT_COUNTED_H

#include "llvm/ADT/Twine.h"
#include <string>

namespace opsig {

/// "3 findings", "1 finding"; \p Plural where it is not the noun and an s.
inline std::string counted(size_t Count, llvm::StringRef Noun, llvm::StringRef Plural = "") {
  if (Count != 1 && !Plural.empty())
    return (llvm::Twine(Count) + " " + Plural).str();
  return (llvm::Twine(Count) + " " + Noun + (Count == 1 ? "" : "s")).str();
}

} // namespace opsig

#endif
