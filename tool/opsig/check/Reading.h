//===- Reading.h - What is kept of readings, and where ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --cache, --no-cache, --no-shared-pch => ReadingSettings (UnitReader.h)
// --time-limit, --memory-limit => ReadingBounds (Parse.h); --total-memory-limit => RunMemory.h;
// --total-time-limit => RunTime.h
// findings => files that are read again by themselves before anything is reported
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_READING_H
#define OPSIG_TOOL_READING_H

#include "opsig/Frontend/UnitReader.h"
#include "opsig/Report/SiftFindings.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem/UniqueID.h"
#include <set>

namespace opsig {

class ReadingOptions {
public:
  explicit ReadingOptions(llvm::cl::SubCommand &Sub);

  /// \p WithPrefixes: what is read may be read with others.
  ReadingSettings settings(unsigned Threads, bool WithPrefixes) const;
  /// Gives the jobs of \p Commands, and the run, their bounds.
  void bound(CompileCommands &Commands) const;
  /// Notes to standard error how much of \p Total files did not have to be read.
  void tell(const UnitReader &Reader, size_t Total) const;
  /// Notes to standard error what was done for each file, and how long that took.
  static void tellSteps(const UnitReader &Reader);

private:
  unsigned totalMebibytes() const;
  unsigned totalSeconds() const;

  llvm::cl::opt<std::string> Cache;
  llvm::cl::opt<bool> NoCache, CacheReadOnly, NoSharedPch;
  /// The spelling of --no-shared-pch before it was renamed.
  llvm::cl::alias OldNoSharedPch;
  llvm::cl::opt<unsigned> TimeLimit, TotalTimeLimit, MemoryLimit, TotalMemoryLimit;
};

/// The files that \p Found is about.
std::set<llvm::sys::fs::UniqueID> filesNamedIn(const SiftedFindings &Found,
                                               const SourceFiles &Files);
/// Whether \p Unit has one of \p Named.
bool hasOneOf(const UnitFacts &Unit, const std::set<llvm::sys::fs::UniqueID> &Named);

/// Confirms those of \p Units that \p Found is about and that were read with a shared precompiled
/// header. False if they stand, and with them the findings.
bool confirm(const SiftedFindings &Found, const SourceFiles &Files, const CompileCommands &Commands,
             const ParseOptions &Options, UnitReader &Reader, std::vector<UnitFacts> &Units);

} // namespace opsig

#endif
