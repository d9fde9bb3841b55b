//===- V2_9.cpp - PyTorch 2.9 -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seen in an installed 2.9.1, with which all that opsig prints was compared.
//
// Keys: MTIA has kernels in the tree, structured ones among them; MPS has sparse ones, and HPU
// those of nested tensors. Files: trailing blanks are cut when templates are filled, lists of files
// have a line per path, RegistrationDeclarations.h writes `at::`. Functionalization records a view
// in an object of a class of its own. Another comment has its missing letter.
//
// libtorch: a schema of PyTorch's own has a SymBool, which 2.6.0 refuses in strings; keys are given
// by their names to the stable ABI.
//
// AOTInductor: shims for MPS and XPU, and some that serve all devices; what they read has its
// conjugation and negation resolved; many operators more.
//
//===----------------------------------------------------------------------===//
#include "ReleasesInternal.h"

namespace opsig {
namespace {

using K = DispatchKey;

void addKeys(Draft &D) {
  D.edit(D.Keys.Dispatch)
      .after(K::SparseCsrCUDA, {K::SparseMPS, K::SparseCsrMPS})
      .after(K::NestedTensorXPU, {K::NestedTensorHPU})
      .append({K::MTIA});
  D.edit(D.Keys.DroppedByDefault).after(K::MPS, {K::SparseMPS, K::SparseCsrMPS}).append({K::MTIA});
  D.edit(D.Keys.Structured).append({K::MTIA});
  D.edit(D.Keys.OwnEmpty).append({K::MTIA});
}

void changeShims(Draft &D) {
  D.Shims.Tensors = ShimTensors::Resolved;
  D.edit(D.Shims.Devices).append({K::MPS, K::XPU});
  D.Shims.OnlyRegisteredDevices = false;
  D.edit(D.Shims.DeviceOps)
      .remove({"_cudnn_rnn_backward", "_histogramdd_bin_edges",
               "_sparse_coo_tensor_with_dims_and_tensors", "searchsorted", "zeros.names"})
      .insertSorted({"_dyn_quant_matmul_4bit",
                     "_dyn_quant_pack_4bit_weight",
                     "_fused_rms_norm",
                     "_int_mm.out",
                     "_scaled_dot_product_attention_math_for_mps",
                     "_scaled_dot_product_cudnn_attention",
                     "_scaled_dot_product_cudnn_attention_backward",
                     "_scaled_dot_product_fused_attention_overrideable",
                     "_scaled_dot_product_fused_attention_overrideable_backward",
                     "_scaled_mm.out",
                     "_weight_int4pack_mm",
                     "_weight_int4pack_mm_with_scales_and_zeros",
                     "_weight_int8pack_mm",
                     "abs",
                     "add.Scalar",
                     "add.Tensor",
                     "baddbmm.out",
                     "fill_.Scalar",
                     "hann_window",
                     "masked_select",
                     "narrow",
                     "pad",
                     "permute",
                     "polar",
                     "searchsorted.Scalar",
                     "searchsorted.Tensor",
                     "set_.source_Tensor",
                     "squeeze.dim"},
                    operatorLess);
  D.edit(D.Shims.GenericOps)
      .append({"amax", "fill_.Scalar", "narrow", "new_empty", "new_zeros", "pad"});
  D.edit(D.Shims.NullableResults)
      .append({"_functional_sym_constrain_range", "_scaled_dot_product_cudnn_attention",
               "_scaled_dot_product_fused_attention_overrideable",
               "_thhn_fused_lstm_cell_backward_impl", "grid_sampler_2d_backward",
               "grid_sampler_3d_backward", "linear_backward"});
  D.Shims.StringView = "::std::string_view";
  D.Shims.NamesLastEndif = true;
}

/// As 2.14.1 takes them; it has no Named any more.
constexpr llvm::StringRef KeyStrings[] = {"ADInplaceOrView",
                                          "AutocastCPU",
                                          "AutocastCUDA",
                                          "AutocastHPU",
                                          "AutocastIPU",
                                          "AutocastMAIA",
                                          "AutocastMPS",
                                          "AutocastMTIA",
                                          "AutocastPrivateUse1",
                                          "AutocastXLA",
                                          "AutocastXPU",
                                          "Autograd",
                                          "AutogradCPU",
                                          "AutogradCUDA",
                                          "AutogradFunctionality",
                                          "AutogradHPU",
                                          "AutogradIPU",
                                          "AutogradLazy",
                                          "AutogradMPS",
                                          "AutogradMeta",
                                          "AutogradNestedTensor",
                                          "AutogradOther",
                                          "AutogradPrivateUse1",
                                          "AutogradPrivateUse2",
                                          "AutogradPrivateUse3",
                                          "AutogradXLA",
                                          "AutogradXPU",
                                          "BackendSelect",
                                          "Batched",
                                          "BatchedNestedTensor",
                                          "CPU",
                                          "CUDA",
                                          "CompositeExplicitAutograd",
                                          "CompositeExplicitAutogradNonFunctional",
                                          "CompositeImplicitAutograd",
                                          "CompositeImplicitAutogradNestedTensor",
                                          "Conjugate",
                                          "CustomRNGKeyId",
                                          "DeferredInit",
                                          "Dense",
                                          "FPGA",
                                          "Fake",
                                          "FuncTorchBatched",
                                          "FuncTorchBatchedDecomposition",
                                          "FuncTorchDynamicLayerBackMode",
                                          "FuncTorchDynamicLayerFrontMode",
                                          "FuncTorchGradWrapper",
                                          "FuncTorchVmapMode",
                                          "Functionalize",
                                          "HIP",
                                          "HPU",
                                          "IPU",
                                          "Lazy",
                                          "MAIA",
                                          "MPS",
                                          "MTIA",
                                          "Meta",
                                          "Metal",
                                          "MkldnnCPU",
                                          "Named",
                                          "Negative",
                                          "NestedTensor",
                                          "NestedTensorCPU",
                                          "NestedTensorCUDA",
                                          "NestedTensorHPU",
                                          "NestedTensorMeta",
                                          "NestedTensorPrivateUse1",
                                          "NestedTensorXPU",
                                          "PreDispatch",
                                          "PrivateUse1",
                                          "PrivateUse2",
                                          "PrivateUse3",
                                          "Python",
                                          "PythonDispatcher",
                                          "PythonTLSSnapshot",
                                          "Quantized",
                                          "QuantizedCPU",
                                          "QuantizedCUDA",
                                          "QuantizedPrivateUse1",
                                          "QuantizedXPU",
                                          "Sparse",
                                          "SparseCPU",
                                          "SparseCUDA",
                                          "SparseCsr",
                                          "SparseCsrCPU",
                                          "SparseCsrCUDA",
                                          "SparseCsrHIP",
                                          "SparseCsrMPS",
                                          "SparseCsrMeta",
                                          "SparseCsrPrivateUse1",
                                          "SparseCsrVE",
                                          "SparseCsrXPU",
                                          "SparseHIP",
                                          "SparseMPS",
                                          "SparseMeta",
                                          "SparsePrivateUse1",
                                          "SparseVE",
                                          "SparseXPU",
                                          "TESTING_ONLY_GenericMode",
                                          "TESTING_ONLY_GenericWrapper",
                                          "Tracer",
                                          "Undefined",
                                          "VE",
                                          "VmapMode",
                                          "Vulkan",
                                          "XLA",
                                          "XPU",
                                          "ZeroTensor"};

} // namespace

void V2_9(Draft &D) {
  addKeys(D);
  D.Keys.Strings = KeyStrings;
  D.Schema.SymBoolInStrings = true;
  changeShims(D);
  D.Output.TrimsTemplateLines = true;
  D.Output.RegistrationTypesOmitAt = false;
  D.Aten.Lists = FileListShape::OwnLines;
  D.Functionalization.Views = ViewRecord::Classes;
  D.Functionalization.MisspellsRunning = false;
  D.edit(D.Python.Unbound).append({"sym_is_contiguous"});
}

} // namespace opsig
