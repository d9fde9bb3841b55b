//===- TomlTree.cpp - TOML with places --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every function that reads returns false, or null, after the first error; Error says what it is.
//
//===----------------------------------------------------------------------===//
#include "TomlTreeInternal.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

namespace opsig {
namespace {

/// Deeper than settings are; values are read recursively.
constexpr unsigned MaxDepth = 32;

bool isBareKey(char C) { return llvm::isAlnum(C) || C == '_' || C == '-'; }

std::string quoted(char C) {
  if (C == '\n' || C == '\r')
    return "the end of the line";
  return C >= ' ' && C <= '~' ? std::string("'") + C + "'"
                              : "byte 0x" + llvm::utohexstr(uint8_t(C));
}

class TomlReader {
public:
  TomlReader(SourceId File, llvm::StringRef Text, YamlNodes &Nodes, std::optional<TomlError> &Error)
      : File(File), Text(Text), Nodes(Nodes), Error(Error) {}

  void read() {
    Root = newMap();
    Nodes.Root = Root;
    Current = Root;
    if (Text.starts_with("\xef\xbb\xbf"))
      At = 3;
    while (skipLines(), At < Text.size())
      if (!(peek() == '[' ? header() : keyValue(*Current, 0)) || !endLine())
        return;
  }

private:
  char peek(size_t Ahead = 0) const { return At + Ahead < Text.size() ? Text[At + Ahead] : '\0'; }
  bool startsWith(llvm::StringRef Prefix) const { return Text.substr(At).starts_with(Prefix); }

  Place placeOf(size_t Offset, size_t Length = 0) {
    // Places are mostly asked for in the order in which they stand.
    if (Offset < LineBegin) {
      LineBegin = 0;
      Line = 1;
    }
    for (size_t End; (End = Text.find('\n', LineBegin)) < Offset; ++Line)
      LineBegin = End + 1;
    return {File, Line, uint32_t(Offset - LineBegin + 1), uint32_t(Length)};
  }

  bool fail(const llvm::Twine &Message) { return failAt(At, Message); }
  bool failAt(size_t Offset, const llvm::Twine &Message) {
    if (!Error)
      Error = TomlError{placeOf(Offset), Message.str()};
    return false;
  }
  std::string here() const { return At < Text.size() ? quoted(Text[At]) : "the end of the file"; }

  YamlNode *newMap() {
    YamlNode &Node = Nodes.All.emplace_back();
    Node.Is = YamlNode::Map;
    Node.Text.At = placeOf(At);
    return &Node;
  }

  void skipSpaces() { At = std::min(Text.find_first_not_of(" \t", At), Text.size()); }

  void skipComment() {
    if (peek() == '#')
      At = std::min(Text.find('\n', At), Text.size());
  }

  /// Spaces, comments and ends of lines.
  void skipLines() {
    for (size_t Begin = Text.size() + 1; Begin != At;) {
      Begin = At;
      At = std::min(Text.find_first_not_of(" \t\r\n", At), Text.size());
      skipComment();
    }
  }

  bool endLine() {
    skipSpaces();
    skipComment();
    if (startsWith("\r\n") || peek() == '\n' || At == Text.size())
      return true;
    return fail("expected the end of the line but found " + here());
  }

  //===--- Keys ---===//

  /// A bare or quoted key.
  YamlNode *key() {
    if (peek() == '"' || peek() == '\'') {
      if (startsWith("\"\"\"") || startsWith("'''"))
        return fail("a key cannot be a multi-line string"), nullptr;
      return string();
    }
    size_t Begin = At;
    while (isBareKey(peek()))
      ++At;
    if (At == Begin)
      return fail("expected a key but found " + here()), nullptr;
    return scalar(Begin, Text.slice(Begin, At), ScalarKind::String);
  }

  /// a.b."c"
  bool dottedKey(llvm::SmallVectorImpl<YamlNode *> &Parts) {
    for (;;) {
      skipSpaces();
      YamlNode *Part = key();
      if (!Part)
        return false;
      Parts.push_back(Part);
      skipSpaces();
      if (peek() != '.')
        return true;
      ++At;
    }
  }

  YamlNode *valueOf(const YamlNode &Map, llvm::StringRef Key) const {
    return Values.lookup({&Map, Key});
  }

  void put(YamlNode &Map, YamlNode &Key, YamlNode &Value) {
    Map.Children.insert(Map.Children.end(), {&Key, &Value});
    Values[{&Map, Key.Text.Text}] = &Value;
  }

  /// The table that \p Parts but the last lead to from \p From.
  YamlNode *walk(YamlNode &From, llvm::ArrayRef<YamlNode *> Parts) {
    YamlNode *Map = &From;
    for (YamlNode *Part : Parts.drop_back()) {
      YamlNode *Next = valueOf(*Map, Part->Text.Text);
      if (!Next) {
        Next = newMap();
        Next->Text.At = Part->at();
        put(*Map, *Part, *Next);
      }
      // The last of an array of tables is the one that goes on.
      if (Next->Is == YamlNode::Sequence && Arrays.contains(Next))
        Next = const_cast<YamlNode *>(Next->Children.back());
      if (Next->Is != YamlNode::Map || Closed.contains(Next))
        return failAt(offsetOf(*Part),
                      "'" + Part->Text.Text + "' is not a table, so no key can be added to it"),
               nullptr;
      Map = Next;
    }
    return Map;
  }

  size_t offsetOf(const YamlNode &Node) const { return Offsets.lookup(&Node); }

  //===--- Tables ---===//

  /// [a.b] or [[a.b]]
  bool header() {
    bool IsArray = startsWith("[[");
    At += IsArray ? 2 : 1;
    llvm::SmallVector<YamlNode *, 4> Parts;
    if (!dottedKey(Parts))
      return false;
    llvm::StringRef End = IsArray ? "]]" : "]";
    if (!startsWith(End))
      return fail("expected '" + End + "' but found " + here());
    At += End.size();
    YamlNode *Map = walk(*Root, Parts);
    if (!Map)
      return false;
    YamlNode *Old = valueOf(*Map, Parts.back()->Text.Text);
    if (IsArray)
      return beginItem(*Map, Old, *Parts.back());
    if (!Old) {
      Current = newMap();
      Current->Text.At = Parts.back()->at();
      put(*Map, *Parts.back(), *Current);
    } else if (Old->Is != YamlNode::Map || Closed.contains(Old) || Opened.contains(Old)) {
      return failAt(offsetOf(*Parts.back()), "'" + Parts.back()->Text.Text + "' is defined twice");
    } else {
      Current = Old;
    }
    Opened.insert(Current);
    return true;
  }

  bool beginItem(YamlNode &Map, YamlNode *Array, YamlNode &Key) {
    if (!Array) {
      Array = newMap();
      Array->Is = YamlNode::Sequence;
      Array->Text.At = Key.at();
      Arrays.insert(Array);
      put(Map, Key, *Array);
    } else if (!Arrays.contains(Array)) {
      return failAt(offsetOf(Key), "'" + Key.Text.Text + "' is defined twice");
    }
    Current = newMap();
    Current->Text.At = Key.at();
    Array->Children.push_back(Current);
    return true;
  }

  bool keyValue(YamlNode &To, unsigned Depth) {
    llvm::SmallVector<YamlNode *, 4> Parts;
    if (!dottedKey(Parts))
      return false;
    if (peek() != '=')
      return fail("expected '=' but found " + here());
    ++At;
    skipSpaces();
    YamlNode *Map = walk(To, Parts);
    if (!Map)
      return false;
    if (valueOf(*Map, Parts.back()->Text.Text))
      return failAt(offsetOf(*Parts.back()), "'" + Parts.back()->Text.Text + "' is defined twice");
    YamlNode *Value = value(Depth + 1);
    if (!Value)
      return false;
    put(*Map, *Parts.back(), *Value);
    return true;
  }

  //===--- Values ---===//

  YamlNode *value(unsigned Depth) {
    if (Depth > MaxDepth)
      return fail("values are nested too deeply"), nullptr;
    switch (peek()) {
    case '"':
    case '\'':
      return string();
    case '[':
      return array(Depth);
    case '{':
      return inlineTable(Depth);
    default:
      return plain();
    }
  }

  YamlNode *array(unsigned Depth) {
    YamlNode *Node = newMap();
    Node->Is = YamlNode::Sequence;
    ++At;
    for (;;) {
      skipLines();
      if (peek() == ']')
        break;
      YamlNode *Item = value(Depth + 1);
      if (!Item)
        return nullptr;
      Node->Children.push_back(Item);
      skipLines();
      if (peek() == ',')
        ++At;
      else if (peek() != ']')
        return fail("expected ',' or ']' but found " + here()), nullptr;
    }
    ++At;
    return Node;
  }

  /// On one line in TOML 1.0, on several in 1.1.
  YamlNode *inlineTable(unsigned Depth) {
    YamlNode *Node = newMap();
    ++At;
    for (;;) {
      skipLines();
      if (peek() == '}')
        break;
      if (!keyValue(*Node, Depth))
        return nullptr;
      skipLines();
      if (peek() == ',')
        ++At;
      else if (peek() != '}')
        return fail("expected ',' or '}' but found " + here()), nullptr;
    }
    ++At;
    Closed.insert(Node);
    return Node;
  }

  /// A boolean, a number, a date.
  YamlNode *plain() {
    size_t Begin = At;
    At = std::min(Text.find_first_of(",]}#=\r\n\t ", At), Text.size());
    llvm::StringRef Word = Text.slice(Begin, At);
    if (Word == "true" || Word == "false")
      return scalar(Begin, Word, ScalarKind::Bool);
    llvm::StringRef Digits = Word;
    if (!Digits.consume_front("-"))
      Digits.consume_front("+");
    if (Digits == "inf" || Digits == "nan")
      return scalar(Begin, Word, ScalarKind::Float);
    bool IsNumber = !Digits.empty() && llvm::isDigit(Digits[0]) && llvm::all_of(Digits, [](char C) {
      return llvm::isAlnum(C) || llvm::StringRef("_.+-:").contains(C);
    });
    if (IsNumber)
      return scalar(Begin, Word,
                    llvm::all_of(Digits, llvm::isDigit) ? ScalarKind::Int : ScalarKind::Float);
    At = Begin;
    if (Word.empty())
      return fail("expected a value but found " + here()), nullptr;
    return fail("expected a value but found '" + Word + "'; strings need quotes"), nullptr;
  }

  YamlNode *scalar(size_t Begin, llvm::StringRef Value, ScalarKind Kind) {
    YamlNode &Node = Nodes.All.emplace_back();
    Node.Value = Kind;
    Node.Text.Text = Value;
    Node.Text.Verbatim = Value.data() >= Text.data() && Value.data() <= Text.data() + Text.size();
    Node.Text.At = placeOf(Begin, Node.Text.Verbatim ? Value.size() : 0);
    Offsets[&Node] = Begin;
    return &Node;
  }

  YamlNode *string() {
    char Quote = peek();
    std::string Three(3, Quote);
    bool Long = startsWith(Three);
    size_t Opening = At;
    At += Long ? 3 : 1;
    if (Long && startsWith("\r\n"))
      At += 2;
    else if (Long && peek() == '\n')
      ++At;
    size_t Begin = At;
    std::string Value;
    while (!atEndOfString(Quote, Long)) {
      char C = peek();
      if (At >= Text.size() || (!Long && C == '\n'))
        return failAt(Opening, "unterminated string"), nullptr;
      if (Quote == '"' && C == '\\') {
        if (!escape(Value, Long))
          return nullptr;
      } else if ((uint8_t(C) < ' ' && C != '\t' && !(Long && (C == '\n' || C == '\r'))) ||
                 C == '\x7f') {
        return fail("control characters are not allowed in strings: " + quoted(C)), nullptr;
      } else {
        Value += C;
        ++At;
      }
    }
    // Up to two quotes may stand before the three that end it.
    while (Long && peek(3) == Quote && Value.size() < Text.size()) {
      Value += Quote;
      ++At;
    }
    llvm::StringRef Raw = Text.slice(Begin, At);
    At += Long ? 3 : 1;
    return Raw == Value ? scalar(Begin, Raw, ScalarKind::String)
                        : scalar(Begin, Nodes.Texts.save(Value), ScalarKind::String);
  }

  bool atEndOfString(char Quote, bool Long) const {
    return Long ? startsWith(std::string(3, Quote)) : peek() == Quote;
  }

  /// What stands for another character, behind its backslash; or, in a long string, the end of a
  /// line that goes on.
  bool escape(std::string &Value, bool Long) {
    size_t Backslash = At++;
    static constexpr llvm::StringRef Letters = "btnfre\"\\", Meaning = "\b\t\n\f\r\x1b\"\\";
    char C = peek();
    if (size_t I = Letters.find(C); C && I != llvm::StringRef::npos) {
      Value += Meaning[I];
      ++At;
      return true;
    }
    if (unsigned Digits = C == 'x' ? 2 : C == 'u' ? 4 : C == 'U' ? 8 : 0) {
      uint32_t Code = 0;
      char Bytes[UNI_MAX_UTF8_BYTES_PER_CODE_POINT], *End = Bytes;
      if (Text.substr(At + 1, Digits).size() != Digits ||
          Text.substr(At + 1, Digits).getAsInteger(16, Code) ||
          !llvm::ConvertCodePointToUTF8(Code, End))
        return failAt(Backslash, "this escape sequence is not a valid character code");
      Value.append(Bytes, End);
      At += 1 + Digits;
      return true;
    }
    size_t Next = std::min(Text.find_first_not_of(" \t", At), Text.size());
    if (Long && Next < Text.size() &&
        (Text[Next] == '\n' || Text.substr(Next).starts_with("\r\n"))) {
      At = std::min(Text.find_first_not_of(" \t\r\n", At), Text.size());
      return true;
    }
    return failAt(Backslash, "unknown escape '\\" + llvm::Twine(C ? C : ' ') +
                                 "'; write '\\\\' for a backslash, or use single quotes");
  }

  SourceId File;
  llvm::StringRef Text;
  YamlNodes &Nodes;
  std::optional<TomlError> &Error;
  size_t At = 0;
  size_t LineBegin = 0; ///< with the last place
  uint32_t Line = 1;
  YamlNode *Root = nullptr;
  YamlNode *Current = nullptr; ///< the table of the last header
  llvm::DenseMap<std::pair<const YamlNode *, llvm::StringRef>, YamlNode *> Values;
  llvm::DenseMap<const YamlNode *, size_t> Offsets; ///< of scalars
  llvm::DenseSet<const YamlNode *> Opened;          ///< tables with a header
  llvm::DenseSet<const YamlNode *> Closed;          ///< inline tables
  llvm::DenseSet<const YamlNode *> Arrays;          ///< of tables
};

} // namespace

TomlTree::TomlTree(SourceId File, llvm::StringRef Text) {
  TomlReader(File, Text, Nodes, Error).read();
}

TomlTree::~TomlTree() = default;

const YamlNode *TomlTree::find(llvm::ArrayRef<llvm::StringRef> Name) const {
  const YamlNode *Node = Nodes.Root;
  for (llvm::StringRef Part : Name) {
    const YamlNode *Next = nullptr;
    for (size_t I = 0; Node->Is == YamlNode::Map && I + 1 < Node->Children.size(); I += 2)
      if (Node->Children[I]->Text.Text == Part)
        Next = Node->Children[I + 1];
    if (!Next)
      return nullptr;
    Node = Next;
  }
  return Node;
}

} // namespace opsig
