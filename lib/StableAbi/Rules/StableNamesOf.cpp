//===- StableNamesOf.cpp - what the headers of a PyTorch say is stable -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Frontend/StableApiIndex.h"
#include "opsig/StableAbi/Stable.h"
#include "opsig/Support/ReadFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

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

/// "A", "B<C, D>" of "A, B<C, D>".
static std::vector<std::string> splitTypes(llvm::StringRef List) {
  std::vector<std::string> Out;
  int Depth = 0;
  size_t Begin = 0;
  for (size_t At = 0; At <= List.size(); ++At) {
    if (At == List.size() || (Depth == 0 && List[At] == ',')) {
      if (llvm::StringRef Part = List.slice(Begin, At).trim(); !Part.empty())
        Out.push_back(Part.str());
      Begin = At + 1;
      continue;
    }
    Depth += List[At] == '<';
    Depth -= List[At] == '>';
  }
  return Out;
}

/// What the header of a name's overloads, one for `f` and `f_`, says of \p Name.
static std::vector<AtenOperator> operatorsNamed(llvm::StringRef Folder, llvm::StringRef Name) {
  llvm::SmallString<128> Path(Folder);
  llvm::sys::path::append(Path, "ATen", "ops", Name.rtrim('_') + "_ops.h");
  std::vector<AtenOperator> Out;
  auto Text = readWholeFile(Path);
  if (!Text) {
    llvm::consumeError(Text.takeError()); // a PyTorch with one header for all
    return Out;
  }
  llvm::StringRef Rest = (*Text)->getBuffer();
  while (true) {
    Rest = Rest.split("using schema = ").second;
    if (Rest.empty())
      return Out;
    llvm::StringRef Types = Rest.take_until([](char C) { return C == ';'; }).rtrim();
    llvm::StringRef Schema = Rest.split("schema_str = \"").second.split("\";").first;
    if (!Types.consume_back(")") || Schema.split('(').first.split('.').first != Name)
      continue;
    Out.push_back({Schema.str(), splitTypes(Types.split('(').second)});
  }
}

llvm::Expected<KnownStableNames> opsig::stableNamesOf(llvm::ArrayRef<UnitFacts> Units) {
  llvm::Expected<StableApiIndex> Read =
      llvm::createStringError("no file includes headers of PyTorch's");
  std::string Found;
  // The C++ API has a folder of its own.
  for (const UnitFacts &Unit : Units)
    for (const std::string &Folder : Unit.TorchFolders)
      if (!Read) {
        llvm::consumeError(Read.takeError());
        Read = readStableApiIndex(Folder);
        Found = Folder;
      }
  if (!Read)
    return Read.takeError();
  auto Api = std::make_shared<StableApiIndex>(std::move(*Read));
  KnownStableNames Out;
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
  auto Known = std::make_shared<std::map<std::string, std::vector<AtenOperator>, std::less<>>>();
  Out.Names.Operators = [Found, Known](llvm::StringRef Name) {
    auto [It, New] = Known->try_emplace(Name.str());
    if (New)
      It->second = operatorsNamed(Found, Name);
    return It->second;
  };
  if (!Api->Targets.empty())
    Out.Oldest = versionOf(Api->Targets.front());
  return Out;
}
