//===- Native.cpp - kernels of PyTorch itself -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CheckInternal.h"

#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace opsig;
using namespace llvm;

bool opsig::looksMeant(const Match &M) {
  const std::vector<KernelParam> &Got = M.Kernel.Decl->Params;
  const std::vector<Binding> &Want = M.Wanted->Signature.Params;
  size_t Retyped = 0, Elsewise = 0;
  bool SameReturn = true;
  for (const Difference &Diff : M.Differences) {
    if (Diff.Is == Difference::ReturnType)
      SameReturn = false;
    else if (Diff.Is == Difference::ParamType && Got[Diff.Got].Name == Want[Diff.Want].Name)
      ++Retyped;
    else
      ++Elsewise;
  }
  size_t Params = std::max(Got.size(), Want.size());
  // A single parameter proves little, unless the rest agrees.
  if (Params <= 1)
    return Retyped + Elsewise == 0 || (SameReturn && (Elsewise == 0 || Got.empty()));
  // A parameter with the right name speaks only half against it.
  return 2 * Elsewise + Retyped <= 2 * (Params + 1) / 3 && Retyped + Elsewise < Params;
}

void opsig::checkNativeKernels(ArrayRef<WantedKernel> Wanted, ArrayRef<TranslationUnit> Units,
                               const Dialect &D, SourceFiles &Files, Diagnostics &Diags) {
  UnitFiles TheFiles(Units, Files);
  std::map<std::string, std::vector<const WantedKernel *>> ByName;
  for (const WantedKernel &W : Wanted)
    ByName[W.Namespace + "::" + W.Name].push_back(&W);

  for (const TranslationUnit &Unit : Units) {
    std::map<std::string, std::vector<Found>> Decls;
    for (const KernelDecl &K : Unit.Kernels)
      if (!K.Internal && !K.Member && K.InMainFile)
        Decls[K.qualifiedName()].push_back({&Unit, &K});
    for (const auto &[Name, Found] : Decls) {
      auto It = ByName.find(Name);
      if (It == ByName.end())
        continue;
      for (const Match &M : matchKernels(It->second, Found, looksMeant))
        reportMismatch(M, D, TheFiles, Diags);
    }
  }
}

std::string opsig::incompleteParse(const TranslationUnit &Unit) {
  if (Unit.complete())
    return "";
  if (!Unit.Parsed)
    return Unit.FirstError;
  if (Unit.MissingHeaders.empty())
    return formatv(
        "Clang reports {0} error{1}, the first one: {2}; what they touch is not compared",
        Unit.NumErrors, Unit.NumErrors == 1 ? "" : "s", Unit.FirstError);
  const std::string &First = Unit.MissingHeaders.front();
  size_t More = Unit.MissingHeaders.size() - 1;
  if (More == 0)
    return "'" + First + "' was not found; what needs it is not compared";
  return formatv("'{0}' and {1} more header{2} were not found; what needs them is not compared",
                 First, More, More == 1 ? "" : "s");
}
