//===- RunMemory.h - How much memory a run may have ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_FRONTEND_RUNMEMORY_H
#define OPSIG_FRONTEND_RUNMEMORY_H

namespace opsig {

/// All readings of this process together, whatever their number, have at most \p Mebibytes; 0: each
/// has its own bound (ReadingBounds of Parse.h) and that is all. To be called before anything is
/// read.
void boundRunMemory(unsigned Mebibytes);

/// Of a run for which nothing else is given.
constexpr unsigned DefaultRunMebibytes = 2048;

} // namespace opsig

#endif
