//===- Bounds.h - Readings end -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ReadingBounds x one run of Clang => the run goes on, or is given up
//
// A thread looks at the time and the memory of all runs. The preprocessor and Sema ask at each
// token, macro, #include and template whether it is over, and how much memory there is. What runs
// on without any of those is ended by a signal, as if it had crashed: it leaves the code of Clang
// that it is in. Where that cannot be, it can only be stopped together with the program
// (endHangingReadings).
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_FRONTEND_PARSE_BOUNDS_H
#define OPSIG_LIB_FRONTEND_PARSE_BOUNDS_H

#include "opsig/Frontend/Parse.h"
#include <atomic>
#include <ctime>
#include <pthread.h>

namespace clang {
class CompilerInstance;
class FrontendAction;
} // namespace clang

namespace opsig {

/// Of the run in this thread, inside of an llvm::CrashRecoveryContext.
class ReadingWatch {
public:
  /// Before the first one, from a thread that may do more than read.
  static void startWatching();
  /// Where a run before this one had too much memory.
  static void beCareful();

  /// From now on files that take longer than others are given up at first, where one was given up.
  /// \p AreReadAgain: false to end that.
  static void takeTurns(bool AreReadAgain);
  /// Whether \p Job was given up so, since this was asked for it.
  static bool wasCutShort(const ParseJob &Job);

  /// Why there is no time left for \p Job; "" where there is.
  static std::string whyNoTime(const ParseJob &Job);
  /// Seconds of one processor that went in vain elsewhere.
  static void spend(double Seconds);
  /// As above, of a run before this one.
  static void spentBefore(double Seconds);
  /// What went in vain by now, without what was read; less than 0 where that was more.
  static double spent();

  /// \p IsCounted: what it takes counts for the whole run.
  explicit ReadingWatch(const ParseJob &Job, bool IsCounted = true);
  ~ReadingWatch();

  /// \p Action, which this watches.
  std::unique_ptr<clang::FrontendAction> watched(std::unique_ptr<clang::FrontendAction> Action);

  /// Gives the run up where it takes too much, and waits where others go first.
  void look() {
    if (Waits.load(std::memory_order_relaxed))
      awaitTurn();
    if (Late.load(std::memory_order_relaxed))
      giveUpLate();
    unsigned Asked = Count.load(std::memory_order_relaxed) + 1;
    Count.store(Asked, std::memory_order_relaxed);
    if (Asked % 4096 == 0)
      lookAtMemory();
  }
  /// \p Read: how many tokens of the source are read. Those in between are of arguments of macros,
  /// which are kept until all of them are expanded.
  void lookAtToken(unsigned Read) {
    NumNested = Read == NumRead ? NumNested + 1 : 0;
    NumRead = Read;
    look();
  }
  /// Whether the source may have the bytes of \p Path as constants.
  bool mayEmbed(llvm::StringRef Path) const;
  /// Ends the run, for a reason that follows the file's name.
  [[noreturn]] void giveUp(std::string Why);
  /// "took more than 30 s"; "" where it did not.
  const std::string &exceeded() const { return Exceeded; }

  void begin(const clang::CompilerInstance &Of) { Compiler = &Of; }
  /// It came to its end. \p Whole: the file can be read.
  void end(bool Whole) {
    HasEnded = true;
    HasRead = Whole;
  }

  /// Whether this thread is in what the run can be left from.
  void setInside(bool Is) { Inside = Is; }

  struct Registry;

  /// While a process forks.
  class ForkGuard {
  public:
    ForkGuard();
    ~ForkGuard();
    /// In the child, whose readings are its own.
    void startAgain();
  };

private:
  /// Since the reading asked for the last time.
  struct SilentTime {
    unsigned Asked = ~0u;
    double Since = 0;
    uint64_t Resident = 0, Faults = 0;
  };
  enum class Reason : unsigned char { None, Time, Memory };

  /// The signal's handler, which was called at that address.
  static void leave(uintptr_t At);
  void lookAtMemory();
  void awaitTurn() const;
  [[noreturn]] void giveUpLate();
  [[noreturn]] void giveUpLarge();
  uint64_t usedMemory() const;

  /// Of the file, absolute.
  std::string path() const;
  // What the watching thread calls.
  double seconds() const;
  void seen(uint64_t Resident);
  bool hasGrown(uint64_t Resident) const;
  uint64_t newFaults() const;
  void forgetGrowth(uint64_t Resident);

  const ParseJob &Job;
  const bool IsCounted;
  const bool WasRead; ///< by a run before this one, within its bounds
  const clang::CompilerInstance *Compiler = nullptr;
  std::atomic<unsigned> Count = 0;
  unsigned NumRead = 0;
  uint64_t NumNested = 0;
  clockid_t Clock;
  double Begin;
  double Charged = 0, ChargedUpTo = 0; ///< seconds that the run takes for it; of seconds()
  std::string Exceeded;
  bool HasEnded = false, HasRead = false, TookTooLong = false;
  std::atomic<bool> HadTurn = false; ///< Limit is less than there is time for
  std::atomic<unsigned> Limit;       ///< seconds; 0: none (TimeBudget.h)
  std::atomic<bool> Late = false, Inside = false;
  std::atomic<bool> Waits = false;            ///< until others need less memory (MemoryTurns.h)
  std::atomic<Reason> Leaving = Reason::None; ///< why, once it has to
  pthread_t Thread;
  uint64_t ThreadNumber;
  SilentTime Silence;
  double LateSince = 0;
};

} // namespace opsig

#endif
