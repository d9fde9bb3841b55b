//===- FixItsInternal.h - Edits that take a difference away --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Difference x declarations of one function => Fix* in the declaration's own words
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_CHECK_FIXITS_FIXITSINTERNAL_H
#define OPSIG_LIB_CHECK_FIXITS_FIXITSINTERNAL_H

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

  std::string spell(const CppType &Type) const;

private:
  void recordNames(const CppType &Type, bool Own);
  std::string spellName(llvm::StringRef Name) const;

  const UnitFacts &Unit;
  UnitFiles &Files;
  ShortNames Short;
  llvm::StringSet<> Written; ///< names in the types of the declaration
  std::optional<bool> PrefersShort;
  bool GlobalStd = false; ///< ::std
};

/// What a declaration is to have, each type as signatures spell it (see spelled()); unread ones are
/// not known.
struct ExpectedList {
  struct Param {
    CppType Type;
    std::string Name;
    /// "const at::Tensor & self"
    std::string defn() const { return Type.written() + " " + Name; }
  };
  std::vector<Param> Params;
  CppType Returns;
  /// Which of the parameters are returned; none where other things are.
  std::vector<unsigned> Returned;

  static ExpectedList of(const Signature &S, const Dialect &D);
};

/// The type \p T of \p F, with each name as \p F has it, but qualified; unread where the source
/// does not show it.
CppType asWritten(const CppType &T, const Found &F, UnitFiles &Files);

/// What a finding about \p Diff covers in \p K.
Span differenceSpan(const KernelDecl &K, const Difference &Diff);
/// Says that the list of \p K, called \p Name ("'add'"), differs by \p Diff, which is one parameter
/// that is missing, one too many or out of place. \p Wanted is the missing one for the reader:
/// "needs 'const at::Tensor & self' here".
std::string listMessage(const Difference &Diff, const KernelDecl &K, llvm::StringRef Name,
                        llvm::StringRef Expected);
/// "'self'", or the number of one without a name.
std::string paramName(const KernelParam &P, unsigned Index);

/// Edits that belong together, or why there are none.
struct FixIt {
  std::vector<Fix> Fixes;
  /// What is in the way, and where: "the parameter list contains a macro".
  std::string Why;
  Place At;

  static FixIt none(std::string Why, Place At) { return {{}, std::move(Why), At}; }
  /// Gives the edits to \p Diag, or a note that says why there are none.
  void addTo(Finding &Diag) &&;
};

/// What stands in \p Where of \p F and cannot be replaced; nothing if it all can. \p What is that
/// stretch for the reader: "list", "type".
std::optional<FixIt> findEditBlocker(const Found &F, Span Where, llvm::StringRef What,
                                     UnitFiles &Files, bool CommentsToo = true);

/// A parameter of the list as it is wanted.
struct ListSlot {
  std::optional<unsigned> Got; ///< the found parameter that serves
  bool Moved = false;          ///< it has to leave its place
  std::string Name;
  std::string Text; ///< of one that is new; of another one where it is not as found
};

/// The list has as many parameters as it had, and all of them are found ones.
bool isPermutation(llvm::ArrayRef<ListSlot> Slots, size_t NumFound);

/// The smallest edits that make the parameters of \p F those of \p Slots. What stands between them
/// stays, but for the comments of those that go.
FixIt editList(const Found &F, llvm::ArrayRef<ListSlot> Slots, UnitFiles &Files);

/// A list that differs in more is another one, and each difference is mended by all of the list.
inline constexpr size_t MostMended = 256;

/// The edits that take away \p Diff, one of \p F's, in \p F and in \p Others, declarations of the
/// same function; \p DifferencesOf tells how one of them differs. None where a macro is in the way
/// in one of them.
FixIt fixEverywhere(const Found &F, llvm::ArrayRef<Found> Others, const ExpectedList &Want,
                    const Difference &Diff,
                    llvm::function_ref<std::vector<Difference>(const Found &)> DifferencesOf,
                    UnitFiles &Files);

/// The type of parameter \p Param becomes \p To in all of \p Decls, in the style of each.
FixIt retypeEverywhere(llvm::ArrayRef<Found> Decls, unsigned Param, const CppType &To,
                       UnitFiles &Files);

/// A part of a type, and what takes its place, in the words of signatures; it only goes where that
/// is unread.
struct TypePart {
  Span At;
  CppType Instead;
};
/// In all of \p Decls, in the type of parameter \p Param or the return type (nothing).
FixIt rewordEverywhere(llvm::ArrayRef<Found> Decls, std::optional<unsigned> Param,
                       llvm::function_ref<TypePart(const Found &)> PartOf, UnitFiles &Files);

} // namespace opsig

#endif
