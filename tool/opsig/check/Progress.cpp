//===- Progress.cpp - A line on the terminal that tells how far a run is ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/Progress.h"
#include "opsig/Support/SafeText.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

namespace opsig {

/// Back to the first column, and clear to the end of the line.
static constexpr llvm::StringLiteral Rewind = "\r\x1b[K";

ProgressLine::ProgressLine(size_t Total)
    : Total(Total), Enabled(Total > 1 && llvm::sys::Process::StandardErrIsDisplayed()) {}

ProgressLine::~ProgressLine() {
  if (Shown)
    llvm::errs() << Rewind;
}

void ProgressLine::done(llvm::StringRef Name) {
  std::lock_guard Guard(Lock);
  ++Done;
  if (!Enabled)
    return;
  Shown = true;
  llvm::errs() << Rewind << '[' << Done << '/' << Total << "] "
               << safeText(llvm::sys::path::filename(Name));
}

} // namespace opsig
