//===- GenAten.cpp - opsig gen aten -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// schemas + templates + options => AtenInput => families (AtenFamilies.h) => files and their lists
//
// Drop-in for torchgen.gen: its options, and the bytes it writes. A family that opsig does not
// write yet is an error, not a gap in the output.
//
//===----------------------------------------------------------------------===//
#include "Memory.h"
#include "SchemaInput.h"
#include "Subcommands.h"
#include "gen/AotiHeaders.h"
#include "gen/AtenFamilies.h"
#include "gen/AtenKeys.h"
#include "gen/AtenLists.h"
#include "gen/AtenRun.h"
#include "gen/Stamp.h"
#include "gen/TemplateFolder.h"
#include "opsig/Dialect/AtenTraits.h"
#include "opsig/Dialect/ShimTraits.h"
#include "opsig/Operators/OpSelection.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;
namespace fs = llvm::sys::fs;

namespace opsig {

namespace {

/// Options that take any number of values: "--generate headers sources". adaptWords() makes one
/// word of them, with commas.
constexpr llvm::StringLiteral ListOptions[] = {"--op-registration-whitelist", "--backend-whitelist",
                                               "--static-dispatch-backend", "--generate",
                                               "--families"};

class GenAtenCommand : public Subcommand {
public:
  llvm::StringRef words() const override { return "gen aten"; }
  cl::SubCommand &parser() override { return Sub; }
  void adaptWords(std::vector<std::string> &Words) const override;
  int run(const std::vector<std::string> &AfterDashes) override;

private:
  struct Flag : cl::opt<bool> {
    Flag(cl::SubCommand &Sub, llvm::StringRef Name, llvm::StringRef What)
        : cl::opt<bool>(Name, cl::sub(Sub), cl::desc(What), cl::ZeroOrMore) {}
  };
  struct Text : cl::opt<std::string> {
    Text(cl::SubCommand &Sub, llvm::StringRef Name, llvm::StringRef Value, llvm::StringRef What)
        : cl::opt<std::string>(Name, cl::sub(Sub), cl::value_desc(Value), cl::desc(What),
                               cl::ZeroOrMore, cl::ValueRequired) {}
    bool given() const { return getNumOccurrences() != 0; }
    /// The values of a list option.
    std::vector<std::string> values() const {
      llvm::SmallVector<llvm::StringRef> Parts;
      llvm::StringRef(getValue()).split(Parts, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
      return std::vector<std::string>(Parts.begin(), Parts.end());
    }
  };

  /// What is to be done, before the schemas are read.
  struct Task {
    SchemaSource Source;
    AtenKeys Keys;
    std::vector<AtenFamily> Families;
    std::unique_ptr<Stamp> TheStamp;
  };

  llvm::Expected<Task> readTask() const;
  llvm::Expected<SchemaSource> findSource() const;
  llvm::Error checkOptions(const Dialect &D) const;
  llvm::Expected<std::unique_ptr<Stamp>> beginStamp(const SchemaSource &Source) const;
  AtenKeyRequest keyRequest() const;
  /// The families to write. Fails where one of them cannot be written yet.
  llvm::Expected<std::vector<AtenFamily>> chooseFamilies(const Dialect &D) const;
  llvm::Expected<OpSelection> chooseOperators(LoadedSchemas &Loaded) const;
  AtenOptions atenOptions() const;
  AtenFolders folders() const;
  int generate(Task T) const;
  llvm::Error generate(Task &T, const TemplateSet &Templates, const OpSelection &Selection,
                       LoadedSchemas &Loaded) const;
  /// What is wrong with the input goes to Loaded.Diags; then nothing is written.
  llvm::Error write(Task &T, const AtenInput &In, LoadedSchemas &Loaded) const;

  cl::SubCommand Sub{"gen-aten",
                     "Write the files that torchgen.gen writes for PyTorch's own build"};
  SchemaOptions Schemas{Sub};
  Text SourcePath{
      Sub, "source-path", "DIR",
      "Read native/ and templates/ from this folder; default: aten/src/ATen of the torch root"};
  Text InstallDir{Sub, "install-dir", "DIR",
                  "Write the files into this folder; default: build/aten/src/ATen"};
  Text AotiInstallDir{
      Sub, "aoti-install-dir", "DIR",
      "Write the AOTI shims into this folder; default: torch/csrc/inductor/aoti_torch/generated"};
  Text HeaderOnlyInstallDir{Sub, "headeronly-install-dir", "DIR",
                            "Write header-only files into this folder; default: core/ below the "
                            "install folder"};
  Text Dependencies{Sub, "output-dependencies", "FILE",
                    "Also write the names of the generated files to FILE and to other files "
                    "in its folder"};
  Flag DryRun{Sub, "dry-run", "Write no generated files, only the lists of --output-dependencies"};
  Flag PerOperatorHeaders{Sub, "per-operator-headers", "Write one header per operator, in ops/"};
  Flag Rocm{Sub, "rocm", "Treat CUDA as HIP, for a ROCm build"};
  Flag Mps{Sub, "mps", "Also generate for MPS"};
  Flag Xpu{Sub, "xpu", "Also generate for XPU"};
  Flag Mtia{Sub, "mtia", "Also generate for MTIA"};
  Text OpWhitelist{Sub, "op-registration-whitelist", "OP...",
                   "Register only these operators, such as aten::add, with all their overloads"};
  Text OpSelectionYaml{Sub, "op-selection-yaml-path", "FILE",
                       "Register only the operators that FILE selects"};
  Text BackendWhitelist{Sub, "backend-whitelist", "KEY...",
                        "Register only composite kernels and the kernels for these keys"};
  Text StaticDispatch{Sub, "static-dispatch-backend", "KEY...",
                      "Call the kernels of these keys without the dispatcher"};
  Flag SkipRegistration{Sub, "skip-dispatcher-op-registration", "Register no operators"};
  Flag ForceSchemas{Sub, "force-schema-registration",
                    "Register the schemas of all operators, selected or not"};
  Text Generate{Sub, "generate", "GROUP...",
                "Write only these groups of files: headers, sources, declarations_yaml"};
  Flag UpdateShims{Sub, "update-aoti-c-shim", "Also write the headers of the AOTI shims"};
  Flag ExtendShims{Sub, "extend-aoti-c-shim", "Write AOTI shims for out-of-tree operators"};
  Text FamilyNames{Sub, "families", "NAME...",
                   "For opsig's developers: write only these families of files; 'written' "
                   "selects all that opsig can write"};
  StampOption StampFile{Sub};
  cl::opt<unsigned> Threads{
      "j",        cl::sub(Sub), cl::value_desc("N"),
      cl::Prefix, cl::init(0),  cl::desc("Use N threads; default: one per processor")};
  cl::alias ShortSource{"s", cl::aliasopt(SourcePath), cl::desc("Alias for --source-path")};
  cl::alias ShortInstall{"d", cl::aliasopt(InstallDir), cl::desc("Alias for --install-dir")};
  cl::alias ShortDependencies{"o", cl::aliasopt(Dependencies),
                              cl::desc("Alias for --output-dependencies")};
};

/// Words as torchgen takes them => words for llvm::cl: dashes for underscores in names, "-d DIR"
/// for
/// "-dDIR", and the values of a list option in one word.
void GenAtenCommand::adaptWords(std::vector<std::string> &Words) const {
  std::vector<std::string> Adapted(Words.begin(), Words.begin() + 2);
  for (size_t I = 2; I < Words.size(); ++I) {
    llvm::StringRef Word = Words[I];
    if (Word.size() > 2 && Word[0] == '-' && llvm::is_contained({'s', 'd', 'o'}, Word[1])) {
      Adapted.push_back(Word.take_front(2).str());
      Adapted.push_back(Word.drop_front(2).str());
      continue;
    }
    if (!Word.starts_with("--")) {
      Adapted.push_back(Word.str());
      continue;
    }
    std::string Name = Word.split('=').first.str();
    llvm::replace(Name, '_', '-');
    Adapted.push_back(Name + Word.drop_front(Name.size()).str());
    if (Word.contains('=') || !llvm::is_contained(ListOptions, llvm::StringRef(Name)))
      continue;
    llvm::ListSeparator Comma(",");
    Adapted.back() += '=';
    for (; I + 1 < Words.size() && !llvm::StringRef(Words[I + 1]).starts_with("-"); ++I)
      Adapted.back() += (llvm::StringRef(Comma) + Words[I + 1]).str();
  }
  Words = std::move(Adapted);
}

llvm::Expected<SchemaSource> GenAtenCommand::findSource() const {
  return findSchemas(Schemas, SourcePath.empty() ? llvm::StringRef(".") : SourcePath.getValue(),
                     llvm::errs(), SourcePath.getValue());
}

AtenKeyRequest GenAtenCommand::keyRequest() const {
  return {Mps, Xpu, Mtia, UpdateShims, BackendWhitelist.values(), StaticDispatch.values()};
}

llvm::Expected<std::vector<AtenFamily>> GenAtenCommand::chooseFamilies(const Dialect &D) const {
  std::vector<AtenFamily> Chosen = atenFamilies(D);
  std::vector<std::string> Names = FamilyNames.values();
  if (Names == std::vector<std::string>{"written"}) {
    llvm::erase_if(Chosen, [](const AtenFamily &F) { return !F.Generate; });
  } else if (FamilyNames.given()) {
    std::vector<llvm::StringRef> Known;
    for (const AtenFamily &Family : Chosen)
      Known.push_back(Family.Name);
    for (llvm::StringRef Name : Names)
      if (!llvm::is_contained(Known, Name))
        return llvm::createStringError("--families: unknown family '" + Name + "'" +
                                       didYouMean(Name, Known));
    llvm::erase_if(Chosen,
                   [&](const AtenFamily &F) { return !llvm::is_contained(Names, F.Name.str()); });
  }
  if (Generate.given()) {
    std::vector<AtenGroup> Groups;
    for (llvm::StringRef Name : Generate.values()) {
      std::optional<AtenGroup> Group = parseAtenGroup(Name);
      if (!Group)
        return llvm::createStringError("--generate: invalid value '" + Name +
                                       "'; expected one of: headers, sources, declarations_yaml");
      Groups.push_back(*Group);
    }
    llvm::erase_if(Chosen,
                   [&](const AtenFamily &F) { return !llvm::is_contained(Groups, F.Group); });
  }

  std::string Missing;
  for (const AtenFamily &Family : Chosen)
    if (!Family.Generate)
      Missing += ("\n  " + Family.Name + ": " + Family.Outputs).str();
  if (!Missing.empty())
    return llvm::createStringError("these families of files cannot be written yet:" + Missing);
  return Chosen;
}

/// What is wrong with the selection itself is in Loaded.Diags.
llvm::Expected<OpSelection> GenAtenCommand::chooseOperators(LoadedSchemas &Loaded) const {
  OpSelection Selection;
  Selection.IncludesAll = !OpWhitelist.given() && OpSelectionYaml.empty();
  for (std::string &Name : OpWhitelist.values())
    Selection.Ops.push_back({std::move(Name), /*AllOverloads=*/true, {}});
  if (!OpSelectionYaml.empty()) {
    llvm::Expected<SourceId> File = Loaded.Files.open(OpSelectionYaml);
    if (!File)
      return File.takeError();
    Selection = readOpSelection(*File, Loaded.Files, Loaded.Diags);
  }
  checkOpSelection(Selection, *Loaded.Ops, Loaded.Diags);
  return Selection;
}

Selector makeSelector(const OpSelection &Selection) {
  Selector Selected;
  Selected.setIncludeAll(Selection.IncludesAll);
  for (const SelectedOp &Op : Selection.Ops)
    Selected.select(Op.Name, Op.AllOverloads);
  return Selected;
}

AtenOptions GenAtenCommand::atenOptions() const {
  AtenOptions Options;
  Options.PerOperatorHeaders = PerOperatorHeaders;
  Options.Rocm = Rocm;
  Options.SkipDispatcherOpRegistration = SkipRegistration;
  Options.UpdateAotiShims = UpdateShims;
  Options.ExtendAotiShims = ExtendShims;
  return Options;
}

AtenFolders GenAtenCommand::folders() const {
  std::string Install = InstallDir.empty() ? "build/aten/src/ATen" : InstallDir.getValue();
  return {Install,
          AotiInstallDir.empty() ? "torch/csrc/inductor/aoti_torch/generated"
                                 : AotiInstallDir.getValue(),
          HeaderOnlyInstallDir.empty() ? Install + "/core" : HeaderOnlyInstallDir.getValue()};
}

/// As torchgen does, also where nothing will be in them.
llvm::Error makeFolders(const AtenFolders &Folders, const Dialect &D) {
  std::vector<std::string> Made = {Folders.Install + "/core", Folders.Install + "/ops"};
  if (D.Aten.HasAotiShims && D.Shims.Shape == ShimShape::OfListedOps)
    Made.push_back(Folders.Aoti);
  if (D.Aten.HasHeaderOnlyFolder)
    Made.push_back(Folders.HeaderOnly);
  for (const std::string &Folder : Made)
    if (std::error_code EC = fs::create_directories(Folder, /*IgnoreExisting=*/true, fs::all_all))
      return llvm::createStringError(EC, "cannot create '" + Folder + "': " + EC.message());
  return llvm::Error::success();
}

llvm::Error GenAtenCommand::write(Task &T, const AtenInput &In, LoadedSchemas &Loaded) const {
  Findings &Diags = Loaded.Diags;
  StagedFiles Staged;
  AtenOutput Output{folders(), DryRun ? nullptr : &Staged, *T.TheStamp};
  llvm::Expected<std::vector<FileSpec>> Files =
      stageFamilies(T.Families, In, Output, Threads, Diags);
  if (Diags.hasErrors()) {
    llvm::consumeError(Files.takeError());
    return llvm::Error::success();
  }
  if (!Files)
    return Files.takeError();
  if (!Dependencies.empty())
    for (const GeneratedFile &List :
         makeFileLists(*Files, Output.Folders, Dependencies, Xpu, In.dialect())) {
      if (llvm::Error Err = Staged.stage(List.Name, List.Text))
        return Err;
      T.TheStamp->recordOutput(List.Name, List.Text);
    }
  if (llvm::Error Err = stageStamp(*T.TheStamp, Staged, Loaded))
    return Err;
  if (llvm::Error Err = Staged.commit().takeError())
    return Err;
  return makeFolders(Output.Folders, In.dialect());
}

llvm::Error GenAtenCommand::checkOptions(const Dialect &D) const {
  if (HeaderOnlyInstallDir.given() && !D.Aten.HasHeaderOnlyFolder)
    return llvm::createStringError("PyTorch " + D.Name + " has no option --headeronly-install-dir");
  if (OpWhitelist.given() && OpSelectionYaml.given())
    return llvm::createStringError(
        "--op-registration-whitelist and --op-selection-yaml-path cannot be combined");
  if (StampFile.given() && DryRun)
    return llvm::createStringError("--stamp and --dry-run cannot be combined");
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<Stamp>>
GenAtenCommand::beginStamp(const SchemaSource &Source) const {
  if (!StampFile.given())
    return std::make_unique<Stamp>();
  AtenFolders Folders = folders();
  StampRequest Request{StampFile.file(),
                       commandLine(),
                       schemaLookups(Source),
                       schemaInputs(Source),
                       {Folders.Install, Folders.Install + "/core", Folders.Install + "/ops"}};
  if (Source.D->Aten.HasAotiShims)
    Request.OutputFolders.push_back(Folders.Aoti);
  if (Source.D->Aten.HasHeaderOnlyFolder)
    Request.OutputFolders.push_back(Folders.HeaderOnly);
  if (!OpSelectionYaml.empty())
    Request.Inputs.push_back(OpSelectionYaml);
  // Where there are none it is told after what is wrong in the schemas.
  if (llvm::Expected<std::vector<std::string>> Templates = templateFiles(Source.Templates))
    llvm::append_range(Request.Inputs, *Templates);
  else
    llvm::consumeError(Templates.takeError());
  return Stamp::of(std::move(Request));
}

llvm::Expected<GenAtenCommand::Task> GenAtenCommand::readTask() const {
  llvm::Expected<SchemaSource> Source = findSource();
  if (!Source)
    return Source.takeError();
  llvm::Expected<AtenKeys> Keys = chooseAtenKeys(keyRequest(), *Source->D);
  if (!Keys)
    return Keys.takeError();
  llvm::Expected<std::vector<AtenFamily>> Families = chooseFamilies(*Source->D);
  if (!Families)
    return Families.takeError();
  if (llvm::Error Err = checkOptions(*Source->D))
    return Err;
  llvm::Expected<std::unique_ptr<Stamp>> Begun = beginStamp(*Source);
  if (!Begun)
    return Begun.takeError();
  Source->DroppedKeys = Keys->Dropped;
  return Task{std::move(*Source), std::move(*Keys), std::move(*Families), std::move(*Begun)};
}

llvm::Error GenAtenCommand::generate(Task &T, const TemplateSet &Templates,
                                     const OpSelection &Selection, LoadedSchemas &Loaded) const {
  AtenOptions Options = atenOptions();
  Selector Selected = makeSelector(Selection);
  Selector All = Selector::all();
  AtenInput Input{*Loaded.Ops,
                  Options,
                  Templates,
                  Selected,
                  ForceSchemas ? All : Selected,
                  std::move(T.Keys.Registered),
                  std::move(T.Keys.WithFunctions),
                  std::move(T.Keys.StaticDispatch)};
  bool WithShims = llvm::any_of(
      T.Families, [](const AtenFamily &Family) { return Family.Generate == generateAotiShims; });
  if (WithShims && !UpdateShims)
    checkAotiHeaders(Input, folders().Aoti, *T.TheStamp, Loaded.Files, Loaded.Diags);
  return write(T, Input, Loaded);
}

int GenAtenCommand::generate(Task T) const {
  auto Unusable = [](llvm::Error Err) {
    complain(std::move(Err));
    return ExitUnusable;
  };
  SchemasOfRun Loaded = loadForGenerator(T.Source, Schemas.Verbose);
  if (!Loaded)
    return ExitUnusable;
  LoadedSchemas &L = *Loaded;
  auto Tell = [&] { printDiagnostics(llvm::errs(), L.Diags, L.Files, OutputFormat::Text); };
  llvm::Expected<OpSelection> Selection = chooseOperators(L);
  if (!Selection)
    return Unusable(Selection.takeError());
  if (L.Diags.hasErrors()) {
    Tell();
    return ExitUnusable;
  }
  if (llvm::Error Err = checkStaticDispatch(T.Keys.StaticDispatch, *L.Ops))
    return Unusable(std::move(Err));
  if (T.Source.Templates.empty())
    return Unusable(llvm::createStringError(
        "gen aten needs PyTorch's templates; pass --torch-root or --source-path"));
  TemplateSet Templates(TemplateOrigin::Files, L.Files);
  if (llvm::Error Err = addTemplateFolder(T.Source.Templates, Templates, L.Files))
    return Unusable(std::move(Err));
  if (llvm::Error Err = generate(T, Templates, *Selection, L))
    return Unusable(std::move(Err));
  Tell();
  return L.Diags.hasErrors() ? ExitUnusable : ExitClean;
}

int GenAtenCommand::run(const std::vector<std::string> &AfterDashes) {
  keepMemoryInLargePages();
  llvm::Expected<Task> T = readTask();
  if (!T) {
    complain(T.takeError());
    return ExitUnusable;
  }
  if (!StampFile.spares(*T->TheStamp, Schemas))
    return generate(std::move(*T));
  if (llvm::Error Err = makeFolders(folders(), *T->Source.D)) {
    complain(std::move(Err));
    return ExitUnusable;
  }
  return ExitClean;
}

} // namespace

std::unique_ptr<Subcommand> makeGenAtenCommand() { return std::make_unique<GenAtenCommand>(); }

} // namespace opsig
