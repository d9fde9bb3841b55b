//===- StableCode.cpp - slips in sources of the stable ABI ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/StableAbi/StableCode.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/Support/FileSystem.h"

using namespace opsig;
using namespace llvm;

static void reportSlip(const StableSlip &Slip, Place At, Diagnostics &Diags) {
  switch (Slip.Is) {
  case StableSlip::NullStream:
    if (Slip.Text == "<<<")
      Diags.report(diag::StableNullStream, At,
                   "the kernel is launched without a stream, so on the null stream; wanted is the "
                   "current stream of the tensors' device");
    else
      Diags.report(diag::StableNullStream, At,
                   "'{0}' is the null stream; wanted is the current stream of the tensors' device",
                   Slip.Text);
    return;
  case StableSlip::NarrowEnd:
    Diags
        .report(diag::StableNarrowLength, At,
                "'{0}' is where the slice ends; narrow wants its length, '{1}'", Slip.Text,
                Slip.Instead)
        .Hint = Slip.Instead;
    return;
  case StableSlip::UnstableMacro: {
    std::string Instead = Slip.Instead.empty() ? "" : "; there is '" + Slip.Instead + "'";
    Diags
        .report(diag::StableTorchCheck, At,
                "'{0}' is not for code that is compiled for the stable ABI{1}", Slip.Text, Instead)
        .Hint = Slip.Instead;
    return;
  }
  }
}

void opsig::reportSlips(ArrayRef<StableSlip> Slips, StringRef MainFile, SourceFiles &Files,
                        Diagnostics &Diags) {
  for (const StableSlip &Slip : Slips) {
    bool InMain = false;
    if (sys::fs::equivalent(Slip.File, MainFile, InMain))
      InMain = false;
    Expected<FileId> File = Files.open(InMain ? MainFile : StringRef(Slip.File));
    if (!File) {
      consumeError(File.takeError()); // gone since it was read
      continue;
    }
    reportSlip(Slip, Files.placeAt(*File, Slip.Offset, Slip.Length), Diags);
  }
}
