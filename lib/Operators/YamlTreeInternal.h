//===- YamlTreeInternal.h - YAML with places --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// YAML text => (yaml-cpp's events) YamlTree: nodes with the place of every key and value
//
// yaml-cpp's own Node tree costs several times the time of its events and loses where scalars
// stand.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_OPERATORS_YAMLTREEINTERNAL_H
#define OPSIG_LIB_OPERATORS_YAMLTREEINTERNAL_H

#include "opsig/Support/Diagnostic.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/StringSaver.h"
#include <deque>

namespace opsig {

/// What a plain (unquoted) scalar stands for by the rules of YAML 1.1, which PyYAML follows.
enum class ScalarKind : uint8_t { Null, Bool, Int, Float, String };

struct YamlNode {
  enum Kind : uint8_t { Scalar, Sequence, Map } Is = Scalar;
  ScalarKind Value = ScalarKind::String; ///< of a Scalar
  LocatedText Text;                      ///< of a Scalar; At is good for every kind
  /// A Sequence's items, or a Map's keys and values in turn.
  std::vector<const YamlNode *> Children;

  const Place &at() const { return Text.At; }
  bool isString() const { return Is == Scalar && Value == ScalarKind::String; }
  bool isBool() const { return Is == Scalar && Value == ScalarKind::Bool; }
  bool isNull() const { return Is == Scalar && Value == ScalarKind::Null; }
  bool boolean() const; ///< of a Bool
  /// "a string", "a list", "a mapping", "null" ... for messages.
  llvm::StringRef describe() const;
};

class YamlTree {
public:
  /// Parses the only document of \p File. Syntax errors and duplicate keys go to \p Diags; after a
  /// syntax error there is no root. An empty document has a null root.
  YamlTree(FileId File, const SourceFiles &Files, Diagnostics &Diags);

  const YamlNode *root() const { return Root; }

private:
  friend class YamlTreeBuilder;
  std::deque<YamlNode> Nodes;
  llvm::BumpPtrAllocator Memory;
  llvm::StringSaver Texts{Memory};
  const YamlNode *Root = nullptr;
};

/// What \p Text stands for as a plain scalar.
ScalarKind resolvePlainScalar(llvm::StringRef Text);

} // namespace opsig

#endif
