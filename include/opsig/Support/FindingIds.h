//===- FindingIds.h - The names of all findings ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Include this where a finding is reported or compared, and Finding.h where it is only passed on: a
// new line in Findings.def rebuilds what includes this header.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SUPPORT_FINDINGIDS_H
#define OPSIG_SUPPORT_FINDINGIDS_H

#include "opsig/Support/Finding.h"

namespace opsig {

/// Every kind of finding; Findings.def is the one table of them.
enum class FindingId : uint16_t {
#define OPSIG_FINDING(Name, Id, Severity) Name,
#include "opsig/Support/Findings.def"
};

/// The ids by name, for the place of use: D.report(finding::UnknownType, ...).
namespace finding {
#define OPSIG_FINDING(Name, Id, Severity) inline constexpr FindingId Name = FindingId::Name;
#include "opsig/Support/Findings.def"
} // namespace finding

} // namespace opsig

#endif
