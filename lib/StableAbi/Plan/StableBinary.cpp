//===- StableBinary.cpp - what a library wants of libtorch ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/StableAbi/StableCode.h"
#include "opsig/Support/CppName.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Object/ELFObjectFile.h"

using namespace opsig;
using namespace llvm;

/// The namespaces of PyTorch's C++, and how its C functions and Python objects are called.
static bool isTorchName(StringRef Shown) {
  static constexpr StringLiteral Begins[] = {
      "c10::", "at::", "torch::", "caffe2::", "aoti_torch_", "torch_", "THP"};
  return any_of(Begins, [&](StringRef Begin) { return Shown.starts_with(Begin); });
}

/// The name alone, without what it returns and takes: "at::Tensor::add"; of what the compiler makes
/// for a class, that class.
static std::string scopedName(const std::string &Mangled) {
  ItaniumPartialDemangler Parts;
  std::string Shown = demangle(Mangled);
  if (Parts.partialDemangle(Mangled.c_str()))
    return Shown;
  if (Parts.isFunction()) {
    auto Text = [](char *Found) {
      std::string Copy = Found ? Found : "";
      std::free(Found);
      return Copy;
    };
    std::string Scope = Text(Parts.getFunctionDeclContextName(nullptr, nullptr));
    std::string Base = Text(Parts.getFunctionBaseName(nullptr, nullptr));
    return Scope.empty() ? Base : Scope + "::" + Base;
  }
  // "vtable for at::Tensor", "guard variable for at::f()::x"
  size_t For = Shown.find(" for ");
  return For == std::string::npos ? Shown : Shown.substr(For + 5);
}

Expected<BinaryFile> opsig::readBinary(StringRef Name, MemoryBufferRef Bytes) {
  Expected<std::unique_ptr<object::ObjectFile>> Read =
      object::ObjectFile::createELFObjectFile(Bytes);
  if (!Read) {
    consumeError(Read.takeError());
    return createStringError("'" + Name +
                             "' is not an ELF file; expected a library, a program or an object "
                             "file");
  }
  const auto *Elf = cast<object::ELFObjectFileBase>(Read->get());
  BinaryFile Out;
  Out.Name = Name.str();
  auto Add = [&](const object::SymbolRef &Symbol) -> Error {
    Expected<uint32_t> Flags = Symbol.getFlags();
    if (!Flags)
      return Flags.takeError();
    if (!(*Flags & object::SymbolRef::SF_Undefined) ||
        (*Flags & object::SymbolRef::SF_FormatSpecific))
      return Error::success();
    Expected<StringRef> Called = Symbol.getName();
    if (!Called)
      return Called.takeError();
    std::string Plain = Called->split('@').first.str(); // without the version of a library
    if (!Plain.empty())
      Out.Expected.push_back({Plain, demangle(Plain), isTorchName(scopedName(Plain))});
    return Error::success();
  };
  Error Bad = Error::success();
  auto AddAll = [&](const auto &Symbols) {
    for (const object::SymbolRef &Symbol : Symbols)
      if (!Bad)
        Bad = Add(Symbol);
  };
  // A library has all that it wants in its dynamic table, also when it is stripped.
  auto Dynamic = Elf->getDynamicSymbolIterators();
  if (Dynamic.begin() != Dynamic.end())
    AddAll(Dynamic);
  else
    AddAll(Elf->symbols());
  if (Bad)
    return createStringError("'" + Name + "' cannot be read: " + toString(std::move(Bad)));
  sort(Out.Expected, [](const auto &L, const auto &R) { return L.Name < R.Name; });
  Out.Expected.erase(
      unique(Out.Expected, [](const auto &L, const auto &R) { return L.Name == R.Name; }),
      Out.Expected.end());
  return Out;
}

/// Where \p Name stands as a word of its own.
static Place findWord(StringRef Name, ArrayRef<SourceId> Sources, const SourceFiles &Files) {
  for (SourceId File : Sources)
    if (size_t At = findCppName(Files.text(File), Name); At != StringRef::npos)
      return Files.placeAt(File, At, Name.size());
  return {};
}

/// The word of a source that most likely makes the compiler want \p Symbol: the name of a function,
/// or the class whose member or table it is.
static Place findUse(const ExpectedSymbol &Symbol, ArrayRef<SourceId> Sources,
                     const SourceFiles &Files) {
  SmallVector<StringRef, 8> Parts;
  std::string Scoped = scopedName(Symbol.Name);
  StringRef(Scoped).split(Parts, "::");
  // The last word of a namespace of PyTorch's says nothing.
  for (StringRef Part : reverse(ArrayRef(Parts).drop_front(Parts.size() > 1)))
    if (Place At = findWord(Part.split('<').first, Sources, Files); At.isValid())
      return At;
  return {};
}

BinaryCount opsig::checkBinary(const BinaryFile &Binary, const StableApiIndex &Api,
                               std::optional<StableVersion> Target, ArrayRef<SourceId> Sources,
                               const SourceFiles &Files, Findings &Diags) {
  BinaryCount Count;
  for (const ExpectedSymbol &Symbol : Binary.Expected) {
    if (!Symbol.IsTorch)
      continue;
    ++Count.Torch;
    const StableItem *Item = Api.find(StableKind::Symbol, Symbol.Name);
    if (!Item) {
      Diags.report(finding::StableSymbol, findUse(Symbol, Sources, Files),
                   "'{0}' uses '{1}', which is not part of the stable ABI", Binary.Name,
                   Symbol.Shown);
      continue;
    }
    Count.Needed = std::max(Count.Needed, Item->Since);
    if (Target && Item->Since > *Target)
      Diags.report(finding::StableSymbolNewer, findUse(Symbol, Sources, Files),
                   "'{0}' uses '{1}', which needs libtorch {2}, but the target is {3}", Binary.Name,
                   Symbol.Shown, targetText(Item->Since), targetText(*Target));
  }
  return Count;
}
