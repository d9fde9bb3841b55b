//===- UnitFiles.cpp - files of translation units, as diagnostics name them -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Registry/UnitFiles.h"
#include "opsig/Support/PathGlob.h"
#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

UnitFiles::UnitFiles(ArrayRef<UnitFacts> Units, SourceFiles &Files) : Files(Files) {
  for (const UnitFacts &Unit : Units)
    GivenNames.try_emplace(absolutePath(Unit.MainFile), Unit.MainFile);
}

SourceId UnitFiles::file(const UnitFacts &Unit, uint32_t Index) {
  auto [It, New] = Ids.try_emplace({&Unit, Index}, SourceId::None);
  if (!New)
    return It->second;
  std::string Name = Unit.Files[Index];
  if (auto Given = GivenNames.find(absolutePath(Name)); Given != GivenNames.end())
    Name = Given->second;
  SourceId Id = Files.find(Name);
  if (Id == SourceId::None) {
    Expected<SourceId> Opened = Files.open(Name);
    if (Opened)
      Id = *Opened;
    else
      consumeError(Opened.takeError());
  }
  return Ids[{&Unit, Index}] = Id;
}

Place UnitFiles::place(const UnitFacts &Unit, Span At) {
  if (!At.isValid())
    return {};
  SourceId File = file(Unit, At.File);
  if (File == SourceId::None)
    return {};
  // A place covers a part of one line.
  size_t FirstLine = Files.text(File).substr(At.Offset, At.Length).find_first_of("\r\n");
  return Files.placeAt(File, At.Offset, std::min<size_t>(At.Length, FirstLine));
}

StringRef UnitFiles::text(const UnitFacts &Unit, Span At) {
  if (!At.isValid())
    return "";
  SourceId File = file(Unit, At.File);
  return File == SourceId::None ? "" : Files.text(File).substr(At.Offset, At.Length);
}

/// Null where there is none.
static const SkippedDefinition *skippedIn(const UnitFacts &Unit, StringRef Name) {
  auto Known = lower_bound(Unit.SkippedDefinitions, Name,
                           [](const SkippedDefinition &D, StringRef N) { return D.Name < N; });
  bool IsThere = Known != Unit.SkippedDefinitions.end() && Known->Name == Name;
  return IsThere ? &*Known : nullptr;
}

bool opsig::isDefinedWhereOff(StringRef Name, ArrayRef<UnitFacts> Units) {
  return any_of(Units, [&](const UnitFacts &Unit) { return skippedIn(Unit, Name) != nullptr; });
}

std::string opsig::skippedDefinition(StringRef Name, ArrayRef<UnitFacts> Units, UnitFiles &Files) {
  for (const UnitFacts &Unit : Units)
    if (const SkippedDefinition *D = skippedIn(Unit, Name)) {
      Place At = Files.place(Unit, D->At);
      return At.isValid() ? (Files.sources().name(At.File) + ":" + Twine(At.Line)).str()
                          : Unit.MainFile;
    }
  return "";
}
