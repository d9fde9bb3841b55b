//===- RunSummary.cpp - What a run of opsig check has done ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/RunSummary.h"
#include "check/UnseenBlocks.h"
#include "opsig/Check/IncompleteUnits.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/FindingIds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

namespace opsig {

namespace {

/// " (a in 2 cases; b)"
std::string reasons(llvm::ArrayRef<std::string> All) { return " (" + reasonsText(All) + ")"; }

/// "1 error, 2 warnings".
std::vector<std::string> countedLevels(llvm::ArrayRef<Finding> All) {
  size_t Errors = llvm::count_if(All, [](const Finding &D) { return D.Severity == Level::Error; });
  std::vector<std::string> Parts;
  if (Errors)
    Parts.push_back(counted(Errors, "error"));
  if (Errors < All.size())
    Parts.push_back(counted(All.size() - Errors, "warning"));
  return Parts;
}

} // namespace

/// "ops.cpp:3:5: "; "" where there is no place.
static std::string inFrontOf(const Place &At, const SourceFiles &Files) {
  if (!At.isValid())
    return "";
  return (Files.name(At.File) + ":" + llvm::Twine(At.Line) + ":" + llvm::Twine(At.Column) + ": ")
      .str();
}

std::string unreadText(const UnreadRegistration &Unread, const SourceFiles &Files) {
  return inFrontOf(Unread.At, Files) + "this registration could not be read: " + Unread.Why;
}

std::string bodyText(const Place &Name, const SourceFiles &Files) {
  return inFrontOf(Name, Files) + "this function body is too long to analyze, so its effects are "
                                  "not compared with the schema";
}

/// The line of the main file that the first error stands in; 0 where it stands elsewhere.
static unsigned firstLine(const UnitFacts &Unit) {
  llvm::StringRef Rest = Unit.FirstError;
  unsigned Line = 0;
  bool IsThere = Rest.consume_front(Unit.MainFile) && Rest.consume_front(":");
  return IsThere && !Rest.consumeInteger(10, Line) ? Line : 0;
}

void RunSummary::read(llvm::ArrayRef<UnitFacts> Units, size_t NumLost,
                      std::vector<std::string> Why) {
  WasRead = true;
  NumFiles = Units.size();
  Lost = NumLost;
  WhyLost = std::move(Why);
  InPart.clear();
  WrongBodies.clear();
  Registers = false;
  for (const UnitFacts &Unit : Units) {
    Registers |= !Unit.Registrations.empty() || !Unit.OtherBranches.empty();
    if (std::string Incomplete = incompleteParse(Unit); !Incomplete.empty()) {
      bool HasOnlyErrors = Unit.Parsed && Unit.MissingHeaders.empty();
      InPart.push_back({Unit.MainFile, std::move(Incomplete), shortReason(Unit),
                        HasOnlyErrors ? Unit.NumErrors : 0, firstLine(Unit)});
    }
    if (std::string Errors = bodyErrors(Unit); !Errors.empty())
      WrongBodies.push_back({Unit.MainFile, std::move(Errors)});
  }
}

void RunSummary::explain(const SiftedFindings &Found) {
  Explained.clear();
  std::map<llvm::StringRef, std::vector<unsigned>> Lines; ///< of errors that are findings
  for (const KeyError &E : Done.KeyErrors)
    if (llvm::any_of(Found.Reported.all(), [&](const Finding &D) {
          return D.Id == finding::RegistrationKey && D.At == E.At;
        }))
      Lines[E.MainFile].push_back(E.At.Line);
  for (const PartlyRead &P : InPart)
    if (P.NumErrors && P.NumErrors == Lines[P.File].size() &&
        llvm::is_contained(Lines[P.File], P.FirstLine))
      Explained.insert(P.File);
}

bool RunSummary::comparedNothing() const {
  return WasRead && !WrongSchemas && Done.Operators.empty() && Done.Kernels.empty();
}

bool RunSummary::hadNothing() const {
  return comparedNothing() && !Registers && Done.Unread.empty() && Unseen.empty();
}

std::string RunSummary::found(const SiftedFindings &All) const {
  llvm::ArrayRef<Finding> Reported = All.Reported.all();
  std::vector<std::string> Parts = countedLevels(Reported);
  if (Fixed && *Fixed) {
    if (!Parts.empty())
      Parts.back() += " left";
    Parts.insert(Parts.begin(), std::to_string(*Fixed) + " fixed");
    if (Reported.empty())
      Parts.push_back("no findings left");
    return llvm::join(Parts, ", ");
  }
  if (Reported.empty() && All.Suppressed.empty()) {
    bool IsUnread =
        !Done.Unread.empty() || !Unseen.empty() || !InPart.empty() || Lost || Done.Undefined;
    if (comparedNothing() && IsUnread)
      return "nothing was compared";
    if (hadNothing() && !LimitedToNone)
      return "nothing to compare: these files register no operator";
  }
  if (Reported.empty())
    return "no findings";
  size_t Fixable = llvm::count_if(Reported, [](const Finding &D) { return !D.Fixes.empty(); });
  if (Fixable && !Fixed)
    Parts.push_back(std::to_string(Fixable) + " can be fixed");
  return llvm::join(Parts, ", ");
}

void RunSummary::entriesAreLeftOut(const LoadedSchemas &Schemas) {
  NumEntries = llvm::count_if(Schemas.Ops->Unread, [&](const auto &Name) {
    return Schemas.Ops->find(Name.getKey()) == nullptr;
  });
  for (const ExternalBackend &Backend : Schemas.Backends) {
    if (Backend.Unread.WholeFile)
      YamlFiles.push_back(Schemas.Files.name(Backend.File).str());
    else
      NumEntries += Backend.Unread.Count;
  }
}

std::string RunSummary::done() const {
  if (WrongSchemas)
    return LeftOut ? "the schemas have errors, so no kernel was compared"
                   : "the schemas have errors";
  if (!WasRead)
    return counted(YamlOperators, "operator") + " read (no source file was passed)";
  return counted(NumFiles, "file") + ", " + counted(Done.Operators.size(), "operator") + ", " +
         counted(Done.Kernels.size(), "kernel") + " compared";
}

std::string RunSummary::line(const SiftedFindings &All) const {
  std::vector<std::string> Parts{done(), found(All)};
  if (Lost)
    Parts.push_back(counted(Lost, "input") + " could not be read" +
                    (WhyLost.empty() ? "" : reasons(WhyLost)));
  if (NumEntries && !WrongSchemas)
    Parts.push_back(counted(NumEntries, "YAML entry", "YAML entries") + " could not be used");
  for (const std::string &File : YamlFiles)
    if (!WrongSchemas)
      Parts.push_back("'" + File + "' could not be used");
  std::vector<std::string> Reasons;
  for (const PartlyRead &P : InPart)
    if (!isExplained(P.File))
      Reasons.push_back(P.Reason);
  if (!Reasons.empty())
    Parts.push_back(counted(Reasons.size(), "file") + (Reasons.size() == 1 ? " was" : " were") +
                    " read in part" + reasons(Reasons));
  if (!WrongBodies.empty())
    Parts.push_back(counted(WrongBodies.size(), "file") +
                    (WrongBodies.size() == 1 ? " has" : " have") + " errors in function bodies");
  std::vector<std::string> Why;
  for (const UnreadRegistration &U : unread())
    Why.push_back(U.Why);
  if (!Why.empty())
    Parts.push_back(counted(Why.size(), "registration") + " could not be read" + reasons(Why));
  if (!Done.LongBodies.empty())
    Parts.push_back(counted(Done.LongBodies.size(), "function body", "function bodies") +
                    (Done.LongBodies.size() == 1 ? " is" : " are") + " too long to analyze");
  if (Done.Undefined && comparedNothing())
    Parts.push_back("no file that was passed defines the operator" +
                    std::string(Done.Undefined == 1 ? " of 1 kernel"
                                                    : "s of " + counted(Done.Undefined, "kernel")));
  if (Done.InFunctions)
    Parts.push_back(counted(Done.InFunctions, "registration") +
                    (Done.InFunctions == 1 ? " is" : " are") +
                    " in functions that may never be called");
  if (!Torch.empty())
    Parts.push_back(Torch);
  return llvm::join(Parts, "; ");
}

void RunSummary::usesTorch(const SchemaSource &Source) {
  // Who names a PyTorch, or its release, knows it.
  llvm::StringRef From = Source.RootFrom;
  if (From.empty() || Source.Version.File.empty() || From == "--torch-root" ||
      From == Source.Project.File || From == "--source-path")
    return;
  if (From.starts_with("/usr/bin/") || From.starts_with("the headers in '/usr/"))
    From = "the system";
  Torch = "PyTorch " + Source.Version.Text + " (" + From.str() + ")";
}

std::vector<UnreadRegistration> RunSummary::unread() const {
  std::vector<UnreadRegistration> All = Done.Unread;
  llvm::append_range(All, Unseen);
  return All;
}

std::vector<RunNote> RunSummary::notes(const SiftedFindings &All, const SourceFiles &Files) const {
  std::vector<RunNote> Notes;
  for (const PartlyRead &P : InPart)
    if (!isExplained(P.File))
      Notes.push_back({P.File + ": " + P.Why, true});
  for (const auto &[File, Why] : WrongBodies)
    Notes.push_back({File + ": " + Why, true});
  for (const UnreadRegistration &U : unread())
    Notes.push_back({unreadText(U, Files), true});
  for (const Place &At : Done.LongBodies)
    Notes.push_back({bodyText(At, Files), true});
  Notes.push_back({line(All), false});
  return Notes;
}

} // namespace opsig
