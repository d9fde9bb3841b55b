//===- UpgradeCheck.cpp - What a new release asks of kernels that are there -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Backend/BackendInternal.h"
#include "opsig/Check/Comparison.h"
#include "opsig/Check/UpgradeCheck.h"
#include "opsig/Support/FindingIds.h"
#include "llvm/ADT/STLExtras.h"
#include <set>
#include <tuple>

using namespace opsig;
using namespace llvm;

namespace {

/// What a finding is about, in whatever words.
using FindingSite = std::tuple<std::string, uint32_t, uint32_t, FindingId, std::string>;

FindingSite keyOf(const Finding &D, const SourceFiles &Files) {
  std::string File = D.At.isValid() ? Files.name(D.At.File).str() : "";
  return {std::move(File), D.At.Line, D.At.Column, D.Id, D.Op};
}

struct CheckedUnits {
  SiftedFindings Found;
  Comparison Done;
};

CheckedUnits check(ArrayRef<UnitFacts> Units, Scope Of, ReleaseCheck By, FindingFilter Filter) {
  CheckedUnits Out;
  Findings Diags;
  Out.Done = By.Checker.check(Units, Of, By.Files, Diags);
  std::vector<std::string> Names;
  for (const UnitFacts &Unit : Units)
    Names.push_back(Unit.MainFile);
  unifyFiles(Diags, Names, By.Files);
  Out.Found = sift(std::move(Diags), Filter, By.Files);
  return Out;
}

class OrphanFinder {
public:
  OrphanFinder(ArrayRef<UnitFacts> Units, const ReleaseDiff &Diff, ReleaseCheck Old)
      : Units(Units), Files(Units, Old.Files) {
    for (const ExpectedKernel &W : Old.Checker.expected())
      if (isOrphaned(*W.Function, Diff))
        Expected.push_back(W);
  }

  std::vector<OrphanedKernel> run() {
    for (const BackendKernels &Class : findBackendKernels(Expected, Units, Files))
      for (const std::vector<Match> *Matches : {&Class.Definitions, &Class.Declarations})
        for (const Match &M : *Matches)
          add(*M.Expected, M.Kernel);
    for (const ExpectedKernel &W : Expected)
      if (W.Class.empty())
        addNative(W);
    llvm::sort(Out, [this](const OrphanedKernel &L, const OrphanedKernel &R) {
      auto Key = [this](const OrphanedKernel &K) {
        return std::tuple(Files.sources().name(K.At.File), K.At.Line, K.At.Column);
      };
      return Key(L) < Key(R);
    });
    Out.erase(llvm::unique(Out, [](const OrphanedKernel &L,
                                   const OrphanedKernel &R) { return L.At == R.At; }),
              Out.end());
    return std::move(Out);
  }

private:
  static bool isOrphaned(const NativeFunction &F, const ReleaseDiff &Diff) {
    const OperatorChange *Change = Diff.changeOf(F);
    return !Diff.newOf(F) || (Change && Change->Renamed);
  }

  void add(const ExpectedKernel &W, const Found &F) {
    Out.push_back({Files.place(*F.Unit, F.Decl->NameAt), F.Decl->qualifiedName(), W.Function});
  }

  /// Namespaces of PyTorch hold functions of the same name that are no kernels.
  void addNative(const ExpectedKernel &W) {
    for (const UnitFacts &Unit : Units)
      for (const KernelDecl &K : Unit.Kernels) {
        Found F{&Unit, &K};
        if (K.Definition && K.InMainFile && K.qualifiedName() == W.Namespace + "::" + W.Name &&
            differences(W.Signature, F).empty())
          add(W, F);
      }
  }

  ArrayRef<UnitFacts> Units;
  UnitFiles Files;
  std::vector<ExpectedKernel> Expected;
  std::vector<OrphanedKernel> Out;
};

} // namespace

UpgradeFindings opsig::checkUpgrade(ArrayRef<UnitFacts> Units, Scope Of, const ReleaseDiff &Diff,
                                    ReleaseCheck Old, ReleaseCheck New,
                                    const FindingFilter &Filter) {
  UpgradeFindings Out;
  CheckedUnits Before = check(Units, Of, Old, Filter);
  Out.Compared = Before.Done.Operators.size();
  Out.Orphaned = OrphanFinder(Units, Diff, Old).run();
  std::set<FindingSite> Known;
  for (const Finding &D : Before.Found.Reported.all())
    Known.insert(keyOf(D, Old.Files));
  CheckedUnits After = check(Units, Of, New, Filter);
  for (const Finding &D : After.Found.Reported.all()) {
    // An unknown kernel is told of as orphaned, with the operator that is gone.
    if (!Known.count(keyOf(D, New.Files)) && D.Id != finding::UnknownKernel)
      Out.Changed.append(D);
  }
  return Out;
}
