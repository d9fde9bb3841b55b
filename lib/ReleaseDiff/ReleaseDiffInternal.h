//===- ReleaseDiffInternal.h - The steps of comparing two releases -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators x 2 => OperatorPair* (Pairs.cpp)
//   => Change* (SchemaChanges.cpp, EntryChanges.cpp), SignatureChange* (SignatureChanges.cpp),
//      Impact (Impact.cpp); of unchanged schemas UniformChange* (UniformChanges.cpp)
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_RELEASEDIFF_RELEASEDIFFINTERNAL_H
#define OPSIG_LIB_RELEASEDIFF_RELEASEDIFFINTERNAL_H

#include "opsig/ReleaseDiff/ReleaseDiff.h"
#include <map>
#include <tuple>

namespace opsig {

/// An operator in both releases.
struct OperatorPair {
  const NativeFunction *Old;
  const NativeFunction *New;
  std::optional<RenameVerifier> Renamed;
};

struct Pairing {
  std::vector<OperatorPair> Pairs; ///< in the order of the old release
  std::vector<const NativeFunction *> Gone, Added;
};

/// By name; what is left by schemas and kernels.
Pairing pairOperators(const Operators &Old, const Operators &New);

/// One of the two releases, with what signatures are made of.
class ReleaseSide {
public:
  explicit ReleaseSide(const Operators &Ops);
  const Dialect &dialect() const { return *Ops.D; }
  Lowering lowering(const NativeFunction &F) const { return Lower.of(F); }
  /// The group that \p F is the out function of, if that is structured; null for none.
  const NativeFunctionsGroup *structuredGroup(const NativeFunction &F) const {
    return Structured.lookup(&F);
  }

private:
  const Operators &Ops;
  Lowerings Lower;
  llvm::DenseMap<const NativeFunction *, const NativeFunctionsGroup *> Structured;
};

/// Arguments in the order of the new schema, those that are gone before them; then returns.
std::vector<Change> schemaChanges(const FunctionSchema &Old, const FunctionSchema &New);

/// What changed beside the schema.
std::vector<Change> entryChanges(const NativeFunction &Old, const NativeFunction &New);

/// Both are lowered alike but for the rules of their releases.
bool sameLowering(const Lowering &Old, const Lowering &New);

/// In the order of `show`: the C++ API, the dispatcher, kernels, Python. Nothing where schema and
/// kernels are the same: what the rules of releases change is UniformChanges' matter.
std::vector<SignatureChange> signatureChanges(const OperatorPair &Pair, const ReleaseSide &Old,
                                              const ReleaseSide &New);

Impact impactOf(const OperatorChange &Change, const ReleaseSide &Old, const ReleaseSide &New);

/// Whether every call of \p Old that compiles is one of \p New.
bool callsStillFit(const Signature &Old, const Signature &New);

/// Defaults of parameters as schemas have them; of those that stand for no argument, as text.
bool sameDefault(const Binding &Old, const Binding &New);

/// Collects what differs between unchanged schemas.
class UniformChanges {
public:
  UniformChanges(const ReleaseSide &Old, const ReleaseSide &New) : Old(Old), New(New) {}
  /// \p Pair has the same schema in both releases, lowered in the same way.
  void add(const OperatorPair &Pair);
  std::vector<UniformChange> take() &&;

private:
  /// From, To, kind.
  using Key = std::tuple<std::string, std::string, UniformChange::Kind>;
  struct Entry {
    UniformChange Change;
    std::vector<llvm::StringRef> Where;
    const NativeFunction *Last = nullptr;
  };

  llvm::ArrayRef<unsigned> of(const Argument &A, const Lowering &L);
  llvm::ArrayRef<unsigned> ofReturn(const Return &R);
  void compareTypes(llvm::StringRef Where, const std::string &OldText, const std::string &NewText,
                    bool SameType, std::vector<unsigned> &Ids);
  unsigned entry(UniformChange::Kind Kind, std::string From, std::string To, llvm::StringRef Where);
  void count(const NativeFunction &F, llvm::ArrayRef<unsigned> Ids);

  const ReleaseSide &Old, &New;
  std::vector<Entry> Entries;
  std::map<Key, unsigned> Known;
  /// By all that the types of an argument, or return, are made of.
  llvm::StringMap<std::vector<unsigned>> OfText;
};

/// Takes the tags that most of all \p Operators gain, or lose, out of \p Changed.
std::vector<UniformChange> takeCommonTags(std::vector<OperatorChange> &Changed, size_t Operators);

/// The words that differ in two texts of one type, as pairs; the stretch that differs where they
/// have not the same number of words.
std::vector<std::pair<std::string, std::string>> wordDifferences(llvm::StringRef Old,
                                                                 llvm::StringRef New);

} // namespace opsig

#endif
