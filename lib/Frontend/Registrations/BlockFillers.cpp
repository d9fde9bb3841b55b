//===- BlockFillers.cpp - the functions that fill one block, and their calls -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registrations/BlockFillers.h"

#include "clang/AST/Decl.h"
#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace clang;

const FunctionDecl *BlockFillers::keyOf(const FunctionDecl &F) {
  const FunctionDecl *Definition = nullptr;
  return F.hasBody(Definition) ? Definition : F.getCanonicalDecl();
}

bool BlockFillers::add(const FunctionDecl *F) {
  if (llvm::is_contained(Order, F))
    return false;
  Order.push_back(F);
  return true;
}

void BlockFillers::addEntries(const FunctionDecl &F, std::vector<BranchPath> Branches) {
  for (BranchPath &Own : Branches)
    Entries.push_back({&F, std::move(Own)});
}

void BlockFillers::addCall(const FunctionDecl *Caller, HandedBlock Handed) {
  const FunctionDecl *To = keyOf(*Handed.To);
  std::vector<Call> &All = Calls[To];
  if (All.empty() && !To->hasBody())
    Unseen.push_back(To);
  All.push_back({Caller, std::move(Handed.Branches)});
}

BranchPath BlockFillers::around(const Call &C) {
  BranchPath Out = C.Caller ? branchesAround(*C.Caller) : BranchPath();
  llvm::append_range(Out, C.Around);
  return Out;
}

const BranchPath &BlockFillers::branchesAround(const FunctionDecl &F) {
  const FunctionDecl *Key = keyOf(F);
  auto [It, IsNew] = Known.try_emplace(Key);
  BranchPath &Out = It->second;
  // The first one is called for the block, whoever else calls it.
  if (!IsNew || (!Order.empty() && Key == Order.front()))
    return Out;
  Out = {++LastBranch}; // also for those that call each other
  std::vector<BranchPath> All;
  for (const Call &C : Calls.lookup(Key))
    All.push_back(around(C));
  // Of several calls nothing is certain but that one runs.
  if (All.size() == 1)
    Out = std::move(All.front());
  else if (llvm::any_of(All, [](const BranchPath &B) { return B.empty(); }))
    Out.clear();
  return Out;
}

std::vector<BranchPath> BlockFillers::branchesOfEntries() {
  std::vector<BranchPath> Out;
  for (const auto &[In, Own] : Entries) {
    Out.push_back(branchesAround(*In));
    llvm::append_range(Out.back(), Own);
  }
  return Out;
}
