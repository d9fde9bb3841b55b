//===- MemoryTurns.cpp - Readings that wait for memory ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Parse/MemoryTurns.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#ifdef __GLIBC__
#include <malloc.h>
#endif

using namespace opsig;
using llvm::ArrayRef;
using llvm::MutableArrayRef;

/// A reading that has not run for that long, though it may, waits for something.
static constexpr std::chrono::milliseconds Patience{500};

/// What is left is shared by those that go on; each gets about that part of the bound.
static constexpr unsigned Shares = 10;

size_t MemoryTurns::mostAtOnce(uint64_t Resident) const {
  uint64_t Free = Most / (Careful ? 4 : 2);
  if (!Most || Resident <= Free)
    return SIZE_MAX;
  if (Careful || isFull(Resident))
    return 1;
  return std::max<size_t>((Most / 8 * 7 - Resident) / (Most / Shares), 1);
}

void MemoryTurns::seeWhoComesOn(ArrayRef<ReadingTurn> Readings) {
  std::map<const void *, Progress> Now;
  for (const ReadingTurn &Each : Readings) {
    auto It = Known.find(Each.Reading);
    Progress Seen = It == Known.end() ? Progress() : It->second;
    if (Each.Waits || Seen.Waited || Each.Seconds > Seen.Seconds)
      Seen = {Each.Seconds, std::chrono::steady_clock::now(), Each.Waits};
    Now[Each.Reading] = Seen;
  }
  Known = std::move(Now);
}

void MemoryTurns::decide(MutableArrayRef<ReadingTurn> Readings, uint64_t Resident) {
  size_t Most = mostAtOnce(Resident);
  seeWhoComesOn(Readings);
  Time Before = std::chrono::steady_clock::now() - Patience;
  for (ReadingTurn &Each : Readings) {
    bool Stands = Known[Each.Reading].Since < Before;
    Each.Waits = !Stands && Most == 0;
    Most -= !Stands && Most ? 1 : 0;
  }
}

void opsig::returnFreeMemory() {
#ifdef __GLIBC__
  static std::chrono::steady_clock::time_point Last;
  auto Now = std::chrono::steady_clock::now();
  if (Now - Last < std::chrono::seconds(1))
    return;
  Last = Now;
  malloc_trim(0);
#endif
}
