//===- Derivatives.cpp - Which operators have a gradient's formula -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "YamlTreeInternal.h"
#include "opsig/Operators/Derivatives.h"

using namespace llvm;

namespace opsig {

namespace {

/// A field of an entry, or of a key below `dispatch:`, that is a formula of an argument. What is
/// said of results is about derivatives forward.
bool isFormula(StringRef Field, const YamlNode &Value) {
  if (Field == "name" || Field == "output_differentiability" || Field == "result")
    return false;
  StringRef Text = Value.Text.Text;
  return Value.Is == YamlNode::Scalar && Text != "non_differentiable" &&
         !Text.starts_with("not_implemented");
}

bool hasFormula(const YamlNode &Map) {
  for (size_t I = 0; I + 1 < Map.Children.size(); I += 2) {
    const YamlNode &Value = *Map.Children[I + 1];
    if (Value.Is == YamlNode::Map ? hasFormula(Value)
                                  : isFormula(Map.Children[I]->Text.Text, Value))
      return true;
  }
  return false;
}

/// "add.Tensor" of `name: add.Tensor(Tensor self, ...) -> Tensor`; "" without.
StringRef nameOf(const YamlNode &Entry) {
  for (size_t I = 0; I + 1 < Entry.Children.size(); I += 2)
    if (Entry.Children[I]->Text.Text == "name")
      return Entry.Children[I + 1]->Text.Text.split('(').first.trim();
  return "";
}

} // namespace

Derivatives::Derivatives(SourceId File, const SourceFiles &Files, const Operators &Ops) {
  Findings OfPyTorch;
  YamlTree Tree(File, Files, OfPyTorch);
  if (Tree.root() && Tree.root()->Is == YamlNode::Sequence)
    for (const YamlNode *Entry : Tree.root()->Children)
      if (Entry->Is == YamlNode::Map && opsig::hasFormula(*Entry))
        Named.insert(nameOf(*Entry));
  for (const FunctionOrGroup &G : Ops.Grouped)
    if (const auto *Group = std::get_if<NativeFunctionsGroup>(&G))
      if (Group->Inplace)
        FunctionalOf[Group->Inplace] = Group->Functional;
}

bool Derivatives::hasFormula(const NativeFunction &F) const {
  if (Named.contains(F.Schema.Name.str()))
    return true;
  const NativeFunction *Functional = FunctionalOf.lookup(&F);
  return Functional && Named.contains(Functional->Schema.Name.str());
}

} // namespace opsig
