//===- JsonView.h - JSON text => values that refer to it ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What opsig's own programs write, in which objects are small and there are many: an object is a
// list of pairs. Members are asked for as those of llvm::json::Value are.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SUPPORT_JSONVIEW_H
#define OPSIG_SUPPORT_JSONVIEW_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <utility>

namespace opsig {

class JsonValue;
using JsonMember = std::pair<llvm::StringRef, JsonValue>;

class JsonArray {
public:
  JsonArray() = default;
  JsonArray(const JsonValue *First, size_t Count) : First(First), Count(Count) {}

  size_t size() const { return Count; }
  bool empty() const { return Count == 0; }
  const JsonValue &operator[](size_t I) const;
  const JsonValue *begin() const { return First; }
  const JsonValue *end() const;

private:
  const JsonValue *First = nullptr;
  size_t Count = 0;
};

class JsonObject {
public:
  JsonObject() = default;
  JsonObject(const JsonMember *First, size_t Count) : First(First), Count(Count) {}

  /// Null for none. Of two members with one key the first one counts.
  const JsonValue *get(llvm::StringRef Key) const;
  std::optional<llvm::StringRef> getString(llvm::StringRef Key) const;
  std::optional<bool> getBoolean(llvm::StringRef Key) const;
  std::optional<int64_t> getInteger(llvm::StringRef Key) const;
  const JsonArray *getArray(llvm::StringRef Key) const;
  const JsonObject *getObject(llvm::StringRef Key) const;
  const JsonMember *begin() const { return First; }
  const JsonMember *end() const;

private:
  const JsonMember *First = nullptr;
  size_t Count = 0;
};

class JsonValue {
public:
  enum Kind { Null, Boolean, Integer, Real, String, Array, Object };

  JsonValue() : Is(Null), Number(0) {}
  explicit JsonValue(bool B) : Is(Boolean), Number(B) {}
  explicit JsonValue(int64_t N) : Is(Integer), Number(N) {}
  explicit JsonValue(llvm::StringRef Text) : Is(String), Text(Text) {}
  explicit JsonValue(JsonArray A) : Is(Array), TheArray(A) {}
  explicit JsonValue(JsonObject O) : Is(Object), TheObject(O) {}
  /// A number that is no integer: nothing of ours has one.
  static JsonValue real() {
    JsonValue Out;
    Out.Is = Real;
    return Out;
  }

  Kind kind() const { return Is; }
  std::optional<bool> getAsBoolean() const {
    return Is == Boolean ? std::optional(Number != 0) : std::nullopt;
  }
  std::optional<int64_t> getAsInteger() const {
    return Is == Integer ? std::optional(Number) : std::nullopt;
  }
  std::optional<llvm::StringRef> getAsString() const {
    return Is == String ? std::optional(Text) : std::nullopt;
  }
  const JsonArray *getAsArray() const { return Is == Array ? &TheArray : nullptr; }
  const JsonObject *getAsObject() const { return Is == Object ? &TheObject : nullptr; }

private:
  Kind Is;
  union {
    int64_t Number;
    llvm::StringRef Text;
    JsonArray TheArray;
    JsonObject TheObject;
  };
};

inline const JsonValue &JsonArray::operator[](size_t I) const { return First[I]; }
inline const JsonValue *JsonArray::end() const { return First + Count; }
inline const JsonMember *JsonObject::end() const { return First + Count; }

/// Values of a text, which has to stay where it is.
class JsonView {
public:
  /// What is not JSON, or is nested too deeply (JsonText.h), is an error.
  static llvm::Expected<JsonView> parse(llvm::StringRef Text);

  const JsonValue &root() const { return Root; }

private:
  JsonValue Root;
  llvm::BumpPtrAllocator Memory; ///< of arrays, objects, and strings with escapes
};

} // namespace opsig

#endif
