//===- IncompleteUnits.cpp - files that were read in part only --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Check/IncompleteUnits.h"
#include "opsig/Check/Check.h"
#include "opsig/Frontend/FlagErrors.h"
#include "opsig/Support/Counted.h"
#include "opsig/Workspace/InputFiles.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace opsig {

/// What to do about the first error in the text: what replaces std::optional where the headers have
/// a class of their own and do not even include <optional>.
static std::string adviceFor(const UnitFacts &Unit, StringRef Error) {
  bool IsUnknown = Error.contains("'optional' in namespace 'std'");
  return IsUnknown && Unit.Names.Templates[unsigned(CppTemplate::Optional)] == "c10::optional"
             ? "; use 'c10::optional' with this PyTorch release"
             : "";
}

static size_t numTextErrors(const UnitFacts &Unit, const FirstErrors &First) {
  return Unit.NumErrors - std::min<size_t>(Unit.NumErrors, First.Flags.size());
}

/// Errors that are not about flags.
static std::string textErrors(const UnitFacts &Unit, const FirstErrors &First) {
  size_t Count = numTextErrors(Unit, First);
  if (Count == 0)
    return "";
  // Not "error:", by which other programs find findings.
  std::string What = Count == 1 ? "an error (" + First.Text.str() + ")"
                                : counted(Count, "error") + ", first: " + First.Text.str();
  return "Clang reports " + What + "; code affected by " + (Count == 1 ? "it" : "them") +
         " is not compared with the schemas" + adviceFor(Unit, First.Text);
}

static std::string missingHeaders(const UnitFacts &Unit) {
  std::string First = "'" + Unit.MissingHeaders.front() + "'";
  size_t More = Unit.MissingHeaders.size() - 1;
  if (More == 0)
    return First + " was not found; code that needs it is not compared with the schemas";
  return First + " and " + counted(More, "more header") +
         " were not found; code that needs them is not compared with the schemas";
}

/// Why \p Unit, which was parsed, is not complete, but for flags; "" if these are all.
static std::string whyIncomplete(const UnitFacts &Unit, const FirstErrors &First) {
  if (isPython(Unit.MainFile))
    return Unit.FirstError + "; registrations in this file were not checked";
  return Unit.MissingHeaders.empty() ? textErrors(Unit, First) : missingHeaders(Unit);
}

std::string incompleteParse(const UnitFacts &Unit) {
  if (Unit.complete())
    return "";
  if (!Unit.Parsed)
    return withFlagAdvice(Unit.FirstError);
  FirstErrors First = splitFirstErrors(Unit.FirstError);
  std::string Why = whyIncomplete(Unit, First);
  for (StringRef Flag : reverse(First.Flags))
    Why = (Flag + "; ").str() + flagAdvice(Flag) + (Why.empty() ? "" : "; ") + Why;
  return Why;
}

std::string bodyErrors(const UnitFacts &Unit) {
  FirstErrors First = splitFirstErrors(Unit.FirstError);
  bool IsComplete = Unit.Parsed && Unit.MissingHeaders.empty() && numTextErrors(Unit, First) == 0;
  if (!IsComplete || First.Text.empty())
    return "";
  return "Clang reports errors in function bodies, so opsig does not compare the effects of these "
         "functions with schemas; the first error is " +
         First.Text.str();
}

IncompleteUnits incompleteUnits(ArrayRef<UnitFacts> Units,
                                function_ref<bool(StringRef)> IsExplained) {
  IncompleteUnits Out;
  MapVector<StringRef, unsigned> Counts;
  for (const UnitFacts &Unit : Units) {
    if (Unit.complete())
      continue;
    FirstErrors First = splitFirstErrors(Unit.FirstError);
    ArrayRef<StringRef> Flags = First.Flags;
    for (size_t I = 0; I < Flags.size(); ++I)
      if (!is_contained(Flags.take_front(I), Flags[I])) // a file may have it twice
        ++Counts[Flags[I]];
    std::string Why = Unit.Parsed ? whyIncomplete(Unit, First) : incompleteParse(Unit);
    if (!Why.empty() && !IsExplained(Unit.MainFile))
      Out.Files.push_back({&Unit, std::move(Why)});
  }
  for (const auto &[Error, Count] : Counts)
    Out.Flags.push_back({Error.str(), Count});
  return Out;
}

} // namespace opsig
