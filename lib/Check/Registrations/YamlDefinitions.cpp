//===- YamlDefinitions.cpp - operators that a backend's YAML defines ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Check/Registrations.h"
#include "opsig/Operators/CustomOperators.h"
#include "opsig/Registry/Registry.h"
#include "opsig/Schema/SymInt.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "llvm/ADT/StringSet.h"
#include <set>

using namespace opsig;
using namespace llvm;

namespace {

/// What sources register themselves: "npu::copy" for a definition, "npu::copy NPU" for a kernel.
/// What a generator made of the YAML may be among them.
StringSet<> registeredBySources(ArrayRef<UnitFacts> Units) {
  StringSet<> Out;
  for (const UnitFacts &Unit : Units)
    for (const RegistrationBlock &Block : Unit.Registrations)
      for (const RegistrationEntry &E : Block.Entries) {
        std::string Op = writtenOperator(Block, E);
        if (E.Is == RegistrationEntry::Def)
          Out.insert(Op);
        Out.insert(Op + " " + (E.Key.empty() ? Block.Key : E.Key));
      }
  return Out;
}

/// One YAML as a file that registers what a generator makes of it.
class YamlUnit {
public:
  YamlUnit(const ExternalBackend &Backend, const StringSet<> &Known, const SourceFiles &Files)
      : Backend(Backend), Known(Known), FileText(Files.text(Backend.File)) {
    Unit.MainFile = Files.name(Backend.File).str();
    Unit.Files = {Unit.MainFile};
    Unit.Parsed = true;
  }

  UnitFacts read() {
    // There are operators and kernels that could not be read.
    std::set<std::string> Lacking(Backend.Unread.Namespaces.begin(),
                                  Backend.Unread.Namespaces.end());
    Unit.Reach.Namespaces.assign(Lacking.begin(), Lacking.end());
    Unit.NumErrors = Lacking.size();
    for (const NativeFunction &F : *Backend.Custom)
      if (!Known.contains(qualifiedName(F)))
        block(RegistrationBlock::Fragment, F.Namespace, "").Entries.push_back(definition(F));
    for (const BackendList &List : Backend.Lists)
      for (const BackendOp &Op : List.Ops)
        addKernel(*Op.Function, toString(List.Index.Key));
    return std::move(Unit);
  }

private:
  RegistrationBlock &block(RegistrationBlock::Kind Is, StringRef Namespace, StringRef Key) {
    if (Unit.Registrations.empty() || Unit.Registrations.back().Is != Is ||
        Unit.Registrations.back().Namespace != Namespace || Unit.Registrations.back().Key != Key) {
      RegistrationBlock &New = Unit.Registrations.emplace_back();
      New.Is = Is;
      New.Namespace = Namespace;
      New.Key = Key;
      New.At = {0, 0, 0};
    }
    return Unit.Registrations.back();
  }

  /// \p Part of the schema that \p F is read from.
  LiteralText textOf(const NativeFunction &F, StringRef Part) const {
    LiteralText Out;
    Out.Value = Part.str();
    if (F.SchemaText.Verbatim && Part.begin() >= FileText.begin() && Part.end() <= FileText.end()) {
      Out.Whole = {0, uint32_t(Part.begin() - FileText.begin()), uint32_t(Part.size())};
      Out.Pieces.push_back({0, uint32_t(Part.size()), Out.Whole});
    }
    return Out;
  }

  RegistrationEntry definition(const NativeFunction &F) const {
    RegistrationEntry Out;
    Out.Is = RegistrationEntry::Def;
    Out.TextKnown = true;
    Out.Text = textOf(F, F.SchemaText.Text);
    Out.At = Out.Text.Whole;
    return Out;
  }

  /// A wrapper that calls the kernel, of which no more is known here.
  void addKernel(const NativeFunction &F, StringRef Key) {
    if (F.Namespace == "aten" || Known.contains((qualifiedName(F) + " " + Key).str()))
      return;
    RegistrationEntry Entry;
    Entry.Is = RegistrationEntry::Impl;
    Entry.TextKnown = true;
    Entry.Text = textOf(F, F.SchemaText.Text.take_until([](char C) { return C == '('; }));
    Entry.Kernel.Is = RegisteredKernel::Boxed;
    Entry.Kernel.Use = Entry.At = Entry.Text.Whole;
    block(RegistrationBlock::Impl, F.Namespace, Key).Entries.push_back(std::move(Entry));
  }

  const ExternalBackend &Backend;
  const StringSet<> &Known;
  StringRef FileText;
  UnitFacts Unit;
};

} // namespace

std::vector<UnitFacts> opsig::yamlDefinitions(ArrayRef<ExternalBackend> Backends,
                                              ArrayRef<UnitFacts> Units, const SourceFiles &Files) {
  auto Defines = [](const ExternalBackend &Backend) {
    return Backend.Custom && !(Backend.Custom->empty() && Backend.Unread.Namespaces.empty());
  };
  std::vector<UnitFacts> Out;
  if (none_of(Backends, Defines))
    return Out;
  StringSet<> Known = registeredBySources(Units);
  for (const ExternalBackend &Backend : make_filter_range(Backends, Defines))
    Out.push_back(YamlUnit(Backend, Known, Files).read());
  return Out;
}

//===----------------------------------------------------------------------===//
// Schemas in both places
//===----------------------------------------------------------------------===//

static bool isSame(const Argument &L, const Argument &R) {
  return isSameButForSymInt(L.Ty.dispatched().str(), R.Ty.dispatched().str()) && L.Name == R.Name &&
         L.Annotation.has_value() == R.Annotation.has_value() && L.isWrite() == R.isWrite() &&
         L.Default.has_value() == R.Default.has_value();
}

static bool isSame(ArrayRef<Argument> L, ArrayRef<Argument> R) {
  return L.size() == R.size() &&
         all_of(zip(L, R), [](auto Both) { return isSame(std::get<0>(Both), std::get<1>(Both)); });
}

static bool isSame(const FunctionSchema &L, const FunctionSchema &R) {
  return L.Args.NumPositional == R.Args.NumPositional && isSame(L.Args.all(), R.Args.all()) &&
         isSame(L.Returns, R.Returns);
}

void opsig::compareYamlDefinitions(ArrayRef<ExternalBackend> Backends, const Registry &R,
                                   UnitFiles &Files, Findings &Diags) {
  StringMap<CustomOperator> InYaml = customOperators(Backends);
  for (const EntryRef &E : R.entries()) {
    if (InYaml.empty() || !E.isDef() || !E.Schema || E.Schema->NameOnly || E.Entry->Conditional ||
        E.Unit->isOtherBranch())
      continue;
    std::string Op = writtenOperator(*E.Block, *E.Entry);
    const NativeFunction *F = InYaml.lookup(Op).Function;
    Place At = Files.place(*E.Unit, E.Entry->Text.Whole);
    if (F && At.File != F->SchemaText.At.File && !isSame(*E.Schema, F->Schema))
      Diags
          .report(finding::BackendCustomClash, At,
                  "'{0}' is also defined in the backend's YAML, with a different schema", Op)
          .op(Op)
          .note(F->SchemaText.At, F->SchemaText.Text.str());
  }
}
