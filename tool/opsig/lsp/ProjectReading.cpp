//===- ProjectReading.cpp - The sources of a project, read beside -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/CompileDbLocator.h"
#include "check/OwnHeaders.h"
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
  CompileSettings Compile;
  CompileCommands Commands;
  std::vector<std::string> Files;
  /// The build folder, or the root where there is none.
  std::string Name;
};

/// What .opsig.yaml says, or the build folder whose compile commands list sources of the project,
/// of
/// \p Path before others.
CompileSettings settingsOf(const std::string &Path, llvm::StringRef Root,
                           const ProjectReading::Setup &Setup, const ProjectConfig &Config) {
  CompileSettings Out;
  Out.BuildDir = !Setup.BuildDir.empty() ? Setup.BuildDir : Config.Build;
  if (Out.BuildDir.empty())
    Out.Flags = Config.Flags;
  // The YAML of a backend is in no list, but beside files that are; a Python file may be anywhere.
  std::vector<std::string> Near{Path, path::parent_path(Path).str()};
  if (isPython(Path))
    Near.push_back(Root.str());
  for (const std::string &Named : Near)
    if (!Out.givesFlags())
      Out.BuildDir = findBuild({Named}, llvm::nulls());
  return Out;
}

/// Those that compile commands list or, where nothing lists any and \p Any, the sources of the
/// project, as `opsig check ROOT` has them.
std::optional<ProjectSources> sourcesOf(const ProjectFiles &Project, CompileSettings Compile,
                                        bool Any, const ProjectConfig &Config) {
  if (Compile.BuildDir.empty() && !Any)
    return std::nullopt;
  llvm::Expected<CompileCommands> Commands = compileCommands(Compile);
  if (!Commands) {
    llvm::consumeError(Commands.takeError());
    return std::nullopt;
  }
  std::vector<std::string> Files = Commands->files();
  std::string Name = Compile.BuildDir;
  if (Name.empty()) {
    Name = Project.root().str();
    Exclusions Excluded;
    Excluded.add(Config.Exclude, path::parent_path(Config.File));
    Files = expandInputs({{Name}, /*AllListed=*/false, std::move(Excluded)}, {}).Files;
  }
  return ProjectSources{{}, std::move(Compile), std::move(*Commands), std::move(Files), Name};
}

/// Has the commands find the headers of PyTorch and, where no flags were given, the project's.
void completeCommands(ProjectSources &Of, std::shared_ptr<const ProjectFiles> Project) {
  addTorchHeaders(Of.Commands, Of.Compile, Of.Source);
  if (!Of.Compile.givesFlags())
    addOwnHeaders(Of.Commands, Of.Files, ProjectIncludeDirs(std::move(Project)), llvm::nulls());
  addStubHeaders(Of.Commands);
}

/// Nothing where there are no sources to read, or no schemas to read them with.
std::optional<ProjectSources> findProject(const std::string &Path,
                                          const ProjectReading::Setup &Setup) {
  SourceFiles Files;
  Findings Diags; // who opens files is told by the checks
  llvm::Expected<ProjectConfig> Config =
      nearestProjectConfig(path::parent_path(Path), Files, Diags);
  if (!Config) {
    llvm::consumeError(Config.takeError());
    return std::nullopt;
  }
  auto Project = std::make_shared<const ProjectFiles>(std::vector<std::string>{Path}, "");
  std::optional<ProjectSources> Of =
      sourcesOf(*Project, settingsOf(Path, Project->root(), Setup, *Config),
                /*Any=*/isPython(Path), *Config);
  if (!Of)
    return std::nullopt;
  std::optional<TorchHeaders> Headers;
  if (Of->Compile.givesFlags())
    Headers = TorchIncludeDirs().ofMost(Of->Files, Of->Commands);
  SchemaSettings Settings = Setup.Schemas;
  Settings.Dir = path::parent_path(Path).str();
  llvm::Expected<SchemaSource> Source = findSchemas(Settings, std::move(*Config), Headers);
  if (!Source) {
    llvm::consumeError(Source.takeError());
    return std::nullopt;
  }
  Of->Source = std::move(*Source);
  completeCommands(*Of, std::move(Project));
  return Of;
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
    if (Path.empty() || !Folders.insert({path::parent_path(Path).str(), isPython(Path)}).second)
      return;
  }
  std::thread([this, Path = Path.str()] {
    // Soon done, and findings wait for it.
    if (Of.Python)
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
  for (UnitFacts &Unit : Of.Python(Inputs)) {
    auto Facts = std::make_shared<SourceFacts>();
    Facts->Path = absolutePath(Unit.MainFile);
    Facts->Unit = std::move(Unit);
    Of.Board->putFile(std::move(Facts));
  }
  if (Of.Told)
    Of.Told();
}

void ProjectReading::read(const std::string &Path) {
  std::optional<ProjectSources> Project = findProject(Path, Of);
  if (!Project)
    return;
  {
    std::lock_guard Lock(Mutex);
    if (!Builds.insert(Project->Name).second)
      return;
  }
  llvm::Expected<std::unique_ptr<LoadedSchemas>> Loaded = loadSchemas(Project->Source);
  if (!Loaded)
    return llvm::consumeError(Loaded.takeError());
  std::shared_ptr<const LoadedSchemas> Schemas = std::move(*Loaded);
  if (!Schemas->usable())
    return;
  auto Checker = std::make_shared<const ProjectChecker>(*Schemas->Ops, Schemas->Backends);
  ParseOptions Options = Checker->parseOptions(
      std::make_shared<ProjectFiles>(Project->Files, Project->Compile.BuildDir));
  std::vector<std::string> Words = wordsOf(Options);
  UnitReader Reader({defaultReadingCache(), Of.Opsig, /*Prefixes=*/true, /*Threads=*/1});
  std::vector<ParseJob> Jobs;
  auto ReadJobs = [&] {
    for (UnitFacts &Unit : Reader.read(Jobs, Options)) {
      auto Facts = std::make_shared<SourceFacts>();
      Facts->Path = Unit.MainFile;
      Facts->Unit = std::move(Unit);
      Facts->Schemas = Schemas;
      Facts->Checker = Checker;
      Of.Board->putFile(std::move(Facts));
    }
    Jobs.clear();
    if (Of.Told)
      Of.Told();
  };
  for (const std::string &File : Project->Files) {
    if (mentions(File, Words))
      Jobs.push_back(Project->Commands.job(File));
    if (Jobs.size() == FilesAtATime)
      ReadJobs();
  }
  if (!Jobs.empty())
    ReadJobs();
}

} // namespace opsig
