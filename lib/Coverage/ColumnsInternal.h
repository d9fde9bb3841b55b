//===- ColumnsInternal.h - Columns and sums of a report ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CoverageReport => keys with the same cells as one column, with a name; what stands in the cells
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_COVERAGE_COLUMNSINTERNAL_H
#define OPSIG_LIB_COVERAGE_COLUMNSINTERNAL_H

#include "opsig/Coverage/Coverage.h"

namespace opsig {

struct NamedColumn {
  size_t First;     ///< index into CoverageReport::Keys
  std::string Name; ///< "HIP", "HIP +12"
  std::string All;  ///< "HIP, XLA, ..."
  size_t Size;      ///< of how many keys it is
};
std::vector<NamedColumn> nameColumns(const CoverageReport &Report);

/// "PrivateUse1Kernels.cpp:12"; "" for a kernel without place.
std::string placeText(const CoveredKernel &Kernel);

/// It is no kernel of PyTorch's, whatever it serves.
bool isOwn(const CoveredKernel &Kernel);

/// The kernel that a reader wants to see of a row: the first one that is not PyTorch's.
const CoveredKernel *ownKernel(const CoverageReport &Report, const CoverageRow &Row);

/// The services that some key has, in their order.
std::vector<Service> servicesThere(const CoverageReport &Report);

} // namespace opsig

#endif
