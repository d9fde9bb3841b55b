//===- StableChecks.h - Code and libraries of the stable ABI ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --binary, --target x the headers of the code, or of the torch root => BinaryFiles, StableApiIndex
// sources x their commands => slips
//   => findings (Check/StableCode.h)
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_STABLECHECKS_H
#define OPSIG_TOOL_STABLECHECKS_H

#include "check/CheckSetup.h"
#include "opsig/StableAbi/StableCode.h"

namespace opsig {

class StableChecks {
public:
  /// Fails for a target that is none, libraries that cannot be read, and headers without a stable
  /// ABI.
  llvm::Error readBinaries(llvm::ArrayRef<std::string> Binaries, llvm::StringRef Target,
                           const CheckSetup &Setup);
  /// Looks through the sources of \p Setup.
  void readSources(const CheckSetup &Setup, const ParseOptions &Options);

  /// The same findings each time.
  void report(SourceFiles &Files, Findings &Diags) const;
  /// What is to be said of each library.
  std::vector<std::string> notes() const;

private:
  struct SourceMisuses {
    std::string MainFile;
    std::vector<StableMisuse> Misuses;
  };
  std::optional<StableApiIndex> Api;
  std::optional<StableVersion> Target;
  std::vector<BinaryFile> Binaries;
  std::vector<std::string> Sources;
  std::vector<SourceMisuses> Misuses;
};

} // namespace opsig

#endif
