//===- CppName.h - Is this a name in C++? ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_SUPPORT_CPPNAME_H
#define OPSIG_SUPPORT_CPPNAME_H

#include "llvm/ADT/StringRef.h"

namespace opsig {

/// An identifier of plain letters that is no keyword.
bool isCppName(llvm::StringRef Text);

/// Names with "::" between them.
bool isQualifiedCppName(llvm::StringRef Text);

} // namespace opsig

#endif
