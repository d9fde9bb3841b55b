//===- Sync.cpp - opsig sync ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FILEs, schemas => new texts (SyncRun.h) => written, all or none | printed as a patch
//
//===----------------------------------------------------------------------===//
#include "Subcommands.h"
#include "Terminal.h"
#include "check/Rewriting.h"
#include "sync/SyncUpgrade.h"
#include "opsig/Edit/UnifiedDiff.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Support/SafeText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;

namespace opsig {

namespace {

class SyncCommand : public Subcommand {
public:
  llvm::StringRef words() const override { return "sync"; }
  llvm::StringRef operands() const override { return "FILE... [-- FLAGS]"; }
  cl::SubCommand &parser() override { return Sub; }
  Choices choices() override { return {{"scope", &Options.Of.getParser()}}; }
  int run(const std::vector<std::string> &AfterDashes) override;

private:
  llvm::Expected<int> sync(const std::vector<std::string> &AfterDashes);
  std::vector<std::string> given() const { return {Inputs.begin(), Inputs.end()}; }
  /// Null where something is wrong that was printed.
  llvm::Expected<std::unique_ptr<SchemaUpgrade>> load(const SchemaSource &Source) const;
  llvm::Expected<int> deliver(const SyncOutcome &Outcome, const SchemaUpgrade &Upgrade) const;

  cl::SubCommand Sub{"sync", "Edit headers and sources so that they agree with the schemas"};
  SchemaOptions Schema{Sub};
  CheckOptions Options{Sub};
  cl::list<std::string> Inputs{cl::Positional, cl::sub(Sub), cl::desc("FILE... [-- FLAGS]")};
  cl::opt<std::string> From{
      "from", cl::sub(Sub), cl::value_desc("OLD"),
      cl::desc("Update files that were written for OLD, another PyTorch (a torch root, or its "
               "native_functions.yaml); also list new operators that backends must implement")};
  cl::opt<std::string> FromTorch{"from-torch", cl::sub(Sub), cl::value_desc("VERSION"),
                                 cl::desc("Set the release of OLD; default: read from OLD")};
  cl::opt<bool> PruneRemoved{"prune-removed", cl::sub(Sub),
                             cl::desc("Remove the backend's YAML entries for operators that OLD "
                                      "has but PyTorch no longer has")};
  /// The spelling of --prune-removed before it was renamed.
  cl::alias OldPruneRemoved{"drop-gone", cl::aliasopt(PruneRemoved), cl::Hidden};
  cl::opt<bool> DryRun{"dry-run", cl::sub(Sub),
                       cl::desc("Change nothing; print the edits as a unified diff")};
};

/// "2 differences fixed, 1 declaration added"; \p Gone are entries of YAML.
std::string summary(const SyncOutcome &Outcome, size_t Gone) {
  struct Words {
    SyncEdit::Kind Is;
    llvm::StringRef Noun, Done;
  };
  static constexpr Words Table[] = {{SyncEdit::Signature, "difference", "fixed"},
                                    {SyncEdit::Declaration, "declaration", "added"},
                                    {SyncEdit::Stub, "stub", "added"},
                                    {SyncEdit::Registration, "registration", "written"},
                                    {SyncEdit::Removal, "registration", "removed"}};
  std::vector<std::string> Parts;
  for (const Words &W : Table)
    if (auto It = Outcome.Counts.find(W.Is); It != Outcome.Counts.end())
      Parts.push_back(
          (llvm::Twine(It->second) + " " + W.Noun + (It->second == 1 ? " " : "s ") + W.Done).str());
  if (Gone)
    Parts.push_back((llvm::Twine(Gone) + (Gone == 1 ? " entry" : " entries") + " removed").str());
  return llvm::join(Parts, ", ");
}

/// The backends' YAML is written with the sources, or not at all.
void addYaml(const SchemaUpgrade &Upgrade, SyncOutcome &Outcome) {
  for (const auto &[Name, File] : Upgrade.Yaml) {
    Outcome.Read->note(absolutePath(Name), File.Before);
    Outcome.Files[Name] = File;
  }
}

llvm::Error write(const SyncOutcome &Outcome) {
  OutputTree Tree;
  for (const auto &[Name, File] : Outcome.Files)
    Tree.edit(Name, File.Before, File.Now.Text);
  return rewriteFiles(std::move(Tree), *Outcome.Read).takeError();
}

std::string patchOf(const SyncOutcome &Outcome) {
  std::string Patch;
  llvm::raw_string_ostream OS(Patch);
  for (const auto &[Name, File] : Outcome.Files)
    printUnifiedDiff(OS, Name, File.Before, File.Now.Changes);
  return Patch;
}

void printText(llvm::raw_ostream &OS, const RefusedEdit &Edit, const SourceFiles &Files,
               const PrintOptions &Options) {
  if (Edit.At.isValid())
    OS << safeLineStart(Options.shown(Files.name(Edit.At.File))) << ':' << Edit.At.Line << ':'
       << Edit.At.Column << ": ";
  OS << "note: not edited: " << safeText(Edit.Why) << '\n';
}

/// "--from-torch VERSION".
static std::string spellOldRelease(llvm::StringRef Name, llvm::StringRef Value) {
  return dashedOption(Name == "torch" ? "from-torch" : Name == "torch-root" ? "from" : Name, Value);
}

llvm::Expected<std::unique_ptr<SchemaUpgrade>> SyncCommand::load(const SchemaSource &Source) const {
  if (!From.empty())
    return loadUpgrade(Source, {{From, FromTorch, spellOldRelease}, PruneRemoved, Schema.Verbose});
  auto Upgrade = std::make_unique<SchemaUpgrade>();
  Upgrade->New = loadOrComplain(Source, OutputFormat::Text, Schema.Verbose);
  return Upgrade->New ? std::move(Upgrade) : nullptr;
}

llvm::Expected<int> SyncCommand::deliver(const SyncOutcome &Outcome,
                                         const SchemaUpgrade &Upgrade) const {
  // A patch on standard output stays one.
  llvm::raw_ostream &Words = DryRun ? llvm::errs() : llvm::outs();
  if (DryRun)
    printPatch(patchOf(Outcome));
  else if (llvm::Error E = write(Outcome))
    return std::move(E);
  const PrintOptions Options = printOptions(Words);
  for (const Finding &D : Outcome.Left.Reported.all())
    printText(Words, D, *Outcome.Sources, Options);
  for (const RefusedEdit &Edit : Outcome.Refused)
    printText(Words, Edit, *Outcome.SourcesBefore, Options);
  if (!From.empty())
    printUpgrade(Words, Upgrade);
  if (llvm::Error E = finishOutput())
    return std::move(E);
  reportSuppressed(Outcome.Left, *Outcome.Sources);
  if (Outcome.Files.empty())
    llvm::errs() << "opsig: nothing to edit; "
                 << (Outcome.NumKernels ? counted(Outcome.NumKernels, "kernel") + " compared"
                                        : "these files contain no kernels for operators")
                 << '\n';
  else
    llvm::errs() << "opsig: " << summary(Outcome, Upgrade.Gone.size()) << " in "
                 << Outcome.Files.size() << (Outcome.Files.size() == 1 ? " file" : " files")
                 << (DryRun ? "; nothing was written" : "") << '\n';
  bool Agrees = Outcome.Left.Reported.empty() && Outcome.Refused.empty() &&
                !(DryRun && !Outcome.Files.empty());
  return Agrees ? ExitClean : ExitFindings;
}

llvm::Expected<int> SyncCommand::sync(const std::vector<std::string> &AfterDashes) {
  if (llvm::Error Err = refuseNoInputs(words(), Inputs))
    return std::move(Err);
  if (From.empty() && (PruneRemoved || !FromTorch.empty()))
    return llvm::createStringError("--prune-removed and --from-torch need --from OLD, the PyTorch "
                                   "that the files were written for");
  llvm::Expected<CheckSetup> Setup =
      setUpCheck(Schema, Options, {given(), /*AllListed=*/false, AfterDashes}, llvm::errs());
  if (!Setup)
    return Setup.takeError();
  llvm::Expected<std::unique_ptr<SchemaUpgrade>> Upgrade = load(Setup->Source);
  if (!Upgrade)
    return Upgrade.takeError();
  if (!*Upgrade)
    return ExitUnusable;
  if (llvm::Error Err = refuseProblems(*Setup))
    return std::move(Err);
  llvm::Expected<SyncOutcome> Outcome = runSync(*Setup, *(*Upgrade)->New);
  if (!Outcome)
    return Outcome.takeError();
  addYaml(**Upgrade, *Outcome);
  return deliver(*Outcome, **Upgrade);
}

int SyncCommand::run(const std::vector<std::string> &AfterDashes) {
  return statusOf(sync(AfterDashes));
}

} // namespace

std::unique_ptr<Subcommand> makeSyncCommand() { return std::make_unique<SyncCommand>(); }

} // namespace opsig
