//===- Sandbox.h - Threads that only read -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sources and compile commands are a stranger's. A thread that reads them can do without starting
// programs, without the network and without writing, so Linux is asked to refuse all of that
// (seccomp and, where the kernel has it, Landlock). It is a second line: what reads sources must
// not try any of it in the first place.
//
// A refused call fails as one without permission. A file that was open before stays usable.
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

/// From now on neither the calling thread nor those that it creates start programs or open
/// connections. Whether the kernel took it.
bool forbidPrograms();

/// Why runReadOnly() restricts nothing on this system; "" where it does, all or in part. Tries it
/// once, on a thread of its own.
llvm::StringRef sandboxProblem();

} // namespace opsig

#endif
