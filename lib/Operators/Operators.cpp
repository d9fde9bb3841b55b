//===- Operators.cpp - Loading and looking up operators ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Operators/Operators.h"
#include "EntryInternal.h"
#include "GroupingInternal.h"
#include "llvm/ADT/STLExtras.h"

namespace opsig {

Grammar grammarOf(const Dialect &D) {
  Grammar G;
  for (llvm::StringRef Name : D.Schema.BaseTypes)
    if (std::optional<BaseTy> Ty = parseBaseTy(Name))
      G.Types.set(static_cast<unsigned>(*Ty));
  G.NamespacedNames = D.Schema.NamespacedNames;
  G.DefaultsMayHoldSpaces = D.Schema.Default == DefaultSplit::AtEquals;
  G.RefusesPythonKeywords = D.Schema.RefusesPythonKeywords;
  return G;
}

const KernelEntry *BackendIndex::kernel(const NativeFunction &F) const {
  auto It = Kernels.find(&F);
  return It == Kernels.end() ? nullptr : &It->second;
}

const NativeFunction *Operators::find(llvm::StringRef Name) const {
  auto It = ByName.find(Name);
  return It == ByName.end() ? nullptr : It->second;
}

const BackendIndex *Operators::index(DispatchKey Key) const {
  for (const BackendIndex &Index : Indices)
    if (Index.Key == Key)
      return &Index;
  return nullptr;
}

std::vector<llvm::StringRef> Operators::names() const {
  std::vector<llvm::StringRef> Names;
  for (const auto &Entry : ByName)
    Names.push_back(Entry.first());
  llvm::sort(Names);
  return Names;
}

void Operators::buildLookup() {
  for (const NativeFunction &F : Functions)
    ByName.try_emplace(F.Schema.Name.str(), &F);
}

namespace {

/// The tags that tags.yaml declares, in its order.
std::vector<std::string> readDeclaredTags(const YamlNode &Root, Diagnostics &Diags) {
  std::vector<std::string> Tags;
  if (Root.Is != YamlNode::Sequence) {
    reportKind(Diags, diag::TagsFileKind, Root, "tags.yaml", "a list of tags");
    return Tags;
  }
  for (const YamlNode *Item : Root.Children) {
    if (Item->Is != YamlNode::Map) {
      reportKind(Diags, diag::TagsFileKind, *Item, "tags.yaml", "a list of 'tag' and 'desc'");
      continue;
    }
    FieldReader Fields(*Item, Diags);
    std::optional<LocatedText> Tag = Fields.takeString("tag");
    const YamlNode *Description = Fields.take("desc");
    if (!Tag) {
      if (!Fields.has("tag"))
        Diags.report(diag::TagWithoutName, Item->at(), "this entry has no 'tag'");
      continue;
    }
    if (!Description || (Description->isString() && Description->Text.Text.empty()))
      Diags.report(diag::TagWithoutDescription, Tag->At, "tag '{0}' needs a description ('desc')",
                   Tag->Text);
    Tags.push_back(Tag->Text.str());
  }
  return Tags;
}

/// Remembers the name of an entry that cannot be used.
void noteBroken(const YamlNode &Map, JoinContext &C) {
  if (Map.Is != YamlNode::Map)
    return;
  for (size_t I = 0; I + 1 < Map.Children.size(); I += 2) {
    if (Map.Children[I]->Text.Text != "func")
      continue;
    llvm::StringRef Name = Map.Children[I + 1]->Text.Text.take_until([](char Ch) { return Ch == '('; });
    if (size_t At = Name.rfind("::"); At != llvm::StringRef::npos)
      Name = Name.drop_front(At + 2);
    C.BrokenNames.insert(Name);
    C.BrokenRoots.insert(Name.take_until([](char Ch) { return Ch == '.'; }).rtrim('_'));
  }
}

void readEntries(const YamlNode &Root, const EntryContext &E, JoinContext &C) {
  if (Root.Is != YamlNode::Sequence) {
    reportKind(C.Diags, diag::FileNotList, Root, "native_functions.yaml", "a list of operators");
    return;
  }
  for (const YamlNode *Item : Root.Children) {
    if (std::optional<NativeFunction> F = readEntry(*Item, E))
      C.Ops.Functions.push_back(std::move(*F));
    else
      noteBroken(*Item, C);
  }
}

/// Abstract: dispatched per backend, not composed of other ops alone.
bool isAbstract(const NativeFunction &F) {
  if (F.StructuredDelegate)
    return true;
  if (F.Dispatch.empty())
    return true;
  return !llvm::all_of(F.Dispatch, [](const KernelEntry &Entry) {
    return Entry.Key == DispatchKey::CompositeImplicitAutograd ||
           Entry.Key == DispatchKey::CompositeImplicitAutogradNestedTensor;
  });
}

/// Per key, in the order of first use, which the order of generated declarations follows.
void buildIndices(Operators &Ops) {
  llvm::DenseMap<unsigned, size_t> ByKey;
  for (const NativeFunction &F : Ops.Functions)
    for (const KernelEntry &Entry : F.Dispatch) {
      auto [It, New] = ByKey.try_emplace(static_cast<unsigned>(Entry.Key), Ops.Indices.size());
      if (New) {
        BackendIndex Index;
        Index.Key = Entry.Key;
        Index.DeviceGuard =
            isCudaKey(Entry.Key) || (Ops.D->Keys.XpuHasDeviceGuard && isXpuKey(Entry.Key));
        Ops.Indices.push_back(std::move(Index));
      }
      Ops.Indices[It->second].Kernels[&F] = Entry;
    }
}

} // namespace

std::unique_ptr<Operators> loadOperators(FileId NativeFunctionsYaml, FileId TagsYaml,
                                         const SourceFiles &Files, const Dialect &D,
                                         Diagnostics &Diags, const LoadOptions &Options) {
  auto Ops = std::make_unique<Operators>();
  Ops->D = &D;
  YamlTree TagsTree(TagsYaml, Files, Diags);
  auto Backing = std::make_shared<YamlTree>(NativeFunctionsYaml, Files, Diags);
  const YamlTree &Tree = *Backing;
  Ops->Backing = Backing;
  if (TagsTree.root())
    Ops->ValidTags = readDeclaredTags(*TagsTree.root(), Diags);
  if (!Tree.root() || !TagsTree.root())
    return Ops;

  Grammar G = grammarOf(D);
  JoinContext C{*Ops, Diags, {}, {}};
  readEntries(*Tree.root(), EntryContext{D, G, Ops->ValidTags, Options.DroppedKeys, Diags}, C);
  for (NativeFunction &F : Ops->Functions)
    F.IsAbstract = isAbstract(F);
  Ops->buildLookup();
  checkEntries(C);
  std::vector<PreGroup> Groups = preGroup(C);
  addGeneratedFunctions(C, Groups);
  Ops->buildLookup();
  buildGroups(C, Groups);
  buildViewGroups(C);
  buildIndices(*Ops);
  return Ops;
}

} // namespace opsig
