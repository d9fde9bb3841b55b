//===- GenBackend.cpp - opsig gen backend -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// backend YAML + schemas + templates => <Key>NativeFunctions.h, Register<Key>.cpp,
// RegisterAutograd<Key>.cpp
//
// Drop-in for torchgen.gen_backend_stubs: its options, and the bytes it writes.
//
//===----------------------------------------------------------------------===//
#include "Memory.h"
#include "Subcommands.h"
#include "check/KernelCheck.h"
#include "gen/Stamp.h"
#include "opsig/Codegen/BackendStubs.h"
#include "opsig/Support/OutputTree.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Support/ReadFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
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
  llvm::Error checkOptions() const;
  llvm::Expected<SchemaSource> findSource() const;
  /// The operators that the backend's YAML names; all, where there is something to say about them.
  SchemasOfRun loadFor(SchemaSource &Source) const;
  llvm::Expected<std::unique_ptr<Stamp>> beginStamp(const SchemaSource &Source) const;
  int generate(SchemaSource Source, Stamp &TheStamp, const std::vector<std::string> &Flags) const;
  /// PyTorch's templates; "" for opsig's own.
  std::string templateFolder(const SchemaSource &Source) const;
  llvm::Expected<TemplateSet> loadTemplates(const SchemaSource &Source, SourceFiles &Files) const;
  /// --impl_path: whether its kernels are what the backend's YAML says; prints what is not.
  ExitStatus checkImplementation(const std::vector<std::string> &Flags, const SchemaSource &Source,
                                 LoadedSchemas &Loaded) const;
  llvm::Error write(std::vector<GeneratedFile> Generated, Stamp &TheStamp,
                    const LoadedSchemas &Loaded) const;

  cl::SubCommand Sub{"gen-backend", "Write declarations, wrappers and registrations of a backend"};
  SchemaOptions Schemas{Sub};
  TwoSpellings SourceYaml{Sub, "source_yaml", "source-yaml", "FILE",
                          "Read the backend's YAML from FILE"};
  TwoSpellings OutputDir{Sub, "output_dir", "output-dir", "DIR",
                         "Write the files into this folder; generated #include lines contain the "
                         "path as spelled here"};
  TwoSpellings ImplPath{Sub, "impl_path", "impl-path", "FILE",
                        "Check the kernels in FILE before writing anything"};
  TwoSpellings DryRun{Sub, "dry_run", "dry-run", "VALUE",
                      "Read and check everything, but write nothing; VALUE can be any text"};
  cl::alias ShortSource{"s", cl::aliasopt(SourceYaml.Option), cl::Prefix, cl::NotHidden,
                        cl::desc("Alias for --source_yaml")};
  cl::alias ShortOutput{"o", cl::aliasopt(OutputDir.Option), cl::Prefix, cl::NotHidden,
                        cl::desc("Alias for --output_dir")};
  cl::opt<std::string> TemplateDir{
      "template-dir", cl::sub(Sub), cl::value_desc("DIR"),
      cl::desc("Read the templates from DIR; default: those of the torch root")};
  cl::opt<bool> EmbeddedTemplates{
      "embedded-templates", cl::sub(Sub),
      cl::desc("Use opsig's own templates, even if the torch root has some")};
  cl::opt<std::string> BuildDir{
      "p", cl::sub(Sub), cl::value_desc("BUILD"),
      cl::desc("With --impl_path: read compile_commands.json from this folder")};
  StampOption StampFile{Sub};
};

llvm::Expected<SchemaSource> GenBackendCommand::findSource() const {
  llvm::StringRef StartDir = llvm::sys::path::parent_path(SourceYaml.value());
  llvm::Expected<SchemaSource> Found =
      findSchemas(Schemas, StartDir.empty() ? "." : StartDir, llvm::errs());
  if (Found && !SourceYaml.value().empty())
    Found->Backends = {SourceYaml.value().str()};
  return Found;
}

SchemasOfRun GenBackendCommand::loadFor(SchemaSource &Source) const {
  // Kernels may be of any operator, and a pipe can be read once.
  if (ImplPath.value().empty() && !Source.Backends.empty() &&
      llvm::sys::fs::is_regular_file(Source.Backends.front())) {
    auto Yaml = readWholeFile(Source.Backends.front());
    llvm::SmallVector<llvm::StringRef> Words;
    if (Yaml)
      llvm::SplitString((*Yaml)->getBuffer(), Words, " \t\r\n,:[]{}'\"");
    else
      llvm::consumeError(Yaml.takeError());
    SchemasOfRun Loaded = loadFamilies(Source, Words, Schemas.Verbose);
    // A fork's layout may ask for operators in other ways than by name.
    if (Loaded && Loaded->Backends.size() == 1 && Loaded->Backends.front().Layout.empty())
      return Loaded;
  }
  return loadForGenerator(Source, Schemas.Verbose);
}

std::string GenBackendCommand::templateFolder(const SchemaSource &Source) const {
  if (EmbeddedTemplates)
    return "";
  return TemplateDir.empty() ? Source.Templates : TemplateDir;
}

llvm::Expected<std::unique_ptr<Stamp>>
GenBackendCommand::beginStamp(const SchemaSource &Source) const {
  if (!StampFile.given())
    return std::make_unique<Stamp>();
  StampRequest Request{StampFile.file(),
                       commandLine(),
                       schemaLookups(Source),
                       schemaInputs(Source),
                       {OutputDir.value().str()}};
  if (std::string Dir = templateFolder(Source); !Dir.empty())
    for (llvm::StringRef Name : backendTemplateNames())
      Request.Inputs.push_back(joinedPath(Dir, Name));
  return Stamp::of(std::move(Request));
}

llvm::Expected<TemplateSet> GenBackendCommand::loadTemplates(const SchemaSource &Source,
                                                             SourceFiles &Files) const {
  std::string Dir = templateFolder(Source);
  if (Dir.empty()) {
    TemplateSet Templates(TemplateOrigin::Embedded, Files);
    for (const EmbeddedTemplate &T : embeddedTemplates())
      Templates.add(T.Name, Files.add("<opsig>/" + T.Name.str(), T.Text.str()));
    return Templates;
  }
  TemplateSet Templates(TemplateOrigin::Files, Files);
  for (llvm::StringRef Name : backendTemplateNames()) {
    std::string Path = joinedPath(Dir, Name);
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
  CompileSettings Settings = {Flags, buildFolder(BuildDir), /*Threads=*/0};
  if (llvm::Error Err = checkKernels(ImplPath.value().str(), Settings, Source, Loaded)) {
    complain(std::move(Err));
    return ExitUnusable;
  }
  printDiagnostics(llvm::outs(), Loaded.Diags, Loaded.Files, OutputFormat::Text);
  return Loaded.Diags.empty() ? ExitClean : ExitFindings;
}

llvm::Error GenBackendCommand::write(std::vector<GeneratedFile> Generated, Stamp &TheStamp,
                                     const LoadedSchemas &Loaded) const {
  OutputTree Tree;
  for (GeneratedFile &File : Generated)
    Tree.add((OutputDir.value() + "/" + File.Name).str(), std::move(File.Text));
  return commitStamped(Tree, TheStamp, Loaded);
}

llvm::Error GenBackendCommand::checkOptions() const {
  if (OutputDir.value().empty())
    return llvm::createStringError("gen backend needs --output_dir DIR");
  if (EmbeddedTemplates && !TemplateDir.empty())
    return llvm::createStringError("--embedded-templates and --template-dir cannot be combined");
  if (StampFile.given() && !DryRun.value().empty())
    return llvm::createStringError("--stamp and --dry_run cannot be combined");
  // The kernels include files that nobody listed.
  if (StampFile.given() && !ImplPath.value().empty())
    return llvm::createStringError("--stamp and --impl_path cannot be combined");
  return llvm::Error::success();
}

int GenBackendCommand::run(const std::vector<std::string> &AfterDashes) {
  keepMemoryInLargePages();
  auto Unusable = [](llvm::Error Err) {
    complain(std::move(Err));
    return ExitUnusable;
  };
  if (llvm::Error Err = checkOptions())
    return Unusable(std::move(Err));
  llvm::Expected<SchemaSource> Source = findSource();
  if (!Source)
    return Unusable(Source.takeError());
  llvm::Expected<std::unique_ptr<Stamp>> Begun = beginStamp(*Source);
  if (!Begun)
    return Unusable(Begun.takeError());
  if (StampFile.spares(**Begun, Schemas))
    return ExitClean;
  return generate(std::move(*Source), **Begun, AfterDashes);
}

int GenBackendCommand::generate(SchemaSource Source, Stamp &TheStamp,
                                const std::vector<std::string> &Flags) const {
  auto Unusable = [](llvm::Error Err) {
    complain(std::move(Err));
    return ExitUnusable;
  };
  SchemasOfRun Loaded = loadFor(Source);
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
    if (ExitStatus Status = checkImplementation(Flags, Source, *Loaded))
      return Status;
  if (!DryRun.value().empty())
    return ExitClean;
  if (llvm::Error Err = write(std::move(Files), TheStamp, *Loaded))
    return Unusable(std::move(Err));
  return ExitClean;
}

} // namespace

std::unique_ptr<Subcommand> makeGenBackendCommand() {
  return std::make_unique<GenBackendCommand>();
}

} // namespace opsig
