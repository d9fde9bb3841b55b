//===- OutputTree.cpp - Files to be written, all of them or none -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Support/OutputTree.h"
#include "opsig/Support/StagedFiles.h"
#include "llvm/ADT/STLExtras.h"
#include <cassert>

using namespace llvm;

namespace opsig {

void OutputTree::add(StringRef Path, std::string Text) {
  assert(none_of(Files, [&](const File &F) { return F.Path == Path; }) && "planned twice");
  Files.push_back({Path.str(), std::move(Text), std::nullopt});
}

void OutputTree::edit(StringRef Path, StringRef Before, std::string Text) {
  add(Path, std::move(Text));
  Files.back().Before = Before.str();
}

void OutputTree::addKnownNames(ArrayRef<std::string> Names) {
  KnownNames.insert(KnownNames.end(), Names.begin(), Names.end());
}

Expected<unsigned> OutputTree::commit(std::vector<std::string> *Left) const {
  StagedFiles Staged;
  for (const std::string &Name : KnownNames)
    Staged.cleanBeside(Name);
  for (const File &F : Files)
    if (Error E = F.Before ? Staged.edit(F.Path, *F.Before, F.Text, KnownNames)
                           : Staged.stage(F.Path, F.Text))
      return E;
  Expected<unsigned> Changed = Staged.commit();
  if (Left)
    *Left = Staged.left();
  return Changed;
}

} // namespace opsig
