//===- ForkYaml.cpp - The YAML of a backend with a generator of its own ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sections => items (operators, fields) => functions of the YAML's own schemas
//   => kernels by dispatch key => ExternalBackend
//
//===----------------------------------------------------------------------===//
#include "BackendInternal.h"
#include "opsig/Schema/KernelName.h"
#include "opsig/Schema/Parse.h"
#include "opsig/Schema/SymInt.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace opsig {
namespace {

constexpr llvm::StringRef HeadFields[] = {"backend", "cpp_namespace", "class_name",
                                          "use_out_as_primary", "device_guard"};

class ForkReader {
public:
  ForkReader(const YamlNode &Root, SourceId File, const BackendLayout &Layout,
             llvm::ArrayRef<const BackendLayout *> Others, const Operators &Ops, Findings &Diags)
      : Root(Root), Layout(Layout), Others(Others), Ops(Ops), Names(Ops), G(grammarOf(*Ops.D)),
        Diags(Diags), NumBefore(Diags.size()), Items(Layout, Others, Diags),
        Custom(std::make_shared<std::deque<NativeFunction>>()) {
    B.File = File;
    B.Layout = Layout.Name;
  }

  ExternalBackend run();

private:
  void readHead(FieldReader &Fields);
  void readBackend(const LocatedText *Text, const Place &At);
  void findBackend();
  void readFile();
  void define(ForkItem &I);
  void resolve(ForkItem &I);
  void compareSchemas(const ForkItem &I);

  std::string filled(llvm::StringRef Pattern, const ForkItem &I) const;
  std::optional<DispatchKey> keyOf(llvm::StringRef Pattern, const Place &At);
  void findStructuredGroups();
  bool isStructured(const ForkItem &I) const;
  bool isInStructuredGroup(const NativeFunction &F) const;
  bool isPyTorchs(const NativeFunction &F, DispatchKey Key, llvm::StringRef Kernel) const;
  bool sharesStructured(const ForkItem &I) const;
  BackendList &listOf(DispatchKey Key);
  void checkStructured(const ForkItem &I);
  void addMain(const ForkItem &I, DispatchKey Key);
  void addNamed(const ForkItem &I);
  void addListed(const ForkItem &I);
  void addKernel(const ForkItem &I, DispatchKey Key, std::string Kernel, bool Structured);
  void readItem(ForkItem &I);
  void leaveOut(const ForkItem &I);

  const YamlNode &Root;
  const BackendLayout &Layout;
  llvm::ArrayRef<const BackendLayout *> Others;
  const Operators &Ops;
  OperatorNames Names;
  Grammar G;
  Findings &Diags;
  size_t NumBefore;
  ExternalBackend B;
  Place BackendAt;
  ForkItems Items;
  std::shared_ptr<std::deque<NativeFunction>> Custom;
  llvm::StringMap<const NativeFunction *> CustomByName;
  /// The out functions of groups that some item calls structured.
  llvm::StringSet<> StructuredGroups;
};

//===-- the head --------------------------------------------------------------===//

void ForkReader::readBackend(const LocatedText *Text, const Place &At) {
  llvm::StringRef Name = Text ? llvm::StringRef(Text->Text) : llvm::StringRef(Layout.Backend);
  BackendAt = Text ? Text->At : At;
  for (const auto &[Written, Key] : Layout.Keys)
    if (Written == Name)
      Name = Key;
  if (Name.empty())
    reportMissingField("backend", BackendAt, Diags);
  B.Backend = Name.str();
}

/// The key that most of the items have kernels for.
void ForkReader::findBackend() {
  size_t Most = 0;
  for (const auto &[Name, Key] : Layout.Keys) {
    size_t Count = llvm::count_if(Items.All, [&, &Expected = Key](const ForkItem &I) {
      const YamlNode *Table = I.field("dispatch");
      return Table && Table->Is == YamlNode::Map &&
             llvm::any_of(Table->Children,
                          [&](const YamlNode *N) { return N->Text.Text == Expected; });
    });
    if (Count > Most) {
      Most = Count;
      B.Backend = Key;
    }
  }
  BackendAt = Root.at();
}

void ForkReader::readHead(FieldReader &Fields) {
  std::optional<LocatedText> Backend = Fields.takeStringOrNothing("backend");
  readBackend(Backend ? &*Backend : nullptr, Root.at());
  B.CppNamespace = Layout.CppNamespace;
  if (std::optional<LocatedText> Text = Fields.takeStringOrNothing("cpp_namespace")) {
    B.CppNamespace = Text->Text.str();
    checkCppName(*Text, Text->Text, "a namespace", isQualifiedCppName, Diags);
  } else if (B.CppNamespace.empty()) {
    reportMissingField("cpp_namespace", Root.at(), Diags);
  }
  B.ClassName = Layout.ClassName.empty() ? B.Backend + "NativeFunctions" : Layout.ClassName;
  if (std::optional<LocatedText> Text = Fields.takeStringOrNothing("class_name")) {
    B.ClassName = Text->Text.str();
    checkCppName(*Text, Text->Text, "a class", isCppName, Diags);
  }
  B.UseOutAsPrimary = Fields.takeBool("use_out_as_primary", Layout.OutIsPrimary);
  B.DeviceGuard = Fields.takeBool("device_guard", true);
}

void ForkReader::readFile() {
  if (Layout.IsList) {
    B.CppNamespace = Layout.CppNamespace;
    B.ClassName = Layout.ClassName;
    Items.readSection(Layout.Sections.front(), Root.Children);
    if (Layout.IsNativeFunctions)
      findBackend();
    else
      readBackend(nullptr, Root.at());
    return;
  }
  FieldReader Fields(Root, Diags);
  readHead(Fields);
  Items.Unread.WholeFile = hasNewErrors(Diags, NumBefore);
  for (const BackendSection &Section : Layout.Sections) {
    size_t Before = Diags.size();
    llvm::ArrayRef<const YamlNode *> List = Fields.takeList(Section.Name, /*NullIsEmpty=*/true);
    if (hasNewErrors(Diags, Before)) {
      addUnread(Items.Unread, *Fields.take(Section.Name));
      Items.SymIntUnknown |= Section.Is == BackendSection::SymInt;
    }
    Items.readSection(Section, List);
  }
  std::vector<llvm::StringRef> Known(std::begin(HeadFields), std::end(HeadFields));
  for (const BackendSection &Section : Layout.Sections)
    Known.push_back(Section.Name);
  reportUnknownFields(Root, "a backend YAML of " + Layout.Name, Known, Others, Diags);
  addUnusedFields(Items.Unread, Root, Known, HeadFields);
}

//===-- functions -------------------------------------------------------------===//

/// A schema that the YAML itself brings.
void ForkReader::define(ForkItem &I) {
  SchemaErrors Errors;
  llvm::StringRef Trimmed = I.Text.Text.trim();
  LocatedText Text{Trimmed, I.Text.at(Trimmed.data() - I.Text.Text.data(), Trimmed.size()),
                   I.Text.Verbatim};
  std::optional<FunctionSchema> Schema = parseSchema(Text.Text, G, Errors);
  // The dispatcher has no such rule, so that a fork's generator need not have it: the others can be
  // compared.
  if (!Errors.empty() && llvm::all_of(Errors, [](const SchemaError &E) {
        return E.Id == finding::InplaceWithoutSelf;
      })) {
    Diags
        .report(finding::InplaceWithoutSelf, Text.At,
                "{0}; its kernel is not compared with this schema", Errors.front().Message)
        .Severity = Level::Warning;
    Items.Unread.Namespaces.push_back(I.Section->Namespace);
    return;
  }
  report(Diags, Text, Errors);
  if (!Schema)
    return;
  std::string Name = Schema->Name.str();
  std::string Qualified = I.Section->Namespace + "::" + Name;
  if (const NativeFunction *Known = CustomByName.lookup(Name)) {
    Diags
        .report(finding::BackendCustomClash, Text.At,
                "operator '{0}' is defined twice in this file", Qualified)
        .note(Known->Entry, "first defined here");
    return;
  }
  if (I.Section->Namespace == "aten" && Ops.find(Name)) {
    Diags
        .report(finding::BackendCustomClash, Text.At,
                "PyTorch already has an operator '{0}'; list only its name, or define your "
                "operator in the backend's own namespace",
                Qualified)
        .note(Ops.find(Name)->Entry, "PyTorch's schema declared here");
    return;
  }
  NativeFunction &F = Custom->emplace_back();
  F.Namespace = I.Section->Namespace;
  F.Schema = std::move(*Schema);
  F.Kind = F.Schema.kind();
  F.SchemaText = Text;
  F.Entry = Text.At;
  I.Function = &F;
  CustomByName[Name] = &F;
}

/// Where a schema stands for an operator of PyTorch's, it says what the kernel is written for.
void ForkReader::compareSchemas(const ForkItem &I) {
  if (I.name() == I.Text.Text)
    return;
  SchemaErrors Errors;
  std::optional<FunctionSchema> Schema = parseSchema(I.Text.Text.trim(), G, Errors);
  report(Diags, I.Text, Errors);
  if (!Schema || hasIntForSymInt(Schema->str(), I.Function->Schema.str()))
    return;
  Diags
      .report(finding::BackendSchemaDiffers, I.Text.At,
              "'{0}' has a different schema in PyTorch {1}: {2}", I.Function->Schema.Name.str(),
              Ops.D->Name, I.Function->Schema.str())
      .op(I.Function->Schema.Name.str())
      .note(I.Function->Entry, "PyTorch's schema declared here");
}

void ForkReader::resolve(ForkItem &I) {
  llvm::StringRef Name = I.name().trim();
  I.Function = CustomByName.lookup(Name);
  if (!I.Function)
    I.Function = Ops.find(Name);
  if (I.Function)
    return compareSchemas(I);
  // Forks build PyTorch with patches of their own, and the others of the list can be used.
  if (!Ops.isUnread(Name))
    Diags
        .report(finding::BackendOpNotInTorch, I.Text.At,
                "PyTorch {0} has no operator '{1}', so its kernel is not compared with a schema{2}",
                Ops.D->Name, Name, Names.suggestion(Name))
        .op(Name.str());
}

//===-- kernels ---------------------------------------------------------------===//

/// "mul_out" for mul.out
static std::string withUnderscores(const OperatorName &Name) {
  std::string Out = Name.str();
  llvm::replace(Out, '.', '_');
  return Out;
}

std::string ForkReader::filled(llvm::StringRef Pattern, const ForkItem &I) const {
  std::string Out;
  while (true) {
    auto [Before, Rest] = Pattern.split("${");
    Out += Before;
    if (Rest.empty())
      return Out;
    auto [Hole, After] = Rest.split('}');
    const std::string &Overload = I.Function->Schema.Name.Overload;
    auto Default = llvm::find_if(Layout.Defaults, [&](const auto &D) { return D.first == Hole; });
    if (Hole == "name")
      Out += impliedKernelName(I.Function->Schema);
    else if (Hole == "operator")
      Out += withUnderscores(I.Function->Schema.Name);
    else if (Hole == "overload")
      Out += Overload.empty() ? "" : "_" + Overload;
    else if (const YamlNode *Value = I.field(Hole); Value && Value->Is == YamlNode::Scalar)
      Out += Value->Text.Text;
    else if (Default != Layout.Defaults.end())
      Out += Default->second;
    Pattern = After;
  }
}

std::optional<DispatchKey> ForkReader::keyOf(llvm::StringRef Pattern, const Place &At) {
  auto [Before, Rest] = Pattern.split("${backend}");
  std::string Name = Before == Pattern ? Pattern.str() : (Before + B.Backend + Rest).str();
  return readBackendKey(Name.empty() ? B.Backend : Name, At, finding::BackendUnknownKey, Ops, Diags,
                        /*MayBeInTree=*/Layout.IsNativeFunctions);
}

/// The out function that has the kernel of \p F's group.
static std::string structuredOut(const NativeFunction &F) {
  return F.StructuredDelegate ? F.StructuredDelegate->str() : F.Schema.Name.str();
}

void ForkReader::findStructuredGroups() {
  if (Layout.StructuredByDefault || Layout.ItemsByName)
    return;
  for (const ForkItem &I : Items.All)
    if (I.says("structured") || I.field("structured_delegate"))
      if (const NativeFunction *F = Ops.find(I.name().trim()))
        StructuredGroups.insert(structuredOut(*F));
}

bool ForkReader::isInStructuredGroup(const NativeFunction &F) const {
  return StructuredGroups.contains(structuredOut(F));
}

bool ForkReader::isStructured(const ForkItem &I) const {
  if (!I.Function->Structured)
    return false;
  const YamlNode *Said = I.field("structured");
  return Said && Said->isBool() ? Said->boolean()
                                : Layout.StructuredByDefault || isInStructuredGroup(*I.Function);
}

/// For the key that stands for \p Key with CPU or CUDA in place of the backend; for any one where
/// the backend's kernels are in PyTorch's own namespace.
bool ForkReader::isPyTorchs(const NativeFunction &F, DispatchKey Key,
                            llvm::StringRef Kernel) const {
  auto [Before, After] = toString(Key).split(B.Backend);
  return llvm::any_of(F.Dispatch, [&](const KernelEntry &Entry) {
    llvm::StringRef Name = toString(Entry.Key);
    if (Entry.Kernel == Kernel && Layout.IsNativeFunctions && Entry.CppNamespace == "at::native")
      return true;
    return Entry.Kernel == Kernel && Name.consume_front(Before) && Name.consume_back(After) &&
           (Name == "CPU" || Name == "CUDA");
  });
}

bool ForkReader::sharesStructured(const ForkItem &I) const {
  if (!Layout.SharesStructured ||
      llvm::any_of(Layout.OverrideFields, [&](const auto &Name) { return I.says(Name); }))
    return false;
  const KernelEntry *Cpu = I.Function->kernel(DispatchKey::CPU);
  const KernelEntry *Cuda = I.Function->kernel(DispatchKey::CUDA);
  return Cpu && Cuda && Cpu->Kernel == Cuda->Kernel;
}

BackendList &ForkReader::listOf(DispatchKey Key) {
  auto It = llvm::find_if(B.Lists, [&](const auto &L) { return L.Index.Key == Key; });
  if (It != B.Lists.end())
    return *It;
  BackendIndex Index;
  Index.Key = Key;
  Index.UseOutAsPrimary = B.UseOutAsPrimary;
  Index.External = !Layout.IsNative;
  Index.DeviceGuard = B.DeviceGuard;
  return B.Lists.emplace_back(BackendList{std::move(Index), {}});
}

void ForkReader::addKernel(const ForkItem &I, DispatchKey Key, std::string Kernel,
                           bool Structured) {
  BackendList &List = listOf(Key);
  KernelEntry Entry;
  Entry.Key = Key;
  Entry.Kernel = std::move(Kernel);
  Entry.CppNamespace = B.CppNamespace;
  Entry.Structured = Structured;
  Entry.DefinesMeta = Structured && !Layout.MetaField.empty() && I.says(Layout.MetaField);
  Entry.At = I.Text.At;
  // An operator may be listed among PyTorch's and among the YAML's own.
  if (List.Index.Kernels.try_emplace(I.Function, std::move(Entry)).second)
    List.Ops.push_back({I.Function, I.Text.At});
}

/// Where items say which kernels are structured, what they say has to be possible.
void ForkReader::checkStructured(const ForkItem &I) {
  if (!Layout.ItemsByName)
    return;
  const std::string Name = I.Function->Schema.Name.str();
  auto Report = [&](const YamlNode &At, const llvm::Twine &Why) {
    Diags.report(finding::BackendStructured, At.at(), "'{0}' {1}", Name, Why.str()).op(Name);
  };
  bool Structured = I.says("structured");
  if (Structured && !I.Function->Structured)
    Report(*I.field("structured"),
           "is not structured in PyTorch " + llvm::Twine(Ops.D->Name) +
               (I.Function->StructuredDelegate
                    ? "; it uses the kernel of '" + I.Function->StructuredDelegate->str() + "'"
                    : ""));
  else if (Structured && !B.UseOutAsPrimary)
    Report(*I.field("structured"), "is structured, and its functional and in-place variants are "
                                   "generated from it; set 'use_out_as_primary: true'");
  if (!Structured && I.says(Layout.MetaField))
    Report(*I.field(Layout.MetaField),
           "is not structured; '" + Layout.MetaField + "' also needs 'structured: true'");
}

/// Whether the item lists \p Key in the text of \p Field, "A, B".
static bool listsKey(const ForkItem &I, llvm::StringRef Field, DispatchKey Key) {
  const YamlNode *Listed = I.field(Field);
  llvm::SmallVector<llvm::StringRef, 2> Pieces;
  if (Listed && Listed->isString())
    llvm::StringRef(Listed->Text.Text).split(Pieces, ',');
  return llvm::any_of(Pieces, [&](llvm::StringRef P) { return P.trim() == toString(Key); });
}

/// The kernel of the section's key.
void ForkReader::addMain(const ForkItem &I, DispatchKey Key) {
  // Those of a group that PyTorch's out function implements need no kernel.
  if (I.Function->StructuredDelegate &&
      (I.field("structured_delegate") || isInStructuredGroup(*I.Function)))
    return;
  bool Structured = isStructured(I);
  if (Structured && sharesStructured(I)) {
    listOf(Key).FromTorch.push_back({I.Function, I.Text.At});
    return;
  }
  bool TakesSymInt = !Structured && Items.SymInt.contains(I.Function->Schema.Name.str());
  if (Items.SymIntUnknown && !TakesSymInt && I.Function->hasSymInt(*Ops.D))
    return leaveOut(I);
  llvm::StringRef Pattern =
      Structured && !Layout.StructuredKernel.empty() ? Layout.StructuredKernel : Layout.Kernel;
  addKernel(I, Key, filled(Pattern, I) + (TakesSymInt ? "_symint" : ""), Structured);
}

/// Kernels that are called as the layout says.
void ForkReader::addNamed(const ForkItem &I) {
  checkStructured(I);
  if (I.Section->Is == BackendSection::Generated)
    B.FullCodegen.push_back({I.Function, I.Text.At});
  std::optional<DispatchKey> Key = keyOf(I.Section->Key, BackendAt);
  std::vector<std::pair<DispatchKey, llvm::StringRef>> More;
  bool ListsOther = false, ListsMain = false;
  for (const ExtraKernel &Extra : Layout.Extra) {
    if (!I.field(Extra.Field))
      continue;
    ListsMain |= Key && listsKey(I, Extra.Field, *Key);
    std::optional<DispatchKey> Other = keyOf(Extra.Key, BackendAt);
    bool IsListed = Other && listsKey(I, Extra.Field, *Other);
    ListsOther |= IsListed;
    if (Other && (IsListed || I.says(Extra.Field)))
      More.emplace_back(*Other, Extra.Kernel);
  }
  // Who lists keys wants no others.
  if (Key && (ListsMain || !ListsOther))
    addMain(I, *Key);
  for (const auto &[Other, Kernel] : More)
    addKernel(I, Other, filled(Kernel, I), /*Structured=*/false);
}

/// Kernels that the item's dispatch table names.
void ForkReader::addListed(const ForkItem &I) {
  const YamlNode *Table = I.field("dispatch");
  if (!Table) {
    if (std::optional<DispatchKey> Key = keyOf("", BackendAt); Key && isStructured(I))
      listOf(*Key).FromTorch.push_back({I.Function, I.Text.At});
    return;
  }
  if (Table->Is != YamlNode::Map)
    return reportKind(Diags, finding::DispatchNotMap, *Table, "dispatch",
                      "a mapping of dispatch keys to kernels");
  for (size_t At = 0; At + 1 < Table->Children.size(); At += 2) {
    const YamlNode &Keys = *Table->Children[At], &Kernel = *Table->Children[At + 1];
    if (!Kernel.isString()) {
      reportKind(Diags, finding::DispatchValueKind, Kernel, "a value of 'dispatch'",
                 "the name of a kernel");
      continue;
    }
    checkCppName(Kernel.Text, Kernel.Text.Text, "a kernel", isCppName, Diags);
    llvm::SmallVector<llvm::StringRef, 4> Pieces;
    Keys.Text.Text.split(Pieces, ',');
    for (llvm::StringRef Piece : Pieces) {
      if (Layout.IsNativeFunctions && !Piece.contains(B.Backend))
        continue;
      std::optional<DispatchKey> Key = keyOf(Piece.trim(), Keys.at());
      bool IsMain = Key && toString(*Key) == B.Backend;
      if (Key && Layout.SharesNamed && isPyTorchs(*I.Function, *Key, Kernel.Text.Text))
        listOf(*Key).FromTorch.push_back({I.Function, I.Text.At});
      else if (Key)
        addKernel(I, *Key, Kernel.Text.Text.str(), IsMain && isStructured(I));
    }
  }
}

/// Nothing is compared with the kernels of \p I.
void ForkReader::leaveOut(const ForkItem &I) {
  addUnread(Items.Unread, *I.Node);
  if (I.Section->Is == BackendSection::Schemas)
    Items.Unread.Namespaces.push_back(I.Section->Namespace);
  if (!I.Function)
    return;
  if (I.Function->Namespace != "aten")
    Items.Unread.Namespaces.push_back(I.Function->Namespace);
  auto IsOfItem = [&](const BackendOp &Op) {
    return Op.Function == I.Function && Op.At == I.Text.At;
  };
  for (BackendList &List : B.Lists) {
    if (llvm::any_of(List.Ops, IsOfItem))
      List.Index.Kernels.erase(I.Function);
    llvm::erase_if(List.Ops, IsOfItem);
    llvm::erase_if(List.FromTorch, IsOfItem);
  }
  llvm::erase_if(B.FullCodegen, IsOfItem);
}

void ForkReader::readItem(ForkItem &I) {
  size_t Before = Diags.size();
  if (I.Section->Is != BackendSection::Schemas)
    resolve(I);
  if (I.Function && !B.Backend.empty()) {
    if (Layout.Kernel.empty())
      addListed(I);
    else
      addNamed(I);
  }
  if (I.Wrong || hasNewErrors(Diags, Before))
    leaveOut(I);
  else if (!I.Function)
    Items.Unread.Texts.push_back(I.Text.Text.str());
}

ExternalBackend ForkReader::run() {
  readFile();
  for (ForkItem &I : Items.All)
    if (I.Section->Is == BackendSection::Schemas) {
      size_t Before = Diags.size();
      define(I);
      I.Wrong |= hasNewErrors(Diags, Before);
    }
  findStructuredGroups();
  for (ForkItem &I : Items.All)
    readItem(I);
  B.LayoutAt = BackendAt;
  B.Custom = std::move(Custom);
  B.IsNamespace = Layout.IsNamespace;
  B.StructuredInClass = Layout.StructuredInClass;
  B.StructuredScope =
      B.CppNamespace + (Layout.IsNamespace || Layout.StructuredInClass ? "::" + B.ClassName : "");
  // torchgen calls the header by the key; forks, whose key has another name, by the class.
  B.Header = (Layout.ItemsByName ? B.Backend + "NativeFunctions" : B.ClassName) + ".h";
  B.Unread = std::move(Items.Unread);
  return std::move(B);
}

} // namespace

ExternalBackend readForkYaml(const YamlNode &Root, SourceId File, const BackendLayout &Layout,
                             llvm::ArrayRef<const BackendLayout *> Others, const Operators &Ops,
                             Findings &Diags) {
  return ForkReader(Root, File, Layout, Others, Ops, Diags).run();
}

} // namespace opsig
