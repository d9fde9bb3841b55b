//===- Compatibility.h - Whether calls survive a change of a schema ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// schema strings of one operator, old and new => ComparedSchema x 2
//   => why libtorch calls the new one incompatible
//
// The rules are those of FunctionSchema::isBackwardCompatibleWith and isForwardCompatibleWith,
// which are the same in all releases that opsig knows. test/tool/diff/judge-compatible.test
// compares them with the installed libtorch.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SCHEMA_COMPATIBILITY_H
#define OPSIG_SCHEMA_COMPATIBILITY_H

#include "opsig/Schema/Parse.h"

namespace opsig {

/// What libtorch compares of an argument or a return besides its name and type.
struct ComparedArgument {
  /// The value of the default, not its spelling: "int 1" of `1` and of `Mean`.
  std::optional<std::string> Default;
  /// The alias annotation with its sets in order; "" without.
  std::string Marks;
};

struct ComparedSchema {
  FunctionSchema Schema;
  /// One for each of Schema.Args, and of Schema.Returns.
  std::vector<ComparedArgument> Args, Returns;
};

/// The string of code as parseScriptSchema() reads it; none where that finds an error.
std::optional<ComparedSchema> parseComparedSchema(llvm::StringRef Text, const Grammar &G,
                                                  const ScriptRules &Rules);

/// Whether a value of type \p Value can be given where \p Type is declared.
bool isSubtype(const Type &Value, const Type &Declared);

/// Why a call that \p Old takes may fail with \p New, or mean something else; nothing where it does
/// not. Both are schemas of one operator: names are not compared.
std::optional<std::string> whyNotBackwardCompatible(const ComparedSchema &New,
                                                    const ComparedSchema &Old);

/// Why a call that is written for \p New, and leaves out arguments that equal their defaults, may
/// not be taken by \p Old. Libtorch does not compare the returns.
std::optional<std::string> whyNotForwardCompatible(const ComparedSchema &New,
                                                   const ComparedSchema &Old);

} // namespace opsig

#endif
