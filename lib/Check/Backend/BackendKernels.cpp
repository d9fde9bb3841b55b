//===- BackendKernels.cpp - what stands for the kernels of a backend ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// functions of the backend's class (or of a namespace, if no file knows the class), by name
//   => definitions and declarations matched apart
//
//===----------------------------------------------------------------------===//
#include "Backend/BackendInternal.h"

#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace opsig;
using namespace llvm;

static void takeFunctions(BackendKernels &Class, ArrayRef<UnitFacts> Units, bool Members) {
  for (const UnitFacts &Unit : Units)
    for (const KernelDecl &K : Unit.Kernels)
      if (K.Member == Members && !K.Internal && K.Scope == Class.Scope)
        Class.Decls[K.Name].push_back({&Unit, &K});
}

/// The functions of namespace \p Scope, if one of them is called as a kernel is; other functions of
/// a namespace are nobody's business.
static bool takeNamespace(BackendKernels &Class, ArrayRef<UnitFacts> Units,
                          const std::string &Scope) {
  Class.Scope = Scope;
  takeFunctions(Class, Units, /*Members=*/false);
  Class.IsNamespace = any_of(
      Class.Expected, [&](const ExpectedKernel *W) { return Class.Decls.count(W->Name) != 0; });
  if (!Class.IsNamespace) {
    Class.Decls.clear();
    Class.Scope = Class.Class;
  }
  return Class.IsNamespace;
}

static void collect(BackendKernels &Class, ArrayRef<UnitFacts> Units, UnitFiles &Files) {
  Class.Scope = Class.Class;
  takeFunctions(Class, Units, /*Members=*/true);
  if (Class.Decls.empty() && !isClassThere(Class.Class, Units)) {
    Class.Misnamed = findMisnamedClass(Class, Units);
    if (Class.Misnamed.empty() && !takeNamespace(Class, Units, Class.Class))
      takeNamespace(Class, Units, Class.Namespace);
  }
  // A header is read once for each file that includes it.
  for (auto &[Name, Decls] : Class.Decls) {
    std::set<std::pair<SourceId, uint32_t>> Seen;
    erase_if(Decls, [&](const Found &F) {
      Span At = F.Decl->NameAt;
      return !Seen.insert({Files.file(*F.Unit, At.File), At.Offset}).second;
    });
  }
}

bool opsig::isClassThere(StringRef Name, ArrayRef<UnitFacts> Units) {
  return any_of(Units, [&](const UnitFacts &Unit) {
    return any_of(Unit.Scopes, [&](const KernelScope &S) { return S.IsClass && S.Name == Name; });
  });
}

bool opsig::mayExistUnread(StringRef Name, ArrayRef<UnitFacts> Units) {
  return any_of(Units, [&](const UnitFacts &Unit) {
    return !Unit.Parsed || binary_search(Unit.Mentioned, Name);
  });
}

/// Declarations and definitions are matched apart: each kernel may have one of both.
static void match(BackendKernels &Class) {
  std::map<std::string, std::vector<const ExpectedKernel *>> ByName;
  for (const ExpectedKernel *W : Class.Expected)
    ByName[W->Name].push_back(W);
  // What differs may be an overload that the YAML lists in an item with an error.
  auto IsNear = [&](const Match &M) {
    bool IsUnclear = any_of(
        Class.Unread, [&](const UnreadItems *Unread) { return Unread->names(M.Expected->Name); });
    return (!Class.IsNamespace || looksMeant(M)) && !IsUnclear;
  };
  for (const auto &[Name, Expected] : ByName) {
    std::vector<Found> Definitions, Declarations;
    auto Decls = Class.Decls.find(Name);
    if (Decls == Class.Decls.end())
      continue;
    for (const Found &F : Decls->second)
      (F.Decl->Definition ? Definitions : Declarations).push_back(F);
    append_range(Class.Definitions, matchKernels(Expected, Definitions, IsNear));
    append_range(Class.Declarations, matchKernels(Expected, Declarations, IsNear));
  }
}

std::vector<BackendKernels> opsig::findBackendKernels(ArrayRef<ExpectedKernel> Expected,
                                                      ArrayRef<UnitFacts> Units, UnitFiles &Files) {
  std::map<std::string, BackendKernels> Classes;
  for (const ExpectedKernel &W : Expected) {
    BackendKernels &Class = Classes[W.Class];
    Class.Class = W.Class;
    Class.Namespace = W.Namespace;
    Class.Expected.push_back(&W);
    if (W.Unread && !W.Unread->Texts.empty())
      Class.Unread.insert(W.Unread);
  }
  std::vector<BackendKernels> Out;
  for (auto &[Name, Class] : Classes) {
    collect(Class, Units, Files);
    match(Class);
    // Without any class the kernels may be in files that were not given.
    if (!Class.Decls.empty() || !Class.Misnamed.empty())
      if (!Class.IsNamespace)
        Class.Free = findFreeKernels(Class, Units);
    Out.push_back(std::move(Class));
  }
  return Out;
}
