//===- SchemaCache.cpp - Schemas for many files of one process --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Tidy/SchemaCache.h"
#include "opsig/Torchgen/Torchgen.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace opsig;
using namespace llvm;

/// An editor may have several projects open; more than a few would only take memory.
static constexpr size_t MaxEntries = 4;

static std::vector<std::string> filesOf(const SchemaSource &Source) {
  std::vector<std::string> Files{Source.NativeFunctions, Source.Tags};
  append_range(Files, Source.Backends);
  if (Source.Facts)
    for (const ListFact &List : Source.Facts->lists())
      if (!List.Read.File.empty() && !is_contained(Files, List.Read.File))
        Files.push_back(List.Read.File);
  return Files;
}

static std::string stampsOf(ArrayRef<std::string> Files) {
  std::string Stamps;
  for (const std::string &File : Files) {
    sys::fs::file_status Status;
    if (sys::fs::status(File, Status))
      Stamps += "-;";
    else
      Stamps += (Twine(Status.getSize()) + "@" +
                 Twine(Status.getLastModificationTime().time_since_epoch().count()) + ";")
                    .str();
  }
  return Stamps;
}

static void load(const SchemaSource &Source, CheckedSchemas &Out) {
  Expected<std::unique_ptr<LoadedSchemas>> Loaded = loadSchemas(Source);
  if (!Loaded) {
    Out.Failure = toString(Loaded.takeError());
    return;
  }
  Out.Schemas = std::move(*Loaded);
  if (Out.Schemas->usable())
    Out.Checker = std::make_unique<ProjectChecker>(*Out.Schemas->Ops, Out.Schemas->Backends);
}

bool SchemaCache::claim(StringRef Warning) {
  std::lock_guard Lock(Mutex);
  return Claimed.insert(Warning).second;
}

SchemasOfFile SchemaCache::get(const SchemaSettings &Settings, StringRef StartDir,
                               ArrayRef<std::string> TorchFolders) {
  auto Fresh = std::make_shared<CheckedSchemas>();
  SchemaSource Source;
  std::vector<std::string> Files;
  std::vector<std::string> Warnings;
  std::optional<TorchHeaders> Headers = findTorchHeaders(TorchFolders);
  SchemaSettings Here = Settings;
  Here.Dir = StartDir.str();
  Expected<ProjectConfig> Config =
      nearestProjectConfig(StartDir, Fresh->ConfigFiles, Fresh->ConfigDiags);
  Expected<SchemaSource> Found =
      Config ? findSchemas(Here, std::move(*Config), Headers) : Config.takeError();
  if (Found) {
    Source = std::move(*Found);
    Files = filesOf(Source);
    Warnings = Source.Warnings;
    if (std::string Two = Headers ? warnOfHeaders(Source, *Headers) : ""; !Two.empty())
      Warnings.push_back(std::move(Two));
  } else {
    Fresh->Failure = toString(Found.takeError());
  }
  std::string Paths =
      Source.D ? join(Files, ";") + ";" + Source.D->Name.str() + ";" + Source.UnknownRelease
               : "!" + Fresh->Failure;

  // Held while schemas are read: whoever waits for it wants the same ones.
  std::lock_guard Lock(Mutex);
  std::string Stamps = stampsOf(Files);
  auto Known = find_if(Entries, [&](const Entry &E) { return E.Paths == Paths; });
  if (Known != Entries.end() && Known->Stamps == Stamps) {
    std::rotate(Known, Known + 1, Entries.end());
    return {Entries.back().Schemas, std::move(Source.Project), std::move(Warnings)};
  }
  if (Known != Entries.end())
    Entries.erase(Known);
  if (Source.D)
    load(Source, *Fresh);
  if (Entries.size() == MaxEntries)
    Entries.erase(Entries.begin());
  Entries.push_back({std::move(Paths), std::move(Stamps), Fresh});
  return {Fresh, std::move(Source.Project), std::move(Warnings)};
}
