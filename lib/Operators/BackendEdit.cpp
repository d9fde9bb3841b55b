//===- BackendEdit.cpp - Edits of a backend's YAML ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "YamlTreeInternal.h"
#include "opsig/Operators/BackendEdit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace opsig {
namespace {

class ItemRemover {
public:
  ItemRemover(SourceId Yaml, const SourceFiles &Files, llvm::ArrayRef<Place> Places,
              llvm::ArrayRef<std::string> Names)
      : Yaml(Yaml), Files(Files), Places(Places), Names(Names) {
    llvm::SmallVector<llvm::StringRef, 0> All;
    Files.text(Yaml).split(All, '\n');
    Lines.assign(All.begin(), All.end());
  }

  ItemRemoval run() {
    Findings Ignored;
    YamlTree Tree(Yaml, Files, Ignored);
    const YamlNode *Root = Tree.root();
    if (!Root)
      return {};
    if (Root->Is == YamlNode::Sequence)
      removeFrom(*Root, nullptr);
    for (size_t I = 0; Root->Is == YamlNode::Map && I + 1 < Root->Children.size(); I += 2)
      if (Root->Children[I + 1]->Is == YamlNode::Sequence)
        removeFrom(*Root->Children[I + 1], Root->Children[I]);
    llvm::sort(Out.Fixes, [](const Fix &L, const Fix &R) { return L.Offset < R.Offset; });
    return std::move(Out);
  }

private:
  /// Lines, from 0; the last one is not among them.
  struct Stretch {
    size_t Begin, End;
  };

  bool isMeant(const YamlNode &Item) const {
    if (llvm::is_contained(Places, Item.at()))
      return true;
    if (Item.isString())
      return llvm::is_contained(Names, Item.Text.Text);
    return llvm::any_of(Item.Children, [&](const YamlNode *Child) {
      return llvm::is_contained(Places, Child->at());
    });
  }

  static size_t indentOf(llvm::StringRef Line) { return Line.size() - Line.ltrim(' ').size(); }
  static bool isContent(llvm::StringRef Line) {
    llvm::StringRef Text = Line.trim();
    return !Text.empty() && !Text.starts_with("#");
  }

  /// The lines of an item that has them for itself.
  std::optional<Stretch> linesOf(const YamlNode &Item) const {
    size_t First = Item.at().Line - 1;
    llvm::StringRef Head = Lines[First].take_front(Item.at().Column - 1);
    llvm::StringRef Dash = Head.trim();
    if (Dash != "-" || Lines[First].drop_front(Head.size()).starts_with("&"))
      return std::nullopt;
    size_t Indent = indentOf(Head), End = First + 1;
    for (size_t Line = End; Line < Lines.size(); ++Line) {
      if (!isContent(Lines[Line]))
        continue;
      if (indentOf(Lines[Line]) <= Indent)
        break;
      End = Line + 1;
    }
    return Stretch{First, End};
  }

  void removeFrom(const YamlNode &List, const YamlNode *Key) {
    std::vector<Stretch> Gone;
    for (const YamlNode *Item : List.Children) {
      if (!isMeant(*Item))
        continue;
      if (std::optional<Stretch> Found = linesOf(*Item))
        Gone.push_back(*Found);
      else
        Out.Kept.push_back(Item->at());
    }
    if (!Gone.empty() && Gone.size() == List.Children.size()) {
      if (!Key || Key->at().Line - 1 == Gone.front().Begin) {
        for (const YamlNode *Item : List.Children)
          Out.Kept.push_back(Item->at());
        return;
      }
      // A key with nothing behind it is no list for every reader.
      Gone.insert(Gone.begin(), Stretch{Key->at().Line - 1, Key->at().Line});
    }
    for (const Stretch &Each : Gone)
      remove(Each);
  }

  void remove(Stretch Each) {
    auto OffsetOf = [&](size_t Line) -> uint32_t {
      return Line < Lines.size() ? Lines[Line].begin() - Lines.front().begin()
                                 : Files.text(Yaml).size();
    };
    uint32_t Begin = OffsetOf(Each.Begin);
    Out.Fixes.push_back({Yaml, Begin, OffsetOf(Each.End) - Begin, ""});
  }

  SourceId Yaml;
  const SourceFiles &Files;
  llvm::ArrayRef<Place> Places;
  llvm::ArrayRef<std::string> Names;
  std::vector<llvm::StringRef> Lines;
  ItemRemoval Out;
};

} // namespace

ItemRemoval removeItems(SourceId Yaml, const SourceFiles &Files, llvm::ArrayRef<Place> Places,
                        llvm::ArrayRef<std::string> Names) {
  return ItemRemover(Yaml, Files, Places, Names).run();
}

} // namespace opsig
