//===- PythonDataInternal.h - Python's literals as data ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// text => PythonToken* of the module's own statements => assignments => PythonValue | PythonStop
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_TORCHGEN_PYTHONDATAINTERNAL_H
#define OPSIG_LIB_TORCHGEN_PYTHONDATAINTERNAL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace opsig {

struct PythonToken {
  enum Kind : uint8_t { Word, Number, String, Operator, LineEnd, End, Bad };
  Kind Is = End;
  /// Columns that the logical line is indented; the same for all of its tokens.
  uint32_t Indent = 0;
  uint32_t Line = 0; ///< 1-based
  llvm::StringRef Text;

  bool is(llvm::StringRef Op) const { return (Is == Operator || Is == Word) && Text == Op; }
};

/// Python's tokens, without comments and the ends of lines within brackets. Lines may end in CRLF.
class PythonLexer {
public:
  explicit PythonLexer(llvm::StringRef Text);
  PythonToken next();
  /// Goes to the next line whose indentation is none, past strings and brackets.
  void skipBlock();

private:
  void skipBlanks();
  void beginLine();
  PythonToken token(PythonToken::Kind Is, const char *Begin) const;
  /// At a quote; false where the string does not end.
  bool skipString();

  const char *At;
  const char *const End;
  uint32_t Line = 1;
  uint32_t Indent = 0;
  unsigned Depth = 0; ///< of brackets
  bool InLine = false;
};

/// What a string token means; nothing where it is no plain text (bytes, formatted text).
std::optional<std::string> stringValue(llvm::StringRef Token);

struct PythonValue {
  enum Kind : uint8_t { String, Number, Word, List, Dict };
  Kind Is = List;
  uint32_t Line = 0;
  /// A string's text, a number, dotted words.
  std::string Text;
  /// Of a list, tuple or set the elements, of a dict the keys.
  std::vector<PythonValue> Items;
  /// Of a dict, one for each key.
  std::vector<PythonValue> Values;
};

/// Where reading stopped, and what stands there: "a call of 'f'".
struct PythonStop {
  std::string File;
  uint32_t Line = 0;
  std::string Why;
};

/// What one module assigns at its top.
class ModuleAssignments {
public:
  /// Bodies of classes are read of those in \p Classes alone.
  ModuleAssignments(llvm::StringRef Name, llvm::StringRef Text,
                    llvm::ArrayRef<llvm::StringRef> Classes);
  // Its changes point into its tokens, which a move takes along.
  ModuleAssignments(ModuleAssignments &&) = default;
  ModuleAssignments(const ModuleAssignments &) = delete;

  /// What happens to one name, in order.
  struct Change {
    enum Kind : uint8_t { Assigned, Added, Class, Touched };
    Kind Is;
    uint32_t Line;
    /// The value, or the body of the class.
    llvm::ArrayRef<PythonToken> Tokens;
    std::string What; ///< Touched: "is changed by 'append'"
  };
  llvm::ArrayRef<Change> changes(llvm::StringRef Variable) const;
  const std::string &name() const { return Name; }

private:
  using Tokens = llvm::ArrayRef<PythonToken>;
  void readAll(llvm::StringRef Text, llvm::ArrayRef<llvm::StringRef> Classes);
  void addStatements();
  void addStatement(Tokens Line);
  void addTouches(Tokens Line);
  bool addAssignment(Tokens Line);
  size_t addClass(size_t Begin);
  void add(llvm::StringRef Variable, Change C);

  std::string Name;
  std::vector<PythonToken> All;
  llvm::StringMap<std::vector<Change>> Changes;
};

/// Values of variables of some modules. A name that its own module does not assign is looked for
/// in the others: it is imported from there.
class PythonReader {
public:
  explicit PythonReader(llvm::ArrayRef<ModuleAssignments> Modules) : Modules(Modules) {}

  /// Nothing where \p In does not assign it; then there is no stop().
  std::optional<PythonValue> read(const ModuleAssignments &In, llvm::StringRef Variable);
  const std::optional<PythonStop> &stop() const { return Stop; }
  /// The members of the body of an Enum.
  std::optional<PythonValue> readEnum(const ModuleAssignments &In,
                                      const ModuleAssignments::Change &Class);

private:
  llvm::ArrayRef<ModuleAssignments> Modules;
  std::optional<PythonStop> Stop;
  unsigned Depth = 0;
  friend class PythonExpression;
};

/// The names that a regular expression of torchgen matches, as patterns of Dialect: Python.Unbound;
/// nothing where it is none of the few forms that are known.
std::optional<std::vector<std::string>> namePatterns(llvm::StringRef Regex);

} // namespace opsig

#endif
