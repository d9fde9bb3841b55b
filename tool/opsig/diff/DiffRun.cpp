//===- DiffRun.cpp - One run of opsig diff, without its printing ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/WrongFlags.h"
#include "diff/DiffRun.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

namespace opsig {

namespace {

/// Says all that is wrong with one side; nothing where it cannot be used.
std::optional<LoadedRelease> load(const ReleaseInput &Input, std::vector<std::string> Backends,
                                  bool Verbose) {
  llvm::Expected<LoadedRelease> Loaded = loadRelease(Input, std::move(Backends));
  if (!Loaded) {
    complain(Loaded.takeError());
    return std::nullopt;
  }
  reportAbout(Loaded->Source, llvm::errs());
  reportOfPyTorch(*Loaded->Schemas, Verbose);
  printDiagnostics(llvm::errs(), Loaded->Schemas->Diags, Loaded->Schemas->Files,
                   OutputFormat::Text);
  if (!Loaded->Schemas->usable())
    return std::nullopt;
  if (Loaded->Schemas->Ops->Functions.empty()) {
    complain(llvm::createStringError("no operator of '" + Loaded->Source.NativeFunctions +
                                     "' could be read"));
    return std::nullopt;
  }
  return std::move(*Loaded);
}

void note(const llvm::Twine &Text) { reportNote(Text); }

void reportOrder(const LoadedRelease &Old, const LoadedRelease &New) {
  if (New.Source.Version.Release < Old.Source.Version.Release)
    note("OLD is PyTorch " + Old.Source.Version.Text + " and NEW is " + New.Source.Version.Text +
         "; the report shows a downgrade");
}

std::vector<DeprecationChange> deprecations(const LoadedRelease &Old, const LoadedRelease &New) {
  if (Old.Deprecated && New.Deprecated)
    return compareDeprecated(*Old.Deprecated, *New.Deprecated);
  if (Old.Deprecated || New.Deprecated)
    note(llvm::Twine("only ") + (Old.Deprecated ? "OLD" : "NEW") +
         " has a deprecated.yaml; deprecated signatures are not compared");
  return {};
}

llvm::Error compareBackends(DiffOutcome &Out) {
  for (const ExternalBackend &Backend : Out.Old.Schemas->Backends) {
    // The text was read with the old release.
    llvm::Expected<SourceId> File =
        Out.New.Schemas->Files.open(Out.Old.Schemas->Files.name(Backend.File));
    if (!File)
      return File.takeError();
    Out.Backends.push_back(compareBackend(Backend, Out.Release));
    Out.NewBackends.push_back(followBackend(Backend, Out.Release, *File));
  }
  return llvm::Error::success();
}

/// The kernels of FILEs, read once and held against both releases.
llvm::Error compareKernels(const DiffRequest &Request, const CheckOptions &Options,
                           DiffOutcome &Out) {
  llvm::Expected<CheckSetup> Setup =
      setUpCheck(Out.Old.Source, Options, Request.Arguments, llvm::errs());
  if (!Setup)
    return Setup.takeError();
  for (const std::string &Problem : Setup->Inputs.Problems)
    complain(llvm::createStringError(Problem));
  ProjectChecker Old(*Out.Old.Schemas->Ops, Out.Old.Schemas->Backends);
  ProjectChecker New(*Out.New.Schemas->Ops, Out.NewBackends);
  ParseOptions Parsing = New.parseOptions(Setup->Project);
  for (const std::string &Scope : Old.parseOptions().Scopes)
    if (!llvm::is_contained(Parsing.Scopes, Scope))
      Parsing.Scopes.push_back(Scope);
  Parsing.Uses = true;
  Out.OldFiles = std::make_unique<SourceFiles>(&Out.Old.Schemas->Files);
  Out.NewFiles = std::make_unique<SourceFiles>(&Out.New.Schemas->Files);
  ReadUnits Read = readKernels(Setup->Inputs.Files, Setup->Commands, Parsing,
                               Setup->Settings.Compile.Threads, *Out.OldFiles);
  if (Read.Lost || !Setup->Inputs.Problems.empty())
    return llvm::createStringError("some of the files could not be read");
  reportIncomplete(Read.Units, Setup->Settings.Compile, Setup->Source.Project);
  if (Setup->Inputs.Python.size())
    note("Python files are not compared; use `opsig check` for them");
  Out.Kernels = checkUpgrade(Read.Units, Setup->Settings.Of, Out.Release, {Old, *Out.OldFiles},
                             {New, *Out.NewFiles}, Setup->Settings.Filter);
  Out.Upgrades = changedUses({Read.Units, {}, {}}, Out.Old.Source.Version.Release,
                             Out.New.Source.Version.Release, *Out.OldFiles);
  if (Out.Kernels->Compared == 0 && Out.Upgrades.empty())
    note("no kernel in these files was compared; run `opsig check` to see why");
  return llvm::Error::success();
}

} // namespace

static bool isPath(llvm::StringRef Text) { return llvm::sys::fs::exists(Text); }

llvm::Expected<std::unique_ptr<DiffOutcome>> runDiff(const DiffRequest &Request,
                                                     const CheckOptions &Options) {
  // Both are read, so that what is wrong with either is said in one run.
  std::optional<LoadedRelease> Old = load(Request.Old, Request.Backends, Request.Verbose);
  std::optional<LoadedRelease> New = load(Request.New, {}, Request.Verbose);
  if (!Old || !New)
    return llvm::createStringError(
        std::string(!Old && !New ? "OLD and NEW"
                    : !Old       ? "OLD"
                                 : "NEW") +
        " could not be used; nothing was compared" +
        (isPath(Request.Old.Path) ? "" : "; to compare git revisions, pass --since REV"));
  reportOrder(*Old, *New);
  auto Out = std::make_unique<DiffOutcome>(DiffOutcome{std::move(*Old), std::move(*New)});
  Out->Release = compareReleases(*Out->Old.Schemas->Ops, *Out->New.Schemas->Ops);
  Out->Release.Deprecations = deprecations(Out->Old, Out->New);
  if (llvm::Error Err = compareBackends(*Out))
    return std::move(Err);
  if (!Request.Arguments.Inputs.empty())
    if (llvm::Error Err = compareKernels(Request, Options, *Out))
      return std::move(Err);
  return std::move(Out);
}

} // namespace opsig
