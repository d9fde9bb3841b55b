//===- Sync.cpp - opsig sync ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FILEs, schemas => new texts (SyncRun.h) => written, all or none | printed as a patch
//
//===----------------------------------------------------------------------===//
#include "Subcommands.h"
#include "Terminal.h"
#include "check/CheckOutput.h"
#include "sync/SyncRun.h"
#include "opsig/Rewrite/UnifiedDiff.h"
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
  Choices choices() override { return {{"extent", &Options.Of.getParser()}}; }
  int run(const std::vector<std::string> &AfterDashes) override;

private:
  llvm::Expected<int> sync(const std::vector<std::string> &AfterDashes);
  std::vector<std::string> given() const { return {Inputs.begin(), Inputs.end()}; }
  llvm::Expected<int> deliver(const SyncOutcome &Outcome) const;

  cl::SubCommand Sub{"sync", "Rewrite headers and sources until they agree with the schemas"};
  SchemaOptions Schema{Sub};
  CheckOptions Options{Sub};
  cl::list<std::string> Inputs{cl::Positional, cl::sub(Sub), cl::desc("FILE... [-- FLAGS]")};
  cl::opt<bool> DryRun{"dry-run", cl::sub(Sub),
                       cl::desc("Change nothing; print what would change as a unified diff")};
};

/// "2 signatures changed, 1 declaration added".
std::string summary(const SyncOutcome &Outcome) {
  struct Words {
    SyncEdit::Kind Is;
    llvm::StringRef Noun, Done;
  };
  static constexpr Words Table[] = {{SyncEdit::Signature, "difference", "mended"},
                                    {SyncEdit::Declaration, "declaration", "added"},
                                    {SyncEdit::Stub, "stub", "added"},
                                    {SyncEdit::Registration, "registration", "written"},
                                    {SyncEdit::Removal, "registration", "removed"}};
  std::vector<std::string> Parts;
  for (const Words &W : Table)
    if (auto It = Outcome.Counts.find(W.Is); It != Outcome.Counts.end())
      Parts.push_back(
          (llvm::Twine(It->second) + " " + W.Noun + (It->second == 1 ? " " : "s ") + W.Done).str());
  return llvm::join(Parts, ", ");
}

llvm::Error write(const SyncOutcome &Outcome) {
  OutputTree Tree;
  for (const auto &[Name, File] : Outcome.Files)
    Tree.edit(Name, File.Before, File.Now.Text);
  return rewriteFiles(std::move(Tree), *Outcome.Read).takeError();
}

void printText(llvm::raw_ostream &OS, const RefusedEdit &Edit, const SourceFiles &Files,
               const PrintOptions &Options) {
  if (Edit.At.isValid())
    OS << Options.shown(Files.name(Edit.At.File)) << ':' << Edit.At.Line << ':' << Edit.At.Column << ": ";
  OS << "note: not edited: " << Edit.Why << '\n';
}

llvm::Expected<int> SyncCommand::deliver(const SyncOutcome &Outcome) const {
  // A patch on standard output stays one.
  llvm::raw_ostream &Words = DryRun ? llvm::errs() : llvm::outs();
  if (DryRun)
    for (const auto &[Name, File] : Outcome.Files)
      printUnifiedDiff(llvm::outs(), Name, File.Before, File.Now.Changes);
  else if (llvm::Error E = write(Outcome))
    return std::move(E);
  const PrintOptions Options = printOptions(Words);
  for (const Diagnostic &D : Outcome.Left.Reported.all())
    printText(Words, D, *Outcome.Sources, Options);
  for (const RefusedEdit &Edit : Outcome.Refused)
    printText(Words, Edit, *Outcome.SourcesBefore, Options);
  if (llvm::Error E = finishOutput())
    return std::move(E);
  tellSilenced(Outcome.Left);
  if (!Outcome.Files.empty())
    llvm::errs() << "opsig: " << summary(Outcome) << " in " << Outcome.Files.size()
                 << (Outcome.Files.size() == 1 ? " file" : " files")
                 << (DryRun ? "; nothing was written" : "") << '\n';
  bool Agrees = Outcome.Left.Reported.empty() && Outcome.Refused.empty() &&
                !(DryRun && !Outcome.Files.empty());
  return Agrees ? ExitClean : ExitFindings;
}

llvm::Expected<int> SyncCommand::sync(const std::vector<std::string> &AfterDashes) {
  if (Inputs.empty())
    return llvm::createStringError("sync needs the FILEs that it may rewrite");
  llvm::Expected<CheckSetup> Setup =
      setUpCheck(Schema, Options, {given(), /*AllListed=*/false, AfterDashes}, llvm::errs());
  if (!Setup)
    return Setup.takeError();
  std::unique_ptr<LoadedSchemas> Schemas =
      loadOrComplain(Setup->Source, OutputFormat::Text, Schema.Verbose);
  if (!Schemas)
    return ExitUnusable;
  for (const std::string &Problem : Setup->Inputs.Problems)
    complain(llvm::createStringError(Problem));
  if (!Setup->Inputs.Problems.empty())
    return llvm::createStringError("no file was changed");
  llvm::Expected<SyncOutcome> Outcome = runSync(*Setup, *Schemas);
  if (!Outcome)
    return Outcome.takeError();
  return deliver(*Outcome);
}

int SyncCommand::run(const std::vector<std::string> &AfterDashes) {
  return statusOf(sync(AfterDashes));
}

} // namespace

std::unique_ptr<Subcommand> makeSyncCommand() { return std::make_unique<SyncCommand>(); }

} // namespace opsig
