//===- ForkItems.cpp - What the lists of a fork's YAML hold ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "BackendInternal.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "llvm/ADT/STLExtras.h"

namespace opsig {

void ForkItems::checkFields(const YamlNode &Map) {
  std::vector<llvm::StringRef> Known{"structured"};
  if (!Layout.ItemsByName)
    llvm::append_values(Known, Layout.Operator, "dispatch", "structured_delegate");
  if (!Layout.MetaField.empty())
    Known.push_back(Layout.MetaField);
  for (const std::string &Name : Layout.Ignored)
    Known.push_back(Name);
  for (const auto &[Name, Value] : Layout.Defaults)
    Known.push_back(Name);
  for (const std::string &Name : Layout.OverrideFields)
    Known.push_back(Name);
  for (const ExtraKernel &Extra : Layout.Extra)
    Known.push_back(Extra.Field);
  reportUnknownFields(Map, "an item in a backend YAML of " + Layout.Name, Known, Others, Diags);
}

/// Fills \p I from a mapping; false where it has no operator.
bool ForkItems::readMapping(const YamlNode &Map, ForkItem &I) {
  if (Layout.ItemsByName)
    return readNamedMapping(Map, I);
  checkFields(Map);
  I.Fields = &Map;
  const YamlNode *Text = I.field(Layout.Operator);
  if (!Text || !Text->isString()) {
    Diags.report(finding::BackendOpKind, Text ? Text->at() : Map.at(),
                 "an item needs a '{0}' with {1}", Layout.Operator,
                 I.Section->Is == BackendSection::Schemas ? "a schema" : "an operator");
    return false;
  }
  I.Text = Text->Text;
  return true;
}

/// {mul.out: {structured: true}}
bool ForkItems::readNamedMapping(const YamlNode &Map, ForkItem &I) {
  if (Map.Children.empty() || !Map.Children[0]->isString() || Map.Children.size() != 2) {
    Diags.report(finding::BackendOpKind, Map.at(),
                 "expected an operator, or a mapping of one operator to its fields, but found a "
                 "mapping with {0} keys; indent the fields below the operator",
                 Map.Children.size() / 2);
    return false;
  }
  I.Text = Map.Children[0]->Text;
  const YamlNode &Fields = *Map.Children[1];
  if (Fields.Is == YamlNode::Map) {
    checkFields(Fields);
    I.Fields = &Fields;
  } else if (!Fields.isNull()) {
    reportKind(Diags, finding::BackendOpKind, Fields, I.Text.Text, "a mapping of fields");
    return false;
  }
  return true;
}

void ForkItems::readSection(const BackendSection &Section, llvm::ArrayRef<const YamlNode *> Nodes) {
  if (Section.Is == BackendSection::Ignored)
    return;
  ListedOnce Listed(Diags);
  for (const YamlNode *Node : Nodes) {
    ForkItem I{&Section, Node->Text, Node};
    size_t Before = Diags.size();
    if (Node->Is == YamlNode::Map) {
      if (!readMapping(*Node, I)) {
        addUnread(Unread, *Node);
        continue;
      }
      // The tree has reported these.
      I.Wrong = hasNewErrors(Diags, Before) || !repeatedKeys(*Node).empty() ||
                (I.Fields && !repeatedKeys(*I.Fields).empty());
    } else if (!Node->isString()) {
      std::string Expected =
          Layout.ItemsByName
              ? "a list whose items are operators, or mappings of an operator to its fields"
              : "a list of operators, or of mappings with '" + Layout.Operator + "'";
      if (Section.Name.empty()) // the file itself is the list
        Diags.report(finding::BackendOpKind, Node->at(), "a backend YAML of {0} must be {1}, {2}",
                     Layout.Name, Expected, found(*Node));
      else
        reportKind(Diags, finding::BackendOpKind, *Node, Section.Name, Expected);
      SymIntUnknown |= Section.Is == BackendSection::SymInt;
      addUnread(Unread, *Node);
      continue;
    }
    if (Section.Is == BackendSection::SymInt) {
      SymInt.try_emplace(I.name().trim(), I.Text.At);
      continue;
    }
    // Definitions have rules of their own.
    if (Section.Is != BackendSection::Schemas)
      Listed.add(I.name().trim(), I.Text.At);
    All.push_back(I);
  }
}

} // namespace opsig
