//===- Closing.cpp - What a run of opsig check has done ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/Closing.h"
#include "opsig/Kernel/PythonRegistrations.h"
#include "opsig/Support/Counted.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

namespace opsig {

namespace {

/// The few words that a line has room for.
std::string shortReason(const TranslationUnit &Unit) {
  if (!Unit.MissingHeaders.empty())
    return "'" + Unit.MissingHeaders.front() + "' was not found";
  // With a place it is about the text.
  if (isPython(Unit.MainFile) && !Unit.FirstError.empty())
    return llvm::isDigit(Unit.FirstError.front()) ? "Python reports errors" : Unit.FirstError;
  return Unit.NumErrors ? "Clang reports errors" : Unit.FirstError;
}

/// "(a, 2 times; b)", the most frequent first; at most three.
std::string reasons(llvm::ArrayRef<std::string> All) {
  std::map<std::string, size_t> Count;
  for (const std::string &Why : All)
    ++Count[Why];
  std::vector<std::pair<std::string, size_t>> Ordered(Count.begin(), Count.end());
  llvm::stable_sort(Ordered, [](const auto &L, const auto &R) { return L.second > R.second; });
  std::vector<std::string> Words;
  for (const auto &[Why, Times] : llvm::ArrayRef(Ordered).take_front(3))
    Words.push_back(Times == 1 ? Why : Why + ", " + std::to_string(Times) + " times");
  if (Ordered.size() > Words.size())
    Words.push_back("...");
  return " (" + llvm::join(Words, "; ") + ")";
}

std::string found(const Findings &All, std::optional<unsigned> Mended) {
  if (All.Reported.empty())
    return "no findings";
  size_t Errors = 0, Mendable = 0;
  for (const Diagnostic &D : All.Reported.all()) {
    Errors += D.Severity == Level::Error;
    Mendable += !D.Fixes.empty();
  }
  size_t Warnings = All.Reported.size() - Errors;
  std::vector<std::string> Parts;
  if (Errors)
    Parts.push_back(counted(Errors, "error"));
  if (Warnings)
    Parts.push_back(counted(Warnings, "warning"));
  if (Mended)
    Parts.push_back(std::to_string(*Mended) + " mended");
  else if (Mendable)
    Parts.push_back(std::to_string(Mendable) + " can be mended");
  return llvm::join(Parts, ", ");
}

} // namespace

std::string unreadText(const UnreadRegistration &Unread, const SourceFiles &Files) {
  if (!Unread.At.isValid())
    return Unread.Why;
  return (Files.name(Unread.At.File) + ":" + llvm::Twine(Unread.At.Line) + ":" +
          llvm::Twine(Unread.At.Column) + ": " + Unread.Why)
      .str();
}

void Closing::read(llvm::ArrayRef<TranslationUnit> Units, size_t NumLost) {
  WasRead = true;
  NumFiles = Units.size();
  Lost = NumLost;
  for (const TranslationUnit &Unit : Units)
    if (std::string Why = incompleteParse(Unit); !Why.empty()) {
      InPart.push_back({Unit.MainFile, std::move(Why)});
      Reasons.push_back(shortReason(Unit));
    }
}

void Closing::entriesAreLeftOut(const LoadedSchemas &Schemas) {
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

std::string Closing::done() const {
  if (WrongSchemas)
    return LeftOut ? "the schemas have errors, so that no kernel was compared"
                   : "the schemas have errors";
  if (!WasRead)
    return counted(YamlOperators, "operator") + " read, no file was given";
  return counted(NumFiles, "file") + ", " + counted(Done.Operators.size(), "operator") + ", " +
         counted(Done.Kernels.size(), "kernel") + " compared";
}

std::string Closing::line(const Findings &All) const {
  std::vector<std::string> Parts{done(), found(All, Mended)};
  if (Lost)
    Parts.push_back(counted(Lost, "input") + " could not be read");
  if (NumEntries && !WrongSchemas)
    Parts.push_back(counted(NumEntries, "YAML entry", "YAML entries") + " could not be used");
  for (const std::string &File : YamlFiles)
    if (!WrongSchemas)
      Parts.push_back("'" + File + "' could not be used");
  if (!InPart.empty())
    Parts.push_back(counted(InPart.size(), "file") + (InPart.size() == 1 ? " was" : " were") +
                    " read in part" + reasons(Reasons));
  if (!Done.Unread.empty()) {
    std::vector<std::string> Why;
    for (const UnreadRegistration &U : Done.Unread)
      Why.push_back(U.Why);
    Parts.push_back(counted(Done.Unread.size(), "registration") + " could not be read" +
                    reasons(Why));
  }
  return llvm::join(Parts, "; ");
}

std::vector<RunNote> Closing::notes(const Findings &All, const SourceFiles &Files) const {
  std::vector<RunNote> Notes;
  for (const auto &[File, Why] : InPart)
    Notes.push_back({File + ": " + Why, true});
  for (const UnreadRegistration &U : Done.Unread)
    Notes.push_back({unreadText(U, Files) + ": this registration could not be read", true});
  Notes.push_back({line(All), false});
  return Notes;
}

} // namespace opsig
