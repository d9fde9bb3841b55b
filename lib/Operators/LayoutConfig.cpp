//===- LayoutConfig.cpp - `backend-layouts` of .opsig.yaml -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LayoutConfigInternal.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace opsig {
namespace {

constexpr llvm::StringRef LayoutFields[] = {"name",
                                            "keys",
                                            "backend",
                                            "cpp-namespace",
                                            "class-name",
                                            "kernels",
                                            "sections",
                                            "operator",
                                            "ignore",
                                            "defaults",
                                            "kernel",
                                            "extra",
                                            "structured-kernel",
                                            "structured",
                                            "override-fields",
                                            "share-with-torch",
                                            "convention"};

class LayoutReader {
public:
  LayoutReader(const YamlNode &Map, Findings &Diags) : Fields(Map, Diags), Diags(Diags) {}

  BackendLayout run();

private:
  void take(llvm::StringRef Name, std::string &To) {
    if (std::optional<LocatedText> Text = Fields.takeString(Name))
      To = Text->Text.str();
  }
  /// The value of \p Field is one of \p Allowed; the first one where it is not there.
  llvm::StringRef choice(llvm::StringRef Field, llvm::ArrayRef<llvm::StringRef> Allowed);
  std::vector<std::pair<std::string, std::string>> pairs(llvm::StringRef Field,
                                                         llvm::StringRef Expected);
  void readSections(BackendLayout &L);
  std::optional<BackendSection> section(const LocatedText &Name, const YamlNode &Value);
  void readExtra(BackendLayout &L);

  FieldReader Fields;
  Findings &Diags;
};

llvm::StringRef LayoutReader::choice(llvm::StringRef Field,
                                     llvm::ArrayRef<llvm::StringRef> Allowed) {
  std::optional<LocatedText> Text = Fields.takeString(Field);
  if (!Text)
    return Allowed.front();
  if (!llvm::is_contained(Allowed, Text->Text))
    Diags.report(finding::ConfigUnknownValue, Text->At,
                 "invalid value '{2}' for '{0}'; expected one of: {1}{3}", Field,
                 llvm::join(Allowed, ", "), Text->Text, didYouMean(Text->Text, Allowed));
  return Text->Text;
}

std::vector<std::pair<std::string, std::string>> LayoutReader::pairs(llvm::StringRef Field,
                                                                     llvm::StringRef Expected) {
  std::vector<std::pair<std::string, std::string>> Out;
  const YamlNode *Map = Fields.take(Field);
  if (!Map)
    return Out;
  if (Map->Is != YamlNode::Map) {
    reportKind(Diags, finding::ConfigNotMap, *Map, Field, Expected);
    return Out;
  }
  for (size_t I = 0; I + 1 < Map->Children.size(); I += 2) {
    const YamlNode &Value = *Map->Children[I + 1];
    if (Value.Is == YamlNode::Scalar)
      Out.emplace_back(Map->Children[I]->Text.Text, Value.Text.Text);
    else
      reportKind(Diags, finding::FieldNotString, Value, Map->Children[I]->Text.Text, "a string");
  }
  return Out;
}

/// "operators", or {schemas: npu, key: ...}: what a section holds.
std::optional<BackendSection> LayoutReader::section(const LocatedText &Name,
                                                    const YamlNode &Value) {
  static constexpr llvm::StringRef Kinds[] = {"operators", "schemas", "symint", "ignored"};
  BackendSection Out;
  Out.Name = Name.Text.str();
  std::optional<LocatedText> Kind;
  if (Value.isString()) {
    Kind = Value.Text;
  } else if (Value.Is == YamlNode::Map) {
    FieldReader Of(Value, Diags);
    Kind = Of.takeString("holds");
    if (std::optional<LocatedText> Key = Of.takeString("key"))
      Out.Key = Key->Text.str();
    if (std::optional<LocatedText> Namespace = Of.takeString("namespace"))
      Out.Namespace = Namespace->Text.str();
    Of.reportUnknown(finding::ConfigUnknownField, "a section of a layout",
                     {"holds", "key", "namespace"});
  } else {
    reportKind(Diags, finding::ConfigNotMap, Value, Name.Text, "'operators' or a mapping");
    return std::nullopt;
  }
  const auto *It = Kind ? llvm::find(Kinds, Kind->Text) : std::begin(Kinds);
  if (It == std::end(Kinds)) {
    Diags.report(finding::ConfigUnknownValue, Kind->At,
                 "invalid section '{0}'; expected one of: operators, schemas, symint, ignored{1}",
                 Kind->Text, didYouMean(Kind->Text, Kinds));
    return std::nullopt;
  }
  Out.Is = BackendSection::Kind(It - std::begin(Kinds));
  if (Out.Is == BackendSection::Schemas && Out.Namespace.empty())
    Diags.report(finding::ConfigUnknownValue, Name.At,
                 "section '{0}' contains schemas, so it needs the 'namespace' of their operators",
                 Name.Text);
  return Out;
}

void LayoutReader::readSections(BackendLayout &L) {
  const YamlNode *Map = Fields.take("sections");
  if (!Map) {
    // Without any the file is a list of operators.
    L.IsList = true;
    L.Sections.push_back({});
    return;
  }
  if (Map->Is != YamlNode::Map)
    return reportKind(Diags, finding::ConfigNotMap, *Map, "sections", "a mapping");
  for (size_t I = 0; I + 1 < Map->Children.size(); I += 2)
    if (auto Section = section(Map->Children[I]->Text, *Map->Children[I + 1]))
      L.Sections.push_back(std::move(*Section));
}

void LayoutReader::readExtra(BackendLayout &L) {
  for (const YamlNode *Node : Fields.takeList("extra", /*NullIsEmpty=*/true)) {
    if (Node->Is != YamlNode::Map) {
      reportKind(Diags, finding::ConfigNotMap, *Node, "extra", "a list of mappings");
      continue;
    }
    FieldReader Of(*Node, Diags);
    ExtraKernel Extra;
    for (auto [Name, To] :
         {std::pair("field", &Extra.Field), {"key", &Extra.Key}, {"kernel", &Extra.Kernel}}) {
      std::optional<LocatedText> Text = Of.takeString(Name);
      if (Text)
        *To = Text->Text.str();
      else
        Diags.report(finding::ConfigUnknownValue, Node->at(), "an entry of 'extra' needs a '{0}'",
                     Name);
    }
    Of.reportUnknown(finding::ConfigUnknownField, "an entry of 'extra'",
                     {"field", "key", "kernel"});
    L.Extra.push_back(std::move(Extra));
  }
}

BackendLayout LayoutReader::run() {
  BackendLayout L;
  if (!Fields.has("name"))
    Diags.report(finding::ConfigUnknownValue, Fields.at(), "a layout needs a 'name'");
  take("name", L.Name);
  L.Keys = pairs("keys", "a mapping from values of 'backend' to dispatch keys");
  take("backend", L.Backend);
  take("cpp-namespace", L.CppNamespace);
  take("class-name", L.ClassName);
  L.IsNamespace = choice("kernels", {"class", "namespace"}) == "namespace";
  L.IsNative = choice("convention", {"dispatcher", "native"}) == "native";
  readSections(L);
  take("operator", L.Operator);
  L.Ignored = takeStrings(Fields, "ignore", "a field or a list of fields", Diags);
  L.Defaults = pairs("defaults", "a mapping of fields to strings");
  L.Kernel = "${name}";
  take("kernel", L.Kernel);
  if (L.Kernel == "dispatch")
    L.Kernel.clear();
  take("structured-kernel", L.StructuredKernel);
  L.StructuredByDefault = choice("structured", {"listed", "as-torch"}) == "as-torch";
  llvm::StringRef Shared = choice("share-with-torch", {"none", "named", "structured"});
  L.SharesNamed = Shared == "named";
  L.SharesStructured = Shared == "structured";
  L.OverrideFields = takeStrings(Fields, "override-fields", "a field or a list of fields", Diags);
  readExtra(L);
  Fields.reportUnknown(finding::ConfigUnknownField, "a layout", LayoutFields);
  if (L.Keys.empty() && L.Backend.empty())
    Diags.report(finding::ConfigUnknownValue, Fields.at(),
                 "a layout needs 'keys', or 'backend' if the files name no backend");
  return L;
}

} // namespace

std::vector<BackendLayout> readBackendLayouts(FieldReader &Fields, Findings &Diags) {
  std::vector<BackendLayout> Out;
  for (const YamlNode *Node : Fields.takeList("backend-layouts", /*NullIsEmpty=*/true)) {
    if (Node->Is == YamlNode::Map)
      Out.push_back(LayoutReader(*Node, Diags).run());
    else
      reportKind(Diags, finding::ConfigNotMap, *Node, "backend-layouts", "a list of mappings");
  }
  return Out;
}

} // namespace opsig
