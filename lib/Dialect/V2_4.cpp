//===- V2_4.cpp - PyTorch 2.4 -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seen in a source tree of 2.4.0 and in an installed 2.4.1, with both of which all that opsig
// prints was compared. The releases before it back to 2.0 were not, so that much of this may be
// older.
//
// C++: std::optional and std::nullopt took the place of c10's. Return types have SymInt whatever
// the signature, and a return may be `Tensor?`. SymInts are turned into ints by a guard with a
// place in the source instead of an expectation; digits as defaults of lists of SymInt are wrapped.
//
// YAML: tags may be a list, and every operator of aten has pt2_compliant_tag; a kernel may have
// three levels of namespace; a dispatch table is too long by the keys that are written, not by
// those that are kept; `_scatter` operators are the inverses of views. The key MAIA is what ORT
// was.
//
// Functionalization: lambdas carry what is known of the view, and inverses are named after it and
// told how to return; composites have no kernels of their own any more; data that XLA holds is
// handed on. View copies clone to contiguous memory, and are made from the kernel that the YAML
// names. A comment has its missing letter.
//
// AOTInductor: C shims of listed operators for CPU and CUDA.
//
// Python bindings: results with named fields have a function each, and a header; generated view
// copies are bound; functions like another tensor leave defaults to C++; tensors are tried before
// ints; inplace _foreach functions return the list they were given.
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

void changeSchemas(Draft &D) {
  D.edit(D.Schema.BaseTypes).after("Device", {"DeviceIndex"});
  D.edit(D.Schema.ScalarTypes)
      .append({"Float8_e5m2", "Float8_e5m2fnuz", "Float8_e4m3fn", "Float8_e4m3fnuz"});
  D.Schema.Tags = TagSyntax::OneOrList;
  D.Schema.ImplicitTag = "pt2_compliant_tag";
  D.Schema.KernelNamespaceLevels = 3;
  D.Schema.TableCount = DispatchTableCount::WrittenKeys;
  D.Schema.SeededTagByArgumentName = true;
  D.Schema.ExcusesResizeAsAndSet = true;
  D.Schema.SymIntInReturnsCounts = false;
  D.Schema.ScatterIsViewInverse = true;
  D.Schema.PrecomputedSourceIsOneWord = true;
  D.Schema.ViewExclusionSparesSet = true;
  D.edit(D.Schema.InheritedTags).append({"view_copy", "pt2_compliant_tag"});
  D.edit(D.Schema.NoGeneratedOut)
      .after("_assert_async", {"_assert_async.msg", "_cslt_sparse_mm_search", "_assert_scalar"})
      .replace("_nested_tensor_offsets",
               {"sym_constrain_range", "sym_constrain_range_for_size",
                "_nested_tensor_storage_offsets", "_chunk_grad_outputs_efficient_attention",
                "_fused_sdp_choice", "_print", "_sink_tokens", "_nested_get_ragged_idx"});

  D.edit(D.Keys.Unknown).become({K::ORT, K::AutocastXPU});
  D.edit(D.Keys.Dispatch).after(K::SparseMeta, {K::SparseCsrMeta});
}

void changeCpp(Draft &D) {
  D.Spelling.Optional = "::std::optional";
  D.Spelling.Nullopt = "::std::nullopt";
  D.Spelling.MakeOptional = "::std::make_optional";
  D.Spelling.DtypeFromOptions = "c10::optTypeMetaToScalarType";
  D.Spelling.IntArrayFromSymInt = "C10_AS_INTARRAYREF_SLOW";
  D.Spelling.SymIntArrayFromInt = "c10::fromIntArrayRefSlow";
  D.Spelling.IntFromSymInt = "guard_int(__FILE__, __LINE__)";
  D.Spelling.WrapsSymIntListDefault = true;
  D.Spelling.ReturnsFollowSymInt = false;
  D.Spelling.OptionalTensorReturn = true;

  D.Output.HelperOptional = "std::optional";
  D.Output.HelperNullopt = "std::nullopt";
  D.Output.DeviceCheckNullopt = "std::nullopt";
  D.Output.StructuredOutputs = OutputHolder::Plain;
  D.Output.VoidOutWrappers = true;
  D.Output.SymInts = SymIntTemplates::IsSame;
  D.Output.Vmap = VmapShape::ChecksLayer;

  D.Aten.Tags = SchemaTags::SharedVectors;
  D.edit(D.Aten.FragmentNamespaces).append({"quantized", "quantized_decomposed"});
}

void changeFunctionalization(Draft &D) {
  D.Functionalization.Views = ViewRecord::DescribedLambdas;
  D.Functionalization.Mutations = MutationUpdate::XlaFromResult;
  D.Functionalization.Composites = CompositeEntries::None;
  D.Functionalization.SetIsHandwritten = true;
  D.Functionalization.SparesStorageOps = true;
  D.edit(D.Functionalization.LeftAlone).append({"resize_as_", "_fill_mem_eff_dropout_mask_"});
  D.Functionalization.MisspellsTechnically = false;
  D.Functionalization.ClonesContiguous = true;
  D.Functionalization.ViewCopiesFollowYaml = true;
  D.Functionalization.Includes = CompositeIncludes::NativeOfViews;
}

void addShims(Draft &D) {
  D.Aten.HasAotiShims = true;
  D.edit(D.Shims.Devices).append({K::CPU, K::CUDA});
  D.Shims.OnlyRegisteredDevices = true;
  D.Shims.DeviceOps = ShimOps;
  D.edit(D.Shims.NullableResults)
      .append({"_scaled_dot_product_flash_attention", "_scaled_dot_product_efficient_attention",
               "convolution_backward"});
  D.Shims.StringView = "c10::string_view";
}

void changePython(Draft &D) {
  D.edit(D.Python.Unbound)
      .remove({"_nested_tensor_offsets", "_nested_tensor_strides", "_nested_view_from_buffer",
               "_nested_view_from_buffer_copy", "_symeig*"})
      .append({"_batch_norm_no_update", "_batch_norm_with_update", "_batch_norm_with_update_out",
               "_foreach_copy", "_reshape_copy", "_reshape_copy_out", "_to_copy_out", "itemsize",
               "nbytes", "sym_numel", "sym_size", "sym_storage_offset", "sym_stride"});
  D.edit(D.Python.ReturnTypes)
      .append({"at::Stream",
               "::std::tuple<at::Tensor,at::Tensor,at::Tensor,at::Tensor,at::Tensor,at::Tensor>",
               "::std::tuple<at::Tensor,at::Tensor,at::Tensor,at::Tensor,c10::SymInt,c10::SymInt,"
               "at::Tensor,at::Tensor,at::Tensor>"});
  D.Python.BindsGeneratedViewCopies = true;
  D.Python.LikeDefaultsFromSelf = false;
  D.Python.DummiesTakeNoOptions = true;
  D.Python.TensorsBeforeInts = true;
  D.Python.SizedNumberLists = true;
  D.Python.ForeachReturnsSelf = true;
  D.Python.Results = NamedResults::Functions;
  D.Python.Cast = MethodCast::WhereNeeded;
  D.Python.DeviceInit = "torch::utils::maybe_initialize_device";
  D.Python.NodesTakeModule = true;
  D.Python.Annotated = AnnotatedArguments::All;
}

} // namespace

void V2_4(Draft &D) {
  changeSchemas(D);
  changeCpp(D);
  changeFunctionalization(D);
  addShims(D);
  changePython(D);
}

} // namespace opsig
