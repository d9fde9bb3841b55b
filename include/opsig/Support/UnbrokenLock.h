//===- UnbrokenLock.h - What a reading that is given up must not be in ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A reading that does not come back is left in the middle of what it does, as after a crash: no
// destructor runs. A lock that it holds then would never be free again, and what it was changing
// would stay half changed. So it is not left within one of these, but a moment later.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SUPPORT_UNBROKENLOCK_H
#define OPSIG_SUPPORT_UNBROKENLOCK_H

#include <mutex>

namespace opsig {

/// As long as one of these is there, its thread is not left. What it guards takes a moment.
class Unbroken {
public:
  Unbroken();
  ~Unbroken();
  Unbroken(const Unbroken &) = delete;
  Unbroken &operator=(const Unbroken &) = delete;

  /// Of the calling thread; may be asked by the handler of a signal.
  static bool isHere();
};

/// Holds what readings and other threads use in turn.
class UnbrokenLock : Unbroken {
public:
  explicit UnbrokenLock(std::mutex &Mutex) : Lock(Mutex) {}

private:
  std::lock_guard<std::mutex> Lock;
};

} // namespace opsig

#endif
