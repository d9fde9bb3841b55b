//===- PythonOverloads.cpp - Overloads in the order of their trial ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// overloads => pairs with and without out => sorted by text, then so that none hides another
//
// The argument parser takes the first signature that fits. A number is good for a Tensor and a
// tensor of one element for a Scalar, so the order decides what such a call means.
//
//===----------------------------------------------------------------------===//
#include "PythonInternal.h"
#include "opsig/Dialect/PythonTraits.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>
#include <numeric>
#include <set>

using namespace llvm;

namespace opsig {

namespace {

Place placeOf(const PythonOverload &O) {
  return O.Signature.Deprecated ? O.Signature.Deprecated->At : O.Function->SchemaText.At;
}

std::string nameOf(const PythonOverload &O) { return O.Function->Schema.Name.str(); }

//===-- pairs ---------------------------------------------------------------===//

/// Overloads by the text of their signatures without out, in the order of first mention.
class PairTable {
public:
  struct Pair {
    std::string Text;
    const PythonOverload *Base = nullptr;
    const PythonOverload *Out = nullptr;
  };

  PairTable(ArrayRef<PythonOverload> Overloads, const Dialect &D, Findings &Diags)
      : D(D), Diags(Diags) {
    for (const PythonOverload &O : Overloads)
      add(O);
  }

  ArrayRef<Pair> pairs() const { return Pairs; }

private:
  void add(const PythonOverload &O) {
    std::string Text = O.Signature.strWithoutOut(D);
    auto [At, IsNew] = Index.try_emplace(Text, Pairs.size());
    if (IsNew)
      Pairs.push_back({std::move(Text)});
    Pair &P = Pairs[At->second];
    const PythonOverload *&Member = O.Function->Schema.isOut() ? P.Out : P.Base;
    if (!Member) {
      Member = &O;
      return;
    }
    Diags
        .report(finding::PythonDuplicateSignature, placeOf(O),
                "'{0}' and '{1}' have the same Python signature, '{2}'", nameOf(*Member), nameOf(O),
                P.Text)
        .op(nameOf(O))
        .note(placeOf(*Member), "'" + nameOf(*Member) + "' is here");
  }

  const Dialect &D;
  Findings &Diags;
  StringMap<size_t> Index;
  std::vector<Pair> Pairs;
};

void reportLoneOut(const PairTable::Pair &P, ArrayRef<PythonOverload> Overloads, const Dialect &D,
                   Findings &Diags) {
  Finding &Found = Diags
                       .report(finding::PythonOutWithoutFunctional, placeOf(*P.Out),
                               "this out variant of '{0}' has no functional overload; expected one "
                               "with the Python signature '{1}'",
                               P.Out->Signature.Name, P.Text)
                       .op(nameOf(*P.Out));
  for (const PythonOverload &O : Overloads)
    if (!O.Function->Schema.isOut() && !O.Signature.Deprecated)
      Found.note(placeOf(O), "'" + nameOf(O) + "' has '" + O.Signature.strWithoutOut(D) + "'");
}

/// Whether the arguments of both have the same names: `self` is printed as `input`.
bool haveSameNames(const PythonOverload &A, const PythonOverload &B) {
  auto Same = [](ArrayRef<PythonArgument> Xs, ArrayRef<PythonArgument> Ys) {
    auto Named = [](const PythonArgument &X, const PythonArgument &Y) { return X.Name == Y.Name; };
    return Xs.size() == Ys.size() && all_of_zip(Xs, Ys, Named);
  };
  return Same(A.Signature.Positional, B.Signature.Positional) &&
         Same(A.Signature.Keyword, B.Signature.Keyword);
}

void reportOtherNames(const PairTable::Pair &P, Findings &Diags) {
  Diags
      .report(
          finding::PythonOutWithoutFunctional, placeOf(*P.Out),
          "'{0}' and '{1}' have the same Python signature, but their schemas name the arguments "
          "differently",
          nameOf(*P.Out), nameOf(*P.Base))
      .op(nameOf(*P.Out))
      .note(placeOf(*P.Base), "'" + nameOf(*P.Base) + "' is here");
}

/// The signature with out serves both; C++ out forms take no tensor options, so those are the
/// base's.
PythonOverloadGroup join(const PairTable::Pair &P, const Dialect &D) {
  PythonOverloadGroup G;
  G.Base = P.Base->Function;
  G.Signature = (P.Out ? P.Out : P.Base)->Signature;
  if (P.Out) {
    G.Out = P.Out->Function;
    G.Signature.Options = P.Base->Signature.Options;
  }
  G.Text = G.Signature.str(D);
  return G;
}

//===-- order ---------------------------------------------------------------===//

/// Whether a value for \p B would be taken for one of \p A, so that \p B must be tried first.
bool yields(StringRef A, StringRef B, const Dialect &D) {
  auto IsNamed = [](StringRef T) { return T.contains("Dimname"); };
  if ((A == "Scalar" && B == "Tensor") || (A == "Scalar?" && B == "Tensor?"))
    return true;
  if (IsNamed(A) && !IsNamed(B))
    return true;
  if (A == "int[]" && (B == "int" || B == "int?"))
    return true;
  if (A == "Tensor[]" && B.contains("[]"))
    return true;
  if (A == "SymInt[]" && B == "int[]")
    return true;
  return D.Python.TensorsBeforeInts && (A == "SymInt" || A == "int") && B == "Tensor";
}

/// The types of a signature's arguments without out.
using TypeTexts = std::vector<std::string>;

TypeTexts typesOf(const PythonSignature &S) {
  TypeTexts Types;
  for (const PythonArgument *A : S.arguments())
    if (!S.Out || A != &*S.Out)
      Types.push_back(A->Ty.str());
  return Types;
}

bool yields(const TypeTexts &A, const TypeTexts &B, const Dialect &D) {
  if (A.size() != B.size() || A == B)
    return false;
  return all_of(zip(A, B), [&](auto Both) {
    auto &[Left, Right] = Both;
    return Left == Right || yields(StringRef(Left), StringRef(Right), D);
  });
}

/// Places of \p Groups in the order of their trial; fewer than there are where none exists. Those
/// that wait are looked through in their order each time one is placed: that decides between
/// several good orders.
std::vector<size_t> trialOrder(ArrayRef<PythonOverloadGroup> Groups, const Dialect &D) {
  std::vector<TypeTexts> Types;
  for (const PythonOverloadGroup &G : Groups)
    Types.push_back(typesOf(G.Signature));
  std::map<size_t, std::set<size_t>> WaitsFor;
  std::vector<size_t> Order;
  for (size_t I = 0; I != Types.size(); ++I) {
    for (size_t J = 0; J != Types.size(); ++J)
      if (yields(Types[I], Types[J], D))
        WaitsFor[I].insert(J);
    if (!WaitsFor.contains(I))
      Order.push_back(I);
  }
  for (size_t Next = 0; Next < Order.size(); ++Next)
    for (auto It = WaitsFor.begin(); It != WaitsFor.end();) {
      It->second.erase(Order[Next]);
      if (It->second.empty()) {
        Order.push_back(It->first);
        It = WaitsFor.erase(It);
      } else {
        ++It;
      }
    }
  return Order;
}

std::vector<PythonOverloadGroup> pick(std::vector<PythonOverloadGroup> Groups,
                                      ArrayRef<size_t> Order) {
  std::vector<PythonOverloadGroup> Picked;
  Picked.reserve(Order.size());
  for (size_t Index : Order)
    Picked.push_back(std::move(Groups[Index]));
  return Picked;
}

std::vector<PythonOverloadGroup> byText(std::vector<PythonOverloadGroup> Groups) {
  std::vector<size_t> Order(Groups.size());
  std::iota(Order.begin(), Order.end(), 0);
  llvm::sort(Order, [&](size_t A, size_t B) {
    return std::tie(Groups[A].Text, A) < std::tie(Groups[B].Text, B);
  });
  return pick(std::move(Groups), Order);
}

std::vector<PythonOverloadGroup> inTrialOrder(std::vector<PythonOverloadGroup> Groups,
                                              const Dialect &D, Findings &Diags) {
  if (Groups.size() < 2)
    return Groups;
  Groups = byText(std::move(Groups));
  std::vector<size_t> Order = trialOrder(Groups, D);
  if (Order.size() != Groups.size()) {
    std::vector<const PythonOverloadGroup *> Stuck;
    for (size_t I = 0; I != Groups.size(); ++I)
      if (!is_contained(Order, I))
        Stuck.push_back(&Groups[I]);
    const NativeFunction &First = *Stuck.front()->Base;
    Finding &Found = Diags
                         .report(finding::PythonOverloadOrder, First.SchemaText.At,
                                 "the overloads of '{0}' cannot be ordered for Python, because "
                                 "each must be tried before the other",
                                 Stuck.front()->Signature.Name)
                         .op(First.Schema.Name.str());
    for (const PythonOverloadGroup *G : Stuck)
      Found.note(G->Base->SchemaText.At, "'" + G->Text + "'");
    return Groups;
  }
  return pick(std::move(Groups), Order);
}

} // namespace

std::vector<PythonOverloadGroup> groupPythonOverloads(ArrayRef<PythonOverload> Overloads,
                                                      const Dialect &D, Findings &Diags) {
  PairTable Table(Overloads, D, Diags);
  // Groups stand in the order of their bases.
  std::vector<const PairTable::Pair *> Complete;
  for (const PairTable::Pair &P : Table.pairs()) {
    if (!P.Base)
      reportLoneOut(P, Overloads, D, Diags);
    else if (P.Out && !haveSameNames(*P.Base, *P.Out))
      reportOtherNames(P, Diags);
    else
      Complete.push_back(&P);
  }
  sort(Complete, [](auto *A, auto *B) { return A->Base < B->Base; });
  std::vector<PythonOverloadGroup> Groups;
  Groups.reserve(Complete.size());
  for (const PairTable::Pair *P : Complete)
    Groups.push_back(join(*P, D));
  return inTrialOrder(std::move(Groups), D, Diags);
}

bool PythonFunction::hasNoArguments() const {
  return Overloads.size() == 1 && Overloads.front().Signature.count() == 0;
}

bool PythonFunction::isTraceable() const {
  return all_of(Overloads,
                [](const PythonOverload &O) { return opsig::isTraceable(O.Function->Schema); });
}

unsigned PythonFunction::maxArguments() const {
  unsigned Max = 0;
  for (const PythonOverload &O : Overloads)
    Max = std::max(Max, O.Signature.count());
  return Max;
}

} // namespace opsig
