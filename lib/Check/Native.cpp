//===- Native.cpp - kernels of PyTorch itself -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CheckInternal.h"

#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace opsig;
using namespace llvm;

bool opsig::looksMeant(const Match &M) {
  size_t Params = std::max(M.Kernel.Decl->Params.size(), M.Wanted->Signature.Params.size());
  size_t Wrong = count_if(M.Differences,
                          [](const Difference &D) { return D.Is != Difference::ReturnType; });
  return Wrong <= (Params + 1) / 3;
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
    return formatv("Clang reports {0} error{1}, the first one: {2}; what they touch is not compared",
                   Unit.NumErrors, Unit.NumErrors == 1 ? "" : "s", Unit.FirstError);
  std::string Text = "'" + Unit.MissingHeaders.front() + "'";
  if (size_t More = Unit.MissingHeaders.size() - 1)
    Text += formatv(" and {0} more header{1}", More, More == 1 ? "" : "s");
  return Text + (Unit.MissingHeaders.size() == 1 ? " was" : " were") +
         " not found; what needs them is not compared";
}
