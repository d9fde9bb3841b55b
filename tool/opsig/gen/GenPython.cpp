//===- GenPython.cpp - opsig gen python -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// schemas + AUTOGRAD_DIR (deprecated.yaml, templates/) => PythonBindings => files of the bindings
//
// Drop-in for gen_autograd_python of PyTorch's tools/autograd: its arguments, and the bytes it
// writes, but for the bindings of autograd's nodes, which are made from derivatives.yaml.
//
//===----------------------------------------------------------------------===//
#include "Memory.h"
#include "Subcommands.h"
#include "gen/PythonModule.h"
#include "gen/Stamp.h"
#include "gen/TemplateFolder.h"
#include "opsig/Codegen/Python.h"
#include "opsig/Support/OutputTree.h"
#include "opsig/Support/PathGlob.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace opsig {

namespace {

/// The templates' folder as outputs name it: relative to that of torchgen. Where there is no
/// torchgen, as a source tree has it.
std::string templateFolderInComments(llvm::StringRef AutogradDir) {
  std::string Dir = absolutePath(AutogradDir);
  auto Below = [&](llvm::StringRef Folder) {
    return llvm::StringRef(Dir).drop_front(Folder.size()).ltrim('/').str() + "/templates";
  };
  for (llvm::StringRef At = Dir; !At.empty(); At = path::parent_path(At)) {
    if (path::filename(At) == "torchgen")
      return Below(At);
    if (fs::is_directory(joinedPath(At, "torchgen")))
      return "../" + Below(At);
  }
  return "../tools/autograd/templates";
}

class GenPythonCommand : public Subcommand {
public:
  llvm::StringRef words() const override { return "gen python"; }
  llvm::StringRef operands() const override {
    return "(NATIVE TAGS OUT AUTOGRAD_DIR | --module NAME OUT)";
  }
  cl::SubCommand &parser() override { return Sub; }
  void adaptWords(std::vector<std::string> &Words) const override {
    PythonModuleOptions::adaptWords(Words);
  }
  int run(const std::vector<std::string> &AfterDashes) override;

private:
  struct Places {
    std::string Native, Tags, Out, Autograd;
    /// A folder like aten/src/ATen, if NATIVE stands in one.
    std::string aten() const {
      return path::parent_path(path::parent_path(absolutePath(Native))).str();
    }
    /// Not of AUTOGRAD_DIR, and without it there is no such file.
    std::string viewMetaTemplate() const {
      return joinedPath(joinedPath(aten(), "templates"), "ViewMetaClassesPythonBinding.cpp");
    }
  };
  llvm::Expected<Places> readPlaces() const;
  llvm::Expected<SchemaSource> findSource(const Places &P);
  llvm::Expected<std::unique_ptr<Stamp>> beginStamp(const Places &P,
                                                    const SchemaSource &Source) const;
  int generate(const Places &P, SchemaSource Source, Stamp &TheStamp) const;
  llvm::Expected<TemplateSet> loadTemplates(const Places &P, SourceFiles &Files) const;
  void generate(const PythonInput &Input, const Places &P, OutputTree &Tree, Findings &Diags) const;

  cl::SubCommand Sub{
      "gen-python",
      "Write the Python bindings of PyTorch's own build, or a module of chosen operators"};
  SchemaOptions Schemas{Sub};
  cl::list<std::string> Arguments{cl::Positional, cl::sub(Sub),
                                  cl::desc("NATIVE TAGS OUT AUTOGRAD_DIR")};
  PythonModuleOptions Module{Sub};
  StampOption StampFile{Sub};
};

llvm::Expected<GenPythonCommand::Places> GenPythonCommand::readPlaces() const {
  if (Arguments.size() != 4)
    return llvm::createStringError(
        "gen python needs NATIVE TAGS OUT AUTOGRAD_DIR: native_functions.yaml, tags.yaml, the "
        "output folder, and the folder with deprecated.yaml and templates/");
  return Places{Arguments[0], Arguments[1], Arguments[2], Arguments[3]};
}

llvm::Expected<TemplateSet> GenPythonCommand::loadTemplates(const Places &P,
                                                            SourceFiles &Files) const {
  TemplateSet Templates(TemplateOrigin::Files, Files);
  if (llvm::Error Err = addTemplateFolder(joinedPath(P.Autograd, "templates"), Templates, Files))
    return std::move(Err);
  if (fs::exists(P.viewMetaTemplate()))
    if (llvm::Error Err = addTemplate(P.viewMetaTemplate(), Templates, Files))
      return std::move(Err);
  return Templates;
}

void GenPythonCommand::generate(const PythonInput &Input, const Places &P, OutputTree &Tree,
                                Findings &Diags) const {
  auto Take = [&](const FileSpec &File, llvm::StringRef Text) {
    Tree.add(joinedPath(P.Out, File.Name), Text.str());
  };
  std::string Buffer;
  FileWriter Out = pythonWriter(Input, Take, Diags, Buffer);
  for (auto *Generate :
       {generatePythonMethods, generatePythonTorchFunctions, generatePythonModules,
        generatePythonResults, generatePythonTags, generatePythonNodes, generateAnnotatedArguments})
    Generate(Input, Out);
  if (fs::exists(P.viewMetaTemplate()))
    generateViewMetaBindings(Input, Out);
}

llvm::Expected<SchemaSource> GenPythonCommand::findSource(const Places &P) {
  Schemas.Schemas = P.Native;
  Schemas.Tags = P.Tags;
  llvm::Expected<SchemaSource> Source = findSchemas(Schemas, ".", llvm::errs(), P.aten());
  if (Source) {
    Source->Backends.clear(); // A project's backends have no part in this.
    // The files are named one by one, and are PyTorch's all the same.
    Source->IsInstalled = true;
  }
  return Source;
}

llvm::Expected<std::unique_ptr<Stamp>>
GenPythonCommand::beginStamp(const Places &P, const SchemaSource &Source) const {
  if (!StampFile.given())
    return std::make_unique<Stamp>();
  StampRequest Request{
      StampFile.file(), commandLine(), schemaLookups(Source), schemaInputs(Source), {P.Out}};
  Request.Lookups.push_back(templateFolderInComments(P.Autograd));
  Request.Inputs.insert(Request.Inputs.end(),
                        {joinedPath(P.Autograd, "deprecated.yaml"), P.viewMetaTemplate()});
  // Where there are none it is told after what is wrong in the schemas.
  if (llvm::Expected<std::vector<std::string>> Templates =
          templateFiles(joinedPath(P.Autograd, "templates")))
    llvm::append_range(Request.Inputs, *Templates);
  else
    llvm::consumeError(Templates.takeError());
  return Stamp::of(std::move(Request));
}

int GenPythonCommand::run(const std::vector<std::string> &AfterDashes) {
  keepMemoryInLargePages();
  auto Unusable = [](llvm::Error Err) {
    complain(std::move(Err));
    return ExitUnusable;
  };
  if (Module.given()) {
    if (StampFile.given())
      return Unusable(llvm::createStringError("--stamp and --module cannot be combined"));
    return Module.run(Schemas, Arguments);
  }
  llvm::Expected<Places> P = readPlaces();
  if (!P)
    return Unusable(P.takeError());
  llvm::Expected<SchemaSource> Source = findSource(*P);
  if (!Source)
    return Unusable(Source.takeError());
  llvm::Expected<std::unique_ptr<Stamp>> Begun = beginStamp(*P, *Source);
  if (!Begun)
    return Unusable(Begun.takeError());
  if (StampFile.spares(**Begun, Schemas))
    return ExitClean;
  return generate(*P, std::move(*Source), **Begun);
}

int GenPythonCommand::generate(const Places &P, SchemaSource Source, Stamp &TheStamp) const {
  auto Unusable = [](llvm::Error Err) {
    complain(std::move(Err));
    return ExitUnusable;
  };
  SchemasOfRun Loaded = loadForGenerator(Source, Schemas.Verbose);
  if (!Loaded)
    return ExitUnusable;
  auto Reject = [&] {
    printDiagnostics(llvm::errs(), Loaded->Diags, Loaded->Files, OutputFormat::Text);
    return ExitUnusable;
  };

  llvm::Expected<SourceId> Yaml = Loaded->Files.open(joinedPath(P.Autograd, "deprecated.yaml"));
  if (!Yaml)
    return Unusable(Yaml.takeError());
  DeprecatedFunctions Deprecated =
      readDeprecatedFunctions(*Yaml, Loaded->Files, *Source.D, Loaded->Diags);
  PythonBindings Bindings = bindToPython(*Loaded->Ops, Deprecated, Loaded->Diags);
  if (Loaded->Diags.hasErrors())
    return Reject();
  llvm::Expected<TemplateSet> Templates = loadTemplates(P, Loaded->Files);
  if (!Templates)
    return Unusable(Templates.takeError());

  PythonInput Input{*Loaded->Ops, Bindings, *Templates, templateFolderInComments(P.Autograd)};
  OutputTree Tree;
  generate(Input, P, Tree, Loaded->Diags);
  if (Loaded->Diags.hasErrors())
    return Reject();
  if (llvm::Error Err = commitStamped(Tree, TheStamp, *Loaded))
    return Unusable(std::move(Err));
  return ExitClean;
}

} // namespace

std::unique_ptr<Subcommand> makeGenPythonCommand() { return std::make_unique<GenPythonCommand>(); }

} // namespace opsig
