//===- Progress.h - A line on the terminal that tells how far a run is ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_TOOL_PROGRESS_H
#define OPSIG_TOOL_PROGRESS_H

#include "llvm/ADT/StringRef.h"
#include <mutex>

namespace opsig {

/// "[3/120] Add.cpp" on standard error, rewritten in place, removed at the end. Says nothing where
/// standard error is no terminal, and nothing of a single file.
class ProgressLine {
public:
  explicit ProgressLine(size_t Total);
  ~ProgressLine();

  /// One more is done. Thread-safe.
  void done(llvm::StringRef Name);

private:
  std::mutex Lock;
  size_t Total;
  size_t Done = 0;
  bool Enabled;
  bool Shown = false;
};

} // namespace opsig

#endif
