//===- Compare.cpp - A wanted signature against a found one -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// costs of pairs => cheapest alignment of both lists => moved parameters => Differences
//
//===----------------------------------------------------------------------===//

#include "opsig/Signature/Compare.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <tuple>

namespace opsig {

namespace {

/// What a pair of parameters, or a parameter without a partner, costs in an alignment.
/// The unit is so small against the rest that names only decide between otherwise equal alignments.
enum Cost : unsigned {
  Same = 0,
  OtherName = 1,
  OtherType = 2000,
  /// A little more than one gap, so that among equals the alignment that pairs more wins.
  OtherTypeUnnamed = 2500,
  OtherTypeAndName = 3001,
  Gap = 3000,
};

/// A wanted and a found parameter that stand for each other, or one without a partner.
struct Pair {
  std::optional<unsigned> Want;
  std::optional<unsigned> Got;
  /// The found parameter before which a missing one belongs.
  unsigned Before = 0;
  bool TypesAgree = false;
};

/// What pairs of parameters have in common; a type is asked for at most once.
class Table {
public:
  explicit Table(const ParamLists &Lists)
      : Lists(Lists), Types(Lists.Want.size() * Lists.Got.size()) {}

  unsigned numWant() const { return Lists.Want.size(); }
  unsigned numGot() const { return Lists.Got.size(); }
  bool sameType(unsigned W, unsigned G) const {
    std::optional<bool> &Known = Types[W * numGot() + G];
    if (!Known)
      Known = Lists.SameType(W, G);
    return *Known;
  }
  bool sameName(unsigned W, unsigned G) const { return Lists.Want[W] == Lists.Got[G]; }
  /// A parameter without a name stands for any of its type.
  bool isSame(unsigned W, unsigned G) const {
    return sameType(W, G) && (sameName(W, G) || Lists.Got[G].empty());
  }

  unsigned cost(unsigned W, unsigned G) const {
    if (sameType(W, G))
      return sameName(W, G) ? Same : OtherName;
    if (Lists.Got[G].empty())
      return OtherTypeUnnamed;
    return sameName(W, G) ? OtherType : OtherTypeAndName;
  }

private:
  const ParamLists &Lists;
  mutable std::vector<std::optional<bool>> Types;
};

/// Aligns both lists from their ends, then reads the cheapest way off from their beginnings.
std::vector<Pair> align(const Table &T) {
  unsigned Rows = T.numWant() + 1, Columns = T.numGot() + 1;
  std::vector<unsigned> Costs(Rows * Columns);
  auto Rest = [&](unsigned W, unsigned G) -> unsigned & { return Costs[W * Columns + G]; };
  for (unsigned W = Rows; W-- > 0;)
    for (unsigned G = Columns; G-- > 0;) {
      bool MoreWant = W < T.numWant(), MoreGot = G < T.numGot();
      if (!MoreWant && !MoreGot)
        continue;
      unsigned Best = ~0u;
      if (MoreWant && MoreGot)
        Best = T.cost(W, G) + Rest(W + 1, G + 1);
      if (MoreWant)
        Best = std::min(Best, Gap + Rest(W + 1, G));
      if (MoreGot)
        Best = std::min(Best, Gap + Rest(W, G + 1));
      Rest(W, G) = Best;
    }

  std::vector<Pair> Pairs;
  for (unsigned W = 0, G = 0; W < T.numWant() || G < T.numGot();) {
    bool MoreWant = W < T.numWant(), MoreGot = G < T.numGot();
    if (MoreWant && MoreGot && Rest(W, G) == T.cost(W, G) + Rest(W + 1, G + 1)) {
      Pairs.push_back({W, G, G, T.sameType(W, G)});
      ++W, ++G;
    } else if (MoreWant && Rest(W, G) == Gap + Rest(W + 1, G)) {
      Pairs.push_back({W++, std::nullopt, G, false});
    } else {
      Pairs.push_back({std::nullopt, G++, G, false});
    }
  }
  return Pairs;
}

/// Pairs the parameters one by one if all types agree. Most signatures do, and few types are asked
/// for.
std::optional<std::vector<Pair>> alignInPlace(const Table &T) {
  if (T.numWant() != T.numGot())
    return std::nullopt;
  std::vector<Pair> Pairs;
  for (unsigned I = 0; I < T.numWant(); ++I) {
    if (!T.sameType(I, I))
      return std::nullopt;
    Pairs.push_back({I, I, I, true});
  }
  return Pairs;
}

/// Whether the pair's parameters could have their partners elsewhere.
bool isLoose(const Pair &P, const Table &T) {
  return !P.Want || !P.Got || (!P.TypesAgree && !T.sameName(*P.Want, *P.Got));
}

/// Takes wanted parameters out of the pairs that are found, type and name, at another place.
std::vector<Difference> takeMoved(std::vector<Pair> &Pairs, const Table &T) {
  std::vector<Difference> Moved;
  // A schema may have thousands more than the function.
  std::vector<Pair *> Having;
  for (Pair &P : Pairs)
    if (P.Got)
      Having.push_back(&P);
  for (Pair &Wanting : Pairs) {
    if (!Wanting.Want || !isLoose(Wanting, T))
      continue;
    auto It = llvm::find_if(Having, [&](const Pair *P) {
      return P != &Wanting && P->Got && isLoose(*P, T) && T.isSame(*Wanting.Want, *P->Got);
    });
    if (It == Having.end())
      continue;
    Pair &Found = **It;
    Moved.push_back({Difference::ParamMoved, *Wanting.Want, *Found.Got});
    Wanting.Want.reset();
    Found.Got.reset();
  }
  return Moved;
}

std::optional<Difference> differenceOf(const Pair &P) {
  if (P.Want && P.Got)
    return P.TypesAgree ? std::nullopt
                        : std::optional<Difference>({Difference::ParamType, *P.Want, *P.Got});
  if (P.Want)
    return Difference{Difference::ParamMissing, *P.Want, P.Before};
  if (P.Got)
    return Difference{Difference::ParamExtra, 0, *P.Got};
  return std::nullopt;
}

/// In order of the found parameters; what is missing before one comes first.
bool comesBefore(const Difference &A, const Difference &B) {
  auto Key = [](const Difference &D) {
    return std::tuple(D.Got, D.Is != Difference::ParamMissing, D.Want, D.Is);
  };
  return Key(A) < Key(B);
}

} // namespace

std::vector<Difference> compareParams(const ParamLists &Lists) {
  Table T(Lists);
  std::optional<std::vector<Pair>> InPlace = alignInPlace(T);
  std::vector<Pair> Pairs = InPlace ? std::move(*InPlace) : align(T);
  std::vector<Difference> Differences = takeMoved(Pairs, T);
  for (const Pair &P : Pairs)
    if (std::optional<Difference> D = differenceOf(P))
      Differences.push_back(*D);
  llvm::sort(Differences, comesBefore);
  return Differences;
}

std::vector<Difference> compare(const Signature &Want, const DeclaredSignature &Got) {
  auto SameType = [&](unsigned W, unsigned G) { return Got.SameType(Want.Params[W].Type.Ty, G); };
  ParamLists Lists{{}, Got.ParamNames, SameType};
  for (const Binding &P : Want.Params)
    Lists.Want.push_back(P.Name);
  std::vector<Difference> Differences = compareParams(Lists);
  if (!Got.SameReturn(Want.Returns))
    Differences.insert(Differences.begin(), {Difference::ReturnType});
  return Differences;
}

unsigned distance(llvm::ArrayRef<Difference> Differences) {
  unsigned Sum = 0;
  for (const Difference &D : Differences)
    switch (D.Is) {
    case Difference::ParamMissing:
    case Difference::ParamExtra:
      Sum += 3;
      break;
    case Difference::ParamType:
    case Difference::ParamMoved:
    case Difference::ReturnType:
      Sum += 2;
      break;
    }
  return Sum;
}

} // namespace opsig
