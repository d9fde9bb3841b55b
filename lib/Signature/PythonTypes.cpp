//===- PythonTypes.cpp - Types as PyTorch's argument parser knows them ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// schema Type => word in a parser's signature | member that reads a value
//
//===----------------------------------------------------------------------===//
#include "PythonInternal.h"
#include "opsig/Dialect/PythonTraits.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace opsig {

namespace {

using Text = std::optional<std::string>;

Text baseText(BaseTy Ty) {
  switch (Ty) {
  case BaseTy::Int:
    return "int64_t";
  case BaseTy::Float:
    return "double";
  case BaseTy::Str:
    return "c10::string_view";
  case BaseTy::Tensor:
  case BaseTy::Bool:
  case BaseTy::QScheme:
  case BaseTy::Scalar:
  case BaseTy::ScalarType:
  case BaseTy::Generator:
  case BaseTy::Storage:
  case BaseTy::Layout:
  case BaseTy::Device:
  case BaseTy::DeviceIndex:
  case BaseTy::MemoryFormat:
  case BaseTy::Dimname:
  case BaseTy::Stream:
  case BaseTy::SymInt:
    return toString(Ty).str();
  case BaseTy::DimVector:
  case BaseTy::SymBool:
  case BaseTy::GraphModule:
  case BaseTy::ConstQuantizerPtr:
  default: // classes, and what only strings in code have
    break;
  }
  return std::nullopt;
}

Text listText(const Type &T, const Dialect &D, bool Simple) {
  Type Elem = T.elem();
  if (Elem.is(BaseTy::Bool))
    return "::std::array<bool," + std::to_string(T.listSize()) + ">";
  if (Elem == Type(BaseTy::Tensor).optional())
    return ("c10::List<" + D.Spelling.Optional + "<Tensor>>").str();
  std::string Size = Simple || T.listSize() == 0 ? "" : "[" + std::to_string(T.listSize()) + "]";
  if (Elem.is(BaseTy::Int))
    return "IntArrayRef" + Size;
  if (Elem.is(BaseTy::SymInt))
    return "SymIntArrayRef" + Size;
  if (Elem.is(BaseTy::Tensor))
    return "TensorList" + Size;
  if (Elem.is(BaseTy::Scalar))
    return "ScalarList" + Size;
  if (Elem.is(BaseTy::Dimname))
    return "DimnameList" + Size;
  Text Inner = pythonTypeText(Elem, D, Simple);
  return Inner ? Text("ArrayRef<" + *Inner + ">") : std::nullopt;
}

Text baseUnpack(BaseTy Ty, bool WithDefault) {
  std::string Suffix = WithDefault ? "WithDefault" : "";
  switch (Ty) {
  case BaseTy::Tensor:
  case BaseTy::Stream:
  case BaseTy::Storage:
  case BaseTy::Scalar:
  case BaseTy::Dimname:
    return toString(Ty).lower();
  case BaseTy::ScalarType:
  case BaseTy::Device:
  case BaseTy::Layout:
    return toString(Ty).lower() + Suffix;
  case BaseTy::Bool:
    return "toBool" + Suffix;
  case BaseTy::Int:
  case BaseTy::DeviceIndex:
    return "toInt64";
  case BaseTy::SymInt:
    return "toSymInt";
  case BaseTy::Float:
    return "toDouble";
  case BaseTy::Str:
    return "stringView";
  case BaseTy::MemoryFormat:
    return "memoryformat";
  default:
    return std::nullopt;
  }
}

Text listUnpack(const Type &T, const Dialect &D) {
  Type Elem = T.elem();
  if (Elem == Type(BaseTy::Tensor).optional())
    return "list_of_optional_tensors";
  if (Elem.is(BaseTy::Tensor))
    return T.listSize() == 0 ? "tensorlist" : "tensorlist_n<" + std::to_string(T.listSize()) + ">";
  if (Elem.is(BaseTy::Dimname))
    return "dimnamelist";
  if (Elem.is(BaseTy::Int))
    return "intlist";
  if (Elem.is(BaseTy::SymInt))
    return "symintlist";
  bool AnySize = D.Python.SizedNumberLists || T.listSize() == 0;
  if (Elem.is(BaseTy::Float) && AnySize)
    return "doublelist";
  if (Elem.is(BaseTy::Scalar) && AnySize)
    return "scalarlist";
  return std::nullopt;
}

/// \p NoneIsDefault: what was not given is None rather than a default.
Text unpack(const Type &T, bool NoneIsDefault, bool WithDefault, const Dialect &D) {
  if (T.isBase())
    return baseUnpack(T.base(), WithDefault);
  if (T.isList())
    return listUnpack(T, D);
  Type Elem = T.elem();
  if (Elem.is(BaseTy::Tensor))
    return "optionalTensor";
  if (Elem.is(BaseTy::Generator))
    return "generator";
  if (Elem == Type(BaseTy::Dimname).list())
    return "toDimnameListOptional";
  if (WithDefault || !NoneIsDefault)
    return unpack(Elem, NoneIsDefault, WithDefault, D);
  Text Inner = unpack(Elem, /*NoneIsDefault=*/true, /*WithDefault=*/false, D);
  return Inner ? Text(*Inner + "Optional") : std::nullopt;
}

} // namespace

std::optional<std::string> pythonTypeText(const Type &T, const Dialect &D, bool Simple) {
  if (T.isBase())
    return baseText(T.base());
  if (T.isList())
    return listText(T, D, Simple);
  Text Elem = pythonTypeText(T.elem(), D, Simple);
  return Elem ? Text(*Elem + "?") : std::nullopt;
}

std::optional<std::string> pythonUnpack(const PythonArgument &A, const Dialect &D) {
  bool NoneIsDefault =
      !A.Default || *A.Default == "None" || StringRef(*A.Default) == D.Spelling.Nullopt;
  return unpack(A.Ty, NoneIsDefault, !A.DefaultInit.empty(), D);
}

} // namespace opsig
