//===- SinceReport.cpp - What a diff of two revisions says -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diff/SinceReport.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/JsonText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

namespace opsig {

namespace {

struct SectionText {
  ProjectChange::Kind Is;
  llvm::StringLiteral Title, Intro;
};

constexpr SectionText Sections[] = {
    {ProjectChange::Removed, "Removed operators", "keep them, or document what to call instead"},
    {ProjectChange::Breaking, "Changes that break calls",
     "undo them, or give the changed operators new names"},
    {ProjectChange::Unknown, "Not compared", "check these yourself"},
    {ProjectChange::Compatible, "Nothing to do", "changes that break no calls"},
    {ProjectChange::Added, "New operators", ""},
};

const SourceFiles &filesOf(const ProjectChange &C, const SinceOutcome &Outcome) {
  return C.New ? *Outcome.New.Files : *Outcome.Old.Files;
}

std::string remarkOf(const ProjectChange &C, const SinceOutcome &Outcome) {
  std::vector<std::string> Parts;
  if (!C.Why.empty())
    Parts.push_back(C.Why);
  if (C.Is == ProjectChange::Compatible && !C.WhyNotForward.empty())
    Parts.push_back("new calls may fail with the old version: " + C.WhyNotForward);
  if (const Place &At = C.shown().At; At.isValid())
    Parts.push_back((C.New ? "" : "was in ") + filesOf(C, Outcome).name(At.File).str() + ":" +
                    std::to_string(At.Line));
  return llvm::join(Parts, "; ");
}

DiffItem itemOf(const ProjectChange &C, const SinceOutcome &Outcome) {
  return {C.shown().Name,
          remarkOf(C, Outcome),
          {},
          {{"schema", C.Old ? C.Old->str() : "", C.New ? C.New->str() : ""}},
          {}};
}

bool isShown(ProjectChange::Kind Kind, const DiffChoice &Choice) {
  return !Choice.OnlyBreaking || Kind == ProjectChange::Removed ||
         Kind == ProjectChange::Breaking || Kind == ProjectChange::Unknown;
}

struct KindCount {
  llvm::StringRef Id, Words;
  size_t Count;
};

std::vector<KindCount> countsOf(const ProjectDiff &Diff) {
  return {{"removed", "removed", Diff.count(ProjectChange::Removed)},
          {"breaking", "breaking", Diff.count(ProjectChange::Breaking)},
          {"compatible", "compatible", Diff.count(ProjectChange::Compatible)},
          {"added", "new", Diff.count(ProjectChange::Added)},
          {"unknown", "not compared", Diff.count(ProjectChange::Unknown)},
          {"unchanged", "the same", Diff.Unchanged}};
}

std::string countsText(const SinceOutcome &Outcome) {
  if (Outcome.Old.Ops.All.empty() && Outcome.New.Ops.All.empty())
    return "nothing was compared, because no file defines an operator in either revision";
  if (Outcome.Diff.Changes.empty())
    return "no differences: " + counted(Outcome.Diff.Unchanged, "operator") + " compared";
  std::vector<std::string> Parts;
  for (const KindCount &C : countsOf(Outcome.Diff))
    if (C.Count != 0 || C.Id == "breaking")
      Parts.push_back((llvm::Twine(C.Count) + " " + C.Words).str());
  return llvm::join(Parts, ", ");
}

} // namespace

DiffReport makeSinceReport(const SinceOutcome &Outcome, const DiffChoice &Choice) {
  DiffReport Out;
  Out.Title = "Operators of the project: " + Outcome.Old.Name + " => " + Outcome.New.Name;
  Out.Old = Outcome.Old.shown();
  Out.New = Outcome.New.shown();
  for (const SectionText &Text : Sections) {
    DiffSection Section{Text.Title.str(), Text.Intro.str(), {}};
    for (const ProjectChange &C : Outcome.Diff.Changes)
      if (C.Is == Text.Is && isShown(C.Is, Choice))
        Section.Items.push_back(itemOf(C, Outcome));
    if (!Section.Items.empty())
      Out.Sections.push_back(std::move(Section));
  }
  Out.Counts = countsText(Outcome);
  return Out;
}

static void printChange(llvm::json::OStream &J, const ProjectChange &C,
                        const SinceOutcome &Outcome) {
  J.attribute("change", toString(C.Is));
  J.attribute("op", utf8(C.shown().Name));
  J.attributeObject("schema", [&] {
    if (C.Old)
      J.attribute("from", utf8(C.Old->str()));
    if (C.New)
      J.attribute("to", utf8(C.New->str()));
  });
  if (C.Is == ProjectChange::Breaking || C.Is == ProjectChange::Compatible) {
    J.attribute("backward_compatible", C.Is == ProjectChange::Compatible);
    J.attribute("forward_compatible", C.WhyNotForward.empty());
    if (!C.WhyNotForward.empty())
      J.attribute("why_not_forward", utf8(C.WhyNotForward));
  }
  if (!C.Why.empty())
    J.attribute("why", utf8(C.Why));
  if (const Place &At = C.shown().At; At.isValid()) {
    J.attribute("file", utf8(filesOf(C, Outcome).name(At.File)));
    J.attribute("line", At.Line);
    J.attribute("column", At.Column);
  }
}

static void printSide(llvm::json::OStream &J, llvm::StringRef Name, const SinceSide &Side) {
  J.attributeObject(Name, [&] {
    J.attribute("revision", utf8(Side.Name));
    if (!Side.Commit.empty())
      J.attribute("commit", Side.Commit);
    J.attribute("operators", Side.Ops.All.size());
  });
}

void printSinceJson(llvm::raw_ostream &OS, const SinceOutcome &Outcome, const DiffChoice &Choice) {
  auto Object = [&](llvm::function_ref<void(llvm::json::OStream &)> Fill) {
    llvm::json::OStream J(OS);
    J.object([&] { Fill(J); });
    J.flush();
    OS << '\n';
  };
  Object([&](llvm::json::OStream &J) {
    J.attribute("change", "revisions");
    printSide(J, "old", Outcome.Old);
    printSide(J, "new", Outcome.New);
  });
  for (const ProjectChange &C : Outcome.Diff.Changes)
    if (isShown(C.Is, Choice))
      Object([&](llvm::json::OStream &J) { printChange(J, C, Outcome); });
  Object([&](llvm::json::OStream &J) {
    J.attribute("change", "counts");
    for (const KindCount &C : countsOf(Outcome.Diff))
      J.attribute(C.Id, C.Count);
  });
}

} // namespace opsig
