//===- V2_1.cpp - PyTorch 2.1 -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seen in single files of the releases from 2.1 to 2.3, and nowhere compared as a whole: the
// wrappers in Register files carry their key in their name, and the YAML of a selective build may
// have fields of ExecuTorch. In all else this is the release before.
//
//===----------------------------------------------------------------------===//
#include "ReleasesInternal.h"

namespace opsig {

void V2_1(Draft &D) {
  D.Output.WrapperNamesHaveKey = true;
  D.Aten.SelectionHasEtKernels = true;
}

} // namespace opsig
