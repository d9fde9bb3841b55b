//===- GenBackend.cpp - opsig gen backend -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// backend YAML + schemas + templates => <Key>NativeFunctions.h, Register<Key>.cpp,
// RegisterAutograd<Key>.cpp
//
// Drop-in for torchgen.gen_backend_stubs: its options, and the bytes it writes.
//
//===----------------------------------------------------------------------===//
#include "Subcommands.h"
#include "check/KernelCheck.h"
#include "opsig/Codegen/BackendStubs.h"
#include "opsig/Support/OutputTree.h"
#include "opsig/Support/ReadFile.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;

namespace opsig {

namespace {

/// An option that has torchgen's spelling with underscores and one with dashes. As with torchgen,
/// the last of several counts.
class TwoSpellings {
public:
  TwoSpellings(cl::SubCommand &Sub, llvm::StringRef Underscored, llvm::StringRef Dashed,
               llvm::StringRef Value, llvm::StringRef What)
      : Option(Underscored, cl::sub(Sub), cl::value_desc(Value), cl::desc(What), cl::ZeroOrMore,
               cl::ValueRequired),
        Dashes(Dashed, cl::aliasopt(Option), cl::desc("")) {}

  llvm::StringRef value() const { return Option.getValue(); }
  cl::opt<std::string> Option;

private:
  cl::alias Dashes;
};

class GenBackendCommand : public Subcommand {
public:
  llvm::StringRef words() const override { return "gen backend"; }
  llvm::StringRef operands() const override { return "--source_yaml FILE --output_dir DIR"; }
  cl::SubCommand &parser() override { return Sub; }
  int run(const std::vector<std::string> &AfterDashes) override;

private:
  std::unique_ptr<LoadedSchemas> load(SchemaSource &Source);
  llvm::Expected<TemplateSet> loadTemplates(const SchemaSource &Source, SourceFiles &Files) const;
  /// --impl_path: whether its kernels are what the backend's YAML says; prints what is not.
  ExitStatus checkImplementation(const std::vector<std::string> &Flags, const SchemaSource &Source,
                                 LoadedSchemas &Loaded) const;
  llvm::Error write(std::vector<GeneratedFile> Generated) const;

  cl::SubCommand Sub{"gen-backend", "Write declarations, wrappers and registrations of a backend"};
  SchemaOptions Schemas{Sub};
  TwoSpellings SourceYaml{Sub, "source_yaml", "source-yaml", "FILE", "The backend's YAML"};
  TwoSpellings OutputDir{Sub, "output_dir", "output-dir", "DIR",
                         "Where the files go; printed into an #include as it is spelled"};
  TwoSpellings ImplPath{Sub, "impl_path", "impl-path", "FILE",
                        "A source with the kernels, to be checked before anything is written"};
  TwoSpellings DryRun{Sub, "dry_run", "dry-run", "VALUE",
                      "Any text: read and check everything, but write nothing"};
  cl::alias ShortSource{"s", cl::aliasopt(SourceYaml.Option), cl::Prefix, cl::NotHidden,
                        cl::desc("Alias for --source_yaml")};
  cl::alias ShortOutput{"o", cl::aliasopt(OutputDir.Option), cl::Prefix, cl::NotHidden,
                        cl::desc("Alias for --output_dir")};
  cl::opt<std::string> TemplateDir{"template-dir", cl::sub(Sub), cl::value_desc("DIR"),
                                   cl::desc("Templates to use instead of the torch root's")};
  cl::opt<bool> EmbeddedTemplates{
      "embedded-templates", cl::sub(Sub),
      cl::desc("Use opsig's own templates, also where the torch root has some")};
  cl::opt<std::string> BuildDir{"p", cl::sub(Sub), cl::value_desc("BUILD"),
                                cl::desc("Folder with compile_commands.json, for --impl_path")};
};

std::unique_ptr<LoadedSchemas> GenBackendCommand::load(SchemaSource &Source) {
  llvm::StringRef StartDir = llvm::sys::path::parent_path(SourceYaml.value());
  llvm::Expected<SchemaSource> Found =
      findSchemas(Schemas, StartDir.empty() ? "." : StartDir, llvm::errs());
  if (!Found) {
    complain(Found.takeError());
    return nullptr;
  }
  Source = std::move(*Found);
  if (!SourceYaml.value().empty())
    Source.Backends = {SourceYaml.value().str()};
  return loadForGenerator(Source, Schemas.Verbose);
}

llvm::Expected<TemplateSet> GenBackendCommand::loadTemplates(const SchemaSource &Source,
                                                             SourceFiles &Files) const {
  std::string Dir = TemplateDir.empty() ? Source.Templates : TemplateDir;
  if (EmbeddedTemplates || Dir.empty()) {
    TemplateSet Templates(TemplateOrigin::Embedded, Files);
    for (const EmbeddedTemplate &T : embeddedTemplates())
      Templates.add(T.Name, Files.add("<opsig>/" + T.Name.str(), T.Text.str()));
    return Templates;
  }
  TemplateSet Templates(TemplateOrigin::Files, Files);
  for (llvm::StringRef Name : backendTemplateNames()) {
    llvm::SmallString<128> Path(Dir);
    llvm::sys::path::append(Path, Name);
    auto Buffer = readWholeFile(Path);
    if (!Buffer)
      return Buffer.takeError();
    Templates.add(Name, Files.add(Path, withUniversalNewlines((*Buffer)->getBuffer())));
  }
  return Templates;
}

ExitStatus GenBackendCommand::checkImplementation(const std::vector<std::string> &Flags,
                                                  const SchemaSource &Source,
                                                  LoadedSchemas &Loaded) const {
  CompileSettings Settings = {Flags, BuildDir, /*Threads=*/0};
  if (llvm::Error Err = checkKernels(ImplPath.value().str(), Settings, Source, Loaded)) {
    complain(std::move(Err));
    return ExitUnusable;
  }
  printDiagnostics(llvm::outs(), Loaded.Diags, Loaded.Files, OutputFormat::Text);
  return Loaded.Diags.empty() ? ExitClean : ExitFindings;
}

llvm::Error GenBackendCommand::write(std::vector<GeneratedFile> Generated) const {
  OutputTree Tree;
  for (GeneratedFile &File : Generated)
    Tree.add((OutputDir.value() + "/" + File.Name).str(), std::move(File.Text));
  return Tree.commit().takeError();
}

int GenBackendCommand::run(const std::vector<std::string> &AfterDashes) {
  auto Unusable = [](llvm::Error Err) {
    complain(std::move(Err));
    return ExitUnusable;
  };
  if (OutputDir.value().empty())
    return Unusable(llvm::createStringError("gen backend needs --output_dir DIR"));
  if (EmbeddedTemplates && !TemplateDir.empty())
    return Unusable(
        llvm::createStringError("--embedded-templates and --template-dir exclude each other"));

  SchemaSource Source;
  std::unique_ptr<LoadedSchemas> Loaded = load(Source);
  if (!Loaded)
    return ExitUnusable;
  if (Loaded->Backends.size() != 1)
    return Unusable(llvm::createStringError("gen backend needs one --source_yaml FILE"));
  llvm::Expected<TemplateSet> Templates = loadTemplates(Source, Loaded->Files);
  if (!Templates)
    return Unusable(Templates.takeError());

  BackendStubInput Input{*Loaded->Ops, Loaded->Backends.front(), *Templates,
                         OutputDir.value().str()};
  std::vector<GeneratedFile> Files = generateBackendStubs(Input, Loaded->Diags);
  if (Loaded->Diags.hasErrors()) {
    printDiagnostics(llvm::errs(), Loaded->Diags, Loaded->Files, OutputFormat::Text);
    return ExitUnusable;
  }
  if (!ImplPath.value().empty())
    if (ExitStatus Status = checkImplementation(AfterDashes, Source, *Loaded))
      return Status;
  if (!DryRun.value().empty())
    return ExitClean;
  if (llvm::Error Err = write(std::move(Files)))
    return Unusable(std::move(Err));
  return ExitClean;
}

} // namespace

std::unique_ptr<Subcommand> makeGenBackendCommand() {
  return std::make_unique<GenBackendCommand>();
}

} // namespace opsig
