//===- TensorType.cpp - `x.type()` of a tensor --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "UpgradeInternal.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

/// Functions of ATen that make a tensor, and take a type for options.
static bool isFactory(StringRef Name) {
  return is_contained({"arange",     "empty",    "empty_like",    "empty_strided", "eye",
                       "from_blob",  "full",     "full_like",     "linspace",      "ones",
                       "ones_like",  "rand",     "rand_like",     "randint",       "randn",
                       "randn_like", "randperm", "scalar_tensor", "tensor",        "zeros",
                       "zeros_like"},
                      Name);
}

static constexpr StringLiteral OtherDevice =
    "the new tensor is on the device of the old one, not on the current device";

std::optional<TypeChange> opsig::changeOfType(const LiveFile &File, uint32_t Begin, uint32_t End,
                                              bool IsScalarType) {
  StringRef Rest = File.Text.drop_front(End);
  for (auto [Old, New] : {std::pair<StringLiteral, StringLiteral>{"is_cuda()", "is_cuda()"},
                          {"is_sparse()", "is_sparse()"},
                          {"scalarType()", "scalar_type()"},
                          {"device_type()", "device().type()"},
                          {"elementSizeInBytes()", "element_size()"},
                          {"toString()", "toString()"}})
    if (Rest.starts_with(("." + Old).str()))
      return TypeChange{End + uint32_t(Old.size() + 1),
                        File.Text.slice(Begin, End + Old.size() + 1), New.str()};
  const bool IsMade = isFactory(calleeAround(File, Begin));
  static constexpr StringLiteral ToScalarType = ".toScalarType(";
  if (Rest.starts_with(ToScalarType) && IsMade)
    return TypeChange{End + uint32_t(ToScalarType.size()), "type().toScalarType",
                      "options().dtype(", OtherDevice};
  if (Rest.starts_with(".") || Rest.starts_with("->"))
    return std::nullopt;
  if (IsScalarType || calleeAround(File, Begin).starts_with("AT_DISPATCH_"))
    return TypeChange{End, "type()", "scalar_type()"};
  if (IsMade)
    return TypeChange{End, "type()", "options()", OtherDevice};
  return std::nullopt;
}
