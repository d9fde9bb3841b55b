//===- PlainYaml.cpp - The YAML that schema files are made of ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// text => (the YAML parser of LLVM) YamlNodes, or nothing
//
// LLVM's parser takes a tenth of the time of yaml-cpp, but accepts much that is no YAML. So what it
// found is believed only where the text leaves no room for doubt:
//
//   - key: a scalar       # on one line, letter for letter
//     key: [a, 'b']
//     key:
//       key: a scalar
//
// with one column for the keys of a mapping, and nothing else in between but comments and empty
// lines. Whatever is unusual or wrong is left to yaml-cpp, and so is all there is to say about it.
//
//===----------------------------------------------------------------------===//
#include "YamlTreeInternal.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"
#include <optional>

namespace opsig {
namespace {

/// Deeper than any file of schemas; the parser recurses.
constexpr unsigned MaxDepth = 16;

bool beginsDocument(llvm::StringRef Line) {
  return Line.starts_with("%") || Line.starts_with("---") || Line.starts_with("...");
}

/// Printable ASCII in lines of which none begins a document or a directive.
bool isPlainText(llvm::StringRef Text) {
  // All are counted: without a way out the loop takes many characters at once.
  size_t Others = llvm::count_if(Text, [](char C) { return (C < ' ' || C > '~') && C != '\n'; });
  return Others == 0 && !beginsDocument(Text) && !laterLineBeginsDocument(Text);
}

bool isSpaces(llvm::StringRef Text) {
  return llvm::all_of(Text, [](char C) { return C == ' '; });
}

bool beginsPlainScalar(llvm::StringRef Text) {
  char C = Text.consume_front("-") && !Text.empty() ? Text[0] : Text.empty() ? ' ' : Text[0];
  return llvm::isAlnum(C) || C == '_' || C == '.' || C == '/';
}

class PlainYamlReader {
public:
  PlainYamlReader(SourceId File, const YamlPiece &Piece, YamlNodes &Nodes)
      : File(File), Text(Piece.Text), Nodes(Nodes), Line(Piece.LinesBefore + 1) {}

  bool read() {
    llvm::SourceMgr Errors;
    Errors.setDiagHandler([](const llvm::SMDiagnostic &, void *) {});
    llvm::yaml::Stream Stream(Text, Errors);
    auto Document = Stream.begin();
    if (Document == Stream.end())
      return false;
    const YamlNode *Root = collection(Document->getRoot(), std::nullopt, 0);
    if (!Root || Stream.failed() || ++Document != Stream.end() || Stream.failed() ||
        !isNothing(Behind, Text.size()))
      return false;
    Nodes.Root = Root;
    return true;
  }

private:
  // Each of these reads what the parser found and compares it with the text from Behind on. Null
  // and false: this is not plain.

  /// A mapping or list that begins a line; as an item of a list behind the dash at column \p Dash.
  const YamlNode *collection(llvm::yaml::Node *N, std::optional<size_t> Dash, unsigned Depth) {
    if (!isUntagged(N) || Depth > MaxDepth)
      return nullptr;
    YamlNode &Node = Nodes.All.emplace_back();
    auto *M = llvm::dyn_cast<llvm::yaml::MappingNode>(N);
    auto *S = llvm::dyn_cast<llvm::yaml::SequenceNode>(N);
    bool Plain = M ? mapping(*M, Node, Dash, Depth) : S && !Dash && list(*S, Node, Depth);
    return Plain ? &Node : nullptr;
  }

  bool mapping(llvm::yaml::MappingNode &M, YamlNode &Node, std::optional<size_t> Dash,
               unsigned Depth) {
    Node.Is = YamlNode::Map;
    size_t Column = 0;
    for (llvm::yaml::KeyValueNode &Entry : M) {
      bool First = Node.Children.empty();
      const YamlNode *Key = beginOfLine(Entry.getKey(), First ? Dash : std::nullopt);
      if (!Key || (!First && Column != BeginColumn))
        return false;
      Column = BeginColumn;
      const YamlNode *Value = value(Entry.getValue(), Column, Depth + 1);
      if (!Value)
        return false;
      Node.Children.push_back(Key);
      Node.Children.push_back(Value);
    }
    if (Node.Children.empty() || !repeatedKeys(Node).empty())
      return false;
    Node.Text.At = {File, Node.Children.front()->at().Line, uint32_t(Column + 1), 0};
    return true;
  }

  /// What stands behind a key at \p Column.
  const YamlNode *value(llvm::yaml::Node *N, size_t Column, unsigned Depth) {
    if (!isUntagged(N) || !Text.substr(Behind).starts_with(":"))
      return nullptr;
    ++Behind;
    if (endsLine()) {
      const YamlNode *Below = collection(N, std::nullopt, Depth);
      bool Deeper =
          Below && (Below->at().Column - 1 > Column ||
                    (Below->Is == YamlNode::Sequence && Below->at().Column - 1 == Column));
      return Deeper ? Below : nullptr;
    }
    if (!skipSpaces())
      return nullptr;
    const YamlNode *Value = nullptr;
    if (auto *S = llvm::dyn_cast<llvm::yaml::SequenceNode>(N))
      Value = brackets(*S);
    else if (auto *M = llvm::dyn_cast<llvm::yaml::MappingNode>(N))
      Value = emptyBraces(*M);
    else
      Value = scalar(N);
    return Value && endsLine() ? Value : nullptr;
  }

  /// Items below each other.
  bool list(llvm::yaml::SequenceNode &S, YamlNode &Node, unsigned Depth) {
    Node.Is = YamlNode::Sequence;
    size_t Begin = S.getSourceRange().Start.getPointer() - Text.begin();
    if (Begin >= Text.size() || Text[Begin] != '-')
      return false;
    Node.Text.At = placeOf(Begin);
    size_t Dash = Begin - LineBegin;
    for (llvm::yaml::Node &Item : S) {
      bool IsScalar = llvm::isa<llvm::yaml::ScalarNode>(Item);
      const YamlNode *Child =
          IsScalar ? beginOfLine(&Item, Dash) : collection(&Item, Dash, Depth + 1);
      if (!Child || (IsScalar && !endsLine()))
        return false;
      Node.Children.push_back(Child);
    }
    return true;
  }

  /// Scalars in brackets, on one line. Parsers differ about colons and question marks in them.
  const YamlNode *brackets(llvm::yaml::SequenceNode &S) {
    YamlNode &Node = Nodes.All.emplace_back();
    Node.Is = YamlNode::Sequence;
    if (Text.substr(Behind, 1) != "[")
      return nullptr;
    Node.Text.At = placeOf(Behind++);
    skipSpaces();
    for (llvm::yaml::Node &Item : S) {
      if (!Node.Children.empty()) {
        if (Text.substr(Behind, 1) != ",")
          return nullptr;
        ++Behind;
        skipSpaces();
      }
      const YamlNode *Child = scalar(&Item);
      if (!Child || Child->Text.Text.find_first_of(":?") != llvm::StringRef::npos)
        return nullptr;
      Node.Children.push_back(Child);
      skipSpaces();
    }
    if (Text.substr(Behind, 1) != "]")
      return nullptr;
    ++Behind;
    return &Node;
  }

  const YamlNode *emptyBraces(llvm::yaml::MappingNode &M) {
    if (!Text.substr(Behind).starts_with("{}") || M.begin() != M.end())
      return nullptr;
    YamlNode &Node = Nodes.All.emplace_back();
    Node.Is = YamlNode::Map;
    Node.Text.At = placeOf(Behind);
    Behind += 2;
    return &Node;
  }

  /// A scalar with nothing before it on its line, or with the dash at \p Dash. Sets BeginColumn.
  const YamlNode *beginOfLine(llvm::yaml::Node *N, std::optional<size_t> Dash) {
    auto *S = llvm::dyn_cast_or_null<llvm::yaml::ScalarNode>(N);
    if (!S)
      return nullptr;
    size_t Begin = S->getRawValue().begin() - Text.begin();
    if (Begin < Behind || Begin > Text.size())
      return nullptr;
    placeOf(Begin);
    llvm::StringRef Indent = Text.slice(LineBegin, Begin);
    BeginColumn = Indent.size();
    if (LineBegin < Behind ? Behind != 0 : !isNothing(Behind, LineBegin))
      return nullptr;
    if (Dash && (Indent.size() < *Dash + 2 || Indent[*Dash] != '-' ||
                 !isSpaces(Indent.take_front(*Dash)) || !isSpaces(Indent.drop_front(*Dash + 1))))
      return nullptr;
    if (!Dash && !isSpaces(Indent))
      return nullptr;
    Behind = Begin;
    return scalar(S);
  }

  /// A scalar at Behind, on one line and letter for letter.
  const YamlNode *scalar(llvm::yaml::Node *N) {
    auto *S = llvm::dyn_cast_or_null<llvm::yaml::ScalarNode>(N);
    if (!S || !isUntagged(S))
      return nullptr;
    // The parser's value reaches up to a comment on the next line.
    llvm::StringRef Value = S->getRawValue().rtrim(" \n");
    if (Value.empty() || Value.begin() != Text.begin() + Behind || Value.contains('\n'))
      return nullptr;
    Behind += Value.size();
    char Quote = Value.front();
    bool Quoted = Quote == '\'' || Quote == '"';
    if (Quoted) {
      if (Value.size() < 2 || Value.back() != Quote)
        return nullptr;
      Value = Value.drop_front().drop_back();
      if (Value.contains(Quote) || Value.contains('\\'))
        return nullptr;
    } else if (!beginsPlainScalar(Value)) {
      return nullptr;
    }
    YamlNode &Node = Nodes.All.emplace_back();
    Node.Value = Quoted ? ScalarKind::String : resolvePlainScalar(Value);
    if (Node.Value == ScalarKind::Null)
      return nullptr;
    Node.Text.Text = Value;
    Node.Text.Verbatim = true;
    Node.Text.At = placeOf(Value.begin() - Text.begin());
    Node.Text.At.Length = Value.size();
    return &Node;
  }

  static bool isUntagged(llvm::yaml::Node *N) {
    return N && N->getAnchor().empty() && N->getRawTag().empty();
  }

  /// Spaces at Behind; whether there are any.
  bool skipSpaces() {
    size_t Begin = Behind;
    Behind = std::min(Text.find_first_not_of(' ', Behind), Text.size());
    return Behind != Begin;
  }

  /// Only a comment stands at Behind, if anything.
  bool endsLine() const {
    return isNothing(Behind, std::min(Text.find('\n', Behind), Text.size()));
  }

  /// Whether there is but space and comments.
  bool isNothing(size_t Begin, size_t End) const {
    while (Begin < End) {
      if (Text[Begin] == '#' && (Begin == 0 || Text[Begin - 1] == ' ' || Text[Begin - 1] == '\n'))
        Begin = std::min(Text.find('\n', Begin), End);
      else if (Text[Begin] == ' ' || Text[Begin] == '\n')
        ++Begin;
      else
        return false;
    }
    return true;
  }

  /// Places are asked for in the order in which they stand.
  Place placeOf(size_t Offset) {
    // A line may be long, and hold many.
    if (!LineEnd)
      LineEnd = Text.find('\n', LineBegin);
    for (; *LineEnd < Offset; ++Line) {
      LineBegin = *LineEnd + 1;
      LineEnd = Text.find('\n', LineBegin);
    }
    return {File, Line, static_cast<uint32_t>(Offset - LineBegin + 1), 0};
  }

  SourceId File;
  llvm::StringRef Text;
  YamlNodes &Nodes;
  size_t Behind = 0;      ///< what was compared so far
  size_t BeginColumn = 0; ///< of the last scalar that begins a line, from 0
  uint32_t Line;          ///< with the last place
  size_t LineBegin = 0;
  std::optional<size_t> LineEnd; ///< once it is known
};

} // namespace

bool laterLineBeginsDocument(llvm::StringRef Text) {
  for (size_t End = Text.find('\n'); End != llvm::StringRef::npos; End = Text.find('\n', End + 1))
    if (beginsDocument(Text.drop_front(End + 1)))
      return true;
  return false;
}

bool readPlainYaml(SourceId File, const YamlPiece &Piece, YamlNodes &Nodes) {
  if (isPlainText(Piece.Text) && PlainYamlReader(File, Piece, Nodes).read())
    return true;
  Nodes.All.clear();
  return false;
}

} // namespace opsig
