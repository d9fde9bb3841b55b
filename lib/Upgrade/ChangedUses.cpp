//===- ChangedUses.cpp - what a newer PyTorch lacks, as the older one reads it -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "UpgradeInternal.h"
#include "opsig/Frontend/ApiUse.h"
#include "opsig/Support/PathGlob.h"

#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace opsig;
using namespace llvm;

/// "" where nothing happens to it between the two.
static std::string changeBetween(const ApiChange &Rule, const VersionTuple &Old,
                                 const VersionTuple &New) {
  auto IsBetween = [&](const VersionTuple &V) { return !V.empty() && V > Old && V <= New; };
  if (IsBetween(Rule.Gone))
    return sinceOf(Rule, /*IsGone=*/true);
  return IsBetween(Rule.Deprecated) ? sinceOf(Rule, /*IsGone=*/false) : "";
}

std::vector<UpgradeEdit> opsig::changedUses(const UpgradeInput &Input, const VersionTuple &Old,
                                            const VersionTuple &New, SourceFiles &Files) {
  std::vector<UpgradeEdit> Out;
  std::set<std::pair<std::string, uint32_t>> Known;
  for (const UnitFacts &Unit : Input.Units)
    for (const ApiUse &Use : Unit.Uses) {
      const ApiChange *Rule = findApiChange(Use.Name);
      if (!Rule || Use.Is == ApiUse::Unread || !Use.At.isValid())
        continue;
      // `x.data()` is another method than `x.data<T>()`.
      if (Use.Name == "at::Tensor::data" && !Use.TemplateArgs.isValid())
        continue;
      std::string Since = changeBetween(*Rule, Old, New);
      const Span &At = Use.NameAt.isValid() ? Use.NameAt : Use.At;
      const std::string &Name = Unit.Files[At.File];
      if (Since.empty() || !Known.insert({absolutePath(Name), At.Offset}).second)
        continue;
      Expected<SourceId> File = Files.open(Name);
      if (!File) {
        consumeError(File.takeError());
        continue;
      }
      UpgradeEdit &Edit = Out.emplace_back();
      Edit.From = Rule->From.str();
      Edit.To = Rule->To.str();
      Edit.At = Files.placeAt(*File, At.Offset);
      Edit.Since = std::move(Since);
      Edit.IsAdvice = Rule->Is == ApiChange::Advice;
    }
  auto KeyOf = [&](const UpgradeEdit &E) {
    return std::tuple(Files.name(E.At.File), E.At.Line, E.At.Column);
  };
  llvm::sort(Out, [&](const UpgradeEdit &L, const UpgradeEdit &R) { return KeyOf(L) < KeyOf(R); });
  return Out;
}
