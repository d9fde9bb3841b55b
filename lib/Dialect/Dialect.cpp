//===- Dialect.cpp - The dialects and how they are chosen -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReleasesInternal.h"
#include <array>
#include <cassert>

namespace opsig {

struct Dialect::RareTraits {
  OutputTraits Output;
  AtenTraits Aten;
  FunctionalizationTraits Functionalization;
  ShimTraits Shims;
  PythonTraits Python;
  LibraryTraits Library;
  DispatchTableTraits Table;
};

Dialect::Dialect()
    : Rare(std::make_unique<RareTraits>()), Output(Rare->Output), Aten(Rare->Aten),
      Functionalization(Rare->Functionalization), Shims(Rare->Shims), Python(Rare->Python),
      Library(Rare->Library), Table(Rare->Table) {}

Dialect::Dialect(const Dialect &Other) : Dialect() { *this = Other; }

Dialect &Dialect::operator=(const Dialect &Other) {
  Name = Other.Name;
  Major = Other.Major;
  Minor = Other.Minor;
  Standing = Other.Standing;
  Schema = Other.Schema;
  Keys = Other.Keys;
  Spelling = Other.Spelling;
  *Rare = *Other.Rare;
  return *this;
}

Dialect::~Dialect() = default;

namespace {

struct Release {
  llvm::StringRef Name;
  unsigned Major;
  unsigned Minor;
  DialectStanding Standing;
  void (*Change)(Draft &);
};
constexpr Release Releases[] = {
#define OPSIG_RELEASE(Major, Minor, Standing)                                                      \
  {#Major "." #Minor, Major, Minor, DialectStanding::Standing, V##Major##_##Minor},
#include "Releases.def"
};

/// All dialects, made once; the lists of each live as long as it does.
struct DialectTable {
  ListStore Lists;
  std::array<Dialect, std::size(Releases)> Dialects;
  std::array<const Dialect *, std::size(Releases)> All;

  DialectTable() {
    Draft D(Lists);
    for (auto [R, Result, Pointer] : llvm::zip_equal(Releases, Dialects, All)) {
      D.Name = R.Name;
      Lists.Release = R.Name;
      D.Major = R.Major;
      D.Minor = R.Minor;
      D.Standing = R.Standing;
      R.Change(D);
      Result = D;
      Pointer = &Result;
    }
    assert(Lists.Mistakes.empty() && "the edit of a release does not apply");
  }
  DialectTable(const DialectTable &) = delete;
  DialectTable &operator=(const DialectTable &) = delete;
};

const DialectTable &table() {
  static const DialectTable Table;
  return Table;
}

} // namespace

llvm::ArrayRef<const Dialect *> allDialects() { return table().All; }

llvm::ArrayRef<std::string> mistakesOfReleases() { return table().Lists.Mistakes; }

bool operatorLess(llvm::StringRef A, llvm::StringRef B) {
  auto Parts = [](llvm::StringRef Name) {
    auto [Base, Overload] = Name.split('.');
    return std::pair(Base, Overload.empty() ? "default" : Overload);
  };
  return Parts(A) < Parts(B);
}

DialectChoice chooseDialect(const llvm::VersionTuple &Version) {
  llvm::ArrayRef<const Dialect *> All = allDialects();
  llvm::VersionTuple Expected(Version.getMajor(), Version.getMinor().value_or(0));
  auto VersionOf = [](const Dialect *D) { return llvm::VersionTuple(D->Major, D->Minor); };
  if (Expected < VersionOf(All.front()))
    return {All.front(), DialectMatch::OlderThanKnown};
  const Dialect *Best = All.front();
  for (const Dialect *D : All)
    if (VersionOf(D) <= Expected)
      Best = D;
  if (VersionOf(Best) == Expected)
    return {Best, DialectMatch::Exact};
  return {Best, Best == All.back() ? DialectMatch::NewerThanKnown : DialectMatch::Older};
}

std::optional<llvm::VersionTuple> parseTorchVersion(llvm::StringRef Text) {
  Text = Text.trim();
  Text.consume_front("v");
  unsigned Major, Minor;
  if (Text.consumeInteger(10, Major) || !Text.consume_front(".") || Text.consumeInteger(10, Minor))
    return std::nullopt;
  return llvm::VersionTuple(Major, Minor);
}

} // namespace opsig
