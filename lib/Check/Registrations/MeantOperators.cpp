//===- MeantOperators.cpp - Names of kernels that no operator has -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registrations/MeantOperatorsInternal.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

StringRef operatorNamespace(StringRef Op) { return Op.split("::").first; }

/// The arguments that a kernel takes; a leading key set is none.
size_t numArguments(const RegisteredKernel &K) {
  const std::vector<KernelParam> &Params = K.Decl.Params;
  return Params.size() - (!Params.empty() && TypeInference::isKeySet(Params.front().Canonical));
}

} // namespace

bool opsig::hasKnownTypes(const RegisteredKernel &K) {
  return K.hasSignature() && K.Decl.ReturnCanonical.isRead() &&
         all_of(K.Decl.Params, [](const KernelParam &P) { return P.Canonical.isRead(); });
}

OperatorNameIndex &MeantOperators::indexOf(StringRef Namespace) {
  auto [It, New] = Names.try_emplace(Namespace.str());
  std::vector<std::string> &Own = It->second;
  if (New) {
    if (Namespace == "aten")
      for (StringRef Name : Ops.names())
        Own.push_back(("aten::" + Name).str());
    for (const RegisteredOp &Op : Table.Registered.operators())
      if (!Op.Defs.empty() && operatorNamespace(Op.Name) == Namespace)
        Own.push_back(Op.Name);
    std::vector<StringRef> All(Own.begin(), Own.end());
    Indices.emplace(Namespace.str(), OperatorNameIndex(All));
  }
  return Indices.find(Namespace.str())->second;
}

const OperatorSuggestion &MeantOperators::byName(StringRef Op) {
  auto [It, New] = Suggestions.try_emplace(Op.str());
  if (New)
    It->second = indexOf(operatorNamespace(Op)).suggest(Op);
  return It->second;
}

OperatorSuggestion MeantOperators::of(const EntryRef &E) {
  if (!hasKnownTypes(E.Entry->Kernel))
    return byName(E.Op);
  return indexOf(operatorNamespace(E.Op)).suggest(E.Op, [&](StringRef Op) { return fits(E, Op); });
}

bool MeantOperators::fitsNative(const EntryRef &E, const NativeFunction &F) {
  Findings Refused;
  if (E.Entry->Kernel.Interface != KernelInterface::Stable &&
      checkNativeOverride(E, F, *Ops.D, Files, Refused))
    return !Refused.hasErrors();
  return takesKernel(E, {&F.Schema, nullptr, &F}, *Ops.D, Files);
}

bool MeantOperators::fits(const EntryRef &E, StringRef Op) {
  if (const NativeFunction *F = nativeFunction(Op, Ops))
    return fitsNative(E, *F);
  const RegisteredOp *Known = Table.Registered.find(Op);
  return Known && any_of(Known->Defs, [&](const EntryRef *Def) {
           // Of a schema that is inferred only the number of arguments is known here.
           if (!Def->Schema || Def->Schema->NameOnly)
             return Def->Entry->Kernel.Decl.Params.size() == E.Entry->Kernel.Decl.Params.size();
           // Most operators are told apart by the number of their arguments alone.
           if (!Def->Schema->VarArgs && Def->Schema->Args.size() != numArguments(E.Entry->Kernel))
             return false;
           return takesKernel(E, {&*Def->Schema, Def, nullptr}, *Ops.D, Files);
         });
}

std::vector<std::string> MeantOperators::fitting(const EntryRef &E) {
  std::vector<std::string> Out;
  for (const RegisteredOp &Op : Table.Registered.operators())
    if (!Op.Defs.empty() && operatorNamespace(Op.Name) == operatorNamespace(E.Op) &&
        fits(E, Op.Name))
      Out.push_back(Op.Name);
  return Out;
}

bool MeantOperators::isKnownToTorch(StringRef Op) {
  StringRef Base = splitOverload(Op).first;
  return indexOf("aten").hasOperator(("aten::" + Base.split("::").second).str());
}

bool MeantOperators::isFree(StringRef Op, const EntryRef &E) const {
  if (!E.keyKnown())
    return false;
  if (const NativeFunction *F = nativeFunction(Op, Ops))
    if (std::optional<DispatchKey> Key = parseDispatchKey(E.key()); !Key || F->hasKernel(*Key))
      return false;
  const RegisteredOp *Known = Table.Registered.find(Op);
  return !Known || none_of(Known->Kernels, [&](const EntryRef *Other) {
    return !Other->keyKnown() || Other->key() == E.key();
  });
}

std::string MeantOperators::certain(const EntryRef &E, const OperatorSuggestion &Meant,
                                    bool IsOpen) {
  bool IsNative = operatorNamespace(E.Op) == "aten", IsOther = Meant.Is == OperatorSuggestion::Typo;
  if (!Meant || Meant.Is == OperatorSuggestion::Spelling || !hasKnownTypes(E.Entry->Kernel) ||
      IsOpen || (IsOther && (IsNative || isKnownToTorch(E.Op))))
    return "";
  std::vector<std::string> Fitting;
  if (IsOther)
    Fitting = fitting(E);
  else
    copy_if(Meant.Names, std::back_inserter(Fitting),
            [&](const std::string &Op) { return fits(E, Op); });
  bool IsOnly = Fitting.size() == 1 && is_contained(Meant.Names, Fitting.front());
  if (!IsOnly || !isFree(Fitting.front(), E) || isWantedTwice(Fitting.front(), E))
    return "";
  return Fitting.front();
}

bool MeantOperators::isWantedTwice(StringRef Op, const EntryRef &E) {
  StringRef Namespace = operatorNamespace(Op);
  return any_of(Table.Registered.operators(), [&](const RegisteredOp &Other) {
    bool IsKnown = !Other.Defs.empty() || nativeFunction(Other.Name, Ops);
    if (IsKnown || Other.Name == E.Op || operatorNamespace(Other.Name) != Namespace ||
        !is_contained(byName(Other.Name).Names, Op))
      return false;
    return any_of(Other.Kernels,
                  [&](const EntryRef *K) { return K->key() == E.key() && fits(*K, Op); });
  });
}

bool MeantOperators::isCertainTypo(const EntryRef &Def, const RegisteredOp &Op) {
  return !isKnownToTorch(Op.Name) && all_of(Op.Kernels, [&](const EntryRef *E) {
    return hasKnownTypes(E->Entry->Kernel) && fitting(*E) == std::vector{Def.Op};
  });
}
