//===- Cpp.cpp - The public C++ API and what the others share with it -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// schema Type => value type, else reference or container => CType
// schema Arguments (x CppForm) => Bindings: options packed and out first, or as in the schema
//
//===----------------------------------------------------------------------===//

#include "LoweringInternal.h"
#include "opsig/Schema/KernelName.h"
#include "llvm/ADT/STLExtras.h"

namespace opsig {

namespace {

/// The list inside `int[]?`; nothing for other types.
std::optional<Type> optionalList(const Type &T) {
  if (!T.isOptional())
    return std::nullopt;
  Type Elem = T.elem();
  return Elem.isList() ? std::optional(Elem) : std::nullopt;
}

CType tensorType(bool Mutable, const Lowering &L) {
  CType Tensor(CppBase::Tensor);
  return Mutable && !L.ConstRefForMutableTensors ? Tensor.mutRef() : Tensor.constRef();
}

CType optionalType(const Type &T, bool Mutable, const Lowering &L, bool SymInt) {
  Type Elem = T.elem();
  if (Elem.is(BaseTy::Tensor))
    return Mutable && !L.ConstRefForMutableTensors ? CType(CppBase::Tensor).mutRef()
                                                   : CType(CppBase::Tensor).optional().constRef();
  if (Elem.is(BaseTy::Scalar))
    return CType(CppBase::Scalar).optional().constRef();
  if (std::optional<Type> List = optionalList(T)) {
    if (List->elem().is(BaseTy::Int))
      return CppBase::OptionalIntArrayRef;
    if (List->elem().is(BaseTy::SymInt))
      return SymInt ? CppBase::OptionalSymIntArrayRef : CppBase::OptionalIntArrayRef;
  }
  return cppType(Elem, Mutable, L, SymInt).optional();
}

CType listType(const Type &T, bool Mutable, const Lowering &L, bool SymInt) {
  Type Elem = T.elem();
  if (Elem.is(BaseTy::Int))
    return CppBase::IntArrayRef;
  if (Elem.is(BaseTy::SymInt))
    return SymInt ? CppBase::SymIntArrayRef : CppBase::IntArrayRef;
  if (Elem.is(BaseTy::Tensor))
    return L.IListRefForTensorLists ? CType(CppBase::ITensorListRef).constRef()
                                    : CType(CppBase::TensorList);
  if (Elem.is(BaseTy::Scalar))
    return CType(CppBase::Scalar).arrayRef();
  if (Elem.is(BaseTy::Dimname))
    return CppBase::DimnameList;
  if (Elem == Type(BaseTy::Tensor).optional())
    return CType(CppBase::Tensor).optional().list().constRef();
  return cppType(Elem, Mutable, L, SymInt).arrayRef();
}

CType returnType(const Type &T, bool Mutable, const Lowering &L, bool SymInt) {
  if (std::optional<CType> Value = valueType(T, SymInt))
    return *Value;
  if (T.isList())
    return returnType(T.elem(), /*Mutable=*/false, L, SymInt).vector();
  if (T.isOptional())
    return returnType(T.elem(), Mutable, L, SymInt).optional();
  if (T.is(BaseTy::Tensor) && Mutable)
    return tensorType(Mutable, L);
  return T.is(BaseTy::Tensor) ? CppBase::Tensor : CppBase::Scalar;
}

/// The parameters of one form of the C++ API.
class CppParams {
public:
  CppParams(const NativeFunction &F, CppForm Form, const Lowering &L)
      : F(F), Args(F.Schema.Args), Form(Form), L(L) {}

  std::vector<Binding> take() {
    Params.reserve(Args.All.size());
    if (!Form.Faithful)
      add(Args.out());
    add(Args.nonOut());
    if (Form.Faithful)
      add(Args.out());
    return std::move(Params);
  }

private:
  void add(Arguments::Slice Slice) {
    for (const Argument &A : Slice) {
      unsigned Index = &A - Args.All.data();
      if (Form.Method && &A == Args.self())
        continue;
      if (Form.Faithful || !Args.isTensorOption(Index))
        Params.emplace_back(A.Name, typeOf(A), defaultOf(A), &A);
      else if (int(Index) == Args.TensorOptionsIndex)
        Params.push_back(packedOptions());
    }
  }

  NamedCType typeOf(const Argument &A) const {
    return {A.Name, A.Name == "memory_format" && Args.hasTensorOptions(),
            cppType(A, L, Form.SymInt)};
  }

  std::optional<std::string> defaultOf(const Argument &A) const {
    if (Form.Faithful || !A.Default || llvm::is_contained(F.CppNoDefaultArgs, A.Name))
      return std::nullopt;
    return defaultText(*A.Default, A.Ty, *L.D, Form.SymInt);
  }

  Binding packedOptions() const {
    Arguments::Slice Options = Args.tensorOptions();
    std::optional<std::string> Default;
    if (llvm::all_of(Options, [](const Argument &A) { return A.Default == "None"; }))
      Default = "{}";
    else if (Options.front().Default == "long")
      Default = "at::kLong";
    return {"options", {"options", false, CppBase::TensorOptions}, std::move(Default), nullptr};
  }

  const NativeFunction &F;
  const Arguments &Args;
  CppForm Form;
  const Lowering &L;
  std::vector<Binding> Params;
};

} // namespace

//===-- types ---------------------------------------------------------------===//

CppBase baseType(BaseTy Ty, bool SymInt) {
  switch (Ty) {
  case BaseTy::Tensor:
    return CppBase::Tensor;
  case BaseTy::Int:
    return CppBase::Long;
  case BaseTy::Float:
    return CppBase::Double;
  case BaseTy::Str:
    return CppBase::StringView;
  case BaseTy::Bool:
    return CppBase::Bool;
  case BaseTy::Generator:
    return CppBase::Generator;
  case BaseTy::ScalarType:
    return CppBase::ScalarType;
  case BaseTy::Dimname:
    return CppBase::Dimname;
  case BaseTy::DimVector:
    return CppBase::DimVector;
  case BaseTy::Layout:
    return CppBase::Layout;
  case BaseTy::Device:
    return CppBase::Device;
  case BaseTy::DeviceIndex:
    return CppBase::DeviceIndex;
  case BaseTy::Scalar:
    return CppBase::Scalar;
  case BaseTy::MemoryFormat:
    return CppBase::MemoryFormat;
  case BaseTy::QScheme:
    return CppBase::QScheme;
  case BaseTy::Storage:
    return CppBase::Storage;
  case BaseTy::Stream:
    return CppBase::Stream;
  case BaseTy::SymInt:
    return SymInt ? CppBase::SymInt : CppBase::Long;
  case BaseTy::SymBool:
    return CppBase::SymBool;
  case BaseTy::GraphModule:
  case BaseTy::ConstQuantizerPtr:
  default: // classes, and what only strings in code have
    break;
  }
  return CppBase::Unlowerable;
}

std::optional<CType> valueType(const Type &T, bool SymInt) {
  if (T.isBase()) {
    if (T.is(BaseTy::Tensor) || T.is(BaseTy::Scalar))
      return std::nullopt;
    return baseType(T.base(), SymInt);
  }
  Type Elem = T.elem();
  if (T.isOptional()) {
    std::optional<CType> Value = valueType(Elem, SymInt);
    return Value ? std::optional(Value->optional()) : std::nullopt;
  }
  if (Elem.is(BaseTy::Bool) && T.listSize() != 0)
    return CType(CppBase::Bool).in(CTypeLayer::Array, T.listSize());
  return std::nullopt;
}

CType cppType(const Type &T, bool Mutable, const Lowering &L, bool SymInt) {
  if (std::optional<CType> Value = valueType(T, SymInt))
    return *Value;
  if (T.isOptional())
    return optionalType(T, Mutable, L, SymInt);
  if (T.isList())
    return listType(T, Mutable, L, SymInt);
  return T.is(BaseTy::Tensor) ? tensorType(Mutable, L) : CType(CppBase::Scalar).constRef();
}

CType cppType(const Argument &A, const Lowering &L, bool SymInt) {
  return cppType(A.Ty, A.isWrite(), L, SymInt);
}

ReturnCType returnsType(llvm::ArrayRef<Return> Returns, const Lowering &L, bool SymInt) {
  bool KeepsSymInt = SymInt || !L.D->Spelling.ReturnsFollowSymInt;
  ReturnCType Result;
  for (const Return &R : Returns)
    Result.Elements.push_back(returnType(R.Ty, R.isWrite(), L, KeepsSymInt));
  return Result;
}

//===-- names and signatures ------------------------------------------------===//

std::string cppName(const FunctionSchema &S, bool Faithful, bool SymInt) {
  if (!Faithful && !SymInt)
    return impliedKernelName(S);
  std::string Name = S.Name.Name.str();
  if (SymInt)
    Name += "_symint";
  if (S.isOut())
    Name += Faithful ? "_outf" : "_out";
  return Name;
}

Signature cppSignature(const NativeFunction &F, CppForm Form, const Lowering &L) {
  std::string Name = cppName(F.Schema, Form.Faithful, Form.SymInt);
  if (Form.FallbackBinding)
    Name.insert(0, "__dispatch_");
  return {std::move(Name), CppParams(F, Form, L).take(),
          returnsType(F.Schema.Returns, L, Form.SymInt)};
}

CppSignatures cppSignatures(const NativeFunction &F, CppForm Form, const Lowering &L) {
  auto Make = [&](bool Faithful, bool SymInt) {
    Form.Faithful = Faithful;
    Form.SymInt = SymInt;
    return cppSignature(F, Form, L);
  };
  bool HasFaithful = F.Schema.Args.hasTensorOptions() || F.Schema.isOut();
  bool HasSymInt = F.Schema.hasSymInt(L.D->Schema.SymIntInReturnsCounts);

  CppSignatures Result;
  Result.Plain = Make(/*Faithful=*/false, /*SymInt=*/false);
  if (HasFaithful)
    Result.Faithful = Make(/*Faithful=*/true, /*SymInt=*/false);
  if (HasSymInt)
    Result.SymInt = Make(/*Faithful=*/false, /*SymInt=*/true);
  if (HasFaithful && HasSymInt)
    Result.SymIntFaithful = Make(/*Faithful=*/true, /*SymInt=*/true);
  return Result;
}

llvm::SmallVector<const Signature *, 4> CppSignatures::all(bool WithSymInt) const {
  llvm::SmallVector<const Signature *, 4> Result{&Plain};
  if (Faithful)
    Result.push_back(&*Faithful);
  if (WithSymInt && SymInt)
    Result.push_back(&*SymInt);
  if (WithSymInt && SymIntFaithful)
    Result.push_back(&*SymIntFaithful);
  return Result;
}

std::vector<std::string> returnNames(const NativeFunction &F, llvm::StringRef Fallback) {
  const FunctionSchema &S = F.Schema;
  auto NameOf = [&](const Return &R, size_t Index) -> std::string {
    if (S.isInplace())
      return "self";
    if (S.isOut())
      return S.Args.out()[Index].Name;
    if (!R.Name.empty()) {
      bool Taken = llvm::any_of(S.Args.All, [&](const Argument &A) { return A.Name == R.Name; });
      return Taken ? R.Name + "_return" : R.Name;
    }
    return S.Returns.size() == 1 ? Fallback.str() : Fallback.str() + std::to_string(Index);
  };
  std::vector<std::string> Names;
  for (auto [Index, R] : llvm::enumerate(S.Returns))
    Names.push_back(NameOf(R, Index));
  return Names;
}

} // namespace opsig
