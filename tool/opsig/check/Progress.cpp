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

StatusLine::StatusLine(llvm::StringRef Text) : Shown(llvm::sys::Process::StandardErrIsDisplayed()) {
  if (Shown)
    llvm::errs() << Rewind << Text;
}

StatusLine::~StatusLine() {
  if (Shown)
    llvm::errs() << Rewind;
}

std::string timeLeft(double Elapsed, size_t Done, size_t Total) {
  constexpr double Early = 2, Over = 2, Minute = 60;
  if (!Done || Elapsed < Early)
    return "";
  double Left = Elapsed / double(Done) * double(Total - Done);
  if (Left < Over)
    return "";
  if (Left < Minute)
    return ", about " + std::to_string(unsigned(Left + 0.5)) + " s left";
  return ", about " + std::to_string(unsigned(Left / Minute + 0.5)) + " min left";
}

ProgressLine::ProgressLine(size_t Total)
    : Total(Total), Enabled(Total > 1 && llvm::sys::Process::StandardErrIsDisplayed()) {
  // The first file may take long: headers of many files are read before it.
  if (Enabled)
    show("reading headers");
}

ProgressLine::~ProgressLine() {
  if (Enabled)
    llvm::errs() << Rewind;
}

void ProgressLine::show(llvm::StringRef Name) {
  std::chrono::duration<double> Elapsed = std::chrono::steady_clock::now() - Begin;
  llvm::errs() << Rewind << '[' << Done << '/' << Total << "] " << safeText(Name)
               << timeLeft(Elapsed.count(), Done, Total);
}

void ProgressLine::done(llvm::StringRef Name) {
  std::lock_guard Guard(Lock);
  ++Done;
  if (Enabled)
    show(llvm::sys::path::filename(Name));
}

} // namespace opsig
