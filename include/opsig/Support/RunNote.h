//===- RunNote.h - What a user should know about a run ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// what was used instead of what was asked for => RunNote => text | a line of JSON | SARIF
//
// No finding: nothing of the user's is wrong, and the exit status is not changed by it.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SUPPORT_RUNNOTE_H
#define OPSIG_SUPPORT_RUNNOTE_H

#include "llvm/Support/raw_ostream.h"
#include <string>

namespace opsig {

struct RunNote {
  std::string Message;
  /// Something is probably wrong, or left out because of it.
  bool IsWarning = false;
};

/// An object with all keys of a finding and a newline; its id is "opsig-run", its level "note".
void printJson(llvm::raw_ostream &OS, const RunNote &N);

} // namespace opsig

#endif
