//===- MendInternal.h - Edits that take a difference away -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Difference x declarations of one function => Fix* in the declaration's own words
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_CHECK_MEND_MENDINTERNAL_H
#define OPSIG_LIB_CHECK_MEND_MENDINTERNAL_H

#include "opsig/Check/BackendKernels.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSet.h"

namespace opsig {

/// Writes types as a declaration spells its own, or else its file: `const Tensor &` where that
/// means at::Tensor, `std::tuple<Tensor, Tensor>` for `::std::tuple<at::Tensor,at::Tensor>`.
class TypeSpelling {
public:
  /// \p Like may have no declaration: then every name is qualified.
  TypeSpelling(const Found &Like, UnitFiles &Files);

  std::string spell(llvm::StringRef Type) const;

private:
  std::string spellName(llvm::StringRef Name) const;

  const TranslationUnit &Unit;
  ShortNames Short;
  llvm::StringSet<> Written; ///< names in the declaration
  bool PrefersShort = false;
  bool GlobalStd = false; ///< ::std
};

/// A wanted signature as it is written with qualified names.
struct SignatureText {
  struct Param {
    std::string Type; ///< "const at::Tensor &"
    std::string Name;
    std::string defn() const { return Type + " " + Name; }
  };
  std::vector<Param> Params;
  std::string Returns;

  static SignatureText of(const Signature &S, const Dialect &D);
};

/// The edits that take away \p Diff, one of \p F's, in \p F and in \p Others, declarations of the
/// same function; \p DifferencesOf tells how one of them differs. None where a macro is in the way
/// in one of them.
std::vector<Fix> fixesEverywhere(
    const Found &F, llvm::ArrayRef<Found> Others, const SignatureText &Want, const Difference &Diff,
    llvm::function_ref<std::vector<Difference>(const Found &)> DifferencesOf, UnitFiles &Files);

} // namespace opsig

#endif
