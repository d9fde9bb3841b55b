//===- V2_11.cpp - PyTorch 2.11 ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of an installed 2.11.0 the checksums of those files are known that differ from all other
// releases'. The texts that they are of were put together from the sources of 2.9.1 and 2.14.1,
// each difference as in the one or the other: gen.py, gen_backend_stubs.py, gen_aoti_c_shim.py,
// fallback_ops.py and gen_python_functions.py. So these are as in 2.11, but for when in 2.10
// or 2.11 they came.
//
// A build for ROCm includes the guard of c10 (2.10 or 2.11). A second overload of flash attention
// returns symbolic sizes, which vmap plumbing hands through. More operators have AOTI shims.
//
//===----------------------------------------------------------------------===//
#include "ReleasesInternal.h"

namespace opsig {

void V2_11(Draft &D) {
  D.Output.Rocm = RocmGuard::CudaName;
  D.edit(D.Output.VmapDespiteReturns).append({"_scaled_dot_product_flash_attention_quantized"});
  D.edit(D.Shims.DeviceOps)
      .insertSorted({"_flash_attention_forward.quantized",
                     "_scaled_dot_product_flash_attention.quantized", "mm.dtype_out",
                     "nonzero_static"},
                    operatorLess);
  D.Library.ReplacesKernels = true;
}

} // namespace opsig
