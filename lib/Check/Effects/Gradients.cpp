//===- Gradients.cpp - what backward functions return -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PyTorch wants one value for each argument of forward(), and throws where there are more or fewer;
// undefined tensors behind those that it wants it ignores.
//
//===----------------------------------------------------------------------===//
#include "Effects/EffectsInternal.h"
#include "opsig/Frontend/DispatcherCall.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/Support/FormatVariadic.h"

using namespace opsig;
using namespace llvm;

static std::string counted(uint32_t N, StringRef What) {
  return formatv("{0} {1}{2}", N, What, N == 1 ? "" : "s");
}

void opsig::checkGradients(ArrayRef<UnitFacts> Units, UnitFiles &Files, Findings &Diags) {
  for (const UnitFacts &Unit : Units)
    for (const AutogradFunction &F : Unit.Functions)
      for (const GradientReturn &R : F.Returns) {
        bool TooFew = R.Count<F.FewestArgs, TooMany = R.LastDefined> F.NumArgs;
        if (!TooFew && !TooMany)
          continue;
        StringRef Help = TooFew ? "; return one gradient per argument, and 'at::Tensor()' for an "
                                  "argument without a gradient"
                                : "; additional values must be undefined tensors";
        Diags
            .report(finding::GradientCount, Files.place(Unit, R.At),
                    "'{0}::backward' returns {1}, but 'forward' takes {2} after the context{3}",
                    F.Name, counted(R.Count, "gradient"),
                    counted(TooFew ? F.FewestArgs : F.NumArgs, "argument"), Help)
            .note(Files.place(Unit, F.ForwardAt), "'forward' declared here");
      }
}
