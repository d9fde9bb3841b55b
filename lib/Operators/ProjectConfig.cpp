//===- ProjectConfig.cpp - .opsig.yaml --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FieldReaderInternal.h"
#include "opsig/Operators/ProjectConfig.h"

namespace opsig {

static constexpr llvm::StringRef KnownFields[] = {"torch-root", "torch", "schemas", "tags",
                                                  "backend"};

std::vector<std::string *> ProjectConfig::paths() {
  std::vector<std::string *> Paths{&TorchRoot, &Schemas, &Tags};
  for (std::string &Backend : Backends)
    Paths.push_back(&Backend);
  return Paths;
}

ProjectConfig readProjectConfig(FileId File, const SourceFiles &Files, Diagnostics &Diags) {
  ProjectConfig Config;
  YamlTree Tree(File, Files, Diags);
  if (!Tree.root() || Tree.root()->isNull())
    return Config;
  if (Tree.root()->Is != YamlNode::Map) {
    reportKind(Diags, diag::ConfigNotMap, *Tree.root(), ".opsig.yaml", "a mapping");
    return Config;
  }
  FieldReader Fields(*Tree.root(), Diags);
  // A version is a number to YAML; its text is what was meant.
  if (const YamlNode *Torch = Fields.take("torch")) {
    if (Torch->Is == YamlNode::Scalar)
      Config.Torch = Torch->Text.Text.str();
    else
      reportKind(Diags, diag::FieldNotString, *Torch, "torch", "a version");
  }
  auto Take = [&](llvm::StringRef Name, std::string &To) {
    if (std::optional<LocatedText> Text = Fields.takeString(Name))
      To = Text->Text.str();
  };
  Take("torch-root", Config.TorchRoot);
  Take("schemas", Config.Schemas);
  Take("tags", Config.Tags);
  if (const YamlNode *Backend = Fields.take("backend")) {
    llvm::ArrayRef<const YamlNode *> Items(Backend);
    if (Backend->Is == YamlNode::Sequence)
      Items = Backend->Children;
    for (const YamlNode *Item : Items) {
      if (Item->isString())
        Config.Backends.push_back(Item->Text.Text.str());
      else
        reportKind(Diags, diag::FieldNotString, *Item, "backend", "a file or a list of files");
    }
  }
  Fields.reportUnknown(diag::ConfigUnknownField, ".opsig.yaml", KnownFields);
  return Config;
}

} // namespace opsig
