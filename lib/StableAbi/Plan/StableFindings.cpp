//===- StableFindings.cpp - what is not part of the stable ABI, as findings -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Rules/StableInternal.h"
#include "opsig/Support/FindingIds.h"

using namespace opsig;
using namespace llvm;

namespace {

std::string sinceText(const StableChange &Change) {
  return Change.Since.empty() ? "" : " (needs PyTorch " + Change.Since.getAsString() + " or later)";
}

std::string insteadText(const StableChange &Change) {
  return Change.InWords ? Change.Instead : "'" + Change.Instead + "'";
}

std::string messageOf(const StableChange &Change) {
  switch (Change.Is) {
  case StableChange::NotRead:
    return notReadText(Change);
  case StableChange::Moves:
    return subjectOf(Change) +
           " is not part of the stable ABI; 'opsig stabilize' replaces it with " +
           insteadText(Change) + sinceText(Change);
  case StableChange::Review:
    return subjectOf(Change) +
           " is not part of the stable ABI; 'opsig stabilize' replaces it with " +
           insteadText(Change) + sinceText(Change) + "; review it: " + Change.Why;
  case StableChange::Stays:
    break;
  }
  std::string Why = Change.Why.empty() ? "opsig has no replacement for it" : Change.Why;
  return subjectOf(Change) + " is not part of the stable ABI: " + Why;
}

} // namespace

std::string opsig::subjectOf(const StableChange &Change) {
  if (Change.Id == finding::UnstableRegistration)
    return "this registration";
  return "'" + Change.What + "'";
}

std::string opsig::notReadText(const StableChange &Change) {
  if (Change.What.empty())
    return "these lines are in an inactive '#if' branch, so they were not read";
  return subjectOf(Change) + " is never expanded, so its body was not read";
}

uint32_t opsig::markedLength(const StableChange &Change) {
  return Change.Is == StableChange::NotRead ? std::max<size_t>(1, Change.What.size())
                                            : Change.At.Length;
}

void opsig::reportStable(const UnitFacts &Unit, const StablePlan &Plan, SourceFiles &Files,
                         Findings &Diags) {
  for (const StableChange &Change : Plan.Changes) {
    bool IsMacro = Change.Is == StableChange::NotRead && !Change.What.empty();
    if (IsMacro && Unit.Files[Change.At.File] != Unit.MainFile)
      continue; // another file may expand it
    Expected<SourceId> File = Files.open(Unit.Files[Change.At.File]);
    if (!File) {
      consumeError(File.takeError());
      continue;
    }
    Diags.add(Change.Id, Files.placeAt(*File, Change.At.Offset, markedLength(Change)),
              messageOf(Change));
  }
}
