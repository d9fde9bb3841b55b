//===- Stabilize.cpp - opsig stabilize ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FILEs => new texts (StabilizeRun.h) => written, all or none | printed as a patch | a report
//
//===----------------------------------------------------------------------===//
#include "Subcommands.h"
#include "Terminal.h"
#include "check/Rewriting.h"
#include "stabilize/StabilizeReport.h"
#include "opsig/Dialect/Dialect.h"
#include "opsig/Edit/UnifiedDiff.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/SafeText.h"

namespace cl = llvm::cl;

namespace opsig {

namespace {

class StabilizeCommand : public Subcommand {
public:
  llvm::StringRef words() const override { return "stabilize"; }
  llvm::StringRef operands() const override { return "FILE... [-- FLAGS]"; }
  cl::SubCommand &parser() override { return Sub; }
  Choices choices() override {
    return {{"format", &Options.Format.getParser()}, {"scope", &Options.Check.Of.getParser()}};
  }
  int run(const std::vector<std::string> &AfterDashes) override {
    return statusOf(stabilize(AfterDashes));
  }

private:
  llvm::Expected<int> stabilize(const std::vector<std::string> &AfterDashes);
  llvm::Expected<StabilizeRequest> request() const;
  llvm::Expected<int> report(const StabilizeOutcome &Outcome) const;
  llvm::Expected<int> deliver(const StabilizeOutcome &Outcome) const;

  cl::SubCommand Sub{"stabilize",
                     "Convert TORCH_LIBRARY code to libtorch's stable ABI, and list what is left"};
  RewriteOptions Options{
      Sub,
      "Change nothing; report how much can be converted, what is left, and the required target"};
  cl::opt<std::string> Target{"target", cl::sub(Sub), cl::value_desc("VERSION"),
                              cl::desc("Use only APIs that this PyTorch release and later ones "
                                       "have; default: the oldest release with all replacements")};
  cl::opt<bool> KeepBoth{
      "keep-both", cl::sub(Sub),
      cl::desc(
          "Also keep the old lines; the new ones are compiled if TORCH_STABLE_ONLY is defined")};
  cl::list<std::string> ExtraFlags{
      "extra-flags", cl::sub(Sub), cl::value_desc("FLAGS"),
      cl::desc("Also convert code that is compiled only with these flags; repeatable")};
  /// The spelling of --extra-flags before it was renamed.
  cl::alias OldExtraFlags{"also", cl::aliasopt(ExtraFlags), cl::Hidden};
  cl::opt<bool> Partial{"partial", cl::sub(Sub),
                        cl::desc("Continue if a file could only be read in part")};
  cl::opt<std::string> Output{"output", cl::sub(Sub), cl::value_desc("FILE"),
                              cl::desc("Write the report to FILE instead of standard output")};
};

llvm::Expected<StabilizeRequest> StabilizeCommand::request() const {
  StabilizeRequest Request;
  Request.Partial = Partial || Options.Report;
  Request.KeepBoth = KeepBoth;
  for (const std::string &Flags : ExtraFlags) {
    llvm::BumpPtrAllocator Memory;
    llvm::StringSaver Saver(Memory);
    llvm::SmallVector<const char *> Words;
    cl::TokenizeGNUCommandLine(Flags, Saver, Words);
    Request.ExtraFlags.emplace_back(Words.begin(), Words.end());
  }
  if (!Target.empty()) {
    Request.Target = parseTorchVersion(Target);
    if (!Request.Target)
      return llvm::createStringError("invalid value '" + Target +
                                     "' for --target; expected MAJOR.MINOR");
  }
  return Request;
}

llvm::Expected<int> StabilizeCommand::report(const StabilizeOutcome &Outcome) const {
  StableSummary Summary = summarize(Outcome);
  auto Print = [&](llvm::raw_ostream &OS) { printReport(OS, Summary, Outcome, Options.Format); };
  if (!Output.empty()) {
    if (llvm::Error Err = writeFile(Output, Print))
      return std::move(Err);
  } else {
    Print(llvm::outs());
  }
  if (llvm::Error Err = finishOutput())
    return std::move(Err);
  return Summary.total() ? ExitFindings : ExitClean;
}

llvm::Expected<int> StabilizeCommand::deliver(const StabilizeOutcome &Outcome) const {
  llvm::raw_ostream &Words = Options.DryRun ? llvm::errs() : llvm::outs();
  const PrintOptions Print = printOptions(Words);
  if (Options.DryRun) {
    printPatch(Outcome.Texts);
  } else {
    llvm::Expected<unsigned> Written = rewriteFiles(Outcome.Texts, Outcome.Read->Texts);
    if (!Written)
      return Written.takeError();
  }
  Findings Left = leftFindings(Outcome);
  for (const Finding &D : Left.all())
    printText(Words, D, *Outcome.Files, Print);
  for (const LeftError &Error : Outcome.Errors)
    Words << safeLineStart(Print.shown(Outcome.Files->name(Error.At.File))) << ':' << Error.At.Line
          << ':' << Error.At.Column
          << ": note: in the rewritten file, Clang reports: " << safeText(Error.Text) << '\n';
  if (!Outcome.Texts.empty())
    printDefines(Words, Outcome);
  if (llvm::Error Err = finishOutput())
    return std::move(Err);
  StableSummary Summary = summarize(Outcome);
  llvm::errs() << "opsig: " << Summary.line(Outcome.Texts.size(), Options.DryRun) << '\n';
  bool Clean =
      Left.empty() && Outcome.Errors.empty() && !(Options.DryRun && !Outcome.Texts.empty());
  return Clean ? ExitClean : ExitFindings;
}

llvm::Expected<int> StabilizeCommand::stabilize(const std::vector<std::string> &AfterDashes) {
  llvm::Expected<StabilizeRequest> Request = request();
  if (!Request)
    return Request.takeError();
  llvm::Expected<CheckSetup> Setup = setUpRewriting(words(), Options, AfterDashes);
  if (!Setup)
    return Setup.takeError();
  llvm::Expected<StabilizeOutcome> Outcome = runStabilize(*Setup, *Request);
  if (!Outcome)
    return Outcome.takeError();
  return Options.Report ? report(*Outcome) : deliver(*Outcome);
}

} // namespace

std::unique_ptr<Subcommand> makeStabilizeCommand() { return std::make_unique<StabilizeCommand>(); }

} // namespace opsig
