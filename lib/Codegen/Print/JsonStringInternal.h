//===- JsonStringInternal.h - JSON strings in ASCII -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_CODEGEN_JSONSTRINGINTERNAL_H
#define OPSIG_CODEGEN_JSONSTRINGINTERNAL_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace opsig {

/// \p Text (UTF-8) as a JSON string with its quotes, in ASCII only, as Python's json.dumps writes
/// it by default. A byte that is no UTF-8 becomes U+FFFD.
std::string jsonString(llvm::StringRef Text);

} // namespace opsig

#endif
