//===- StabilizeReport.cpp - how much of a project moves to the stable ABI --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Terminal.h"
#include "stabilize/StabilizeReport.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/JsonText.h"
#include "opsig/Support/SafeText.h"
#include "opsig/Support/TextLayout.h"
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
  return Edit.Change.Why.empty() ? "opsig has no replacement for it" : Edit.Change.Why;
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

/// "(59%)", "(<1%)".
std::string share(size_t Part, size_t Of) { return "(" + percentOf(Part, Of) + ")"; }

/// "618 uses of unstable API in 12 files: 372 automatic (60%; 5 need review), 192 manual (31%), 54
/// not read (9%)".
std::string headline(const StableSummary &S) {
  const StableSummary::Counts &A = S.All;
  std::string Text =
      counted(A.total(), "use") + " of unstable API in " + counted(S.Files.size(), "file");
  if (A.total() == 0)
    return Text;
  size_t Automatic = A.Moves + A.Review;
  Text += ": " + std::to_string(Automatic) + " automatic (" + percentOf(Automatic, A.total());
  if (A.Review)
    Text += "; " + std::to_string(A.Review) + (A.Review == 1 ? " needs review" : " need review");
  Text += "), " + std::to_string(A.Stays) + " manual " + share(A.Stays, A.total());
  if (A.NotRead)
    Text += ", " + std::to_string(A.NotRead) + " not read " + share(A.NotRead, A.total());
  return Text;
}

constexpr llvm::StringLiteral BrokenTitle = "Errors that Clang reports in the rewritten files";

void printFiles(llvm::raw_ostream &OS, const StableSummary &S, const TextStyle &Style) {
  if (S.Files.empty())
    return;
  TextTable Table("lrrrrrr");
  Table.add({Style.strong("file"), "uses", "automatic", "", "review", "manual", "not read"});
  for (const auto &[Name, C] : S.Files)
    Table.add({Style.place(Name), std::to_string(C.total()), std::to_string(C.Moves + C.Review),
               percentOf(C.Moves + C.Review, C.total()), std::to_string(C.Review),
               std::to_string(C.Stays), std::to_string(C.NotRead)});
  OS << '\n';
  Table.print(OS);
}

void printText(llvm::raw_ostream &OS, const StableSummary &S, const StabilizeOutcome &Outcome) {
  const TextStyle Style = styleOf(OS);
  OS << Style.strong(headline(S)) << '\n';
  if (!S.Broken.empty())
    OS << counted(S.Broken.size(), "file") << " would not compile yet; "
       << counted(S.All.Compiles, "use") << ' ' << share(S.All.Compiles, S.All.total())
       << (S.All.Compiles == 1 ? " is" : " are") << " in files that would compile\n";
  OS << "target: PyTorch " << Outcome.Target.getAsString() << '\n';
  printFiles(OS, S, Style);
  if (!S.Left.empty()) {
    OS << '\n' << Style.strong("Rewrite by hand") << '\n';
    TextTable Table("rll");
    for (const auto &[What, Left] : S.Left)
      Table.add({std::to_string(Left.first), Style.code(safeText(What)), safeText(Left.second)});
    Table.print(OS);
  }
  if (!S.Errors.empty()) {
    OS << '\n' << Style.strong(BrokenTitle) << '\n';
    TextTable Table("rl");
    for (const auto &[Text, Times] : S.Errors)
      Table.add({std::to_string(Times), safeText(Text)});
    Table.print(OS);
  }
}

void printMarkdown(llvm::raw_ostream &OS, const StableSummary &S, const StabilizeOutcome &Outcome) {
  OS << headline(S) << ".\n\nTarget: PyTorch " << Outcome.Target.getAsString() << "\n\n"
     << "| file | uses | automatic | need review | manual | not read |\n"
        "|---|---:|---:|---:|---:|---:|\n";
  auto Row = [&](llvm::StringRef Name, const StableSummary::Counts &C) {
    size_t Automatic = C.Moves + C.Review;
    OS << "| " << Name << " | " << C.total() << " | " << Automatic;
    if (C.total())
      OS << ' ' << share(Automatic, C.total());
    OS << " | " << C.Review << " | " << C.Stays << " | " << C.NotRead << " |\n";
  };
  for (const auto &[Name, Counts] : S.Files)
    Row(markdownText(Name), Counts);
  Row("**all**", S.All);
  if (!S.Left.empty())
    OS << "\n| rewrite by hand | times | why |\n|---|---:|---|\n";
  for (const auto &[What, Left] : S.Left)
    OS << "| " << markdownCode(What) << " | " << Left.first << " | " << markdownText(Left.second)
       << " |\n";
  if (!S.Errors.empty())
    OS << "\n| " << BrokenTitle << " | times |\n|---|---:|\n";
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
                     (DryRun ? "can be converted" : "converted") + " in " +
                     counted(NumFiles, "file");
  if (All.Review)
    Text +=
        ", " + std::to_string(All.Review) + (All.Review == 1 ? " needs review" : " need review");
  if (All.Stays)
    Text += "; " + std::to_string(All.Stays) + " left";
  if (All.NotRead)
    Text +=
        "; " + counted(All.NotRead, "part of the code was", "parts of the code were") + " not read";
  size_t NumErrors = 0;
  for (const auto &[What, Times] : Errors)
    NumErrors += Times;
  if (NumErrors)
    Text += "; Clang reports " + counted(NumErrors, "error") + " in the new code";
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
                  (Is == StableChange::Review
                       ? " was converted; review it: "
                       : " is not part of the stable ABI and was not converted: ") +
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
