//===- Subtype.cpp - Which values a declared type takes ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of TorchScript's types as a schema string makes them: an optional type and a Union are
// sets of types, lists and dictionaries take exactly their element type.
//
//===----------------------------------------------------------------------===//
#include "ScriptInternal.h"
#include "llvm/ADT/STLExtras.h"

namespace opsig {

namespace {

using Types = std::vector<Type>;

/// The type that libtorch makes of a name: enumerations and SymInt are numbers, SymBool is a type
/// of its own.
BaseTy comparedBase(const Type &T) {
  switch (BaseTy Base = T.dispatched().base()) {
  case BaseTy::ScalarType:
  case BaseTy::Layout:
  case BaseTy::MemoryFormat:
  case BaseTy::SymInt:
    return BaseTy::Int;
  default:
    return Base;
  }
}

bool isSet(const Type &T) { return T.isOptional() || T.is(BaseTy::Union); }

/// Of a Union: its types and those of the Unions in it.
void flatten(const Type &T, Types &Out) {
  if (T.isOptional()) {
    flatten(T.elem(), Out);
    Out.push_back(BaseTy::None);
  } else if (T.is(BaseTy::Union)) {
    for (const Type &Element : T.elements())
      flatten(Element, Out);
  } else {
    Out.push_back(T);
  }
}

/// A Union that has None keeps it, whatever its other types are.
bool covers(const Type &Wide, const Type &Narrow) {
  return isSubtype(Narrow, Wide) && (!Narrow.is(BaseTy::None) || Wide.is(BaseTy::None));
}

} // namespace

/// What is in an optional type besides None.
static Type contained(const Type &Optional) {
  Type Of = Optional.elem();
  if (!Of.is(BaseTy::Union))
    return Of;
  Types Members = script::membersOf(Of);
  llvm::erase_if(Members, [](const Type &M) { return M.is(BaseTy::None); });
  return Type::of(BaseTy::Union, std::move(Members));
}

std::vector<Type> script::membersOf(const Type &T) {
  if (T.isOptional())
    return {contained(T), BaseTy::None};
  Types All;
  flatten(T, All);
  auto Has = [&](BaseTy Base) {
    return llvm::any_of(All, [&](const Type &E) { return E.isBase() && comparedBase(E) == Base; });
  };
  if (Has(BaseTy::Int) && Has(BaseTy::Float) && Has(BaseTy::Complex))
    All.push_back(BaseTy::Scalar);
  Types Out;
  for (auto [I, E] : llvm::enumerate(All)) {
    bool IsCovered = false;
    for (auto [J, Other] : llvm::enumerate(All))
      IsCovered |= I != J && covers(Other, E) && (I > J || !covers(E, Other));
    if (!IsCovered)
      Out.push_back(E);
  }
  return Out;
}

namespace {

using script::membersOf;

bool isSame(const Type &L, const Type &R);

bool areSame(llvm::ArrayRef<Type> L, llvm::ArrayRef<Type> R) { return llvm::equal(L, R, isSame); }

bool isSame(const Type &L, const Type &R) {
  if (isSet(L) || isSet(R)) {
    Types Left = isSet(L) ? membersOf(L) : Types{L}, Right = isSet(R) ? membersOf(R) : Types{R};
    auto Covers = [](const Types &These, const Types &Those) {
      return llvm::all_of(Those, [&](const Type &That) {
        return llvm::any_of(These, [&](const Type &This) { return isSame(This, That); });
      });
    };
    return Covers(Left, Right) && Covers(Right, Left);
  }
  if (L.isList() || R.isList())
    return L.isList() && R.isList() && isSame(L.elem(), R.elem());
  if (comparedBase(L) != comparedBase(R))
    return false;
  // One type variable is as good as another.
  return L.is(BaseTy::Variable) || (L.name() == R.name() && areSame(L.elements(), R.elements()));
}

} // namespace

bool isSubtype(const Type &Value, const Type &Declared) {
  if (Declared.is(BaseTy::Any))
    return true;
  if (isSet(Value))
    return llvm::all_of(membersOf(Value), [&](const Type &Each) {
      if (!isSet(Declared))
        return isSubtype(Each, Declared);
      return llvm::any_of(membersOf(Declared), [&](const Type &M) { return isSubtype(Each, M); });
    });
  if (isSet(Declared))
    return llvm::any_of(membersOf(Declared), [&](const Type &M) { return isSubtype(Value, M); });
  if (!Value.isBase() || !Declared.isBase())
    return isSame(Value, Declared);
  BaseTy Base = comparedBase(Value);
  if (Declared.is(BaseTy::Scalar))
    return llvm::is_contained({BaseTy::Scalar, BaseTy::Int, BaseTy::Float, BaseTy::Complex}, Base);
  bool IsCovariant = Base == BaseTy::Tuple || Base == BaseTy::Future || Base == BaseTy::Await;
  if (IsCovariant && Declared.base() == Base)
    return llvm::equal(Value.elements(), Declared.elements(), isSubtype);
  return isSame(Value, Declared);
}

} // namespace opsig
