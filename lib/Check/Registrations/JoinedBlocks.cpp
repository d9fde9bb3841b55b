//===- JoinedBlocks.cpp - blocks that functions of other files fill -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// block that is handed to `void add(torch::Library &m)` x the file that defines it
//   => what it registers, as the block's
//
//===----------------------------------------------------------------------===//
#include "Registrations/RegistrationInternal.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

static bool isFiller(const RegistrationBlock &Block) {
  return Block.Is == RegistrationBlock::Unknown && !Block.Filler.empty();
}

JoinedBlocks::JoinedBlocks(ArrayRef<BlockRef> Distinct) {
  for (const BlockRef &B : Distinct)
    if (isFiller(*B.Block))
      Fillers[B.Block->Filler].push_back(B);
  for (const BlockRef &B : Distinct)
    if (!isFiller(*B.Block))
      join(B);
  for (const BlockRef &B : Distinct)
    if (isFiller(*B.Block) && !Used.count(B.Block))
      All.push_back(B); // nobody who is known calls it
}

void JoinedBlocks::join(const BlockRef &From) {
  // What another configuration calls is not what this one does.
  if (From.Block->HandedTo.empty() || From.Unit->isOtherBranch())
    return All.push_back(From);
  RegistrationBlock &Own = Made.emplace_back(*From.Block);
  All.push_back({From.Unit, &Own});
  std::set<const RegistrationBlock *> Seen;
  addFillers(Own, Own, Seen);
}

/// Adds what the functions that \p From is handed to register in \p Into.
void JoinedBlocks::addFillers(RegistrationBlock &Into, const RegistrationBlock &From,
                              std::set<const RegistrationBlock *> &Seen) {
  for (const std::string &Symbol : From.HandedTo) {
    auto Known = Fillers.find(Symbol);
    if (Known == Fillers.end()) {
      Into.Complete = false;
      continue;
    }
    for (const auto &[Unit, Filler] : Known->second) {
      if (!Seen.insert(Filler).second)
        continue;
      Used.insert(Filler);
      RegistrationBlock &Part = Made.emplace_back(*Filler);
      Part.Is = Into.Is;
      Part.Namespace = Into.Namespace;
      Part.Key = Into.Key;
      Part.Stable = Into.Stable;
      // It is a part of that block, and no second one.
      if (Part.Is == RegistrationBlock::Library)
        Part.Is = RegistrationBlock::Fragment;
      All.push_back({Unit, &Part});
      addFillers(Into, *Filler, Seen);
    }
  }
}
