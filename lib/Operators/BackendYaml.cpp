//===- BackendYaml.cpp - The YAML of an out-of-tree backend -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FieldReaderInternal.h"
#include "opsig/Operators/Operators.h"
#include "opsig/Schema/KernelName.h"
#include "opsig/Support/NearNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

namespace opsig {
namespace {

constexpr llvm::StringRef KnownFields[] = {
    "backend",      "cpp_namespace", "class_name", "supported",          "autograd",    "symint",
    "full_codegen", "non_native",    "ir_gen",     "use_out_as_primary", "device_guard"};

/// How deep `cpp_namespace` may be.
constexpr unsigned MaxNamespaceLevels = 2;

class BackendReader {
public:
  BackendReader(const YamlNode &Root, FileId File, const Operators &Ops, Diagnostics &Diags)
      : Fields(Root, Diags), Ops(Ops), Diags(Diags), Names(Ops.names()), Near(Names) {
    B.File = File;
  }

  /// What could be read; usable only where nothing was reported.
  ExternalBackend run() {
    readHead();
    // As for torchgen, `supported:` and `symint:` may be there with nothing behind them.
    B.Supported = readOps("supported", /*NullIsEmpty=*/true);
    readSymInt();
    B.Autograd = readOps("autograd", /*NullIsEmpty=*/false);
    B.FullCodegen = readOps("full_codegen", /*NullIsEmpty=*/false);
    Fields.take("non_native");
    Fields.take("ir_gen");
    Fields.reportUnknown(diag::BackendUnknownField, "a backend YAML", KnownFields);
    llvm::append_range(B.Supported, B.FullCodegen);
    if (!B.Backend.empty())
      buildIndices();
    return std::move(B);
  }

private:
  void readHead() {
    if (std::optional<LocatedText> Text = required("backend", diag::BackendMissing)) {
      B.Backend = Text->Text.str();
      BackendAt = Text->At;
      // The key's own name: "CatchAll" is another name of Undefined.
      std::optional<DispatchKey> Key = parseDispatchKey(B.Backend);
      B.ClassName = (Key ? toString(*Key).str() : B.Backend) + "NativeFunctions";
    }
    if (std::optional<LocatedText> Text =
            required("cpp_namespace", diag::BackendNamespaceMissing)) {
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

  std::optional<LocatedText> required(llvm::StringRef Name, DiagId Missing) {
    std::optional<LocatedText> Text = optionalString(Name);
    if (Text ? Text->Text.empty() : !Fields.has(Name) || Null)
      Diags.report(Missing, Fields.has(Name) ? Fields.keyPlace(Name) : Fields.at(),
                   "a backend YAML needs '{0}'", Name);
    return Text;
  }

  /// A field with nothing behind it counts as not there.
  std::optional<LocatedText> optionalString(llvm::StringRef Name) {
    const YamlNode *Node = Fields.take(Name);
    Null = Node && Node->isNull();
    if (!Node || Null)
      return std::nullopt;
    if (!Node->isString()) {
      reportKind(Diags, diag::FieldNotString, *Node, Name, "a string");
      return std::nullopt;
    }
    return Node->Text;
  }

  const NativeFunction *lookUp(const YamlNode &Item, llvm::StringRef Field) {
    if (!Item.isString()) {
      reportKind(Diags, diag::BackendOpKind, Item, Field, "a list of operator names");
      return nullptr;
    }
    llvm::StringRef Name = Item.Text.Text;
    const NativeFunction *F = Ops.find(Name);
    if (!F && !Ops.isUnread(Name))
      Diags.report(diag::BackendUnknownOp, Item.at(), "there is no operator '{0}'{1}", Name,
                   suggestion(Name));
    return F;
  }

  /// A name may also lack its overload, or have a namespace too many.
  std::string suggestion(llvm::StringRef Name) {
    size_t Colons = Name.rfind("::");
    llvm::StringRef Bare = Colons == llvm::StringRef::npos ? Name : Name.drop_front(Colons + 2);
    if (Bare != Name && Ops.find(Bare))
      return "; did you mean '" + Bare.str() + "'?";
    if (Near.exhausted())
      return "";
    std::vector<llvm::StringRef> Overloads;
    for (llvm::StringRef Known : Names)
      if (Known.starts_with(Name) && Known.drop_front(Name.size()).starts_with("."))
        Overloads.push_back(Known);
    if (Overloads.size() == 1)
      return "; did you mean '" + Overloads[0].str() + "'?";
    if (!Overloads.empty())
      return "; its overloads are " + llvm::join(Overloads, ", ");
    return Near.didYouMean(Name);
  }

  std::vector<BackendOp> readOps(llvm::StringRef Field, bool NullIsEmpty) {
    std::vector<BackendOp> List;
    for (const YamlNode *Item : Fields.takeList(Field, NullIsEmpty))
      if (const NativeFunction *F = lookUp(*Item, Field))
        List.push_back({F, Item->at()});
    return List;
  }

  /// Names that are not under supported or autograd have no effect; torchgen accepts them.
  void readSymInt() {
    for (const YamlNode *Item : Fields.takeList("symint", /*NullIsEmpty=*/true)) {
      if (!Item->isString())
        reportKind(Diags, diag::BackendOpKind, *Item, "symint", "a list of operator names");
      else
        SymInt.try_emplace(Item->Text.Text, Item->at());
    }
  }

  bool checkSymInt(const BackendOp &Op) {
    if (Op.Function->hasSymInt(*Ops.D))
      return true;
    Diags
        .report(diag::SymIntWithoutSymInt, SymInt.lookup(Op.Function->Schema.Name.str()),
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
      KernelEntry Entry;
      Entry.Key = Key;
      Entry.Kernel = impliedKernelName(S);
      if (SymInt.contains(S.Name.str()) && checkSymInt(Op))
        Entry.Kernel += "_symint";
      Entry.CppNamespace = B.CppNamespace;
      Entry.At = Op.At;
      Index.Kernels[Op.Function] = std::move(Entry);
    }
    return Index;
  }

  std::optional<DispatchKey> readKey(llvm::StringRef Name, DiagId Id, llvm::StringRef What) {
    std::optional<DispatchKey> Key = parseDispatchKey(Name);
    if (!Key || llvm::is_contained(Ops.D->Keys.Unknown, *Key)) {
      std::vector<llvm::StringRef> Known;
      for (unsigned I = 0; I != NumDispatchKeys; ++I)
        Known.push_back(toString(static_cast<DispatchKey>(I)));
      Diags.report(Id, BackendAt, "'{0}' is no dispatch key{1}{2}", Name, What,
                   didYouMean(Name, Known));
      return std::nullopt;
    }
    if (Ops.index(*Key)) {
      Diags.report(
          diag::BackendKeyInTree, BackendAt,
          "dispatch key '{0}' has kernels in native_functions.yaml and cannot be that of an "
          "external backend",
          Name);
      return std::nullopt;
    }
    return Key;
  }

  /// Where nothing is supported nothing is generated, and neither key nor namespace matters yet.
  void checkNamespace() {
    size_t Levels = llvm::StringRef(B.CppNamespace).count("::") + 1;
    if (Levels > MaxNamespaceLevels)
      Diags.report(diag::BackendNamespaceDepth, NamespaceAt,
                   "namespace '{0}' has {1} levels; at most {2} can be generated", B.CppNamespace,
                   Levels, MaxNamespaceLevels);
  }

  void buildIndices() {
    if (!B.Supported.empty())
      checkNamespace();
    if (!B.Supported.empty())
      if (auto Key = readKey(B.Backend, diag::BackendUnknownKey, ""))
        B.Index = makeIndex(*Key, B.Supported);
    if (!B.Autograd.empty())
      if (auto Key = readKey("Autograd" + B.Backend, diag::BackendUnknownAutogradKey,
                             ", which 'autograd:' needs"))
        B.AutogradIndex = makeIndex(*Key, B.Autograd);
    for (const FunctionOrGroup &G : Ops.Grouped)
      checkNotMixed(G);
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
        .report(
            diag::BackendMixedKeys, Backward->At,
            "'{0}' is under 'autograd:' and '{1}' under 'supported:'; the variants of one op are "
            "registered to one of the two keys",
            Backward->Function->Schema.Name.str(), Forward->Function->Schema.Name.str())
        .op(Backward->Function->Schema.Name.str())
        .note(Forward->At, "the other variant is here");
  }

  FieldReader Fields;
  const Operators &Ops;
  Diagnostics &Diags;
  std::vector<llvm::StringRef> Names;
  NearNames Near;
  ExternalBackend B;
  Place BackendAt;
  Place NamespaceAt;
  bool Null = false;
  /// Under `symint:`, with their places.
  llvm::StringMap<Place> SymInt;
};

} // namespace

std::optional<ExternalBackend> loadBackend(FileId Yaml, const SourceFiles &Files,
                                           const Operators &Ops, Diagnostics &Diags) {
  size_t Before = Diags.size();
  YamlTree Tree(Yaml, Files, Diags);
  if (!Tree.root())
    return std::nullopt;
  if (Tree.root()->Is != YamlNode::Map) {
    Diags.report(diag::BackendNotMap, Tree.root()->at(),
                 "a backend YAML must be a mapping with 'backend' and 'cpp_namespace'; {0}",
                 found(*Tree.root()));
    return std::nullopt;
  }
  ExternalBackend B = BackendReader(*Tree.root(), Yaml, Ops, Diags).run();
  // The file's own errors count, too: a duplicate key leaves a tree.
  return Diags.size() == Before ? std::optional(std::move(B)) : std::nullopt;
}

} // namespace opsig
