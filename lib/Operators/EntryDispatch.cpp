//===- EntryDispatch.cpp - Dispatch tables, ufunc loops, precomputed values -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EntryInternal.h"
#include "opsig/Schema/KernelName.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "llvm/ADT/STLExtras.h"

namespace opsig {
namespace {

std::vector<llvm::StringRef> keyNames(llvm::ArrayRef<DispatchKey> Keys) {
  std::vector<llvm::StringRef> Names;
  for (DispatchKey Key : Keys)
    Names.push_back(toString(Key));
  return Names;
}

/// One key of a table's left side, or nothing if it is wrong or dropped.
std::optional<DispatchKey> readKey(llvm::StringRef Name, const Place &At, bool &Dropped,
                                   const EntryContext &C) {
  std::optional<DispatchKey> Key = parseDispatchKey(Name);
  if (!Key && llvm::is_contained(C.D.Keys.Foreign, Name)) {
    Dropped = true;
    return DispatchKey::Undefined;
  }
  if (!Key || llvm::is_contained(C.D.Keys.Unknown, *Key)) {
    C.Diags.report(finding::UnknownDispatchKey, At, "unknown dispatch key '{0}'{1}", Name,
                   didYouMean(Name, keyNames(C.D.Keys.Dispatch)));
    return std::nullopt;
  }
  Dropped = llvm::is_contained(C.Options.DroppedKeys, *Key);
  if (!Dropped && !llvm::is_contained(C.D.Keys.Dispatch, *Key)) {
    C.Diags.report(finding::UnsupportedDispatchKey, At,
                   "dispatch key '{0}' cannot have kernels in native_functions.yaml", Name);
    return std::nullopt;
  }
  return Key;
}

struct TableSummary {
  unsigned WrittenKeys = 0;
  bool NamesImpliedKernel = false; ///< CompositeImplicitAutograd: the name it has by itself
  Place ImpliedAt;
};

void readTable(const YamlNode &Table, NativeFunction &F, TableSummary &Summary,
               const EntryContext &C) {
  for (size_t I = 0; I + 1 < Table.Children.size(); I += 2) {
    const YamlNode &Keys = *Table.Children[I], &Kernel = *Table.Children[I + 1];
    if (!Keys.isString()) {
      C.Diags.report(finding::DispatchKeyKind, Keys.at(),
                     "a key of 'dispatch' must be a string such as 'CPU' or 'CPU, CUDA', {0}",
                     found(Keys));
      continue;
    }
    if (!Kernel.isString()) {
      reportKind(C.Diags, finding::DispatchValueKind, Kernel, "a value of 'dispatch'",
                 "the name of a kernel");
      continue;
    }
    NamespacedName Name = splitNamespace(Kernel.Text, C.D.Schema.KernelNamespaceLevels,
                                         finding::KernelNamespaceDepth, C.Diags);
    checkCppName(Kernel.Text, Name.Name, "a kernel", isCppName, C.Diags);
    if (!Name.Namespace.empty())
      checkCppName(Kernel.Text, Name.Namespace, "a namespace", isQualifiedCppName, C.Diags);
    llvm::SmallVector<llvm::StringRef, 4> Pieces;
    Keys.Text.Text.split(Pieces, ',');
    for (llvm::StringRef Piece : Pieces) {
      ++Summary.WrittenKeys;
      llvm::StringRef KeyName = Piece.trim();
      size_t Offset = KeyName.data() - Keys.Text.Text.data();
      Place KeyAt = Keys.Text.at(Offset, KeyName.size());
      bool Dropped = false;
      std::optional<DispatchKey> Key = readKey(KeyName, KeyAt, Dropped, C);
      if (!Key || Dropped)
        continue;
      if (*Key == DispatchKey::CompositeImplicitAutograd &&
          Kernel.Text.Text == impliedKernelName(F.Schema)) {
        Summary.NamesImpliedKernel = true;
        Summary.ImpliedAt = Kernel.at();
      }
      KernelEntry Entry;
      Entry.Key = *Key;
      Entry.Kernel = Name.Name.str();
      Entry.CppNamespace = (Name.Namespace.empty() ? "at" : Name.Namespace.str()) + "::native";
      Entry.Structured = F.Structured && llvm::is_contained(C.D.Keys.Structured, *Key);
      Entry.At = Kernel.at();
      if (Entry.supportsSymInt() && !F.hasSymInt(C.D))
        C.Diags
            .report(finding::SymIntWithoutSymInt, Entry.At,
                    "kernel '{0}' has 'symint' in its name, but the schema has no SymInt",
                    Entry.Kernel)
            .op(F.Schema.Name.str());
      // As in a Python dict: a key that comes again keeps its place and takes the new kernel.
      if (auto *Before = const_cast<KernelEntry *>(F.kernel(*Key)))
        *Before = std::move(Entry);
      else
        F.Dispatch.push_back(std::move(Entry));
    }
  }
}

void checkTable(const NativeFunction &F, const TableSummary &Summary, const Place &TableAt,
                const EntryContext &C) {
  bool CountsWritten = C.D.Schema.TableCount == DispatchTableCount::WrittenKeys;
  size_t Count = CountsWritten ? Summary.WrittenKeys : F.Dispatch.size();
  if (Count == 1 && Summary.NamesImpliedKernel) {
    C.Diags.report(finding::RedundantDispatch, Summary.ImpliedAt,
                   "this dispatch table repeats the default; remove it");
    return;
  }
  bool OnlyImplicit =
      F.Dispatch.size() == 1 && F.Dispatch[0].Key == DispatchKey::CompositeImplicitAutograd;
  if (F.StructuredDelegate || !OnlyImplicit || (CountsWritten && Summary.WrittenKeys != 1) ||
      F.Dispatch[0].supportsSymInt())
    return;
  C.Diags.report(
      finding::SingletonKernelName, F.Dispatch[0].At,
      "the only kernel of '{0}' must be called '{1}', not '{2}'; rename it and remove the "
      "dispatch table",
      F.Schema.Name.str(), impliedKernelName(F.Schema), F.Dispatch[0].Kernel);
}

bool isFactoryLike(const NativeFunction &F) {
  std::string Name = F.Schema.Name.Name.str();
  return llvm::StringRef(Name).starts_with("new_") || llvm::StringRef(Name).ends_with("_like") ||
         (F.Schema.Args.hasTensorOptions() && !F.Schema.Args.hasTensorArg());
}

void implyTable(NativeFunction &F, const EntryContext &C) {
  if (isFactoryLike(F)) {
    C.Diags
        .report(finding::FactoryNeedsDispatch, F.SchemaText.At,
                "'{0}' creates tensors, so it needs a dispatch table, for example with "
                "CompositeExplicitAutograd",
                F.Schema.Name.str())
        .op(F.Schema.Name.str());
    return;
  }
  KernelEntry Entry;
  Entry.Key = DispatchKey::CompositeImplicitAutograd;
  Entry.Kernel = impliedKernelName(F.Schema);
  Entry.CppNamespace = "at::native";
  F.Dispatch.push_back(std::move(Entry));
}

/// The composite keys exclude one another, but for the nested-tensor form of the implicit one.
void checkComposites(const NativeFunction &F, const Place &TableAt, const EntryContext &C) {
  llvm::SmallVector<DispatchKey, 4> Composites;
  for (const KernelEntry &Entry : F.Dispatch)
    if (isCompositeKey(Entry.Key))
      Composites.push_back(Entry.Key);
  bool Pair = Composites.size() == 2 &&
              llvm::is_contained(Composites, DispatchKey::CompositeImplicitAutogradNestedTensor) &&
              !llvm::is_contained(Composites, DispatchKey::CompositeExplicitAutogradNonFunctional);
  if (Composites.size() <= 1 || Pair)
    return;
  Place At = F.kernel(Composites[1])->At;
  C.Diags.report(finding::ConflictingComposites, At.isValid() ? At : TableAt,
                 "'{0}' has kernels for both {1} and {2}; each is for all backends, so remove one",
                 F.Schema.Name.str(), toString(Composites[0]), toString(Composites[1]));
}

/// "Integral" and so on; nothing for other words.
llvm::ArrayRef<llvm::StringLiteral> dtypeClass(llvm::StringRef Name) {
  // A class that contains others lists their types in the order of the classes.
  static constexpr llvm::StringLiteral All[] = {
      "Byte", "Char", "Int", "Long", "Short", "Float", "Double", "ComplexFloat", "ComplexDouble"};
  llvm::ArrayRef<llvm::StringLiteral> Types(All);
  if (Name == "Integral")
    return Types.take_front(5);
  if (Name == "Floating")
    return Types.slice(5, 2);
  if (Name == "Complex")
    return Types.slice(7, 2);
  if (Name == "All")
    return Types.take_front(7);
  if (Name == "AllAndComplex")
    return Types;
  if (Name == "FloatingAndComplex")
    return Types.slice(5, 4);
  return {};
}

void addDtype(UfuncInnerLoop &Loop, llvm::StringRef Name) {
  if (!llvm::is_contained(Loop.Dtypes, Name))
    Loop.Dtypes.push_back(Name.str());
}

/// "name (Dtype, Class, ...)".
std::optional<UfuncInnerLoop> readLoop(const LocatedText &Text, UfuncKey Key,
                                       const EntryContext &C) {
  auto [Name, Rest] = Text.Text.split(' ');
  if (Rest.size() < 2 || !Rest.starts_with("(") || !Rest.ends_with(")")) {
    C.Diags.report(finding::UfuncLoopSyntax, Text.At,
                   "expected a ufunc loop 'name (Type, ...)' but found '{0}'", Text.Text);
    return std::nullopt;
  }
  UfuncInnerLoop Loop{Key, Name.str(), {}};
  llvm::StringRef List = Rest.drop_front().drop_back();
  std::vector<llvm::StringRef> Pieces = splitList(List);
  if (Pieces.empty())
    Pieces.push_back(List);
  for (llvm::StringRef Piece : Pieces) {
    llvm::ArrayRef<llvm::StringLiteral> Class = dtypeClass(Piece);
    for (llvm::StringRef Member : Class)
      addDtype(Loop, Member);
    if (!Class.empty())
      continue;
    if (!llvm::is_contained(C.D.Schema.ScalarTypes, Piece)) {
      std::vector<llvm::StringRef> Known(C.D.Schema.ScalarTypes.begin(),
                                         C.D.Schema.ScalarTypes.end());
      size_t Offset = Piece.data() - Text.Text.data();
      C.Diags.report(finding::UnknownDtype, Text.at(Offset, Piece.size()),
                     "unknown scalar type or class of types '{0}'{1}", Piece,
                     didYouMean(Piece, Known));
      continue;
    }
    addDtype(Loop, Piece);
  }
  return Loop;
}

} // namespace

void readDispatch(FieldReader &Fields, NativeFunction &F, const EntryContext &C) {
  const YamlNode *Table = Fields.take("dispatch");
  Place TableAt = Fields.keyPlace("dispatch");
  if (Table && Table->Is == YamlNode::Map) {
    if (F.ManualKernelRegistration)
      C.Diags.report(
          finding::ManualWithDispatch, TableAt,
          "'manual_kernel_registration' and 'dispatch' cannot be combined: 'dispatch' has "
          "no effect on kernels that are registered by hand");
    TableSummary Summary;
    size_t Before = C.Diags.size();
    readTable(*Table, F, Summary, C);
    if (C.Diags.size() == Before)
      checkTable(F, Summary, TableAt, C);
  } else if (Table && !Table->isNull()) {
    reportKind(C.Diags, finding::DispatchNotMap, *Table, "dispatch",
               "a mapping of keys to kernels");
  } else if (!F.Structured && !F.StructuredDelegate) {
    implyTable(F, C);
  }
  checkComposites(F, TableAt, C);
}

void readUfunc(FieldReader &Fields, NativeFunction &F, const EntryContext &C) {
  const YamlNode *Node = Fields.take("ufunc_inner_loop");
  if (!Node)
    return;
  if (Node->isString()) {
    if (auto Loop = readLoop(Node->Text, UfuncKey::Generic, C))
      F.UfuncInnerLoops.push_back(std::move(*Loop));
  } else if (Node->Is == YamlNode::Map) {
    for (size_t I = 0; I + 1 < Node->Children.size(); I += 2) {
      const YamlNode &KeyNode = *Node->Children[I], &Value = *Node->Children[I + 1];
      std::optional<UfuncKey> Key = parseUfuncKey(KeyNode.Text.Text);
      if (!Key) {
        C.Diags.report(
            finding::UnknownUfuncKey, KeyNode.at(),
            "unknown kind of ufunc loop '{0}'; most operators use 'Generic' and 'ScalarOnly'",
            KeyNode.Text.Text);
        continue;
      }
      if (!Value.isString()) {
        reportKind(C.Diags, finding::UfuncLoopKind, Value, KeyNode.Text.Text, "'name (Type, ...)'");
        continue;
      }
      if (auto Loop = readLoop(Value.Text, *Key, C))
        F.UfuncInnerLoops.push_back(std::move(*Loop));
    }
  } else {
    reportKind(C.Diags, finding::UfuncLoopKind, *Node, "ufunc_inner_loop",
               "'name (Type, ...)' or a mapping of loop kinds to such strings");
  }
  if (F.UfuncInnerLoops.empty())
    return;
  if (!F.Structured) {
    C.Diags.report(finding::UfuncNotStructured, Fields.keyPlace("ufunc_inner_loop"),
                   "'{0}' has ufunc loops, so it needs 'structured: True'", F.Schema.Name.str());
    return;
  }
  for (DispatchKey Key : C.D.Keys.Ufunc) {
    if (const KernelEntry *Explicit = F.kernel(Key)) {
      C.Diags.report(
          finding::UfuncWithDispatch, Explicit->At,
          "the {0} kernel of '{1}' is generated from the operator's ufunc loops; remove this entry",
          toString(Key), F.Schema.Name.str());
      continue;
    }
    KernelEntry Entry;
    Entry.Key = Key;
    Entry.Kernel = ("ufunc_" + F.Schema.Name.Name.str() + "_" + toString(Key)).str();
    Entry.CppNamespace = "at::native";
    Entry.Structured = true;
    F.Dispatch.push_back(std::move(Entry));
  }
}

namespace {

/// Arguments separated by commas, each printed back as it was written.
std::vector<Argument> readPrecomputedArgs(const LocatedText &Whole, llvm::StringRef List,
                                          const EntryContext &C) {
  std::vector<Argument> Args;
  llvm::SmallVector<llvm::StringRef, 4> Pieces;
  List.split(Pieces, ',');
  for (llvm::StringRef Piece : Pieces) {
    llvm::StringRef Text = Piece.trim();
    size_t Offset = Text.data() - Whole.Text.data();
    LocatedText Located{Text, Whole.at(Offset, Text.size()), Whole.Verbatim};
    SchemaErrors Errors;
    std::optional<Argument> A = parseArgument(Text, C.G, Errors);
    report(C.Diags, Located, Errors);
    if (!A)
      continue;
    if (llvm::StringRef(A->Name).upper() == A->Name)
      C.Diags.report(finding::PrecomputedUpperName, Located.At,
                     "precomputed name '{0}' needs a lower-case letter, because its upper-case "
                     "form becomes a template parameter",
                     A->Name);
    Args.push_back(std::move(*A));
  }
  return Args;
}

void readReplacement(const YamlNode &Item, Precompute &P, const EntryContext &C) {
  const LocatedText &Text = Item.Text;
  llvm::SmallVector<llvm::StringRef, 3> Sides;
  Text.Text.split(Sides, " -> ");
  if (Sides.size() != 2) {
    C.Diags.report(finding::PrecomputedArrow, Text.At,
                   Sides.size() == 1
                       ? "expected 'arg -> type name, ...'; only the last precomputed item can "
                         "omit the replaced argument"
                       : "expected one ' -> ' in a precomputed item but found several");
    return;
  }
  if (C.D.Schema.PrecomputedSourceIsOneWord && Sides[0].contains(' '))
    C.Diags.report(finding::PrecomputedSource, Text.at(0, Sides[0].size()),
                   "expected the name of an argument but found '{0}', which contains a space",
                   Sides[0]);
  if (P.replacementOf(Sides[0]))
    C.Diags.report(finding::PrecomputedSource, Text.at(0, Sides[0].size()),
                   "'{0}' is already replaced above; list all of its replacements in one item",
                   Sides[0]);
  size_t Before = C.Diags.size();
  Precompute::Replacement R{Sides[0].str(), readPrecomputedArgs(Text, Sides[1], C)};
  P.Replace.push_back(std::move(R));
  if (C.Diags.size() != Before)
    return;
  std::string Printed;
  for (const Argument &A : P.Replace.back().By)
    Printed += (Printed.empty() ? "" : ", ") + A.str();
  if (Printed != Sides[1])
    C.Diags.report(
        finding::PrecomputedSpacing, Text.at(Sides[1].data() - Text.Text.data(), Sides[1].size()),
        "expected '{0}'; separate precomputed values with a comma and one space", Printed);
}

} // namespace

std::optional<Precompute> readPrecomputed(FieldReader &Fields, const EntryContext &C) {
  const YamlNode *Node = Fields.take("precomputed");
  if (!Node || Node->isNull())
    return std::nullopt;
  if (Node->Is != YamlNode::Sequence) {
    reportKind(C.Diags, finding::PrecomputedNotList, *Node, "precomputed", "a list");
    return std::nullopt;
  }
  if (Node->Children.empty())
    return std::nullopt;
  Precompute P;
  for (const YamlNode *Item : Node->Children) {
    if (!Item->isString()) {
      reportKind(C.Diags, finding::PrecomputedItemKind, *Item, "an item of 'precomputed'",
                 "'arg -> type name, ...'");
      continue;
    }
    bool IsLast = Item == Node->Children.back();
    if (IsLast && !Item->Text.Text.contains(" -> "))
      P.Add = readPrecomputedArgs(Item->Text, Item->Text.Text, C);
    else
      readReplacement(*Item, P, C);
  }
  return P;
}

} // namespace opsig
