//===- Pairs.cpp - Which operator of the old release is which of the new ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReleaseDiffInternal.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace opsig {

namespace {

using Functions = std::vector<const NativeFunction *>;

/// The schema with a name that all have.
std::string schemaWithoutName(const NativeFunction &F) {
  OperatorName Any;
  Any.Name.Base = "f";
  Any.Name.Inplace = F.Schema.Name.Name.Inplace;
  return F.Schema.withName(Any).str();
}

bool shareKernel(const NativeFunction &L, const NativeFunction &R) {
  return llvm::any_of(L.Dispatch, [&](const KernelEntry &Of) {
    return llvm::any_of(R.Dispatch, [&](const KernelEntry &Other) {
      return Of.Kernel == Other.Kernel && Of.CppNamespace == Other.CppNamespace;
    });
  });
}

/// All words of one name are in the other, or they differ by a slip. PyTorch has families of
/// operators with one schema (cudnn_, miopen_, mps_), so that the schema alone says little.
bool areSimilar(const NativeFunction &L, const NativeFunction &R) {
  constexpr unsigned Typo = 1;
  llvm::StringRef A = L.rootName(), B = R.rootName();
  llvm::SmallVector<llvm::StringRef, 8> OfA, OfB;
  A.split(OfA, '_', -1, /*KeepEmpty=*/false);
  B.split(OfB, '_', -1, /*KeepEmpty=*/false);
  if (OfA.size() > OfB.size())
    std::swap(OfA, OfB);
  return llvm::all_of(OfA, [&](llvm::StringRef Word) { return llvm::is_contained(OfB, Word); }) ||
         A.edit_distance(B) <= Typo;
}

/// The one of \p Candidates that \p Is holds for; null where none or several do.
const NativeFunction *onlyOne(const Functions &Candidates,
                              llvm::function_ref<bool(const NativeFunction &)> Is) {
  const NativeFunction *Only = nullptr;
  for (const NativeFunction *F : Candidates) {
    if (!Is(*F))
      continue;
    if (Only)
      return nullptr;
    Only = F;
  }
  return Only;
}

class Renames {
public:
  Renames(const Functions &Gone, const Functions &Added) {
    for (const NativeFunction *F : Gone)
      BySchema[schemaWithoutName(*F)].first.push_back(F);
    for (const NativeFunction *F : Added)
      BySchema[schemaWithoutName(*F)].second.push_back(F);
    for (const auto &Same : BySchema)
      if (!Same.getValue().first.empty() && !Same.getValue().second.empty())
        pair(Same.getValue().first, Same.getValue().second);
  }

  const OperatorPair *of(const NativeFunction &Old) const {
    auto It = ByOld.find(&Old);
    return It == ByOld.end() ? nullptr : &It->second;
  }
  bool isTaken(const NativeFunction &New) const { return Taken.contains(&New); }

private:
  /// Each side must have one candidate only, so that the order of operators does not matter.
  void pair(const Functions &Gone, const Functions &Added) {
    auto Pair = [&](RenameVerifier Proof, auto Fits) {
      for (const NativeFunction *Old : Gone) {
        auto IsFree = [&](const NativeFunction &New) { return !Taken.contains(&New); };
        const NativeFunction *New =
            onlyOne(Added, [&](const NativeFunction &N) { return IsFree(N) && Fits(*Old, N); });
        if (!New || ByOld.count(Old))
          continue;
        if (onlyOne(Gone, [&](const NativeFunction &O) {
              return !ByOld.count(&O) && Fits(O, *New);
            }) != Old)
          continue;
        ByOld[Old] = {Old, New, Proof};
        Taken.insert(New);
      }
    };
    Pair(RenameVerifier::SharedKernel, shareKernel);
    Pair(RenameVerifier::SameSchema, areSimilar);
  }

  llvm::StringMap<std::pair<Functions, Functions>> BySchema;
  llvm::DenseMap<const NativeFunction *, OperatorPair> ByOld;
  llvm::DenseSet<const NativeFunction *> Taken;
};

} // namespace

Pairing pairOperators(const Operators &Old, const Operators &New) {
  Functions Gone, Added;
  for (const NativeFunction &F : Old.Functions)
    if (!New.find(F.Schema.Name.str()))
      Gone.push_back(&F);
  for (const NativeFunction &F : New.Functions)
    if (!Old.find(F.Schema.Name.str()))
      Added.push_back(&F);
  Renames Renamed(Gone, Added);
  Pairing Out;
  for (const NativeFunction &F : Old.Functions) {
    if (const NativeFunction *Same = New.find(F.Schema.Name.str()))
      Out.Pairs.push_back({&F, Same, std::nullopt});
    else if (const OperatorPair *Pair = Renamed.of(F))
      Out.Pairs.push_back(*Pair);
    else
      Out.Gone.push_back(&F);
  }
  llvm::copy_if(Added, std::back_inserter(Out.Added),
                [&](const NativeFunction *F) { return !Renamed.isTaken(*F); });
  return Out;
}

} // namespace opsig
