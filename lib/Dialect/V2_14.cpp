//===- V2_14.cpp - PyTorch 2.14 ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seen in Debian's package of 2.14.1 (python3-torch: torchgen with its templates and YAML files),
// with which all that opsig prints was compared; libtorch-dev has the headers that this torchgen
// wrote. 2.12.0 has nothing of what follows (see V2_12.cpp), so that it came with 2.13 or 2.14; but
// whether composite views are registered for functionalization in 2.12 is not known.
//
// AutocastXPU is a key. XPU's other keys are dropped, too, unless a build asks for XPU, and its
// kernels are exported as all others are. Composite views are registered for functionalization, as
// they were before 2.4, and the object that records a view owns its tensors,
// which translate makes of references. Methods that make
// tensors do not initialize the device where the tensor dispatches to Python.
//
// libtorch knows no key Named by its name. torch.library refuses schemas that the tags out and
// inplace do not fit, and counts the gradients of a formula (torch/_library/autograd.py); whether
// 2.13 does is not known. triton_op() takes the schema that it is given, which 2.6.0 ignores;
// PyTorch changed that in July 2026.
//
//===----------------------------------------------------------------------===//
#include "ReleasesInternal.h"

namespace opsig {

namespace {

using K = DispatchKey;

void changeTable(Draft &D) {
  D.edit(D.Table.Components).after("MTIA", {"MAIA"});
  // libtorch 2.6.0 has no fallback for AutogradPrivateUse1, 2.14.1 has one.
  D.edit(D.Table.FamilyFallbacks).append({"AutogradMAIA", "AutogradPrivateUse1"});
  auto Cast = [](llvm::StringRef Name) { return byHand(Name, LibraryFallback::Fallthrough); };
  D.edit(D.Table.Slots)
      .remove({{"MAIA"}, {"Named"}})
      .replace({"Functionalize"}, {{"Functionalize", SlotRole::Mode, false, LibraryFallback::Kernel,
                                    Registrant::Rules}})
      .replace({"AutocastXPU"}, {Cast("AutocastMTIA"), Cast("AutocastMAIA"), Cast("AutocastXPU")});
}

} // namespace

void V2_14(Draft &D) {
  changeTable(D);
  D.edit(D.Schema.DtypesInStrings).append({"bcomplex32"});
  D.edit(D.Keys.Unknown).remove({K::AutocastXPU});
  D.edit(D.Keys.Strings).remove({"Named"});
  D.edit(D.Keys.DroppedByDefault)
      .after(K::XPU, {K::SparseXPU, K::SparseCsrXPU, K::NestedTensorXPU});
  D.Spelling.TensorsFromReferences = true;
  D.Output.ExportsXpuKernels = false;
  D.Functionalization.Composites = CompositeEntries::Views;
  D.Functionalization.RecordsOwnTensors = true;
  D.Python.SparesDispatchingTensors = true;
  D.Library.ChecksTags = true;
  // A parameter that older releases have, and ignore.
  D.edit(D.Library.Names).append({"triton_op.schema"});
  D.Library.CountsGradients = true;
}

} // namespace opsig
