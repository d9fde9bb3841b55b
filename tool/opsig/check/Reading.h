//===- Reading.h - What is kept of readings, and where ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --cache, --no-cache => ReadingSettings (UnitReader.h)
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_READING_H
#define OPSIG_TOOL_READING_H

#include "opsig/Kernel/UnitReader.h"
#include "llvm/Support/CommandLine.h"

namespace opsig {

class ReadingOptions {
public:
  explicit ReadingOptions(llvm::cl::SubCommand &Sub);

  ReadingSettings settings(unsigned Threads) const;
  /// Notes to standard error how much of \p Total files did not have to be read.
  void tell(const UnitReader &Reader, size_t Total) const;

private:
  llvm::cl::opt<std::string> Cache;
  llvm::cl::opt<bool> NoCache;
};

} // namespace opsig

#endif
