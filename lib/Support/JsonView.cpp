//===- JsonView.cpp - JSON text => values that refer to it --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Support/JsonView.h"
#include "opsig/Support/JsonText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include <vector>

using namespace opsig;
using namespace llvm;

//===- Members ----------------------------------------------------------------===//

const JsonValue *JsonObject::get(StringRef Key) const {
  for (const JsonMember &Member : *this)
    if (Member.first == Key)
      return &Member.second;
  return nullptr;
}

std::optional<StringRef> JsonObject::getString(StringRef Key) const {
  const JsonValue *V = get(Key);
  return V ? V->getAsString() : std::nullopt;
}

std::optional<bool> JsonObject::getBoolean(StringRef Key) const {
  const JsonValue *V = get(Key);
  return V ? V->getAsBoolean() : std::nullopt;
}

std::optional<int64_t> JsonObject::getInteger(StringRef Key) const {
  const JsonValue *V = get(Key);
  return V ? V->getAsInteger() : std::nullopt;
}

const JsonArray *JsonObject::getArray(StringRef Key) const {
  const JsonValue *V = get(Key);
  return V ? V->getAsArray() : nullptr;
}

const JsonObject *JsonObject::getObject(StringRef Key) const {
  const JsonValue *V = get(Key);
  return V ? V->getAsObject() : nullptr;
}

//===- Parsing ----------------------------------------------------------------===//

namespace {

class JsonParser {
public:
  JsonParser(StringRef Text, BumpPtrAllocator &Memory)
      : Memory(Memory), Begin(Text.begin()), At(Begin), End(Text.end()) {}

  /// False where it is none; Problem says why.
  bool parse(JsonValue &Out) {
    return value(Out) && (skipBlanks(), At == End || fail("text after the end of the document"));
  }
  Error error() const { return createStringError("%s, at byte %zu", Problem, size_t(At - Begin)); }

private:
  bool value(JsonValue &Out);
  bool word(StringRef Word, JsonValue Is, JsonValue &Out);
  bool number(JsonValue &Out);
  bool string(StringRef &Out);
  bool escaped(StringRef &Out, const char *From);
  bool escape(SmallVectorImpl<char> &Text);
  bool unit(unsigned &Out);
  bool array(JsonValue &Out);
  bool object(JsonValue &Out);
  bool member(JsonMember &Out);
  /// Behind an element: whether another one follows; \p Ok is false where neither is right.
  bool goesOn(char Close, bool &Ok);

  void skipBlanks() {
    while (At != End && (*At == ' ' || *At == '\n' || *At == '\t' || *At == '\r'))
      ++At;
  }
  bool take(char C) {
    skipBlanks();
    if (At == End || *At != C)
      return false;
    ++At;
    return true;
  }
  bool fail(const char *Why) {
    Problem = Why;
    return false;
  }
  /// Moves what was read since \p From to where it stays.
  template <typename T> T *kept(std::vector<T> &Open, size_t From) {
    T *Out = Memory.Allocate<T>(Open.size() - From);
    std::uninitialized_copy(Open.begin() + From, Open.end(), Out);
    Open.resize(From);
    return Out;
  }

  BumpPtrAllocator &Memory;
  std::vector<JsonValue> OpenValues;
  std::vector<JsonMember> OpenMembers;
  const char *Begin, *At, *End;
  const char *Problem = "";
  unsigned Depth = 0;
};

bool JsonParser::value(JsonValue &Out) {
  skipBlanks();
  if (At == End)
    return fail("unexpected end of the text");
  switch (*At) {
  case '{':
  case '[': {
    if (Depth == MostJsonDepth)
      return fail("its brackets are nested too deeply");
    ++Depth;
    bool Ok = *At == '{' ? object(Out) : array(Out);
    --Depth;
    return Ok;
  }
  case '"': {
    StringRef Text;
    if (!string(Text))
      return false;
    Out = JsonValue(Text);
    return true;
  }
  case 'n':
    return word("null", JsonValue(), Out);
  case 't':
    return word("true", JsonValue(true), Out);
  case 'f':
    return word("false", JsonValue(false), Out);
  default:
    return number(Out);
  }
}

bool JsonParser::word(StringRef Word, JsonValue Is, JsonValue &Out) {
  if (!StringRef(At, End - At).starts_with(Word))
    return fail("expected a value");
  At += Word.size();
  Out = Is;
  return true;
}

bool JsonParser::number(JsonValue &Out) {
  StringRef Digits = StringRef(At, End - At).take_while([](char C) {
    return isDigit(C) || C == '-' || C == '+' || C == '.' || C == 'e' || C == 'E';
  });
  int64_t Integer;
  double Real;
  if (!Digits.getAsInteger(10, Integer))
    Out = JsonValue(Integer);
  else if (!Digits.empty() && !Digits.getAsDouble(Real))
    Out = JsonValue::real();
  else
    return fail("expected a value");
  At += Digits.size();
  return true;
}

bool JsonParser::string(StringRef &Out) {
  const char *From = ++At;
  while (At != End && *At != '"' && *At != '\\')
    ++At;
  if (At == End)
    return fail("a string without an end");
  if (*At == '\\')
    return escaped(Out, From);
  Out = StringRef(From, At++ - From);
  return true;
}

/// The rest of a string, whose first escape is here.
bool JsonParser::escaped(StringRef &Out, const char *From) {
  SmallString<128> Text(StringRef(From, At - From));
  while (At != End && *At != '"') {
    if (*At != '\\')
      Text.push_back(*At++);
    else if (!escape(Text))
      return false;
  }
  if (At == End)
    return fail("a string without an end");
  ++At;
  Out = Text.str().copy(Memory);
  return true;
}

bool JsonParser::unit(unsigned &Out) {
  StringRef Digits = StringRef(At, End - At).take_front(4);
  if (Digits.size() != 4 || Digits.getAsInteger(16, Out))
    return fail("expected four hexadecimal digits");
  At += 4;
  return true;
}

bool JsonParser::escape(SmallVectorImpl<char> &Text) {
  static constexpr StringRef Signs = "\"\\/bfnrt", Means = "\"\\/\b\f\n\r\t";
  if (++At == End)
    return fail("a string without an end");
  char Sign = *At++;
  if (size_t Known = Signs.find(Sign); Known != StringRef::npos) {
    Text.push_back(Means[Known]);
    return true;
  }
  unsigned Code = 0, Low = 0;
  if (Sign != 'u')
    return fail("unknown escape");
  if (!unit(Code))
    return false;
  // What is half of a pair, and stands alone, is no character.
  bool IsHigh = Code >= 0xD800 && Code < 0xDC00, IsLow = Code >= 0xDC00 && Code < 0xE000;
  if (IsHigh && StringRef(At, End - At).starts_with("\\u")) {
    const char *Next = At;
    At += 2;
    if (!unit(Low))
      return false;
    if (Low >= 0xDC00 && Low < 0xE000)
      Code = 0x10000 + ((Code - 0xD800) << 10) + (Low - 0xDC00);
    else
      At = Next;
  }
  if ((IsHigh && Code < 0x10000) || IsLow)
    Code = 0xFFFD;
  char Bytes[UNI_MAX_UTF8_BYTES_PER_CODE_POINT], *Last = Bytes;
  ConvertCodePointToUTF8(Code, Last);
  Text.append(Bytes, Last);
  return true;
}

bool JsonParser::goesOn(char Close, bool &Ok) {
  if (take(','))
    return true;
  Ok = take(Close) || fail("expected ',' or the end of the list");
  return false;
}

bool JsonParser::array(JsonValue &Out) {
  ++At;
  size_t From = OpenValues.size();
  bool Ok = true;
  if (!take(']'))
    do {
      JsonValue Element;
      if (!value(Element))
        return false;
      OpenValues.push_back(Element);
    } while (goesOn(']', Ok));
  size_t Count = OpenValues.size() - From;
  Out = JsonValue(JsonArray(kept(OpenValues, From), Count));
  return Ok;
}

bool JsonParser::member(JsonMember &Out) {
  skipBlanks();
  if (At == End || *At != '"')
    return fail("expected a key");
  return string(Out.first) && (take(':') || fail("expected ':'")) && value(Out.second);
}

bool JsonParser::object(JsonValue &Out) {
  ++At;
  size_t From = OpenMembers.size();
  bool Ok = true;
  if (!take('}'))
    do {
      JsonMember Member;
      if (!member(Member))
        return false;
      OpenMembers.push_back(Member);
    } while (goesOn('}', Ok));
  size_t Count = OpenMembers.size() - From;
  Out = JsonValue(JsonObject(kept(OpenMembers, From), Count));
  return Ok;
}

} // namespace

Expected<JsonView> JsonView::parse(StringRef Text) {
  JsonView Out;
  JsonParser Parser(Text, Out.Memory);
  if (!Parser.parse(Out.Root))
    return Parser.error();
  return std::move(Out);
}
