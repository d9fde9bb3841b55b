//===- Bounds.h - Readings end -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ReadingBounds x one run of Clang => the run goes on, or is given up
//
// A thread looks at the time of all runs. The preprocessor and Sema ask at each token, macro,
// #include and template whether it is over, and how much memory there is. What runs on without any
// of those can only be stopped together with the program (endHangingReadings).
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_FRONTEND_PARSE_BOUNDS_H
#define OPSIG_LIB_FRONTEND_PARSE_BOUNDS_H

#include "opsig/Frontend/Parse.h"
#include <atomic>
#include <ctime>

namespace clang {
class CompilerInstance;
class FrontendAction;
} // namespace clang

namespace opsig {

/// Of the run in this thread, inside of an llvm::CrashRecoveryContext.
class ReadingWatch {
public:
  explicit ReadingWatch(const ParseJob &Job);
  ~ReadingWatch();

  /// \p Action, which this watches.
  std::unique_ptr<clang::FrontendAction> watched(std::unique_ptr<clang::FrontendAction> Action);

  /// Gives the run up where it takes too much.
  void look() {
    if (Late.load(std::memory_order_relaxed))
      giveUpLate();
    if (++Count % 4096 == 0)
      lookAtMemory();
  }
  /// \p Read: how many tokens of the source are read. Those in between are of arguments of macros,
  /// which are kept until all of them are expanded.
  void lookAtToken(unsigned Read) {
    NumNested = Read == NumRead ? NumNested + 1 : 0;
    NumRead = Read;
    look();
  }
  /// "took more than 30 s"; "" where it did not.
  const std::string &exceeded() const { return Exceeded; }

  void begin(const clang::CompilerInstance &Of) { Compiler = &Of; }

  struct Registry;

private:
  void lookAtMemory();
  [[noreturn]] void giveUpLate();
  [[noreturn]] void giveUp(std::string Why);
  uint64_t usedMemory() const;

  const ParseJob &Job;
  const clang::CompilerInstance *Compiler = nullptr;
  unsigned Count = 0, NumRead = 0;
  uint64_t NumNested = 0;
  clockid_t Clock;
  double Begin;
  std::string Exceeded;
  mutable std::atomic<bool> Late = false;
};

} // namespace opsig

#endif
