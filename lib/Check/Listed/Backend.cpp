//===- Backend.cpp - kernels of out-of-tree backends ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// BackendKernels => mismatches; missing, undeclared and unknown kernels
//
//===----------------------------------------------------------------------===//
#include "Listed/ListedInternal.h"

#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace opsig;
using namespace llvm;

namespace {

class BackendChecker {
public:
  BackendChecker(const BackendKernels &Class, ArrayRef<TranslationUnit> Units, Extent Of,
                 const Operators &Ops, UnitFiles &Files, Comparison &Done, Diagnostics &Diags)
      : Class(Class), Units(Units), Of(Of), Ops(Ops), D(*Ops.D), Files(Files), Done(Done),
        Diags(Diags) {}

  void run();

private:
  void reportMissing(const WantedKernel &Wanted);
  void reportUndeclared(const Match &M);
  void reportUnknown(const std::string &Name, ArrayRef<Found> Decls);
  /// "; did you mean 'add_out'?": a kernel of a similar name, or a missing one of the same
  /// signature.
  std::string whatIsMeant(const Found &F) const;

  const BackendKernels &Class;
  ArrayRef<TranslationUnit> Units;
  Extent Of;
  const Operators &Ops;
  const Dialect &D;
  UnitFiles &Files;
  Comparison &Done;
  Diagnostics &Diags;
  std::vector<const WantedKernel *> Missing;
};

void BackendChecker::reportMissing(const WantedKernel &W) {
  Missing.push_back(&W);
  std::string Qualified = (Class.IsNamespace ? W.Namespace : W.Class) + "::" + W.Name;
  Diagnostic &Diag =
      Diags.report(diag::MissingKernel, W.At, "'{0}' needs a kernel '{1}', which no file defines",
                   W.Function->Schema.Name.str(), Qualified);
  Diag.op(W.Function->Schema.Name.str());
  Diag.Hint = (Class.IsNamespace ? "" : "static ") + W.Signature.defn(D, W.Name);
  addSchemaNotes(Diag, W);
}

/// \p Name is that of a kernel of an operator of which nothing but the name is known.
bool mayServeUnread(StringRef Name, const Operators &Ops) {
  return Ops.IsEmpty || any_of(Ops.Unread, [&](const auto &Unread) {
           StringRef Rest = Name, Base = Unread.getKey().split('.').first;
           return Rest.consume_front(Base) && (Rest.empty() || Rest.starts_with("_"));
         });
}

bool mentions(const CppType &T, StringRef Name) {
  return (T.Is == CppType::Named && T.Name == Name) ||
         any_of(T.Args, [&](const CppType &A) { return mentions(A, Name); });
}

/// Takes or returns a tensor, as every kernel does.
bool handlesTensors(const Found &F) {
  const CppType &Tensor = F.Unit->Names.Bases[unsigned(CppBase::Tensor)];
  auto Handles = [&](const CppType &T) { return mentions(T, Tensor.Name); };
  return Tensor.isRead() &&
         (Handles(F.Decl->ReturnCanonical) ||
          any_of(F.Decl->Params, [&](const KernelParam &P) { return Handles(P.Canonical); }));
}

std::string BackendChecker::whatIsMeant(const Found &F) const {
  std::vector<StringRef> Names;
  for (const WantedKernel *W : Class.Wanted)
    Names.push_back(W->Name);
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

void BackendChecker::reportUndeclared(const Match &M) {
  if (!M.Kernel.Decl->Undeclared || any_of(Class.Declarations, [&](const Match &Declaration) {
        return Declaration.Wanted == M.Wanted;
      }))
    return;
  Diagnostic &Diag = Diags.report(
      diag::UndeclaredKernel, Files.place(*M.Kernel.Unit, M.Kernel.Decl->NameAt),
      "'{0}' does not declare '{1}', which is defined here", Class.Class, M.Wanted->Name);
  Diag.op(M.Wanted->Function->Schema.Name.str());
  addSchemaNotes(Diag, *M.Wanted);
}

void BackendChecker::run() {
  std::set<const WantedKernel *> Served;
  // Where some file defines a function of the class, a mere declaration is not a kernel.
  bool HasDefinitions = any_of(Class.Decls, [](const auto &Named) {
    return any_of(Named.second, [](const Found &F) { return F.Decl->Definition; });
  });
  for (const Match &M : Class.Definitions) {
    Served.insert(M.Wanted);
    countCompared(M, Done);
    reportMismatch(M, D, Files, Diags);
    reportUndeclared(M);
  }
  for (const Match &M : Class.Declarations) {
    if (!HasDefinitions)
      Served.insert(M.Wanted);
    countCompared(M, Done);
    reportMismatch(M, D, Files, Diags);
  }
  std::set<StringRef> Names;
  for (const WantedKernel *W : Class.Wanted) {
    Names.insert(W->Name);
    if (Of == Extent::Project && !Served.count(W) && !W->Generated &&
        !mayExistUnread(W->Name, Units))
      reportMissing(*W);
  }
  if (Class.IsNamespace)
    return; // a namespace holds anything
  for (const auto &[Name, Decls] : Class.Decls)
    if (!Names.count(Name) && !mayServeUnread(Name, Ops))
      reportUnknown(Name, Decls);
}

} // namespace

void opsig::checkBackendKernels(ArrayRef<WantedKernel> Wanted, ArrayRef<TranslationUnit> Units,
                                Extent Of, const Operators &Ops, SourceFiles &Files,
                                Comparison &Done, Diagnostics &Diags) {
  UnitFiles TheFiles(Units, Files);
  for (const BackendKernels &Class : findBackendKernels(Wanted, Units, TheFiles))
    BackendChecker(Class, Units, Of, Ops, TheFiles, Done, Diags).run();
}
