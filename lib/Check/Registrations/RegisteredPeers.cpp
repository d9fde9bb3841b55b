//===- RegisteredPeers.cpp - kernels of one operator against each other ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registrations/RegistrationInternal.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

/// The types that have to be equal: returns, then parameters without a leading DispatchKeySet.
std::vector<CppType> signatureOf(const RegisteredKernel &K) {
  std::vector<CppType> Out = {K.Decl.ReturnCanonical};
  for (const KernelParam &P : K.Decl.Params)
    if (&P != &K.Decl.Params.front() || !TypeInference::isKeySet(P.Canonical))
      Out.push_back(P.Canonical);
  return Out;
}

bool isSymKernel(const EntryRef &E) {
  TypeInference Types(E.Unit->Names, E.Entry->Kernel.Interface);
  return any_of(E.Entry->Kernel.Decl.Params,
                [&](const KernelParam &P) { return Types.isSym(P.Canonical); });
}

void reportOther(const EntryRef &E, const EntryRef &First, UnitFiles &Files, Findings &Diags) {
  const RegisteredKernel &K = E.Entry->Kernel, &F = First.Entry->Kernel;
  std::vector<CppType> Got = signatureOf(K), Want = signatureOf(F);
  size_t Skip = K.Decl.Params.size() - (Got.size() - 1);
  size_t SkipFirst = F.Decl.Params.size() - (Want.size() - 1);
  auto Finish = [&](Finding &Diag, Span There) {
    Diag.op(operatorOf(E));
    addRegistrationNotes(Diag, E, {}, {}, Files);
    Diag.note(kernelPlace(First, There, Files), "first kernel registered here");
  };
  for (size_t I = 0; I < std::min(Got.size(), Want.size()); ++I) {
    if (Got[I] == Want[I] || Got.size() != Want.size())
      continue;
    if (I == 0) {
      Finding &Diag =
          Diags.report(finding::RegisteredKernelsDiffer, kernelPlace(E, returnSpan(K), Files),
                       "{0} returns '{1}'; the first kernel of '{2}' returns '{3}', but all "
                       "kernels of an operator must have the same type",
                       kernelName(K), K.Decl.ReturnText, E.Op, F.Decl.ReturnText);
      Finish(Diag, returnSpan(F));
      continue;
    }
    const KernelParam &P = K.Decl.Params[I - 1 + Skip];
    const KernelParam &Q = F.Decl.Params[I - 1 + SkipFirst];
    Finding &Diag =
        Diags.report(finding::RegisteredKernelsDiffer, kernelPlace(E, typeSpan(P), Files),
                     "parameter {0} of {1} is '{2}'; the first kernel of '{3}' has '{4}', but all "
                     "kernels of an operator must have the same type",
                     paramName(P, I - 1 + Skip), kernelName(K), P.TypeText, E.Op, Q.TypeText);
    Diag.Hint = Q.TypeText;
    Finish(Diag, typeSpan(Q));
    CppType To = asWritten(Q.Canonical, {First.Unit, &F.Decl}, Files);
    if (To.isRead())
      retypeEverywhere(editableDecls(E), I - 1 + Skip, To, Files).addTo(Diag);
  }
}

} // namespace

bool opsig::haveSameNames(const TypeNames &L, const TypeNames &R) {
  return L.Bases == R.Bases && L.Templates == R.Templates;
}

void opsig::checkKernelsAgree(ArrayRef<const EntryRef *> Kernels, const Programs &In,
                              UnitFiles &Files, Findings &Diags) {
  // Kernels of SymInts and others are kept apart, and so are those of different programs.
  std::vector<const EntryRef *> FirstOf[2];
  for (const EntryRef *E : Kernels) {
    const RegisteredKernel &K = E->Entry->Kernel;
    // The dispatcher knows nothing of types behind the stable ABI.
    if (!K.hasSignature() || K.Interface == KernelInterface::Stable)
      continue;
    std::vector<CppType> Own = signatureOf(K);
    if (!all_of(Own, [](const CppType &T) { return T.isRead(); }))
      continue;
    std::vector<const EntryRef *> &Firsts = FirstOf[isSymKernel(*E)];
    auto Other = find_if(
        Firsts, [&](const EntryRef *First) { return In.areTogether(First->from(), E->from()); });
    if (Other == Firsts.end()) {
      Firsts.push_back(E);
      continue;
    }
    const EntryRef *First = *Other;
    std::vector<CppType> Want = signatureOf(First->Entry->Kernel);
    // Another number of parameters does not fit the schema either, which is reported.
    if (haveSameNames(E->Unit->Names, First->Unit->Names) && Own.size() == Want.size() &&
        Own != Want)
      reportOther(*E, *First, Files, Diags);
  }
}
