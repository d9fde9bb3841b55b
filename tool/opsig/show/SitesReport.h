//===- SitesReport.h - What `opsig show ns::op FILE...` says ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OperatorSites (Check/OperatorSites.h) => JSON line | text for people
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_SITESREPORT_H
#define OPSIG_TOOL_SITESREPORT_H

#include "opsig/Check/OperatorSites.h"
#include "llvm/Support/raw_ostream.h"

namespace opsig {

/// Those of \p All that are called \p Name, or one of whose overloads is.
std::vector<const OperatorSites *> sitesNamed(llvm::StringRef Name,
                                              llvm::ArrayRef<OperatorSites> All);

/// \p Native is PyTorch's own operator of that name, or null.
void printJson(llvm::raw_ostream &OS, const OperatorSites &Op, const NativeFunction *Native,
               const SourceFiles &Files);
void printText(llvm::raw_ostream &OS, const OperatorSites &Op, const NativeFunction *Native,
               const SourceFiles &Files);

} // namespace opsig

#endif
