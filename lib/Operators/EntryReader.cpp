//===- EntryReader.cpp - The fields of an entry -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EntryInternal.h"
#include "opsig/Operators/YamlFields.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "llvm/ADT/STLExtras.h"

namespace opsig {
namespace {

constexpr llvm::StringRef KnownFields[] = {
    "func",
    "variants",
    "manual_kernel_registration",
    "manual_cpp_binding",
    "device_guard",
    "device_check",
    "structured",
    "structured_delegate",
    "structured_inherits",
    "python_module",
    "category_override",
    "precomputed",
    "tags",
    "dispatch",
    "autogen",
    "ufunc_inner_loop",
    "cpp_no_default_args",
    "use_const_ref_for_mutable_tensors",
};

/// The part of \p Whole that starts at \p Offset.
LocatedText part(const LocatedText &Whole, llvm::StringRef Piece) {
  size_t Offset = Piece.data() - Whole.Text.data();
  return {Piece, Whole.at(Offset, Piece.size()), Whole.Verbatim};
}

/// An empty list of names is one empty name, so that it is found to be wrong.
std::vector<llvm::StringRef> atLeastOne(std::vector<llvm::StringRef> Pieces, llvm::StringRef Text) {
  if (Pieces.empty())
    Pieces.push_back(Text);
  return Pieces;
}

/// Only one level of namespace stands before a schema; the rest of the text is the schema.
bool readSchema(FieldReader &Fields, NativeFunction &F, const EntryContext &C) {
  const YamlNode *Node = Fields.take("func");
  if (!Node) {
    C.Diags.report(finding::MissingFunc, Fields.at(), "this entry needs a 'func' with its schema");
    return false;
  }
  if (!Node->isString()) {
    reportKind(C.Diags, finding::FieldNotString, *Node, "func", "a schema");
    return false;
  }
  NamespacedName Split = splitNamespace(Node->Text, 1, finding::SchemaNamespaceDepth, C.Diags);
  if (!Split.Namespace.empty())
    F.Namespace = Split.Namespace.str();
  F.SchemaText = part(Node->Text, Split.Name);
  F.Entry = Fields.at();

  SchemaErrors Errors;
  std::optional<FunctionSchema> Schema = parseSchema(Split.Name, C.G, Errors);
  report(C.Diags, F.SchemaText, Errors);
  if (!Schema)
    return false;
  F.Schema = std::move(*Schema);
  F.SchemaAsWritten = Errors.empty();
  F.Kind = F.Schema.kind();
  return true;
}

void readVariants(FieldReader &Fields, NativeFunction &F, const EntryContext &C) {
  std::optional<LocatedText> Text = Fields.takeString("variants");
  if (!Text)
    return;
  F.IsFunctionVariant = F.IsMethodVariant = false;
  for (llvm::StringRef Piece : atLeastOne(splitList(Text->Text), Text->Text)) {
    if (Piece == "function")
      F.IsFunctionVariant = true;
    else if (Piece == "method")
      F.IsMethodVariant = true;
    else
      C.Diags.report(
          finding::UnknownVariant, part(*Text, Piece).At,
          "unknown variant '{0}'; expected 'function', 'method', or both separated by ', '{1}",
          Piece, didYouMean(Piece, {"function", "method"}));
  }
}

void readDeviceCheck(FieldReader &Fields, NativeFunction &F, const EntryContext &C) {
  std::optional<LocatedText> Text = Fields.takeStringOrNothing("device_check");
  if (!Text)
    return;
  if (Text->Text == "NoCheck")
    F.Check = DeviceCheck::NoCheck;
  else if (Text->Text != "ExactSame")
    C.Diags.report(finding::UnknownDeviceCheck, Text->At,
                   "unknown device check '{0}'; expected 'NoCheck' or 'ExactSame'{1}", Text->Text,
                   didYouMean(Text->Text, {"NoCheck", "ExactSame"}));
}

void readTag(const LocatedText &Tag, NativeFunction &F, const EntryContext &C) {
  if (!C.TagsAreKnown || llvm::is_contained(C.ValidTags, Tag.Text)) {
    F.Tags.push_back(Tag.Text.str());
    return;
  }
  std::vector<llvm::StringRef> Names(C.ValidTags.begin(), C.ValidTags.end());
  // Releases whose tags are lists were preceded by ones that had commas in a string.
  bool IsList = Tag.Text.contains(',') && C.D.Schema.Tags == TagSyntax::OneOrList;
  C.Diags.report(finding::UnknownTag, Tag.At, "tag '{0}' is not declared in tags.yaml{1}", Tag.Text,
                 IsList ? llvm::formatv("; write several tags as a list: [{0}]", Tag.Text).str()
                        : didYouMean(Tag.Text, Names));
}

void readTags(FieldReader &Fields, NativeFunction &F, const EntryContext &C) {
  const YamlNode *Node = Fields.take("tags");
  if (Node && Node->isString()) {
    if (C.D.Schema.Tags == TagSyntax::OneOrList)
      readTag(Node->Text, F, C);
    else if (!Node->Text.Text.empty())
      for (llvm::StringRef Piece : splitList(Node->Text.Text))
        readTag(part(Node->Text, Piece), F, C);
  } else if (Node && Node->Is == YamlNode::Sequence && C.D.Schema.Tags == TagSyntax::OneOrList) {
    for (const YamlNode *Item : Node->Children) {
      if (Item->isString())
        readTag(Item->Text, F, C);
      else
        reportKind(C.Diags, finding::FieldNotString, *Item, "an item of 'tags'", "a tag");
    }
  } else if (Node) {
    bool Lists = C.D.Schema.Tags == TagSyntax::OneOrList;
    reportKind(C.Diags, finding::TagsKind, *Node, "tags",
               Lists ? "a tag or a list of tags" : "a string of tags separated by ', '");
  }
  llvm::StringRef Implicit = C.D.Schema.ImplicitTag;
  if (!Implicit.empty() && F.Namespace == "aten" && llvm::is_contained(C.ValidTags, Implicit))
    F.Tags.push_back(Implicit.str());
  if (llvm::StringRef Tag = kindTag(F.Schema, C.D); llvm::is_contained(C.ValidTags, Tag))
    F.Tags.push_back(Tag.str());
  llvm::sort(F.Tags);
  F.Tags.erase(llvm::unique(F.Tags), F.Tags.end());
}

void readStructured(FieldReader &Fields, NativeFunction &F, const EntryContext &C) {
  F.Structured = Fields.takeBool("structured", false);
  if (std::optional<LocatedText> Delegate = Fields.takeStringOrNothing("structured_delegate")) {
    if (Delegate->Text.contains("::"))
      C.Diags.report(finding::DelegateNamespace, Delegate->At,
                     "'structured_delegate' must not have a namespace; the delegate is always in "
                     "the operator's namespace");
    else
      F.StructuredDelegate = readOperatorName(*Delegate, C);
  }
  if (std::optional<LocatedText> Inherits = Fields.takeStringOrNothing("structured_inherits")) {
    if (Inherits->Text.contains("::"))
      C.Diags.report(finding::InheritsNamespace, Inherits->At,
                     "'structured_inherits' must not have a namespace; the base class is always in "
                     "the operator's namespace");
    F.StructuredInherits = Inherits->Text.str();
  }
}

void readAutogen(FieldReader &Fields, NativeFunction &F, const EntryContext &C) {
  std::optional<LocatedText> Text = Fields.takeString("autogen");
  if (!Text || Text->Text.empty())
    return;
  for (llvm::StringRef Piece : splitList(Text->Text))
    if (std::optional<OperatorName> Name = readOperatorName(part(*Text, Piece), C))
      F.Autogen.push_back(std::move(*Name));
}

void readNoDefaultArgs(FieldReader &Fields, NativeFunction &F, const EntryContext &C) {
  std::vector<llvm::StringRef> Defaulted;
  for (const Argument &A : F.Schema.Args.all())
    if (A.Default)
      Defaulted.push_back(A.Name);
  for (const YamlNode *Item : Fields.takeList("cpp_no_default_args")) {
    if (!Item->isString()) {
      reportKind(C.Diags, finding::FieldNotString, *Item, "an item of 'cpp_no_default_args'",
                 "an argument name");
      continue;
    }
    llvm::StringRef Name = Item->Text.Text;
    if (!llvm::is_contained(Defaulted, Name))
      C.Diags.report(finding::NoDefaultArgUnknown, Item->at(),
                     "'{1}' has no argument '{0}' with a default{2}", Name, F.Schema.Name.str(),
                     didYouMean(Name, Defaulted));
    F.CppNoDefaultArgs.push_back(Name.str());
  }
}

} // namespace

void checkCppName(const LocatedText &Text, llvm::StringRef Part, llvm::StringRef What,
                  bool (*IsName)(llvm::StringRef), Findings &Diags) {
  if (!IsName(Part))
    Diags.report(finding::NameNotCpp, Text.at(Part.data() - Text.Text.data(), Part.size()),
                 "'{0}' is not a valid C++ name for {1}{2}", Part, What,
                 Part.contains('.') ? "; separate namespaces with '::'" : "");
}

NamespacedName splitNamespace(const LocatedText &Text, unsigned MaxLevels, FindingId Id,
                              Findings &Diags) {
  // Nearly no text has one, and a character is found at once.
  size_t At = Text.Text.contains(':') ? Text.Text.rfind("::") : llvm::StringRef::npos;
  if (At == llvm::StringRef::npos)
    return {{}, Text.Text, 0};
  NamespacedName Split{Text.Text.take_front(At), Text.Text.drop_front(At + 2), At + 2};
  unsigned Levels = Split.Namespace.count("::") + 1;
  if (Levels > MaxLevels)
    Diags.report(Id, Text.at(0, At), "namespace '{0}' has {1} levels; expected at most {2}",
                 Split.Namespace, Levels, MaxLevels);
  return Split;
}

std::optional<OperatorName> readOperatorName(const LocatedText &Text, const EntryContext &C) {
  SchemaErrors Errors;
  std::optional<OperatorName> Name = parseOperatorName(Text.Text, C.G, Errors);
  report(C.Diags, Text, Errors);
  return Name;
}

std::optional<NativeFunction> readEntry(const YamlNode &Map, const EntryContext &C) {
  if (Map.Is != YamlNode::Map) {
    bool LacksColon = llvm::StringRef(Map.Text.Text).starts_with("func ");
    C.Diags.report(finding::EntryNotMap, Map.at(),
                   "expected a mapping with 'func' but found {0}{1}", Map.describe(),
                   LacksColon ? "; is the ':' after 'func' missing?" : "");
    return std::nullopt;
  }
  size_t ErrorsBefore = C.Diags.size();
  FieldReader Fields(Map, C.Diags);
  NativeFunction F;
  bool HasSchema = readSchema(Fields, F, C);

  F.UseConstRefForMutableTensors = Fields.takeBool("use_const_ref_for_mutable_tensors", false);
  readVariants(Fields, F, C);
  F.ManualKernelRegistration = Fields.takeBool("manual_kernel_registration", false);
  F.ManualCppBinding = Fields.takeBool("manual_cpp_binding", false);
  F.DeviceGuard = Fields.takeBool("device_guard", true);
  readDeviceCheck(Fields, F, C);
  readStructured(Fields, F, C);
  if (std::optional<LocatedText> Module = Fields.takeStringOrNothing("python_module"))
    F.PythonModule = Module->Text.str();
  if (std::optional<LocatedText> Category = Fields.takeStringOrNothing("category_override"))
    F.CategoryOverride = Category->Text.str();
  F.Precomputed = readPrecomputed(Fields, C);
  readTags(Fields, F, C);
  readAutogen(Fields, F, C);
  if (HasSchema) {
    readNoDefaultArgs(Fields, F, C);
    readDispatch(Fields, F, C);
    readUfunc(Fields, F, C);
    checkEntry(F, Fields, C);
  } else {
    // Without a schema these cannot be judged; they are known fields all the same.
    for (llvm::StringRef Name : {"cpp_no_default_args", "dispatch", "ufunc_inner_loop"})
      Fields.take(Name);
  }
  Fields.reportUnknown(finding::UnknownField, "an entry of native_functions.yaml", KnownFields);
  if (C.Diags.size() == ErrorsBefore)
    return F;
  if (!HasSchema)
    return std::nullopt;
  C.Diags.setOp(F.Schema.Name.str(), ErrorsBefore);
  if (C.Options.Broken == BrokenEntry::LeftOut)
    return std::nullopt;
  resolveEntry(F);
  return F;
}

llvm::ArrayRef<llvm::StringRef> nativeFunctionFields() { return KnownFields; }

} // namespace opsig
