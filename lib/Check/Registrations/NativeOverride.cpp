//===- NativeOverride.cpp - kernels registered for PyTorch's own operators ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All kernels of an operator have one C++ type, and libtorch has registered the first of them: the
// dispatcher's signature, with SymInt or without.
//
//===----------------------------------------------------------------------===//
#include "Registrations/RegistrationInternal.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

bool opsig::checkNativeOverride(const EntryRef &E, const NativeFunction &F, const Dialect &D,
                                UnitFiles &Files, Findings &Diags) {
  const RegisteredKernel &K = E.Entry->Kernel;
  if (!K.hasSignature())
    return true;
  if (whyNotLowerable(F.Schema, D))
    return false;
  TypeInference Types(E.Unit->Names, K.Interface);
  bool SymKernel =
      any_of(K.Decl.Params, [&](const KernelParam &P) { return Types.isSym(P.Canonical); });

  KernelDecl Counted = withoutKeySet(K.Decl);
  Counted.Editable &= K.Editable;
  std::vector<KernelDecl> OthersCounted;
  Signature Want = dispatcherSignature(F.Schema, Lowering::of(F, D), SymKernel);
  Found Kernel{E.Unit, &Counted};
  auto AddNotes = [&](Finding &Diag) {
    addRegistrationNotes(Diag, E, {nullptr, nullptr, &F}, {}, Files);
  };
  ComparedKernel Compared{
      Kernel, kernelName(K), Files.place(*E.Unit, K.Use), otherDeclsWithoutKeySet(E, OthersCounted),
      F,      Want,          differences(Want, Kernel),   AddNotes};
  reportDifferences(Compared, D, Files, Diags);
  reportDefaults(Compared, D, Files, Diags);
  return true;
}
