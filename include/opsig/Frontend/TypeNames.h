//===- TypeNames.h - What the names of C++ types mean in one parse ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// expected CType (x TypeNames of a translation unit) => CppType == that of a declared parameter
//              (x Dialect) => CppType in the words of signatures => spelled in those of a file
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_FRONTEND_TYPENAMES_H
#define OPSIG_FRONTEND_TYPENAMES_H

#include "opsig/Frontend/CppType.h"
#include "opsig/Schema/ScriptRules.h"
#include "opsig/Signature/CType.h"
#include <array>
#include <bitset>

namespace opsig {

/// Class templates that layers of a CType and return types stand for.
enum class CppTemplate : uint8_t { Optional, List, ArrayRef, Vector, Array, Vectorized, Tuple };
inline constexpr unsigned NumCppTemplates = unsigned(CppTemplate::Tuple) + 1;

/// The names under which a template is looked for, best first. c10::optional goes before
/// std::optional: the headers at hand say whether it is an alias of it.
llvm::ArrayRef<llvm::StringLiteral> templateNames(CppTemplate T);

inline constexpr unsigned NumCppBases = 0
#define OPSIG_CPP_BASE(Name, Namespace, Spelling) +1
#include "opsig/Signature/CppBases.def"
    ;

/// For which names the last part alone is enough at some place, as `Tensor` in namespace at: bases,
/// then templates.
using ShortNames = std::bitset<NumCppBases + NumCppTemplates>;

/// What bases and templates stand for in a translation unit.
struct TypeNames {
  /// Unread for a name that is not known there.
  std::array<CppType, NumCppBases> Bases;
  /// Names of class templates; "" for one that is not known.
  std::array<std::string, NumCppTemplates> Templates;
  /// What the dispatcher's own headers say of types that not all releases treat alike: DeviceIndex,
  /// which is int8_t, is an int; of symbolic ints only those that are taken by value make a kernel
  /// a symbolic one.
  bool TakesDeviceIndex = false, SymIntsByValue = false;
  /// The same of schema strings.
  ScriptRules Strings;

  /// What Clang reads of \p T; unread if some part of it is not known.
  CppType canonical(const CType &T) const;
  CppType canonical(const ReturnCType &T) const;

  /// Whether an expected type is the declared one. An unread one on either side counts as the same,
  /// so that code that could not be read has no findings.
  bool same(const CType &Want, const CppType &Found) const;
  bool same(const ReturnCType &Want, const CppType &Found) const;
};

/// The tree of \p T with names as signatures have them: "at::Tensor", "::std::vector". It is to be
/// written down, not compared.
CppType spelled(const CType &T, const Dialect &D);
CppType spelled(const ReturnCType &T, const Dialect &D);

} // namespace opsig

#endif
