//===- RunTime.h - How much time a run may spend in vain ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_FRONTEND_RUNTIME_H
#define OPSIG_FRONTEND_RUNTIME_H

namespace opsig {

/// All readings of this process that are given up take at most \p Seconds, and as long as those
/// that are not; 0: each has its own bound (ReadingBounds of Parse.h) and that is all, as in a
/// process where this is not called.
void boundRunTime(unsigned Seconds);

/// How much of that is left, at most \p Most; as much where there is no bound.
double secondsInVain(double Most);

/// Of a run for which nothing else is given.
constexpr unsigned DefaultRunSeconds = 45;

} // namespace opsig

#endif
