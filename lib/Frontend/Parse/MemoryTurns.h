//===- MemoryTurns.h - Readings that wait for memory --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// resident memory of the process => which of its readings go on, which wait for others to end
//
// Each reading may have a lot of memory, as long as it is the only one. The more the process has,
// the fewer readings go on at a time, so that what they take together stays below one bound, at
// any number of threads. What even that does not hold is ended with the process
// (endHangingReadings).
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_FRONTEND_PARSE_MEMORYTURNS_H
#define OPSIG_LIB_FRONTEND_PARSE_MEMORYTURNS_H

#include "llvm/ADT/ArrayRef.h"
#include <chrono>
#include <cstdint>
#include <map>

namespace opsig {

/// What is decided for one reading at a time.
struct ReadingTurn {
  const void *Reading; ///< in the order in which they began
  double Seconds;      ///< of the processor
  bool Waits = false;
};

class MemoryTurns {
public:
  /// \p Mebibytes: of the process; 0: nobody waits.
  void setBound(unsigned Mebibytes) { Most = uint64_t(Mebibytes) << 20; }
  uint64_t bound() const { return Most; }
  /// Fewer at a time: a run before this one was full.
  void beCareful() { Careful = true; }

  /// Where the process cannot go on.
  bool isFull(uint64_t Resident) const { return Most && Resident > Most / 8 * 7; }
  /// Whether a reading that begins now waits if there are \p Others.
  bool isCrowded(uint64_t Resident, size_t Others) const { return Others >= mostAtOnce(Resident); }
  /// How soon to look again.
  bool isNear(uint64_t Resident) const { return Most && Resident > Most / 4; }

  /// Who of \p Readings waits from now on. One that does not come on although it may, because it
  /// waits for what another one has, gives its turn away.
  void decide(llvm::MutableArrayRef<ReadingTurn> Readings, uint64_t Resident);

private:
  using Time = std::chrono::steady_clock::time_point;

  size_t mostAtOnce(uint64_t Resident) const;
  void seeWhoComesOn(llvm::ArrayRef<ReadingTurn> Readings);

  struct Progress {
    double Seconds = -1;
    Time Since;
    bool Waited = false;
  };

  uint64_t Most = 0;
  bool Careful = false;
  std::map<const void *, Progress> Known;
};

/// Gives the system back what is free in the heap; at most once a second.
void returnFreeMemory();

} // namespace opsig

#endif
