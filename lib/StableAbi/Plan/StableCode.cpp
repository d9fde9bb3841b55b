//===- StableCode.cpp - slips in sources of the stable ABI ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/StableAbi/StableCode.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/Support/FileSystem.h"

using namespace opsig;
using namespace llvm;

static void reportMisuse(const StableMisuse &Misuse, Place At, Findings &Diags) {
  switch (Misuse.Is) {
  case StableMisuse::NullStream:
    if (Misuse.Text == "<<<")
      Diags.report(finding::StableNullStream, At,
                   "this kernel launch has no stream, so it uses the null stream; pass the current "
                   "stream of the tensors' device");
    else
      Diags.report(finding::StableNullStream, At,
                   "'{0}' is the null stream; pass the current stream of the tensors' device",
                   Misuse.Text);
    return;
  case StableMisuse::NarrowEnd:
    Diags
        .report(finding::StableNarrowLength, At,
                "'{0}' is the end of the slice, but narrow expects the length of the slice, '{1}'",
                Misuse.Text, Misuse.Instead)
        .Hint = Misuse.Instead;
    return;
  case StableMisuse::UnstableMacro: {
    std::string Instead = Misuse.Instead.empty() ? "" : "; use '" + Misuse.Instead + "'";
    Diags
        .report(finding::StableTorchCheck, At, "'{0}' cannot be used in code for the stable ABI{1}",
                Misuse.Text, Instead)
        .Hint = Misuse.Instead;
    return;
  }
  }
}

void opsig::reportMisuses(ArrayRef<StableMisuse> Misuses, StringRef MainFile, SourceFiles &Files,
                          Findings &Diags) {
  for (const StableMisuse &Misuse : Misuses) {
    bool InMain = false;
    if (sys::fs::equivalent(Misuse.File, MainFile, InMain))
      InMain = false;
    Expected<SourceId> File = Files.open(InMain ? MainFile : StringRef(Misuse.File));
    if (!File) {
      consumeError(File.takeError()); // gone since it was read
      continue;
    }
    reportMisuse(Misuse, Files.placeAt(*File, Misuse.Offset, Misuse.Length), Diags);
  }
}
