//===- V2_6.cpp - PyTorch 2.6 -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seen in Debian's package of 2.6.0 and in its source, with which all that opsig prints was
// compared.
//
// Schemas: strings may have any scalar type's name as a default. Python's keywords are refused as
// argument names; ConstQuantizerPtr is no type any more. Variants are generated from the mutable
// member of a group first, and for composites that are tagged core.
//
// Keys: XPU has kernels of sparse and of nested tensors; the build drops the key XPU, but not these
// two, unless it asks for it. Its structured kernels guard their outputs and are exported from a
// library of their own.
//
// Files: operators have their strings as constants; type traits are written `_v`. Some semicolons
// that ended nothing are gone. CUDA is made ready as every device is. Lists of files may have one
// for XPU, and C shims, too. Tables of Python's methods end in nullptr.
//
//===----------------------------------------------------------------------===//
#include "ReleasesInternal.h"

namespace opsig {
namespace {

using K = DispatchKey;

/// What Python calls the enumerators of ScalarType.
constexpr llvm::StringRef Dtypes[] = {"uint8",
                                      "int8",
                                      "int16",
                                      "short",
                                      "int32",
                                      "int",
                                      "int64",
                                      "long",
                                      "float16",
                                      "half",
                                      "float32",
                                      "float",
                                      "float64",
                                      "double",
                                      "complex32",
                                      "chalf",
                                      "complex64",
                                      "cfloat",
                                      "complex128",
                                      "cdouble",
                                      "bool",
                                      "qint8",
                                      "quint8",
                                      "qint32",
                                      "bfloat16",
                                      "quint4x2",
                                      "quint2x4",
                                      "bits1x8",
                                      "bits2x4",
                                      "bits4x2",
                                      "bits8",
                                      "bits16",
                                      "float8_e5m2",
                                      "float8_e4m3fn",
                                      "float8_e5m2fnuz",
                                      "float8_e4m3fnuz",
                                      "uint16",
                                      "uint32",
                                      "uint64",
                                      "uint1",
                                      "bit",
                                      "uint2",
                                      "uint3",
                                      "uint4",
                                      "uint5",
                                      "uint6",
                                      "uint7",
                                      "int1",
                                      "int2",
                                      "int3",
                                      "int4",
                                      "int5",
                                      "int6",
                                      "int7"};

void changeSchemas(Draft &D) {
  D.Schema.DtypesInStrings = Dtypes;
  D.edit(D.Schema.BaseTypes).remove({"ConstQuantizerPtr"});
  D.Schema.RefusesPythonKeywords = true;
  D.Schema.CoreCompositesGetVariants = true;
  D.Schema.GeneratedFrom = GenerationBase::MutableInplaceOutFunctional;
  D.edit(D.Schema.NoGeneratedOut).after("_assert_async.msg", {"_assert_tensor_metadata"});
}

void changeXpu(Draft &D) {
  D.edit(D.Keys.Dispatch)
      .after(K::XPU, {K::SparseXPU})
      .after(K::NestedTensorCUDA, {K::NestedTensorXPU});
  D.edit(D.Keys.DroppedByDefault).append({K::XPU});
  D.Keys.XpuGuardsOutputs = true;
  D.Output.ExportsXpuKernels = true;
  D.Aten.Lists = FileListShape::CompactByDevice;
  D.edit(D.Shims.Devices).append({K::XPU});
}

void changeFiles(Draft &D) {
  D.Output.LibraryBlocksEndInSemicolon = false;
  D.Output.Cuda = CudaStart::AnyDevice;
  D.Output.DispatchMacrosEndInSemicolon = false;
  D.Output.Strings = OperatorStrings::Constants;
  D.Output.SymInts = SymIntTemplates::IsSameV;

  D.edit(D.Shims.DeviceOps)
      .remove({"searchsorted"})
      .insertSorted({"_scaled_mm.out", "_weight_int8pack_mm", "add.Scalar", "add.Tensor",
                     "baddbmm.out", "masked_select", "searchsorted.Scalar", "searchsorted.Tensor"},
                    operatorLess);

  D.Python.NullPointer = "nullptr";
}

} // namespace

void V2_6(Draft &D) {
  changeSchemas(D);
  changeXpu(D);
  D.edit(D.Table.Slots)
      .replace({"AutocastXPU"}, {byHand("AutocastXPU", LibraryFallback::Fallthrough)})
      .after({"AutocastXLA"}, {byHand("AutocastMPS", LibraryFallback::Fallthrough)});
  changeFiles(D);
  D.edit(D.Library.Names).append({"triton_op", "wrap_triton"});
}

} // namespace opsig
