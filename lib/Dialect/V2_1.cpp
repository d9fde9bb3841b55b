//===- V2_1.cpp - PyTorch 2.1 -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seen in an installed 2.1.0, whose YAML, templates and headers are at hand, and in a fork's
// torchgen, file by file brought to the checksums of the installed one; all that it prints was
// compared.
//
// C++: return types have SymInt whatever the signature, and only arguments decide whether there is
// a signature with SymInt. Structured kernels hold plain tensors. A function without results may be
// wrapped by its out form.
//
// YAML: a base type DeviceIndex and two scalar types of eight bits; `dropout` in an argument name
// asks for a tag as well; resize_as_ is excused like resize_. The keys of MTIA.
//
// Functionalization: composites have no kernels of their own any more; data that XLA holds is
// handed on.
//
// Dispatch tables: what is there for all operators under the autograd keys does not fall through
// any more, and the key Meta has a fallback; PyTorch decomposes composites under Functionalize.
// These and other traits of tables were asked of 1.13.1 and 2.14.1 only; when each came is from
// headers.
//
// The YAML of a selective build may have fields of ExecuTorch.
//
// Python bindings: functions like another tensor leave defaults to C++; lists of numbers may have a
// size; entries of tables are without spare parentheses; the lists of arguments for tests have
// keyword arguments, too.
//
//===----------------------------------------------------------------------===//
#include "ReleasesInternal.h"

namespace opsig {
namespace {

using K = DispatchKey;

constexpr llvm::StringRef Components[] = {
    "CPU", "CUDA", "HIP",  "XLA",         "MPS",         "IPU",         "XPU", "HPU",
    "VE",  "Lazy", "MTIA", "PrivateUse1", "PrivateUse2", "PrivateUse3", "Meta"};

/// \p Name as it was, with a kernel for all operators.
SlotTraits withKernel(llvm::StringRef Name, SlotRole Role, bool IsFamily = false) {
  return {Name, Role, IsFamily, LibraryFallback::Kernel, Registrant::Rules};
}

void changeTable(Draft &D) {
  D.Table.Components = Components;
  D.edit(D.Table.UnheededComponents).append({"MTIA"});
  D.edit(D.Table.FamilyFallbacks).append({"AutogradMTIA", "AutogradMeta", "Meta"});
  D.edit(D.Table.AlsoFunctionalized).append({"set_.source_Tensor"});
  D.edit(D.Table.AlsoBackendSelected).remove({"_pin_memory", "is_pinned"});
  D.edit(D.Table.NoInplaceOrView)
      .remove({"_test_autograd_multiple_dispatch_view", "resize_", "resize_as_"});
  D.edit(D.Table.Slots)
      .replace({""}, {{"", SlotRole::Backend, true, LibraryFallback::Kernel}})
      .replace({"Autograd"}, {withKernel("Autograd", SlotRole::Autograd, true)})
      .replace({"AutogradOther"}, {withKernel("AutogradOther", SlotRole::AutogradOther)})
      .replace({"Functionalize"}, {withKernel("Functionalize", SlotRole::Decomposing)})
      .replace({"FuncTorchBatched"}, {{"FuncTorchBatched", SlotRole::Batched, false,
                                       LibraryFallback::Kernel, Registrant::Hand}});
}

} // namespace

void V2_1(Draft &D) {
  changeTable(D);
  D.edit(D.Schema.BaseTypes).after("Device", {"DeviceIndex"});
  D.edit(D.Schema.ScalarTypes).append({"Float8_e5m2", "Float8_e4m3fn"});
  D.edit(D.Schema.DevicesInStrings).append({"mtia"});
  D.Schema.SeededTagByArgumentName = true;
  D.Schema.ExcusesResizeAs = true;
  D.Schema.SymIntInReturnsCounts = false;
  D.edit(D.Schema.NoGeneratedOut)
      .after("_assert_async", {"_assert_async.msg"})
      .replace("_nested_tensor_offsets", {"sym_constrain_range", "sym_constrain_range_for_size",
                                          "_nested_tensor_storage_offsets"});
  D.edit(D.Keys.Unknown)
      .remove({K::FuncTorchGradWrapper, K::FuncTorchBatched, K::FuncTorchVmapMode,
               K::FuncTorchBatchedDecomposition, K::MTIA, K::QuantizedMTIA, K::SparseMTIA,
               K::NestedTensorMTIA, K::AutogradMTIA});

  D.Spelling.ReturnsFollowSymInt = false;
  D.Output.StructuredOutputs = OutputHolder::Plain;
  D.Output.VoidOutWrappers = true;
  D.Aten.SelectionHasEtKernels = true;

  D.Functionalization.Mutations = MutationUpdate::XlaFromResult;
  D.Functionalization.Composites = CompositeEntries::None;
  D.edit(D.Functionalization.LeftAlone).append({"resize_as_", "_fill_mem_eff_dropout_mask_"});

  D.edit(D.Python.Unbound)
      .remove({"_nested_tensor_offsets"})
      .append({"itemsize", "nbytes", "sym_numel", "sym_size", "sym_storage_offset", "sym_stride"});
  D.edit(D.Python.ReturnTypes)
      .replace("::std::tuple<at::Tensor,at::Tensor,at::Tensor,at::Tensor,int64_t,int64_t,int64_t,"
               "int64_t,at::Tensor>",
               {"::std::tuple<at::Tensor,at::Tensor,at::Tensor,at::Tensor,int64_t,int64_t,"
                "at::Tensor,at::Tensor,at::Tensor>"})
      .append({"at::Stream"});
  D.Python.LikeDefaultsFromSelf = false;
  D.Python.SizedNumberLists = true;
  D.Python.Cast = MethodCast::WhereNeeded;
  D.Python.Annotated = AnnotatedArguments::All;
  D.edit(D.Library.Names).append({"fallthrough_kernel"});
}

} // namespace opsig
