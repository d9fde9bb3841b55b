//===- V2_10.cpp - PyTorch 2.10 ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No file of it was seen. What is here is what later releases say of it themselves: their lists of
// operators with AOTI shims tell since when each has one. What 2.11 has and 2.9 does not may have
// come with either.
//
//===----------------------------------------------------------------------===//
#include "ReleasesInternal.h"

namespace opsig {

void V2_10(Draft &D) {
  D.edit(D.Shims.DeviceOps).insertSorted({"_scaled_grouped_mm"}, operatorLess);
  D.edit(D.Shims.GenericOps).insertSorted({"full", "subtract.Tensor"}, operatorLess);
}

} // namespace opsig
