//===- NativeOverride.cpp - kernels registered for PyTorch's own operators ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All kernels of an operator have one C++ type, and libtorch has registered the first of them: the
// dispatcher's signature, with SymInt or without.
//
//===----------------------------------------------------------------------===//
#include "Registered/RegistrationInternal.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

bool opsig::checkNativeOverride(const EntryRef &E, const NativeFunction &F, const Dialect &D,
                                UnitFiles &Files, Diagnostics &Diags) {
  const RegisteredKernel &K = E.Entry->Kernel;
  if (!K.hasSignature())
    return true;
  if (whyNotLowerable(F.Schema, D))
    return false;
  TypeInference Types(E.Unit->Names, K.Interface);
  bool SymKernel =
      any_of(K.Decl.Params, [&](const KernelParam &P) { return Types.isSym(P.Canonical); });

  KernelDecl Decl = withoutKeySet(K.Decl);
  Decl.Name = K.Name.empty() ? "lambda" : K.Name;
  Decl.Editable &= K.Editable;
  if (!Decl.NameAt.isValid())
    Decl.NameAt = K.Use;
  for (KernelParam &P : Decl.Params)
    if (!P.Whole.isValid())
      P.Whole = K.Use;
  std::vector<KernelDecl> Counted;
  std::vector<Found> Others = otherDeclsWithoutKeySet(E, Counted);

  WantedKernel Wanted;
  Wanted.Function = &F;
  Wanted.Key = DispatchKey::Undefined;
  Wanted.Name = Decl.Name;
  Wanted.Signature = dispatcherSignature(F.Schema, Lowering::of(F, D), SymKernel);
  Match M{{E.Unit, &Decl}, &Wanted, {}};
  M.Differences = differences(Wanted.Signature, M.Kernel);
  reportMismatch(M, D, Files, Diags, Others);
  return true;
}
