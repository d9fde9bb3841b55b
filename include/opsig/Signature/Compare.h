//===- Compare.h - An expected signature against a declared one -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signature + declared parameters (opaque, with a type predicate) => Differences, parameter by
// parameter
//
// All front ends share this one comparison. It knows no Clang type: the caller says whether an
// expected type is the declared one.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SIGNATURE_COMPARE_H
#define OPSIG_SIGNATURE_COMPARE_H

#include "opsig/Signature/Signature.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace opsig {

/// A declaration, as far as the comparison needs it.
struct DeclaredSignature {
  std::vector<std::string> ParamNames; ///< "" for an unnamed one
  /// Whether declared parameter \p Index has exactly the expected type.
  llvm::function_ref<bool(const CType &Want, unsigned Index)> SameType;
  /// Whether the return type is exactly the expected one.
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
    ParamType,    ///< declared parameter Got has another type than expected parameter Want
    ParamMissing, ///< expected parameter Want is missing; it belongs before declared parameter Got
    ParamExtra,   ///< declared parameter Got is not expected
    ParamMoved,   ///< declared parameter Got is expected at place Want
    ReturnType,
  } Is;
  unsigned Want = 0;
  unsigned Got = 0;
  friend bool operator==(const Difference &, const Difference &) = default;
};

/// Aligns both parameter lists (by type, then by name) with the fewest differences and lists them:
/// the return type first, then in order of the declared parameters. Empty: they agree.
std::vector<Difference> compare(const Signature &Want, const DeclaredSignature &Got);

/// The parameters alone. A pair is asked for at most once.
std::vector<Difference> compareParams(const ParamLists &Lists);

/// How far apart two signatures are, to pick the nearest of several: 0 for equal ones.
unsigned distance(llvm::ArrayRef<Difference> Differences);

} // namespace opsig

#endif
