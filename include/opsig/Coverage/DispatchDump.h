//===- DispatchDump.h - Dispatch tables that a running PyTorch printed --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "name: aten::add.Tensor" + what torch._C._dispatch_dump_table prints (tables), or what
// torch._C._dispatch_dump prints (registrations) => operators of a CoverageInput
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_COVERAGE_DISPATCHDUMP_H
#define OPSIG_COVERAGE_DISPATCHDUMP_H

#include "opsig/Coverage/Coverage.h"
#include "opsig/Support/Finding.h"

namespace opsig {

/// Adds the operators of the dump \p File to \p Input, in its order. Reports lines that are no part
/// of a dump, keys that the release does not have (each once, where it stands first), an operator
/// that stands there twice, and an end before the end.
void readDispatchDump(SourceId File, const SourceFiles &Files, CoverageInput &Input,
                      Findings &Diags);

/// The place of "name: \p Operator" in \p File, for what is to be said of it.
Place placeInDump(llvm::StringRef Operator, SourceId File, const SourceFiles &Files);

} // namespace opsig

#endif
