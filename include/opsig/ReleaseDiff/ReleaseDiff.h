//===- ReleaseDiff.h - What changes between two releases --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators of two releases => pairs by name, and by what they do (renames)
//   => per pair: changes of schema and entry, of signatures in each convention, who is affected
//   => what changes everywhere in one way, which is no change of any operator
//
// Each side is read in its own dialect. Signatures are compared as types, not as text: what is only
// spelled otherwise is a UniformChange.
//
// Nothing here owns operators: both sides must outlive what is made of them.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_RELEASEDIFF_RELEASEDIFF_H
#define OPSIG_RELEASEDIFF_RELEASEDIFF_H

#include "opsig/Operators/DeprecatedFunctions.h"
#include "opsig/Signature/Signature.h"

namespace opsig {

enum class ChangeKind : uint8_t {
#define OPSIG_CHANGE(Name, Id, Heading) Name,
#include "opsig/ReleaseDiff/ChangeKinds.def"
};
/// "argument-added".
llvm::StringRef toString(ChangeKind Kind);
/// "new argument".
llvm::StringRef headingOf(ChangeKind Kind);

/// One difference between an operator's two entries.
struct Change {
  ChangeKind Is;
  /// The argument, tag or field it is about, or the keys: "CPU, CUDA"; "" where the kind says all.
  std::string Subject;
  std::string From; ///< "" where there was nothing
  std::string To;   ///< "" where there is nothing any more

  /// "'alpha': Scalar => Scalar?"
  std::string str() const;
  friend bool operator==(const Change &, const Change &) = default;
};

/// Whose code a change breaks.
struct Impact {
  bool Kernels = false;  ///< a kernel that is registered has the wrong type, or not the same duties
  bool Cpp = false;      ///< calls of the C++ API that were right may not be so any more
  bool Python = false;   ///< the same of calls from Python
  bool Backends = false; ///< a backend that needed no kernel needs one

  bool any() const { return Kernels || Cpp || Python || Backends; }
  /// "kernels, C++ callers"; "" for none.
  std::string str() const;
  friend bool operator==(const Impact &, const Impact &) = default;
};

/// A signature that is another one, not only spelled otherwise.
struct SignatureChange {
  /// As `show` calls it: "cpp", "cpp_faithful", "cpp_symint", "cpp_symint_faithful", "cpp_method",
  /// "dispatcher", "native", "structured_meta", "structured_impl", "python", "python_method".
  llvm::StringRef Convention;
  std::string From; ///< the declaration; "" where there was none
  std::string To;   ///< "" where there is none any more
};

/// How sure it is that a new operator is one that had another name.
enum class RenameVerifier : uint8_t {
  SharedKernel, ///< the schema is the same but for the name, and a kernel serves both
  SameSchema,   ///< the schema is the same but for the name; no other operator has that
};
/// "certain", "likely".
llvm::StringRef toString(RenameVerifier Proof);

/// An operator that both releases have.
struct OperatorChange {
  const NativeFunction *Old;
  const NativeFunction *New;
  std::optional<RenameVerifier> Renamed;
  std::vector<Change> Changes;
  std::vector<SignatureChange> Signatures;
  Impact Breaks;

  bool any() const { return Renamed || !Changes.empty() || !Signatures.empty(); }
};

/// What the rules of the new release make of entries that have not changed.
struct UniformChange {
  enum Kind : uint8_t {
    Spelling, ///< the same type has another name
    Rule,     ///< a schema type stands for another C++ type
    Tag,      ///< most operators gain, or lose, a tag
  } Is;
  /// Of a Rule: the conventions, "dispatcher, native".
  std::string Where;
  std::string From; ///< "c10::optional", "const at::TensorList &"; of a new tag ""
  std::string To;   ///< of a tag that is gone ""
  /// Operators that have it in some signature.
  size_t Operators = 0;
  std::string Example; ///< the first of them
};

/// An entry of deprecated.yaml that only one release has.
struct DeprecationChange {
  bool IsNew;
  std::string Schema;
  std::string Operator; ///< who serves, or served, it
};

struct ReleaseDiff {
  const Operators *Old = nullptr;
  const Operators *New = nullptr;
  /// Without those that are renamed. In the order of their release.
  std::vector<const NativeFunction *> Gone, Added;
  /// Renamed ones, then others; in the order of the old release.
  std::vector<OperatorChange> Changed;
  /// Spellings, then rules, the most frequent first; then tags.
  std::vector<UniformChange> Everywhere;
  std::vector<DeprecationChange> Deprecations;
  size_t Unchanged = 0;

  /// Nothing differs at all.
  bool empty() const;
  /// Of the old release's operator; null where it is the same, or gone.
  const OperatorChange *changeOf(const NativeFunction &F) const;
  bool isGone(const NativeFunction &F) const;
  /// Whom the new release has for an operator of the old one; null where it is gone. One that is no
  /// operator of the old release (a project's own) is its own successor.
  const NativeFunction *newOf(const NativeFunction &F) const;

  /// To be called when Changed is complete.
  void buildLookup();

private:
  llvm::DenseMap<const NativeFunction *, size_t> ByOld;
};

/// \p Old and \p New must have signatures (isLowerable).
ReleaseDiff compareReleases(const Operators &Old, const Operators &New);

/// Entries that are gone in their order, then new ones in theirs.
std::vector<DeprecationChange> compareDeprecated(const DeprecatedFunctions &Old,
                                                 const DeprecatedFunctions &New);

/// Both are one C++ function: the same parameters in the same order and the same returns, however
/// they are spelled. Names, of the function and of parameters, do not matter, nor do defaults.
bool sameTypes(const Signature &Old, const Signature &New);

/// No operator of PyTorch needs a backend's own kernel that has one of these: a composite one, or
/// its out variant's.
bool hasDefaultKernel(const NativeFunction &F);

} // namespace opsig

#endif
