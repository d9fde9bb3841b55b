//===- Sandbox.h - Threads that only read -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sources and compile commands may be untrusted. A thread that reads them needs neither programs
// nor the network nor write access, so opsig asks Linux to refuse these (seccomp and, if the kernel
// has it, Landlock). This is a second line of defense: code that reads sources must not attempt any
// of it in the first place.
//
// A refused call fails as if permission were missing. Files that were open before stay usable.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SUPPORT_SANDBOX_H
#define OPSIG_SUPPORT_SANDBOX_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace opsig {

/// Calls \p Do once on a thread of its own, which starts no program, opens no connection, writes,
/// creates, renames or removes no file and maps no file as code; nor do threads that it creates.
/// Where the kernel refuses to restrict a thread, \p Do is called all the same; see
/// sandboxProblem(). Called on a thread that is restricted already, it calls \p Do directly.
void runReadOnly(llvm::function_ref<void()> Do);

/// Prevents the calling thread, and threads that it creates, from starting programs or opening
/// connections. Returns whether the kernel accepted this.
bool forbidPrograms();

/// Why runReadOnly() restricts nothing on this system; "" if it restricts at least something. The
/// first call tries it on a thread of its own.
llvm::StringRef sandboxProblem();

} // namespace opsig

#endif
