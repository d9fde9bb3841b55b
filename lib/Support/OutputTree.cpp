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
  Files.push_back({Path.str(), std::move(Text)});
}

Expected<unsigned> OutputTree::commit() const {
  StagedFiles Staged;
  for (const File &F : Files)
    if (Error E = Staged.stage(F.Path, F.Text))
      return E;
  return Staged.commit();
}

} // namespace opsig
