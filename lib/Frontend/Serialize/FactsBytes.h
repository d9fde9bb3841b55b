//===- FactsBytes.h - Plain data <=> bytes ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fields of each struct in the order in which Facts.cpp lists them, without names: only the
// program that wrote them can read them. JSON (FactsInternal.h) takes fifteen times the memory
// while it is read.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_FRONTEND_SERIALIZE_FACTSBYTES_H
#define OPSIG_LIB_FRONTEND_SERIALIZE_FACTSBYTES_H

#include "Serialize/FactsInternal.h"
#include "opsig/Frontend/ApiUse.h"
#include "opsig/Frontend/BodyFlow.h"
#include "opsig/Frontend/DispatcherCall.h"
#include "opsig/Frontend/PythonModule.h"

namespace opsig {

/// Visits fields and appends them.
class BytesWriter {
public:
  explicit BytesWriter(std::string &Out) : Out(Out) {}

  template <typename T> void operator()(llvm::StringRef, T &Field) { write(Field); }

  template <typename T> void write(T &Value) {
    if constexpr (std::is_same_v<T, std::string>) {
      number(Value.size());
      Out += Value;
    } else if constexpr (std::is_same_v<T, Span>) {
      number(uint32_t(Value.File + 1)); // NoFile is the highest number
      if (Value.isValid())
        number(Value.Offset), number(Value.Length);
    } else if constexpr (IsBitset<T>::value) {
      number(Value.to_ullong());
    } else if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) {
      number(static_cast<uint64_t>(Value));
    } else if constexpr (IsOptional<T>::value) {
      number(static_cast<bool>(Value));
      if (Value)
        write(*Value);
    } else if constexpr (IsVector<T>::value) {
      number(Value.size());
      for (auto &Item : Value)
        write(Item);
    } else {
      visitFields(*this, Value);
    }
  }

private:
  /// Seven bits a byte, the lowest first.
  void number(uint64_t N) {
    for (; N >= 0x80; N >>= 7)
      Out += char(N | 0x80);
    Out += char(N);
  }

  std::string &Out;
};

/// Visits fields and takes them from the front.
class BytesReader {
public:
  explicit BytesReader(llvm::StringRef In) : In(In) {}

  template <typename T> void operator()(llvm::StringRef, T &Field) { read(Field); }

  template <typename T> void read(T &Value) {
    if constexpr (std::is_same_v<T, std::string>) {
      size_t Size = count();
      Value = In.take_front(Size).str();
      In = In.drop_front(Size);
    } else if constexpr (std::is_same_v<T, Span>) {
      Value = Span();
      Value.File = number<uint32_t>() - 1;
      if (Value.isValid()) {
        Value.Offset = number<uint32_t>();
        Value.Length = number<uint32_t>();
      }
    } else if constexpr (IsBitset<T>::value) {
      Value = T(number<uint64_t>());
    } else if constexpr (std::is_same_v<T, bool>) {
      Value = number<uint8_t>() != 0;
    } else if constexpr (std::is_enum_v<T>) {
      Value = static_cast<T>(number<std::underlying_type_t<T>>());
    } else if constexpr (std::is_integral_v<T>) {
      Value = number<T>();
    } else if constexpr (IsOptional<T>::value) {
      Value.reset();
      if (number<uint8_t>())
        read(fill(Value));
    } else if constexpr (IsVector<T>::value) {
      Value.clear();
      Value.resize(count());
      for (auto &Item : Value)
        read(Item);
    } else {
      visitFields(*this, Value);
    }
  }

  /// All was there, and nothing is left.
  bool isWhole() const { return Good && In.empty(); }

private:
  template <typename T> T number() {
    uint64_t N = 0;
    for (unsigned Shift = 0; !In.empty() && Shift < 64; Shift += 7) {
      uint64_t Byte = uint8_t(In.front());
      In = In.drop_front();
      N |= (Byte & 0x7F) << Shift;
      if (Byte < 0x80) {
        T Is = static_cast<T>(N);
        Good &= static_cast<uint64_t>(Is) == N;
        return Is;
      }
    }
    Good = false;
    return T();
  }

  /// Of items, each of which has a byte at least.
  size_t count() {
    size_t N = number<size_t>();
    Good &= N <= In.size();
    return Good ? N : 0;
  }

  llvm::StringRef In;
  bool Good = true;
};

} // namespace opsig

#endif
