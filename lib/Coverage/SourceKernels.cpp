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

  void add(const UnitFacts &Unit, const RegistrationBlock &Block) {
    Found.Unread += !Block.isWhole();
    for (const RegistrationEntry &Entry : Block.Entries)
      add(Unit, Block, Entry);
  }

  SourceRegistrations Found;

private:
  /// "ns::op.overload" of what stands in a registration; "" where that cannot be told.
  static std::string operatorName(const RegistrationBlock &Block, const RegistrationEntry &Entry) {
    StringRef Name = StringRef(Entry.Text.Value).split('(').first.trim();
    if (!Entry.TextKnown || Name.empty())
      return "";
    if (Name.contains("::"))
      return Name.str();
    bool IsNamed = !Block.Namespace.empty() && Block.Namespace != "_";
    return IsNamed ? Block.Namespace + "::" + Name.str() : "";
  }

  /// Of the entry, or else of its block; without both a kernel is for all keys.
  std::optional<KeyId> keyOf(const RegistrationBlock &Block, const RegistrationEntry &Entry) {
    StringRef Name = !Entry.Key.empty() ? StringRef(Entry.Key) : StringRef(Block.Key);
    bool IsUnknown = Entry.KeyUnknown || (Name.empty() && Block.Is == RegistrationBlock::Impl);
    if (IsUnknown) {
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

  void add(const UnitFacts &Unit, const RegistrationBlock &Block, const RegistrationEntry &Entry) {
    bool HasKernel = Entry.Kernel.Is != RegisteredKernel::None;
    Found.Conditional += Entry.Conditional && HasKernel;
    if (Entry.Is == RegistrationEntry::Fallback) {
      if (std::optional<KeyId> Key = keyOf(Block, Entry); Key && !Input.Keys.isAlias(*Key))
        Input.Fallbacks.set(*Key, kernel(Unit, Entry, Service::Fallback));
      return;
    }
    std::string Name = operatorName(Block, Entry);
    if (Name.empty()) {
      ++Found.Unread;
      return;
    }
    Found.Namespaces.insert(StringRef(Name).split("::").first.str());
    CoveredOperator &Op = operatorOf(Name);
    if (!HasKernel)
      return;
    std::optional<KeyId> Key = keyOf(Block, Entry);
    if (!Key)
      return;
    Found.Keys.insert(*Key);
    KernelId Known = Op.Kernels.find(*Key);
    if (Known != NoKernel && isOfBackend(Input.Kernels[Known]))
      return;
    Op.Kernels.set(*Key, kernel(Unit, Entry, Service::Own));
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

  KernelId kernel(const UnitFacts &Unit, const RegistrationEntry &Entry, Service Is) {
    const RegisteredKernel &From = Entry.Kernel;
    CoveredKernel Kernel;
    Kernel.Is = From.Is == RegisteredKernel::Fallthrough ? Service::Fallthrough : Is;
    Kernel.Name = From.Name;
    bool IsDefined = From.hasSignature() && From.Decl.NameAt.isValid();
    Place At = Files.place(Unit, IsDefined ? From.Decl.NameAt : From.Use);
    setPlace(Kernel, At.isValid() ? At : Files.place(Unit, Entry.At), Files.sources());
    return Input.add(std::move(Kernel));
  }

  UnitFiles &Files;
  CoverageInput &Input;
  StringMap<size_t> ByName;
};

} // namespace

SourceRegistrations addSourceKernels(ArrayRef<UnitFacts> Units, UnitFiles &Files,
                                     CoverageInput &Input) {
  SourceReader Reader(Files, Input);
  for (const UnitFacts &Unit : Units)
    for (const RegistrationBlock &Block : Unit.Registrations)
      Reader.add(Unit, Block);
  return std::move(Reader.Found);
}

} // namespace opsig
