//===- V2_9.cpp - PyTorch 2.9 -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seen in an installed 2.9.1, with which all that opsig prints was compared.
//
// Keys: MPS has kernels of sparse tensors. Functionalization records a view in an object of a class
// of its own. AOTInductor: shims that serve all devices; two operators more that have one for each.
// Python: one more function is bound by hand.
//
//===----------------------------------------------------------------------===//
#include "ReleasesInternal.h"

namespace opsig {
namespace {

using K = DispatchKey;

void changeShims(Draft &D) {
  D.edit(D.Shims.DeviceOps)
      .insertSorted({"_fused_rms_norm", "_scaled_dot_product_attention_math_for_mps"},
                    operatorLess);
  D.edit(D.Shims.GenericOps)
      .append({"amax", "fill_.Scalar", "narrow", "new_empty", "new_zeros", "pad"});
  D.edit(D.Shims.NullableResults)
      .append({"_functional_sym_constrain_range", "_thhn_fused_lstm_cell_backward_impl",
               "grid_sampler_2d_backward", "grid_sampler_3d_backward", "linear_backward"});
}

} // namespace

void V2_9(Draft &D) {
  D.edit(D.Keys.Dispatch).after(K::SparseCsrCUDA, {K::SparseMPS, K::SparseCsrMPS});
  D.edit(D.Keys.DroppedByDefault).after(K::MPS, {K::SparseMPS, K::SparseCsrMPS});
  changeShims(D);
  D.Functionalization.Views = ViewRecord::Classes;
  D.edit(D.Python.Unbound).append({"sym_is_contiguous"});
}

} // namespace opsig
