//===- HostVersion.h - Is the program that loads us the right one? ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_TIDY_HOSTVERSION_H
#define OPSIG_TIDY_HOSTVERSION_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace opsig {

/// Neither clang-tidy nor Clang asks a loaded module which LLVM it was built for, and with another
/// one than their own it reads memory wrongly.
/// \p HostVersion is what the host says of itself ("Debian clang version MAJOR.MINOR.PATCH ...").
/// Returns "" if \p Module can work in it, else what to tell the user. Patch releases do not
/// matter.
std::string whyUnusable(llvm::StringRef Module, llvm::StringRef HostVersion);

/// Asks the Clang that is loaded and prints to standard error if \p Module cannot work in it.
bool hostIsUsable(llvm::StringRef Module);

} // namespace opsig

#endif
