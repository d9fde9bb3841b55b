//===- ReadingRegistry.h - All readings of this process ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ReadingWatch* x the time and memory of the run => which of them wait, and which are given up
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_FRONTEND_PARSE_READINGREGISTRY_H
#define OPSIG_LIB_FRONTEND_PARSE_READINGREGISTRY_H

#include "Parse/Bounds.h"
#include "Parse/HardFiles.h"
#include "Parse/MemoryTurns.h"
#include "Parse/TimeBudget.h"
#include "opsig/Frontend/RunMemory.h"
#include "llvm/ADT/STLExtras.h"
#include <chrono>
#include <functional>
#include <mutex>
#include <set>

namespace opsig {

/// The readings of this process.
struct ReadingWatch::Registry {
  std::mutex Mutex;
  std::vector<ReadingWatch *> Running; ///< the oldest first
  MemoryTurns Turns;
  TimeBudget Time;
  size_t MostAtOnce = 0;
  bool Started = false;
  bool HasOneLeft = false; ///< since the last look
  std::function<void(const HardFiles &, llvm::StringRef, llvm::StringRef)> End;
  /// Files whose memory stays taken.
  HardFiles GivenUp;
  std::set<std::string> Read; ///< to the end
  /// Whether files that have had their turn can be read again, and which of them were given up.
  bool TakesTurns = false;
  std::set<std::string> CutShort;
  std::chrono::milliseconds Pause{100}, Next{100};

  Registry() { Turns.setBound(DefaultRunMebibytes); }

  static Registry &registry() {
    // Never destroyed: the thread outlives main().
    static auto *The = new Registry;
    return *The;
  }

  void start();
  void add(ReadingWatch &Watch);
  void remove(ReadingWatch &Watch);

private:
  [[noreturn]] void watch();
  void lookAtAll();
  static double processors();
  void charge();
  void limitTime();
  HardFiles whatIsKnown() const;
  uint64_t takeTurns(uint64_t Resident);
  void endWhatHangs(uint64_t Resident) const;
  bool anyLeaving() const {
    return llvm::any_of(Running,
                        [](const ReadingWatch *Each) { return Each->Leaving != Reason::None; });
  }
};

} // namespace opsig

#endif
