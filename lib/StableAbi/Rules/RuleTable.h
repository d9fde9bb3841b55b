//===- RuleTable.h - What stands for which name, as a table -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ApiUse x the rows of StableRules.cpp => the first that fits => StableChange
//
// Since when a row can be used is in no table: the headers of the PyTorch that is read say it of
// each name that the new text has.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_STABLEABI_RULES_RULETABLE_H
#define OPSIG_LIB_STABLEABI_RULES_RULETABLE_H

#include "Rules/StableInternal.h"

namespace opsig {

struct StableRule {
  /// Without the namespaces at, c10 and torch:
  ///   NAME          of the use, the name alone is replaced
  ///   NAME<>        with its template arguments; "NAME<float>" with these
  ///   NAME(ARGS)    the call with all its arguments; "NAME(ARGS);" the statement with its lines
  /// NAME of a method is "Tensor.dim". ARGS are "$1, $2", or "$1, $*" where any number may follow;
  /// "Device $1" is of that type, "Dtype $1" of any type of dtypes; "\"$1\"" begins as a string
  /// does. "Options" are TensorOptions that are known, "Like" those of a tensor, "Typed" those that
  /// say the dtype. Other words are the argument itself.
  llvm::StringRef From;
  /// As opsig/Support/CallPattern.h; besides "$x", the object as an argument, "$o", as it is
  /// written, "$.", the dot or arrow behind it, "$a", the arguments as the stable function takes
  /// them, "$t", template arguments, and "$T", these with 32 bits as the type of indices. Of
  /// options: "$l", the tensor that they are of, "$p", what else they say, each part behind a
  /// comma, "$q" and "$Q", the same with what that tensor or the object says,
  /// "$d" and "$v", dtype and device, or those of the tensor, or of the first argument. "": it
  /// stays, and Review says what to write.
  llvm::StringRef To;
  /// Names that the headers must have besides those that To says, and "<headers>" of the language.
  /// "=": only these. "+": the row is for those who have chosen a target, who get newer names.
  llvm::StringRef Needs = "";
  /// Why somebody has to look at the result; "" if it does the same for certain.
  llvm::StringRef Review = "";
  /// What reports call To; "": what stands in front of its first bracket.
  llvm::StringRef Instead = "";
  /// The same in words, for what is no name.
  llvm::StringRef InWords = "";
};

/// Names that have the same one in another scope.
struct SameNames {
  llvm::StringRef Prefix; ///< of the old name: "k"
  llvm::StringRef Scope;  ///< of the new one
  llvm::StringRef Names;  ///< with blanks between them
};

enum class RuleTable : uint8_t { Types, Constants, Macros, Methods, Functions, Operators };

/// In the order in which they are tried.
llvm::ArrayRef<StableRule> stableRules(RuleTable Of);
llvm::ArrayRef<SameNames> sameNames(RuleTable Of);
/// Whether \p Word is one of those that blanks separate in \p List.
bool isWordOf(llvm::StringRef List, llvm::StringRef Word);
/// What to write for what has no row; "" where nobody knows.
std::string howInstead(llvm::StringRef Name);
/// What an operator of two tensors calls, "mul.Tensor"; "" for others.
llvm::StringRef overloadOf(llvm::StringRef Operator);

/// What the first row that fits makes of a use of \p Name; none without one.
RuleResult ruleFrom(RuleTable Of, llvm::StringRef Name, const ApiUse &Use,
                    const StableContext &Context);

} // namespace opsig

#endif
