//===- ConstantValues.h - What names stand for in registrations --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// names of constants and of variables that nothing changes, members and elements of tables
//   => the expressions that give them their values
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_FRONTEND_REGISTRATIONS_CONSTANTVALUES_H
#define OPSIG_LIB_FRONTEND_REGISTRATIONS_CONSTANTVALUES_H

#include "Decls/UnitSpansInternal.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

namespace opsig {

struct FileWords;

/// What the code says a value is, and by which ways.
struct ConstantValue {
  /// Without what wraps it; the expression itself where there is nothing behind it.
  const clang::Expr *E = nullptr;
  /// Variables with a name whose initialisers were looked at.
  llvm::SmallVector<const clang::VarDecl *, 4> Through;
  /// It stands in a row of a table that is gone through.
  bool InRow = false;
};

class ConstantValues {
public:
  explicit ConstantValues(UnitSpans &Spans);
  ~ConstantValues();

  UnitSpans &spans() const { return Spans; }

  ConstantValue valueOf(const clang::Expr *E);
  /// The rows of a table that a loop goes through, each as what holds it; nothing where that is no
  /// constant.
  std::optional<std::vector<ConstantValue>> rowsOf(const clang::Expr *Range);
  /// From now on \p Var stands for \p Row, until it is released.
  void bind(const clang::VarDecl &Var, ConstantValue Row);
  void release(const clang::VarDecl &Var);
  /// Whether \p Code names a variable that stands for a row.
  bool isAboutRow(const clang::Expr &Code) const;
  /// What the condition comes to; nothing where only running the code would tell.
  std::optional<bool> truthOf(const clang::Expr *Condition);
  /// Whether an edit of a value that was reached through \p Through would change something else,
  /// as far as the names in the main file tell.
  bool isShared(llvm::ArrayRef<const clang::VarDecl *> Through);
  /// Whether the function that \p Var is local to never changes it, nor hands it to who could.
  bool isUntouched(const clang::VarDecl &Var);

private:
  struct Follower;
  bool isConstant(const clang::VarDecl &Var);
  bool dropRepeated(std::vector<ConstantValue> &Rows, bool IsMap);
  unsigned mentions(const clang::VarDecl &Var);

  UnitSpans &Spans;
  llvm::DenseMap<const clang::VarDecl *, ConstantValue> Rows;
  /// Of functions, the variables that they may change.
  llvm::DenseMap<const clang::FunctionDecl *, llvm::SmallPtrSet<const clang::VarDecl *, 4>> Touched;
  std::unique_ptr<FileWords> Words;
};

} // namespace opsig

#endif
