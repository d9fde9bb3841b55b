//===- V2_8.cpp - PyTorch 2.8 -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seen in an installed 2.8.0, with which all that opsig prints was compared; deprecated.yaml, which
// is missing there, is the same in 2.7.0 and 2.9.1.
//
// Keys: MTIA has kernels in the tree, structured ones among them, which the build drops unless it
// asks for them; HPU has those of nested tensors.
//
// Files: trailing blanks are cut when templates are filled, lists of files have a line per path. A
// comment of functionalization has its missing letter.
//
// AOTInductor: C shims are written for whichever device the build asks for, MPS among them; their
// headers, for all. They are laid out anew.
//
//===----------------------------------------------------------------------===//
#include "ReleasesInternal.h"

namespace opsig {
namespace {

using K = DispatchKey;

void addKeys(Draft &D) {
  D.edit(D.Keys.Dispatch).after(K::NestedTensorXPU, {K::NestedTensorHPU}).append({K::MTIA});
  D.edit(D.Keys.DroppedByDefault).append({K::MTIA});
  D.edit(D.Keys.Structured).append({K::MTIA});
  D.edit(D.Keys.OwnEmpty).append({K::MTIA});
}

void changeShims(Draft &D) {
  D.edit(D.Shims.Devices).after(K::CUDA, {K::MPS});
  D.Shims.OnlyRegisteredDevices = false;
  D.Aten.ShimUpdateNeedsDevices = true;
  D.edit(D.Shims.DeviceOps)
      .insertSorted({"_weight_int4pack_mm", "_weight_int4pack_mm_with_scales_and_zeros", "abs",
                     "fill_.Scalar", "hann_window", "narrow", "pad", "permute", "squeeze.dim"},
                    operatorLess);
  D.Shims.StringView = "::std::string_view";
  D.Shims.Layout = ShimLayout::Tabs;
}

} // namespace

void V2_8(Draft &D) {
  addKeys(D);
  changeShims(D);
  D.edit(D.Schema.DtypesInStrings).append({"float4_e2m1fn_x2"});
  D.Output.TrimsTemplateLines = true;
  D.Aten.Lists = FileListShape::OwnLines;
  D.Functionalization.MisspellsRunning = false;
}

} // namespace opsig
