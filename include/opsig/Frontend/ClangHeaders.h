//===- ClangHeaders.h - Clang's own headers ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_FRONTEND_CLANGHEADERS_H
#define OPSIG_FRONTEND_CLANGHEADERS_H

#include <string>

namespace opsig {

/// The folder whose include/ has Clang's own headers, as stddef.h: the one that is installed beside
/// the program, else that of the LLVM it was built with. It may not be there.
std::string clangResourceFolder();

} // namespace opsig

#endif
