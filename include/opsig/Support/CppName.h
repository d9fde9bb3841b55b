//===- CppName.h - Names in C++ -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_SUPPORT_CPPNAME_H
#define OPSIG_SUPPORT_CPPNAME_H

#include "llvm/ADT/StringRef.h"

namespace opsig {

/// An identifier of plain letters that is no keyword.
bool isCppName(llvm::StringRef Text);

/// Names with "::" between them.
bool isQualifiedCppName(llvm::StringRef Text);

/// Where \p Name first is in \p Text from \p From on and no part of a longer name; npos if nowhere.
size_t findCppName(llvm::StringRef Text, llvm::StringRef Name, size_t From = 0);

/// "f" of "ns::f", and of "f".
llvm::StringRef lastCppName(llvm::StringRef Qualified);

} // namespace opsig

#endif
