//===- InferredType.cpp - C++ types as the dispatcher infers them ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two things decide: which type of the schema language stands for a C++ type, and whether values of
// it can be taken out of, or put into, the stack of boxed values. The second is stricter for some
// containers: optional<int> does not compile, vector<int> only fails when it is loaded.
//
//===----------------------------------------------------------------------===//
#include "Registrations/RegistrationInternal.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

InferredType known(Type Ty) { return InferredType::known(std::move(Ty)); }
InferredType known(StringRef Name) { return known(Type::named(Name)); }
InferredType refused(std::string Why, CppType Instead = {}, Span Bad = {}) {
  return InferredType::refused(std::move(Why), std::move(Instead), Bad);
}
InferredType refused(std::string Why, StringRef Instead, Span Bad = {}) {
  return refused(std::move(Why), CppType::named(Instead.str()), Bad);
}

bool isOtherInteger(StringRef Name) {
  static constexpr StringLiteral Names[] = {
      "char",           "signed char",   "unsigned char",      "short",
      "unsigned short", "int",           "unsigned int",       "long",
      "long long",      "unsigned long", "unsigned long long", "wchar_t",
      "char8_t",        "char16_t",      "char32_t",           "__int128"};
  return is_contained(Names, Name);
}

/// Classes that stand for one type of the schema language.
const char *knownClass(StringRef Name) {
  static constexpr std::pair<StringLiteral, const char *> Classes[] = {
      {"bool", "bool"},
      {"double", "float"},
      {"at::Tensor", "Tensor"},
      {"c10::Scalar", "Scalar"},
      {"at::Scalar", "Scalar"},
      {"c10::ScalarType", "ScalarType"},
      {"c10::Layout", "Layout"},
      {"c10::MemoryFormat", "MemoryFormat"},
      {"c10::QScheme", "QScheme"},
      {"c10::Device", "Device"},
      {"c10::Storage", "Storage"},
      {"c10::Stream", "Stream"},
      {"c10::SymInt", "SymInt"},
      {"c10::SymFloat", "SymFloat"},
      {"c10::SymBool", "SymBool"},
      {"at::Dimname", "str"},
      {"c10::IValue", "Any"},
      {"at::IValue", "Any"},
  };
  const auto *Found = find_if(Classes, [&](const auto &C) { return C.first == Name; });
  return Found == std::end(Classes) ? nullptr : Found->second;
}

/// Classes that can never be in a box, and what goes in their place.
struct StrangeClass {
  StringLiteral Name;
  StringLiteral Instead;
};
constexpr StrangeClass StrangeClasses[] = {
    {"at::TensorBase", "at::Tensor"},
    {"at::OptionalTensorRef", ""},
    {"c10::TensorOptions", ""},
    {"c10::DeviceType", "c10::Device"},
    {"c10::DispatchKey", ""},
    {"c10::DispatchKeySet", ""},
    {"caffe2::TypeMeta", "c10::ScalarType"},
    {"std::complex", "c10::complex"},
    {"std::pair", "std::tuple"},
    {"std::map", "c10::Dict"},
    {"std::set", ""},
    {"std::unordered_set", ""},
    {"std::deque", "std::vector"},
    {"std::list", "std::vector"},
    {"std::initializer_list", "at::ArrayRef"},
    {"std::function", ""},
    {"std::variant", ""},
    {"c10::SmallVector", "std::vector"},
};

/// Pointers of which IValue has none.
bool isOtherPointer(StringRef Name) {
  return Name == "std::shared_ptr" || Name == "std::unique_ptr" || Name == "std::weak_ptr" ||
         Name == "c10::weak_intrusive_ptr";
}

bool isView(const CppType &T) {
  return T.isTemplate("c10::ArrayRef") || T.isTemplate("at::ArrayRef");
}

/// Lists that the dispatcher takes as vectors.
bool isViewOrVector(const CppType &T) { return isView(T) || T.isTemplate("std::vector"); }

bool isDictKey(const Type &Ty) {
  return Ty.is("int") || Ty.is("str") || Ty.is("float") || Ty.is("bool") || Ty.is("Tensor") ||
         Ty.is("complex");
}

} // namespace

bool TypeInference::isInt64(const CppType &T) const {
  const CppType &Long = Names.Bases[unsigned(CppBase::Long)];
  return Long.isRead() && T.is(Long.Name);
}

/// \p Boxed: the value itself is taken from the stack, not as a part of a vector.
InferredType TypeInference::leaf(const CppType &T, bool Boxed) const {
  if (T.Is == CppType::Pointer) {
    if (T.Args.front().is("char"))
      return refused("an operator cannot take or return a 'char' pointer",
                     IsReturn ? "std::string" : "c10::string_view");
    return refused("an operator cannot take or return a pointer; use a tensor or a number");
  }
  if (isInt64(T))
    return known("int");
  if (T.Name == "signed char" && Names.TakesDeviceIndex)
    return known("int");
  if (isOtherInteger(T.Name)) {
    std::string Why = "int64_t is the only integer type that operators support";
    return refused(Why, "int64_t", T.At).unlessLoaded(Boxed);
  }
  if (T.Name == "float" || T.Name == "long double") {
    std::string Why = "double is the only floating-point type that operators support";
    return refused(Why, "double", T.At).unlessLoaded(Boxed);
  }
  if (const char *Name = knownClass(T.Name); Name && T.Args.empty())
    return known(Name);
  if (T.is("at::Generator"))
    return known(Type(BaseTy::Generator).optional());
  const CppType &View = Names.Bases[unsigned(CppBase::StringView)];
  if ((View.isRead() && View == T) || T.Name == "c10::basic_string_view")
    return known("str");
  if (T.Name == "std::basic_string")
    return known("str");
  if (T.Name == "c10::complex")
    return T.Args.size() == 1 && T.Args[0].is("double")
               ? known("complex")
               : refused("c10::complex<double> is the only complex type that operators support");
  if (isOtherPointer(T.Name))
    return refused("an operator cannot take or return '" + T.Name +
                   "'; use 'c10::intrusive_ptr' for custom classes");
  if (T.Name == "std::basic_string_view")
    return refused("operators of this PyTorch release cannot take or return 'std::string_view'",
                   IsReturn ? "std::string" : "c10::string_view");
  for (const StrangeClass &Class : StrangeClasses)
    if (T.Name == Class.Name) {
      std::string Why = "an operator cannot take or return '" + T.Name + "'";
      return T.Args.empty() && !Class.Instead.empty() ? refused(Why, Class.Instead, T.At)
                                                      : refused(Why);
    }
  return {};
}

/// Elements that the dispatcher does not take in this list, although an IValue can hold it.
std::optional<InferredType> TypeInference::refusedElement(const CppType &T) const {
  const CppType &Element = T.Args.front();
  if (!isViewOrVector(T)) {
    if (Element.is("c10::Scalar"))
      return refused("an operator cannot take or return '" + T.Name + "' of Scalar",
                     CppType::named("at::ArrayRef", {CppType::named("at::Scalar")}));
    return std::nullopt;
  }
  if (Element.is("bool"))
    return refused("an operator cannot take or return a vector of bool",
                   CppType::named("c10::List", {CppType::named("bool")}));
  if (isView(Element))
    return refused("an operator cannot take or return a list of c10::ArrayRef");
  if (IsReturn && !isView(T) && Element.is("c10::Scalar"))
    return refused("an operator cannot return a vector of Scalar");
  return std::nullopt;
}

InferredType TypeInference::container(const CppType &T, bool Boxed) const {
  auto ListOf = [](InferredType Element) {
    if (Element.Is == InferredType::Known)
      Element.Ty.wrap({TypeSuffix::List});
    return Element;
  };
  auto OptionalOf = [](InferredType Element) {
    if (Element.Is == InferredType::Known && !Element.Ty.isOptional())
      Element.Ty.wrap({TypeSuffix::Optional});
    return Element;
  };
  const CppType *Element = T.Args.empty() ? nullptr : &T.Args.front();
  if (isViewOrVector(T) || T.isTemplate("c10::List") || T.isTemplate("std::array", 2)) {
    if (!IsOfMethod)
      if (std::optional<InferredType> Bad = refusedElement(T))
        return *std::move(Bad);
    // Returned vectors are looked into, parameters are not.
    return ListOf(infer(*Element, Boxed && (!isViewOrVector(T) || (IsReturn && !isView(T)))));
  }
  if (T.isTemplate("c10::IListRef"))
    return Element->is("at::Tensor") ? ListOf(known("Tensor"))
                                     : refused("an IListRef can only contain tensors");
  if (T.isTemplate("c10::OptionalArrayRef"))
    return OptionalOf(ListOf(infer(*Element, false)));
  const std::string &Optional = Names.Templates[unsigned(CppTemplate::Optional)];
  if (T.isTemplate("c10::optional") || (!Optional.empty() && T.isTemplate(Optional))) {
    // optional<ArrayRef> is unboxed as an array of its own.
    bool OfView = Element->isTemplate("c10::ArrayRef");
    return OptionalOf(infer(*Element, Boxed && !(OfView && !IsReturn)));
  }
  // Of headers where it is another template than c10::optional.
  if (T.isTemplate("std::optional")) {
    CppType Instead = T;
    Instead.Name = "c10::optional";
    InferredType Inner = infer(*Element, false);
    if (Inner.Instead.isRead())
      Instead.Args.front() = Inner.Instead;
    return refused("operators of this PyTorch release cannot take or return 'std::optional'",
                   std::move(Instead));
  }
  bool IsDict = T.isTemplate("c10::Dict", 2);
  if (IsDict || T.Name == "std::unordered_map") {
    if (!IsDict && Interface != KernelInterface::Legacy && !IsOfMethod)
      return refused("an operator cannot take or return 'std::unordered_map'", "c10::Dict", T.At);
    if (T.Args.size() < 2)
      return {};
    InferredType Key = infer(T.Args[0], true), Value = infer(T.Args[1], Boxed);
    if (Key.Is == InferredType::Unknown || Value.Is != InferredType::Known)
      return Value.Is == InferredType::Known ? InferredType() : Value;
    if (Key.Is != InferredType::Known || !isDictKey(Key.Ty))
      return refused("the keys of a Dict must be int64_t, double, bool or strings");
    if (IsReturn && !IsOfMethod && Value.Ty.is("Scalar"))
      return refused("an operator cannot return a Dict of Scalar");
    return known(Type::of(BaseTy::Dict, {Key.Ty, Value.Ty}));
  }
  if (T.Name == "std::tuple") {
    std::vector<Type> Parts;
    for (const CppType &Part : T.Args) {
      InferredType One = infer(Part, Boxed);
      if (One.Is != InferredType::Known)
        return One;
      Parts.push_back(One.Ty);
    }
    return known(Type::of(BaseTy::Tuple, std::move(Parts)));
  }
  return leaf(T, Boxed);
}

InferredType TypeInference::infer(const CppType &T, bool Boxed) const {
  if (Interface == KernelInterface::Stable)
    return stable(T);
  return T.Is == CppType::Named && !T.Args.empty() ? container(T, Boxed) : leaf(T, Boxed);
}

bool TypeInference::isKeySet(const CppType &T) { return T.is("c10::DispatchKeySet") && !T.Const; }

bool TypeInference::isSym(const CppType &T) const {
  return T.isPlain() && hasSymInt(T) && (!Names.SymIntsByValue || !T.isRef());
}

bool TypeInference::isSymByReference(const CppType &T) const {
  return T.isPlain() && hasSymInt(T) && Names.SymIntsByValue && T.isRef();
}

bool TypeInference::hasSymInt(const CppType &Declared) const {
  const CppType &T = Declared.referee();
  const std::string &Optional = Names.Templates[unsigned(CppTemplate::Optional)];
  bool IsWrapped = T.isTemplate("c10::ArrayRef") || T.isTemplate("c10::OptionalArrayRef") ||
                   T.isTemplate("c10::optional") || T.isTemplate(Optional);
  return (IsWrapped ? T.Args.front() : T).is("c10::SymInt");
}

InferredType TypeInference::param(const CppType &Declared, unsigned Index) const {
  if (!Declared.isPlain())
    return {};
  if (Interface == KernelInterface::Stable)
    return stableParam(Declared);
  CppType T = Declared.decayed();
  if (isKeySet(T) && Index != 0)
    return refused("a DispatchKeySet can only be the first parameter");
  InferredType Out = infer(T, /*Boxed=*/true);
  bool Writable = Declared.Is == CppType::LeftRef && !Declared.referee().Const;
  if (Out.Is != InferredType::Refused && Writable && !T.is("at::Tensor") &&
      T.Is != CppType::Pointer)
    return refused("only tensors can be passed by non-const reference", CppType(), Declared.At);
  return Out;
}

std::optional<std::vector<InferredType>> TypeInference::returns(const CppType &T,
                                                                bool OfMethod) const {
  TypeInference Returns = *this;
  Returns.IsReturn = true;
  Returns.IsOfMethod = OfMethod;
  if (T.is("void"))
    return std::vector<InferredType>();
  if (!T.isPlain())
    return std::nullopt;
  std::vector<InferredType> Out;
  auto One = [&](const CppType &Part) {
    Out.push_back(Interface == KernelInterface::Stable
                      ? stableReturn(Part)
                      : Returns.infer(Part.decayed(), /*Boxed=*/true));
  };
  const CppType &Tuple = Interface == KernelInterface::Stable ? T : T.referee();
  if (Tuple.Is == CppType::Named && Tuple.Name == "std::tuple")
    for_each(Tuple.Args, One);
  else
    One(T);
  return Out;
}
