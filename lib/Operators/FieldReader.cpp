//===- FieldReader.cpp - Typed access to the fields of a mapping ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FieldReaderInternal.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "opsig/Support/TextLayout.h"
#include "llvm/ADT/STLExtras.h"

namespace opsig {

std::string found(const YamlNode &Node) {
  if (Node.isNull())
    return "but it is empty";
  llvm::StringRef Kind = Node.describe();
  if (Node.Is != YamlNode::Scalar)
    return ("not " + Kind).str();
  constexpr size_t Most = 60;
  llvm::StringRef Text = Node.Text.Text;
  llvm::StringRef Begin = Text.take_front(cutPlace(Text, Most));
  return ("not the " + Kind.split(' ').second + " '" + Begin + (Text.size() > Most ? "...'" : "'"))
      .str();
}

void reportKind(Findings &Diags, FindingId Id, const YamlNode &Node, llvm::StringRef Field,
                llvm::StringRef Expected) {
  bool IsName = !Field.contains(' ');
  Diags.report(Id, Node.at(), IsName ? "'{0}' must be {1}, {2}" : "{0} must be {1}, {2}", Field,
               Expected, found(Node));
}

const YamlNode *FieldReader::take(llvm::StringRef Name) {
  for (size_t I = 0; I + 1 < Map.Children.size(); I += 2)
    if (Map.Children[I]->Text.Text == Name) {
      Taken.push_back(Name);
      return Map.Children[I + 1];
    }
  return nullptr;
}

std::optional<LocatedText> FieldReader::takeString(llvm::StringRef Name) {
  const YamlNode *Node = take(Name);
  if (!Node)
    return std::nullopt;
  if (!Node->isString()) {
    reportKind(Diags, finding::FieldNotString, *Node, Name, "a string");
    return std::nullopt;
  }
  return Node->Text;
}

std::optional<LocatedText> FieldReader::takeStringOrNothing(llvm::StringRef Name) {
  const YamlNode *Node = take(Name);
  return Node && Node->isNull() ? std::nullopt : takeString(Name);
}

bool FieldReader::takeBool(llvm::StringRef Name, bool Default) {
  const YamlNode *Node = take(Name);
  if (!Node)
    return Default;
  if (!Node->isBool()) {
    reportKind(Diags, finding::FieldNotBool, *Node, Name, "True or False");
    return Default;
  }
  return Node->boolean();
}

llvm::ArrayRef<const YamlNode *> FieldReader::takeList(llvm::StringRef Name, bool NullIsEmpty) {
  const YamlNode *Node = take(Name);
  if (!Node || (NullIsEmpty && Node->isNull()))
    return {};
  if (Node->Is != YamlNode::Sequence) {
    reportKind(Diags, finding::FieldNotList, *Node, Name, "a list");
    return {};
  }
  return Node->Children;
}

bool FieldReader::has(llvm::StringRef Name) const {
  for (size_t I = 0; I + 1 < Map.Children.size(); I += 2)
    if (Map.Children[I]->Text.Text == Name)
      return true;
  return false;
}

bool FieldReader::hasValue(llvm::StringRef Name) const {
  for (size_t I = 0; I + 1 < Map.Children.size(); I += 2)
    if (Map.Children[I]->Text.Text == Name)
      return !Map.Children[I + 1]->isNull();
  return false;
}

Place FieldReader::keyPlace(llvm::StringRef Name) const {
  for (size_t I = 0; I + 1 < Map.Children.size(); I += 2)
    if (Map.Children[I]->Text.Text == Name)
      return Map.Children[I]->at();
  return Map.at();
}

void FieldReader::reportUnknown(FindingId Id, llvm::StringRef What,
                                llvm::ArrayRef<llvm::StringRef> Known) {
  for (size_t I = 0; I + 1 < Map.Children.size(); I += 2) {
    const YamlNode &Key = *Map.Children[I];
    if (!llvm::is_contained(Taken, Key.Text.Text))
      Diags.report(Id, Key.at(), "{0} has no field '{1}'{2}", What, Key.Text.Text,
                   didYouMean(Key.Text.Text, Known));
  }
}

} // namespace opsig
