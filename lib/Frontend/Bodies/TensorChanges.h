//===- TensorChanges.h - variables that come to hold another tensor ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// uses of tensors' variables in a body => those after which one may hold another tensor
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_FRONTEND_BODIES_TENSORCHANGES_H
#define OPSIG_LIB_FRONTEND_BODIES_TENSORCHANGES_H

#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace opsig {

/// Each body is read once.
class TensorChanges {
public:
  /// \p Var, a tensor, may be assigned in \p F, or be handed to who could assign it. Elements may
  /// change: the dispatcher does not look at them.
  bool mayChange(const clang::VarDecl &Var, const clang::FunctionDecl &F);

private:
  llvm::DenseMap<const clang::FunctionDecl *, llvm::SmallPtrSet<const clang::VarDecl *, 4>> Changed;
  llvm::SmallPtrSet<const clang::FunctionDecl *, 4> Open; ///< that are being read
};

} // namespace opsig

#endif
