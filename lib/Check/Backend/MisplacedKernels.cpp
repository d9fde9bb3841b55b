//===- MisplacedKernels.cpp - kernels that are not in the backend's class -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A class that is called nearly as the YAML has it, functions where members are expected: no
// generated code calls them, and what they are meant for is not missing.
//
//===----------------------------------------------------------------------===//
#include "Backend/BackendInternal.h"
#include "opsig/Support/CppName.h"
#include "opsig/Support/FindingIds.h"
#include "opsig/Support/TypoCorrection.h"

#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace opsig;
using namespace llvm;

namespace {

StringRef namespaceAround(StringRef Scope) { return Scope.drop_back(lastCppName(Scope).size()); }

using MatchesByScope = std::map<std::string, std::vector<Match>>;

/// Functions outside of the class that have the name and the types of a wanted kernel.
MatchesByScope kernelsOutside(const BackendKernels &Class, ArrayRef<UnitFacts> Units,
                              bool Members) {
  MatchesByScope Out;
  std::set<std::pair<std::string, const ExpectedKernel *>> Seen;
  for (const UnitFacts &Unit : Units)
    for (const std::vector<KernelDecl> *Decls : {&Unit.Definitions, &Unit.Kernels})
      for (const KernelDecl &K : *Decls)
        for (const ExpectedKernel *W : Class.Expected) {
          if (W->Name != K.Name || K.Member != Members || K.Scope == Class.Class || W->Structured)
            continue;
          Match M{{&Unit, &K}, W, differences(W->Signature, {&Unit, &K})};
          if ((M.Differences.empty() || looksMeant(M)) && Seen.insert({K.Scope, W}).second)
            Out[K.Scope].push_back(std::move(M));
        }
  return Out;
}

} // namespace

std::vector<Match> opsig::findMisnamedClass(const BackendKernels &Class,
                                            ArrayRef<UnitFacts> Units) {
  MatchesByScope Classes = kernelsOutside(Class, Units, /*Members=*/true);
  MatchesByScope Free = kernelsOutside(Class, Units, /*Members=*/false);
  size_t NumFree = std::max(Free[Class.Class].size(), Free[Class.Namespace].size());
  auto Rank = [&](const auto &Scope) {
    bool IsNear = countTypos(lastCppName(Scope.first), lastCppName(Class.Class)).has_value();
    return std::pair(IsNear, Scope.second.size());
  };
  std::vector<Match> Best;
  std::pair<bool, size_t> BestRank(false, NumFree);
  for (const auto &Scope : Classes)
    if (namespaceAround(Scope.first) == namespaceAround(Class.Class) && Rank(Scope) > BestRank) {
      BestRank = Rank(Scope);
      Best = Scope.second;
    }
  return Best;
}

std::vector<Match> opsig::findFreeKernels(const BackendKernels &Class, ArrayRef<UnitFacts> Units) {
  std::vector<Match> Out;
  auto IsThere = [&](const Match &Free) {
    auto Same = [&](const Match &M) { return M.Expected == Free.Expected; };
    return any_of(Class.Definitions, Same) || any_of(Class.Misnamed, Same);
  };
  MatchesByScope Free = kernelsOutside(Class, Units, /*Members=*/false);
  copy_if(Free[Class.Namespace], std::back_inserter(Out),
          [&](const Match &M) { return M.Kernel.Decl->Definition && !IsThere(M); });
  return Out;
}

void opsig::reportMisplaced(const BackendKernels &Class, UnitFiles &Files, Findings &Diags) {
  if (!Class.Misnamed.empty()) {
    const Match &First = Class.Misnamed.front();
    const KernelDecl &K = *First.Kernel.Decl;
    size_t Count = Class.Misnamed.size();
    Finding &Diag = Diags.report(
        finding::KernelClassName, Files.place(*First.Kernel.Unit, K.NameAt),
        "class '{0}' has {1} of the backend, but the YAML names class '{2}', which is not defined",
        K.Scope, Count == 1 ? "a kernel" : std::to_string(Count) + " kernels", Class.Class);
    Diag.note(First.Expected->At,
              formatv("kernel for '{0}' listed here", First.Expected->Function->shownName()));
  }
  for (const Match &M : Class.Free) {
    Finding &Diag =
        Diags.report(finding::KernelClassName, Files.place(*M.Kernel.Unit, M.Kernel.Decl->NameAt),
                     "'{0}' is a free function; expected a static member function of class '{1}'",
                     M.Kernel.Decl->qualifiedName(), Class.Class);
    Diag.op(M.Expected->Function->shownName());
    addSchemaNotes(Diag, *M.Expected);
  }
}
