//===- BackendYaml.cpp - The YAML of an out-of-tree backend -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "BackendInternal.h"
#include "opsig/Operators/YamlFields.h"
#include "opsig/Schema/KernelName.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

namespace opsig {
namespace {

constexpr llvm::StringRef KnownFields[] = {
    "backend",      "cpp_namespace", "class_name", "supported",          "autograd",    "symint",
    "full_codegen", "non_native",    "ir_gen",     "use_out_as_primary", "device_guard"};

/// What the others need to be read.
constexpr llvm::StringRef HeadFields[] = {"backend", "cpp_namespace", "class_name",
                                          "use_out_as_primary", "device_guard"};

/// How deep `cpp_namespace` may be.
constexpr unsigned MaxNamespaceLevels = 2;

class BackendReader {
public:
  BackendReader(const YamlNode &Root, SourceId File, const Operators &Ops,
                llvm::ArrayRef<const BackendLayout *> Layouts, Findings &Diags)
      : Root(Root), Layouts(Layouts), Fields(Root, Diags), Ops(Ops), Diags(Diags), Names(Ops) {
    B.File = File;
  }

  ExternalBackend run() {
    size_t Before = Diags.size();
    readHead();
    B.Unread.WholeFile = hasNewErrors(Diags, Before);
    // As for torchgen, `supported:` and `symint:` may be there with nothing behind them.
    B.Supported = readOps("supported", /*NullIsEmpty=*/true);
    readSymInt();
    B.Autograd = readOps("autograd", /*NullIsEmpty=*/false);
    B.FullCodegen = readOps("full_codegen", /*NullIsEmpty=*/false);
    Fields.take("non_native");
    Fields.take("ir_gen");
    reportUnknownFields(Root, "a backend YAML", KnownFields, Layouts, Diags);
    addUnusedFields(B.Unread, Root, KnownFields, HeadFields);
    llvm::append_range(B.Supported, B.FullCodegen);
    if (!B.Backend.empty())
      buildIndices();
    B.Header = B.Backend + "NativeFunctions.h";
    return std::move(B);
  }

private:
  void readHead() {
    if (std::optional<LocatedText> Text = required("backend")) {
      B.Backend = Text->Text.str();
      BackendAt = Text->At;
      // The key's own name: "CatchAll" is another name of Undefined.
      std::optional<DispatchKey> Key = parseDispatchKey(B.Backend);
      B.ClassName = (Key ? toString(*Key).str() : B.Backend) + "NativeFunctions";
    }
    if (std::optional<LocatedText> Text = required("cpp_namespace")) {
      B.CppNamespace = Text->Text.str();
      NamespaceAt = Text->At;
      if (!Text->Text.empty())
        checkCppName(*Text, Text->Text, "a namespace", isQualifiedCppName, Diags);
    }
    if (std::optional<LocatedText> Text = optionalString("class_name")) {
      B.ClassName = Text->Text.str();
      checkCppName(*Text, Text->Text, "a class", isCppName, Diags);
    }
    B.UseOutAsPrimary = Fields.takeBool("use_out_as_primary", false);
    B.DeviceGuard = Fields.takeBool("device_guard", false);
  }

  std::optional<LocatedText> required(llvm::StringRef Name) {
    std::optional<LocatedText> Text = optionalString(Name);
    if (Text ? Text->Text.empty() : !Fields.has(Name) || Null)
      reportMissingField(Name, Fields.has(Name) ? Fields.keyPlace(Name) : Fields.at(), Diags);
    return Text;
  }

  /// A field with nothing behind it counts as not there.
  std::optional<LocatedText> optionalString(llvm::StringRef Name) {
    const YamlNode *Node = Fields.take(Name);
    Null = Node && Node->isNull();
    if (!Node || Null)
      return std::nullopt;
    if (!Node->isString()) {
      reportKind(Diags, finding::FieldNotString, *Node, Name, "a string");
      return std::nullopt;
    }
    return Node->Text;
  }

  const NativeFunction *lookUp(const YamlNode &Item, llvm::StringRef Field) {
    if (!Item.isString()) {
      reportKind(Diags, finding::BackendOpKind, Item, ("an item of '" + Field + "'").str(),
                 "an operator name");
      return nullptr;
    }
    return Names.find(Item.Text.Text, Item.at(), Diags);
  }

  std::vector<BackendOp> readOps(llvm::StringRef Field, bool NullIsEmpty) {
    std::vector<BackendOp> List;
    ListedOnce Listed(Diags);
    for (const YamlNode *Item : takeList(Field, NullIsEmpty))
      if (const NativeFunction *F = lookUp(*Item, Field)) {
        Listed.add(F->Schema.Name.str(), Item->at());
        List.push_back({F, Item->at()});
      } else {
        addUnread(B.Unread, *Item);
      }
    return List;
  }

  llvm::ArrayRef<const YamlNode *> takeList(llvm::StringRef Field, bool NullIsEmpty) {
    size_t Before = Diags.size();
    llvm::ArrayRef<const YamlNode *> List = Fields.takeList(Field, NullIsEmpty);
    if (hasNewErrors(Diags, Before)) {
      addUnread(B.Unread, *Fields.take(Field));
      SymIntUnknown |= Field == "symint";
    }
    return List;
  }

  /// Names that are not under supported or autograd have no effect; torchgen accepts them.
  void readSymInt() {
    for (const YamlNode *Item : takeList("symint", /*NullIsEmpty=*/true)) {
      if (Item->isString()) {
        SymInt.try_emplace(Item->Text.Text, Item->at());
        continue;
      }
      reportKind(Diags, finding::BackendOpKind, *Item, "an item of 'symint'", "an operator name");
      addUnread(B.Unread, *Item);
      SymIntUnknown = true;
    }
  }

  /// Whether it is known which kernel the operator has.
  bool checkSymInt(const BackendOp &Op) {
    bool Listed = SymInt.contains(Op.Function->Schema.Name.str());
    if (Op.Function->hasSymInt(*Ops.D))
      return Listed || !SymIntUnknown;
    if (!Listed)
      return true;
    Diags
        .report(finding::SymIntWithoutSymInt, SymInt.lookup(Op.Function->Schema.Name.str()),
                "'{0}' is under 'symint:', but its schema has no SymInt: {1}",
                Op.Function->Schema.Name.str(), Op.Function->Schema.str())
        .op(Op.Function->Schema.Name.str());
    return false;
  }

  /// External kernels are called as the dispatcher's C++ names are.
  BackendIndex makeIndex(DispatchKey Key, llvm::ArrayRef<BackendOp> List) {
    BackendIndex Index;
    Index.Key = Key;
    Index.UseOutAsPrimary = B.UseOutAsPrimary;
    Index.External = true;
    Index.DeviceGuard = B.DeviceGuard;
    for (const BackendOp &Op : List) {
      const FunctionSchema &S = Op.Function->Schema;
      if (!checkSymInt(Op)) {
        addUnread(B.Unread, S.Name.str());
        continue;
      }
      KernelEntry Entry;
      Entry.Key = Key;
      Entry.Kernel = impliedKernelName(S);
      if (SymInt.contains(S.Name.str()))
        Entry.Kernel += "_symint";
      Entry.CppNamespace = B.CppNamespace;
      Entry.At = Op.At;
      Index.Kernels[Op.Function] = std::move(Entry);
    }
    return Index;
  }

  /// Where nothing is supported nothing is generated, and neither key nor namespace matters yet.
  void checkNamespace() {
    size_t Levels = llvm::StringRef(B.CppNamespace).count("::") + 1;
    if (Levels > MaxNamespaceLevels)
      Diags.report(finding::BackendNamespaceDepth, NamespaceAt,
                   "namespace '{0}' has {1} levels; expected at most {2}", B.CppNamespace, Levels,
                   MaxNamespaceLevels);
  }

  void buildIndices() {
    if (!B.Supported.empty())
      checkNamespace();
    if (!B.Supported.empty())
      if (auto Key = readBackendKey(B.Backend, BackendAt, finding::BackendUnknownKey, Ops, Diags))
        B.Index = makeIndex(*Key, B.Supported);
    if (!B.Autograd.empty())
      if (auto Key = readBackendKey("Autograd" + B.Backend, BackendAt,
                                    finding::BackendUnknownAutogradKey, Ops, Diags))
        B.AutogradIndex = makeIndex(*Key, B.Autograd);
    for (const FunctionOrGroup &G : Ops.Grouped)
      checkNotMixed(G);
    keepKnown(B.Supported, B.Index);
    keepKnown(B.Autograd, B.AutogradIndex);
  }

  static void keepKnown(std::vector<BackendOp> &List, const std::optional<BackendIndex> &Index) {
    llvm::erase_if(List,
                   [&](const BackendOp &Op) { return Index && !Index->kernel(*Op.Function); });
  }

  /// The variants of one op are all forward kernels or all autograd kernels.
  void checkNotMixed(const FunctionOrGroup &G) {
    const BackendOp *Forward = nullptr, *Backward = nullptr;
    for (const NativeFunction *F : functionsOf(G)) {
      auto Listed = [&](const BackendOp &Op) { return Op.Function == F; };
      if (auto It = llvm::find_if(B.Supported, Listed); !Forward && It != B.Supported.end())
        Forward = &*It;
      if (auto It = llvm::find_if(B.Autograd, Listed); !Backward && It != B.Autograd.end())
        Backward = &*It;
    }
    if (!Forward || !Backward)
      return;
    Diags
        .report(finding::BackendMixedKeys, Backward->At,
                "'{0}' is under 'autograd:' and '{1}' under 'supported:'; list all variants of an "
                "operator under the same key",
                Backward->Function->Schema.Name.str(), Forward->Function->Schema.Name.str())
        .op(Backward->Function->Schema.Name.str())
        .note(Forward->At, "the other variant is here");
  }

  const YamlNode &Root;
  llvm::ArrayRef<const BackendLayout *> Layouts;
  FieldReader Fields;
  const Operators &Ops;
  Findings &Diags;
  OperatorNames Names;
  ExternalBackend B;
  Place BackendAt;
  Place NamespaceAt;
  bool Null = false;
  /// Under `symint:`, with their places, and whether something else stands there.
  llvm::StringMap<Place> SymInt;
  bool SymIntUnknown = false;
};

} // namespace

//===-- what both kinds of layout need -----------------------------------------===//

std::string OperatorNames::suggestion(llvm::StringRef Name) {
  // Code in Python and C++ writes a module or a namespace before it.
  llvm::StringRef Bare = Name;
  for (llvm::StringRef Prefix : {"torch.", "ops.", "aten.", "at::"})
    Bare.consume_front(Prefix);
  return Near.didYouMean(Near.hasOperator(Bare.split('.').first) ? Bare : Name);
}

const NativeFunction *OperatorNames::find(llvm::StringRef Name, const Place &At, Findings &Diags) {
  const NativeFunction *F = Ops.find(Name);
  if (!F && !Ops.isUnread(Name))
    Diags.report(finding::BackendUnknownOp, At, "unknown operator '{0}'{1}", Name, suggestion(Name))
        .op(Name.str());
  return F;
}

void ListedOnce::add(llvm::StringRef Name, const Place &At) {
  auto [It, New] = Seen.try_emplace(Name, At);
  if (New)
    return;
  Finding &Again = Diags.report(
      finding::DuplicateOperator, At,
      "operator '{0}' is listed twice; only the first kernel for each dispatch key is used, so "
      "remove one of the entries",
      Name);
  Again.Severity = Level::Warning;
  Again.op(Name.str()).note(It->second, "first listed here");
}

std::optional<DispatchKey> readBackendKey(llvm::StringRef Name, const Place &At, FindingId Id,
                                          const Operators &Ops, Findings &Diags, bool MayBeInTree) {
  std::optional<DispatchKey> Key = parseDispatchKey(Name);
  if (!Key || llvm::is_contained(Ops.D->Keys.Unknown, *Key)) {
    std::vector<llvm::StringRef> Known;
    for (unsigned I = 0; I != NumDispatchKeys; ++I)
      Known.push_back(toString(static_cast<DispatchKey>(I)));
    llvm::StringRef For =
        Id == finding::BackendUnknownAutogradKey ? ", which 'autograd:' needs" : "";
    Diags.report(Id, At, "unknown dispatch key '{0}'{1}{2}", Name, For, didYouMean(Name, Known));
    return std::nullopt;
  }
  if (!MayBeInTree && Ops.index(*Key)) {
    Diags.report(finding::BackendKeyInTree, At,
                 "dispatch key '{0}' has kernels in native_functions.yaml, so an external backend "
                 "cannot use it",
                 Name);
    return std::nullopt;
  }
  return Key;
}

/// "; the layout of torch_npu has this field": which of \p Layouts know a section or field \p Name.
static std::string knownElsewhere(llvm::StringRef Name,
                                  llvm::ArrayRef<const BackendLayout *> Layouts) {
  std::vector<llvm::StringRef> Who;
  for (const BackendLayout *L : Layouts)
    if (L->knows(Name))
      Who.push_back(L->Name);
  if (Who.empty())
    return "";
  return Who.size() == 1 ? ("; the layout of " + Who.front() + " has this field").str()
                         : "; the layouts of " + llvm::join(Who, ", ") + " have this field";
}

void reportUnknownFields(const YamlNode &Map, const llvm::Twine &What,
                         llvm::ArrayRef<llvm::StringRef> Known,
                         llvm::ArrayRef<const BackendLayout *> Layouts, Findings &Diags) {
  for (size_t I = 0; I + 1 < Map.Children.size(); I += 2) {
    llvm::StringRef Name = Map.Children[I]->Text.Text;
    if (llvm::is_contained(Known, Name))
      continue;
    std::string Where = knownElsewhere(Name, Layouts);
    Diags.report(finding::BackendUnknownField, Map.Children[I]->at(), "{0} has no field '{1}'{2}",
                 What.str(), Name, Where.empty() ? didYouMean(Name, Known) : Where);
  }
}

//===-- what could not be used -------------------------------------------------===//

bool hasNewErrors(const Findings &Diags, size_t Before) {
  return llvm::any_of(Diags.all().drop_front(Before),
                      [](const Finding &D) { return D.Severity == Level::Error; });
}

void addUnread(UnreadItems &To, llvm::StringRef Name) {
  ++To.Count;
  To.Texts.push_back(Name.str());
}

static void addTexts(UnreadItems &To, const YamlNode &Node) {
  if (Node.isString())
    To.Texts.push_back(Node.Text.Text.str());
  for (const YamlNode *Child : Node.Children)
    addTexts(To, *Child);
}

void reportMissingField(llvm::StringRef Field, const Place &At, Findings &Diags) {
  bool IsKey = Field == "backend";
  Diags.report(IsKey ? finding::BackendMissing : finding::BackendNamespaceMissing, At,
               "a backend YAML needs '{0}', such as '{0}: {1}'", Field,
               IsKey ? "XLA" : "torch_xla");
}

void addUnread(UnreadItems &To, const YamlNode &Item) {
  ++To.Count;
  addTexts(To, Item);
}

void addUnusedFields(UnreadItems &To, const YamlNode &Root, llvm::ArrayRef<llvm::StringRef> Known,
                     llvm::ArrayRef<llvm::StringRef> Head) {
  auto Repeated = repeatedKeys(Root);
  for (size_t I = 0; I + 1 < Root.Children.size(); I += 2) {
    const YamlNode *Key = Root.Children[I];
    bool IsRepeated = llvm::is_contained(Repeated, Key);
    if (IsRepeated || !llvm::is_contained(Known, Key->Text.Text))
      addUnread(To, *Root.Children[I + 1]);
    To.WholeFile |= IsRepeated && llvm::is_contained(Head, Key->Text.Text);
  }
}

/// "add" of "add_out", "add_", "add.Tensor", "add(Tensor self)", "aten::add".
static llvm::StringRef rootOf(llvm::StringRef Text) {
  Text = Text.take_until([](char C) { return C == '(' || C == '.'; }).trim();
  if (size_t Colons = Text.rfind("::"); Colons != llvm::StringRef::npos)
    Text = Text.drop_front(Colons + 2);
  return Text.rtrim('_');
}

bool UnreadItems::names(llvm::StringRef Kernel) const {
  return WholeFile || llvm::any_of(Texts, [&](llvm::StringRef Text) {
           llvm::StringRef Root = rootOf(Text), Rest = Kernel;
           return !Root.empty() && Rest.consume_front(Root) &&
                  (Rest.empty() || Rest.starts_with("_"));
         });
}

bool UnreadItems::mayMean(llvm::StringRef Kernel) const {
  llvm::StringRef Stem = Kernel;
  Stem.consume_back("_symint");
  Stem.consume_back("_out");
  Stem = Stem.rtrim('_');
  return names(Kernel) ||
         llvm::any_of(Texts, [&](llvm::StringRef Text) { return nearest(Stem, {rootOf(Text)}); });
}

//===-- the result -------------------------------------------------------------===//

llvm::SmallVector<ExternalBackend::Kernels, 2> ExternalBackend::kernels() const {
  llvm::SmallVector<Kernels, 2> Out;
  if (Index)
    Out.push_back({&*Index, Supported});
  if (AutogradIndex)
    Out.push_back({&*AutogradIndex, Autograd});
  for (const BackendList &List : Lists)
    Out.push_back({&List.Index, List.Ops, List.FromTorch});
  return Out;
}

const NativeFunction *ExternalBackend::findCustom(llvm::StringRef Name) const {
  if (Custom)
    for (const NativeFunction &F : *Custom)
      if (Name.starts_with(F.Namespace) &&
          Name.drop_front(F.Namespace.size()) == "::" + F.Schema.Name.str())
        return &F;
  return nullptr;
}

static const YamlNode *fieldOf(const YamlNode &Item, llvm::StringRef Name) {
  for (size_t I = 0; Item.Is == YamlNode::Map && I + 1 < Item.Children.size(); I += 2)
    if (Item.Children[I]->Text.Text == Name)
      return Item.Children[I + 1];
  return nullptr;
}

/// Some entry has a kernel for a key of \p L: it is not the file of PyTorch itself.
static bool hasKernelFor(const YamlNode &List, const BackendLayout &L) {
  return llvm::any_of(List.Children, [&](const YamlNode *Item) {
    const YamlNode *Table = fieldOf(*Item, "dispatch");
    return Table &&
           llvm::any_of(L.Keys, [&](const auto &Key) { return fieldOf(*Table, Key.second); });
  });
}

/// An item says of its operator what only \p L has fields for.
static bool hasNamedItems(const YamlNode &Root, const BackendLayout &L) {
  auto IsNamed = [&](const YamlNode *Item) {
    return Item->Is == YamlNode::Map && !fieldOf(*Item, "func") &&
           (fieldOf(*Item, "structured") || fieldOf(*Item, L.MetaField) ||
            llvm::any_of(Item->Children, [](const YamlNode *N) { return N->Is == YamlNode::Map; }));
  };
  return llvm::any_of(L.Sections, [&](const BackendSection &Section) {
    const YamlNode *List = fieldOf(Root, Section.Name);
    return List && List->Is == YamlNode::Sequence && llvm::any_of(List->Children, IsNamed);
  });
}

/// A list that has items of \p L. Names alone may be what forgot its 'supported:', unless names are
/// all that the layout needs.
static bool fitsList(const YamlNode &List, const BackendLayout &L) {
  for (const YamlNode *Item : List.Children) {
    if (Item->isString() && !L.Kernel.empty())
      return true;
    if (const YamlNode *Operator = fieldOf(*Item, L.Operator))
      return Operator->Text.Text.contains('(') == L.IsNativeFunctions &&
             (!L.IsNativeFunctions || hasKernelFor(List, L));
  }
  return false;
}

/// A list has the layout that is one; a mapping that of its `backend:`, or, where it has none, the
/// one with a section of its own.
static bool fits(const YamlNode &Root, const BackendLayout &L) {
  if (L.IsList || Root.Is != YamlNode::Map)
    return L.IsList && Root.Is == YamlNode::Sequence && fitsList(Root, L);
  if (L.ItemsByName)
    return hasNamedItems(Root, L);
  bool HasSection = false, HasOwn = false;
  const YamlNode *Backend = nullptr;
  for (size_t I = 0; I + 1 < Root.Children.size(); I += 2) {
    llvm::StringRef Name = Root.Children[I]->Text.Text;
    if (Name == "backend")
      Backend = Root.Children[I + 1];
    const BackendSection *Section = L.section(Name);
    HasSection |= Section != nullptr;
    HasOwn |= Section && Section->Is == BackendSection::Schemas;
  }
  if (!Backend)
    return HasSection && !L.Backend.empty();
  llvm::StringRef Key = Backend->Text.Text;
  return llvm::any_of(L.Keys, [&](const auto &Known) { return Known.first == Key; }) ||
         (HasOwn && llvm::is_contained(L.SharedKeys, Key));
}

/// Tells of a layout that is not read.
static bool isUnread(const YamlNode &Root, Findings &Diags) {
  if (fieldOf(Root, "backend"))
    return false;
  for (const UnreadLayout &L : unreadLayouts())
    if (fieldOf(Root, L.Section)) {
      Diags.report(finding::BackendForkLayout, Root.at(), "this file has the layout of {0}, {1}",
                   L.Name, L.Why);
      return true;
    }
  return false;
}

/// A file of which nothing can be used.
static ExternalBackend nothingOf(SourceId Yaml) {
  ExternalBackend Nothing;
  Nothing.File = Yaml;
  Nothing.Unread.WholeFile = true;
  return Nothing;
}

ExternalBackend loadBackendInPart(SourceId Yaml, const SourceFiles &Files, const Operators &Ops,
                                  Findings &Diags, llvm::ArrayRef<BackendLayout> Layouts) {
  YamlTree Tree(Yaml, Files, Diags);
  if (!Tree.root())
    return nothingOf(Yaml);
  std::vector<const BackendLayout *> All;
  for (llvm::ArrayRef<BackendLayout> From : {Layouts, knownBackendLayouts()})
    for (const BackendLayout &L : From)
      All.push_back(&L);
  auto Fitting = llvm::find_if(All, [&](const auto *L) { return fits(*Tree.root(), *L); });
  bool IsOwn = Fitting - All.begin() < std::ptrdiff_t(Layouts.size());
  if (!IsOwn && isUnread(*Tree.root(), Diags))
    return nothingOf(Yaml);
  ExternalBackend B;
  if (Fitting != All.end()) {
    B = readForkYaml(*Tree.root(), Yaml, **Fitting, All, Ops, Diags);
  } else if (Tree.root()->Is != YamlNode::Map) {
    Diags.report(finding::BackendNotMap, Tree.root()->at(),
                 "a backend YAML must be a mapping with 'backend' and 'cpp_namespace', {0}",
                 found(*Tree.root()));
    return nothingOf(Yaml);
  } else {
    B = BackendReader(*Tree.root(), Yaml, Ops, All, Diags).run();
  }
  return B.Unread.WholeFile ? nothingOf(Yaml) : B;
}

std::optional<ExternalBackend> loadBackend(SourceId Yaml, const SourceFiles &Files,
                                           const Operators &Ops, Findings &Diags,
                                           llvm::ArrayRef<BackendLayout> Layouts) {
  size_t Before = Diags.size();
  ExternalBackend B = loadBackendInPart(Yaml, Files, Ops, Diags, Layouts);
  // The file's own errors count, too: a duplicate key leaves a tree.
  return hasNewErrors(Diags, Before) ? std::nullopt : std::optional(std::move(B));
}

llvm::ArrayRef<llvm::StringRef> backendFields() { return KnownFields; }

} // namespace opsig
