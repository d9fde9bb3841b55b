//===- SchemaFindingIds.h - The names of findings about schemas and YAML ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Include this where such a finding is reported or compared: a new line in SchemaFindings.def
// rebuilds what includes this header, and one in Findings.def what includes FindingIds.h.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SUPPORT_SCHEMAFINDINGIDS_H
#define OPSIG_SUPPORT_SCHEMAFINDINGIDS_H

#include "opsig/Support/Finding.h"

namespace opsig {

enum class SchemaFinding : uint16_t {
#define OPSIG_FINDING_GROUP(Title, Commands)
#define OPSIG_FINDING(Name, Id, Severity) Name,
#include "opsig/Support/SchemaFindings.def"
#undef OPSIG_FINDING
};

namespace finding {
#define OPSIG_FINDING(Name, Id, Severity)                                                          \
  inline constexpr FindingId Name = FindingId(SchemaFinding::Name);
#include "opsig/Support/SchemaFindings.def"
#undef OPSIG_FINDING
#undef OPSIG_FINDING_GROUP
} // namespace finding

} // namespace opsig

#endif
