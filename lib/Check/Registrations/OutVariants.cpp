//===- OutVariants.cpp - operators and their out variants ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Definitions by name => "f" and "f.out", "f.x" and "f.x_out" => do their arguments and outputs
// belong together? The rules are those by which PyTorch looks for the out variant of an operator,
// in releases that have it among those with Tag::out.
//
//===----------------------------------------------------------------------===//
#include "Registrations/OutVariantsInternal.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace opsig;
using namespace llvm;

namespace {

struct Definition {
  const EntryRef *Entry;
  const FunctionSchema *Schema;
};

/// What is wrong, and the part of the out variant's string that it is about.
struct Mismatch {
  std::string What;
  TextRange At;
};

bool isFunctional(const FunctionSchema &S) {
  return !StringRef(S.Name.Name.str()).ends_with("_") &&
         none_of(S.Args.All, [](const Argument &A) { return A.isWrite(); });
}

/// What an output that is given has already; without Tag::out an out variant may leave it out.
bool isTensorOption(const Argument &A) {
  return is_contained({"dtype", "layout", "device", "pin_memory"}, StringRef(A.Name));
}

/// The arguments of \p F that \p Inputs, those of an out variant, have to have.
std::vector<const Argument *> wantedInputs(const FunctionSchema &F,
                                           ArrayRef<const Argument *> Inputs, bool IsTagged) {
  std::vector<const Argument *> Out;
  for (const Argument &A : F.Args.All)
    if (IsTagged || !isTensorOption(A) ||
        any_of(Inputs, [&](const Argument *Own) { return Own->Name == A.Name; }))
      Out.push_back(&A);
  return Out;
}

/// The first input in which \p Out differs from \p F.
std::optional<Mismatch> differentInput(const Definition &F, const Definition &Out) {
  std::vector<const Argument *> Inputs;
  for (const Argument &A : Out.Schema->Args.All)
    if (!A.isWrite())
      Inputs.push_back(&A);
  std::vector<const Argument *> Wanted =
      wantedInputs(*F.Schema, Inputs, hasOperatorTag(*Out.Entry, "out"));
  for (auto [Own, Want] : zip(Inputs, Wanted)) {
    if (Own->Name != Want->Name)
      return Mismatch{"but its argument '" + Own->Name + "' should be named '" + Want->Name + "'",
                      Own->NameAt};
    if (Own->Ty != Want->Ty)
      return Mismatch{formatv("but its argument '{0}' should be '{1}', not '{2}'", Own->Name,
                              Want->Ty.str(), Own->Ty.str())
                          .str(),
                      Own->TypeAt};
    if (Own->Default != Want->Default)
      return Mismatch{"but its argument '" + Own->Name + "' has a different default", Own->NameAt};
  }
  if (Inputs.size() > Wanted.size()) {
    const Argument &More = *Inputs[Wanted.size()];
    return Mismatch{"which has no argument '" + More.Name + "'", More.NameAt};
  }
  if (Inputs.size() < Wanted.size())
    return Mismatch{"but has no argument '" + Wanted[Inputs.size()]->Name + "'",
                    Out.Schema->NameAt};
  return std::nullopt;
}

/// The same of outputs and returns.
std::optional<Mismatch> differentOutput(const Definition &F, const Definition &Out) {
  std::vector<const Argument *> Outputs;
  for (const Argument &A : Out.Schema->Args.All)
    if (A.isWrite())
      Outputs.push_back(&A);
  const std::vector<Return> &Returns = Out.Schema->Returns;
  if (Outputs.size() != F.Schema->Returns.size())
    return Mismatch{"which has " + counted(F.Schema->Returns.size(), "return") +
                        ", but the out variant has " + counted(Outputs.size(), "out argument"),
                    Out.Schema->NameAt};
  if (Returns.empty())
    return std::nullopt;
  bool Fits = Returns.size() == Outputs.size();
  for (auto [R, A] : zip(Returns, Outputs))
    Fits &= R.Annotation && R.Annotation->Before == A->Annotation->Before;
  if (Fits)
    return std::nullopt;
  return Mismatch{"so it must return its out arguments in order with the same annotations, or '()'",
                  Returns.front().TypeAt};
}

std::optional<Mismatch> mismatch(const Definition &F, const Definition &Out) {
  std::optional<Mismatch> Wrong = differentInput(F, Out);
  return Wrong ? Wrong : differentOutput(F, Out);
}

/// By "ns::f.out" of definitions whose schemas are known; scripts may define the same names.
using Definitions = std::multimap<std::string, Definition>;

/// The operator whose out variant \p Out is by its name.
const Definition *namedFunctional(StringRef Name, const Definition &Out, const Definitions &All) {
  StringRef Base = Name.split('.').first, Overload = Out.Schema->Name.Overload;
  std::string Wanted = Base.str();
  if (Overload != "out") {
    if (!Overload.consume_back("_out") || Overload.empty())
      return nullptr;
    Wanted += "." + Overload.str();
  }
  const Definition *Found = nullptr;
  for (auto [At, End] = All.equal_range(Wanted); At != End; ++At)
    if (!Found || At->second.Entry->Unit == Out.Entry->Unit)
      Found = &At->second;
  return Found && isFunctional(*Found->Schema) ? Found : nullptr;
}

/// The functional overloads of the operator \p Base.
std::vector<const Definition *> functionalOverloads(StringRef Base, const Definitions &All) {
  std::vector<const Definition *> Out;
  for (auto At = All.lower_bound(Base.str());
       At != All.end() && StringRef(At->first).starts_with(Base); ++At)
    if (StringRef(At->first).split('.').first == Base && isFunctional(*At->second.Schema))
      Out.push_back(&At->second);
  return Out;
}

class OutVariantChecker {
public:
  OutVariantChecker(const Definitions &All, UnitFiles &Files, Findings &Diags)
      : All(All), Files(Files), Diags(Diags) {}

  void check(StringRef Name, const Definition &Out);
  /// \p Out is the out variant of an overload of the same operator.
  bool fitsAny(StringRef Name, const Definition &Out) const;
  /// \p Out has Tag::out, and the name of no out variant.
  void checkTagged(StringRef Name, const Definition &Out);
  /// Of those that fit, the ones without Tag::out; \p AreMeant: the project knows the tag.
  void reportUntagged(bool AreMeant, Comparison &Done);

  const Definitions &All;
  std::vector<std::pair<const Definition *, const Definition *>> Untagged;
  UnitFiles &Files;
  Findings &Diags;

private:
  void report(const Definition &F, const Definition &Out, const Mismatch &Wrong);
};

void OutVariantChecker::report(const Definition &F, const Definition &Out, const Mismatch &Wrong) {
  std::string Of = operatorOf(*F.Entry), Name = operatorOf(*Out.Entry);
  Diags
      .report(finding::OutVariant, Out.Entry->place(Wrong.At, Files),
              "'{0}' is the out variant of '{1}', {2}", Name, Of, Wrong.What)
      .op(Name)
      .note(F.Entry->namePlace(Files), "'" + Of + "' is defined here");
}

void OutVariantChecker::check(StringRef Name, const Definition &Out) {
  bool IsTagged = hasOperatorTag(*Out.Entry, "out");
  // PyTorch takes any overload with the tag that fits, whatever its name.
  if (IsTagged && (isFunctional(*Out.Schema) || fitsAny(Name, Out)))
    return;
  const Definition *F = namedFunctional(Name, Out, All);
  if (!F)
    return IsTagged ? checkTagged(Name, Out) : void();
  if (std::optional<Mismatch> Wrong = mismatch(*F, Out))
    report(*F, Out, *Wrong);
  else if (Out.Entry->Entry->Tags && !IsTagged)
    Untagged.push_back({F, &Out});
}

bool OutVariantChecker::fitsAny(StringRef Name, const Definition &Out) const {
  return any_of(functionalOverloads(Name.split('.').first, All),
                [&](const Definition *F) { return !mismatch(*F, Out); });
}

void OutVariantChecker::checkTagged(StringRef Name, const Definition &Out) {
  std::vector<const Definition *> Fs = functionalOverloads(Name.split('.').first, All);
  if (Fs.size() == 1 && Out.Schema->Name.Overload == "out") {
    std::optional<Mismatch> Wrong = mismatch(*Fs.front(), Out);
    return Wrong ? report(*Fs.front(), Out, *Wrong) : void();
  }
  StringRef Base = Name;
  if (!Fs.empty() || !Base.consume_back("_out") || Base.contains('.') ||
      functionalOverloads(Base, All).empty())
    return;
  Diags
      .report(finding::OperatorTag, Out.Entry->place(Out.Schema->NameAt, Files),
              "'{0}' has Tag::out, but PyTorch looks for out variants of '{1}' only among its "
              "overloads; name it '{2}.out'",
              operatorOf(*Out.Entry), Base, Base.split("::").second)
      .op(operatorOf(*Out.Entry));
}

void OutVariantChecker::reportUntagged(bool AreMeant, Comparison &Done) {
  if (Untagged.empty())
    return;
  if (!AreMeant) {
    std::string First = operatorOf(*Untagged.front().second->Entry);
    size_t Others = Untagged.size() - 1;
    Done.CheckNotes.push_back(
        {finding::OperatorTag,
         Others == 0
             ? "'" + First + "' has no Tag::out, so PyTorch does not use it as an out variant"
             : "'" + First + "' and " + counted(Others, "other out variant") +
                   " have no Tag::out, so PyTorch does not use them as out variants"});
    return;
  }
  for (auto [F, Out] : Untagged)
    Diags
        .report(
            finding::OperatorTag, Out->Entry->place(Out->Schema->NameAt, Files),
            "'{0}' has no Tag::out, so PyTorch does not recognize it as the out variant of '{1}'",
            operatorOf(*Out->Entry), operatorOf(*F->Entry))
        .op(operatorOf(*Out->Entry));
}

} // namespace

void opsig::checkOutVariants(ArrayRef<RegisteredOp> ByName, const TagRules &Rules, UnitFiles &Files,
                             Comparison &Done, Findings &Diags) {
  Definitions All;
  for (const RegisteredOp &Op : ByName)
    for (const EntryRef *Def : Op.Defs)
      if (Def->Schema && !Def->Schema->NameOnly && !Def->Schema->VarArgs &&
          !Def->Schema->VarReturns)
        All.insert({Op.Name, Definition{Def, &*Def->Schema}});
  OutVariantChecker Checker(All, Files, Diags);
  bool AreMeant = false;
  for (const auto &[Name, Out] : All) {
    if (StringRef(Name).starts_with("aten::"))
      continue;
    AreMeant |= hasOperatorTag(*Out.Entry, "out");
    Checker.check(Name, Out);
    checkOperatorTags(*Out.Entry, *Out.Schema, Rules, Files, Diags);
  }
  erase_if(Checker.Untagged, [&](const auto &Pair) {
    return !Rules.of(*Pair.second->Entry).Schema.TagsOutAndInplace;
  });
  Checker.reportUntagged(AreMeant, Done);
}
