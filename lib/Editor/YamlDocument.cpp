//===- YamlDocument.cpp - A schema YAML in an editor --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Editor/YamlDocument.h"
#include "opsig/Report/SiftFindings.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;
using llvm::StringRef;

namespace opsig {

YamlKind yamlKind(StringRef Path, StringRef Text) {
  StringRef Rest = Text;
  while (!Rest.empty()) {
    auto [Line, Behind] = Rest.split('\n');
    if (Line.starts_with("- func:"))
      return YamlKind::Native;
    if (Line.starts_with("backend:") || Line.starts_with("supported:"))
      return YamlKind::Backend;
    Rest = Behind;
  }
  return path::filename(Path) == "native_functions.yaml" ? YamlKind::Native : YamlKind::Other;
}

/// The torch root that a native_functions.yaml is part of; "" where it is a file of its own.
static std::string rootOf(StringRef Path) {
  for (StringRef Layout : TorchRootLayouts) {
    llvm::SmallString<128> End(Layout);
    path::append(End, "native", "native_functions.yaml");
    StringRef Root = Path;
    if (Root.consume_back(End) && Root.ends_with("/"))
      return Root.drop_back().str();
  }
  return "";
}

std::shared_ptr<const LoadedSchemas>
SchemaFolder::operators(const SchemaSource &Source, const TextOfPath &Texts, std::string &Failure) {
  // Open buffers go before what is on disk; both are known by their texts.
  std::shared_ptr<const std::string> Yaml = Texts(Source.NativeFunctions),
                                     TagsText = Texts(Source.Tags);
  std::string Of = Source.NativeFunctions + "\n" + Source.Tags + "\n" + Source.D->Name.str() +
                   (Source.IsInstalled ? "\ninstalled" : "");
  auto Same = [](const auto &L, const auto &R) { return L == R || (L && R && *L == *R); };
  if (Loaded && Key == Of && Same(Native, Yaml) && Same(Tags, TagsText))
    return Loaded;
  SchemaSource Alone = Source;
  Alone.Backends.clear();
  std::vector<TextOfFile> Instead;
  if (Yaml)
    Instead.push_back({Source.NativeFunctions, *Yaml});
  if (TagsText)
    Instead.push_back({Source.Tags, *TagsText});
  llvm::Expected<std::unique_ptr<LoadedSchemas>> Read = loadSchemas(Alone, Instead);
  if (!Read) {
    Failure = llvm::toString(Read.takeError());
    return nullptr;
  }
  Key = std::move(Of);
  Native = std::move(Yaml);
  Tags = std::move(TagsText);
  return Loaded = std::move(*Read);
}

std::shared_ptr<const YamlDocument>
YamlDocument::read(StringRef Path, YamlKind Kind, std::shared_ptr<const std::string> Text,
                   const SchemaSettings &Settings, SchemaFolder &Folder, const TextOfPath &Texts) {
  std::shared_ptr<YamlDocument> Out(new YamlDocument(Path.str(), Kind, std::move(Text)));
  SchemaSettings Own = Settings;
  if (Kind == YamlKind::Native) {
    Own.NativeFunctions = Path.str();
    if (std::string Root = rootOf(Path); !Root.empty())
      Own.TorchRoot = std::move(Root);
    llvm::SmallString<256> Next(path::parent_path(Path));
    path::append(Next, "tags.yaml");
    if (Own.Tags.empty() && fs::exists(Next))
      Own.Tags = std::string(Next);
  }
  Out->OwnFiles = std::make_unique<SourceFiles>();
  Out->Files = Out->OwnFiles.get();
  llvm::Expected<SchemaSource> Source =
      findSchemas(Own, path::parent_path(Path), *Out->OwnFiles, Out->Found);
  if (!Source) {
    Out->Failure = llvm::toString(Source.takeError());
    return Out;
  }
  if (Kind == YamlKind::Native) {
    Source->IsInstalled = false;
    Source->Backends.clear();
    Out->readNative(*Source);
  } else {
    Out->readBackend(*Source, Folder, Texts);
  }
  FindingFilter Filter = filterOf(Source->Project);
  Out->Found = sift(std::move(Out->Found), Filter, *Out->Files).Reported;
  return Out;
}

void YamlDocument::readNative(const SchemaSource &Source) {
  llvm::Expected<std::unique_ptr<LoadedSchemas>> Read = loadSchemas(Source, {{Path, *Text}});
  if (!Read) {
    Failure = llvm::toString(Read.takeError());
    return;
  }
  Found = std::move((*Read)->Diags);
  Loaded = std::move(*Read);
  Files = &Loaded->Files;
  Ops = Loaded->Ops.get();
}

void YamlDocument::readBackend(const SchemaSource &Source, SchemaFolder &Folder,
                               const TextOfPath &Texts) {
  Loaded = Folder.operators(Source, Texts, Failure);
  if (!Loaded)
    return;
  if (!Loaded->usable()) {
    const Finding &First = Loaded->Diags.all().front();
    Failure = "'" + Loaded->Files.name(First.At.File).str() +
              "' has errors; the first is on line " + std::to_string(First.At.Line);
    Loaded.reset();
    return;
  }
  Ops = Loaded->Ops.get();
  OwnFiles = std::make_unique<SourceFiles>(&Loaded->Files);
  Files = OwnFiles.get();
  SourceId File = OwnFiles->add(Path, *Text);
  Backend = loadBackend(File, *OwnFiles, *Ops, Found, Source.Project.BackendLayouts);
  if (Backend && !Found.hasErrors())
    checkBackendAutograd(*Backend, Found);
}

} // namespace opsig
