//===- Compare.h - A wanted signature against a found one -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signature + found parameters (opaque, with a type predicate) => Differences, parameter by
// parameter
//
// This is the one verdict that all front ends share. It knows no Clang type: whether a wanted type
// is the found one is asked of the caller.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SIGNATURE_COMPARE_H
#define OPSIG_SIGNATURE_COMPARE_H

#include "opsig/Signature/Signature.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace opsig {

/// A declaration that was found, as far as the comparison needs it.
struct DeclaredSignature {
  std::vector<std::string> ParamNames; ///< "" for an unnamed one
  /// Whether found parameter \p Index has exactly the wanted type.
  llvm::function_ref<bool(const CType &Want, unsigned Index)> SameType;
  /// Whether the return type is exactly the wanted one.
  llvm::function_ref<bool(const ReturnCType &Want)> SameReturn;
};

/// The same without types: the names of two parameter lists, and which pairs are of one type.
struct ParamLists {
  std::vector<std::string> Want;
  std::vector<std::string> Got; ///< "" for an unnamed one
  llvm::function_ref<bool(unsigned Want, unsigned Got)> SameType;
};

struct Difference {
  enum Kind : uint8_t {
    ParamType,    ///< found parameter Got has another type than wanted parameter Want
    ParamMissing, ///< wanted parameter Want is not there; it belongs before found parameter Got
    ParamExtra,   ///< found parameter Got is not wanted
    ParamMoved,   ///< found parameter Got is wanted at place Want
    ReturnType,
  } Is;
  unsigned Want = 0;
  unsigned Got = 0;
  friend bool operator==(const Difference &, const Difference &) = default;
};

/// Aligns both parameter lists (by type, then by name) with the fewest differences and lists them:
/// the return type first, then in order of the found parameters. Empty: they agree.
std::vector<Difference> compare(const Signature &Want, const DeclaredSignature &Got);

/// The parameters alone. A pair is asked for at most once.
std::vector<Difference> compareParams(const ParamLists &Lists);

/// How far apart two signatures are, to pick the nearest of several: 0 for equal ones.
unsigned distance(llvm::ArrayRef<Difference> Differences);

} // namespace opsig

#endif
