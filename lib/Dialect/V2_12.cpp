//===- V2_12.cpp - PyTorch 2.12 ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of an installed 2.12.0 the checksums of all files are known. The texts of most sources of
// torchgen were put together from 2.9.1 and 2.14.1, each difference as in the one or the other,
// until the checksum was right: model.py, gen.py, gen_aoti_c_shim.py, api/cpp.py,
// native_function_generation.py, register_dispatch_key.py, gen_python_functions.py; 25 other files
// are those of 2.14.1, 14 those of 2.9.1, 62 those of both. Not found were
// gen_functionalization_type.py, fallback_ops.py and api/python.py. What this dialect prints has
// the right checksum, too: all headers in ATen/ops of operators that are in 2.12 as in 2.9.1
// or 2.14.1 (7,077 of 7,095), and the headers of C shims for CPU, CUDA and all devices.
//
// enum_tag.h goes to a folder for headers that need no library, which an option names. Arguments
// that an AOTI shim does not take are left at their defaults; more operators have shims, two of
// them a second one that takes more. `_use_miopen_ctc_loss` gets no out variant (2.10 to 2.12).
// What an out function of cumsum or cumprod writes decides on the dtype of the functional variant
// (by the size of gen_functionalization_type.py, and the day of that change: not in 2.11). Five
// methods of tensors are bound by hand that were generated before (2.11 had them still).
//
//===----------------------------------------------------------------------===//
#include "ReleasesInternal.h"

namespace opsig {
namespace {

constexpr llvm::StringRef FlashNew[] = {"block_table", "num_splits"};
constexpr llvm::StringRef FlashInplaceNew[] = {"num_splits"};
constexpr ShimVersion ShimVersions[] = {
    {.Op = "_flash_attention_forward", .Number = 2, .NewArguments = FlashNew},
    {.Op = "_flash_attention_forward_no_dropout_inplace",
     .Number = 2,
     .NewArguments = FlashInplaceNew}};

void changeShims(Draft &D) {
  D.edit(D.Shims.DeviceOps)
      .insertSorted({"_flash_attention_forward_no_dropout_inplace", "_grouped_mm", "rand_like",
                     "rand_like.generator", "randint_like", "randint_like.low_dtype", "randn_like",
                     "randn_like.generator"},
                    operatorLess);
  D.Shims.Versions = ShimVersions;
  D.Shims.LeftOut = ShimLeftOut::Default;
}

} // namespace

void V2_12(Draft &D) {
  D.edit(D.Schema.NoGeneratedOut)
      .after("_use_cudnn_ctc_loss.Tensor", {"_use_miopen_ctc_loss", "_use_miopen_ctc_loss.Tensor"});
  D.Aten.HasHeaderOnlyFolder = true;
  D.edit(D.Functionalization.LeftAlone).append({"_flash_attention_forward_no_dropout_inplace"});
  D.edit(D.Functionalization.KeepsOutDtype).append({"cumsum.out", "cumprod.out"});
  changeShims(D);
  // By the day of that change: it is in 2.14.1, surely not in 2.11.
  D.Library.TakesGenerators = true;
  D.edit(D.Python.Unbound)
      .append({"dim", "get_device", "is_contiguous", "numel", "storage_offset"});
}

} // namespace opsig
