//===- PlanReport.h - What `opsig show --plan` says of one operator ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpPlan => JSON line | text for people
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_PLANREPORT_H
#define OPSIG_TOOL_PLANREPORT_H

#include "opsig/Codegen/OpPlan.h"

namespace opsig {

/// Places are printed as "file:line".
void printPlanJson(llvm::raw_ostream &OS, const OpPlan &Plan, const SourceFiles &Files);
void printPlanText(llvm::raw_ostream &OS, const OpPlan &Plan, const SourceFiles &Files);

} // namespace opsig

#endif
