//===- UnbrokenLock.h - What a reading that is given up must not be in ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A reading that does not return is abandoned in the middle, as after a crash: no destructor runs.
// A lock that it holds would never be released, and data that it changes would stay inconsistent.
// So a reading is never abandoned while it has one of these locks, but a moment later.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SUPPORT_UNBROKENLOCK_H
#define OPSIG_SUPPORT_UNBROKENLOCK_H

#include <mutex>

namespace opsig {

/// While this object exists, its thread is not abandoned. It must guard short operations only.
class Unbroken {
public:
  Unbroken();
  ~Unbroken();
  Unbroken(const Unbroken &) = delete;
  Unbroken &operator=(const Unbroken &) = delete;

  /// For the calling thread; a signal handler may call this.
  static bool isHere();
};

/// Guards data that readings and other threads use.
class UnbrokenLock : Unbroken {
public:
  explicit UnbrokenLock(std::mutex &Mutex) : Lock(Mutex) {}

private:
  std::lock_guard<std::mutex> Lock;
};

} // namespace opsig

#endif
