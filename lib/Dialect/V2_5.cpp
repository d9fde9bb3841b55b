//===- V2_5.cpp - PyTorch 2.5 -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seen in an installed 2.5.1, with which all that opsig prints was compared.
//
// Schemas: a default may hold spaces; SymBool and GraphModule are types.
//
// Keys: XPU has kernels in the tree, structured ones among them, a device guard and an empty_xpu.
// Every build has them: none drops the key. Its structured kernels do not guard their outputs yet.
//
// C++: memory formats are spelled with c10.
//
// Files: the helpers of a Register file are excused from being unused; vmap plumbing binds value
// and dimension where it takes tensors apart; generated comments name the script that ran. What XLA
// holds is handed on between the inner tensors. Composite kernels see the kernels of all operators.
//
// AOTInductor: three operators more, and one more that may be given null for results.
//
//===----------------------------------------------------------------------===//
#include "ReleasesInternal.h"

namespace opsig {
namespace {

using K = DispatchKey;

void addXpu(Draft &D) {
  D.edit(D.Keys.Dispatch).after(K::MPS, {K::XPU});
  D.edit(D.Keys.Structured).append({K::XPU});
  D.edit(D.Keys.OwnEmpty).append({K::XPU});
  D.Keys.XpuHasDeviceGuard = true;
}

void changeFiles(Draft &D) {
  D.Output.SilencesUnusedHelpers = true;
  D.Output.CommentNamesScript = true;
  D.Output.Vmap = VmapShape::BindsTensors;
  // Their symbolic return is handed through.
  D.edit(D.Output.VmapDespiteReturns)
      .append({"_scaled_dot_product_flash_attention", "_scaled_dot_product_cudnn_attention"});

  D.Functionalization.Mutations = MutationUpdate::XlaBetweenInner;
  D.Functionalization.Includes = CompositeIncludes::NativeOfAll;

  D.edit(D.Shims.DeviceOps)
      .insertSorted({"_scaled_dot_product_cudnn_attention",
                     "_scaled_dot_product_cudnn_attention_backward", "polar"},
                    operatorLess);
  D.edit(D.Shims.NullableResults).append({"_scaled_dot_product_cudnn_attention"});
}

} // namespace

void V2_5(Draft &D) {
  D.edit(D.Schema.BaseTypes).append({"SymBool", "GraphModule"});
  D.Schema.Default = DefaultSplit::AtEquals;
  D.Spelling.ContiguousFormat = "c10::MemoryFormat::Contiguous";
  addXpu(D);
  changeFiles(D);
  D.edit(D.Library.Names).append({"register_vmap", "register_torch_dispatch", "infer_schema"});
  // By infer_schema.py of 2.4.1 (its size is that of the wheel's) and of 2.6.0.
  D.Library.TakesQuotes = true;
  D.Library.TakesTextDefaults = true;
  D.Library.TakesUnknownMutations = true;
}

} // namespace opsig
