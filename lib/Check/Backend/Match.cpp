//===- Match.cpp - which declaration stands for which kernel ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// declarations x wanted kernels of one name => equal pairs => nearest pairs among the rest
//
//===----------------------------------------------------------------------===//
#include "Backend/BackendInternal.h"
#include "opsig/Check/Comparison.h"

#include "llvm/ADT/STLExtras.h"
#include <tuple>

using namespace opsig;
using namespace llvm;

std::vector<Difference> opsig::differences(const Signature &Want, const Found &F) {
  const KernelDecl &K = *F.Decl;
  const TypeNames &Names = F.Unit->Names;
  auto SameType = [&](const CType &T, unsigned Index) {
    return Names.same(T, K.Params[Index].Canonical);
  };
  auto SameReturn = [&](const ReturnCType &T) { return Names.same(T, K.ReturnCanonical); };
  DeclaredSignature Got{{}, SameType, SameReturn};
  for (const KernelParam &P : K.Params)
    Got.ParamNames.push_back(P.Name);
  return compare(Want, Got);
}

bool opsig::haveSameParams(const KernelDecl &L, const KernelDecl &R) {
  return L.Params.size() == R.Params.size() && all_of(zip(L.Params, R.Params), [](auto Pair) {
           const auto &[A, B] = Pair;
           return A.Canonical.isRead() && A.Canonical == B.Canonical;
         });
}

bool opsig::isGuess(const Match &M) {
  return any_of(M.Kernel.Decl->Params,
                [](const KernelParam &P) { return !P.Canonical.isRead(); }) &&
         any_of(M.Differences, [](const Difference &D) {
           return D.Is != Difference::ParamType && D.Is != Difference::ReturnType;
         });
}

void opsig::countCompared(const Match &M, Comparison &Done) {
  Done.add(M.Expected->Function->Namespace + "::" + M.Expected->Function->Schema.Name.str(),
           M.Kernel.Decl->qualifiedName());
}

/// Two files define one function, as for builds that have either of them: what is said of one of
/// the definitions holds for the other, too.
static bool defineTheSame(const Found &L, const Found &R) {
  return L.Decl->Definition && R.Decl->Definition && L.Unit != R.Unit &&
         haveSameParams(*L.Decl, *R.Decl);
}

std::vector<Match> opsig::matchKernels(ArrayRef<const ExpectedKernel *> Expected,
                                       ArrayRef<Found> Decls,
                                       function_ref<bool(const Match &)> IsNear) {
  std::vector<Match> Matches;
  std::vector<bool> Taken(Expected.size());
  // Pairs that differ, by declaration.
  struct Candidate {
    unsigned Distance;
    size_t Decl, Want;
    Match M;
  };
  std::vector<Candidate> Candidates;
  for (size_t I = 0; I < Decls.size(); ++I) {
    std::vector<Candidate> Own;
    bool Equal = false;
    for (size_t W = 0; W < Expected.size(); ++W) {
      Match M{Decls[I], Expected[W], differences(Expected[W]->Signature, Decls[I])};
      if (M.Differences.empty()) {
        Taken[W] = Equal = true;
        Matches.push_back(std::move(M));
      } else if (!isGuess(M)) {
        unsigned Far = distance(M.Differences);
        Own.push_back({Far, I, W, std::move(M)});
      }
    }
    if (!Equal)
      std::move(Own.begin(), Own.end(), std::back_inserter(Candidates));
  }
  // Candidates came by declaration and wanted kernel; among equals that order stays.
  llvm::sort(Candidates, [](const Candidate &A, const Candidate &B) {
    return std::tie(A.Distance, A.Decl, A.Want) < std::tie(B.Distance, B.Decl, B.Want);
  });
  std::vector<bool> Placed(Decls.size());
  std::vector<const Found *> TakenBy(Expected.size());
  for (Candidate &C : Candidates) {
    const Found &Decl = Decls[C.Decl];
    bool Free = !Taken[C.Want] || (TakenBy[C.Want] && defineTheSame(*TakenBy[C.Want], Decl));
    if (Placed[C.Decl] || !Free || !IsNear(C.M))
      continue;
    Placed[C.Decl] = Taken[C.Want] = true;
    TakenBy[C.Want] = &Decl;
    Matches.push_back(std::move(C.M));
  }
  return Matches;
}
