//===- AotiHeaders.h - The headers of AOTI shims under version control ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// headers as they would be written x headers that are there => diagnostics
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_AOTIHEADERS_H
#define OPSIG_TOOL_AOTIHEADERS_H

#include "gen/Stamp.h"
#include "opsig/Codegen/Aten.h"

namespace opsig {

/// Models that were compiled earlier call the shims, so their headers may only grow, and not
/// without being asked. Reports every header in \p Folder that differs from what would be written,
/// where it does so first, and every one that is not there. \p TheStamp holds only while they are
/// as they should be.
void checkAotiHeaders(const AtenInput &In, llvm::StringRef Folder, Stamp &TheStamp,
                      SourceFiles &Files, Findings &Diags);

} // namespace opsig

#endif
