//===- OtherBranches.cpp - registrations where conditions are off -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// a file, read once x its text where conditions were off => the file with other macros
//   => entries that stand there; from the text, what that reading does not see either
//
//===----------------------------------------------------------------------===//
#include "Parse/ParseInternal.h"
#include "Registrations/SkippedText.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

bool holds(const Span &Outer, const Span &Inner) {
  return Outer.isValid() && Inner.isValid() && Outer.File == Inner.File &&
         Outer.Offset <= Inner.Offset && Inner.Offset < Outer.end();
}

bool isIn(ArrayRef<SkippedBranch> Branches, const Span &At) {
  return any_of(Branches, [&](const SkippedBranch &B) { return holds(B.Lines, At); });
}

/// Drops what the first reading has seen, too, and what only a build needs.
void keepOther(UnitFacts &Unit, ArrayRef<SkippedBranch> Branches) {
  for (RegistrationBlock &Block : Unit.Registrations) {
    if (isIn(Branches, Block.At))
      continue;
    erase_if(Block.Entries, [&](const RegistrationEntry &E) { return !isIn(Branches, E.At); });
    Block.Complete = true;
    Block.HandedTo.clear();
    Block.HandedInBranch = false;
  }
  erase_if(Unit.Registrations, [&](const RegistrationBlock &Block) {
    return Block.Entries.empty() && !isIn(Branches, Block.At);
  });
  // What is linked is not known of a build that is not this one.
  for (RegistrationBlock &Block : Unit.Registrations)
    for (RegistrationEntry &Entry : Block.Entries)
      Entry.Kernel.Symbol.clear();
}

/// The unit with its registrations and what spans and types in them need.
UnitFacts registrationsOf(UnitFacts Read) {
  UnitFacts Out;
  Out.MainFile = std::move(Read.MainFile);
  Out.Files = std::move(Read.Files);
  Out.Registrations = std::move(Read.Registrations);
  Out.Names = std::move(Read.Names);
  Out.Parsed = true;
  // It is complete as far as checks are concerned, which only have its registrations.
  Out.FirstError = Read.MissingHeaders.empty()
                       ? std::move(Read.FirstError)
                       : "'" + Read.MissingHeaders.front() + "' was not found";
  return Out;
}

bool isKnown(const RegistrationEntry &E, const UnitFacts &Unit) {
  return any_of(Unit.Registrations, [&](const RegistrationBlock &Block) {
    return any_of(Block.Entries, [&](const RegistrationEntry &Other) {
      return holds(Other.At, E.At) || holds(E.At, Other.At);
    });
  });
}

/// What errors took from the compiler's reading of an entry, the text may have.
void takeLostKernel(const RegistrationEntry &Text, UnitFacts &Unit) {
  for (RegistrationBlock &Block : Unit.Registrations)
    for (RegistrationEntry &E : Block.Entries)
      if (E.Kernel.Is == RegisteredKernel::None && Text.Kernel.Is == RegisteredKernel::Unread &&
          (holds(E.At, Text.At) || holds(Text.At, E.At)))
        E.Kernel = Text.Kernel;
}

void addText(std::vector<RegistrationBlock> Blocks, UnitFacts &Unit) {
  for (RegistrationBlock &Block : Blocks) {
    if (!Unit.FirstError.empty())
      for (const RegistrationEntry &E : Block.Entries)
        takeLostKernel(E, Unit);
    erase_if(Block.Entries, [&](const RegistrationEntry &E) { return isKnown(E, Unit); });
    auto Same = find_if(Unit.Registrations,
                        [&](const RegistrationBlock &Other) { return Other.At == Block.At; });
    if (Same == Unit.Registrations.end())
      Unit.Registrations.push_back(std::move(Block));
    else
      append_range(Same->Entries, Block.Entries);
  }
}

} // namespace

void opsig::readOtherBranches(const ParseJob &Job, const ParseOptions &Options, FileTrace *Trace,
                              SkippedRegistrations Skipped, UnitFacts &Unit) {
  UnitFacts Other;
  Other.MainFile = Unit.MainFile;
  Other.Files = {Unit.MainFile};
  Other.Names = Unit.Names;
  Other.Parsed = true;
  if (!Skipped.Flags.empty()) {
    ParseOptions Registrations = Options;
    Registrations.Scopes.clear();
    Registrations.Bodies = Registrations.Uses = false;
    ParseAids Aids;
    Aids.Trace = Trace;
    Aids.Again = true;
    UnitFacts Read = parseKernels(withFlags(Job, Skipped.Flags), Registrations, NoteText(), Aids);
    if (Read.Parsed) {
      Other = registrationsOf(std::move(Read));
      Other.BranchFlags = Skipped.Flags;
    }
  }
  moveSpans(Skipped, Other.Files);
  keepOther(Other, Skipped.Branches);
  addText(std::move(Skipped.Blocks), Other);
  Other.Branches = std::move(Skipped.Branches);
  Unit.OtherBranches.push_back(std::move(Other));
}
