//===- EditSet.cpp - edits of several files that do not conflict ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Edit/EditSet.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace opsig;
using namespace llvm;
using clang::tooling::Replacement;
using clang::tooling::Replacements;

SourceId EditSet::firstNameOf(SourceId File) {
  sys::fs::UniqueID OnDisk;
  if (File == SourceId::None || sys::fs::getUniqueID(Files.name(File), OnDisk))
    return File;
  return FirstNames.try_emplace(OnDisk, File).first->second;
}

/// What fails has changed nothing: no copy is needed to take it back.
bool EditSet::takeOne(Fix F) {
  F.File = firstNameOf(F.File);
  if (F.File == SourceId::None || F.Offset + uint64_t(F.Length) > Files.text(F.File).size())
    return false;
  FixesAt &Known = Taken[F.File];
  if (Known.has(F))
    return true;
  auto [At, New] = Edits.try_emplace(F.File);
  if (Error E = At->second.add(Replacement(Files.name(F.File), F.Offset, F.Length, F.Text))) {
    consumeError(std::move(E));
    if (New)
      Edits.pop_back();
    return false;
  }
  Known.add(F);
  return true;
}

bool EditSet::take(ArrayRef<Fix> Fixes) {
  if (Fixes.size() == 1)
    return takeOne(Fixes.front());
  std::map<SourceId, std::pair<Replacements, FixesAt>> Changed;
  for (Fix F : Fixes) {
    // A file with two names is edited once.
    F.File = firstNameOf(F.File);
    if (F.File == SourceId::None || F.Offset + uint64_t(F.Length) > Files.text(F.File).size())
      return false;
    auto [It, New] = Changed.try_emplace(F.File);
    auto &[Edit, Known] = It->second;
    if (New) {
      Edit = Edits.lookup(F.File);
      Known = Taken.lookup(F.File);
    }
    if (Known.has(F))
      continue;
    if (Error E = Edit.add(Replacement(Files.name(F.File), F.Offset, F.Length, F.Text))) {
      consumeError(std::move(E));
      return false;
    }
    Known.add(F);
  }
  for (auto &[File, Now] : Changed) {
    Edits[File] = std::move(Now.first);
    Taken[File] = std::move(Now.second);
  }
  return true;
}
