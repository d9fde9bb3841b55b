//===- BackendAutograd.cpp - backend kernels that autograd does not look through ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dispatcher serves an Autograd key by the CompositeImplicitAutograd kernel only where the
// backend has no kernel of its own. With one it falls through to that, and records what that calls.
//
//===----------------------------------------------------------------------===//
#include "Registrations/RegistrationInternal.h"
#include "opsig/Check/Check.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

bool opsig::mayHaveDerivative(const FunctionSchema &Schema) {
  return !Schema.isOut() && Schema.Args.hasTensorArg() &&
         any_of(Schema.Returns, [](const Return &R) { return R.Ty.isTensorLike(); });
}

bool opsig::mayRecordDerivative(const FunctionSchema &Schema) {
  auto IsWritten = [](const Argument &A) { return A.isWrite(); };
  auto IsOfTensors = [](const Argument &A) { return StringRef(A.Ty.str()).contains("Tensor"); };
  return takesTensors(Schema) && (Schema.VarReturns || any_of(Schema.Returns, IsOfTensors) ||
                                  any_of(Schema.Args.All, IsWritten));
}

void opsig::checkBackendAutograd(ArrayRef<ExternalBackend> Backends, Findings &Diags) {
  for (const ExternalBackend &Backend : Backends) {
    for (const BackendOp &Op : Backend.Supported) {
      const NativeFunction &F = *Op.Function;
      if (!F.hasKernel(DispatchKey::CompositeImplicitAutograd) || !mayHaveDerivative(F.Schema))
        continue;
      Diags
          .report(finding::BackendLostAutograd, Op.At,
                  "the {1} kernel of '{0}' replaces its CompositeImplicitAutograd kernel, so '{0}' "
                  "may lose its derivative; list '{0}' under 'autograd' and define its derivative",
                  F.Schema.Name.str(), Backend.Backend)
          .op(F.Schema.Name.str())
          .note(F.SchemaText.At, F.SchemaText.Text.str());
    }
  }
}
