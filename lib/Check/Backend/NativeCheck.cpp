//===- NativeCheck.cpp - kernels of PyTorch itself -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Backend/BackendInternal.h"
#include "opsig/Check/Comparison.h"
#include "opsig/Frontend/FlagErrors.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/FindingIds.h"
#include "opsig/Workspace/InputFiles.h"

#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace opsig;
using namespace llvm;

/// The found parameters have the wanted types, in whatever order.
static bool hasTypesOf(const Match &M) {
  const TypeNames &Names = M.Kernel.Unit->Names;
  std::vector<std::string> Want, Got;
  for (const Binding &B : M.Expected->Signature.Params)
    Want.push_back(Names.canonical(B.Type.Ty).str());
  for (const KernelParam &P : M.Kernel.Decl->Params)
    Got.push_back(P.Canonical.str());
  llvm::sort(Want);
  llvm::sort(Got);
  return Want == Got && !is_contained(Want, "");
}

/// The found parameters have the wanted names, in whatever order.
static bool hasNamesOf(const Match &M) {
  std::vector<StringRef> Want, Got;
  for (const Binding &B : M.Expected->Signature.Params)
    Want.push_back(B.Name);
  for (const KernelParam &P : M.Kernel.Decl->Params)
    Got.push_back(P.Name);
  llvm::sort(Want);
  llvm::sort(Got);
  return Want == Got;
}

bool opsig::looksMeant(const Match &M) {
  const std::vector<KernelParam> &Got = M.Kernel.Decl->Params;
  const std::vector<Binding> &Want = M.Expected->Signature.Params;
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
  // One fault by itself, or parameters that are all there.
  if (Retyped + Elsewise + !SameReturn == 1 || hasTypesOf(M))
    return true;
  size_t Params = std::max(Got.size(), Want.size());
  if (Params <= 1)
    return false;
  if (SameReturn && hasNamesOf(M))
    return true;
  // A parameter with the right name speaks only half against it.
  return 2 * Elsewise + Retyped <= 2 * (Params + 1) / 3 && Retyped + Elsewise < Params;
}

/// Each function once, by its definition if it has one: what is said of that, and its fixes, are
/// about the others, too.
static std::vector<Found> withoutRedeclarations(ArrayRef<Found> All) {
  std::vector<Found> Out;
  for (bool Definition : {true, false})
    for (const Found &F : All) {
      auto IsSame = [&](const Found &Other) {
        uint32_t Index = Other.Decl - F.Unit->Kernels.data();
        return is_contained(F.Decl->Redeclarations, Index);
      };
      if (F.Decl->Definition == Definition && none_of(Out, IsSame))
        Out.push_back(F);
    }
  return Out;
}

/// A function that is what the YAML would have to call `f_symint`, to the letter, where it calls
/// the kernel `f`: the operator is served by `f`, and nothing reaches this one.
static void reportUnnamedSymInt(const Found &F, ArrayRef<const ExpectedKernel *> WithoutSuffix,
                                const Dialect &D, UnitFiles &Files, Findings &Diags) {
  // A type that could not be read may be any.
  if (any_of(F.Decl->Params, [](const KernelParam &P) { return !P.Canonical.isRead(); }))
    return;
  for (const ExpectedKernel *W : WithoutSuffix) {
    const NativeFunction &Function = *W->Function;
    if (!Function.hasSymInt(D) || !F.Decl->Definition)
      continue;
    Signature Expected =
        nativeSignature(Function.Schema, Lowering::of(Function, D), /*SymInt=*/true);
    if (!differences(Expected, F).empty())
      continue;
    Finding &Diag = Diags.report(finding::UnknownKernel, Files.place(*F.Unit, F.Decl->NameAt),
                                 "no YAML entry lists the kernel '{0}'; the entry of '{1}' lists "
                                 "'{2}', which takes int64_t instead of SymInt",
                                 F.Decl->Name, Function.Schema.Name.str(), W->Name);
    Diag.op(Function.Schema.Name.str());
    addSchemaNotes(Diag, *W);
    return;
  }
}

void opsig::checkNativeKernels(ArrayRef<ExpectedKernel> Expected, ArrayRef<UnitFacts> Units,
                               const Dialect &D, SourceFiles &Files, Comparison &Done,
                               Findings &Diags) {
  UnitFiles TheFiles(Units, Files);
  std::map<std::string, std::vector<const ExpectedKernel *>> ByName;
  for (const ExpectedKernel &W : Expected)
    ByName[W.Namespace + "::" + W.Name].push_back(&W);

  for (const UnitFacts &Unit : Units) {
    std::map<std::string, std::vector<Found>> Decls;
    for (const KernelDecl &K : Unit.Kernels)
      if (!K.Internal && !K.Member && K.InMainFile)
        Decls[K.qualifiedName()].push_back({&Unit, &K});
    for (const auto &[Name, Found] : Decls) {
      auto It = ByName.find(Name);
      if (It == ByName.end()) {
        StringRef Stem = Name;
        if (auto Known = ByName.find(Stem.consume_back("_symint") ? Stem.str() : "");
            Known != ByName.end())
          for (const opsig::Found &F : Found)
            reportUnnamedSymInt(F, Known->second, D, TheFiles, Diags);
        continue;
      }
      for (const Match &M : matchKernels(It->second, withoutRedeclarations(Found), looksMeant)) {
        countCompared(M, Done);
        reportMismatch(M, D, TheFiles, Diags);
      }
    }
  }
}

/// What to do about the first error: what replaces std::optional where the headers have a class of
/// their own and do not even include <optional>; where options of opsig belong.
static std::string adviceFor(const UnitFacts &Unit) {
  StringRef Error = Unit.FirstError;
  if (isFlagError(Error))
    return "; " + flagAdvice(Error);
  bool IsUnknown = Error.contains("'optional' in namespace 'std'");
  return IsUnknown && Unit.Names.Templates[unsigned(CppTemplate::Optional)] == "c10::optional"
             ? "; use 'c10::optional' with this PyTorch release"
             : "";
}

std::string opsig::incompleteParse(const UnitFacts &Unit) {
  if (Unit.complete())
    return "";
  if (!Unit.Parsed)
    return Unit.FirstError;
  if (isPython(Unit.MainFile))
    return Unit.FirstError + "; registrations in this file were not checked";
  if (Unit.MissingHeaders.empty()) {
    // Not "error:", by which other programs find findings.
    std::string What = Unit.NumErrors == 1
                           ? "an error (" + Unit.FirstError + ")"
                           : counted(Unit.NumErrors, "error") + ", first: " + Unit.FirstError;
    return formatv("Clang reports {0}; code affected by {1} is not compared with the schemas{2}",
                   What, Unit.NumErrors == 1 ? "it" : "them", adviceFor(Unit));
  }
  const std::string &First = Unit.MissingHeaders.front();
  size_t More = Unit.MissingHeaders.size() - 1;
  if (More == 0)
    return "'" + First + "' was not found; code that needs it is not compared with the schemas";
  return formatv("'{0}' and {1} more header{2} were not found; code that needs them is not "
                 "compared with the schemas",
                 First, More, More == 1 ? "" : "s");
}
