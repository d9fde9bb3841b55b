//===- Plan.cpp - a unit's uses => what becomes of them ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Rules/StableInternal.h"
#include "opsig/Edit/SourceTokens.h"
#include "opsig/Frontend/ApiUse.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

StringRef StableContext::text(Span S) const {
  if (!S.isValid())
    return "";
  Expected<SourceId> File = Files.open(Unit.Files[S.File]);
  if (!File) {
    consumeError(File.takeError());
    return "";
  }
  return Files.text(*File).substr(S.Offset, S.Length);
}

Span StableContext::wholeLines(Span S) const {
  StringRef Text = text({S.File, 0, ~0u});
  uint32_t Begin = S.Offset, End = S.end();
  while (Begin && (Text[Begin - 1] == ' ' || Text[Begin - 1] == '\t'))
    --Begin;
  while (End < Text.size() && (Text[End] == ' ' || Text[End] == '\t'))
    ++End;
  bool Own = (Begin == 0 || Text[Begin - 1] == '\n') && End < Text.size() && Text[End] == '\n';
  return Own ? Span{S.File, Begin, End + 1 - Begin} : S;
}

std::optional<Span> StableContext::statement(Span S) const {
  StringRef After = text({S.File, S.end(), ~0u - S.end()});
  size_t Semicolon = After.find_first_not_of(" \t\n");
  if (Semicolon == StringRef::npos || After[Semicolon] != ';')
    return std::nullopt;
  S.Length += uint32_t(Semicolon + 1);
  return S;
}

StringRef opsig::withoutNamespace(StringRef Name) {
  for (StringRef Scope : {"at::", "c10::", "torch::", "caffe2::"})
    if (Name.consume_front(Scope))
      return Name;
  return Name;
}

//===- Ways --------------------------------------------------------------------===//

WayBuilder &WayBuilder::need(StringRef Name) {
  std::optional<StableName> Known = Context.Names.Find(Name);
  if (!Known) {
    if (Missing.empty())
      Missing = ("the headers of this PyTorch do not declare '" + Name + "'").str();
    return *this;
  }
  if (!Context.Names.allows(*Known) && Missing.empty())
    Missing =
        ("'" + Name + "' needs PyTorch " + Known->Since.getAsString() + " or later as the target")
            .str();
  if (Way.Since < Known->Since)
    Way.Since = Known->Since;
  if (!Known->Header.empty())
    Way.Headers.insert(Known->Header);
  return *this;
}

WayBuilder &WayBuilder::helper(StringRef Name) {
  if (const KnownHelper *Known = findHelper(Name)) {
    Way.Helper = Known->Helper;
    for (const std::string &Header : Known->Headers)
      header(Header);
  }
  return *this;
}

StableChange opsig::staysAsIs(const Subject &Of, FindingId Id, std::string Why) {
  StableChange Change;
  Change.Id = Id;
  Change.What = Of.What;
  Change.Why = std::move(Why);
  Change.At = Of.At;
  return Change;
}

StableChange opsig::movesBy(const Subject &Of, FindingId Id, StringRef Instead, WayBuilder Way) {
  StableChange Change = staysAsIs(Of, Id, Way.missing());
  if (!Way.missing().empty())
    return Change;
  Change.Is = StableChange::Moves;
  Change.Instead = Instead.str();
  Change.Ways.push_back(Way.take());
  Change.Since = Change.Ways.front().Since;
  return Change;
}

StableChange opsig::movesInWords(const Subject &Of, FindingId Id, StringRef Instead,
                                 WayBuilder Way) {
  StableChange Change = movesBy(Of, Id, Instead, std::move(Way));
  Change.InWords = true;
  return Change;
}

void opsig::addAlternative(StableChange &Change, WayBuilder Way) {
  if (Change.Is == StableChange::Moves && Way.missing().empty())
    Change.Ways.push_back(Way.take());
}

void opsig::toBeReviewed(StableChange &Change, std::string Why) {
  if (Change.Is != StableChange::Moves || Why.empty())
    return;
  Change.Is = StableChange::Review;
  Change.Why = std::move(Why);
}

void opsig::lookWhereRepeated(StableChange &Change, Span Repeated, const StableContext &Context) {
  if (StringRef Text = Context.text(Repeated); Text.contains('('))
    toBeReviewed(Change, ("'" + Text + "' is now evaluated more than once").str());
}

//===- Uses ----------------------------------------------------------------------===//

namespace {

/// What writes indices, which are calls then.
StableChange withoutImport(const ApiUse &Use, const StableContext &Context) {
  WayBuilder Way(Context);
  Way.at(Context.wholeLines(Context.statement(Use.At).value_or(Use.At)));
  return movesInWords(Use, finding::UnstableType, "fully qualified names", std::move(Way));
}

/// `using at::Tensor;`
RuleResult importRule(const ApiUse &Use, const StableContext &Context) {
  if (isStableName(Use.Name) || Context.Names.IsHeader(Use.Header))
    return std::nullopt;
  if (StringRef(Use.Name).starts_with("at::indexing::"))
    return withoutImport(Use, Context);
  ApiUse Type = Use;
  if (RuleResult R = typeRule(Type, Context); R && R->Is == StableChange::Moves)
    return R;
  if (RuleResult R = constantRule(Type, Context); R && R->Is == StableChange::Moves)
    return R;
  return staysAsIs(Use, finding::UnstableType, "");
}

/// `using namespace at;`: what it brought is named in full.
RuleResult directiveRule(const ApiUse &Use, const StableContext &Context) {
  StringRef Name = Use.Name;
  if (Name == "torch" || Name == "torch::stable" || Name == "torch::headeronly" ||
      isStableName(Name))
    return std::nullopt;
  // What others bring may be left.
  if (Name != "at" && Name != "c10" && Name != "at::indexing")
    return staysAsIs(
        Use, finding::UnstableType,
        "remove it and write the full names of the declarations that it makes visible");
  return withoutImport(Use, Context);
}

RuleResult baseRule(const ApiUse &Use) {
  bool Autograd = StringRef(Use.Name).ends_with("autograd::Function");
  return staysAsIs(Use, finding::UnstableBase,
                   Autograd ? "define forward and backward as operators, and connect them with "
                              "torch.library.register_autograd in Python"
                            : "");
}

RuleResult includeRule(const ApiUse &Use, const StableContext &Context) {
  auto &Lists = Context.Names.IsHeader(Use.Name) ? Context.Plan.Stable : Context.Plan.Unstable;
  Lists[Use.At.File].push_back(Use.At);
  if (Context.Names.IsHeader(Use.Name))
    return std::nullopt;
  StableChange Change = staysAsIs(Use, finding::UnstableInclude, "");
  Change.Is = StableChange::Moves;
  Change.Instead = "the headers that are needed";
  Change.InWords = true;
  Change.Ways.emplace_back();
  return Change;
}

RuleResult ruleFor(const ApiUse &Use, const StableContext &Context) {
  switch (Use.Is) {
  case ApiUse::Include:
    return includeRule(Use, Context);
  case ApiUse::Macro:
    return macroRule(Use, Context);
  case ApiUse::Type:
    return typeRule(Use, Context);
  case ApiUse::Constant:
    return constantRule(Use, Context);
  case ApiUse::Function:
    return functionRule(Use, Context);
  case ApiUse::Method:
    return methodRule(Use, Context);
  case ApiUse::Operator:
    return operatorRule(Use, Context);
  case ApiUse::Construct:
    return constructRule(Use, Context);
  case ApiUse::Import:
    return importRule(Use, Context);
  case ApiUse::Directive:
    return directiveRule(Use, Context);
  case ApiUse::Base:
    return baseRule(Use);
  case ApiUse::Variable:
    return optionsRule(Use, Context);
  case ApiUse::Unread: {
    StableChange Change = staysAsIs(Use, finding::UnstableUnread, "");
    Change.Is = StableChange::NotRead;
    return Change;
  }
  }
  return std::nullopt;
}

bool holds(const Span &Outer, const Span &Inner) {
  return Outer.File == Inner.File && Outer.Offset <= Inner.Offset && Inner.end() <= Outer.end();
}

/// Lines of a file that depend on TORCH_STABLE_ONLY: those without it are old on purpose.
std::vector<Span> knownBranches(uint32_t File, StringRef Text) {
  std::vector<Span> Out;
  for (const ConditionalLines &Lines : conditionalLines(Text))
    if (Lines.Opening.contains("TORCH_STABLE_ONLY"))
      Out.push_back({File, Lines.Begin, Lines.End - Lines.Begin});
  return Out;
}

void dropKnownBranches(const StableContext &Context) {
  std::map<uint32_t, std::vector<Span>> Known;
  erase_if(Context.Plan.Changes, [&](const StableChange &Change) {
    uint32_t File = Change.At.File;
    auto [It, New] = Known.try_emplace(File);
    if (New)
      It->second = knownBranches(File, Context.text({File, 0, ~0u}));
    return any_of(It->second, [&](const Span &S) { return holds(S, Change.At); });
  });
  for (auto &[File, Spans] : Context.Plan.Unstable)
    erase_if(Spans, [&](const Span &Include) {
      return any_of(Known[File], [&](const Span &S) { return holds(S, Include); });
    });
}

/// Takes out what stands in text that another change drops.
void dropCovered(StablePlan &Plan) {
  struct Part {
    size_t Owner;
    Span At;
  };
  std::vector<StableChange> Left;
  // The name of a base says no more than that it is one.
  auto IsBase = [&](const Span &At) {
    return any_of(Plan.Changes, [&](const StableChange &Change) {
      return Change.Id == finding::UnstableBase && holds(Change.At, At);
    });
  };
  erase_if(Plan.Changes, [&](const StableChange &Change) {
    return Change.Id == finding::UnstableType && Change.Is == StableChange::Stays &&
           IsBase(Change.At);
  });
  std::vector<Part> Dropped, Kept;
  for (size_t I = 0; I < Plan.Changes.size(); ++I)
    for (const RewriteAlternative &Way : Plan.Changes[I].Ways)
      for (const StableRewrite &R : Way.Rewrites) {
        Dropped.push_back({I, R.At});
        for (const StablePiece &P : R.With)
          if (P.From.isValid())
            Kept.push_back({I, P.From});
      }
  for (size_t I = 0; I < Plan.Changes.size(); ++I) {
    const Span &At = Plan.Changes[I].At;
    auto Holds = [&](const Part &P) { return P.Owner != I && holds(P.At, At); };
    // The innermost counts: what one call keeps may be another one, which drops it.
    auto Drops = [&](const Part &D) {
      return Holds(D) && D.At != At && none_of(Kept, [&](const Part &K) {
               bool Inside = K.At.Length < D.At.Length;
               return Holds(K) && (Inside || (K.Owner == D.Owner && K.At == D.At));
             });
    };
    bool Covered = Plan.Changes[I].Id != finding::UnstableRegistration && any_of(Dropped, Drops);
    if (!Covered)
      Left.push_back(std::move(Plan.Changes[I]));
  }
  Plan.Changes = std::move(Left);
}

} // namespace

StablePlan opsig::planStable(const UnitFacts &Unit, const StableNames &Names, SourceFiles &Files,
                             const BoxedKernels &Boxed) {
  StablePlan Plan;
  StableContext Context{Unit, Names, Files, Plan};
  for (const ApiUse &Use : Unit.Uses) {
    if (RuleResult Change = ruleFor(Use, Context))
      Plan.Changes.push_back(std::move(*Change));
    else if (Use.Is != ApiUse::Include && Names.IsHeader(Use.Header))
      Plan.Kept[Use.At.File].insert(Use.Header);
  }
  planRegistrations(Context, Boxed);
  planModules(Context, Boxed);
  planBoxedTypes(Context, Boxed);
  dropKnownBranches(Context);
  dropCovered(Plan);
  stable_sort(Plan.Changes, [](const StableChange &L, const StableChange &R) {
    return std::tuple(L.At.File, L.At.Offset) < std::tuple(R.At.File, R.At.Offset);
  });
  return Plan;
}
