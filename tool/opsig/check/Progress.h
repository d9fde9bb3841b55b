//===- Progress.h - A line on the terminal that tells how far a run is ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_TOOL_PROGRESS_H
#define OPSIG_TOOL_PROGRESS_H

#include "llvm/ADT/StringRef.h"
#include <chrono>
#include <mutex>
#include <string>

namespace opsig {

/// What a run does now, on standard error for as long as the object lives. Says nothing where
/// standard error is no terminal. Whoever prints to standard error ends it first.
class StatusLine {
public:
  explicit StatusLine(llvm::StringRef Text);
  ~StatusLine();
  StatusLine(const StatusLine &) = delete;
  StatusLine &operator=(const StatusLine &) = delete;

private:
  bool Shown;
};

/// "[3/120] Add.cpp, about 40 s left" on standard error, rewritten in place, removed at the end.
/// Says nothing where standard error is no terminal, and nothing of a single file.
class ProgressLine {
public:
  explicit ProgressLine(size_t Total);
  ~ProgressLine();

  /// One more is done. Thread-safe.
  void done(llvm::StringRef Name);

private:
  void show(llvm::StringRef Name);

  std::mutex Lock;
  size_t Total;
  size_t Done = 0;
  std::chrono::steady_clock::time_point Begin = std::chrono::steady_clock::now();
  bool Enabled;
};

/// ", about 40 s left"; "" where it is too early to say, or nearly over.
std::string timeLeft(double Elapsed, size_t Done, size_t Total);

} // namespace opsig

#endif
