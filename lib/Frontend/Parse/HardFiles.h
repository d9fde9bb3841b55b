//===- HardFiles.h - Files that a run may not survive -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that a reading has taken before it is given up stays taken, and who took it is not always
// certain. A run that has to end because of that is started again and knows the files that may be
// at fault (HardFiles of opsig/Frontend/Parse.h). Each of those is then read by a child of the
// process first, which takes its memory along when it ends: what the child cannot read alone is at
// fault, and is not read again.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_FRONTEND_PARSE_HARDFILES_H
#define OPSIG_LIB_FRONTEND_PARSE_HARDFILES_H

#include "opsig/Frontend/Parse.h"
#include <memory>
#include <vector>

namespace opsig {

/// What HardFiles calls the file of \p Job.
std::string hardFilePath(const ParseJob &Job);

/// Those of some jobs that may be at fault, each of which is read by a child of its own, one after
/// the other.
class HardFileTrials {
public:
  HardFileTrials(llvm::ArrayRef<ParseJob> Jobs, const ParseOptions &Options);
  ~HardFileTrials();

  /// Their numbers.
  llvm::ArrayRef<size_t> hard() const { return Hard; }
  /// To be called where other files are read before run(): the memory that those leave behind is
  /// not the children's.
  void start();
  /// To be called where no thread of this process reads; whyTooHard() knows what comes of it.
  void run();

private:
  class Trial;
  llvm::ArrayRef<ParseJob> Jobs;
  const ParseOptions &Options;
  std::vector<size_t> Hard;
  std::vector<std::unique_ptr<Trial>> Trials;
};

/// Why the file of \p Job cannot be read, as is known by now; "" where it is not.
std::string whyTooHard(const ParseJob &Job);

/// Whether the run before this one has read it.
bool wasReadBefore(const ParseJob &Job);

} // namespace opsig

#endif
