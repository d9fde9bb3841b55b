//===- V2_13.cpp - PyTorch 2.13 ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No file of it was seen. All that 2.14.1 has and 2.12.0 does not came with 2.13 or 2.14; here is
// what was merged before the branch of 2.13 was made, in the second week of June 2026: tags for out
// and inplace functions (April), the first release that has a shim (May), the name of the check for
// overrides of torch functions (April), the end of named tensors (on the 3rd of June).
//
// There is no Dimname: structured kernels hand no names of dimensions on. Every out and inplace
// function has a tag that says so. The headers of AOTI shims guard each that is younger than 2.9 by
// the release that a caller wants.
//
//===----------------------------------------------------------------------===//
#include "ReleasesInternal.h"

namespace opsig {
namespace {

constexpr llvm::StringRef FlashNew[] = {"block_table", "num_splits"};
constexpr llvm::StringRef FlashInplaceNew[] = {"num_splits"};
constexpr llvm::StringRef MathForMpsNew[] = {"enable_gqa"};
constexpr llvm::StringRef Since210 = "TORCH_VERSION_2_10_0";
constexpr llvm::StringRef Since211 = "TORCH_VERSION_2_11_0";
constexpr llvm::StringRef Since212 = "TORCH_VERSION_2_12_0";
constexpr llvm::StringRef Since213 = "TORCH_VERSION_2_13_0";
constexpr ShimVersion ShimVersions[] = {
    {.Op = "_flash_attention_forward", .Number = 2, .NewArguments = FlashNew, .Since = Since212},
    {.Op = "_flash_attention_forward.quantized", .Since = Since211},
    {.Op = "_flash_attention_forward_no_dropout_inplace", .Since = Since212},
    {.Op = "_flash_attention_forward_no_dropout_inplace",
     .Number = 2,
     .NewArguments = FlashInplaceNew,
     .Since = Since212},
    {.Op = "_grouped_mm", .Since = Since212},
    {.Op = "_scaled_dot_product_attention_math_for_mps",
     .Number = 2,
     .NewArguments = MathForMpsNew,
     .Since = Since213},
    {.Op = "_scaled_dot_product_flash_attention.quantized", .Since = Since211},
    {.Op = "_scaled_grouped_mm", .Since = Since210},
    {.Op = "full", .Since = Since210},
    {.Op = "grid_sampler_3d", .Since = Since213},
    {.Op = "grid_sampler_3d_backward", .Since = Since213},
    {.Op = "mm.dtype_out", .Since = Since211},
    {.Op = "nonzero_static", .Since = Since211},
    {.Op = "rand_like", .Since = Since212},
    {.Op = "rand_like.generator", .Since = Since212},
    {.Op = "randint_like", .Since = Since212},
    {.Op = "randint_like.low_dtype", .Since = Since212},
    {.Op = "randn_like", .Since = Since212},
    {.Op = "randn_like.generator", .Since = Since212},
    {.Op = "subtract.Tensor", .Since = Since210}};

} // namespace

void V2_13(Draft &D) {
  D.edit(D.Schema.BaseTypes).remove({"Dimname"});
  D.Schema.TagsOutAndInplace = true;
  D.Output.NamesOutputDimensions = false;
  D.edit(D.Shims.DeviceOps)
      .insertSorted({"grid_sampler_3d", "grid_sampler_3d_backward"}, operatorLess);
  D.Shims.Versions = ShimVersions;
  D.Python.Override = OverrideCheck::Direct;
}

} // namespace opsig
