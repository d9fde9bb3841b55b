//===- V2_7.cpp - PyTorch 2.7 -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seen in the sources of torchgen 2.7.1 and in the templates of 2.7.0, with which all that opsig
// prints for the YAML of 2.6.0 was compared, and for that of 2.8.0 without the keys that are newer.
// 2.7's own YAML could not be had.
//
// Schemas: names may carry a namespace; functions with a kernel that takes mutable tensors by
// reference to const may not be out functions; one more type of 8 bits.
//
// Keys: XPU has kernels of sparse tensors that are compressed.
//
// Files: the helpers of a Register file stand at its top, once, and the file may be written in
// shards; RegistrationDeclarations.h writes `at::`. Functionalization's meta tensors can be
// switched off. What C shims read has its conjugation and negation resolved; six operators are new
// there, four gone.
//
//===----------------------------------------------------------------------===//
#include "ReleasesInternal.h"

namespace opsig {

void V2_7(Draft &D) {
  D.Schema.NamespacedNames = true;
  D.Schema.RefusesConstRefOut = true;
  D.edit(D.Schema.ScalarTypes).append({"Float8_e8m0fnu"});
  D.edit(D.Schema.DtypesInStrings).append({"float8_e8m0fnu"});

  D.edit(D.Keys.Dispatch).after(DispatchKey::SparseXPU, {DispatchKey::SparseCsrXPU});

  D.Output.Helpers = HelperPlace::FileTop;
  D.Output.ShardsRegistrations = true;
  D.Output.RegistrationTypesOmitAt = false;
  D.Functionalization.HasMetaSwitch = true;

  D.Shims.Tensors = ShimTensors::Resolved;
  D.edit(D.Shims.DeviceOps)
      .remove({"_cudnn_rnn_backward", "_histogramdd_bin_edges",
               "_sparse_coo_tensor_with_dims_and_tensors", "zeros.names"})
      .insertSorted({"_dyn_quant_matmul_4bit", "_dyn_quant_pack_4bit_weight", "_int_mm.out",
                     "_scaled_dot_product_fused_attention_overrideable",
                     "_scaled_dot_product_fused_attention_overrideable_backward",
                     "set_.source_Tensor"},
                    operatorLess);
  D.edit(D.Shims.NullableResults).append({"_scaled_dot_product_fused_attention_overrideable"});
  D.edit(D.Library.Names).append({"register_autocast"});
  D.Library.TakesBuiltinLists = true;
  D.Library.QuotesSeeModule = true;
}

} // namespace opsig
