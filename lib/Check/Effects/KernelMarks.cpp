//===- KernelMarks.cpp - what a schema has to say of its kernel's memory --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// inferred schema without marks x effects of the body => what the checks would say of it => marks
//
//===----------------------------------------------------------------------===//
#include "Effects/EffectsInternal.h"
#include "Registrations/RegistrationInternal.h"
#include "opsig/Check/KernelMarks.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

KernelMarks::KernelMarks(const Operators &Ops, ArrayRef<UnitFacts> Units)
    : Units(Units), Effects(std::make_unique<ProjectEffects>(Ops, Units)) {}

KernelMarks::~KernelMarks() = default;

/// Of the kernel, or of its one definition in another unit.
static const KernelEffects *effectsOf(const UnitFacts &Unit, const KernelDecl &Kernel,
                                      ArrayRef<UnitFacts> Units, ProjectEffects &Effects) {
  std::string Name = Kernel.qualifiedName();
  if (const KernelEffects *Own = Effects.of(Unit, Kernel.NameAt, Name))
    return Own;
  const KernelEffects *Only = nullptr;
  for (const UnitFacts &Other : Units)
    for (const KernelDecl &Defined : Other.Definitions)
      if (Defined.qualifiedName() == Name && haveSameParams(Defined, Kernel)) {
        if (Only)
          return nullptr;
        Only = Effects.of(Other, Defined.NameAt, Name);
      }
  return Only;
}

/// Return number \p Return of so many is argument \p Arg or shares its memory.
static bool returns(const KernelEffects &Effects, unsigned Return, size_t NumReturns,
                    unsigned Arg) {
  return any_of(Effects.ofReturn(Return, NumReturns),
                [&](const ReturnEffect &R) { return R.Param == Arg && R.Same; });
}

SchemaMarks KernelMarks::of(const UnitFacts &Unit, const RegisteredKernel &Kernel) {
  const KernelEffects *Does = effectsOf(Unit, Kernel.Decl, Units, *Effects);
  std::optional<FunctionSchema> S = inferredSchema("f", Kernel, Unit.Names);
  if (!Does || !S || Kernel.Decl.Params.size() != S->Args.size())
    return {};
  SchemaMarks Out;
  Out.Args.resize(S->Args.size());
  Out.Returns.resize(S->Returns.size());
  std::set<unsigned> Written;
  std::map<unsigned, unsigned> Viewed; ///< return => argument
  for (const EffectFinding &F : compareEffects(markedSchema(*S, 0), *Does, "")) {
    if (F.Id == finding::MutationUnmarked || F.Id == finding::MutationPossible)
      Written.insert(F.Arg);
    else if (F.Id == finding::AliasUnmarked || F.Id == finding::AliasPossible)
      Viewed.try_emplace(F.Return, F.Arg);
  }
  // Nothing else tells PyTorch that the operator does something.
  if (S->Returns.empty() && Written.empty())
    for (unsigned Arg = 0; Arg < S->Args.size(); ++Arg)
      if (isWritableTensor(Kernel.Decl.Params[Arg].Canonical))
        Written.insert(Arg);
  std::set<unsigned> Named = Written;
  for (auto [Return, Arg] : Viewed)
    Named.insert(Arg);
  char Letter = 'a';
  for (unsigned Arg : Named) {
    if (Letter > 'z')
      return {};
    AliasAnnotation Mark{std::string(1, Letter++), Written.count(Arg) != 0, ""};
    Out.Args[Arg] = Mark;
    for (unsigned I = 0; I < Out.Returns.size(); ++I) {
      auto View = Viewed.find(I);
      bool Shares = (View != Viewed.end() && View->second == Arg) ||
                    returns(*Does, I, Out.Returns.size(), Arg);
      if (!Out.Returns[I] && Shares)
        Out.Returns[I] = Mark;
    }
  }
  return Out;
}
