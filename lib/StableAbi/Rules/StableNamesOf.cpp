//===- StableNamesOf.cpp - what the headers of a PyTorch say is stable -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Frontend/StableApiIndex.h"
#include "opsig/StableAbi/Stable.h"
#include "llvm/ADT/STLExtras.h"

using namespace opsig;

static llvm::VersionTuple versionOf(StableVersion Target) {
  return Target == 0 ? llvm::VersionTuple()
                     : llvm::VersionTuple(unsigned(Target >> 56), unsigned(Target >> 48) & 0xff);
}

/// The header that is meant to be included: parts of "tensor.h" are in "tensor_struct.h".
static std::string publicHeader(const StableApiIndex &Api, llvm::StringRef Header) {
  for (llvm::StringRef Part : {"_struct.h", "_inl.h"})
    if (llvm::StringRef Stem = Header; Stem.consume_back(Part)) {
      std::string Whole = (Stem + ".h").str();
      if (Api.header(Whole))
        return Whole;
    }
  return Header.str();
}

static llvm::ArrayRef<StableItem> itemsNamed(const StableApiIndex &Api, llvm::StringRef Name) {
  llvm::ArrayRef<StableItem> Items = Api.named(Name);
  // Members are those of the class that a using declaration names.
  if (Items.empty() && Name.consume_front("torch::headeronly::"))
    return Api.named(("c10::" + Name).str());
  return Items;
}

llvm::Expected<KnownStableNames> opsig::stableNamesOf(llvm::ArrayRef<UnitFacts> Units,
                                                      const Operators *Ops) {
  llvm::Expected<StableApiIndex> Read =
      llvm::createStringError("no file includes PyTorch's headers");
  // The C++ API has a folder of its own.
  for (const UnitFacts &Unit : Units)
    for (const std::string &Folder : Unit.TorchFolders)
      if (!Read) {
        llvm::consumeError(Read.takeError());
        Read = readStableApiIndex(Folder);
      }
  if (!Read)
    return Read.takeError();
  auto Api = std::make_shared<StableApiIndex>(std::move(*Read));
  KnownStableNames Out;
  Out.Names.Ops = Ops;
  Out.Names.Find = [Api](llvm::StringRef Name) -> std::optional<StableName> {
    const StableItem *Best = nullptr;
    for (const StableItem &Item : itemsNamed(*Api, Name))
      if (Item.Until == 0 && (!Best || Item.Since < Best->Since))
        Best = &Item;
    if (!Best)
      return std::nullopt;
    return StableName{versionOf(Best->Since), publicHeader(*Api, Best->Header)};
  };
  Out.Names.Takes = [Api](llvm::StringRef Name, unsigned Count) {
    return llvm::any_of(itemsNamed(*Api, Name), [&](const StableItem &Item) {
      return Item.Until == 0 && Item.MinArgs <= Count && Count <= Item.MaxArgs;
    });
  };
  Out.Names.IsHeader = [Api](llvm::StringRef Name) {
    const StableHeader *Header = Api->header(Name);
    return Header && !Header->Refused;
  };
  if (!Api->Targets.empty())
    Out.Oldest = versionOf(Api->Targets.front());
  return Out;
}
