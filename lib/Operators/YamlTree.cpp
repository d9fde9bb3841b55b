//===- YamlTree.cpp - YAML with places --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "YamlTreeInternal.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ThreadPool.h"
#include <sstream>
#include <streambuf>
#include <utility>
#include <yaml-cpp/anchor.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/emitterstyle.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

namespace opsig {
namespace {

/// Lets yaml-cpp read a text in place.
class TextBuffer : public std::streambuf {
public:
  explicit TextBuffer(llvm::StringRef Text) {
    char *Begin = const_cast<char *>(Text.data());
    setg(Begin, Begin, Begin + Text.size());
  }
};

bool isNumber(llvm::StringRef Text, bool &IsFloat) {
  IsFloat = false;
  if (!Text.consume_front("-"))
    Text.consume_front("+");
  if (Text.empty())
    return false;
  if (Text.starts_with("0x"))
    return Text.size() > 2 &&
           llvm::all_of(Text.drop_front(2), [](char C) { return llvm::isHexDigit(C) || C == '_'; });
  if (Text == ".inf" || Text == ".Inf" || Text == ".INF")
    return IsFloat = true;
  if (!llvm::isDigit(Text[0]) && !(Text[0] == '.' && Text.size() > 1 && llvm::isDigit(Text[1])))
    return false;
  auto IsDigit = [](char C) { return llvm::isDigit(C) || C == '_'; };
  llvm::StringRef Rest = Text.drop_while(IsDigit);
  if (Rest.empty())
    return true;
  if (!Rest.consume_front("."))
    return false;
  IsFloat = true;
  Rest = Rest.drop_while(IsDigit);
  if (Rest.empty())
    return true;
  // YAML 1.1 wants a sign in the exponent.
  if (!Rest.consume_front("e") && !Rest.consume_front("E"))
    return false;
  return Rest.size() > 1 && (Rest[0] == '+' || Rest[0] == '-') &&
         llvm::all_of(Rest.drop_front(), llvm::isDigit);
}

} // namespace

ScalarKind resolvePlainScalar(llvm::StringRef Text) {
  if (Text.empty())
    return ScalarKind::Null;
  ScalarKind Word = llvm::StringSwitch<ScalarKind>(Text)
                        .Cases({"~", "null", "Null", "NULL"}, ScalarKind::Null)
                        .Cases({"yes", "Yes", "YES", "no", "No", "NO"}, ScalarKind::Bool)
                        .Cases({"true", "True", "TRUE"}, ScalarKind::Bool)
                        .Cases({"false", "False", "FALSE"}, ScalarKind::Bool)
                        .Cases({"on", "On", "ON", "off", "Off", "OFF"}, ScalarKind::Bool)
                        .Cases({".nan", ".NaN", ".NAN"}, ScalarKind::Float)
                        .Default(ScalarKind::String);
  if (Word != ScalarKind::String)
    return Word;
  bool IsFloat;
  if (isNumber(Text, IsFloat))
    return IsFloat ? ScalarKind::Float : ScalarKind::Int;
  return ScalarKind::String;
}

bool YamlNode::boolean() const {
  return llvm::StringSwitch<bool>(Text.Text.lower())
      .Cases({"yes", "true", "on"}, true)
      .Default(false);
}

llvm::StringRef YamlNode::describe() const {
  if (Is != Scalar)
    return Is == Sequence ? "a list" : "a mapping";
  switch (Value) {
  case ScalarKind::Null:
    return "nothing";
  case ScalarKind::Bool:
    return "a boolean";
  case ScalarKind::Int:
    return "an integer";
  case ScalarKind::Float:
    return "a number";
  case ScalarKind::String:
    return "a string";
  }
  llvm_unreachable("closed kind");
}

llvm::SmallVector<const YamlNode *, 0> repeatedKeys(const YamlNode &Map) {
  llvm::SmallVector<const YamlNode *, 0> Repeated;
  // Most mappings are small; a set pays only for the others.
  llvm::SmallVector<llvm::StringRef, 16> Few;
  llvm::StringSet<> Many;
  auto IsNew = [&](llvm::StringRef Key) {
    if (Map.Children.size() > 32)
      return Many.insert(Key).second;
    bool New = !llvm::is_contained(Few, Key);
    Few.push_back(Key);
    return New;
  };
  for (size_t I = 0; I + 1 < Map.Children.size(); I += 2) {
    const YamlNode &Key = *Map.Children[I];
    if (Key.Is == YamlNode::Scalar && !IsNew(Key.Text.Text))
      Repeated.push_back(&Key);
  }
  return Repeated;
}

constexpr llvm::StringLiteral SecondDocument = "expected one YAML document but found a second one";

/// Builds the tree from yaml-cpp's events; open collections stand on a stack.
class YamlTreeBuilder : public YAML::EventHandler {
public:
  /// Places count from \p Piece's start in the file.
  YamlTreeBuilder(YamlNodes &Nodes, SourceId File, const YamlPiece &Piece, Findings &Diags)
      : Nodes(Nodes), File(File), Text(Piece.Text), LinesBefore(Piece.LinesBefore), Diags(Diags) {}

  void OnDocumentStart(const YAML::Mark &Mark) override {
    if (std::exchange(HasDocument, true))
      throw YAML::ParserException(Mark, SecondDocument.str());
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark &Mark, YAML::anchor_t Anchor) override {
    YamlNode &Node = make(Mark, Anchor);
    Node.Value = ScalarKind::Null;
    if (!isPlainNull(sourceAt(Mark)))
      Node.Text.At = placeOfNothing(Mark, Node.Text.At);
    attach(Node);
  }

  void OnAlias(const YAML::Mark &Mark, YAML::anchor_t Anchor) override {
    auto It = Anchors.find(Anchor);
    if (It == Anchors.end())
      return;
    NumMeant += It->second.NumMeant;
    if (llvm::any_of(Open, [&](const OpenNode &O) { return O.Node == It->second.Node; }))
      throw YAML::ParserException(Mark, "this YAML alias refers to itself");
    if (NumMeant > MostMeant)
      throw YAML::ParserException(Mark, "aliases expand this file to more than " +
                                            std::to_string(MostMeant) + " values");
    attach(*It->second.Node);
  }

  void OnScalar(const YAML::Mark &Mark, const std::string &Tag, YAML::anchor_t Anchor,
                const std::string &Value) override {
    YamlNode &Node = make(Mark, Anchor);
    bool Plain = Tag == "?";
    Node.Value = Plain ? resolvePlainScalar(Value) : ScalarKind::String;
    setText(Node, Mark, Value, Plain);
    refuseTag(Tag, "str", Node);
    refuseOpenQuote(Mark);
    attach(Node);
  }

  void OnSequenceStart(const YAML::Mark &Mark, const std::string &Tag, YAML::anchor_t Anchor,
                       YAML::EmitterStyle::value) override {
    YamlNode &Node = make(Mark, Anchor);
    Node.Is = YamlNode::Sequence;
    refuseTag(Tag, "seq", Node);
    open(Node, Anchor);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark &Mark, const std::string &Tag, YAML::anchor_t Anchor,
                  YAML::EmitterStyle::value) override {
    YamlNode &Node = make(Mark, Anchor);
    Node.Is = YamlNode::Map;
    refuseTag(Tag, "map", Node);
    open(Node, Anchor);
  }
  void OnMapEnd() override {
    refuseDuplicateKeys(*Open.back().Node);
    close();
  }

private:
  /// Whoever walks the tree meets what an alias stands for as often as it is written. No file of
  /// people means as much.
  static constexpr uint64_t MostMeant = 1'000'000;

  /// What an alias stands for, and how many values there are in it.
  struct Anchored {
    const YamlNode *Node;
    uint64_t NumMeant;
  };
  struct OpenNode {
    YamlNode *Node;
    YAML::anchor_t Anchor;
    uint64_t NumBefore;
  };

  YamlNode &make(const YAML::Mark &Mark, YAML::anchor_t Anchor) {
    YamlNode &Node = Nodes.All.emplace_back();
    ++NumMeant;
    Node.Text.At = {File, static_cast<uint32_t>(Mark.line + 1 + LinesBefore),
                    static_cast<uint32_t>(Mark.column + 1), 0};
    if (Anchor)
      Anchors[Anchor] = {&Node, 1};
    return Node;
  }

  /// Points into the file where the value stands there letter for letter.
  void setText(YamlNode &Node, const YAML::Mark &Mark, const std::string &Value, bool Plain) {
    llvm::StringRef Source = sourceAt(Mark);
    size_t Quote = !Plain && !Source.empty() && (Source[0] == '\'' || Source[0] == '"') ? 1 : 0;
    if ((Plain || Quote) && Source.drop_front(Quote).starts_with(Value)) {
      Node.Text.Text = Source.substr(Quote, Value.size());
      Node.Text.At.Column += Quote;
      Node.Text.Verbatim = true;
    } else {
      Node.Text.Text = Nodes.Texts.save(Value);
    }
    Node.Text.At.Length = Node.Text.Text.take_until([](char C) { return C == '\n'; }).size();
  }

  llvm::StringRef sourceAt(const YAML::Mark &Mark) const {
    return Mark.pos >= 0 ? Text.drop_front(std::min<size_t>(Mark.pos, Text.size()))
                         : llvm::StringRef();
  }

  static bool isPlainNull(llvm::StringRef Source) {
    return Source.starts_with("~") || Source.take_front(4).equals_insensitive("null");
  }

  /// Where nothing is written yaml-cpp points at what comes next; this is behind the key's colon,
  /// or at the dash.
  Place placeOfNothing(const YAML::Mark &Mark, Place Next) const {
    if (Open.empty())
      return Next;
    const YamlNode &Around = *Open.back().Node;
    if (Around.Is == YamlNode::Map && Around.Children.size() % 2 == 1) {
      const LocatedText &Key = Around.Children.back()->Text;
      if (!Key.Verbatim)
        return Key.At;
      refuseMissingColon(Key);
      return Key.at(Key.Text.size() + 1);
    }
    llvm::StringRef Before = Text.take_front(std::max(Mark.pos, 0)).rtrim();
    if (Around.Is != YamlNode::Sequence || !Before.ends_with("-"))
      return Next;
    Next.Line -= Text.substr(Before.size(), Mark.pos - Before.size()).count('\n');
    Next.Column = Before.size() - (Before.rfind('\n') + 1);
    return Next;
  }

  /// yaml-cpp takes a last line without a colon for a key.
  void refuseMissingColon(const LocatedText &Key) const {
    size_t End = Key.Text.end() - Text.begin();
    if (Text.drop_front(End).ltrim("'\" \t").starts_with(":"))
      return;
    YAML::Mark Behind;
    Behind.pos = End;
    Behind.line = Key.At.Line - 1 - LinesBefore;
    Behind.column = Key.At.Column - 1 + Key.Text.size();
    throw YAML::ParserException(Behind, "expected ':' after '" + Key.Text.str() + "'");
  }

  /// Local tags stand for no type here; others only repeat what the node is.
  void refuseTag(llvm::StringRef Tag, llvm::StringRef Usual, const YamlNode &Node) {
    llvm::StringRef Name = Tag;
    if (Tag.empty() || Tag == "?" || Tag == "!" ||
        (Name.consume_front("tag:yaml.org,2002:") && Name == Usual))
      return;
    Diags.report(finding::YamlSyntax, Node.at(), "YAML tag '{0}' is not supported", Tag);
  }

  /// yaml-cpp takes the end of the file for a closing quote.
  void refuseOpenQuote(const YAML::Mark &Mark) const {
    llvm::StringRef Source = sourceAt(Mark);
    if (!Source.starts_with("'") && !Source.starts_with("\""))
      return;
    char Quote = Source[0];
    for (size_t I = 1; I < Source.size(); ++I) {
      if (Source[I] == '\\' && Quote == '"')
        ++I;
      else if (Source[I] == Quote && Quote == '\'' && Source.substr(I + 1, 1) == "'")
        ++I;
      else if (Source[I] == Quote)
        return;
    }
    throw YAML::ParserException(Mark, "this quote is never closed");
  }

  void attach(const YamlNode &Node) {
    if (Open.empty())
      Nodes.Root = &Node;
    else
      Open.back().Node->Children.push_back(&Node);
  }

  void open(YamlNode &Node, YAML::anchor_t Anchor) {
    Open.push_back({&Node, Anchor, NumMeant - 1});
  }
  void close() {
    OpenNode Closed = Open.back();
    Open.pop_back();
    if (Closed.Anchor)
      Anchors[Closed.Anchor].NumMeant = NumMeant - Closed.NumBefore;
    attach(*Closed.Node);
  }

  void refuseDuplicateKeys(const YamlNode &Map) {
    for (const YamlNode *Key : repeatedKeys(Map))
      Diags.report(finding::YamlDuplicateKey, Key->at(), "key '{0}' occurs twice in this mapping",
                   Key->Text.Text);
  }

  YamlNodes &Nodes;
  SourceId File;
  llvm::StringRef Text;
  uint32_t LinesBefore;
  Findings &Diags;
  bool HasDocument = false;
  uint64_t NumMeant = 0;
  std::vector<OpenNode> Open;
  llvm::DenseMap<size_t, Anchored> Anchors;
};

void readYaml(SourceId File, const YamlPiece &Piece, YamlNodes &Nodes, Findings &Diags) {
  YamlTreeBuilder Builder(Nodes, File, Piece, Diags);
  TextBuffer Buffer(Piece.Text);
  std::istream Stream(&Buffer);
  YAML::Parser Parser(Stream);
  if (!Parser.HandleNextDocument(Builder)) {
    YamlNode &Empty = Nodes.All.emplace_back();
    Empty.Value = ScalarKind::Null;
    Empty.Text.At = {File, 1, 1, 0};
    Nodes.Root = &Empty;
  }
  // Throws where there is one.
  Parser.HandleNextDocument(Builder);
}

namespace {

/// Throws what yaml-cpp and YamlTreeBuilder throw.
void parsePiece(SourceId File, const YamlPiece &Piece, YamlNodes &Nodes, Findings &Diags) {
  if (!readPlainYaml(File, Piece, Nodes))
    readYaml(File, Piece, Nodes, Diags);
}

/// Nothing to say of the piece, and it is a list that begins at the margin.
bool isListItems(SourceId File, const YamlPiece &Piece, YamlNodes &Nodes) {
  Findings Diags;
  try {
    parsePiece(File, Piece, Nodes, Diags);
  } catch (const YAML::Exception &) {
    return false;
  }
  return Diags.empty() && Nodes.Root->Is == YamlNode::Sequence && Nodes.Root->at().Column == 1;
}

} // namespace

std::vector<YamlPiece> cutBetweenItems(llvm::StringRef Text, unsigned Count) {
  std::vector<YamlPiece> Pieces = {{Text, 0}};
  // Documents and directives begin at the margin, too.
  if (laterLineBeginsDocument(Text))
    return Pieces;
  size_t Size = Text.size() / std::max(Count, 1u);
  while (Pieces.size() < Count) {
    YamlPiece &Last = Pieces.back();
    size_t Cut = Last.Text.find("\n- ", Size);
    if (Cut == llvm::StringRef::npos)
      break;
    llvm::StringRef Rest = Last.Text.drop_front(Cut + 1);
    Last.Text = Last.Text.take_front(Cut + 1);
    Pieces.push_back({Rest, uint32_t(Last.LinesBefore + Last.Text.count('\n'))});
  }
  return Pieces;
}

/// A quoted scalar that has not ended may go on in the next item. One that has not ended in front
/// of a line of comment goes on in that.
static bool mayGoOn(llvm::StringRef Item) {
  llvm::StringRef Entry = Item.split("\n#").first;
  return Entry.count('"') % 2 || Entry.count('\'') % 2;
}

std::vector<YamlPiece> wantedItems(llvm::StringRef Text,
                                   llvm::function_ref<bool(llvm::StringRef)> IsWanted) {
  if (laterLineBeginsDocument(Text))
    return {{Text, 0}};
  std::vector<YamlPiece> Pieces;
  uint32_t Line = 0;
  bool IsPartOfLast = true;
  for (llvm::StringRef Rest = Text; !Rest.empty();) {
    size_t End = Rest.find("\n- ");
    llvm::StringRef Item = Rest.take_front(End == llvm::StringRef::npos ? End : End + 1);
    Rest = Rest.drop_front(Item.size());
    bool GoesOn = mayGoOn(Item);
    if (IsPartOfLast || GoesOn || IsWanted(Item.split('\n').first)) {
      if (!Pieces.empty() && Pieces.back().Text.end() == Item.begin())
        Pieces.back().Text = {Pieces.back().Text.begin(), Pieces.back().Text.size() + Item.size()};
      else
        Pieces.push_back({Item, Line});
    }
    // What stands in front of the list belongs to its first item.
    IsPartOfLast = GoesOn || !Item.starts_with("- ");
    Line += Item.count('\n');
  }
  return Pieces;
}

YamlTree::YamlTree(SourceId File, const SourceFiles &Files, Findings &Diags,
                   llvm::function_ref<bool(llvm::StringRef)> IsWanted) {
  if (!parseLongList(File, Files, IsWanted))
    parse(File, Files, Diags);
}

/// Fails also where there is something wrong with the file: parse() says what.
bool YamlTree::parseLongList(SourceId File, const SourceFiles &Files,
                             llvm::function_ref<bool(llvm::StringRef)> IsWanted) {
  // Below that a thread costs more than it brings.
  constexpr size_t MinSize = 1 << 16;
  llvm::StringRef Text = Files.text(File);
  if (IsWanted && Text.size() > MinSize)
    IsPart = parsePieces(File, wantedItems(Text, IsWanted));
  if (IsPart)
    return true;
  unsigned Threads = llvm::hardware_concurrency().compute_thread_count();
  std::vector<YamlPiece> Cut =
      cutBetweenItems(Text, std::min<size_t>(Threads, Text.size() / MinSize));
  return Cut.size() > 1 && parsePieces(File, Cut);
}

bool YamlTree::parsePieces(SourceId File, llvm::ArrayRef<YamlPiece> Cut) {
  Pieces.resize(Cut.size());
  std::vector<char> Good(Cut.size());
  {
    llvm::DefaultThreadPool Pool(llvm::hardware_concurrency(Cut.size()));
    for (size_t I = 0; I < Cut.size(); ++I)
      Pool.async([&, I] { Good[I] = isListItems(File, Cut[I], Pieces[I]); });
    Pool.wait();
  }
  if (llvm::is_contained(Good, false)) {
    Pieces.clear();
    return false;
  }
  YamlNode &Whole = Pieces.front().All.emplace_back(*Pieces.front().Root);
  for (const YamlNodes &Piece : llvm::drop_begin(Pieces))
    llvm::append_range(Whole.Children, Piece.Root->Children);
  Root = &Whole;
  return true;
}

/// What the parser's message \p Why means for somebody who does not know the grammar of YAML.
static llvm::StringRef plainReason(llvm::StringRef Why) {
  return llvm::StringSwitch<llvm::StringRef>(Why)
      .Case("end of sequence flow not found", "a list that begins with '[' needs a closing ']'")
      .Case("end of map flow not found", "a mapping that begins with '{' needs a closing '}'")
      .Case("end of sequence not found", "expected '- ' here, or a different indentation")
      .Case("end of map not found", "expected 'KEY:' here, or a different indentation")
      .Case("illegal flow end", "no bracket is open here; remove the closing one")
      .Case("illegal block entry", "'- ' cannot begin a list item here; check the indentation")
      .Default(Why);
}

/// The parser's own words where there are none that say what to do.
static void reportSyntax(SourceId File, uint32_t Line, uint32_t Column, const std::string &Why,
                         const SourceFiles &Files, Findings &Diags) {
  llvm::StringRef Text = Files.line(File, Line);
  llvm::StringRef Indentation = Text.take_front(Text.size() - Text.ltrim(" \t").size());
  Place At{File, Line, Column, 0};
  if (size_t Tab = Indentation.find('\t'); Tab != llvm::StringRef::npos) {
    At.Column = Tab + 1;
    Diags.report(finding::YamlSyntax, At, "YAML cannot be indented with tabs; use spaces");
    return;
  }
  // For yaml-cpp, an item that lacks its "- " begins another document.
  if (Why == SecondDocument && !Text.starts_with("---")) {
    Diags.report(finding::YamlSyntax, At, "invalid YAML: {0}",
                 plainReason("end of sequence not found"));
    return;
  }
  if (llvm::StringRef(Why) != "illegal map value") {
    Diags.report(finding::YamlSyntax, At, "invalid YAML: {0}", plainReason(Why));
    return;
  }
  // `func: f(x: float)` is the usual reason.
  bool IsSchema = Text.ltrim(" -").starts_with("func:");
  Diags.report(finding::YamlSyntax, At,
               IsSchema ? "unexpected ':'; in a schema the type comes first ('float x'), and '->' "
                          "precedes the return type"
                        : "unexpected ':' in a value; put the value in quotes, or correct the "
                          "indentation");
}

void YamlTree::parse(SourceId File, const SourceFiles &Files, Findings &Diags) {
  YamlNodes &Nodes = Pieces.emplace_back();
  try {
    parsePiece(File, {Files.text(File), 0}, Nodes, Diags);
    Root = Nodes.Root;
  } catch (const YAML::Exception &E) {
    uint32_t Line = E.mark.line + 1, Column = E.mark.column + 1;
    // What the file's end broke off is a byte behind it for yaml-cpp.
    Column = std::min<uint32_t>(Column, Files.line(File, Line).size() + 1);
    bool TooDeep = dynamic_cast<const YAML::DeepRecursion *>(&E);
    reportSyntax(File, Line, Column, TooDeep ? "values are nested too deeply" : E.msg, Files,
                 Diags);
  }
}

} // namespace opsig
