//===- OutVariants.cpp - operators and their out variants ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Definitions by name => "f" and "f.out", "f.x" and "f.x_out" => do their arguments and outputs
// belong together? The rules are those by which PyTorch looks for the out variant of an operator;
// that it also asks for Tag::out is not checked, since registrations are read without their tags.
//
//===----------------------------------------------------------------------===//
#include "Registrations/OutVariantsInternal.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

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

/// What an output that is given has already; out variants of PyTorch's own leave it out.
bool isTensorOption(const Argument &A) {
  return is_contained({"dtype", "layout", "device", "pin_memory"}, StringRef(A.Name));
}

/// The arguments of \p F that \p Inputs, those of an out variant, have to have.
std::vector<const Argument *> wantedInputs(const FunctionSchema &F,
                                           ArrayRef<const Argument *> Inputs) {
  std::vector<const Argument *> Out;
  for (const Argument &A : F.Args.All)
    if (!isTensorOption(A) ||
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
  std::vector<const Argument *> Wanted = wantedInputs(*F.Schema, Inputs);
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

/// By "ns::f.out" of definitions whose schemas are known; scripts may define the same names.
using Definitions = std::multimap<std::string, Definition>;

/// The operator whose out variant \p Out is by its name.
const Definition *functionalOf(StringRef Name, const Definition &Out, const Definitions &All) {
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

} // namespace

void opsig::checkOutVariants(ArrayRef<RegisteredOp> ByName, UnitFiles &Files, Findings &Diags) {
  Definitions All;
  for (const RegisteredOp &Op : ByName)
    for (const EntryRef *Def : Op.Defs)
      if (Def->Schema && !Def->Schema->NameOnly && !Def->Schema->VarArgs &&
          !Def->Schema->VarReturns)
        All.insert({Op.Name, Definition{Def, &*Def->Schema}});
  for (const auto &[Name, Out] : All) {
    const Definition *F = functionalOf(Name, Out, All);
    if (!F || StringRef(Name).starts_with("aten::"))
      continue;
    std::optional<Mismatch> Wrong = differentInput(*F, Out);
    if (!Wrong)
      Wrong = differentOutput(*F, Out);
    if (!Wrong)
      continue;
    std::string Of = operatorOf(*F->Entry);
    Finding &Diag = Diags.report(finding::OutVariant, Out.Entry->place(Wrong->At, Files),
                                 "'{0}' is the out variant of '{1}', {2}", Name, Of, Wrong->What);
    Diag.op(operatorOf(*Out.Entry));
    Diag.note(F->Entry->namePlace(Files), "'" + Of + "' is defined here");
  }
}
