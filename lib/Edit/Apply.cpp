//===- Apply.cpp - fixes => changed files -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Edit/Apply.h"
#include "opsig/Edit/EditSet.h"

using namespace opsig;
using namespace llvm;

AppliedFixes opsig::applyFixes(ArrayRef<Finding> Hits, const SourceFiles &Files) {
  AppliedFixes Result;
  EditSet Edits(Files);
  for (size_t I = 0; I < Hits.size(); ++I) {
    if (Hits[I].Fixes.empty())
      continue;
    (Edits.take(Hits[I].Fixes) ? Result.Applied : Result.Refused).push_back(I);
  }
  for (const auto &[File, Edit] : Edits.all())
    // Every replacement lies inside of its file and overlaps no other.
    Result.Files.edit(Files.name(File), Files.text(File),
                      cantFail(clang::tooling::applyAllReplacements(Files.text(File), Edit)));
  return Result;
}
