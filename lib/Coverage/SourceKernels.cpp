//===- SourceKernels.cpp - What sources register, for coverage ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Coverage/SourceKernels.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace opsig {

void setPlace(CoveredKernel &Kernel, const Place &At, const SourceFiles &Files) {
  if (!At.isValid())
    return;
  Kernel.File = Files.name(At.File).str();
  Kernel.Line = At.Line;
  Kernel.Column = At.Column;
}

namespace {

class SourceReader {
public:
  SourceReader(UnitFiles &Files, CoverageInput &Input) : Files(Files), Input(Input) {
    for (size_t I = 0; I != Input.Operators.size(); ++I)
      ByName[Input.Operators[I].Name] = I;
  }

  void add(const EntryRef &E);

  SourceRegistrations Found;

private:
  /// Of the entry, or else of its block; without both a kernel is for all keys.
  std::optional<KeyId> keyOf(const EntryRef &E) {
    StringRef Name = E.key();
    if (E.Entry->KeyUnknown || (Name.empty() && E.Block->Is == RegistrationBlock::Impl)) {
      ++Found.Unread;
      return std::nullopt;
    }
    if (Name.empty())
      return Input.Keys.alias(AliasKey::CompositeImplicitAutograd);
    std::optional<KeyId> Key = Input.Keys.find(Name);
    if (!Key)
      Found.UnknownKeys.insert(Name.str());
    return Key;
  }

  static bool isOfBackend(const CoveredKernel &Kernel) {
    return Kernel.Is == Service::Own || Kernel.Is == Service::Wrapper;
  }

  CoveredOperator &operatorOf(StringRef Name) {
    auto [It, IsNew] = ByName.try_emplace(Name, Input.Operators.size());
    if (IsNew)
      Input.Operators.push_back({Name.str(), {}});
    return Input.Operators[It->second];
  }

  KernelId kernel(const EntryRef &E, Service Is) {
    const RegisteredKernel &From = E.Entry->Kernel;
    CoveredKernel Kernel;
    Kernel.Is = From.Is == RegisteredKernel::Fallthrough ? Service::Fallthrough : Is;
    Kernel.Name = From.Name;
    bool IsDefined = From.hasSignature() && From.Decl.NameAt.isValid();
    Place At = Files.place(*E.Unit, IsDefined ? From.Decl.NameAt : From.Use);
    setPlace(Kernel, At.isValid() ? At : Files.place(*E.Unit, E.Entry->At), Files.sources());
    return Input.add(std::move(Kernel));
  }

  UnitFiles &Files;
  CoverageInput &Input;
  StringMap<size_t> ByName;
};

void SourceReader::add(const EntryRef &E) {
  Found.Conditional += E.Entry->Conditional && E.hasKernel();
  if (E.Entry->Is == RegistrationEntry::Fallback) {
    if (std::optional<KeyId> Key = keyOf(E); Key && !Input.Keys.isAlias(*Key))
      Input.Fallbacks.set(*Key, kernel(E, Service::Fallback));
    return;
  }
  std::string Name = E.Op.empty() ? writtenOperator(*E.Block, *E.Entry) : E.Op;
  if (Name.empty()) {
    ++Found.Unread;
    return;
  }
  Found.Namespaces.insert(StringRef(Name).split("::").first.str());
  CoveredOperator &Op = operatorOf(Name);
  if (!E.hasKernel())
    return;
  std::optional<KeyId> Key = keyOf(E);
  if (!Key)
    return;
  Found.Keys.insert(*Key);
  KernelId Known = Op.Kernels.find(*Key);
  if (Known == NoKernel || !isOfBackend(Input.Kernels[Known]))
    Op.Kernels.set(*Key, kernel(E, Service::Own));
}

} // namespace

SourceRegistrations addSourceKernels(const Registry &R, UnitFiles &Files, CoverageInput &Input) {
  SourceReader Reader(Files, Input);
  for (const BlockRef &B : R.blocks())
    Reader.Found.Unread += !B.Block->Complete;
  for (const EntryRef &E : R.entries())
    Reader.add(E);
  return std::move(Reader.Found);
}

} // namespace opsig
