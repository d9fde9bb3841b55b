//===- CheckSetup.cpp - What a run over files works on ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/CheckSetup.h"
#include "check/CompileDbLocator.h"
#include "check/OwnHeaders.h"
#include "check/StubHeaders.h"
#include "check/TorchIncludeDirs.h"
#include "check/UncheckedBackends.h"

namespace opsig {

static llvm::Expected<ProjectConfig> projectConfig(const CheckArguments &Arguments) {
  SourceFiles Files;
  Findings Diags;
  llvm::Expected<ProjectConfig> Config =
      Arguments.Root.empty() ? nearestProjectConfig(startFolder(Arguments.Inputs), Files, Diags)
                             : projectConfigOf(Arguments.Root, Files, Diags);
  printDiagnostics(llvm::errs(), Diags, Files, OutputFormat::Text);
  return Config;
}

using FindSource = llvm::function_ref<llvm::Expected<SchemaSource>(
    ProjectConfig Config, const std::optional<TorchHeaders> &Headers)>;

static llvm::Expected<CheckSetup> setUp(const CheckOptions &Options,
                                        const CheckArguments &Arguments, llvm::raw_ostream &Log,
                                        FindSource Find) {
  llvm::Expected<ProjectConfig> Config = projectConfig(Arguments);
  if (!Config)
    return Config.takeError();
  llvm::Expected<CheckSettings> Settings = chooseSettings(Options, Arguments.Flags, *Config);
  if (!Settings)
    return Settings.takeError();
  bool ReadsFiles = !Arguments.Inputs.empty() || Arguments.AllListed;
  if (ReadsFiles && !Settings->Compile.givesFlags())
    Settings->Compile.BuildDir = findBuild(Arguments.Inputs, Log);
  // Facts are of files, too: what a folder that was named says of those counts.
  ReadsFiles |= Arguments.Joins && !Options.BuildDir.empty();
  if (Arguments.AllListed && Settings->Compile.BuildDir.empty())
    return llvm::createStringError("--all needs -p BUILD, or 'build' in .opsig.yaml");
  llvm::Expected<CompileCommands> Commands =
      ReadsFiles ? compileCommands(Settings->Compile) : CompileCommands::fixed({});
  if (!Commands)
    return Commands.takeError();

  std::vector<std::string> Listed = Commands->files();
  InputFiles Inputs =
      expandInputs({Arguments.Inputs, Arguments.AllListed, Settings->Excluded}, Listed);

  // Where nobody gives flags, what the system's folders have is no choice of the user's.
  std::optional<TorchHeaders> Headers;
  if (Settings->Compile.givesFlags())
    Headers = TorchIncludeDirs().ofMost(Inputs.Files.empty() ? Listed : Inputs.Files, *Commands);
  llvm::Expected<SchemaSource> Source = Find(std::move(*Config), Headers);
  if (!Source)
    return Source.takeError();
  Inputs.Python.Registrars = Source->Project.PythonRegistrars;
  std::vector<std::string> Sources = Inputs.Files;
  llvm::append_range(Sources, Listed);
  if (Sources.empty())
    Sources = Inputs.Python.Files;
  auto Project =
      std::make_shared<ProjectFiles>(Sources, Settings->Compile.BuildDir, Arguments.Root);
  Inputs.Python.Untrusted = Project->checkout();
  addTorchHeaders(*Commands, Settings->Compile, *Source);
  if (!Settings->Compile.givesFlags())
    addOwnHeaders(*Commands, Inputs.Files, {Project, partWithBackend(Inputs.Groups, *Project)},
                  Log);
  addStubHeaders(*Commands);
  if (Options.NoSandbox)
    Commands->adjustJobs([](ParseJob &Job) { Job.Sandboxed = false; });
  return CheckSetup{std::move(*Source), std::move(*Settings), std::move(*Commands),
                    std::move(Inputs), std::move(Project)};
}

llvm::Expected<CheckSetup> setUpCheck(const SchemaOptions &Schema, const CheckOptions &Options,
                                      const CheckArguments &Arguments, llvm::raw_ostream &Log) {
  return setUp(Options, Arguments, Log, [&](ProjectConfig Config, const auto &Headers) {
    auto Source = findSchemas(Schema.settings(), std::move(Config), Headers);
    if (Source)
      reportAbout(*Source, Log);
    return Source;
  });
}

llvm::Expected<CheckSetup> setUpCheck(const SchemaSource &Schemas, const CheckOptions &Options,
                                      const CheckArguments &Arguments, llvm::raw_ostream &Log) {
  return setUp(Options, Arguments, Log,
               [&](ProjectConfig Config, const auto &) -> llvm::Expected<SchemaSource> {
                 SchemaSource Source = Schemas;
                 Source.Project = std::move(Config);
                 return Source;
               });
}

} // namespace opsig
