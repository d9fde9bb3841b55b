//===- BodyPaths.cpp - which ways lead through a body -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang's control flow graph knows constant conditions and functions that never return, which is
// how TORCH_CHECK(false, ...) ends a body.
//
//===----------------------------------------------------------------------===//
#include "Bodies/FlowInternal.h"

#include "clang/Analysis/CFG.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace opsig;
using namespace clang;

BodyPaths::BodyPaths(const FunctionDecl &F, const Stmt &Body) {
  CFG::BuildOptions Options;
  Options.setAllAlwaysAdd(); // each expression is found in its block
  Graph = CFG::buildCFG(&F, const_cast<Stmt *>(&Body), &F.getASTContext(), Options);
}

BodyPaths::~BodyPaths() = default;

const CFGBlock *BodyPaths::blockOf(const Stmt &S) const {
  if (Graph)
    for (const CFGBlock *Block : *Graph)
      for (const CFGElement &Element : *Block)
        if (std::optional<CFGStmt> Known = Element.getAs<CFGStmt>();
            Known && Known->getStmt() == &S)
          return Block;
  return nullptr;
}

/// Nothing behind the block is reached from it.
static bool endsInException(const CFGBlock &Block) {
  if (Block.hasNoReturnElement())
    return true;
  for (const CFGElement &Element : Block)
    if (std::optional<CFGStmt> Known = Element.getAs<CFGStmt>();
        Known && isa<CXXThrowExpr>(Known->getStmt()))
      return true;
  return false;
}

bool BodyPaths::leads(const CFGBlock &To, llvm::ArrayRef<const CFGBlock *> Avoided) const {
  llvm::SmallPtrSet<const CFGBlock *, 32> Seen;
  llvm::SmallVector<const CFGBlock *, 32> Left = {&Graph->getEntry()};
  while (!Left.empty()) {
    const CFGBlock *Block = Left.pop_back_val();
    if (!Block || llvm::is_contained(Avoided, Block) || !Seen.insert(Block).second)
      continue;
    if (Block == &To)
      return true;
    if (!endsInException(*Block))
      Left.append(Block->succ_begin(), Block->succ_end());
  }
  return false;
}

bool BodyPaths::reach(const Stmt &S) const {
  const CFGBlock *Block = blockOf(S);
  return Block && leads(*Block, {});
}

bool BodyPaths::allPass(llvm::ArrayRef<const Stmt *> OneOf) const {
  llvm::SmallVector<const CFGBlock *, 2> Blocks;
  for (const Stmt *S : OneOf)
    Blocks.push_back(blockOf(*S));
  return llvm::all_of(Blocks, [&](const CFGBlock *B) { return B && leads(*B, {}); }) &&
         !leads(Graph->getExit(), Blocks);
}
