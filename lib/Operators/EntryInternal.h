//===- EntryInternal.h - One entry of native_functions.yaml -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// YAML mapping => readEntry (fields) => readDispatch (kernels) => checkEntry (the whole) =>
// NativeFunction
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_OPERATORS_ENTRYINTERNAL_H
#define OPSIG_LIB_OPERATORS_ENTRYINTERNAL_H

#include "FieldReaderInternal.h"
#include "opsig/Operators/Operators.h"

namespace opsig {

/// What reading an entry needs besides the entry.
struct EntryContext {
  const Dialect &D;
  const Grammar &G;
  llvm::ArrayRef<std::string> ValidTags; ///< in the order of tags.yaml
  bool TagsAreKnown;                     ///< false where tags.yaml itself is wrong
  const LoadOptions &Options;
  Findings &Diags;
};

/// Reads and checks one entry. Reports all that is wrong with it; nothing where it cannot be used,
/// or is not to be.
std::optional<NativeFunction> readEntry(const YamlNode &Map, const EntryContext &C);

/// The parts of readEntry that have a file of their own.
void readDispatch(FieldReader &Fields, NativeFunction &F, const EntryContext &C);
void readUfunc(FieldReader &Fields, NativeFunction &F, const EntryContext &C);
std::optional<Precompute> readPrecomputed(FieldReader &Fields, const EntryContext &C);
/// What must hold between the fields of an entry.
void checkEntry(const NativeFunction &F, const FieldReader &Fields, const EntryContext &C);

/// Drops what does not fit to the rest of an entry with errors.
void resolveEntry(NativeFunction &F);

/// Parses \p Text as an operator name; reports at its place.
std::optional<OperatorName> readOperatorName(const LocatedText &Text, const EntryContext &C);

/// Takes `a::b::name` apart. Reports more than \p MaxLevels namespaces under \p Id.
struct NamespacedName {
  llvm::StringRef Namespace; ///< "a::b", "" without
  llvm::StringRef Name;
  size_t NameOffset;
};
NamespacedName splitNamespace(const LocatedText &Text, unsigned MaxLevels, FindingId Id,
                              Findings &Diags);

} // namespace opsig

#endif
