//===- AutogradKeys.cpp - autograd kernels under backend keys, and the reverse ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dispatcher comes to Autograd keys first and to backends last. Backward functions belong to
// the former, what touches memory to the latter.
//
//===----------------------------------------------------------------------===//
#include "Registrations/RegistrationInternal.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

bool isAutogradKey(StringRef Key) { return Key.starts_with("Autograd"); }

/// Every declaration that was read, the definition somewhere among them.
std::vector<Found> declsOf(const EntryRef &E) {
  std::vector<Found> All = otherDecls(E);
  All.insert(All.begin(), {E.Unit, &E.Entry->Kernel.Decl});
  return All;
}

/// Null where no definition has it.
Found withPart(const EntryRef &E, Span KernelDecl::*Part) {
  for (const Found &F : declsOf(E))
    if ((F.Decl->*Part).isValid())
      return F;
  return {};
}

class AutogradKeys {
public:
  AutogradKeys(const RegisteredOp &Op, UnitFiles &Files, Findings &Diags)
      : Op(Op), Files(Files), Diags(Diags) {}

  void run() {
    for (const EntryRef *E : Op.Kernels)
      if (E->keyKnown() && E->Entry->Kernel.hasSignature())
        isBackendKey(E->key()) ? checkBackend(*E) : checkAutograd(*E);
  }

private:
  void checkBackend(const EntryRef &E);
  void checkAutograd(const EntryRef &E);
  const EntryRef *backendTwin(const EntryRef &E) const;

  const RegisteredOp &Op;
  UnitFiles &Files;
  Findings &Diags;
  std::set<std::string> Said; ///< one function, one finding
};

/// Without a kernel for an Autograd key nothing records what comes before, and nobody knows whether
/// a backward function is called. Beside one, the kernel is for inference.
void AutogradKeys::checkBackend(const EntryRef &E) {
  Found Body = withPart(E, &KernelDecl::Applies);
  bool HasAutograd = any_of(Op.Kernels, [](const EntryRef *Other) {
    return !Other->keyKnown() || isAutogradKey(Other->key());
  });
  if (!Body || HasAutograd || !Said.insert(E.Entry->Kernel.Name).second)
    return;
  StringRef Key = E.key();
  Diags
      .report(finding::AutogradKernelKey, Files.place(*E.Unit, E.Entry->Kernel.Use),
              "{0} calls '{1}', but is registered for {2}, whose kernels run after autograd; "
              "register it for Autograd{2}, and register a kernel without autograd for {2}",
              kernelName(E.Entry->Kernel), Files.text(*Body.Unit, Body.Decl->Applies), Key)
      .op(operatorOf(E))
      .note(Files.place(*Body.Unit, Body.Decl->Applies), "called here");
}

/// The kernel of a backend that is the same function.
const EntryRef *AutogradKeys::backendTwin(const EntryRef &E) const {
  const RegisteredKernel &K = E.Entry->Kernel;
  auto Twin = find_if(Op.Kernels, [&](const EntryRef *Other) {
    const RegisteredKernel &O = Other->Entry->Kernel;
    return Other->Unit->isOtherBranch() == E.Unit->isOtherBranch() && Other->keyKnown() &&
           isBackendKey(Other->key()) && !K.Name.empty() && O.Is == RegisteredKernel::Function &&
           O.Name == K.Name && haveSameParams(O.Decl, K.Decl);
  });
  return Twin == Op.Kernels.end() ? nullptr : *Twin;
}

void AutogradKeys::checkAutograd(const EntryRef &E) {
  const RegisteredKernel &K = E.Entry->Kernel;
  if (!isAutogradKey(E.key()) || K.Is != RegisteredKernel::Function ||
      withPart(E, &KernelDecl::Applies))
    return;
  Found Body = withPart(E, &KernelDecl::TakesMemory);
  const EntryRef *Twin = backendTwin(E);
  if (!Body || !Twin || !Said.insert(K.Name).second)
    return;
  Diags
      .report(finding::AutogradKernelKey, Files.place(*E.Unit, K.Use),
              "{0} accesses tensor memory and is registered for both {1} and {2}; as the {2} "
              "kernel, it replaces autograd, so its results have no derivative",
              kernelName(K), Twin->key(), E.key())
      .op(operatorOf(E))
      .note(Files.place(*Twin->Unit, Twin->Entry->At),
            Twin->key().str() + " kernel registered here")
      .note(Files.place(*Body.Unit, Body.Decl->TakesMemory), "memory accessed here");
}

} // namespace

void opsig::checkAutogradKeys(const RegisteredOp &Op, UnitFiles &Files, Findings &Diags) {
  AutogradKeys(Op, Files, Diags).run();
}
