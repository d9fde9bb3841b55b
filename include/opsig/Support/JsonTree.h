//===- JsonTree.h - JSON that a child process of opsig wrote => values --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// text => JsonTree | what is wrong with it
//
// llvm::json copies arrays and objects while they grow and allocates each key. For the answers of
// python3, that takes most of the time of a run. The values of a JsonTree are in one arena, and
// strings without escapes are parts of the text, which has to live as long as the tree.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SUPPORT_JSONTREE_H
#define OPSIG_SUPPORT_JSONTREE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <utility>

namespace opsig {

class JsonArray;
class JsonObject;

/// null, true, false, an integer, a text, an array, an object; numbers of other forms are Real, and
/// their value is not kept.
class JsonValue {
public:
  enum Kind : uint8_t { Null, True, False, Integer, Real, Text, Array, Object };

  JsonValue() = default;
  explicit JsonValue(Kind K) : Is(K) {}
  explicit JsonValue(int64_t N) : Is(Integer), Number(N) {}
  explicit JsonValue(llvm::StringRef T) : Is(Text), Characters(T.data()), Size(T.size()) {}
  explicit JsonValue(const JsonArray *A) : Is(Array), Items(A) {}
  explicit JsonValue(const JsonObject *O) : Is(Object), Members(O) {}

  bool isNull() const { return Is == Null; }
  std::optional<bool> getAsBoolean() const {
    return Is == True || Is == False ? std::optional(Is == True) : std::nullopt;
  }
  std::optional<int64_t> getAsInteger() const {
    return Is == Integer ? std::optional(Number) : std::nullopt;
  }
  std::optional<llvm::StringRef> getAsString() const {
    return Is == Text ? std::optional(llvm::StringRef(Characters, Size)) : std::nullopt;
  }
  const JsonArray *getAsArray() const { return Is == Array ? Items : nullptr; }
  const JsonObject *getAsObject() const { return Is == Object ? Members : nullptr; }

private:
  Kind Is = Null;
  union {
    int64_t Number = 0;
    const char *Characters;
    const JsonArray *Items;
    const JsonObject *Members;
  };
  size_t Size = 0;
};

class JsonArray {
public:
  JsonArray() = default;
  explicit JsonArray(llvm::ArrayRef<JsonValue> Items) : Items(Items) {}

  size_t size() const { return Items.size(); }
  const JsonValue &operator[](size_t I) const { return Items[I]; }
  const JsonValue *begin() const { return Items.begin(); }
  const JsonValue *end() const { return Items.end(); }

private:
  llvm::ArrayRef<JsonValue> Items;
};

/// In the order of the text; of members with one key, the last one counts.
class JsonObject {
public:
  using Member = std::pair<llvm::StringRef, JsonValue>;

  JsonObject() = default;
  explicit JsonObject(llvm::ArrayRef<Member> Members) : Members(Members) {}

  const JsonValue *get(llvm::StringRef Key) const;
  std::optional<bool> getBoolean(llvm::StringRef Key) const;
  std::optional<int64_t> getInteger(llvm::StringRef Key) const;
  std::optional<llvm::StringRef> getString(llvm::StringRef Key) const;
  const JsonArray *getArray(llvm::StringRef Key) const;
  const JsonObject *getObject(llvm::StringRef Key) const;
  const Member *begin() const { return Members.begin(); }
  const Member *end() const { return Members.end(); }

private:
  llvm::ArrayRef<Member> Members;
};

class JsonTree {
public:
  /// Fails, too, if brackets are nested more deeply than MostJsonDepth (JsonText.h).
  static llvm::Expected<JsonTree> parse(llvm::StringRef Text);

  const JsonValue &root() const { return Root; }

private:
  llvm::BumpPtrAllocator Arena;
  JsonValue Root;
};

} // namespace opsig

#endif
