//===- CoverageRun.cpp - One run of opsig coverage, step by step --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/PythonFiles.h"
#include "check/TorchIncludeDirs.h"
#include "check/WrongFlags.h"
#include "coverage/CoverageRun.h"
#include "coverage/LibraryKernels.h"
#include "opsig/Check/Project.h"
#include "opsig/Coverage/DispatchDump.h"
#include "opsig/Dialect/DispatchTableTraits.h"
#include "opsig/Operators/OperatorSuggestion.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/FindingIds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

namespace opsig {

void CoverageRun::note(std::string Text, bool IsWarning) {
  IsWarning ? reportWarning(Text) : reportNote(Text);
  Notes.push_back({std::move(Text), IsWarning});
}

llvm::Expected<bool> CoverageRun::read(const SchemaOptions &Schema, const CheckOptions &Options,
                                       const ReadingOptions &Reading) {
  llvm::Expected<CheckSetup> Settled = setUpCheck(Schema, Options, Request.Arguments, llvm::errs());
  if (!Settled)
    return Settled.takeError();
  Setup.emplace(std::move(*Settled));
  Schemas = loadOrComplain(Setup->Source, OutputFormat::Text, Schema.Verbose);
  if (!Schemas)
    return false;
  Notes = runNotes(Setup->Source, *Schemas);
  Files.emplace(&Schemas->Files);
  Input.emplace(*Schemas->Ops->D);
  if (llvm::Error Err = readDumps())
    return std::move(Err);
  if (!Request.readsFiles())
    return true;
  readSources(Reading);
  // A table without them would look like the answer.
  return Complete || !Request.Dumps.empty() ||
         llvm::any_of(Units, [](const UnitFacts &Unit) { return Unit.Parsed; });
}

//===-- Dumps ---------------------------------------------------------------===//

llvm::Error CoverageRun::readDumps() {
  for (const std::string &Name : Request.Dumps) {
    llvm::Expected<SourceId> File = Files->open(Name);
    if (!File)
      return File.takeError();
    size_t First = Input->Operators.size();
    readDispatchDump(*File, *Files, *Input, Diags);
    checkDump(First, *File);
  }
  return llvm::Error::success();
}

/// Some operators of ATen are in no release's YAML: C++ defines them, and registers their kernels.
static bool isOfYaml(const CoveredOperator &Op, const CoverageInput &Input) {
  auto IsGenerated = [&](KernelId Kernel) {
    return Kernel != NoKernel &&
           llvm::StringRef(Input.Kernels[Kernel].File).contains("ATen/Register");
  };
  return llvm::any_of(Op.Table,
                      [&](const SlotEntry &Entry) { return IsGenerated(Entry.Kernel); }) ||
         llvm::any_of(Op.Kernels.all(),
                      [&](const auto &Entry) { return IsGenerated(Entry.second); });
}

/// Of other namespaces nothing is known here.
void CoverageRun::checkDump(size_t First, SourceId File) {
  std::vector<llvm::StringRef> Names = Schemas->Ops->names();
  OperatorNameIndex Near(Names);
  llvm::StringSet<> Dumped;
  std::vector<std::pair<llvm::StringRef, Place>> Unknown;
  for (const CoveredOperator &Op : llvm::ArrayRef(Input->Operators).drop_front(First)) {
    llvm::StringRef Name = Op.Name;
    if (!Name.consume_front("aten::"))
      continue;
    Dumped.insert(Name);
    if (!Schemas->Ops->find(Name) && !Schemas->Ops->isUnread(Name) && isOfYaml(Op, *Input))
      Unknown.push_back({Name, placeInDump(Op.Name, File, *Files)});
  }
  size_t Gone = llvm::count_if(Names, [&](llvm::StringRef Name) { return !Dumped.contains(Name); });
  if (Gone && !Unknown.empty()) {
    std::string Text = "'" + Files->name(File).str() +
                       "' does not match the schemas: " + counted(Gone, "operator") +
                       (Gone == 1 ? " is" : " are") + " only in the schemas, and " +
                       counted(Unknown.size(), "operator") +
                       (Unknown.size() == 1 ? " is" : " are") +
                       " only in the dump; the dump may be from a different PyTorch release";
    Diags.report(finding::DumpOperatorUnknown, Unknown.front().second, "{0}", Text);
    Notes.push_back({std::move(Text), /*IsWarning=*/true});
  }
  for (const auto &[Name, At] : Unknown)
    Diags.report(finding::DumpOperatorUnknown, At, "the schemas have no operator '{0}'{1}", Name,
                 Near.didYouMean(Name));
}

//===-- Sources -------------------------------------------------------------===//

bool CoverageRun::isCore(const CoveredOperator &Op) const {
  llvm::StringRef Name = Op.Name;
  const NativeFunction *F = Name.consume_front("aten::") ? Schemas->Ops->find(Name) : nullptr;
  return F && llvm::is_contained(F->Tags, "core");
}

void CoverageRun::readSources(const ReadingOptions &Reading) {
  for (const std::string &Problem : Setup->Inputs.Problems)
    complain(llvm::createStringError(Problem));
  ProjectChecker Checker(*Schemas->Ops, Schemas->Backends, Bodies::Skip);
  Reading.bound(Setup->Commands);
  UnitReader Reader(Reading.settings(Setup->Settings.Compile.Threads, /*WithPrefixes=*/true));
  ReadUnits Read = readKernels(Setup->Inputs.Files, Setup->Commands,
                               Checker.parseOptions(Setup->Project), Reader, *Files);
  Units = std::move(Read.Units);
  PythonUnits Python = readPython(Setup->Inputs.Python, scriptRulesOf(*Schemas->Ops->D));
  Complete = Setup->Inputs.Problems.empty() && !Read.Lost && Python.Problems.empty();
  llvm::move(Python.Units, std::back_inserter(Units));
  for (const std::string &Problem : Python.Problems)
    complain(llvm::createStringError(Problem));
  reportIncomplete(Units, Setup->Settings.Compile, Setup->Source.Project);
  size_t InPart = llvm::count_if(Units, [](const UnitFacts &Unit) { return !Unit.complete(); });
  if (InPart)
    note(counted(InPart, "file was", "files were") +
         " read only in part and may register more kernels");
  reportForeignHeaders(Units, Setup->Source);
}

void CoverageRun::addSources() {
  UnitFiles Places(Units, *Files);
  addBackendKernels(*Schemas, Units, Places, *Input);
  Registry Registered(Units, grammarOf(*Schemas->Ops->D), Places);
  FromSources = addSourceKernels(Registered, Places, *Input);
  if (FromSources.Unread)
    note(counted(FromSources.Unread, "registration") + " could not be read; " +
         (FromSources.Unread == 1 ? "its kernel is" : "their kernels are") + " not counted");
  if (FromSources.Conditional)
    note(counted(FromSources.Conditional, "registration") +
         (FromSources.Conditional == 1 ? " is in a branch or loop; its kernel is counted"
                                       : " are in branches or loops; their kernels are counted"));
  for (const std::string &Key : FromSources.UnknownKeys)
    note("kernels are registered for '" + Key +
             "', which is not a dispatch key of this PyTorch release",
         /*IsWarning=*/true);
}

//===-- The report ----------------------------------------------------------===//

/// Where a root of either kind has the file.
static std::string derivativesOf(llvm::StringRef Root) {
  for (llvm::StringRef Below : {"torchgen/packaged/autograd", "tools/autograd"}) {
    llvm::SmallString<256> Path(Root);
    llvm::sys::path::append(Path, Below, "derivatives.yaml");
    if (!Root.empty() && llvm::sys::fs::exists(Path))
      return Path.str().str();
  }
  return "";
}

void CoverageRun::addLibrary() {
  std::string Path = derivativesOf(Setup->Source.TorchRoot);
  llvm::Expected<SourceId> File =
      Path.empty() ? llvm::Expected<SourceId>(SourceId::None) : Files->open(Path);
  std::optional<Derivatives> Formulas;
  if (!File)
    note(llvm::toString(File.takeError()), /*IsWarning=*/true);
  else if (*File != SourceId::None)
    Formulas.emplace(*File, *Files, *Schemas->Ops);
  addLibraryKernels(*Schemas, Formulas ? &*Formulas : nullptr, Request.Without, *Input);
}

void CoverageRun::addOperators() {
  bool IsDumped = !Request.Dumps.empty();
  if (!IsDumped)
    addLibrary();
  addSources();
  // Code of other namespaces is not about PyTorch's operators.
  bool IsCustom = Request.readsFiles() && Schemas->Backends.empty() && !IsDumped &&
                  !FromSources.Namespaces.empty() && !FromSources.Namespaces.contains("aten");
  if (IsCustom && Request.OpsFile.empty())
    llvm::erase_if(Input->Operators, [](const CoveredOperator &Op) {
      return llvm::StringRef(Op.Name).starts_with("aten::");
    });
}

llvm::Expected<std::vector<KeyId>> CoverageRun::chooseKeys() {
  const DispatchKeys &Keys = Input->Keys;
  if (!Request.Keys.empty()) {
    std::vector<std::string> LeftOut;
    auto Named = namedKeys(Request.Keys, Keys, !Request.Dumps.empty(), LeftOut);
    if (Named && !LeftOut.empty())
      note("these keys are not shown, because PyTorch registers their kernels by hand and no YAML "
           "lists them: " +
           llvm::join(LeftOut, ", ") + "; use --dispatch-dump to see them");
    return Named;
  }
  std::vector<KeyId> Expected;
  for (const ExternalBackend &Backend : Schemas->Backends)
    if (std::optional<KeyId> Key = Keys.find(Backend.Backend))
      Expected.push_back(*Key);
  if (Expected.empty() && Request.readsFiles()) {
    Expected.assign(FromSources.Keys.begin(), FromSources.Keys.end());
    if (!FromSources.Namespaces.contains("aten"))
      for (llvm::StringRef Usual : {"CPU", "CUDA"})
        Expected.push_back(*Keys.find(Usual));
  }
  if (!Expected.empty())
    return withAutograd(Expected, Keys);
  std::vector<KeyId> Used = keysWithKernels(*Input);
  if (Request.Dumps.empty())
    llvm::erase_if(Used, [&](KeyId Key) { return Keys.slots()[Key].By == Registrant::Hand; });
  return withAutograd(Used, Keys);
}

llvm::Error CoverageRun::chooseOperators() {
  if (Request.OpsFile.empty())
    return llvm::Error::success();
  llvm::Expected<SourceId> File = Files->open(Request.OpsFile);
  if (!File)
    return File.takeError();
  Input->Operators = neededOperators(*File, *Files, std::move(Input->Operators), Diags);
  return llvm::Error::success();
}

llvm::Expected<CoverageReport> CoverageRun::report() {
  addOperators();
  if (llvm::Error Err = chooseOperators())
    return std::move(Err);
  llvm::Expected<std::vector<KeyId>> Keys = chooseKeys();
  if (!Keys)
    return Keys.takeError();
  Diags.sort(*Files);
  return buildCoverage(*Input, std::move(*Keys), Request.Rows);
}

} // namespace opsig
