//===- V2_7.cpp - PyTorch 2.7 -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seen in the sources of torchgen 2.7.1. Its YAML and templates were not compared, nor were the
// releases since 2.4, so that part of this may be older.
//
// Schemas: names may carry a namespace, a default may hold spaces, Python's keywords are refused as
// argument names; SymBool and GraphModule are types, ConstQuantizerPtr is none any more. Variants
// are generated from the mutable member of a group first, and for composites that are tagged core.
//
// Keys: XPU has kernels in the tree, structured ones among them, a device guard and an empty_xpu;
// the build drops its keys unless it asks for them.
//
// Files: the helpers of a Register file stand at its top, once, and the file may be written in
// shards; operators have their strings as constants; vmap plumbing binds value and dimension where
// it takes tensors apart; type traits are written `_v`. Some semicolons that ended nothing are
// gone. Generated comments name the script that ran. Functionalization's meta tensors can be
// switched off.
//
//===----------------------------------------------------------------------===//
#include "ReleasesInternal.h"

namespace opsig {
namespace {

using K = DispatchKey;

void changeSchemas(Draft &D) {
  D.edit(D.Schema.BaseTypes).replace("ConstQuantizerPtr", {"SymBool", "GraphModule"});
  D.edit(D.Schema.ScalarTypes).append({"Float8_e8m0fnu"});
  D.Schema.Default = DefaultSplit::AtEquals;
  D.Schema.NamespacedNames = true;
  D.Schema.RefusesPythonKeywords = true;
  D.Schema.RefusesConstRefOut = true;
  D.Schema.CoreCompositesGetVariants = true;
  D.Schema.GeneratedFrom = GenerationBase::MutableInplaceOutFunctional;
  D.edit(D.Schema.NoGeneratedOut).after("_assert_async.msg", {"_assert_tensor_metadata"});
}

void addXpu(Draft &D) {
  D.edit(D.Keys.Dispatch)
      .after(K::MPS, {K::XPU, K::SparseXPU, K::SparseCsrXPU})
      .after(K::NestedTensorCUDA, {K::NestedTensorXPU});
  D.edit(D.Keys.DroppedByDefault).append({K::XPU});
  D.edit(D.Keys.Structured).append({K::XPU});
  D.edit(D.Keys.OwnEmpty).append({K::XPU});
  D.Keys.XpuHasDeviceGuard = true;
}

void changeFiles(Draft &D) {
  D.Spelling.ContiguousFormat = "c10::MemoryFormat::Contiguous";

  D.Output.Helpers = HelperPlace::FileTop;
  D.Output.LibraryBlocksEndInSemicolon = false;
  D.Output.MacrosHeaderLast = true;
  D.Output.CommentNamesScript = true;
  D.Output.Cuda = CudaStart::AnyDevice;
  D.Output.ShardsRegistrations = true;
  D.Output.DispatchMacrosEndInSemicolon = false;
  D.Output.Strings = OperatorStrings::Constants;
  D.Output.SymInts = SymIntTemplates::IsSameV;
  D.Output.Vmap = VmapShape::BindsTensors;
  // Their symbolic return is handed through.
  D.edit(D.Output.VmapDespiteReturns)
      .append({"_scaled_dot_product_flash_attention", "_scaled_dot_product_cudnn_attention"});

  D.Aten.Lists = FileListShape::CompactByDevice;
  D.Aten.ShimUpdateNeedsDevices = true;

  D.Functionalization.Mutations = MutationUpdate::XlaBetweenInner;
  D.Functionalization.HasMetaSwitch = true;
  D.Functionalization.Includes = CompositeIncludes::NativeOfAll;

  D.Python.NullPointer = "nullptr";
}

} // namespace

void V2_7(Draft &D) {
  changeSchemas(D);
  addXpu(D);
  changeFiles(D);
}

} // namespace opsig
