//===- RegistrationTable.cpp - what a whole project's registrations lack ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registered/RegistrationInternal.h"

#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace opsig;
using namespace llvm;

namespace {

class TableChecker {
public:
  TableChecker(bool Incomplete, ArrayRef<BlockRef> Blocks, ArrayRef<EntryRef> Entries,
               ArrayRef<RegisteredOp> ByName, const Operators &Ops, UnitFiles &Files,
               Diagnostics &Diags);

  void run();

private:
  void implWithoutDef(const RegisteredOp &Op);
  void defWithoutKernel(const RegisteredOp &Op);
  void backendKernel(const RegisteredOp &Op);
  void missingMeta(const RegisteredOp &Op);
  Place nameOf(const EntryRef &E) const;
  bool isFree(StringRef Op, const EntryRef &E) const;
  std::vector<Fix> renaming(const EntryRef &E, StringRef Op) const;
  const NativeFunction *nativeFunction(StringRef Name) const {
    return Name.consume_front("aten::") ? Ops.find(Name) : nullptr;
  }
  bool isNativeName(StringRef Name) const {
    return Name.consume_front("aten::") && (Ops.find(Name) || Ops.isUnread(Name));
  }
  static StringRef namespaceOf(StringRef Op) { return Op.split("::").first; }

  ArrayRef<RegisteredOp> ByName;
  const Operators &Ops;
  UnitFiles &Files;
  Diagnostics &Diags;
  /// See checkRegistrationTable.
  bool Incomplete;
  /// Namespaces whose one TORCH_LIBRARY block is in the project.
  std::set<StringRef> Owned;
  /// Namespaces with some impl(): without any, the kernels are in files that were not given.
  std::set<StringRef> WithKernels;
  /// Namespaces of which some operator has a kernel for Meta.
  std::set<StringRef> WithMeta;
};

/// Serves Meta, directly or as one of all keys.
bool servesMeta(const EntryRef &E) {
  StringRef Key = E.key();
  return Key.empty() || Key == "Meta" || Key.starts_with("Composite") || Key == "CatchAll" ||
         !E.keyKnown();
}

bool isBackendKey(StringRef Key) {
  static constexpr StringLiteral Keys[] = {"CPU", "CUDA", "HIP",  "XLA",         "MPS",
                                           "IPU", "XPU",  "HPU",  "PrivateUse1", "PrivateUse2",
                                           "VE",  "Lazy", "MTIA", "PrivateUse3"};
  return is_contained(Keys, Key);
}

/// "my" of "ns::my.out".
StringRef baseName(StringRef Op) { return Op.split("::").second.split('.').first; }

/// By what stands between namespace and overload, which many names share.
bool isNearOne(StringRef Op, ArrayRef<StringRef> Names) {
  std::vector<StringRef> Bases;
  for (StringRef Name : Names)
    Bases.push_back(baseName(Name));
  return is_contained(Bases, baseName(Op)) || !didYouMean(baseName(Op), Bases).empty();
}

TableChecker::TableChecker(bool Incomplete, ArrayRef<BlockRef> Blocks, ArrayRef<EntryRef> Entries,
                           ArrayRef<RegisteredOp> ByName, const Operators &Ops, UnitFiles &Files,
                           Diagnostics &Diags)
    : ByName(ByName), Ops(Ops), Files(Files), Diags(Diags), Incomplete(Incomplete) {
  for (const BlockRef &B : Blocks)
    if (B.Block->Is == RegistrationBlock::Library)
      Owned.insert(B.Block->Namespace);
  for (const EntryRef &E : Entries)
    if (!E.Op.empty() && E.Entry->Kernel.Is != RegisteredKernel::None) {
      if (E.Entry->Is == RegistrationEntry::Impl)
        WithKernels.insert(namespaceOf(E.Op));
      if (E.key() == "Meta")
        WithMeta.insert(namespaceOf(E.Op));
    }
}

Place TableChecker::nameOf(const EntryRef &E) const {
  TextRange At = E.Schema->NameAt;
  return Files.place(*E.Unit, E.Entry->Text.at(At.Offset, At.Length));
}

void TableChecker::implWithoutDef(const RegisteredOp &Op) {
  StringRef Namespace = namespaceOf(Op.Name);
  bool IsNative = Namespace == "aten";
  if (!Op.Defs.empty() ||
      (IsNative ? isNativeName(Op.Name) : Incomplete || !Owned.count(Namespace)))
    return;
  std::vector<std::string> Storage;
  if (IsNative)
    for (StringRef Name : Ops.names())
      Storage.push_back(("aten::" + Name).str());
  for (const RegisteredOp &Other : ByName)
    if (!Other.Defs.empty() && namespaceOf(Other.Name) == Namespace)
      Storage.push_back(Other.Name);
  std::vector<StringRef> Names(Storage.begin(), Storage.end());
  std::string Similar = isNearOne(Op.Name, Names) ? didYouMean(Op.Name, Names) : "";
  // What was not read is not likely to define an operator in PyTorch's own namespace whose name is
  // nearly one of PyTorch's.
  if (Incomplete && Similar.empty())
    return;
  std::optional<std::string> Meant;
  if (!Similar.empty())
    Meant = nearest(Op.Name, Names);
  for (const EntryRef *E : Op.Kernels) {
    Diagnostic &Diag =
        Diags.report(diag::ImplWithoutDef, nameOf(*E),
                     "nobody defines '{0}'; libtorch ignores the kernel{1}", Op.Name, Similar);
    Diag.op(E->Schema->operatorName());
    if (Meant && isFree(*Meant, *E))
      Diag.Fixes = renaming(*E, *Meant);
  }
}

/// Nothing in sight is the kernel of \p Op for the key of \p E.
bool TableChecker::isFree(StringRef Op, const EntryRef &E) const {
  auto It = find_if(ByName, [&](const RegisteredOp &Other) { return Other.Name == Op; });
  return E.keyKnown() && (It == ByName.end() || none_of(It->Kernels, [&](const EntryRef *Other) {
                            return !Other->keyKnown() || Other->key() == E.key();
                          }));
}

/// Of the name in the string what stands behind the namespace, where it is letter for letter.
std::vector<Fix> TableChecker::renaming(const EntryRef &E, StringRef Op) const {
  std::string Old = E.Schema->operatorName();
  TextRange Name = E.Schema->NameAt;
  auto Length = uint32_t(Old.size());
  if (Name.Length < Length)
    return {};
  Span At = E.Entry->Text.at(Name.Offset + Name.Length - Length, Length);
  if (!At.isValid() || Files.text(*E.Unit, At) != Old)
    return {};
  return {{Files.file(*E.Unit, At.File), At.Offset, At.Length, Op.split("::").second.str()}};
}

void TableChecker::defWithoutKernel(const RegisteredOp &Op) {
  if (Op.Defs.empty() || !Op.Kernels.empty() || Incomplete ||
      !WithKernels.count(namespaceOf(Op.Name)))
    return;
  const EntryRef &E = *Op.Defs.front();
  Diags.report(diag::DefWithoutKernel, nameOf(E), "no file registers a kernel for '{0}'", Op.Name)
      .op(E.Schema->operatorName());
}

/// A kernel for one backend in place of one for all: the derivative of the latter is lost.
void TableChecker::backendKernel(const RegisteredOp &Op) {
  const EntryRef *ForAll = nullptr;
  auto has = [&](StringRef Key) {
    return any_of(Op.Kernels, [&](const EntryRef *E) { return E->key() == Key; });
  };
  for (const EntryRef *E : Op.Kernels)
    if (E->keyKnown() && E->Block->Is != RegistrationBlock::Legacy &&
        (E->key().empty() || E->key() == "CompositeImplicitAutograd"))
      ForAll = E;
  const NativeFunction *F = nativeFunction(Op.Name);
  if (!ForAll && !(F && F->hasKernel(DispatchKey::CompositeImplicitAutograd)))
    return;
  for (const EntryRef *E : Op.Kernels) {
    StringRef Key = E->key();
    bool GoesOn = E->Entry->Kernel.Is == RegisteredKernel::Fallthrough;
    if (!isBackendKey(Key) || GoesOn || Incomplete || has("Autograd") ||
        has(("Autograd" + Key).str()) || has("CompositeExplicitAutograd"))
      continue;
    Diagnostic &Diag = Diags.report(
        diag::CompositeBackendKernel, nameOf(*E),
        "'{0}' gets its derivative from the operators that its CompositeImplicitAutograd kernel "
        "calls; with a {1} kernel and none for Autograd{1} it has no derivative there",
        Op.Name, Key);
    Diag.op(E->Schema->operatorName());
    if (ForAll)
      Diag.note(Files.place(*ForAll->Unit, ForAll->Entry->At), "the kernel for every key is here");
    else
      Diag.note(F->SchemaText.At, F->SchemaText.Text.str());
  }
}

/// Where a project gives its operators Meta kernels, one without is likely forgotten.
void TableChecker::missingMeta(const RegisteredOp &Op) {
  if (Op.Defs.empty() || Op.Kernels.empty() || Incomplete ||
      !WithMeta.count(namespaceOf(Op.Name)) ||
      any_of(Op.Kernels, [](const EntryRef *E) { return servesMeta(*E); }))
    return;
  const EntryRef &E = *Op.Defs.front();
  Diags
      .report(diag::MissingMeta, nameOf(E),
              "'{0}' has no Meta kernel, unlike other operators of its namespace", Op.Name)
      .op(E.Schema->operatorName());
}

void TableChecker::run() {
  for (const RegisteredOp &Op : ByName) {
    implWithoutDef(Op);
    defWithoutKernel(Op);
    backendKernel(Op);
    missingMeta(Op);
  }
}

} // namespace

std::string opsig::incompleteTable(ArrayRef<TranslationUnit> Units) {
  size_t Partial = count_if(Units, [](const TranslationUnit &Unit) { return !Unit.complete(); });
  bool Registers =
      any_of(Units, [](const TranslationUnit &Unit) { return !Unit.Registrations.empty(); });
  if (Partial == 0 || !Registers)
    return "";
  return formatv("{0} of {1} files {2} read in part only; whether an operator lacks a kernel, or a "
                 "kernel its operator, is not told",
                 Partial, Units.size(), Partial == 1 ? "was" : "were");
}

void opsig::checkRegistrationTable(bool Incomplete, ArrayRef<BlockRef> Blocks,
                                   ArrayRef<EntryRef> Entries, ArrayRef<RegisteredOp> ByName,
                                   const Operators &Ops, UnitFiles &Files, Diagnostics &Diags) {
  TableChecker(Incomplete, Blocks, Entries, ByName, Ops, Files, Diags).run();
}
