//===- Between.h - clangd, with something between it and the editor -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// the editor's streams => ClangdProxy => pipes that are clangd's standard streams, and back
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CLANGD_BETWEEN_H
#define OPSIG_CLANGD_BETWEEN_H

#include "opsig/Editor/ClangdProxy.h"
#include <functional>

namespace opsig {

/// Whether clangd, called like this, talks to an editor: it prints no help, checks no file and
/// reads no tests.
bool talksToEditor(llvm::ArrayRef<const char *> Arguments);

/// Runs \p Clangd with what it reads and writes going through \p Proxy. Ends the program with its
/// status: threads may be at work that nobody waits for.
[[noreturn]] void runBetween(ClangdProxy &Proxy, const std::function<int()> &Clangd);

} // namespace opsig

#endif
