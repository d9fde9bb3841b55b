//===- ReleaseInput.cpp - A release that is named by a root or by its YAML --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReleaseInternal.h"
#include "opsig/Support/Finding.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Workspace/ReleaseInput.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace opsig {

namespace {

std::string beside(llvm::StringRef File, llvm::StringRef Name) {
  std::string Path = joinedPath(path::parent_path(File), Name);
  return fs::exists(Path) ? Path : "";
}

size_t errorsIn(const Findings &Diags) {
  return llvm::count_if(Diags.all(), [](const Finding &D) { return D.Severity == Level::Error; });
}

/// The oldest dialect in which the YAML has the fewest errors: an older release lacks what the file
/// makes use of, in a newer one nothing may be missed.
llvm::Expected<const Dialect *> fittingDialect(const SchemaSource &Source) {
  SourceFiles Files;
  llvm::Expected<SourceId> Yaml = Files.open(Source.NativeFunctions);
  if (!Yaml)
    return Yaml.takeError();
  SourceId Tags = SourceId::None;
  if (!Source.Tags.empty()) {
    llvm::Expected<SourceId> Opened = Files.open(Source.Tags);
    if (!Opened)
      return Opened.takeError();
    Tags = *Opened;
  }
  const Dialect *Best = nullptr;
  size_t Fewest = 0;
  for (const Dialect *D : allDialects()) {
    Findings Diags;
    loadOperators(*Yaml, Tags, Files, *D, Diags);
    size_t Errors = errorsIn(Diags);
    if (!Best || Errors < Fewest) {
      Best = D;
      Fewest = Errors;
    }
    if (Errors == 0)
      break;
  }
  return Best;
}

/// The root that has \p File as its native_functions.yaml.
std::optional<TreeVersion> rootOf(llvm::StringRef File) {
  std::optional<TreeVersion> Above = torchVersionAbove(path::parent_path(File));
  if (!Above)
    return std::nullopt;
  for (llvm::StringRef Layout : TorchRootLayouts) {
    std::string Own = joinedPath(joinedPath(Above->Dir, Layout), "native/native_functions.yaml");
    if (fs::equivalent(Own, File))
      return Above;
  }
  return std::nullopt;
}

llvm::Expected<SchemaSource> sourceOfYaml(const ReleaseInput &Input) {
  SchemaSource Source;
  Source.Spell = Input.Spell;
  Source.NativeFunctions = Input.Path;
  Source.Tags = beside(Input.Path, "tags.yaml");
  ReleaseQuestion Question;
  if (std::optional<TreeVersion> Root = rootOf(Input.Path)) {
    Source.TorchRoot = Root->Dir;
    Question.OfRoot = Root->Version;
  }
  std::string Version = Input.Version;
  if (Version.empty() && !Question.OfRoot) {
    llvm::Expected<const Dialect *> Fitting = fittingDialect(Source);
    if (!Fitting)
      return Fitting.takeError();
    Version = (*Fitting)->Name.str();
    Source.Notes.push_back("'" + Input.Path +
                           "' does not name its release; opsig reads it as PyTorch " + Version +
                           ", the oldest release whose rules the file follows");
  }
  if (!Version.empty()) {
    Question.Expected = readTorchVersion(Version);
    if (!Question.Expected)
      return llvm::createStringError(
          "invalid PyTorch version '" + Version + "' (" + Input.Spell("torch", "") +
          "); expected MAJOR.MINOR, such as " + allDialects().back()->Name.str());
  }
  if (!Input.Version.empty())
    Question.From = Input.Spell("torch", "");
  chooseRelease(Question, Source);
  if (!Source.UnknownRelease.empty())
    Source.Warnings.push_back(Source.UnknownRelease + withoutSetting(Source));
  return Source;
}

llvm::Expected<SchemaSource> sourceOf(const ReleaseInput &Input) {
  if (!fs::is_directory(Input.Path)) {
    if (!fs::exists(Input.Path))
      return llvm::createStringError("no file or folder '" + Input.Path + "' (" +
                                     Input.Spell("torch-root", "") +
                                     "); expected the folder of a PyTorch installation or source "
                                     "tree, or its native_functions.yaml" +
                                     (readTorchVersion(Input.Path) ? ", not a version" : ""));
    return sourceOfYaml(Input);
  }
  SchemaSettings Settings;
  Settings.TorchRoot = Input.Path;
  Settings.Torch = Input.Version;
  Settings.Spell = Input.Spell;
  return findSchemas(Settings, ProjectConfig(), std::nullopt);
}

std::string deprecatedYaml(const SchemaSource &Source) {
  std::string Next = beside(Source.NativeFunctions, "deprecated.yaml");
  for (llvm::StringRef Tail :
       {"torchgen/packaged/autograd/deprecated.yaml", "tools/autograd/deprecated.yaml"}) {
    std::string Path = joinedPath(Source.TorchRoot, Tail);
    if (Next.empty() && !Source.TorchRoot.empty() && fs::exists(Path))
      Next = Path;
  }
  return Next;
}

/// The layouts that the .opsig.yaml of a backend's YAML describes.
llvm::Expected<std::vector<BackendLayout>> layoutsFor(llvm::StringRef Yaml) {
  SourceFiles Files;
  Findings Diags;
  llvm::StringRef Folder = path::parent_path(Yaml);
  llvm::Expected<ProjectConfig> Config =
      nearestProjectConfig(Folder.empty() ? "." : Folder, Files, Diags);
  if (Config)
    return std::move(Config->BackendLayouts);
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  for (const Finding &D : Diags.all())
    printText(OS << '\n', D, Files);
  return llvm::createStringError(llvm::toString(Config.takeError()) + Text);
}

} // namespace

llvm::Expected<LoadedRelease> loadRelease(const ReleaseInput &Input,
                                          std::vector<std::string> Backends) {
  llvm::Expected<SchemaSource> Source = sourceOf(Input);
  if (!Source)
    return Source.takeError();
  for (const std::string &Backend : Backends) {
    llvm::Expected<std::vector<BackendLayout>> Layouts = layoutsFor(Backend);
    if (!Layouts)
      return Layouts.takeError();
    llvm::append_range(Source->Project.BackendLayouts, *Layouts);
  }
  Source->Backends = std::move(Backends);
  llvm::Expected<std::unique_ptr<LoadedSchemas>> Schemas = loadSchemas(*Source);
  if (!Schemas)
    return Schemas.takeError();
  LoadedRelease Out{std::move(*Source), std::move(*Schemas), std::nullopt};
  std::string Path = deprecatedYaml(Out.Source);
  if (Path.empty())
    return Out;
  llvm::Expected<SourceId> File = Out.Schemas->Files.open(Path);
  if (!File)
    return File.takeError();
  Findings &Diags = Out.Source.IsInstalled ? Out.Schemas->OfPyTorch : Out.Schemas->Diags;
  Out.Deprecated = readDeprecatedFunctions(*File, Out.Schemas->Files, *Out.Source.D, Diags);
  return Out;
}

} // namespace opsig
