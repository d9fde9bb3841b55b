//===- V2_3.cpp - PyTorch 2.3 -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seen in a fork's torchgen, YAML and templates, file by file brought to the checksums of an
// installed 2.3.0; all that it prints was compared, and the headers of that installation by their
// checksums.
//
// YAML: `_scatter` operators are the inverses of views; set_ is no view for the generation of
// variants. Keys: SparseCsr for every backend; SparseCsrMeta has kernels.
//
// Functionalization: inverses are named after the view and told how to return; one semicolon
// is gone.
//
// AOTInductor: C shims for CPU and CUDA, of all operators that are not pointwise.
//
// Python bindings: the functions of named results have other names; other devices than CUDA are
// made ready, too; inplace _foreach functions return the list they were given; functions that only
// stand for others take no tensor options.
//
//===----------------------------------------------------------------------===//
#include "ReleasesInternal.h"

namespace opsig {
namespace {

using K = DispatchKey;

} // namespace

void V2_3(Draft &D) {
  D.edit(D.Table.Slots)
      .replace({"SparseCsrCPU"}, {{"SparseCsr", SlotRole::OtherBackend, true}})
      .remove({{"SparseCsrCUDA"}});

  D.Schema.ScatterIsViewInverse = true;
  D.Schema.ExcusesSet = true;
  D.Schema.ViewExclusionSparesSet = true;
  D.edit(D.Schema.NoGeneratedOut)
      .after("_assert_async.msg", {"_cslt_sparse_mm_search", "_assert_scalar"})
      .append({"_print", "_nested_get_ragged_idx"});
  D.edit(D.Keys.Unknown)
      .remove({K::SparseCsr, K::PreDispatch, K::SparseCsrHIP, K::SparseCsrXLA, K::SparseCsrMTIA,
               K::SparseCsrMPS, K::SparseCsrIPU, K::SparseCsrXPU, K::SparseCsrHPU, K::SparseCsrVE,
               K::SparseCsrLazy, K::SparseCsrMeta, K::SparseCsrPrivateUse1, K::SparseCsrPrivateUse2,
               K::SparseCsrPrivateUse3});
  D.edit(D.Keys.Dispatch).after(K::SparseMeta, {K::SparseCsrMeta});

  D.Spelling.DtypeFromOptions = "c10::optTypeMetaToScalarType";

  D.Functionalization.Inverses = ViewInverses::OfViews;
  D.Functionalization.RedispatchEndsTwice = false;

  D.Aten.HasAotiShims = true;
  D.edit(D.Shims.Devices).append({K::CPU, K::CUDA});
  D.Shims.OnlyRegisteredDevices = true;
  D.Shims.Shape = ShimShape::OfAllOps;
  D.edit(D.Shims.NullableResults).append({"_scaled_dot_product_flash_attention"});
  D.Shims.StringView = "c10::string_view";

  D.Python.Results = NamedResults::StructSeqs;
  D.Python.DeviceInit = "torch::utils::maybe_initialize_device";
  D.Python.ForeachReturnsSelf = true;
  D.Python.DummiesTakeNoOptions = true;
}

} // namespace opsig
