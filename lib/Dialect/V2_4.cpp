//===- V2_4.cpp - PyTorch 2.4 -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seen in a source tree of 2.4.0 and in an installed 2.4.1, with both of which all that opsig
// prints was compared.
//
// C++: std::optional and std::nullopt took the place of c10's.
//
// YAML: the left side of a `precomputed` item is one word. The key MAIA is what ORT was.
//
// Functionalization: lambdas carry what is known of the view, symbolic sizes among it.
//
// AOTInductor: the C shims are those of listed operators.
//
//===----------------------------------------------------------------------===//
#include "ReleasesInternal.h"

namespace opsig {
namespace {

using K = DispatchKey;

/// The compiler behind AOTInductor knows no code of its own for these. The list is part of the
/// binary interface.
constexpr llvm::StringRef ShimOps[] = {"_adaptive_avg_pool2d",
                                       "_adaptive_avg_pool2d_backward",
                                       "_adaptive_avg_pool3d",
                                       "_adaptive_avg_pool3d_backward",
                                       "_addmm_activation",
                                       "_cdist_backward",
                                       "_cdist_forward",
                                       "_cudnn_rnn",
                                       "_cudnn_rnn_backward",
                                       "_efficient_attention_backward",
                                       "_efficient_attention_forward",
                                       "_efficientzerotensor",
                                       "_embedding_bag",
                                       "_embedding_bag_dense_backward",
                                       "_embedding_bag_forward_only",
                                       "_embedding_bag_per_sample_weights_backward",
                                       "_fft_c2c",
                                       "_fft_r2c",
                                       "_flash_attention_backward",
                                       "_flash_attention_forward",
                                       "_fused_moving_avg_obs_fq_helper",
                                       "_fused_moving_avg_obs_fq_helper_functional",
                                       "_histogramdd_bin_edges",
                                       "_histogramdd_from_bin_cts",
                                       "_pdist_backward",
                                       "_pdist_forward",
                                       "_scaled_dot_product_efficient_attention",
                                       "_scaled_dot_product_efficient_attention_backward",
                                       "_scaled_dot_product_flash_attention",
                                       "_scaled_dot_product_flash_attention_backward",
                                       "_scaled_dot_product_flash_attention_for_cpu",
                                       "_scaled_dot_product_flash_attention_for_cpu_backward",
                                       "_scaled_mm",
                                       "_segment_reduce_backward",
                                       "_sparse_coo_tensor_with_dims_and_tensors",
                                       "_thnn_fused_lstm_cell",
                                       "_to_sparse",
                                       "_trilinear",
                                       "adaptive_max_pool2d",
                                       "adaptive_max_pool2d_backward",
                                       "adaptive_max_pool3d",
                                       "adaptive_max_pool3d_backward",
                                       "addbmm",
                                       "addmm.out",
                                       "addmv",
                                       "angle",
                                       "avg_pool2d",
                                       "avg_pool2d_backward",
                                       "avg_pool3d",
                                       "avg_pool3d_backward",
                                       "bernoulli_.Tensor",
                                       "bernoulli_.float",
                                       "bmm.out",
                                       "bucketize.Tensor",
                                       "cat",
                                       "cholesky_inverse",
                                       "cholesky_solve",
                                       "convolution",
                                       "convolution_backward",
                                       "cummax",
                                       "cummin",
                                       "cumprod",
                                       "cumsum",
                                       "exponential",
                                       "fractional_max_pool2d",
                                       "fractional_max_pool2d_backward",
                                       "fractional_max_pool3d",
                                       "fractional_max_pool3d_backward",
                                       "gcd",
                                       "geqrf",
                                       "grid_sampler_2d_backward",
                                       "histc",
                                       "histogram.bin_ct",
                                       "index.Tensor",
                                       "index_put",
                                       "index_reduce",
                                       "kthvalue",
                                       "logcumsumexp",
                                       "lu_unpack",
                                       "masked_scatter",
                                       "masked_scatter_backward",
                                       "max_pool2d_with_indices",
                                       "max_pool2d_with_indices_backward",
                                       "max_pool3d_with_indices",
                                       "max_pool3d_with_indices_backward",
                                       "max_unpool2d",
                                       "max_unpool3d",
                                       "median",
                                       "mm.out",
                                       "mode",
                                       "mul.Scalar",
                                       "mul.Tensor",
                                       "nanmedian",
                                       "native_dropout",
                                       "nonzero",
                                       "normal_functional",
                                       "ormqr",
                                       "pow.Scalar",
                                       "pow.Tensor_Scalar",
                                       "pow.Tensor_Tensor",
                                       "rand",
                                       "rand.generator",
                                       "randint",
                                       "randint.generator",
                                       "randint.low",
                                       "randint.low_out",
                                       "randn",
                                       "randn.generator",
                                       "randperm",
                                       "repeat_interleave.Tensor",
                                       "replication_pad1d_backward",
                                       "replication_pad2d_backward",
                                       "reshape",
                                       "resize_",
                                       "resize_as_",
                                       "scatter.src_out",
                                       "scatter.value_out",
                                       "scatter_reduce.two_out",
                                       "searchsorted",
                                       "segment_reduce",
                                       "slice.Tensor",
                                       "soft_margin_loss_backward",
                                       "sort",
                                       "sort.stable",
                                       "to_sparse",
                                       "topk",
                                       "triangular_solve",
                                       "uniform",
                                       "upsample_bicubic2d_backward",
                                       "upsample_linear1d_backward",
                                       "upsample_trilinear3d_backward",
                                       "view.dtype",
                                       "view_as_complex",
                                       "view_as_real",
                                       "zeros.names"};

void changeSpellings(Draft &D) {
  D.Spelling.Optional = "::std::optional";
  D.Spelling.Nullopt = "::std::nullopt";
  D.Spelling.MakeOptional = "::std::make_optional";
  D.Output.HelperOptional = "std::optional";
  D.Output.HelperNullopt = "std::nullopt";
  D.Output.DeviceCheckNullopt = "std::nullopt";
}

void listShims(Draft &D) {
  D.Shims.Shape = ShimShape::OfListedOps;
  D.Shims.DeviceOps = ShimOps;
  D.edit(D.Shims.NullableResults)
      .append({"_scaled_dot_product_efficient_attention", "convolution_backward"});
}

} // namespace

void V2_4(Draft &D) {
  D.edit(D.Table.Slots).replace({"ORT"}, {{"MAIA", SlotRole::OtherBackend}});

  D.Schema.PrecomputedSourceIsOneWord = true;
  D.Schema.TypeVariablesInStrings = false;
  D.edit(D.Schema.DevicesInStrings).replace("ort", {"maia"});
  D.edit(D.Schema.NoGeneratedOut).append({"_sink_tokens"});
  D.edit(D.Keys.Unknown)
      .remove({K::MAIA, K::PythonTLSSnapshot, K::PythonDispatcher, K::AutocastCPU, K::AutocastCUDA})
      .append({K::ORT});
  D.Functionalization.Views = ViewRecord::DescribedLambdas;
  D.edit(D.Python.Unbound)
      .append({"_batch_norm_no_update", "_batch_norm_with_update", "_batch_norm_with_update_out",
               "_foreach_copy"});
  changeSpellings(D);
  listShims(D);
  D.edit(D.Library.Names)
      .append({"custom_op", "register_kernel", "register_fake", "register_autograd", "opcheck"});
}

} // namespace opsig
