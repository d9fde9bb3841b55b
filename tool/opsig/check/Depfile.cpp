//===- Depfile.cpp - What a run was made of, for a build system --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/Depfile.h"
#include "llvm/ADT/StringRef.h"

namespace opsig {

/// Backslashes count only in front of what has to be escaped, and are doubled there.
static std::string escaped(llvm::StringRef Name) {
  std::string Out;
  size_t Backslashes = 0;
  for (char C : Name) {
    if (C == ' ' || C == '#')
      Out.append(Backslashes + 1, '\\');
    else if (C == '$')
      Out += '$';
    Out += C;
    Backslashes = C == '\\' ? Backslashes + 1 : 0;
  }
  return Out;
}

void writeDepfile(llvm::raw_ostream &OS, llvm::StringRef Output,
                  const std::set<std::string> &Inputs) {
  OS << escaped(Output) << ':';
  for (const std::string &Input : Inputs)
    if (!llvm::StringRef(Input).contains('\n'))
      OS << " \\\n  " << escaped(Input);
  OS << '\n';
}

} // namespace opsig
