//===- SourceWorlds.cpp - The sources of the tests, as the fuzzer takes them -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SourceWorlds.h"
#include "opsig/Workspace/Schemas.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

using namespace opsig;
using namespace opsig::fuzz;

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

using Texts = std::map<std::string, std::string>;

std::string readText(llvm::StringRef Path) {
  auto Text = llvm::MemoryBuffer::getFile(Path);
  return Text ? (*Text)->getBuffer().str() : "";
}

/// The files below \p Folder with one of \p Extensions, in alphabetical order.
std::vector<std::string> filesIn(llvm::StringRef Folder,
                                 llvm::ArrayRef<llvm::StringRef> Extensions) {
  std::vector<std::string> Found;
  std::error_code Error;
  for (fs::recursive_directory_iterator At(Folder, Error), End; At != End && !Error;
       At.increment(Error))
    if (llvm::is_contained(Extensions, path::extension(At->path())))
      Found.push_back(At->path());
  llvm::sort(Found);
  return Found;
}

/// As split-file cuts a test.
Texts splitFile(llvm::StringRef Text) {
  Texts Parts;
  std::string *Part = nullptr;
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\n');
    if (Line.starts_with("#--- "))
      Part = &Parts[Line.drop_front(5).trim().str()];
    else if (Part)
      *Part += Line.str() + "\n";
    Text = Rest;
  }
  return Parts;
}

const Dialect &dialectOf(llvm::StringRef Test) {
  llvm::SmallVector<llvm::StringRef> Matches;
  llvm::VersionTuple Version(1, 13);
  if (llvm::Regex("--torch ([0-9.]+)").match(Test, &Matches))
    Version.tryParse(Matches[1]);
  return *chooseDialect(Version).Chosen;
}

bool loadBackends(const Texts &Parts, World &W, Findings &Diags) {
  for (const auto &[Name, Text] : Parts)
    if (llvm::StringRef(Text).starts_with("backend:")) {
      auto Backend = loadBackend(W.Files.add("/mem/" + Name, Text), W.Files, *W.Ops, Diags);
      if (!Backend)
        return false;
      W.Backends.push_back(std::move(*Backend));
    }
  return true;
}

void addWorld(std::unique_ptr<World> W, const Texts &Parts, llvm::StringRef Root, Corpus &Into) {
  W->Checker = std::make_unique<ProjectChecker>(*W->Ops, W->Backends);
  for (llvm::StringRef Flag : {"-std=c++17", "-w", "-nostdinc++", "-isystem"})
    W->Flags.push_back(Flag.str());
  W->Flags.push_back((Root + "/test/Inputs/torch").str());
  for (const auto &[Name, Text] : Parts) {
    llvm::StringRef Extension = path::extension(Name);
    if (Extension == ".h")
      W->Headers.push_back({"/mem/" + Name, Text});
    else if (Extension == ".cpp")
      Into.Sources.push_back({W.get(), "/mem/" + Name, Text, {}});
  }
  Into.Worlds.push_back(std::move(W));
}

void addTest(llvm::StringRef Test, llvm::StringRef Root, Corpus &Into) {
  Texts Parts = splitFile(Test);
  if (!Parts.count("native.yaml") || !Parts.count("tags.yaml"))
    return;
  auto W = std::make_unique<World>();
  SourceId Native = W->Files.add("/mem/native.yaml", Parts["native.yaml"]);
  SourceId Tags = W->Files.add("/mem/tags.yaml", Parts["tags.yaml"]);
  Findings Diags;
  W->Ops = loadOperators(Native, Tags, W->Files, dialectOf(Test), Diags);
  if (!W->Ops || Diags.hasErrors() || !loadBackends(Parts, *W, Diags) || Diags.hasErrors())
    return;
  if (Test.contains("-DTORCH_STD_OPTIONAL"))
    W->Flags.push_back("-DTORCH_STD_OPTIONAL");
  addWorld(std::move(W), Parts, Root, Into);
}

/// Real kernels. Of their headers only the small world's are there, so that most of them are read
/// in part.
void addExample(llvm::StringRef Root, Corpus &Into) {
  std::string Folder = (Root + "/docs/example-backend").str();
  SchemaSettings Settings;
  Settings.Backends = {Folder + "/demo.yaml"};
  auto W = std::make_unique<World>();
  Findings Diags;
  llvm::Expected<SchemaSource> Source = findSchemas(Settings, "/", W->Files, Diags);
  if (!Source)
    return llvm::consumeError(Source.takeError());
  SourceId Native = W->Files.add("/mem/native.yaml", readText(Source->NativeFunctions));
  SourceId Tags = W->Files.add("/mem/tags.yaml", readText(Source->Tags));
  W->Facts = Source->Facts;
  W->Ops = loadOperators(Native, Tags, W->Files, *Source->D, Diags);
  Texts Parts;
  for (const std::string &File : filesIn(Folder, {".cpp", ".h", ".yaml"}))
    Parts[path::filename(File).str()] = readText(File);
  if (!W->Ops || Diags.hasErrors() || !loadBackends(Parts, *W, Diags) || Diags.hasErrors())
    return;
  addWorld(std::move(W), Parts, Root, Into);
}

} // namespace

Corpus opsig::fuzz::loadCorpus(llvm::StringRef Root) {
  Corpus All;
  for (llvm::StringRef Folder : {"/test/Check", "/test/Frontend"})
    for (const std::string &File : filesIn((Root + Folder).str(), {".test"}))
      addTest(readText(File), Root, All);
  addExample(Root, All);
  return All;
}
