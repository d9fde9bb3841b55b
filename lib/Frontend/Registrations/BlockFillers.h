//===- BlockFillers.h - The functions that fill one block, and their calls ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `if (old) add_old(m); else add_new(m);`
//   => what add_old registers is in the branch of its call
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_FRONTEND_REGISTRATIONS_BLOCKFILLERS_H
#define OPSIG_LIB_FRONTEND_REGISTRATIONS_BLOCKFILLERS_H

#include "Registrations/RegistrationInternal.h"

#include "llvm/ADT/DenseMap.h"
#include <map>

namespace opsig {

class BlockFillers {
public:
  /// False if \p F is known, as of one that calls itself.
  bool add(const clang::FunctionDecl *F);
  /// The block's next entries stand in the body of \p F, in \p Branches of it.
  void addEntries(const clang::FunctionDecl &F, std::vector<BranchPath> Branches);
  /// Null: the block itself is the caller.
  void addCall(const clang::FunctionDecl *Caller, HandedBlock Call);

  /// Around each entry, with those around the calls that lead there.
  std::vector<BranchPath> branchesOfEntries();
  /// What is certain of all calls of \p F.
  const BranchPath &branchesAround(const clang::FunctionDecl &F);

  size_t size() const { return Order.size(); }
  /// Those with a body, in the order of add().
  llvm::ArrayRef<const clang::FunctionDecl *> functions() const { return Order; }
  llvm::ArrayRef<const clang::FunctionDecl *> withoutBody() const { return Unseen; }

  uint32_t LastBranch = 0;

private:
  struct Call {
    const clang::FunctionDecl *Caller;
    BranchPath Around; ///< in the caller
  };
  static const clang::FunctionDecl *keyOf(const clang::FunctionDecl &F);
  BranchPath around(const Call &C);

  std::vector<const clang::FunctionDecl *> Order, Unseen;
  std::vector<std::pair<const clang::FunctionDecl *, BranchPath>> Entries;
  llvm::DenseMap<const clang::FunctionDecl *, std::vector<Call>> Calls;
  std::map<const clang::FunctionDecl *, BranchPath> Known;
};

} // namespace opsig

#endif
