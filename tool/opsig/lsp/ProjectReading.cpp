//===- ProjectReading.cpp - The sources of a project, read beside -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/CompileDbLocator.h"
#include "check/StubHeaders.h"
#include "check/TorchIncludeDirs.h"
#include "lsp/ProjectReading.h"
#include "opsig/Frontend/ReadingCache.h"
#include "opsig/Frontend/UnitReader.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Support/ReadFile.h"
#include "opsig/Workspace/ProjectFiles.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Threading.h"
#include <thread>

namespace path = llvm::sys::path;

namespace opsig {

namespace {

/// So many files are read before what they hold is told.
constexpr size_t FilesAtATime = 16;

struct ProjectSources {
  SchemaSource Source;
  CompileCommands Commands;
  std::string BuildDir;
};

/// Nothing where no compile commands list any file: a project is what is built together.
std::optional<ProjectSources> findProject(const std::string &Path, const std::string &BuildDir) {
  SourceFiles Files;
  Findings Diags; // who opens files is told by the checks
  llvm::Expected<ProjectConfig> Config =
      nearestProjectConfig(path::parent_path(Path), Files, Diags);
  if (!Config) {
    llvm::consumeError(Config.takeError());
    return std::nullopt;
  }
  CompileSettings Compile;
  Compile.BuildDir = !BuildDir.empty() ? BuildDir : Config->Build;
  if (Compile.BuildDir.empty())
    Compile.BuildDir = findBuild({Path}, llvm::nulls());
  // The YAML of a backend is in no list.
  if (Compile.BuildDir.empty())
    Compile.BuildDir = findBuild({path::parent_path(Path).str()}, llvm::nulls());
  if (Compile.BuildDir.empty())
    return std::nullopt;
  llvm::Expected<CompileCommands> Commands = CompileCommands::load(Compile.BuildDir);
  if (!Commands) {
    llvm::consumeError(Commands.takeError());
    return std::nullopt;
  }
  std::optional<TorchHeaders> Headers = TorchIncludeDirs().ofMost(Commands->files(), *Commands);
  SchemaSettings Settings;
  Settings.Dir = path::parent_path(Path).str();
  llvm::Expected<SchemaSource> Source = findSchemas(Settings, std::move(*Config), Headers);
  if (!Source) {
    llvm::consumeError(Source.takeError());
    return std::nullopt;
  }
  addTorchHeaders(*Commands, Compile, *Source);
  addStubHeaders(*Commands);
  return ProjectSources{std::move(*Source), std::move(*Commands), Compile.BuildDir};
}

/// The words by which a source may hold something: what registers, and the classes and namespaces
/// of kernels.
std::vector<std::string> wordsOf(const ParseOptions &Options) {
  std::vector<std::string> Words{"TORCH_LIBRARY", "RegisterOperators", "torch::Library"};
  for (llvm::StringRef Scope : Options.Scopes)
    Words.push_back(Scope.rsplit("::").second.empty() ? Scope.str()
                                                      : Scope.rsplit("::").second.str());
  return Words;
}

bool mentions(const std::string &File, const std::vector<std::string> &Words) {
  auto Text = readWholeFile(File);
  if (!Text) {
    llvm::consumeError(Text.takeError());
    return false;
  }
  return llvm::any_of(Words,
                      [&](const std::string &Word) { return (*Text)->getBuffer().contains(Word); });
}

} // namespace

void ProjectReading::openedFile(llvm::StringRef Path) {
  {
    std::lock_guard Lock(Mutex);
    if (Path.empty() || !Folders.insert(path::parent_path(Path).str()).second)
      return;
  }
  std::thread([this, Path = Path.str()] {
    // Soon done, and findings wait for it.
    if (Python)
      readPythonOf(Path);
    llvm::set_thread_priority(llvm::ThreadPriority::Background);
    read(Path);
  }).detach();
}

void ProjectReading::readPythonOf(const std::string &Path) {
  ProjectFiles Project({Path}, "");
  {
    std::lock_guard Lock(Mutex);
    if (!Roots.insert(Project.root().str()).second)
      return;
  }
  SourceFiles Files;
  Findings Diags; // what is wrong in .opsig.yaml is reported by the checks
  llvm::Expected<ProjectConfig> Config =
      nearestProjectConfig(path::parent_path(Path), Files, Diags);
  if (!Config)
    return llvm::consumeError(Config.takeError());
  PythonInputs Inputs = expandInputs({{Project.root().str()}, false, {}}, {}).Python;
  Inputs.Registrars = Config->PythonRegistrars;
  Inputs.Untrusted = Project.checkout();
  // Without schemas: a file that is opened has its own.
  for (UnitFacts &Unit : Python(Inputs)) {
    auto Facts = std::make_shared<SourceFacts>();
    Facts->Path = absolutePath(Unit.MainFile);
    Facts->Unit = std::move(Unit);
    Board->putFile(std::move(Facts));
  }
  if (Told)
    Told();
}

void ProjectReading::read(const std::string &Path) {
  std::optional<ProjectSources> Of = findProject(Path, BuildDir);
  if (!Of)
    return;
  {
    std::lock_guard Lock(Mutex);
    if (!Builds.insert(Of->BuildDir).second)
      return;
  }
  llvm::Expected<std::unique_ptr<LoadedSchemas>> Loaded = loadSchemas(Of->Source);
  if (!Loaded)
    return llvm::consumeError(Loaded.takeError());
  std::shared_ptr<const LoadedSchemas> Schemas = std::move(*Loaded);
  if (!Schemas->usable())
    return;
  auto Checker = std::make_shared<const ProjectChecker>(*Schemas->Ops, Schemas->Backends);
  std::vector<std::string> Files = Of->Commands.files();
  ParseOptions Options = Checker->parseOptions(std::make_shared<ProjectFiles>(Files, Of->BuildDir));
  std::vector<std::string> Words = wordsOf(Options);
  UnitReader Reader({defaultReadingCache(), Opsig, /*Prefixes=*/true, /*Threads=*/1});
  std::vector<ParseJob> Jobs;
  auto ReadJobs = [&] {
    for (UnitFacts &Unit : Reader.read(Jobs, Options)) {
      auto Facts = std::make_shared<SourceFacts>();
      Facts->Path = Unit.MainFile;
      Facts->Unit = std::move(Unit);
      Facts->Schemas = Schemas;
      Facts->Checker = Checker;
      Board->putFile(std::move(Facts));
    }
    Jobs.clear();
    if (Told)
      Told();
  };
  for (const std::string &File : Files) {
    if (mentions(File, Words))
      Jobs.push_back(Of->Commands.job(File));
    if (Jobs.size() == FilesAtATime)
      ReadJobs();
  }
  if (!Jobs.empty())
    ReadJobs();
}

} // namespace opsig
