//===- OtherBranches.cpp - findings where a condition is off ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// findings x UnitFacts::Branches => those that hold in the build that has the lines; each
// says
//   that this one does not
//
//===----------------------------------------------------------------------===//
#include "Registrations/RegistrationInternal.h"

#include "opsig/Support/Counted.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

/// A branch as findings and edits see it.
struct Branch {
  const UnitFacts *Unit;
  const SkippedBranch *Is;
  uint32_t Line, EndLine; ///< of the directives around it
};

class BranchTable {
public:
  BranchTable(ArrayRef<UnitFacts> Units, UnitFiles &Files) : Files(Files) {
    for (const UnitFacts &Unit : Units)
      for (const SkippedBranch &B : Unit.Branches)
        ByFile[Files.file(Unit, B.Lines.File)].push_back(
            {&Unit, &B, Files.place(Unit, B.Directive).Line,
             Files.place(Unit, {B.Lines.File, B.Lines.end(), 1}).Line});
  }

  /// The innermost one around the place; null where there is none.
  const Branch *around(const Place &At) const {
    const Branch *Found = nullptr;
    if (auto Known = ByFile.find(At.File); At.isValid() && Known != ByFile.end())
      for (const Branch &B : Known->second)
        if (At.Line > B.Line && At.Line < B.EndLine && (!Found || B.Line > Found->Line))
          Found = &B;
    return Found;
  }

  bool holds(const Fix &F) const {
    auto Known = ByFile.find(F.File);
    return Known != ByFile.end() && any_of(Known->second, [&](const Branch &B) {
             return F.Offset >= B.Is->Lines.Offset && F.Offset < B.Is->Lines.end();
           });
  }

  void explain(Finding &Diag, const Branch &B) const {
    std::string Flags = join(B.Unit->BranchFlags, " ");
    Diag.note(Files.place(*B.Unit, B.Is->Directive),
              isText(B) ? "this '#if' branch is inactive; its code was searched as text, not parsed"
                        : "this '#if' branch is inactive; its code was read with " + Flags);
  }

private:
  static bool isText(const Branch &B) {
    return B.Unit->BranchFlags.empty() ||
           any_of(B.Unit->Registrations, [&](const RegistrationBlock &Block) {
             return any_of(Block.Entries, [&](const RegistrationEntry &E) {
               return E.TextOnly && E.At.File == B.Is->Lines.File &&
                      E.At.Offset >= B.Is->Lines.Offset && E.At.Offset < B.Is->Lines.end();
             });
           });
  }

  UnitFiles &Files;
  std::map<SourceId, std::vector<Branch>> ByFile;
};

} // namespace

Findings opsig::resolveOtherBranches(const Findings &Found, ArrayRef<UnitFacts> Units,
                                     UnitFiles &Files) {
  if (none_of(Units, [](const UnitFacts &Unit) { return Unit.isOtherBranch(); }))
    return Found;
  BranchTable Table(Units, Files);
  Findings Out;
  for (Finding Diag : Found.all()) {
    const Branch *B = Table.around(Diag.At);
    if (B && B->Is->OfOther)
      continue;
    // Nothing compiles what an edit there becomes.
    if (B || any_of(Diag.Fixes, [&](const Fix &F) { return Table.holds(F); }))
      Diag.Fixes.clear();
    // What is registered there may stand elsewhere.
    for (size_t I = 0; !B && I < Diag.Notes.size(); ++I)
      B = Table.around(Diag.Notes[I].At);
    if (B && B->Is->OfOther)
      continue;
    if (B)
      Table.explain(Diag, *B);
    Out.append(std::move(Diag));
  }
  return Out;
}

std::vector<std::string> opsig::otherBranchNotes(ArrayRef<UnitFacts> Units) {
  size_t Read = 0, OfOther = 0;
  std::set<std::string> Flags;
  // Several files may include a header, one of them where its condition is on.
  std::set<std::tuple<StringRef, uint32_t, uint32_t>> Seen;
  auto IsNew = [&](const UnitFacts &Unit, const Span &At) {
    return At.File == 0 || Seen.emplace(Unit.Files[At.File], At.Offset, At.Length).second;
  };
  for (const UnitFacts &Unit : Units)
    for (const RegistrationBlock &Block : Unit.Registrations)
      for (const RegistrationEntry &Entry : Block.Entries)
        if (!Unit.isOtherBranch() && Entry.At.isValid())
          IsNew(Unit, Entry.At);
  for (const UnitFacts &Unit : Units) {
    for (const RegistrationBlock &Block : Unit.Registrations)
      for (const RegistrationEntry &Entry : Block.Entries) {
        if (Unit.isOtherBranch() && !IsNew(Unit, Entry.At))
          continue;
        bool Other = isOfOtherBranch(Unit, Entry);
        OfOther += Other;
        Read += Unit.isOtherBranch() && !Other && !Entry.TextOnly;
      }
    Flags.insert(Unit.BranchFlags.begin(), Unit.BranchFlags.end());
  }
  std::vector<std::string> Out;
  if (Read != 0)
    Out.push_back(counted(Read, "registration") + (Read == 1 ? " is" : " are") +
                  " in inactive '#if' branches, which were read with " +
                  join(std::vector<std::string>(Flags.begin(), Flags.end()), " "));
  if (OfOther != 0)
    Out.push_back(counted(OfOther, "registration") + (OfOther == 1 ? " is" : " are") +
                  " for a different release, platform or compiler and " +
                  (OfOther == 1 ? "was" : "were") + " not compared with the schemas");
  return Out;
}

bool opsig::isOfOtherBranch(const UnitFacts &Unit, const RegistrationEntry &Entry) {
  return any_of(Unit.Branches, [&](const SkippedBranch &B) {
    return B.OfOther && Entry.At.isValid() && Entry.At.File == B.Lines.File &&
           Entry.At.Offset >= B.Lines.Offset && Entry.At.Offset < B.Lines.end();
  });
}
