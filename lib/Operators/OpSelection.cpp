//===- OpSelection.cpp - The operators of a selective build -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FieldReaderInternal.h"
#include "opsig/Dialect/AtenTraits.h"
#include "opsig/Operators/CustomOperators.h"
#include "opsig/Operators/OpSelection.h"
#include "opsig/Operators/OperatorSuggestion.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace opsig {

namespace {

constexpr StringRef KnownFields[] = {"include_all_non_op_selectives",
                                     "include_all_operators",
                                     "debug_info",
                                     "operators",
                                     "kernel_metadata",
                                     "et_kernel_metadata",
                                     "custom_classes",
                                     "build_features"};
constexpr StringRef KnownOpFields[] = {"name", "is_root_operator", "is_used_for_training",
                                       "include_all_overloads", "debug_info"};

/// Only that they are there matters.
void takeAll(FieldReader &Fields, ArrayRef<StringRef> Names) {
  for (StringRef Name : Names)
    Fields.take(Name);
}

SelectedOp readOp(const YamlNode &Name, const YamlNode &Value, Findings &Diags) {
  SelectedOp Op{Name.Text.Text.str(), /*AllOverloads=*/true, Name.at()};
  if (Value.Is != YamlNode::Map) {
    reportKind(Diags, finding::SelectionNotMap, Value, Op.Name, "a mapping");
    return Op;
  }
  FieldReader Fields(Value, Diags);
  Op.AllOverloads = Fields.takeBool("include_all_overloads", true);
  Fields.takeBool("is_root_operator", true);
  Fields.takeBool("is_used_for_training", true);
  (void)Fields.takeList("debug_info");
  if (std::optional<LocatedText> Again = Fields.takeString("name"); Again && Again->Text != Op.Name)
    Diags.report(finding::SelectionOtherName, Again->At,
                 "'name' is '{0}', but the key of this entry is '{1}'; remove 'name'", Again->Text,
                 Op.Name);
  Fields.reportUnknown(finding::SelectionUnknownField, "an operator of a selection", KnownOpFields);
  return Op;
}

} // namespace

OpSelection readOpSelection(SourceId File, const SourceFiles &Files, Findings &Diags) {
  OpSelection Selection;
  YamlTree Tree(File, Files, Diags);
  if (!Tree.root())
    return Selection;
  if (Tree.root()->Is != YamlNode::Map) {
    reportKind(Diags, finding::SelectionNotMap, *Tree.root(), "an op selection", "a mapping");
    return Selection;
  }
  FieldReader Fields(*Tree.root(), Diags);
  Selection.IncludesAll = Fields.takeBool("include_all_operators", false);
  Fields.takeBool("include_all_non_op_selectives", false);
  (void)Fields.takeList("debug_info");
  if (const YamlNode *Ops = Fields.take("operators")) {
    if (Ops->Is == YamlNode::Map)
      for (size_t I = 0; I + 1 < Ops->Children.size(); I += 2)
        Selection.Ops.push_back(readOp(*Ops->Children[I], *Ops->Children[I + 1], Diags));
    else
      reportKind(Diags, finding::SelectionNotMap, *Ops, "operators", "a mapping");
  }
  takeAll(Fields, {"kernel_metadata", "custom_classes", "build_features"});
  if (const YamlNode *EtKernels = Fields.take("et_kernel_metadata"))
    Selection.EtKernels = EtKernels->at();
  Fields.reportUnknown(finding::SelectionUnknownField, "an op selection", KnownFields);
  return Selection;
}

namespace {

/// The names that a selection may have.
class SelectableNames {
public:
  explicit SelectableNames(const Operators &Ops) {
    for (const NativeFunction &F : Ops.Functions) {
      std::string Name = qualifiedName(F);
      Namespaces.insert(F.Namespace);
      Bases.insert(StringRef(Name).split('.').first);
      Names.insert(Name);
    }
    NearBases.emplace(sorted(Bases));
    NearNamesOfAll.emplace(sorted(Names));
  }

  bool selectsSomething(const SelectedOp &Op) const {
    return Names.contains(Op.Name) || (Op.AllOverloads && Bases.contains(Op.Name));
  }

  /// Whether it may be an operator that others know.
  bool isForeign(const SelectedOp &Op) const {
    auto [Namespace, Rest] = StringRef(Op.Name).split("::");
    return !Rest.empty() && !Namespaces.contains(Namespace);
  }

  bool isBase(StringRef Name) const { return Bases.contains(Name); }

  std::string suggestion(const SelectedOp &Op) {
    return (Op.AllOverloads ? NearBases : NearNamesOfAll)->didYouMean(Op.Name);
  }

private:
  static std::vector<StringRef> sorted(const StringSet<> &Set) {
    std::vector<StringRef> List(Set.keys().begin(), Set.keys().end());
    llvm::sort(List);
    return List;
  }

  StringSet<> Namespaces, Names, Bases;
  std::optional<OperatorNameIndex> NearBases, NearNamesOfAll;
};

} // namespace

void checkOpSelection(const OpSelection &Selection, const Operators &Ops, Findings &Diags) {
  if (Selection.EtKernels.isValid() && !Ops.D->Aten.SelectionHasEtKernels)
    Diags.report(finding::SelectionUnknownField, Selection.EtKernels,
                 "PyTorch {0} does not support the field 'et_kernel_metadata' in an op selection",
                 Ops.D->Name);
  SelectableNames Known(Ops);
  for (const SelectedOp &Op : Selection.Ops) {
    if (Known.selectsSomething(Op) || Known.isForeign(Op))
      continue;
    if (Known.isBase(Op.Name))
      Diags.report(finding::SelectionUnknownOp, Op.At,
                   "all overloads of '{0}' have names; list one of these overloads, or set "
                   "include_all_overloads",
                   Op.Name);
    else
      Diags.report(finding::SelectionUnknownOp, Op.At, "unknown operator '{0}' in the selection{1}",
                   Op.Name, Known.suggestion(Op));
  }
}

} // namespace opsig
