//===- Backend.cpp - kernels of out-of-tree backends ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// functions of the backend's class (or namespace, if no file knows the class), by name
//   => definitions and declarations matched apart => mismatches, missing and unknown kernels
//
//===----------------------------------------------------------------------===//
#include "CheckInternal.h"

#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace opsig;
using namespace llvm;

namespace {

/// The kernels of one class, and what stands in the files for them.
struct BackendClass {
  std::string Name;
  std::string Namespace;
  std::map<std::string, std::vector<const WantedKernel *>> Wanted; ///< by kernel name
  std::map<std::string, std::vector<Found>> Decls;                 ///< by function name
  /// No file has a member of the class: kernels are functions of its namespace.
  bool IsNamespace = false;
};

class BackendChecker {
public:
  BackendChecker(BackendClass &Class, ArrayRef<TranslationUnit> Units, Extent Of, const Dialect &D,
                 UnitFiles &Files, Diagnostics &Diags)
      : Class(Class), Units(Units), Of(Of), D(D), Files(Files), Diags(Diags) {}

  void run();

private:
  void collect();
  void check(const std::string &Name, ArrayRef<const WantedKernel *> Wanted);
  bool mayExistUnread(StringRef Name) const;
  void reportMissing(const WantedKernel &Wanted);
  void reportUnknown(const std::string &Name, ArrayRef<Found> Decls);
  /// "; did you mean 'add_out'?": a kernel of a similar name, or a missing one of the same
  /// signature.
  std::string whatIsMeant(const Found &F) const;

  BackendClass &Class;
  ArrayRef<TranslationUnit> Units;
  Extent Of;
  const Dialect &D;
  UnitFiles &Files;
  Diagnostics &Diags;
  /// Some file defines a function of the class, so that a mere declaration is not a kernel.
  bool HasDefinitions = false;
  std::vector<const WantedKernel *> Missing;
};

void BackendChecker::collect() {
  auto take = [&](const TranslationUnit &Unit, bool Members) {
    for (const KernelDecl &K : Unit.Kernels)
      if (K.Member == Members && !K.Internal && K.Scope == (Members ? Class.Name : Class.Namespace))
        Class.Decls[K.Name].push_back({&Unit, &K});
  };
  for (const TranslationUnit &Unit : Units)
    take(Unit, /*Members=*/true);
  Class.IsNamespace = Class.Decls.empty();
  if (Class.IsNamespace)
    for (const TranslationUnit &Unit : Units)
      take(Unit, /*Members=*/false);

  // A header is read once for each file that includes it.
  for (auto &[Name, Decls] : Class.Decls) {
    std::set<std::pair<FileId, uint32_t>> Seen;
    erase_if(Decls, [&](const Found &F) {
      Span At = F.Decl->NameAt;
      return !Seen.insert({Files.file(*F.Unit, At.File), At.Offset}).second;
    });
    HasDefinitions |= any_of(Decls, [](const Found &F) { return F.Decl->Definition; });
  }
}

/// A file that could not be read completely mentions the name.
bool BackendChecker::mayExistUnread(StringRef Name) const {
  return any_of(Units, [&](const TranslationUnit &Unit) {
    return !Unit.Parsed || binary_search(Unit.Mentioned, Name);
  });
}

void BackendChecker::reportMissing(const WantedKernel &W) {
  Missing.push_back(&W);
  std::string Qualified = Class.IsNamespace ? W.Namespace + "::" + W.Name : W.Class + "::" + W.Name;
  Diagnostic &Diag =
      Diags.report(diag::MissingKernel, W.At, "'{0}' needs a kernel '{1}', which no file defines",
                   W.Function->Schema.Name.str(), Qualified);
  Diag.op(W.Function->Schema.Name.str());
  Diag.Hint = (Class.IsNamespace ? "" : "static ") + W.Signature.defn(D, W.Name);
  addSchemaNotes(Diag, W);
}

void BackendChecker::check(const std::string &Name, ArrayRef<const WantedKernel *> Wanted) {
  // Declarations and definitions are matched apart: each kernel may have one of both.
  std::vector<Found> Definitions, Declarations;
  for (const Found &F : Class.Decls[Name])
    (F.Decl->Definition ? Definitions : Declarations).push_back(F);
  auto isNear = [&](const Match &M) { return !Class.IsNamespace || looksMeant(M); };
  std::set<const WantedKernel *> Served;
  for (ArrayRef<Found> Decls : {ArrayRef(Definitions), ArrayRef(Declarations)})
    for (const Match &M : matchKernels(Wanted, Decls, isNear)) {
      if (M.Kernel.Decl->Definition || !HasDefinitions)
        Served.insert(M.Wanted);
      reportMismatch(M, D, Files, Diags);
    }
  for (const WantedKernel *W : Wanted)
    if (Of == Extent::Project && !Served.count(W) && !W->Generated && !mayExistUnread(Name))
      reportMissing(*W);
}

/// Takes or returns a tensor, as every kernel does.
bool handlesTensors(const Found &F) {
  const std::string &Tensor = F.Unit->Names.Bases[unsigned(CppBase::Tensor)];
  if (Tensor.empty())
    return false;
  return StringRef(F.Decl->ReturnCanonical).contains(Tensor) ||
         any_of(F.Decl->Params,
                [&](const KernelParam &P) { return StringRef(P.Canonical).contains(Tensor); });
}

std::string BackendChecker::whatIsMeant(const Found &F) const {
  std::vector<StringRef> Names;
  for (const auto &[KernelName, Wanted] : Class.Wanted)
    Names.push_back(KernelName);
  std::string Similar = didYouMean(F.Decl->Name, Names);
  if (!Similar.empty())
    return Similar;
  std::vector<const WantedKernel *> Same;
  copy_if(Missing, std::back_inserter(Same), [&](const WantedKernel *W) {
    return StringRef(W->Name).starts_with(F.Decl->Name) && differences(W->Signature, F).empty();
  });
  return Same.size() == 1 ? "; did you mean '" + Same.front()->Name + "'?" : "";
}

void BackendChecker::reportUnknown(const std::string &Name, ArrayRef<Found> Decls) {
  for (const Found &F : Decls) {
    // The declaration of a definition that is reported itself says nothing new.
    bool Defined = any_of(Decls, [](const Found &Other) { return Other.Decl->Definition; });
    if (!handlesTensors(F) || (Defined && !F.Decl->Definition))
      continue;
    Diags.report(diag::UnknownKernel, Files.place(*F.Unit, F.Decl->NameAt),
                 "'{0}' is the kernel of no operator that the backend supports{1}", Name,
                 whatIsMeant(F));
  }
}

void BackendChecker::run() {
  collect();
  for (const auto &[Name, Wanted] : Class.Wanted)
    check(Name, Wanted);
  if (Class.IsNamespace)
    return; // a namespace holds anything
  for (const auto &[Name, Decls] : Class.Decls)
    if (!Class.Wanted.count(Name))
      reportUnknown(Name, Decls);
}

} // namespace

void opsig::checkBackendKernels(ArrayRef<WantedKernel> Wanted, ArrayRef<TranslationUnit> Units,
                                Extent Of, const Dialect &D, SourceFiles &Files,
                                Diagnostics &Diags) {
  UnitFiles TheFiles(Units, Files);
  std::map<std::string, BackendClass> Classes;
  for (const WantedKernel &W : Wanted) {
    BackendClass &Class = Classes[W.Class];
    Class.Name = W.Class;
    Class.Namespace = W.Namespace;
    Class.Wanted[W.Name].push_back(&W);
  }
  for (auto &[Name, Class] : Classes)
    BackendChecker(Class, Units, Of, D, TheFiles, Diags).run();
}
