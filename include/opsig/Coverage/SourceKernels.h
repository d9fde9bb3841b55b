//===- SourceKernels.h - What sources register, for coverage -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registry, places of a backend's kernels => kernels of a CoverageInput
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_COVERAGE_SOURCEKERNELS_H
#define OPSIG_COVERAGE_SOURCEKERNELS_H

#include "opsig/Coverage/Coverage.h"
#include "opsig/Registry/Registry.h"
#include <set>

namespace opsig {

/// What was found beside the kernels.
struct SourceRegistrations {
  std::set<KeyId> Keys;              ///< those that something is registered for
  std::set<std::string> Namespaces;  ///< of the operators, "aten" among them
  unsigned Conditional = 0;          ///< registrations in a branch or loop, which count as if made
  unsigned Unread = 0;               ///< registrations whose name or key is no constant
  std::set<std::string> UnknownKeys; ///< names that the release does not have
};

/// Adds what \p R has to the operators of \p Input, and operators that are not there yet. What a
/// backend's YAML registers already stays.
SourceRegistrations addSourceKernels(const Registry &R, UnitFiles &Files, CoverageInput &Input);

/// \p Kernel stands at \p At, a place of \p Files.
void setPlace(CoveredKernel &Kernel, const Place &At, const SourceFiles &Files);

} // namespace opsig

#endif
