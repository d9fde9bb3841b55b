//===- ReadNamespaces.cpp - of which namespaces all was read ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registrations/RegistrationInternal.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace llvm;

ReadNamespaces::ReadNamespaces(ArrayRef<UnitFacts> Units, ArrayRef<BlockRef> Blocks) {
  for (const UnitFacts &Unit : Units) {
    if (Unit.complete())
      continue;
    AnyLacks |= !Unit.Parsed || Unit.Reach.Anywhere;
    Lacking.insert(Unit.Reach.Namespaces.begin(), Unit.Reach.Namespaces.end());
  }
  for (const auto &[Unit, Block] : Blocks) {
    // What is missing of them is no part of this build.
    if (Unit->isOtherBranch())
      continue;
    // Of RegisterOperators each string has a namespace of its own.
    if (Block->Is == RegistrationBlock::Unknown)
      addUnknown(*Block);
    else if (Block->Is == RegistrationBlock::Legacy && !Block->Complete)
      AnyLacks = true;
    else if (!Block->Complete)
      Lacking.insert(Block->Namespace);
  }
}

/// Who calls a function that fills a block is not known.
void ReadNamespaces::addUnknown(const RegistrationBlock &Block) {
  AnyLacks |= !Block.Complete;
  for (const RegistrationEntry &Entry : Block.Entries) {
    StringRef Name = writtenName(Entry);
    AnyLacks |= !Entry.TextKnown && Entry.Is != RegistrationEntry::Fallback;
    if (Entry.TextKnown && !Name.contains("::"))
      LackingNames.insert(Name.split('.').first.str());
  }
}

bool ReadNamespaces::isWholeFor(StringRef Op) const {
  auto [Namespace, Name] = Op.split("::");
  return !AnyLacks && !Lacking.count(Namespace.str()) &&
         !LackingNames.count(Name.split('.').first.str());
}

std::string opsig::incompleteTable(ArrayRef<UnitFacts> Units) {
  size_t Partial = 0;
  bool Registers = false, Anywhere = false, MayRegister = false;
  std::set<std::string> Names;
  for (const UnitFacts &Unit : Units) {
    Registers |= !Unit.Registrations.empty();
    if (Unit.complete())
      continue;
    bool OfAny = !Unit.Parsed || Unit.Reach.Anywhere;
    // As many as the summary of a run counts, whether they register something or not.
    ++Partial;
    MayRegister |= OfAny || !Unit.Reach.Namespaces.empty();
    Anywhere |= OfAny;
    Names.insert(Unit.Reach.Namespaces.begin(), Unit.Reach.Namespaces.end());
  }
  if (!MayRegister || !Registers)
    return "";
  std::string Which = Anywhere ? "" : " of operators in namespace '" + join(Names, "', '") + "'";
  return formatv("{0} of {1} files {2} not read completely, so missing kernels and schemas{3} are "
                 "not reported",
                 Partial, Units.size(), Partial == 1 ? "was" : "were", Which);
}
