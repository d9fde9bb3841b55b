//===- SharedPchPlan.h - Which files share which precompiled header -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// files with one command => what each includes of others (scan) => the headers that all of them
//   lead to (IncludeGraph) => groups of files, each with the headers that all of it has
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_FRONTEND_SHAREDPCH_SHAREDPCHPLAN_H
#define OPSIG_LIB_FRONTEND_SHAREDPCH_SHAREDPCHPLAN_H

#include "Parse/SharedPch.h"

namespace opsig {

struct SharedPchGroup {
  std::vector<size_t> Files; ///< numbers of scans
  std::vector<LeadingMacro> Macros;
  std::vector<IncludeSpelling> Headers;
  /// Files with more macros. If these make no difference to the headers, they share them, too;
  /// otherwise they are groups of their own, or without headers are read by themselves.
  std::vector<SharedPchGroup> Others = {};

  /// The macros that \p Other has besides.
  std::vector<LeadingMacro> moreOf(const SharedPchGroup &Other) const;
};

/// In bytes of headers: less is not worth sharing, nor an #include of its own.
struct SharedPchLimits {
  uint64_t LeastSharedPch = 256 * 1024, LeastHeader = 32 * 1024;
  /// How often each file is read.
  unsigned Readings = 1;
};

/// The includes of all files, to make a graph of.
std::string allIncludes(llvm::ArrayRef<ScannedIncludes> Scans);

/// Files that are in no group are better read by themselves. No header of a group, nor what it
/// includes, is one of \p IsProjectFile.
std::vector<SharedPchGroup> planSharedPchs(llvm::ArrayRef<ScannedIncludes> Scans,
                                           const IncludeGraph &Graph,
                                           const FileTrace::Question &IsProjectFile,
                                           const SharedPchLimits &Limits = {});

} // namespace opsig

#endif
