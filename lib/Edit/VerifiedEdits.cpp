//===- VerifiedEdits.cpp - Edits that leave nothing worse -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Edit/VerifiedEdits.h"
#include "opsig/Edit/EditSet.h"
#include "opsig/Support/PathGlob.h"

using namespace opsig;
using namespace llvm;

EditPolicy::~EditPolicy() = default;
void EditPolicy::blameForLoss(size_t, Verdict &) {}
void EditPolicy::blameForFindings(const EditedTexts &, Verdict &) {}

std::string opsig::newErrorText(const ClangMessage &Error, StringRef With) {
  return ("after the edit, " + (With.empty() ? "" : "with " + With + ", ") +
          "Clang would report '" + Error.Text + "'")
      .str();
}

std::vector<EditedFileText> opsig::editedTexts(const EditSet &Edits, const SourceFiles &Files) {
  std::vector<EditedFileText> Out;
  for (const auto &[File, Changes] : Edits.all()) {
    std::string Old = Files.text(File).str();
    // Every replacement lies inside of its file and overlaps no other.
    std::string Now = cantFail(clang::tooling::applyAllReplacements(Old, Changes));
    Out.push_back({Files.name(File).str(), std::move(Old), std::move(Now), Changes});
  }
  return Out;
}

EditedTexts::EditedTexts(std::vector<EditedFileText> All, FileIdentities &Identities)
    : Files(std::move(All)) {
  for (const EditedFileText &File : Files)
    if (auto Id = Identities.of(File.Name))
      Maps[*Id] = EditMap(File.Changes);
}

std::vector<VirtualFile> EditedTexts::buffers() const {
  std::vector<VirtualFile> Out;
  for (const EditedFileText &File : Files)
    Out.push_back({absolutePath(File.Name), File.Now});
  return Out;
}

CodePoint EditedTexts::original(CodePoint After) const {
  if (auto Map = Maps.find(After.File); Map != Maps.end())
    After.Offset = Map->second.before(After.Offset);
  return After;
}

static void blameForErrors(EditPolicy &Policy, ArrayRef<SourceErrors> Sources,
                           const EditedTexts &Texts, bool IsLast, Verdict &Out) {
  for (size_t I = 0; I < Sources.size(); ++I) {
    if (Sources[I].IsLost) {
      Policy.blameForLoss(I, Out);
      continue;
    }
    for (size_t New : newErrors(Sources[I].Before, Sources[I].After, Texts.maps())) {
      const ClangMessage &Error = Sources[I].After[New];
      NewError Is{I, Error, {Texts.original(Error.At)}, IsLast};
      for (const CodePoint &Note : Error.Notes)
        Is.Points.push_back(Texts.original(Note));
      Policy.blame(Is, Out);
    }
  }
}

Expected<Verdict> opsig::judgeEdits(EditPolicy &Policy, const EditedTexts &Texts, bool IsLast) {
  Expected<std::vector<SourceErrors>> Sources = Policy.read(Texts);
  if (!Sources)
    return Sources.takeError();
  Verdict Out;
  blameForErrors(Policy, *Sources, Texts, IsLast, Out);
  // Errors of Clang may be why there are other findings.
  if (Out.Regressions.empty() && !Out.IsRepaired)
    Policy.blameForFindings(Texts, Out);
  return Out;
}

Expected<EditedTexts> opsig::verifyEdits(EditPolicy &Policy, FileIdentities &Identities) {
  for (unsigned Round = 1;; ++Round) {
    bool IsLast = Round == Policy.maxRounds();
    Expected<EditProposal> Proposal = Policy.propose();
    if (!Proposal)
      return Proposal.takeError();
    if (Proposal->Kind == EditProposal::Nothing)
      return EditedTexts();
    Verdict Out;
    if (Proposal->Kind == EditProposal::Texts) {
      EditedTexts Texts(std::move(Proposal->Files), Identities);
      Expected<Verdict> Found = judgeEdits(Policy, Texts, IsLast);
      if (!Found)
        return Found.takeError();
      Out = std::move(*Found);
      if (Out.Regressions.empty() && !Out.IsRepaired)
        return std::move(Texts);
    }
    if (IsLast)
      if (Error Err = Policy.exhausted(Out))
        return std::move(Err);
    if (!Out.IsRepaired)
      Policy.ban(Out.Regressions);
  }
}
