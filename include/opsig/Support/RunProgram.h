//===- RunProgram.h - Another program => what it prints ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// name x folders that are not trusted => path of a program (findProgram)
//   => runProgram(): what it prints, or how it ended
//
// The only code of opsig that starts programs: python3 for Python files, git for --since. The files
// that these programs read may be untrusted, so nothing in a checkout may decide which program runs
// or what it loads.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SUPPORT_RUNPROGRAM_H
#define OPSIG_SUPPORT_RUNPROGRAM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace opsig {

/// The absolute path of the first program \p Name in the folders of PATH. Folders that are
/// relative, or at or below one of \p Untrusted after links are resolved, are skipped.
std::optional<std::string> findProgram(llvm::StringRef Name, llvm::ArrayRef<std::string> Untrusted);

/// What a program may use before it is stopped.
struct ProgramLimits {
  unsigned Seconds = 120; ///< from start to end
  unsigned CpuSeconds = 30;
  unsigned IdleSeconds = 20;           ///< without computing or printing
  uint64_t Memory = uint64_t(1) << 30; ///< bytes that it allocates
  size_t Output = size_t(1) << 28;     ///< bytes that it prints
};

struct ProgramRun {
  std::string Path; ///< absolute
  std::vector<std::string> Arguments;
  /// "NAME=VALUE", beside baseEnvironment().
  std::vector<std::string> Environment = {};
  std::string Input = {};
  ProgramLimits Limits = {};
};

struct ProgramEnd {
  enum Kind : uint8_t {
    Exited,      ///< with Status
    Signalled,   ///< by signal number Status
    TookTooLong, ///< more time, or CPU time, than the limits say
    StoodStill,  ///< it waits without end, for example for a pipe
    PrintedTooMuch,
  } Is = Exited;
  int Status = 0;
  std::string Output, Errors;
  double CpuSeconds = 0;

  bool succeeded() const { return Is == Exited && Status == 0; }
  /// "took more than 30 s", "exited with status 3".
  std::string why(const ProgramLimits &Limits) const;
};

/// The part of opsig's environment that every program receives: where the user's own files and
/// libraries are. PATH contains the folder of \p Program and the system's folders.
std::vector<std::string> baseEnvironment(llvm::StringRef Program);

/// Runs the program in the root folder, without descriptors of opsig, without a file that it can
/// write, and never longer than opsig itself. Fails if it cannot be started.
llvm::Expected<ProgramEnd> runProgram(const ProgramRun &Run);

} // namespace opsig

#endif
