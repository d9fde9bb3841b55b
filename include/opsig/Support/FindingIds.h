//===- FindingIds.h - The names of findings about sources --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Include this header where a finding is reported or compared, and Finding.h where findings are
// only passed on: a new line in Findings.def rebuilds every file that includes this header. The ids
// of findings about schemas and YAML are in SchemaFindingIds.h.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SUPPORT_FINDINGIDS_H
#define OPSIG_SUPPORT_FINDINGIDS_H

#include "opsig/Support/Finding.h"

namespace opsig {

/// The ids of schema findings come first; this leaves room for more of them.
inline constexpr uint16_t FirstSourceFinding = 1024;
enum class SourceFinding : uint16_t {
  BeforeFirst = FirstSourceFinding - 1,
#define OPSIG_ONLY_SOURCE_FINDINGS
#define OPSIG_FINDING(Name, Id, Severity) Name,
#include "opsig/Support/Findings.def"
};

/// The ids by name, for the place of use: D.report(finding::KernelSignature, ...).
namespace finding {
#define OPSIG_ONLY_SOURCE_FINDINGS
#define OPSIG_FINDING(Name, Id, Severity)                                                          \
  inline constexpr FindingId Name = FindingId(SourceFinding::Name);
#include "opsig/Support/Findings.def"
} // namespace finding

} // namespace opsig

#endif
