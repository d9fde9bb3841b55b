//===- LineDiffInternal.h - Fixes as lines ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_LIB_REPORT_LINEDIFFINTERNAL_H
#define OPSIG_LIB_REPORT_LINEDIFFINTERNAL_H

#include "opsig/Support/Finding.h"

namespace opsig {

/// Lines that change, without their ends.
struct LineChange {
  SourceId File;
  uint32_t Line; ///< the first of them, as it is before
  std::vector<std::string> Before, After;
};

/// What \p Fixes, which do not overlap, make of the lines they touch: by file, then by line;
/// changes that share a line are one.
std::vector<LineChange> lineChanges(llvm::ArrayRef<Fix> Fixes, const SourceFiles &Files);

} // namespace opsig

#endif
