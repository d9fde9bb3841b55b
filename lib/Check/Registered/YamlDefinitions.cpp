//===- YamlDefinitions.cpp - operators that a backend's YAML defines ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Check/Registrations.h"
#include "llvm/ADT/StringSet.h"

using namespace opsig;
using namespace llvm;

namespace {

/// What sources register themselves: "npu::copy" for a definition, "npu::copy NPU" for a kernel.
/// What a generator made of the YAML may be among them.
StringSet<> registeredBySources(ArrayRef<TranslationUnit> Units) {
  StringSet<> Out;
  for (const TranslationUnit &Unit : Units)
    for (const RegistrationBlock &Block : Unit.Registrations)
      for (const RegistrationEntry &E : Block.Entries) {
        StringRef Name = StringRef(E.Text.Value).take_until([](char C) { return C == '('; }).trim();
        std::string Op = (Name.contains("::") ? "" : Block.Namespace + "::") + Name.str();
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

  TranslationUnit read() {
    for (const NativeFunction &F : *Backend.Custom)
      if (!Known.contains(nameOf(F)))
        block(RegistrationBlock::Fragment, F.Namespace, "").Entries.push_back(definition(F));
    for (const BackendList &List : Backend.Lists)
      for (const BackendOp &Op : List.Ops)
        addKernel(*Op.Function, toString(List.Index.Key));
    return std::move(Unit);
  }

private:
  static std::string nameOf(const NativeFunction &F) {
    return F.Namespace + "::" + F.Schema.Name.str();
  }

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
    if (F.Namespace == "aten" || Known.contains((nameOf(F) + " " + Key).str()))
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
  TranslationUnit Unit;
};

} // namespace

std::vector<TranslationUnit> opsig::yamlDefinitions(ArrayRef<ExternalBackend> Backends,
                                                    ArrayRef<TranslationUnit> Units,
                                                    const SourceFiles &Files) {
  auto Defines = [](const ExternalBackend &Backend) {
    return Backend.Custom && !Backend.Custom->empty();
  };
  std::vector<TranslationUnit> Out;
  if (none_of(Backends, Defines))
    return Out;
  StringSet<> Known = registeredBySources(Units);
  for (const ExternalBackend &Backend : make_filter_range(Backends, Defines))
    Out.push_back(YamlUnit(Backend, Known, Files).read());
  return Out;
}
