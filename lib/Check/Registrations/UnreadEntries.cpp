//===- UnreadEntries.cpp - registrations that were seen, and not understood ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registrations/RegistrationInternal.h"
#include "opsig/Support/FindingIds.h"
#include "opsig/Workspace/InputFiles.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

/// "" for an entry of which all is known.
static StringRef whyUnread(const EntryRef &E) {
  const RegistrationEntry &Entry = *E.Entry;
  if (isOfOtherBranch(*E.Unit, Entry))
    return "";
  if (Entry.TextOnly)
    return "it is in an inactive '#if' branch, so opsig could not check the kernel";
  if (!Entry.TextKnown && Entry.Is == RegistrationEntry::Def)
    return "the schema is not a constant";
  if (Entry.SchemaUnread)
    return "the schema could not be determined";
  if (!Entry.TextKnown && Entry.Is == RegistrationEntry::Impl)
    return "the name is not a constant";
  if (Entry.Kernel.Is == RegisteredKernel::Unread)
    return "the type of the kernel could not be determined";
  // Of the stable ABI, where every kernel is a function that is boxed.
  if (Entry.Kernel.Is == RegisteredKernel::Boxed && E.Block->Stable && Entry.Kernel.Name.empty())
    return "the kernel function could not be determined";
  if (Entry.Kernel.Is == RegisteredKernel::Function && Entry.Kernel.Name.empty())
    return "the name of the kernel could not be determined";
  if (E.Block->Is == RegistrationBlock::Unknown && Entry.TextKnown &&
      !StringRef(Entry.Text.Value).contains("::"))
    return "the namespace could not be determined";
  if (E.Block->Is != RegistrationBlock::Unknown && !E.keyKnown() && !E.isDefInImpl())
    return "the dispatch key is not a constant";
  return "";
}

/// What is known of the reason in a Python file, whose ways to register are many.
static std::string whyUnreadPython(const EntryRef &E, StringRef Why, UnitFiles &Files) {
  const RegistrationEntry &Entry = *E.Entry;
  if (Entry.TextKnown)
    return Why.str();
  StringRef Call = Files.text(*E.Unit, Entry.At);
  if (Call.starts_with("exec(") || Call.starts_with("eval("))
    return Call.take_front(4).str() + "() runs code that opsig does not follow";
  if (Call.starts_with("getattr("))
    return "the method's name in getattr() is not a constant";
  return Why.str();
}

/// The finding about a key that stands in the code from \p Begin to \p End; null if there is none.
static const Finding *keyFinding(const UnitFacts &Unit, const Span &Begin, uint32_t End,
                                 const Findings &Said, UnitFiles &Files) {
  auto Found = find_if(Said.all(), [&](const Finding &D) {
    if (D.Id != finding::RegistrationKey || !D.At.isValid() || !Begin.isValid() ||
        Files.file(Unit, Begin.File) != D.At.File)
      return false;
    uint32_t At = Files.sources().offsetOf(D.At);
    return At >= Begin.Offset && At < End;
  });
  return Found == Said.all().end() ? nullptr : Found;
}

static const Finding *keyFinding(const BlockRef &B, const Findings &Said, UnitFiles &Files) {
  const Span &Macro = B.Block->At, &Body = B.Block->Body;
  return keyFinding(*B.Unit, Macro, Body.isValid() ? Body.Offset : Macro.end(), Said, Files);
}

/// The key of the entry, or of its block, is one that no release has, which was reported.
static bool isKeyReported(const EntryRef &E, const Findings &Said, UnitFiles &Files) {
  const Span &Call = E.Entry->At;
  return keyFinding(BlockRef{E.Unit, E.Block}, Said, Files) ||
         keyFinding(*E.Unit, Call, Call.end(), Said, Files);
}

/// A library that code makes without a block; other code may fill it, too.
static bool isLibraryObject(const UnitFacts &Unit, const RegistrationBlock &Block) {
  return !isPython(Unit.MainFile) && !Block.Body.isValid() && !Block.Stable &&
         Block.HandedTo.empty() && Block.Is != RegistrationBlock::Legacy &&
         Block.Is != RegistrationBlock::Library;
}

std::vector<KeyError> opsig::reportedKeyErrors(ArrayRef<UnitFacts> Units, const Findings &Said,
                                               UnitFiles &Files) {
  std::vector<KeyError> Out;
  auto Add = [&](const UnitFacts &Unit, const Finding *D) {
    auto IsKnown = [&](const KeyError &E) { return E.MainFile == Unit.MainFile && E.At == D->At; };
    if (D && none_of(Out, IsKnown))
      Out.push_back({Unit.MainFile, D->At});
  };
  for (const UnitFacts &Unit : Units) {
    if (Unit.isOtherBranch() || isPython(Unit.MainFile))
      continue;
    for (const RegistrationBlock &Block : Unit.Registrations) {
      // The stable ABI has strings for keys. A block with a key has one that Clang knows. In a
      // function that makes a library, errors do not count (UnitFacts::NumErrors).
      if (Block.Stable || isLibraryObject(Unit, Block))
        continue;
      if (Block.Is == RegistrationBlock::Impl && Block.Key.empty())
        Add(Unit, keyFinding(BlockRef{&Unit, &Block}, Said, Files));
      for (const RegistrationEntry &Entry : Block.Entries)
        if (Entry.KeyUnknown)
          Add(Unit, keyFinding(Unit, Entry.At, Entry.At.end(), Said, Files));
    }
  }
  return Out;
}

/// One that no error of the file's explains.
static bool isObject(const UnitFacts &Unit, const RegistrationBlock &Block) {
  return isLibraryObject(Unit, Block) ||
         (Block.Is == RegistrationBlock::Legacy && Block.Entries.empty());
}

/// Of a block that is not complete, and has no entry that says why.
static StringRef whyIncomplete(const UnitFacts &Unit, const RegistrationBlock &Block) {
  bool IsObject = isLibraryObject(Unit, Block);
  if (IsObject && Block.Is == RegistrationBlock::Fragment && Block.Namespace.empty())
    return "opsig does not read torch::jit::RegisterOperators";
  if (Block.Is == RegistrationBlock::Legacy && Block.Entries.empty())
    return "opsig does not read this RegisterOperators object";
  return IsObject ? "opsig does not follow Library objects outside of TORCH_LIBRARY blocks"
                  : "the block has a call that opsig does not follow";
}

std::vector<UnreadRegistration> opsig::unreadRegistrations(const Registry &R, const Findings &Said,
                                                           UnitFiles &Files) {
  std::vector<UnreadRegistration> Out;
  std::set<const RegistrationBlock *> Explained;
  for (const EntryRef &E : R.entries()) {
    if (isKeyReported(E, Said, Files)) {
      Explained.insert(E.Block);
      continue;
    }
    if (StringRef Why = whyUnread(E); !Why.empty()) {
      std::string Reason = isPython(E.Unit->MainFile) ? whyUnreadPython(E, Why, Files) : Why.str();
      Out.push_back({Files.place(*E.Unit, E.Entry->At), std::move(Reason)});
      Explained.insert(E.Block);
    }
  }
  for (const auto &[Unit, Block] : R.blocks())
    if (!Block->Complete && (Unit->complete() || isObject(*Unit, *Block)) &&
        !Unit->isOtherBranch() && !Explained.count(Block))
      Out.push_back({Files.place(*Unit, Block->At), whyIncomplete(*Unit, *Block).str()});
  return Out;
}
