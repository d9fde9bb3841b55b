//===- RunNote.h - What a user should know about a run ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// what opsig used instead of what the user asked for => RunNote => text | a line of JSON | SARIF
//
// A note is not a finding: the user's input has no error, and the exit status stays the same.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SUPPORT_RUNNOTE_H
#define OPSIG_SUPPORT_RUNNOTE_H

#include "llvm/Support/raw_ostream.h"
#include <string>

namespace opsig {

struct RunNote {
  std::string Message;
  /// Something is probably wrong, or was left out because of it.
  bool IsWarning = false;
};

/// An object with all keys of a finding and a newline; its id is "opsig-run", its level "note".
void printJson(llvm::raw_ostream &OS, const RunNote &N);

} // namespace opsig

#endif
