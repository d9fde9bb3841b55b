//===- DefinedOperators.cpp - the operators that a project defines ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registrations/RegistrationInternal.h"
#include "opsig/Check/DefinedOperators.h"
#include "opsig/Check/InferredSchema.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

class DefinitionReader {
public:
  void add(const EntryRef &E, UnitFiles &In);

  DefinedOperators Out;

private:
  static DefinedOperator read(const EntryRef &E, UnitFiles &In);
  static DefinedOperator inferred(DefinedOperator Op, const EntryRef &E);

  std::map<std::string, size_t> ByName;
};

/// m.def("f", &f): the schema is made of the kernel's types.
DefinedOperator DefinitionReader::inferred(DefinedOperator Op, const EntryRef &E) {
  std::string Name = E.Schema->operatorName();
  Op.Schema.reset();
  if (!E.Entry->SchemaUnread)
    Op.Schema = inferredSchema(Name, E.Entry->Kernel, E.Unit->Names);
  if (Op.Schema)
    Op.Text = Op.Schema->str();
  return Op;
}

DefinedOperator DefinitionReader::read(const EntryRef &E, UnitFiles &In) {
  DefinedOperator Op{StringRef(E.Op).split("::").first.str(), E.Schema->operatorName(), E.Schema,
                     E.Entry->Text.Value, In.place(*E.Unit, E.Entry->Text.Whole)};
  return E.Schema->NameOnly ? inferred(std::move(Op), E) : Op;
}

void DefinitionReader::add(const EntryRef &E, UnitFiles &In) {
  if (!E.isDef())
    return;
  if (!E.Schema || E.Op.empty()) {
    ++Out.Unread;
    Out.Open.insert(E.Block->Namespace);
    return;
  }
  DefinedOperator Op = read(E, In);
  auto [Known, IsNew] = ByName.try_emplace(E.Op, Out.All.size());
  if (IsNew) {
    Out.All.push_back(std::move(Op));
    return;
  }
  DefinedOperator &First = Out.All[Known->second];
  if (!First.Schema)
    First = std::move(Op);
  else if (Op.Schema && Op.Text != First.Text && !is_contained(Out.Ambiguous, E.Op))
    Out.Ambiguous.push_back(E.Op);
}

} // namespace

DefinedOperators opsig::definedOperators(ArrayRef<UnitFacts> Units,
                                         ArrayRef<ExternalBackend> Backends, const Operators &Ops,
                                         SourceFiles &Files) {
  DefinitionReader Reader;
  auto Read = [&](ArrayRef<UnitFacts> Of, const Registry &Known, UnitFiles &In) {
    for (const EntryRef &E : Known.entries())
      Reader.add(E, In);
    ReadNamespaces Whole(Of, Known.blocks());
    Reader.Out.Open.insert(Whole.lacking().begin(), Whole.lacking().end());
    Reader.Out.AnyOpen |= Whole.isNoneWhole();
  };
  forEachRegistry(Units, Backends, Ops, Files, Read);
  return std::move(Reader.Out);
}

void opsig::forEachRegistry(
    ArrayRef<UnitFacts> Units, ArrayRef<ExternalBackend> Backends, const Operators &Ops,
    SourceFiles &Files,
    function_ref<void(ArrayRef<UnitFacts> Of, const Registry &Known, UnitFiles &In)> Visit) {
  std::vector<UnitFacts> OfYaml = yamlDefinitions(Backends, Units, Files);
  for (ArrayRef<UnitFacts> Of : {Units, ArrayRef<UnitFacts>(OfYaml)}) {
    UnitFiles In(Of, Files);
    Registry Known(Of, grammarOf(*Ops.D), In);
    resolveMisspelled(Known);
    Visit(Of, Known, In);
  }
}
