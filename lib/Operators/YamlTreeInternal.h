//===- YamlTreeInternal.h - YAML with places --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// YAML text => (yaml-cpp's events) YamlTree: nodes with the place of every key and value
//
// Schema files are plain YAML for thousands of lines, which PlainYaml.cpp reads faster. yaml-cpp's
// own Node tree costs several times the time of its events and loses where scalars stand.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_OPERATORS_YAMLTREEINTERNAL_H
#define OPSIG_LIB_OPERATORS_YAMLTREEINTERNAL_H

#include "opsig/Support/Finding.h"
#include "llvm/ADT/STLFunctionalExtras.h"
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

/// The nodes that one run of the parser makes, and the texts of those that stand otherwise in the
/// file.
struct YamlNodes {
  std::deque<YamlNode> All;
  llvm::BumpPtrAllocator Memory;
  llvm::StringSaver Texts{Memory};
  /// Null after a syntax error.
  const YamlNode *Root = nullptr;
};

/// A stretch of a YAML file.
struct YamlPiece {
  llvm::StringRef Text;
  uint32_t LinesBefore = 0;
};

class YamlTree {
public:
  /// Parses the only document of \p File. Syntax errors and duplicate keys go to \p Diags; after a
  /// syntax error there is no root. An empty document has a null root.
  /// A long list is cut between its items, and the pieces are parsed in threads; that shows in
  /// nothing but the time.
  /// \p IsWanted, if given, is asked for each item of a long list what its first line says; items
  /// that are not wanted may be left out.
  YamlTree(SourceId File, const SourceFiles &Files, Findings &Diags,
           llvm::function_ref<bool(llvm::StringRef)> IsWanted = nullptr);

  const YamlNode *root() const { return Root; }
  /// Items that are not wanted may be missing.
  bool isPart() const { return IsPart; }

private:
  void parse(SourceId File, const SourceFiles &Files, Findings &Diags);
  bool parseLongList(SourceId File, const SourceFiles &Files,
                     llvm::function_ref<bool(llvm::StringRef)> IsWanted);
  bool parsePieces(SourceId File, llvm::ArrayRef<YamlPiece> Cut);

  std::deque<YamlNodes> Pieces;
  const YamlNode *Root = nullptr;
  bool IsPart = false;
};

/// Reads \p Piece if it is YAML of the plainest kind, to the tree that yaml-cpp would give it.
/// False: that is for yaml-cpp to say, \p Nodes are empty.
bool readPlainYaml(SourceId File, const YamlPiece &Piece, YamlNodes &Nodes);

/// A line of \p Text after the first begins a document, or is a directive.
bool laterLineBeginsDocument(llvm::StringRef Text);

/// Reads \p Piece with yaml-cpp; throws a YAML::Exception where it is no YAML.
void readYaml(SourceId File, const YamlPiece &Piece, YamlNodes &Nodes, Findings &Diags);

/// The keys of \p Map that an earlier key is equal to.
llvm::SmallVector<const YamlNode *, 0> repeatedKeys(const YamlNode &Map);

/// Cuts \p Text in front of lines that begin an item of a list that is not indented, into up to \p
/// Count pieces of about the same size; into one where a cut could mean something else.
std::vector<YamlPiece> cutBetweenItems(llvm::StringRef Text, unsigned Count);

/// The items of such a list of whose first line \p IsWanted says so, with the first item of all and
/// those that could reach into the next one; neighbours are one piece. All of \p Text where a cut
/// could mean something else.
std::vector<YamlPiece> wantedItems(llvm::StringRef Text,
                                   llvm::function_ref<bool(llvm::StringRef)> IsWanted);

/// What \p Text stands for as a plain scalar.
ScalarKind resolvePlainScalar(llvm::StringRef Text);

} // namespace opsig

#endif
