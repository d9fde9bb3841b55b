//===- ProjectConfig.cpp - .opsig.yaml --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FieldReaderInternal.h"
#include "LayoutConfigInternal.h"
#include "TomlTreeInternal.h"
#include "opsig/Operators/ProjectConfig.h"
#include "opsig/Operators/Pyproject.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "opsig/Support/SettingsSign.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

namespace opsig {

static constexpr llvm::StringRef KnownFields[] = {
    "torch-root",        "torch",           "schemas", "tags",  "backend", "checks", "levels",
    "baseline",          "suppress-paths",  "build",   "flags", "extent",  "scope",  "variants",
    "python-registrars", "backend-layouts", "exclude"};

std::vector<std::string *> ProjectConfig::paths() {
  std::vector<std::string *> Paths{&TorchRoot, &Schemas, &Tags};
  for (std::string &Backend : Backends)
    Paths.push_back(&Backend);
  Paths.insert(Paths.end(), {&Baseline, &Build});
  for (std::string &Path : SuppressPaths)
    Paths.push_back(&Path);
  for (std::string &Folder : Variants)
    Paths.push_back(&Folder);
  for (std::string &Pattern : Exclude)
    if (llvm::StringRef(Pattern).rtrim('/').contains('/'))
      Paths.push_back(&Pattern);
  return Paths;
}

std::string ProjectConfig::placeOf(llvm::StringRef Field) const {
  auto At = Places.find(Field.str());
  if (At == Places.end())
    return File;
  return File + ":" + std::to_string(At->second.first) + ":" + std::to_string(At->second.second);
}

std::vector<std::string> takeStrings(FieldReader &Fields, llvm::StringRef Name,
                                     llvm::StringRef Expected, Findings &Diags) {
  std::vector<std::string> Texts;
  const YamlNode *Node = Fields.take(Name);
  if (!Node)
    return Texts;
  llvm::ArrayRef<const YamlNode *> Items(Node);
  if (Node->Is == YamlNode::Sequence)
    Items = Node->Children;
  for (const YamlNode *Item : Items) {
    if (Item->isString())
      Texts.push_back(Item->Text.Text.str());
    else
      reportKind(Diags, finding::FieldNotString, *Item, Name, Expected);
  }
  return Texts;
}

namespace {

/// Whether \p Value is one of \p Allowed; reports what else stands there.
bool isOneOf(const YamlNode &Value, llvm::StringRef Field, llvm::ArrayRef<llvm::StringRef> Allowed,
             Findings &Diags) {
  llvm::StringRef Text = Value.Text.Text;
  if (Value.Is == YamlNode::Scalar && llvm::is_contained(Allowed, Text))
    return true;
  bool IsScalar = Value.Is == YamlNode::Scalar;
  std::string Wrong = IsScalar ? "invalid value '" + Text.str() + "' for '" + Field.str() + "'"
                               : "'" + Field.str() + "' cannot be " + Value.describe().str();
  Diags.report(finding::ConfigUnknownValue, Value.at(), "{0}; expected one of: {1}{2}", Wrong,
               llvm::join(Allowed, ", "), IsScalar ? didYouMean(Text, Allowed) : "");
  return false;
}

void readLevels(FieldReader &Fields, ProjectConfig &Config, Findings &Diags) {
  const YamlNode *Levels = Fields.take("levels");
  if (!Levels)
    return;
  if (Levels->Is != YamlNode::Map)
    return reportKind(Diags, finding::ConfigNotMap, *Levels, "levels",
                      "a mapping of checks to 'error' or 'warning'");
  for (size_t I = 0; I + 1 < Levels->Children.size(); I += 2) {
    llvm::StringRef Check = Levels->Children[I]->Text.Text;
    const YamlNode &Value = *Levels->Children[I + 1];
    if (isOneOf(Value, Check, {"error", "warning"}, Diags))
      Config.Levels.push_back((Check + "=" + Value.Text.Text).str());
  }
}

PythonRegistrar readRegistrar(const YamlNode &Entry, Findings &Diags) {
  static constexpr llvm::StringRef Known[] = {"function",  "name",       "kernel", "mutates-args",
                                              "fake",      "library",    "key",    "parameters",
                                              "namespace", "default-key"};
  PythonRegistrar Out;
  FieldReader Fields(Entry, Diags);
  if (!Fields.has("function"))
    Diags.report(finding::ConfigUnknownValue, Entry.at(),
                 "an entry of 'python-registrars' needs a 'function'");
  for (auto [Name, To] : {std::pair("function", &Out.Function),
                          {"name", &Out.Name},
                          {"kernel", &Out.Kernel},
                          {"mutates-args", &Out.MutatesArgs},
                          {"fake", &Out.Fake},
                          {"library", &Out.Library},
                          {"key", &Out.Key},
                          {"namespace", &Out.Namespace},
                          {"default-key", &Out.DefaultKey}})
    if (std::optional<LocatedText> Text = Fields.takeString(Name))
      *To = Text->Text.str();
  Out.Parameters = takeStrings(Fields, "parameters", "a name or a list of names", Diags);
  Fields.reportUnknown(finding::ConfigUnknownField, "an entry of 'python-registrars'", Known);
  return Out;
}

void readRegistrars(FieldReader &Fields, ProjectConfig &Config, Findings &Diags) {
  for (const YamlNode *Entry : Fields.takeList("python-registrars", /*NullIsEmpty=*/true)) {
    if (Entry->Is != YamlNode::Map) {
      reportKind(Diags, finding::ConfigNotMap, *Entry, "python-registrars", "a list of mappings");
      continue;
    }
    PythonRegistrar Registrar = readRegistrar(*Entry, Diags);
    if (!Registrar.Function.empty())
      Config.PythonRegistrars.push_back(std::move(Registrar));
  }
}

void readCheckFields(FieldReader &Fields, ProjectConfig &Config, Findings &Diags) {
  Config.Checks = llvm::join(
      takeStrings(Fields, "checks", "a list of checks such as '-*,opsig-kernel-signature'", Diags),
      ",");
  readLevels(Fields, Config, Diags);
  if (std::optional<LocatedText> Baseline = Fields.takeString("baseline"))
    Config.Baseline = Baseline->Text.str();
  Config.SuppressPaths =
      takeStrings(Fields, "suppress-paths", "a file name or a list of file names", Diags);
  Config.Exclude =
      takeStrings(Fields, "exclude", "a name, a pattern or a list of names and patterns", Diags);
  if (std::optional<LocatedText> Build = Fields.takeString("build"))
    Config.Build = Build->Text.str();
  Config.Flags = takeStrings(Fields, "flags", "a compiler flag or a list of flags", Diags);
  Config.Variants = takeStrings(Fields, "variants", "a folder or a list of folders", Diags);
  readRegistrars(Fields, Config, Diags);
  // "extent" is what "scope" was called before.
  for (llvm::StringRef Name : {"extent", "scope"})
    if (const YamlNode *Scope = Fields.take(Name))
      if (isOneOf(*Scope, Name, {"unit", "project"}, Diags))
        Config.Scope = Scope->Text.Text.str();
}

/// \p Root is the mapping of all settings, \p Where what holds it.
ProjectConfig readFields(const YamlNode &Root, llvm::StringRef Where, Findings &Diags) {
  ProjectConfig Config;
  if (Root.Is != YamlNode::Map) {
    reportKind(Diags, finding::ConfigNotMap, Root, Where, "a mapping of settings ('name: value')");
    return Config;
  }
  for (size_t I = 0; I + 1 < Root.Children.size(); I += 2) {
    Place At = Root.Children[I + 1]->at();
    Config.Places[Root.Children[I]->Text.Text.str()] = {At.Line, At.Column};
  }
  FieldReader Fields(Root, Diags);
  // A version is a number to YAML; its text is what was meant.
  if (const YamlNode *Torch = Fields.take("torch")) {
    if (Torch->Is == YamlNode::Scalar)
      Config.Torch = Torch->Text.Text.str();
    else
      reportKind(Diags, finding::FieldNotString, *Torch, "torch", "a version");
  }
  auto Take = [&](llvm::StringRef Name, std::string &To) {
    if (std::optional<LocatedText> Text = Fields.takeString(Name))
      To = Text->Text.str();
  };
  Take("torch-root", Config.TorchRoot);
  Take("schemas", Config.Schemas);
  Take("tags", Config.Tags);
  Config.Backends = takeStrings(Fields, "backend", "a file or a list of files", Diags);
  Config.BackendLayouts = readBackendLayouts(Fields, Diags);
  readCheckFields(Fields, Config, Diags);
  Fields.reportUnknown(finding::ConfigUnknownField, Where, KnownFields);
  return Config;
}

constexpr llvm::StringRef OpsigTable[] = {"tool", "opsig"};

} // namespace

bool hasOpsigTable(llvm::StringRef Text) {
  // Most of these files have nothing to do with opsig.
  if (!Text.contains("opsig"))
    return false;
  TomlTree Tree(SourceId::None, Text);
  if (Tree.find(OpsigTable))
    return true;
  // What stands behind an error is not known.
  return Tree.error() && hasOpsigHeader(Text);
}

ProjectConfig readProjectConfig(SourceId File, const SourceFiles &Files, Findings &Diags) {
  if (llvm::sys::path::filename(Files.name(File)) == PyprojectName) {
    TomlTree Tree(File, Files.text(File));
    if (Tree.error()) {
      Diags.report(finding::ConfigUnknownValue, Tree.error()->At, "{0}", Tree.error()->Message);
      return {};
    }
    const YamlNode *Root = Tree.find(OpsigTable);
    return Root ? readFields(*Root, "[tool.opsig]", Diags) : ProjectConfig();
  }
  YamlTree Tree(File, Files, Diags);
  if (!Tree.root() || Tree.root()->isNull())
    return {};
  return readFields(*Tree.root(), ".opsig.yaml", Diags);
}

} // namespace opsig
