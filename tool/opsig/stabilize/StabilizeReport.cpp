//===- StabilizeReport.cpp - how much of a project moves to the stable ABI --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stabilize/StabilizeReport.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/JsonText.h"
#include "opsig/Support/SafeText.h"
#include "llvm/Support/JSON.h"

namespace opsig {

namespace {

/// The change as it came out.
StableChange::How outcomeOf(const StableEdit &Edit) {
  bool Written = Edit.Change.Is == StableChange::Moves || Edit.Change.Is == StableChange::Review;
  return Written && !Edit.isMade() ? StableChange::Stays : Edit.Change.Is;
}

std::string whyLeft(const StableEdit &Edit) {
  if (!Edit.Refused.empty())
    return Edit.Refused;
  return Edit.Change.Why.empty() ? "there is no rule for it" : Edit.Change.Why;
}

llvm::StringRef howText(StableChange::How Is) {
  switch (Is) {
  case StableChange::Moves:
    return "moves";
  case StableChange::Review:
    return "review";
  case StableChange::Stays:
    return "stays";
  case StableChange::NotRead:
    return "not-read";
  }
  return "";
}

void count(StableSummary::Counts &Counts, StableChange::How Is) {
  switch (Is) {
  case StableChange::Moves:
    ++Counts.Moves;
    break;
  case StableChange::Review:
    ++Counts.Review;
    break;
  case StableChange::Stays:
    ++Counts.Stays;
    break;
  case StableChange::NotRead:
    ++Counts.NotRead;
    break;
  }
}

/// " (50%)" of uses that compile then.
std::string percentage(const StableSummary &S) {
  if (S.All.total() == 0)
    return "";
  return " (" + std::to_string(S.All.Compiles * 100 / S.All.total()) + "%" +
         (S.Broken.empty() ? ")" : " compile)");
}

void printText(llvm::raw_ostream &OS, const StableSummary &S, const StabilizeOutcome &Outcome) {
  const StableSummary::Counts &A = S.All;
  OS << counted(A.total(), "use") << " of what is not of the stable ABI in "
     << counted(S.Files.size(), "file") << '\n';
  OS << "  " << A.Moves + A.Review << " move" << percentage(S) << ", " << A.Review
     << " of them to be looked at; " << A.Stays << " left; "
     << counted(A.NotRead, "stretch", "stretches") << " of code not read\n";
  if (!S.Broken.empty())
    OS << "  " << counted(S.Broken.size(), "file") << " would not compile yet\n";
  OS << "  target " << Outcome.Target.getAsString() << '\n';
  for (const auto &[Name, Counts] : S.Files)
    OS << safeLineStart(Name) << ": " << Counts.Moves + Counts.Review << " of " << Counts.total()
       << " move\n";
  if (!S.Left.empty())
    OS << "left:\n";
  for (const auto &[What, Left] : S.Left)
    OS << "  " << Left.first << " x " << safeText(What) << ": " << safeText(Left.second) << '\n';
  if (!S.Errors.empty())
    OS << "what Clang says of the new text besides:\n";
  for (const auto &[Text, Times] : S.Errors)
    OS << "  " << Times << " x " << safeText(Text) << '\n';
}

void printMarkdown(llvm::raw_ostream &OS, const StableSummary &S, const StabilizeOutcome &Outcome) {
  OS << "| file | uses | move | to be looked at | left | not read |\n|---|---|---|---|---|---|\n";
  auto Row = [&](llvm::StringRef Name, const StableSummary::Counts &C) {
    OS << "| " << Name << " | " << C.total() << " | " << C.Moves << " | " << C.Review << " | "
       << C.Stays << " | " << C.NotRead << " |\n";
  };
  for (const auto &[Name, Counts] : S.Files)
    Row(markdownText(Name), Counts);
  Row("**all**", S.All);
  OS << "\nTarget: " << Outcome.Target.getAsString() << "\n";
  if (!S.Left.empty())
    OS << "\n| left | times | why |\n|---|---|---|\n";
  for (const auto &[What, Left] : S.Left)
    OS << "| " << markdownCode(What) << " | " << Left.first << " | " << markdownText(Left.second)
       << " |\n";
  if (!S.Errors.empty())
    OS << "\n| what Clang says of the new text besides | times |\n|---|---|\n";
  for (const auto &[Text, Times] : S.Errors)
    OS << "| " << markdownCode(Text) << " | " << Times << " |\n";
}

void printJson(llvm::raw_ostream &OS, const StableSummary &S, const StabilizeOutcome &Outcome) {
  for (const StableEdit &Edit : Outcome.Edits->all()) {
    const StableChange &C = Edit.Change;
    Place At = Outcome.Files->placeAt(SourceId(C.At.File), C.At.Offset);
    StableChange::How Is = outcomeOf(Edit);
    llvm::json::Object O{
        {"file", utf8(Outcome.Files->name(At.File))}, {"line", At.Line},      {"column", At.Column},
        {"id", "opsig-" + findingName(C.Id).str()},   {"what", utf8(C.What)}, {"how", howText(Is)}};
    if (!C.Instead.empty())
      O["instead"] = utf8(C.Instead);
    if (!C.Since.empty())
      O["since"] = C.Since.getAsString();
    if (Is != StableChange::Moves)
      O["why"] = utf8(whyLeft(Edit));
    printJsonLine(OS, std::move(O));
  }
  for (const LeftError &Error : Outcome.Errors)
    printJsonLine(OS, llvm::json::Object{{"file", utf8(Outcome.Files->name(Error.At.File))},
                                         {"line", Error.At.Line},
                                         {"column", Error.At.Column},
                                         {"how", "error"},
                                         {"why", utf8(Error.Text)}});
  printJsonLine(OS, llvm::json::Object{{"moves", S.All.Moves},
                                       {"review", S.All.Review},
                                       {"stays", S.All.Stays},
                                       {"not-read", S.All.NotRead},
                                       {"errors", Outcome.Errors.size()},
                                       {"target", Outcome.Target.getAsString()}});
}

} // namespace

std::string StableSummary::line(size_t NumFiles, bool DryRun) const {
  std::string Text = counted(All.Moves + All.Review, "use") + " of unstable API " +
                     (DryRun ? "can be moved" : "moved") + " in " + counted(NumFiles, "file");
  if (All.Review)
    Text += ", " + std::to_string(All.Review) + " of them to be looked at";
  if (All.Stays)
    Text += "; " + std::to_string(All.Stays) + " left";
  if (All.NotRead)
    Text += "; " + counted(All.NotRead, "stretch", "stretches") + " of code not read";
  size_t NumErrors = 0;
  for (const auto &[What, Times] : Errors)
    NumErrors += Times;
  if (NumErrors)
    Text += "; Clang says " + counted(NumErrors, "error") + " of the new text";
  if (DryRun)
    Text += "; nothing was written";
  return Text;
}

StableSummary summarize(const StabilizeOutcome &Outcome) {
  StableSummary S;
  for (const StableEdit &Edit : Outcome.Edits->all()) {
    StableChange::How Is = outcomeOf(Edit);
    count(S.All, Is);
    count(S.Files[Outcome.Files->name(SourceId(Edit.Change.At.File)).str()], Is);
    if (Is == StableChange::Stays) {
      auto &Left = S.Left[Edit.Change.What];
      ++Left.first;
      Left.second = whyLeft(Edit);
    }
  }
  for (const LeftError &Error : Outcome.Errors) {
    ++S.Errors[Error.Text];
    S.Broken.insert(Outcome.Files->name(Error.At.File).str());
  }
  for (auto &[Name, Counts] : S.Files) {
    // What stays does not compile where only the stable ABI is.
    Counts.Compiles = S.Broken.count(Name) ? 0 : Counts.Moves + Counts.Review;
    S.All.Compiles += Counts.Compiles;
  }
  return S;
}

void printReport(llvm::raw_ostream &OS, const StableSummary &Summary,
                 const StabilizeOutcome &Outcome, ReportFormat Format) {
  switch (Format) {
  case ReportFormat::Text:
    return printText(OS, Summary, Outcome);
  case ReportFormat::Json:
    return printJson(OS, Summary, Outcome);
  case ReportFormat::Markdown:
    return printMarkdown(OS, Summary, Outcome);
  }
}

Findings leftFindings(const StabilizeOutcome &Outcome) {
  Findings Out;
  for (const StableEdit &Edit : Outcome.Edits->all()) {
    StableChange::How Is = outcomeOf(Edit);
    if (Is == StableChange::Moves || (Is == StableChange::Stays && Outcome.Edits->staysWith(Edit)))
      continue;
    const StableChange &C = Edit.Change;
    Place At = Outcome.Files->placeAt(SourceId(C.At.File), C.At.Offset, markedLength(C));
    std::string Message =
        Is == StableChange::NotRead
            ? notReadText(C)
            : subjectOf(C) +
                  (Is == StableChange::Review ? " moved, and has to be looked at: "
                                              : " is not of the stable ABI, and stays: ") +
                  whyLeft(Edit);
    Out.add(C.Id, At, std::move(Message));
  }
  Out.sort(*Outcome.Files);
  return Out;
}

void printDefines(llvm::raw_ostream &OS, const StabilizeOutcome &Outcome) {
  std::string Number = targetNumber(Outcome.Target);
  llvm::StringRef Cuda = Outcome.UsesCuda ? " USE_CUDA" : "";
  OS << "CMakeLists.txt: target_compile_definitions(NAME PRIVATE TORCH_STABLE_ONLY "
        "TORCH_TARGET_VERSION="
     << Number << Cuda << ")\n";
  OS << "setup.py:       extra_compile_args=[\"-DTORCH_STABLE_ONLY\", \"-DTORCH_TARGET_VERSION="
     << Number << "\"" << (Outcome.UsesCuda ? ", \"-DUSE_CUDA\"" : "") << "]\n";
}

} // namespace opsig
