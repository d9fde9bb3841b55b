//===- FactsInternal.h - Plain data <=> JSON --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fields of each struct are listed once, in Facts.cpp; FactsWriter and FactsReader visit
// them. Fields that have the value of an empty one of their type are left out.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_FRONTEND_SERIALIZE_FACTSINTERNAL_H
#define OPSIG_LIB_FRONTEND_SERIALIZE_FACTSINTERNAL_H

#include "opsig/Frontend/UnitFacts.h"
#include "llvm/Support/JSON.h"
#include <bitset>
#include <memory>
#include <optional>
#include <type_traits>

namespace opsig {

/// Text that is no UTF-8 becomes an object with its bytes in hexadecimal.
llvm::json::Value textToJson(llvm::StringRef Text);
bool textFromJson(const llvm::json::Value &V, std::string &Text);

/// [file, offset, length]; null for none.
llvm::json::Value spanToJson(const Span &S);
bool spanFromJson(const llvm::json::Value &V, Span &S);

/// Files as they are named, and without TorchFolders.
llvm::json::Value unitToJson(const UnitFacts &Unit);
/// False for what is none, or points at what it does not have.
bool unitFromJson(const llvm::json::Value &V, UnitFacts &Unit);

/// The same, with TorchFolders, in the short form of FactsBytes.h.
std::string unitToBytes(const UnitFacts &Unit);
bool unitFromBytes(llvm::StringRef Bytes, UnitFacts &Unit);

template <typename T> llvm::json::Value toJson(T &Value);
template <typename T> bool fromJson(const llvm::json::Value &V, T &Value);

/// Visits fields and puts them into an object.
struct FactsWriter {
  llvm::json::Object Out;

  template <typename T> void operator()(llvm::StringRef Name, T &Field) {
    llvm::json::Value V = toJson(Field);
    T Empty{};
    if (V != toJson(Empty))
      Out[Name] = std::move(V);
  }
};

/// Visits fields and takes them out of an object.
struct FactsReader {
  const llvm::json::Object &In;
  bool Good = true;

  template <typename T> void operator()(llvm::StringRef Name, T &Field) {
    Field = T{};
    if (const llvm::json::Value *V = In.get(Name))
      Good &= fromJson(*V, Field);
  }
};

/// Zeros and ones, the highest bit first.
inline bool isBits(llvm::StringRef Text, size_t Size) {
  return Text.size() == Size && Text.find_first_not_of("01") == llvm::StringRef::npos;
}

template <typename T> struct IsBitset : std::false_type {};
template <size_t N> struct IsBitset<std::bitset<N>> : std::true_type {};
template <typename T> struct IsOptional : std::false_type {};
template <typename T> struct IsOptional<std::optional<T>> : std::true_type {};
template <typename T> struct IsOptional<std::shared_ptr<T>> : std::true_type {};
template <typename T> T &fill(std::optional<T> &Value) { return Value.emplace(); }
template <typename T> T &fill(std::shared_ptr<T> &Value) {
  Value = std::make_shared<T>();
  return *Value;
}
template <typename T> struct IsVector : std::false_type {};
template <typename T> struct IsVector<std::vector<T>> : std::true_type {};

template <typename Visitor, typename T> void visitFields(Visitor &Visit, T &Value);

template <typename T> llvm::json::Value toJson(T &Value) {
  if constexpr (std::is_same_v<T, std::string>) {
    return textToJson(Value);
  } else if constexpr (std::is_same_v<T, Span>) {
    return spanToJson(Value);
  } else if constexpr (IsBitset<T>::value) {
    return Value.to_string();
  } else if constexpr (std::is_same_v<T, bool>) {
    return Value;
  } else if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) {
    return static_cast<int64_t>(Value);
  } else if constexpr (IsOptional<T>::value) { // a list of one
    return Value ? llvm::json::Value(llvm::json::Array{toJson(*Value)}) : nullptr;
  } else if constexpr (IsVector<T>::value) {
    llvm::json::Array Items;
    for (auto &Item : Value)
      Items.push_back(toJson(Item));
    return Items;
  } else {
    FactsWriter Writer;
    visitFields(Writer, Value);
    return std::move(Writer.Out);
  }
}

template <typename T> bool fromJson(const llvm::json::Value &V, T &Value) {
  if constexpr (std::is_same_v<T, std::string>) {
    return textFromJson(V, Value);
  } else if constexpr (std::is_same_v<T, Span>) {
    return spanFromJson(V, Value);
  } else if constexpr (IsBitset<T>::value) {
    std::optional<llvm::StringRef> Bits = V.getAsString();
    if (!Bits || !isBits(*Bits, Value.size()))
      return false;
    Value = T(Bits->str());
    return true;
  } else if constexpr (std::is_same_v<T, bool>) {
    std::optional<bool> B = V.getAsBoolean();
    Value = B.value_or(false);
    return B.has_value();
  } else if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) {
    std::optional<int64_t> I = V.getAsInteger();
    Value = static_cast<T>(I.value_or(0));
    return I && (*I >= 0 || std::is_signed_v<T>) && static_cast<int64_t>(Value) == *I;
  } else if constexpr (IsOptional<T>::value) {
    Value.reset();
    if (V.getAsNull())
      return true;
    const llvm::json::Array *Items = V.getAsArray();
    return Items && Items->size() == 1 && fromJson(Items->front(), fill(Value));
  } else if constexpr (IsVector<T>::value) {
    const llvm::json::Array *Items = V.getAsArray();
    bool Good = Items != nullptr;
    if (Good) {
      Value.resize(Items->size());
      for (size_t I = 0; I < Items->size(); ++I)
        Good &= fromJson((*Items)[I], Value[I]);
    }
    return Good;
  } else {
    const llvm::json::Object *O = V.getAsObject();
    if (!O)
      return false;
    FactsReader Reader{*O};
    visitFields(Reader, Value);
    return Reader.Good;
  }
}

} // namespace opsig

#endif
