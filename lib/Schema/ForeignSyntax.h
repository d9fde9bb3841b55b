//===- ForeignSyntax.h - Schemas written in Python's or C++'s manner --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// piece of a schema that no grammar takes => what is wrong with it in the reader's words, and how
//   the schema language writes it
//
// Both parsers ask here after an error. A piece that is not recognized keeps the parser's own
// error.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_SCHEMA_FOREIGNSYNTAX_H
#define OPSIG_LIB_SCHEMA_FOREIGNSYNTAX_H

#include "opsig/Schema/Parse.h"

namespace opsig::schema {

/// Whose schemas: those of YAML files have no dictionaries and tuples.
enum class Language : uint8_t { Native, Script };

/// A type that Python or C++ writes otherwise, in the schema language.
struct ForeignType {
  enum Form : uint8_t { Name, Optional, List, Dict, Tuple };
  std::string Schema;
  Form Kind = Name; ///< of the outermost part that is written otherwise
  /// No other type of the schema language may be meant.
  bool IsCertain = true;
};

/// What a message says about a piece of the text. \p Suggestion replaces \p Replaced; "" where
/// that is not certain.
struct Explanation {
  llvm::StringRef At;
  std::string Message;
  llvm::StringRef Replaced = {};
  std::string Suggestion = {};
  /// Of torchgen's grammar, where it is not that of the parser's own error.
  std::optional<FindingId> Id = {};
};

class ForeignSyntax {
public:
  ForeignSyntax(const Grammar &G, Language L) : G(G), L(L) {}

  /// A type that the grammar has.
  bool isType(llvm::StringRef Text) const;
  /// What \p Text, which is no type, means; nothing where that is not known.
  std::optional<ForeignType> translate(llvm::StringRef Text) const;
  std::optional<Explanation> explainType(llvm::StringRef Text) const;
  /// One argument, without the commas around it.
  std::optional<Explanation> explainArgument(llvm::StringRef Text) const;
  /// All that stands behind "->".
  std::optional<Explanation> explainReturns(llvm::StringRef Text) const;
  /// What stands behind the ')' of the arguments where "->" is expected.
  std::optional<Explanation> explainArrow(llvm::StringRef Text) const;

private:
  std::optional<ForeignType> translate(llvm::StringRef Text, unsigned Depth) const;
  std::optional<ForeignType> translateGeneric(llvm::StringRef Head, llvm::StringRef Inner,
                                              unsigned Depth) const;
  std::optional<ForeignType> translateUnion(llvm::ArrayRef<llvm::StringRef> Parts,
                                            unsigned Depth) const;
  /// The schema's spelling of a type that may be one already.
  std::optional<std::string> spell(llvm::StringRef Text, unsigned Depth) const;
  std::optional<std::string> spellAll(llvm::ArrayRef<llvm::StringRef> Parts, unsigned Depth) const;

  std::optional<Explanation> explainAnnotated(llvm::StringRef Text) const;
  std::optional<Explanation> explainWords(llvm::StringRef Text) const;
  std::optional<Explanation> explainSingleWord(llvm::StringRef Text) const;

  const Grammar &G;
  Language L;
};

/// The pieces of \p Text between the commas that stand outside of brackets and quotes, untrimmed.
std::vector<llvm::StringRef> splitOutside(llvm::StringRef Text, char Separator);
/// The first of \p Chars that stands outside of brackets and quotes; npos if none does. A bracket
/// that closes nothing counts as outside.
size_t findOutside(llvm::StringRef Text, llvm::StringRef Chars);

} // namespace opsig::schema

#endif
