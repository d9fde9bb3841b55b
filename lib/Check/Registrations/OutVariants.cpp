//===- OutVariants.cpp - operators and their out variants ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Definitions by name => "f" and "f.out", "f.x" and "f.x_out" => do their arguments and outputs
// belong together? The rules are those by which PyTorch looks for the out variant of an operator;
// that it also asks for Tag::out is not checked, since registrations are read without their tags.
//
//===----------------------------------------------------------------------===//
#include "Registrations/OutVariantsInternal.h"
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

/// The first input in which \p Out differs from \p F.
std::optional<Mismatch> differentInput(const Definition &F, const Definition &Out) {
  std::vector<const Argument *> Inputs;
  for (const Argument &A : Out.Schema->Args.All)
    if (!A.isWrite())
      Inputs.push_back(&A);
  for (auto [Own, Want] : zip(Inputs, F.Schema->Args.All)) {
    if (Own->Name != Want.Name)
      return Mismatch{"argument '" + Own->Name + "' is called '" + Want.Name + "' there",
                      Own->NameAt};
    if (Own->Ty != Want.Ty)
      return Mismatch{formatv("argument '{0}' is '{1}' there, not '{2}'", Own->Name, Want.Ty.str(),
                              Own->Ty.str())
                          .str(),
                      Own->TypeAt};
    if (Own->Default != Want.Default)
      return Mismatch{"argument '" + Own->Name + "' has another default there", Own->NameAt};
  }
  if (Inputs.size() > F.Schema->Args.size()) {
    const Argument &More = *Inputs[F.Schema->Args.size()];
    return Mismatch{"which has no argument '" + More.Name + "'", More.NameAt};
  }
  if (Inputs.size() < F.Schema->Args.size())
    return Mismatch{"which also has an argument '" + F.Schema->Args.All[Inputs.size()].Name + "'",
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
    return Mismatch{formatv("which returns {0}, but {1} of its arguments are marked as outputs",
                            F.Schema->Returns.size(), Outputs.size())
                        .str(),
                    Out.Schema->NameAt};
  if (Returns.empty())
    return std::nullopt;
  bool Fits = Returns.size() == Outputs.size();
  for (auto [R, A] : zip(Returns, Outputs))
    Fits &= R.Annotation && R.Annotation->Before == A->Annotation->Before;
  if (Fits)
    return std::nullopt;
  return Mismatch{"so it returns its outputs in their order, with their marks, or nothing",
                  Returns.front().TypeAt};
}

/// By "ns::f.out" of definitions whose schemas are known.
using Definitions = std::map<std::string, Definition>;

/// The operator whose out variant \p Out is by its name.
const Definition *functionalOf(StringRef Name, const Definition &Out, const Definitions &All) {
  StringRef Base = Name.split('.').first, Overload = Out.Schema->Name.Overload;
  std::string Wanted = Base.str();
  if (Overload != "out") {
    if (!Overload.consume_back("_out") || Overload.empty())
      return nullptr;
    Wanted += "." + Overload.str();
  }
  auto Found = All.find(Wanted);
  return Found != All.end() && isFunctional(*Found->second.Schema) ? &Found->second : nullptr;
}

} // namespace

void opsig::checkOutVariants(ArrayRef<RegisteredOp> ByName, UnitFiles &Files, Findings &Diags) {
  Definitions All;
  for (const RegisteredOp &Op : ByName)
    for (const EntryRef *Def : Op.Defs)
      if (Def->Schema && !Def->Schema->NameOnly && !Def->Schema->VarArgs &&
          !Def->Schema->VarReturns)
        All.try_emplace(Op.Name, Definition{Def, &*Def->Schema});
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
    Finding &Diag =
        Diags.report(finding::OutVariant, Out.Entry->place(Wrong->At, Files),
                     "'{0}' is the out variant of '{1}', {2}{3}", Name, Of,
                     StringRef(Wrong->What).starts_with("argument") ? "and " : "", Wrong->What);
    Diag.op(operatorOf(*Out.Entry));
    Diag.note(F->Entry->namePlace(Files), "'" + Of + "' is defined here");
  }
}
