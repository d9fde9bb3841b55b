//===- JsonTree.cpp - JSON that a child process of opsig wrote => values ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Support/JsonTree.h"
#include "opsig/Support/JsonText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

#include <memory>
#include <vector>

using namespace opsig;
using namespace llvm;

const JsonValue *JsonObject::get(StringRef Key) const {
  for (const Member &M : reverse(Members))
    if (M.first == Key)
      return &M.second;
  return nullptr;
}

std::optional<bool> JsonObject::getBoolean(StringRef Key) const {
  const JsonValue *V = get(Key);
  return V ? V->getAsBoolean() : std::nullopt;
}

std::optional<int64_t> JsonObject::getInteger(StringRef Key) const {
  const JsonValue *V = get(Key);
  return V ? V->getAsInteger() : std::nullopt;
}

std::optional<StringRef> JsonObject::getString(StringRef Key) const {
  const JsonValue *V = get(Key);
  return V ? V->getAsString() : std::nullopt;
}

const JsonArray *JsonObject::getArray(StringRef Key) const {
  const JsonValue *V = get(Key);
  return V ? V->getAsArray() : nullptr;
}

const JsonObject *JsonObject::getObject(StringRef Key) const {
  const JsonValue *V = get(Key);
  return V ? V->getAsObject() : nullptr;
}

namespace {

/// Each function reads what begins at the next character, and returns false where it is wrong.
class TreeParser {
public:
  TreeParser(StringRef Text, BumpPtrAllocator &Arena) : Text(Text), Arena(Arena) {}

  bool document(JsonValue &Out) {
    bool IsRead = value(Out);
    skipBlanks();
    return IsRead && At == Text.size();
  }
  size_t place() const { return At; }

private:
  void skipBlanks();
  char next() const { return At < Text.size() ? Text[At] : '\0'; }
  bool take(char C);
  bool word(StringRef Word, JsonValue::Kind Kind, JsonValue &Out);
  bool value(JsonValue &Out);
  bool number(JsonValue &Out);
  bool text(StringRef &Out);
  bool escaped(std::string &Out);
  bool unit(unsigned &Out);
  bool array(JsonValue &Out);
  bool object(JsonValue &Out);
  /// Moves those behind the first \p From of \p All to the arena.
  template <typename T> ArrayRef<T> keep(std::vector<T> &All, size_t From);

  StringRef Text;
  size_t At = 0;
  BumpPtrAllocator &Arena;
  // Of all arrays and objects that are not complete yet, those inside last.
  std::vector<JsonValue> Items;
  std::vector<JsonObject::Member> Members;
};

void TreeParser::skipBlanks() {
  while (At < Text.size() &&
         (Text[At] == ' ' || Text[At] == '\n' || Text[At] == '\t' || Text[At] == '\r'))
    ++At;
}

bool TreeParser::take(char C) {
  skipBlanks();
  if (next() != C || At == Text.size())
    return false;
  ++At;
  return true;
}

bool TreeParser::word(StringRef Word, JsonValue::Kind Kind, JsonValue &Out) {
  if (!Text.substr(At).starts_with(Word))
    return false;
  At += Word.size();
  Out = JsonValue(Kind);
  return true;
}

bool TreeParser::value(JsonValue &Out) {
  skipBlanks();
  switch (next()) {
  case '{':
    return object(Out);
  case '[':
    return array(Out);
  case '"': {
    StringRef Value;
    if (!text(Value))
      return false;
    Out = JsonValue(Value);
    return true;
  }
  case 't':
    return word("true", JsonValue::True, Out);
  case 'f':
    return word("false", JsonValue::False, Out);
  case 'n':
    return word("null", JsonValue::Null, Out);
  default:
    return number(Out);
  }
}

bool TreeParser::number(JsonValue &Out) {
  auto IsPart = [](char C) { return isDigit(C) || StringRef("+-.eE").contains(C); };
  size_t End = At;
  while (End < Text.size() && IsPart(Text[End]))
    ++End;
  StringRef Written = Text.slice(At, End);
  At = End;
  int64_t Whole;
  double Value;
  if (!Written.getAsInteger(10, Whole))
    Out = JsonValue(Whole);
  else if (!Written.getAsDouble(Value))
    Out = JsonValue(JsonValue::Real);
  else
    return false;
  return true;
}

/// Four hexadecimal digits.
bool TreeParser::unit(unsigned &Out) {
  StringRef Digits = Text.substr(At, 4);
  At += Digits.size();
  return Digits.size() == 4 && all_of(Digits, isHexDigit) && !Digits.getAsInteger(16, Out);
}

/// What follows a backslash. Half of a surrogate pair is no character, and becomes U+FFFD.
bool TreeParser::escaped(std::string &Out) {
  constexpr StringLiteral Short = "\"\\/bfnrt", Meant = "\"\\/\b\f\n\r\t";
  char C = next();
  ++At;
  if (size_t Which = Short.find(C); Which != StringRef::npos && C) {
    Out += Meant[Which];
    return true;
  }
  unsigned Code, Low;
  if (C != 'u' || !unit(Code))
    return false;
  if (Code >= 0xD800 && Code < 0xDC00 && Text.substr(At).starts_with("\\u")) {
    size_t Behind = At;
    At += 2;
    if (!unit(Low))
      return false;
    if (Low >= 0xDC00 && Low < 0xE000)
      Code = 0x10000 + ((Code - 0xD800) << 10) + (Low - 0xDC00);
    else
      At = Behind;
  }
  if (Code >= 0xD800 && Code < 0xE000)
    Code = 0xFFFD;
  char Bytes[UNI_MAX_UTF8_BYTES_PER_CODE_POINT], *End = Bytes;
  if (!ConvertCodePointToUTF8(Code, End))
    return false;
  Out.append(Bytes, End);
  return true;
}

bool TreeParser::text(StringRef &Out) {
  if (next() != '"')
    return false;
  size_t Begin = ++At;
  while (At < Text.size() && Text[At] != '"' && Text[At] != '\\')
    ++At;
  Out = Text.slice(Begin, At);
  if (next() == '"') {
    ++At;
    return true;
  }
  std::string Value = Out.str();
  while (At < Text.size() && Text[At] != '"')
    if (Text[At] != '\\')
      Value += Text[At++];
    else if (++At; !escaped(Value))
      return false;
  Out = StringRef(Value).copy(Arena);
  return take('"');
}

template <typename T> ArrayRef<T> TreeParser::keep(std::vector<T> &All, size_t From) {
  size_t Count = All.size() - From;
  T *Kept = Arena.Allocate<T>(Count);
  std::uninitialized_copy(All.begin() + From, All.end(), Kept);
  All.resize(From);
  return ArrayRef(Kept, Count);
}

bool TreeParser::array(JsonValue &Out) {
  size_t From = Items.size();
  ++At;
  if (!take(']')) {
    do {
      JsonValue Item;
      if (!value(Item))
        return false;
      Items.push_back(Item);
    } while (take(','));
    if (!take(']'))
      return false;
  }
  Out = JsonValue(new (Arena) JsonArray(keep(Items, From)));
  return true;
}

bool TreeParser::object(JsonValue &Out) {
  size_t From = Members.size();
  ++At;
  if (!take('}')) {
    do {
      JsonObject::Member Of;
      skipBlanks();
      if (!text(Of.first) || !take(':') || !value(Of.second))
        return false;
      Members.push_back(Of);
    } while (take(','));
    if (!take('}'))
      return false;
  }
  Out = JsonValue(new (Arena) JsonObject(keep(Members, From)));
  return true;
}

} // namespace

Expected<JsonTree> JsonTree::parse(StringRef Text) {
  if (Error E = checkJsonDepth(Text))
    return std::move(E);
  JsonTree Out;
  TreeParser Parser(Text, Out.Arena);
  if (!Parser.document(Out.Root))
    return createStringError("the text is not JSON at byte %zu", Parser.place());
  return std::move(Out);
}
