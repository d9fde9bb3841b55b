//===- Operators.cpp - Loading and looking up operators ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EntryInternal.h"
#include "GroupingInternal.h"
#include "opsig/Operators/Operators.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ThreadPool.h"

namespace opsig {

Grammar grammarOf(const Dialect &D) {
  Grammar G;
  for (llvm::StringRef Name : D.Schema.BaseTypes)
    if (std::optional<BaseTy> Ty = parseBaseTy(Name))
      G.Types.set(static_cast<unsigned>(*Ty));
  G.NamespacedNames = D.Schema.NamespacedNames;
  G.DefaultsMayHoldSpaces = D.Schema.Default == DefaultSplit::AtEquals;
  G.RefusesPythonKeywords = D.Schema.RefusesPythonKeywords;
  G.SymBoolInStrings = D.Schema.SymBoolInStrings;
  return G;
}

ScriptRules scriptRulesOf(const Dialect &D) {
  ScriptRules Rules;
  Rules.TypeVariables = D.Schema.TypeVariablesInStrings;
  Rules.Awaits = D.Schema.AwaitInStrings;
  for (llvm::StringRef Name : D.Schema.DtypesInStrings)
    Rules.ScalarTypes.push_back(Name.str());
  for (llvm::StringRef Name : D.Schema.DevicesInStrings)
    Rules.DeviceTypes.push_back(Name.str());
  return Rules;
}

const KernelEntry *BackendIndex::kernel(const NativeFunction &F) const {
  auto It = Kernels.find(&F);
  return It == Kernels.end() ? nullptr : &It->second;
}

const NativeFunction *Operators::find(llvm::StringRef Name) const {
  auto It = ByName.find(Name);
  return It == ByName.end() ? nullptr : It->second;
}

bool Operators::isUnread(llvm::StringRef Name) const {
  if (IsEmpty)
    return true;
  if (find(Name))
    return false;
  auto RootOf = [](llvm::StringRef Of) { return Of.split('.').first.rtrim('_'); };
  return llvm::any_of(Unread,
                      [&](const auto &Entry) { return RootOf(Entry.getKey()) == RootOf(Name); });
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

llvm::StringRef operatorFamily(llvm::StringRef Name) {
  if (size_t At = Name.rfind("::"); At != llvm::StringRef::npos)
    Name = Name.drop_front(At + 2);
  Name = Name.split('.').first.trim();
  if (Name.starts_with("__i"))
    Name = Name.drop_front(3);
  Name = Name.trim('_');
  while (llvm::any_of(
      llvm::ArrayRef<llvm::StringRef>{"_copy", "_functional", "_scatter", "_inverse", "_out"},
      [&](llvm::StringRef Suffix) { return Name.consume_back(Suffix); }))
    Name = Name.rtrim('_');
  return Name;
}

void Operators::buildLookup() {
  for (const NativeFunction &F : Functions)
    ByName.try_emplace(F.Schema.Name.str(), &F);
}

namespace {

/// Whether an operator of this schema is of a family that \p Options ask for.
bool isWanted(llvm::StringRef Schema, const LoadOptions &Options) {
  return Options.Families->contains(
      operatorFamily(Schema.take_until([](char C) { return C == '('; })));
}

/// The same of the entry that begins with \p Line, as far as that says it.
bool mayBeWanted(llvm::StringRef Line, const LoadOptions &Options) {
  return !Line.consume_front("- func: ") || isWanted(Line, Options);
}

/// The entries of wanted families, and those of which that is not known.
std::vector<const YamlNode *> wantedEntries(const YamlNode &Root, const LoadOptions &Options) {
  auto IsWanted = [&](const YamlNode *Item) {
    if (Item->Is != YamlNode::Map)
      return true;
    Findings Ignored;
    std::optional<LocatedText> Text = FieldReader(*Item, Ignored).takeString("func");
    return !Text || isWanted(Text->Text, Options);
  };
  std::vector<const YamlNode *> Wanted;
  llvm::copy_if(Root.Children, std::back_inserter(Wanted), IsWanted);
  return Wanted;
}

/// The tags that tags.yaml declares, in its order.
std::vector<std::string> readDeclaredTags(const YamlNode &Root, Findings &Diags) {
  std::vector<std::string> Tags;
  if (Root.Is != YamlNode::Sequence) {
    reportKind(Diags, finding::TagsFileKind, Root, "tags.yaml", "a list of tags");
    return Tags;
  }
  for (const YamlNode *Item : Root.Children) {
    if (Item->Is != YamlNode::Map) {
      reportKind(Diags, finding::TagsFileKind, *Item, "an item of 'tags.yaml'",
                 "a mapping with 'tag' and 'desc'");
      continue;
    }
    FieldReader Fields(*Item, Diags);
    std::optional<LocatedText> Tag = Fields.takeString("tag");
    const YamlNode *Description = Fields.take("desc");
    if (!Tag) {
      if (!Fields.has("tag"))
        Diags.report(finding::TagWithoutName, Item->at(), "this entry needs a 'tag' with its name");
      continue;
    }
    if (!Description || (Description->isString() && Description->Text.Text.empty()))
      Diags.report(finding::TagWithoutDescription, Tag->At,
                   "tag '{0}' needs a description ('desc')", Tag->Text);
    Tags.push_back(Tag->Text.str());
  }
  return Tags;
}

/// Remembers an entry that cannot be used.
void recordBroken(const YamlNode &Map, const EntryContext &E, BrokenEntries &Broken) {
  Findings Known;
  FieldReader Fields(Map, Known);
  std::optional<LocatedText> Text =
      Map.Is == YamlNode::Map ? Fields.takeString("func") : std::nullopt;
  if (!Text)
    return;
  llvm::StringRef Schema = Text->Text;
  if (size_t At = Schema.rfind("::"); At != llvm::StringRef::npos)
    Schema = Schema.drop_front(At + 2);
  llvm::StringRef Name = Schema.take_until([](char Ch) { return Ch == '('; });
  SchemaErrors Errors;
  std::optional<OperatorName> ParsedName = parseOperatorName(Name, E.G, Errors);
  std::string Root = ParsedName
                         ? ParsedName->Name.Base
                         : Name.take_until([](char Ch) { return Ch == '.'; }).rtrim('_').str();
  Broken.Names.insert(Name);
  Broken.Roots.insert(Root);
  std::optional<FunctionSchema> Parsed = parseSchema(Schema, E.G, Errors);
  if (!Parsed) {
    Broken.UnreadableRoots.insert(Root);
    return;
  }
  Broken.Signatures.insert(Parsed->signature().str());
  Broken.ViewSignatures.insert(Parsed->viewSignature(E.D.Schema.ScatterIsViewInverse).str());
}

/// Entries that one thread reads.
struct EntryShare {
  llvm::ArrayRef<const YamlNode *> Items;
  std::vector<NativeFunction> Functions;
  std::vector<std::string> Signatures; ///< JoinContext's
  bool IsGood = true;
};

/// Reads all that stands in \p Share, up to the first entry of which there is something to say.
void readShare(EntryShare &Share, const EntryContext &E) {
  Findings Diags;
  EntryContext Own{E.D, E.G, E.ValidTags, E.TagsAreKnown, E.Options, Diags};
  Share.Functions.reserve(Share.Items.size());
  for (const YamlNode *Item : Share.Items) {
    std::optional<NativeFunction> F = readEntry(*Item, Own);
    Share.IsGood = F && Diags.empty();
    if (!Share.IsGood)
      return;
    Share.Signatures.push_back(F->Schema.signature().str());
    Share.Functions.push_back(std::move(*F));
  }
}

/// Reads the entries with all processors. Returns nothing where there is something to say of one of
/// them: whoever reads them one by one says it.
std::vector<EntryShare> readGoodEntries(llvm::ArrayRef<const YamlNode *> Items,
                                        const EntryContext &E) {
  // Below that a thread costs more than it brings.
  constexpr size_t MinItems = 256;
  size_t Count = std::min<size_t>(llvm::hardware_concurrency().compute_thread_count(),
                                  Items.size() / MinItems);
  if (Count < 2)
    return {};
  std::vector<EntryShare> Shares(Count);
  llvm::DefaultThreadPool Pool(llvm::hardware_concurrency(Count));
  for (auto [I, Share] : llvm::enumerate(Shares)) {
    size_t Begin = Items.size() * I / Count, End = Items.size() * (I + 1) / Count;
    Share.Items = Items.slice(Begin, End - Begin);
    Pool.async([&E, &Share = Share] { readShare(Share, E); });
  }
  Pool.wait();
  if (!llvm::all_of(Shares, [](const EntryShare &Share) { return Share.IsGood; }))
    return {};
  return Shares;
}

/// \p IsPart: entries of other families than the wanted ones may be there, and do not count.
void readEntries(const YamlNode &Root, bool IsPart, const EntryContext &E, JoinContext &C) {
  if (Root.Is != YamlNode::Sequence) {
    reportKind(C.Diags, finding::FileNotList, Root, "native_functions.yaml", "a list of operators");
    return;
  }
  auto Take = [&](const YamlNode &Item, NativeFunction *F) {
    bool IsUsable =
        F && (!C.takesBroken() || !E.Options.IsUsable || E.Options.IsUsable(*F, E.D, C.Diags));
    if (IsUsable)
      C.Ops.Functions.push_back(std::move(*F));
    else
      recordBroken(Item, E, C.Broken);
    return IsUsable;
  };
  std::vector<const YamlNode *> Wanted;
  if (IsPart)
    Wanted = wantedEntries(Root, E.Options);
  llvm::ArrayRef<const YamlNode *> Items = IsPart ? Wanted : Root.Children;
  if (std::vector<EntryShare> Good = readGoodEntries(Items, E); !Good.empty()) {
    for (EntryShare &Share : Good)
      for (auto [Item, F, Signature] :
           llvm::zip_equal(Share.Items, Share.Functions, Share.Signatures))
        if (Take(*Item, &F))
          C.Signatures.push_back(std::move(Signature));
    return;
  }
  for (const YamlNode *Item : Items) {
    std::optional<NativeFunction> F = readEntry(*Item, E);
    Take(*Item, F ? &*F : nullptr);
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

std::unique_ptr<Operators> loadOperators(SourceId NativeFunctionsYaml, SourceId TagsYaml,
                                         const SourceFiles &Files, const Dialect &D,
                                         Findings &Diags, const LoadOptions &Options) {
  auto Ops = std::make_unique<Operators>();
  Ops->D = &D;
  std::optional<YamlTree> TagsTree;
  if (TagsYaml != SourceId::None)
    TagsTree.emplace(TagsYaml, Files, Diags);
  auto IsWanted = [&](llvm::StringRef Line) { return mayBeWanted(Line, Options); };
  bool IsWhole = !Options.Families || Options.Families->empty();
  using Filter = llvm::function_ref<bool(llvm::StringRef)>;
  auto Backing = std::make_shared<YamlTree>(NativeFunctionsYaml, Files, Diags,
                                            IsWhole ? Filter() : Filter(IsWanted));
  const YamlTree &Tree = *Backing;
  Ops->Backing = Backing;
  size_t Before = Diags.size();
  const YamlNode *TagsRoot = TagsTree ? TagsTree->root() : nullptr;
  if (TagsRoot)
    Ops->ValidTags = readDeclaredTags(*TagsRoot, Diags);
  bool TagsAreKnown = TagsRoot && Diags.size() == Before;
  Ops->IsEmpty = !Tree.root() || Tree.root()->Is != YamlNode::Sequence;
  if (!Tree.root())
    return Ops;

  Grammar G = grammarOf(D);
  JoinContext C{*Ops, Diags, Options, {}, {}, {}};
  readEntries(*Tree.root(), Tree.isPart(),
              EntryContext{D, G, Ops->ValidTags, TagsAreKnown, Options, Diags}, C);
  for (const auto &Name : C.Broken.Names)
    Ops->Unread.insert(Name.getKey());
  for (NativeFunction &F : Ops->Functions)
    F.IsAbstract = isAbstract(F);
  Ops->buildLookup();
  checkEntries(C);
  if (C.takesBroken())
    resolveDelegates(C);
  std::vector<PreGroup> Groups = preGroup(C);
  addGeneratedFunctions(C, Groups);
  Ops->buildLookup();
  buildGroups(C, preGroup(C));
  buildViewGroups(C);
  buildIndices(*Ops);
  return Ops;
}

} // namespace opsig
