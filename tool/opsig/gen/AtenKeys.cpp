//===- AtenKeys.cpp - The dispatch keys of a run of gen aten ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gen/AtenKeys.h"
#include "opsig/Dialect/AtenTraits.h"
#include "opsig/Support/Finding.h"
#include "llvm/ADT/STLExtras.h"

namespace opsig {

namespace {

using K = DispatchKey;

constexpr K MpsKeys[] = {K::MPS, K::SparseMPS, K::SparseCsrMPS};
constexpr K XpuKeys[] = {K::XPU, K::SparseXPU, K::SparseCsrXPU, K::NestedTensorXPU};
constexpr K MtiaKeys[] = {K::MTIA};

/// Keys with <Key>Functions.h in every build.
constexpr K AlwaysWithFunctions[] = {K::CPU,
                                     K::CUDA,
                                     K::CompositeImplicitAutograd,
                                     K::CompositeImplicitAutogradNestedTensor,
                                     K::CompositeExplicitAutograd,
                                     K::CompositeExplicitAutogradNonFunctional,
                                     K::Meta};

llvm::Expected<K> parseKey(llvm::StringRef Name, llvm::StringRef Option) {
  if (std::optional<K> Key = parseDispatchKey(Name))
    return *Key;
  std::vector<llvm::StringRef> Known;
  for (unsigned I = 0; I != NumDispatchKeys; ++I)
    Known.push_back(toString(static_cast<K>(I)));
  return llvm::createStringError(Option + ": unknown dispatch key '" + Name + "'" +
                                 didYouMean(Name, Known));
}

llvm::Expected<std::vector<K>> parseKeys(llvm::ArrayRef<std::string> Names,
                                         llvm::StringRef Option) {
  std::vector<K> Keys;
  for (llvm::StringRef Name : Names) {
    llvm::Expected<K> Key = parseKey(Name, Option);
    if (!Key)
      return Key.takeError();
    Keys.push_back(*Key);
  }
  return Keys;
}

/// Of keys that a build has to ask for, those that this one does.
class AskedKeys {
public:
  explicit AskedKeys(const Dialect &D) : D(D) {}

  /// Fails where \p Option cannot change anything.
  llvm::Error ask(llvm::ArrayRef<K> Expected, llvm::StringRef Option) {
    size_t Before = Asked.size();
    llvm::copy_if(Expected, std::back_inserter(Asked),
                  [&](K Key) { return llvm::is_contained(D.Keys.DroppedByDefault, Key); });
    if (Asked.size() != Before)
      return llvm::Error::success();
    return llvm::createStringError("PyTorch " + D.Name + " has no option " + Option);
  }

  std::vector<K> dropped() const {
    std::vector<K> Result;
    llvm::copy_if(D.Keys.DroppedByDefault, std::back_inserter(Result),
                  [&](K Key) { return !llvm::is_contained(Asked, Key); });
    return Result;
  }

  const std::vector<K> &asked() const { return Asked; }

private:
  const Dialect &D;
  std::vector<K> Asked;
};

} // namespace

llvm::Expected<AtenKeys> chooseAtenKeys(const AtenKeyRequest &Request, const Dialect &D) {
  bool ForShims = Request.UpdateAotiShims && D.Aten.ShimUpdateNeedsDevices;
  AskedKeys Asked(D);
  if (Request.Mps || ForShims)
    if (llvm::Error Err = Asked.ask(MpsKeys, "--mps"))
      return std::move(Err);
  if (Request.Xpu || ForShims)
    if (llvm::Error Err = Asked.ask(XpuKeys, "--xpu"))
      return std::move(Err);
  if (Request.Mtia)
    if (llvm::Error Err = Asked.ask(MtiaKeys, "--mtia"))
      return std::move(Err);

  llvm::Expected<std::vector<K>> Whitelist =
      parseKeys(Request.BackendWhitelist, "--backend-whitelist");
  if (!Whitelist)
    return Whitelist.takeError();
  llvm::Expected<std::vector<K>> Static =
      parseKeys(Request.StaticDispatch, "--static-dispatch-backend");
  if (!Static)
    return Static.takeError();

  AtenKeys Keys;
  Keys.Dropped = Asked.dropped();
  llvm::copy_if(D.Keys.Dispatch, std::back_inserter(Keys.Registered), [&](K Key) {
    return !llvm::is_contained(Keys.Dropped, Key) &&
           (Whitelist->empty() || isCompositeKey(Key) || llvm::is_contained(*Whitelist, Key));
  });
  Keys.WithFunctions.assign(std::begin(AlwaysWithFunctions), std::end(AlwaysWithFunctions));
  // Of XPU's keys only the first has such a header.
  llvm::copy_if(Asked.asked(), std::back_inserter(Keys.WithFunctions),
                [](K Key) { return Key == K::XPU || !isXpuKey(Key); });
  for (K Key : *Static)
    if (!llvm::is_contained(Keys.WithFunctions, Key))
      Keys.WithFunctions.push_back(Key);
  Keys.StaticDispatch = std::move(*Static);
  return Keys;
}

llvm::Error checkStaticDispatch(llvm::ArrayRef<K> Keys, const Operators &Ops) {
  for (K Key : Keys)
    if (!Ops.index(Key))
      return llvm::createStringError("--static-dispatch-backend: no operator has a kernel for " +
                                     toString(Key));
  return llvm::Error::success();
}

} // namespace opsig
