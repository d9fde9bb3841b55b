//===- SchemaInput.cpp - The SCHEMA OPTIONS ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SchemaInput.h"
#include "Subcommands.h"
#include "Terminal.h"
#include "opsig/Support/SafeText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;

namespace opsig {

SchemaOptions::SchemaOptions(cl::SubCommand &Sub)
    : TorchRoot("torch-root", cl::sub(Sub), cl::value_desc("DIR"),
                cl::desc("Use this PyTorch: an installed one (site-packages) or a source tree")),
      Torch("torch", cl::sub(Sub), cl::value_desc("VERSION"),
            cl::desc("Use the rules of this PyTorch release (MAJOR.MINOR); default: that of the "
                     "torch root")),
      Schemas("schemas", cl::sub(Sub), cl::value_desc("FILE"),
              cl::desc("Read the schemas from FILE, a native_functions.yaml")),
      Tags("tags", cl::sub(Sub), cl::value_desc("FILE"),
           cl::desc("Read the tags from FILE, a tags.yaml")),
      Backends("backend", cl::sub(Sub), cl::value_desc("FILE"),
               cl::desc("Use FILE, the YAML of an out-of-tree backend; repeatable")),
      Verbose("verbose", cl::sub(Sub),
              cl::desc("Print unused flags, the time spent on each file, and all errors in an "
                       "installed PyTorch's YAML")) {}

SchemaSettings SchemaOptions::settings() const {
  return {TorchRoot, Torch, Schemas, Tags, {Backends.begin(), Backends.end()}};
}

void reportAbout(const SchemaSource &Source, llvm::raw_ostream &Log) {
  for (const std::string &Warning : Source.Warnings)
    llvm::WithColor::warning(Log, "opsig") << safeText(Warning) << '\n';
  for (const std::string &Note : Source.Notes)
    llvm::WithColor::note(Log, "opsig") << safeText(Note) << '\n';
}

llvm::Expected<SchemaSource> findSchemas(const SchemaOptions &Options, llvm::StringRef StartDir,
                                         llvm::raw_ostream &Log, llvm::StringRef AtenDir) {
  SourceFiles Files;
  Findings Diags;
  llvm::Expected<SchemaSource> Source =
      findSchemas(Options.settings(), StartDir, Files, Diags, AtenDir);
  printDiagnostics(llvm::errs(), Diags, Files, OutputFormat::Text);
  if (Source)
    reportAbout(*Source, Log);
  return Source;
}

void printDiagnostics(llvm::raw_ostream &OS, Findings &Diags, const SourceFiles &Files,
                      OutputFormat Format) {
  Diags.sort(Files);
  for (const Finding &D : Diags.all()) {
    if (Format == OutputFormat::Json)
      printJson(OS, D, Files);
    else
      printText(OS, D, Files, printOptions(OS));
  }
}

std::vector<RunNote> runNotes(const SchemaSource &Source, const LoadedSchemas &Loaded) {
  std::vector<RunNote> Notes;
  for (const std::string &Text : Source.Notes)
    Notes.push_back({Text, false});
  for (const std::string &Text : llvm::concat<const std::string>(Source.Warnings, Loaded.Warnings))
    Notes.push_back({Text, true});
  return Notes;
}

void reportOfPyTorch(LoadedSchemas &Loaded, bool Verbose) {
  if (Verbose)
    printDiagnostics(llvm::errs(), Loaded.OfPyTorch, Loaded.Files, OutputFormat::Text);
  for (const std::string &Warning : Loaded.Warnings)
    reportWarning(Warning);
}

SchemasOfRun loadOrComplain(const SchemaSource &Source, OutputFormat Format, bool Verbose) {
  llvm::Expected<std::unique_ptr<LoadedSchemas>> Loaded = loadSchemas(Source);
  if (!Loaded) {
    complain(Loaded.takeError());
    return nullptr;
  }
  reportOfPyTorch(**Loaded, Verbose);
  bool Usable = (*Loaded)->usable();
  if (!Usable)
    printDiagnostics(Format == OutputFormat::Json ? llvm::outs() : llvm::errs(), (*Loaded)->Diags,
                     (*Loaded)->Files, Format);
  return Usable ? std::move(*Loaded) : nullptr;
}

/// Whether an entry of \p Yaml, read or not, may list kernels for the key of a backend, or for its
/// autograd key: no backend of another project may have it.
static bool mayList(llvm::StringRef Yaml, llvm::StringRef Key) {
  llvm::SmallVector<llvm::StringRef> Lines, Keys;
  Yaml.split(Lines, '\n');
  return llvm::any_of(Lines, [&](llvm::StringRef Line) {
    Keys.clear();
    Line.split(':').first.split(Keys, ',');
    return llvm::any_of(Keys, [&](llvm::StringRef Listed) {
      Listed = Listed.trim();
      Listed.consume_front("Autograd");
      return Listed == Key;
    });
  });
}

SchemasOfRun loadFamilies(SchemaSource Source, llvm::ArrayRef<llvm::StringRef> Names,
                          bool Verbose) {
  if (!Source.IsInstalled || Names.empty() || Verbose)
    return nullptr;
  for (llvm::StringRef Name : Names)
    Source.Families.insert(operatorFamily(Name));
  llvm::Expected<std::unique_ptr<LoadedSchemas>> Loaded = loadSchemas(Source);
  if (!Loaded) {
    llvm::consumeError(Loaded.takeError());
    return nullptr;
  }
  const LoadedSchemas &Read = **Loaded;
  bool IsGood =
      Read.Diags.empty() && Read.OfPyTorch.empty() && Read.Warnings.empty() &&
      llvm::none_of(Read.Backends, [&](const ExternalBackend &B) {
        return mayList(Read.Files.text(Read.Files.find(Source.NativeFunctions)), B.Backend);
      });
  return IsGood ? std::move(*Loaded) : nullptr;
}

SchemasOfRun loadForGenerator(SchemaSource &Source, bool Verbose) {
  Source.IsInstalled &= !Source.IsVerified;
  SchemasOfRun Loaded = loadOrComplain(Source, OutputFormat::Text, Verbose);
  if (!Loaded || !Loaded->Ops->IsEmpty)
    return Loaded;
  complain(llvm::createStringError("no operator of '" + Source.NativeFunctions +
                                   "' could be read; nothing is generated"));
  return nullptr;
}

int statusOf(llvm::Expected<int> Status) {
  if (Status)
    return *Status;
  complain(Status.takeError());
  return ExitUnusable;
}

} // namespace opsig
