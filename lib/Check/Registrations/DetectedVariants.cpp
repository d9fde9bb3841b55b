//===- DetectedVariants.cpp - files of which a program has one -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library that defines what another one has is refused when it is loaded. So two files that
// define the same operators, and that no build is known to have both of, are for different builds:
// one for an old API and one for a new one, say, or an older and a newer package.
//
//===----------------------------------------------------------------------===//
#include "Registrations/RegistrationInternal.h"
#include "opsig/Workspace/ProjectLayout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace opsig;
using namespace llvm;

namespace {

/// What one file defines of one namespace.
struct FileDefinitions {
  std::string File;
  StringRef Namespace;
  std::set<StringRef> Operators;
  bool HasLibrary = false; ///< a block that a program has once
  bool IsStable = false;
};

std::vector<FileDefinitions> definitionsByFile(ArrayRef<EntryRef> Entries, UnitFiles &Files) {
  std::map<std::pair<StringRef, StringRef>, FileDefinitions> Found;
  for (const EntryRef &E : Entries) {
    bool Defines =
        E.Block->Is == RegistrationBlock::Library || E.Block->Is == RegistrationBlock::Fragment;
    // What a header or another configuration has is in any program.
    if (!Defines || !E.isDef() || E.Entry->Conditional || E.Op.empty() || E.Unit->isOtherBranch() ||
        E.Block->At.File != 0)
      continue;
    SourceId Id = Files.file(*E.Unit, 0);
    if (Id == SourceId::None)
      continue;
    StringRef Namespace = StringRef(E.Op).split("::").first;
    FileDefinitions &D = Found[{Files.sources().name(Id), Namespace}];
    D.File = Files.sources().name(Id).str();
    D.Namespace = Namespace;
    D.Operators.insert(E.Op);
    D.HasLibrary |= E.Block->Is == RegistrationBlock::Library;
    D.IsStable |= E.Block->Stable;
  }
  std::vector<FileDefinitions> Out;
  for (auto &[Key, D] : Found)
    Out.push_back(std::move(D));
  return Out;
}

/// Each Python package builds its own libraries. A file without a package may be in any of them.
bool areOfOtherPackages(StringRef L, StringRef R, const ProjectLayout &Layout) {
  if (!Layout.PackageOf)
    return false;
  std::string Left = Layout.PackageOf(L), Right = Layout.PackageOf(R);
  return !Left.empty() && !Right.empty() && Left != Right;
}

/// A definition or two may be in both files of a package by mistake; a library is not.
bool areVariants(const FileDefinitions &L, const FileDefinitions &R, size_t Common) {
  bool OtherAbi = L.IsStable != R.IsStable;
  bool Next = sys::path::parent_path(L.File) == sys::path::parent_path(R.File);
  size_t Least = std::min(L.Operators.size(), R.Operators.size());
  if (OtherAbi)
    return Common != 0 && 2 * Common >= Least;
  return L.HasLibrary && R.HasLibrary && Next && Common >= 2 && 2 * Common >= Least;
}

/// Two versions of one library, which no process can load together.
bool areCopies(const FileDefinitions &L, const FileDefinitions &R, size_t Common) {
  return L.HasLibrary && R.HasLibrary && Common != 0 &&
         2 * Common >= std::min(L.Operators.size(), R.Operators.size());
}

} // namespace

std::vector<DetectedVariants> opsig::detectVariants(ArrayRef<EntryRef> Entries,
                                                    const ProjectLayout &Layout, UnitFiles &Files) {
  const BuildVariants &Known = Layout.Programs;
  std::vector<DetectedVariants> Out;
  std::vector<FileDefinitions> All = definitionsByFile(Entries, Files);
  for (size_t I = 0; I < All.size(); ++I)
    for (size_t J = I + 1; J < All.size(); ++J) {
      const FileDefinitions &L = All[I], &R = All[J];
      if (L.Namespace != R.Namespace || Known.between(L.File, R.File) != Exclusivity::No ||
          Known.areBuilt(L.File, R.File))
        continue;
      size_t Common =
          count_if(L.Operators, [&](StringRef Op) { return R.Operators.count(Op) != 0; });
      if (areVariants(L, R, Common))
        Out.push_back({L.File, R.File, L.Namespace.str(), Common});
      else if (areCopies(L, R, Common) && areOfOtherPackages(L.File, R.File, Layout))
        Out.push_back({L.File, R.File, L.Namespace.str(), Common, /*OtherPackage=*/true});
    }
  return Out;
}
