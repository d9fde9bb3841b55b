//===- KeptAnswers.cpp - What other programs said of texts ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Cache/CacheInternal.h"
#include "opsig/Frontend/ReadingCache.h"

using namespace opsig;
using namespace llvm;

struct KeptAnswers::Impl {
  CacheFolder Folder;
  std::string Kind, Common;

  std::string nameOf(ArrayRef<StringRef> About) const {
    KeyMaker Key;
    Key.add(Common);
    for (StringRef Part : About)
      Key.add(Part);
    return Kind + "-" + Key.key();
  }
};

KeptAnswers::KeptAnswers(const CachePlace &Place, std::string Kind, ArrayRef<std::string> Common)
    : TheImpl(new Impl{CacheFolder(Place.Folder, Place.IsReadOnly), std::move(Kind), ""}) {
  KeyMaker Key;
  Key.add(Place.Opsig);
  for (const std::string &Part : Common)
    Key.add(Part);
  TheImpl->Common = Key.key();
}

KeptAnswers::~KeptAnswers() = default;

std::optional<std::string> KeptAnswers::find(ArrayRef<StringRef> About) const {
  if (!TheImpl->Folder.isOpen())
    return std::nullopt;
  std::unique_ptr<MemoryBuffer> Entry = TheImpl->Folder.get(TheImpl->nameOf(About));
  return Entry ? std::optional(CacheFolder::textOf(*Entry).str()) : std::nullopt;
}

void KeptAnswers::keep(ArrayRef<StringRef> About, StringRef Answer) const {
  if (TheImpl->Folder.isOpen())
    TheImpl->Folder.put(TheImpl->nameOf(About), Answer);
}
