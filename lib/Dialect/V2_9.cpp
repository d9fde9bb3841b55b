//===- V2_9.cpp - PyTorch 2.9 -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seen in an installed 2.9.1, with which all that opsig prints was compared.
//
// Keys: MPS has kernels of sparse tensors. Functionalization records a view in an object of a class
// of its own. AOTInductor: shims that serve all devices; two operators more that have one for each.
// Python: one more function is bound by hand.
//
// libtorch: a schema of PyTorch's own has a SymBool, which 2.6.0 refuses in strings; keys are given
// by their names to the stable ABI.
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
  D.edit(D.Keys.Dispatch).after(K::SparseCsrCUDA, {K::SparseMPS, K::SparseCsrMPS});
  D.edit(D.Keys.DroppedByDefault).after(K::MPS, {K::SparseMPS, K::SparseCsrMPS});
  D.Keys.Strings = KeyStrings;
  D.Schema.SymBoolInStrings = true;
  changeShims(D);
  D.Functionalization.Views = ViewRecord::Classes;
  D.edit(D.Python.Unbound).append({"sym_is_contiguous"});
}

} // namespace opsig
