//===- Choice.h - The keys and operators that a report is about --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --keys, or what was registered => slots; --ops FILE x operators => those that are needed
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_COVERAGE_CHOICE_H
#define OPSIG_TOOL_COVERAGE_CHOICE_H

#include "opsig/Coverage/Coverage.h"
#include "opsig/Support/Finding.h"

namespace opsig {

/// The slots that are called \p Names, in the order of the table; "all" stands for all of which
/// everything is known. \p IsMeasured: what is there was asked of a running PyTorch, so that
/// nothing is unknown. Names of keys that are left out are in \p LeftOut. Fails on a name that is
/// no slot, and on one of which too little is known.
llvm::Expected<std::vector<KeyId>> namedKeys(llvm::ArrayRef<std::string> Names,
                                             const DispatchKeys &Keys, bool IsVerified,
                                             std::vector<std::string> &LeftOut);

/// The slots that \p Registered are, and the autograd keys of these backends.
std::vector<KeyId> withAutograd(llvm::ArrayRef<KeyId> Registered, const DispatchKeys &Keys);

/// The slots for which an operator of \p Input has a kernel of its own.
std::vector<KeyId> keysWithKernels(const CoverageInput &Input);

/// The operators among \p All that the lines of \p List name, in the order of \p All. A line is a
/// name with or without namespace (aten) and overload; without overload it stands for all of them;
/// what follows a '#' is a comment. Reports lines that name none.
std::vector<CoveredOperator> neededOperators(SourceId List, const SourceFiles &Files,
                                             std::vector<CoveredOperator> All, Findings &Diags);

} // namespace opsig

#endif
