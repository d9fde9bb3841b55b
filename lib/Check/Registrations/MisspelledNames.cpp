//===- MisspelledNames.cpp - slips in the first lines of blocks ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TORCH_LIBRARY_IMPL(namspace, CPUU, m): of the namespace nobody asks, and the key is no
// enumerator, which Clang says in its own words somewhere in the macro.
//
//===----------------------------------------------------------------------===//
#include "Registrations/RegistrationInternal.h"
#include "opsig/Dialect/DispatchTableTraits.h"
#include "opsig/Support/FindingIds.h"
#include "opsig/Support/TypoCorrection.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

/// The arguments of a block's macro as they stand behind its name, up to one that is no name.
std::vector<Span> macroArguments(const BlockRef &B, UnitFiles &Files) {
  std::vector<Span> Out;
  Span At = B.Block->At;
  if (!At.isValid())
    return Out;
  StringRef Text = Files.text(*B.Unit, {At.File, At.end(), 400}), Rest = Text.ltrim();
  if (!Rest.consume_front("("))
    return Out;
  while (true) {
    Rest = Rest.ltrim();
    StringRef Name = Rest.take_while([](char C) { return isAlnum(C) || C == '_'; });
    if (Name.empty())
      return Out;
    Out.push_back(
        {At.File, uint32_t(At.end() + (Name.data() - Text.data())), uint32_t(Name.size())});
    Rest = Rest.drop_front(Name.size()).ltrim();
    if (!Rest.consume_front(","))
      return Out;
  }
}

/// "ns" of "ns::name(...)"; "" where none is written.
StringRef writtenNamespace(const RegistrationEntry &Entry) {
  StringRef Name = writtenName(Entry);
  return Name.contains("::") ? Name.split("::").first : "";
}

class NamespaceTypos {
public:
  NamespaceTypos(Registry &R, function_ref<bool(StringRef)> IsWhole, UnitFiles &Files,
                 Findings &Diags);
  void run();

private:
  struct Contents {
    std::set<StringRef> Defined;                      ///< names without namespace
    std::set<std::pair<StringRef, StringRef>> Served; ///< with their keys
    std::vector<BlockRef> DefBlocks, ImplBlocks;
  };
  bool isMeant(const Contents &Typo, const Contents &Meant) const;
  bool isCertain(StringRef Typo, StringRef Meant) const;
  void report(const BlockRef &B, FindingId Id, std::string Message, StringRef Instead,
              bool MayEdit);
  void reportPasted();
  void move(StringRef From, StringRef To);

  Registry &R;
  function_ref<bool(StringRef)> IsWhole;
  UnitFiles &Files;
  Findings &Diags;
  std::map<StringRef, Contents> Namespaces;
  std::map<const RegistrationBlock *, StringRef> Misspelled;
};

NamespaceTypos::NamespaceTypos(Registry &R, function_ref<bool(StringRef)> IsWhole, UnitFiles &Files,
                               Findings &Diags)
    : R(R), IsWhole(IsWhole), Files(Files), Diags(Diags),
      Misspelled(misspelledNamespaces(R.blocks())) {
  auto NamespaceOf = [&](const RegistrationBlock &Block) {
    auto It = Misspelled.find(&Block);
    return It == Misspelled.end() ? StringRef(Block.Namespace) : It->second;
  };
  for (const BlockRef &B : R.blocks()) {
    StringRef Name = NamespaceOf(*B.Block);
    if (Name.empty() || Name == "_" || Name == "aten")
      continue;
    Contents &C = Namespaces[Name];
    (B.Block->Is == RegistrationBlock::Impl ? C.ImplBlocks : C.DefBlocks).push_back(B);
  }
  for (const EntryRef &E : R.entries()) {
    // Of blocks alone: their namespaces live as long as the units.
    auto In = Namespaces.find(NamespaceOf(*E.Block));
    if (In == Namespaces.end() || !E.Schema || E.Op.empty())
      continue;
    StringRef Name = StringRef(E.Op).split("::").second;
    if (E.isDef())
      In->second.Defined.insert(Name);
    if (E.hasKernel())
      In->second.Served.insert({Name, E.keyKnown() ? E.key() : "?"});
  }
}

/// Most of what \p Slip has kernels for is defined in \p Meant, and has none for their keys.
bool NamespaceTypos::isMeant(const Contents &Typo, const Contents &Meant) const {
  size_t Fitting = 0;
  for (const auto &[Name, Key] : Typo.Served) {
    if (Meant.Served.count({Name, Key}))
      return false;
    Fitting += Meant.Defined.count(Name);
  }
  return Fitting != 0 && 2 * Fitting >= Typo.Served.size();
}

/// All that \p Slip has kernels for is defined in \p Meant, and no file that was not read may
/// define it in a namespace of the name that is written.
bool NamespaceTypos::isCertain(StringRef Typo, StringRef Meant) const {
  const Contents &Own = Namespaces.find(Typo)->second, &Other = Namespaces.find(Meant)->second;
  return IsWhole(Typo) && IsWhole(Meant) && all_of(Own.Served, [&](const auto &Kernel) {
           return Other.Defined.count(Kernel.first) != 0;
         });
}

void NamespaceTypos::report(const BlockRef &B, FindingId Id, std::string Message, StringRef Instead,
                            bool MayEdit) {
  std::vector<Span> Arguments = macroArguments(B, Files);
  bool Written = !Arguments.empty() && Files.text(*B.Unit, Arguments[0]) == B.Block->Namespace;
  Span At = Written ? Arguments[0] : B.Block->At;
  Finding &Diag = Diags.add(Id, Files.place(*B.Unit, At), std::move(Message));
  Diag.Hint = Instead.str();
  if (Written && MayEdit)
    Diag.Fixes = {{Files.file(*B.Unit, At.File), At.Offset, At.Length, Instead.str()}};
}

/// TORCH_LIBRARY(NAME, m) of releases that take the name as it stands, where the other macros
/// expand it. Alone it is likely a mistake; beside blocks of the other macros the two halves miss
/// each other.
void NamespaceTypos::reportPasted() {
  for (const BlockRef &B : R.blocks()) {
    if (!B.Block->Pasted)
      continue;
    StringRef Macro = B.Block->NamespaceMacro, Own = Files.text(*B.Unit, B.Block->At);
    auto Other = find_if(R.blocks(), [&](const BlockRef &Other) {
      return Other.Block->NamespaceMacro == Macro && !Other.Block->Pasted;
    });
    bool IsAlone = Other == R.blocks().end();
    StringRef Expansion = IsAlone || Other->Block->Namespace == Macro
                              ? StringRef()
                              : StringRef(Other->Block->Namespace);
    std::string Message = formatv(
        "{0} does not expand the macro '{1}', so it defines the operators in namespace '{1}'{2}; "
        "use {0}_FRAGMENT, which expands macros, or a macro that passes its argument to {0}",
        Own, Macro,
        IsAlone ? std::string()
                : formatv(", but {0} registers kernels for {1}",
                          Files.text(*Other->Unit, Other->Block->At),
                          Expansion.empty() ? "its expansion" : ("'" + Expansion + "'").str())
                      .str());
    std::vector<Span> Arguments = macroArguments(B, Files);
    Finding &Diag = Diags.add(finding::RegistrationNamespace,
                              Files.place(*B.Unit, Arguments.empty() ? B.Block->At : Arguments[0]),
                              std::move(Message));
    if (IsAlone)
      Diag.Severity = Level::Warning; // torch.ops has the operators under that name
    else
      Diag.note(Files.place(*Other->Unit, Other->Block->At), "the other block is here");
  }
}

void NamespaceTypos::move(StringRef From, StringRef To) {
  for (EntryRef &E : R.entries())
    if (E.Block->Namespace == From && !E.Op.empty())
      E.Op = (To + "::" + StringRef(E.Op).split("::").second).str();
}

void NamespaceTypos::run() {
  reportPasted();
  for (const BlockRef &B : R.blocks())
    if (auto Meant = Misspelled.find(B.Block); Meant != Misspelled.end() && !B.Block->Pasted)
      report(B, finding::RegistrationNamespace,
             formatv("this block is for namespace '{0}', but its operator names are in '{1}'",
                     B.Block->Namespace, Meant->second),
             Meant->second, /*MayEdit=*/true);
  std::vector<StringRef> Defining;
  for (const auto &[Name, C] : Namespaces)
    if (!C.Defined.empty())
      Defining.push_back(Name);
  for (const auto &[Name, C] : Namespaces) {
    if (!C.DefBlocks.empty() || C.Served.empty())
      continue;
    std::optional<Correction> Near = correctName(Name, Defining);
    if (!Near)
      continue;
    auto Meant = Namespaces.find(Near->Name);
    if (!isMeant(C, Meant->second))
      continue;
    bool MayEdit = Near->IsUnique && isCertain(Name, Meant->first);
    // The spelling of most blocks is right.
    const Contents &Other = Meant->second;
    if (C.ImplBlocks.size() > 1 && Other.DefBlocks.size() == 1 && Other.ImplBlocks.empty() &&
        Other.Served.empty()) {
      report(Other.DefBlocks.front(), finding::DefWithoutKernel,
             formatv("no kernel for any operator of '{0}' was found; did you mean '{1}', which has "
                     "kernels?",
                     Meant->first, Name),
             Name, MayEdit);
      move(Meant->first, Name);
      continue;
    }
    for (const BlockRef &B : C.ImplBlocks)
      report(B, finding::ImplWithoutDef,
             formatv("no schema for any operator of '{0}' was found, so these kernels are never "
                     "called; did you mean '{1}'?",
                     Name, Near->Name),
             Near->Name, MayEdit);
    move(Name, Meant->first);
  }
}

/// Every enumerator of the release: the keys that torchgen knows, and those with a slot in the
/// dispatch table, of which it may know nothing ("NestedTensor", "AutocastCUDA").
std::set<std::string> keysOfCpp(const Dialect &D) {
  static constexpr DispatchKey All[] = {
#define OPSIG_DISPATCH_KEY(Name) DispatchKey::Name,
#include "opsig/Dialect/DispatchKeys.def"
  };
  std::set<std::string> Out(D.Keys.Foreign.begin(), D.Keys.Foreign.end());
  for (DispatchKey Key : All)
    if (!is_contained(D.Keys.Unknown, Key))
      Out.insert(toString(Key).str());
  for (const SlotTraits &Slot : D.Table.Slots) {
    if (!Slot.Name.empty())
      Out.insert(Slot.Name.str());
    if (Slot.IsFamily)
      for (StringRef Component : D.Table.Components)
        Out.insert((Slot.Name + Component).str());
  }
  return Out;
}

/// The key that was meant by \p Key; one whose name only goes on is named, but is not certain.
std::optional<Correction> correctKey(StringRef Key, const std::set<std::string> &Known) {
  constexpr size_t LeastBeginning = 8; // shorter words begin several keys
  std::vector<StringRef> Names(Known.begin(), Known.end());
  if (std::optional<Correction> Near = correctName(Key, Names))
    return Near;
  std::optional<Correction> Longer;
  for (StringRef Other : Names)
    if (Key.size() >= LeastBeginning && Other.starts_with(Key) &&
        (!Longer || Other.size() < Longer->Name.size()))
      Longer = Correction{Other.str(), /*IsUnique=*/false};
  return Longer;
}

/// Of the stable ABI keys are strings, which only libtorch reads, when the code is loaded; of
/// others what is no enumerator leaves the block without a key.
void checkKey(const BlockRef &B, const Dialect &D, UnitFiles &Files, Findings &Diags) {
  const RegistrationBlock &Block = *B.Block;
  if (Block.Is != RegistrationBlock::Impl || (!Block.Stable && !Block.Key.empty()))
    return;
  std::vector<Span> Arguments = macroArguments(B, Files);
  bool HasArgument = Arguments.size() > 1;
  Span At = HasArgument ? Arguments[1] : Block.At;
  std::string Key = Block.Key;
  if (!Block.Stable && HasArgument)
    Key = Files.text(*B.Unit, At).str();
  if (Key.empty())
    return;
  std::set<std::string> Known =
      Block.Stable ? std::set<std::string>(D.Keys.Strings.begin(), D.Keys.Strings.end())
                   : keysOfCpp(D);
  if (Known.empty() || Known.count(Key))
    return;
  std::optional<Correction> Near = correctKey(Key, Known);
  if (!Block.Stable && !Near)
    return; // a constant of the project
  bool Written = HasArgument && Files.text(*B.Unit, At) == Key;
  Finding &Diag =
      Diags.report(finding::RegistrationKey, Files.place(*B.Unit, Written ? At : Block.At),
                   Block.Stable ? "libtorch does not accept the dispatch key name '{0}'{1}"
                                : "unknown dispatch key '{0}'{1}",
                   Key, Near ? "; did you mean '" + Near->Name + "'?" : std::string());
  if (Near && Near->IsUnique && Written)
    Diag.Fixes = {{Files.file(*B.Unit, At.File), At.Offset, At.Length, Near->Name}};
}

/// The enumerator that is given to impl().
void checkKey(const EntryRef &E, const Dialect &D, UnitFiles &Files, Findings &Diags) {
  constexpr StringLiteral Scope = "DispatchKey::";
  if (!E.Entry->KeyUnknown)
    return;
  StringRef Text = Files.text(*E.Unit, E.Entry->At);
  size_t Found = Text.find(Scope);
  if (Found == StringRef::npos)
    return;
  Found += Scope.size();
  StringRef Key = Text.drop_front(Found).take_while([](char C) { return isAlnum(C) || C == '_'; });
  std::set<std::string> Known = keysOfCpp(D);
  std::optional<Correction> Near = correctKey(Key, Known);
  if (!Near || Known.count(Key.str()))
    return;
  Span At{E.Entry->At.File, uint32_t(E.Entry->At.Offset + Found), uint32_t(Key.size())};
  Finding &Diag = Diags.report(finding::RegistrationKey, Files.place(*E.Unit, At),
                               "unknown dispatch key '{0}'; did you mean '{1}'?", Key, Near->Name);
  if (Near->IsUnique)
    Diag.Fixes = {{Files.file(*E.Unit, At.File), At.Offset, At.Length, Near->Name}};
}

} // namespace

/// The namespace that the other macros make of the one that \p Block has as a macro's name; ""
/// where that is not known.
static StringRef expansionFor(const RegistrationBlock &Block, ArrayRef<BlockRef> Blocks) {
  std::set<StringRef> Expanded;
  for (const BlockRef &B : Blocks)
    if (B.Block->NamespaceMacro == Block.NamespaceMacro && !B.Block->Pasted)
      Expanded.insert(B.Block->Namespace);
  return Expanded.size() == 1 ? *Expanded.begin() : StringRef();
}

/// One entry may be the slip itself, but not two, nor one of a namespace that other blocks have.
std::map<const RegistrationBlock *, StringRef>
opsig::misspelledNamespaces(ArrayRef<BlockRef> Blocks) {
  std::map<StringRef, unsigned> BlocksOf;
  for (const BlockRef &B : Blocks)
    ++BlocksOf[B.Block->Namespace];
  std::map<const RegistrationBlock *, StringRef> Out;
  for (const auto &[Unit, Block] : Blocks) {
    StringRef Own = Block->Namespace;
    if (Block->Pasted) {
      if (StringRef Meant = expansionFor(*Block, Blocks); !Meant.empty())
        Out[Block] = Meant;
      continue;
    }
    if (Own.empty() || Own == "_" || Own == "aten" || BlocksOf[Own] > 1)
      continue;
    unsigned Named = 0;
    std::set<StringRef> Written;
    for (const RegistrationEntry &Entry : Block->Entries)
      if (StringRef Namespace = writtenNamespace(Entry); !Namespace.empty()) {
        Written.insert(Namespace);
        ++Named;
      }
    if (Written.size() != 1 || *Written.begin() == Own || !nearest(Own, {*Written.begin()}))
      continue;
    if (Named > 1 || BlocksOf.count(*Written.begin()))
      Out[Block] = *Written.begin();
  }
  return Out;
}

void opsig::resolveMisspelled(Registry &R) {
  std::map<const RegistrationBlock *, StringRef> Misspelled = misspelledNamespaces(R.blocks());
  for (EntryRef &E : R.entries())
    if (auto Meant = Misspelled.find(E.Block); Meant != Misspelled.end())
      E.resolve(Meant->second);
}

void opsig::checkMisspelledNames(Registry &R, const Dialect &D,
                                 function_ref<bool(StringRef)> IsWhole, UnitFiles &Files,
                                 Findings &Diags) {
  for (const BlockRef &B : R.blocks())
    checkKey(B, D, Files, Diags);
  for (const EntryRef &E : R.entries())
    checkKey(E, D, Files, Diags);
  NamespaceTypos(R, IsWhole, Files, Diags).run();
  R.group();
}
