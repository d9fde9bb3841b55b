//===- SharedKernels.cpp - functions that are registered more than once -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// KernelVerdict* => the same, without edits of a function that another registration proves right,
//   or that its schemas would have otherwise, each
//
// m.impl("b", &a) is a slip of the registration, not of `a`. Where the function that is meant can
// be told, its name is the edit.
//
//===----------------------------------------------------------------------===//
#include "Registrations/RegistrationInternal.h"
#include "opsig/Support/CppName.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

class SharedKernels {
public:
  SharedKernels(MutableArrayRef<KernelVerdict> Verdicts, const Dialect &D, UnitFiles &Files)
      : Verdicts(Verdicts), D(D), Files(Files) {}

  void run();

private:
  void settle(ArrayRef<KernelVerdict *> OfOne);
  const RegisteredKernel *meant(const KernelVerdict &V);
  bool fits(const RegisteredKernel &K, const KernelVerdict &V);
  std::vector<Fix> renaming(const KernelVerdict &V, const RegisteredKernel &Meant);

  MutableArrayRef<KernelVerdict> Verdicts;
  const Dialect &D;
  UnitFiles &Files;
};

bool SharedKernels::fits(const RegisteredKernel &K, const KernelVerdict &V) {
  if (K.Is != RegisteredKernel::Function || K.Interface != V.Entry->Entry->Kernel.Interface)
    return false;
  RegistrationEntry Instead = *V.Entry->Entry;
  Instead.Kernel = K;
  EntryRef E{V.Entry->Unit, V.Entry->Block, &Instead, V.Entry->Schema, V.Entry->Op};
  Findings Said;
  return checkKernelSchema(E, V.Schema, D, Files, Said) && Said.empty();
}

/// The one function of the unit that fits and is called as the operator is.
const RegisteredKernel *SharedKernels::meant(const KernelVerdict &V) {
  StringRef Op = lastCppName(StringRef(V.Entry->Op)).split('.').first;
  std::map<StringRef, const RegisteredKernel *> Exact, Near;
  auto Look = [&](const RegisteredKernel &K) {
    StringRef Name = lastCppName(K.Name);
    if (K.Name == V.Entry->Entry->Kernel.Name || !fits(K, V))
      return;
    if (Name == Op)
      Exact[K.Name] = &K;
    else if (Name.starts_with((Op + "_").str()))
      Near[K.Name] = &K;
  };
  for (const RegisteredKernel &K : V.Entry->Unit->Unused)
    Look(K);
  for (const RegistrationBlock &Block : V.Entry->Unit->Registrations)
    for (const RegistrationEntry &E : Block.Entries)
      Look(E.Kernel);
  const auto &Found = Exact.empty() ? Near : Exact;
  return Found.size() == 1 ? Found.begin()->second : nullptr;
}

/// The name alone, also as an argument of a macro: `&a`, `TORCH_FN(a)`.
std::vector<Fix> SharedKernels::renaming(const KernelVerdict &V, const RegisteredKernel &Meant) {
  const RegisteredKernel &K = V.Entry->Entry->Kernel;
  StringRef Text = Files.text(*V.Entry->Unit, K.Use), Old = lastCppName(K.Name);
  size_t At = findCppName(Text, Old);
  bool Whole =
      At != StringRef::npos && Text.find(Old) == At && Text.find(Old, At + 1) == StringRef::npos;
  StringRef OldScope = StringRef(K.Name).drop_back(Old.size());
  if (!Whole || OldScope != StringRef(Meant.Name).drop_back(lastCppName(Meant.Name).size()))
    return {};
  return {{Files.file(*V.Entry->Unit, K.Use.File), K.Use.Offset + uint32_t(At),
           uint32_t(Old.size()), lastCppName(Meant.Name).str()}};
}

void SharedKernels::settle(ArrayRef<KernelVerdict *> OfOne) {
  auto IsRight = [](const KernelVerdict *V) {
    return none_of(V->Hits, [](const Finding &D) { return D.Severity == Level::Error; });
  };
  auto Right = find_if(OfOne, IsRight);
  std::map<const KernelVerdict *, std::vector<Fix>> Edits; // before any is taken away
  for (const KernelVerdict *V : OfOne)
    for (const Finding &Diag : V->Hits)
      append_range(Edits[V], Diag.Fixes);
  for (KernelVerdict *V : OfOne) {
    if (IsRight(V))
      continue;
    const KernelVerdict *Against = Right != OfOne.end() ? *Right : nullptr;
    if (!Against)
      for (KernelVerdict *Other : OfOne)
        if (Other->Entry->Op != V->Entry->Op && Edits[V] != Edits[Other])
          Against = Other;
    if (!Against)
      continue;
    const RegisteredKernel *Meant = Right != OfOne.end() ? meant(*V) : nullptr;
    Place There = Files.place(*Against->Entry->Unit, Against->Entry->Entry->Kernel.Use);
    std::string Name = kernelName(V->Entry->Entry->Kernel);
    for (Finding &Diag : V->Hits) {
      Diag.Fixes = Meant ? renaming(*V, *Meant) : std::vector<Fix>();
      if (Meant)
        Diag.note(Files.place(*V->Entry->Unit, V->Entry->Entry->Kernel.Use),
                  "did you mean '" + lastCppName(Meant->Name).str() + "'?");
      Diag.note(There, Right != OfOne.end()
                           ? Name + " is not fixed: it is correct for '" + Against->Entry->Op + "'"
                           : Name + " is not fixed: '" + Against->Entry->Op +
                                 "' needs a different signature");
    }
  }
}

/// What stands once for a function, however often it is registered: where it is declared, or, if it
/// is boxed by hand, where it first looks at its stack. Invalid for others.
Span placeOfFunction(const RegisteredKernel &K) {
  if (K.Is == RegisteredKernel::Function && !K.Name.empty() && K.Decl.NameAt != K.Use)
    return K.Decl.NameAt;
  if (!K.Stack.isKnown())
    return {};
  return (K.Stack.Taken.empty() ? K.Stack.Given : K.Stack.Taken).front().At;
}

void SharedKernels::run() {
  // One function may be seen by several units.
  std::map<std::pair<SourceId, uint32_t>, std::vector<KernelVerdict *>> ByFunction;
  for (KernelVerdict &V : Verdicts)
    if (Span At = placeOfFunction(V.Entry->Entry->Kernel); At.isValid())
      ByFunction[{Files.file(*V.Entry->Unit, At.File), At.Offset}].push_back(&V);
  for (auto &[Function, OfOne] : ByFunction)
    if (OfOne.size() > 1)
      settle(OfOne);
}

} // namespace

void opsig::resolveSharedKernels(MutableArrayRef<KernelVerdict> Verdicts, const Dialect &D,
                                 UnitFiles &Files) {
  SharedKernels(Verdicts, D, Files).run();
}
