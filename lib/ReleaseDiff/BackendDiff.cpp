//===- BackendDiff.cpp - What a new release means for a backend's YAML ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/ReleaseDiff/BackendDiff.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include <tuple>

namespace opsig {

llvm::StringRef toString(BackendEntryChange::Kind Kind) {
  switch (Kind) {
  case BackendEntryChange::Gone:
    return "gone";
  case BackendEntryChange::Renamed:
    return "renamed";
  case BackendEntryChange::Signature:
    return "signature";
  case BackendEntryChange::SymIntGone:
    return "symint-gone";
  case BackendEntryChange::SymIntOffered:
    return "symint-offered";
  case BackendEntryChange::Alias:
    return "alias";
  }
  return "";
}

namespace {

/// The key that \p Index registers is one of PyTorch's own in \p New.
bool isTaken(const std::optional<BackendIndex> &Index, const Operators &New) {
  return Index && New.index(Index->Key) != nullptr;
}

using Functions = std::vector<const NativeFunction *>;

/// Operators that PyTorch served for every backend before, and new ones that it does not; of either
/// those that the backend does not list.
std::pair<Functions, Functions> unserved(const ReleaseDiff &Diff,
                                         llvm::function_ref<bool(const NativeFunction &)> Lists) {
  Functions LostDefault, New;
  for (const OperatorChange &C : Diff.Changed)
    if (C.Breaks.Backends && !Lists(*C.Old) && !Lists(*C.New))
      LostDefault.push_back(C.New);
  for (const NativeFunction *F : Diff.Added)
    if (!F->Generated && !hasDefaultKernel(*F) && !Lists(*F))
      New.push_back(F);
  return {std::move(LostDefault), std::move(New)};
}

class BackendComparer {
public:
  BackendComparer(const ExternalBackend &Backend, const ReleaseDiff &Diff)
      : Backend(Backend), Diff(Diff), OldLowerings(*Diff.Old), NewLowerings(*Diff.New) {}

  BackendDiff run() {
    Out.Backend = &Backend;
    Out.KeyTaken = isTaken(Backend.Index, *Diff.New) && !isTaken(Backend.Index, *Diff.Old);
    for (const ExternalBackend::Kernels &Of : Backend.kernels()) {
      compareEntries(Of.Ops, *Of.Index);
      compareShared(Of.FromTorch);
    }
    auto Lists = [&](const NativeFunction &F) { return Listed.contains(&F); };
    std::tie(Out.LostDefault, Out.NewWithoutDefault) = unserved(Diff, Lists);
    return std::move(Out);
  }

private:
  void compareEntries(llvm::ArrayRef<BackendOp> Ops, const BackendIndex &Index) {
    for (const BackendOp &Op : Ops) {
      Listed.insert(Op.Function);
      compareEntry(Op, Index);
    }
  }

  void add(BackendEntryChange::Kind Kind, const BackendOp &Op, std::string From = "",
           std::string To = "") {
    Out.Entries.push_back({Kind, Op.Function, Op.At, std::move(From), std::move(To)});
  }

  /// Of those that PyTorch's own kernels serve only the operators have to be there.
  void compareShared(llvm::ArrayRef<BackendOp> Ops) {
    for (const BackendOp &Op : Ops) {
      Listed.insert(Op.Function);
      if (!Diff.newOf(*Op.Function))
        add(BackendEntryChange::Gone, Op);
    }
  }

  void compareEntry(const BackendOp &Op, const BackendIndex &Index) {
    const KernelEntry *Kernel = Index.kernel(*Op.Function);
    const NativeFunction *New = Diff.newOf(*Op.Function);
    if (!New)
      return add(BackendEntryChange::Gone, Op);
    const OperatorChange *Change = Diff.changeOf(*Op.Function);
    if (Change && Change->Renamed)
      add(BackendEntryChange::Renamed, Op, Op.Function->Schema.Name.str(), New->Schema.Name.str());
    if (!Kernel || Kernel->Structured)
      return;
    bool SymInt = Kernel->supportsSymInt(), HasSymInt = New->hasSymInt(*Diff.New->D);
    // Kernels with native signatures are called so that SymInt is seen; no list says it.
    if (Index.External && SymInt && !HasSymInt)
      add(BackendEntryChange::SymIntGone, Op);
    compareKernels(Op, Index, *New, SymInt && HasSymInt);
    if (Index.External && !SymInt && HasSymInt && !Op.Function->hasSymInt(*Diff.Old->D))
      add(BackendEntryChange::SymIntOffered, Op);
    if (Change && llvm::any_of(Change->Changes, [](const opsig::Change &C) {
          return C.Is == ChangeKind::AliasMark;
        }))
      add(BackendEntryChange::Alias, Op, Op.Function->Schema.str(), New->Schema.str());
  }

  void compareKernels(const BackendOp &Op, const BackendIndex &Index, const NativeFunction &New,
                      bool SymInt) {
    const NativeFunction &Old = *Op.Function;
    const KernelEntry &Kernel = *Index.kernel(Old);
    auto SignatureOf = [&](const NativeFunction &F, const Lowering &L, bool TakesSymInt) {
      return Index.External ? dispatcherSignature(F.Schema, L, TakesSymInt)
                            : nativeSignature(F.Schema, L, TakesSymInt);
    };
    Signature From = SignatureOf(Old, OldLowerings.of(Old), Kernel.supportsSymInt());
    Signature To = SignatureOf(New, NewLowerings.of(New), SymInt);
    if (!sameTypes(From, To))
      add(BackendEntryChange::Signature, Op, From.decl(*Diff.Old->D, Kernel.Kernel),
          To.decl(*Diff.New->D,
                  SymInt == Kernel.supportsSymInt() || !Index.External ? Kernel.Kernel : To.Name));
  }

  const ExternalBackend &Backend;
  const ReleaseDiff &Diff;
  Lowerings OldLowerings, NewLowerings;
  llvm::DenseSet<const NativeFunction *> Listed;
  BackendDiff Out;
};

} // namespace

BackendDiff compareBackend(const ExternalBackend &Backend, const ReleaseDiff &Diff) {
  return BackendComparer(Backend, Diff).run();
}

BackendOffers offersFor(const ExternalBackend &Backend, const ReleaseDiff &Diff) {
  llvm::DenseSet<const NativeFunction *> Listed;
  llvm::StringMap<const NativeFunction *> ByRoot;
  for (const ExternalBackend::Kernels &Of : Backend.kernels())
    for (const BackendOp &Op : llvm::concat<const BackendOp>(Of.Ops, Of.FromTorch)) {
      Listed.insert(Op.Function);
      ByRoot.try_emplace(Op.Function->rootName(), Op.Function);
    }
  auto Lists = [&](const NativeFunction &F) { return Listed.contains(&F); };
  auto [LostDefault, New] = unserved(Diff, Lists);
  BackendOffers Out;
  for (const NativeFunction *F : LostDefault)
    Out.Offers.push_back({BackendOffer::LostDefault, F, nullptr});
  for (const NativeFunction *F : New)
    if (const NativeFunction *Relative = ByRoot.lookup(F->rootName()))
      Out.Offers.push_back({BackendOffer::Variant, F, Relative});
    else
      ++Out.Others;
  return Out;
}

ExternalBackend followBackend(const ExternalBackend &Backend, const ReleaseDiff &Diff,
                              SourceId Yaml) {
  auto NewOf = [&](const NativeFunction &Old) -> const NativeFunction * {
    const OperatorChange *Change = Diff.changeOf(Old);
    return Change && Change->Renamed ? nullptr : Diff.newOf(Old);
  };
  ExternalBackend Out = Backend;
  Out.File = Yaml;
  auto FollowOps = [&](std::vector<BackendOp> &Ops) {
    for (BackendOp &Op : Ops) {
      Op.Function = NewOf(*Op.Function);
      Op.At.File = Yaml;
    }
    llvm::erase_if(Ops, [](const BackendOp &Op) { return !Op.Function; });
  };
  auto FollowIndex = [&](BackendIndex &Index) {
    llvm::DenseMap<const NativeFunction *, KernelEntry> Kernels;
    for (auto &[Function, Kernel] : Index.Kernels) {
      const NativeFunction *New = NewOf(*Function);
      if (!New)
        continue;
      Kernel.At.File = Yaml;
      llvm::StringRef Plain = Kernel.Kernel;
      if (Kernel.supportsSymInt() && !New->hasSymInt(*Diff.New->D) && Plain.consume_back("_symint"))
        Kernel.Kernel = Plain.str();
      Kernels[New] = std::move(Kernel);
    }
    Index.Kernels = std::move(Kernels);
  };
  for (std::vector<BackendOp> *List : {&Out.Supported, &Out.Autograd, &Out.FullCodegen})
    FollowOps(*List);
  for (std::optional<BackendIndex> *Index : {&Out.Index, &Out.AutogradIndex})
    if (*Index)
      FollowIndex(**Index);
  for (BackendList &List : Out.Lists) {
    FollowOps(List.Ops);
    FollowOps(List.FromTorch);
    FollowIndex(List.Index);
  }
  return Out;
}

} // namespace opsig
