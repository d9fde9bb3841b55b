//===- FieldReaderInternal.h - Typed access to the fields of a mapping ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_LIB_OPERATORS_FIELDREADERINTERNAL_H
#define OPSIG_LIB_OPERATORS_FIELDREADERINTERNAL_H

#include "YamlTreeInternal.h"
#include "opsig/Support/CppName.h"

namespace opsig {

/// Takes fields out of a YAML mapping one by one; what is left at the end is unknown. A field of
/// the wrong kind is reported, and reads as if it were not there.
class FieldReader {
public:
  FieldReader(const YamlNode &Map, Findings &Diags) : Map(Map), Diags(Diags) {}

  /// The field's value, or null where it is not there.
  const YamlNode *take(llvm::StringRef Name);
  std::optional<LocatedText> takeString(llvm::StringRef Name);
  /// The same of a field that counts as not there where nothing stands behind its colon.
  std::optional<LocatedText> takeStringOrNothing(llvm::StringRef Name);
  bool takeBool(llvm::StringRef Name, bool Default);
  /// The items of a list. Null (nothing after the colon) is no list unless \p NullIsEmpty.
  llvm::ArrayRef<const YamlNode *> takeList(llvm::StringRef Name, bool NullIsEmpty = false);

  bool has(llvm::StringRef Name) const;
  /// Something stands behind the field's colon.
  bool hasValue(llvm::StringRef Name) const;
  /// Where the key of a field that was taken stands.
  Place keyPlace(llvm::StringRef Name) const;
  Place at() const { return Map.at(); }

  /// Reports every field that was not taken; \p Known are the names to suggest.
  void reportUnknown(FindingId Id, llvm::StringRef What, llvm::ArrayRef<llvm::StringRef> Known);

private:
  const YamlNode &Map;
  Findings &Diags;
  llvm::SmallVector<llvm::StringRef, 16> Taken;
};

/// "not the boolean 'On'", "not a list", "but it is empty": what was found instead.
std::string found(const YamlNode &Node);

/// Reports that \p Node is not \p Expected ("a string").
void reportKind(Findings &Diags, FindingId Id, const YamlNode &Node, llvm::StringRef Field,
                llvm::StringRef Expected);

/// Reports \p Part of \p Text, which is generated as the name of \p What, if it is none in C++.
void checkCppName(const LocatedText &Text, llvm::StringRef Part, llvm::StringRef What,
                  bool (*IsName)(llvm::StringRef), Findings &Diags);

} // namespace opsig

#endif
