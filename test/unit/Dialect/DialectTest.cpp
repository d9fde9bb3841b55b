//===- DialectTest.cpp - Versions and their dialects ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReleasesInternal.h"
#include "gtest/gtest.h"
#include "opsig/Dialect/PythonTraits.h"
#include "opsig/Dialect/ShimTraits.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace opsig;

namespace {

/// "2.4 exact", what a version text leads to.
std::string choice(llvm::StringRef Text) {
  std::optional<llvm::VersionTuple> Version = parseTorchVersion(Text);
  if (!Version)
    return "no version";
  DialectChoice Choice = chooseDialect(*Version);
  const char *Match[] = {"exact", "older", "newer than known", "older than known"};
  return Choice.Chosen->Name.str() + " " + Match[static_cast<int>(Choice.Match)];
}

TEST(Version, Parts) {
  EXPECT_EQ(parseTorchVersion("2.4"), llvm::VersionTuple(2, 4));
  EXPECT_EQ(parseTorchVersion("2.4.1"), llvm::VersionTuple(2, 4));
  EXPECT_EQ(parseTorchVersion("2.10"), llvm::VersionTuple(2, 10));
  EXPECT_EQ(parseTorchVersion("v2.4.0a0+git123"), llvm::VersionTuple(2, 4));
  EXPECT_EQ(parseTorchVersion("2.4.0a0+git123"), llvm::VersionTuple(2, 4));
  EXPECT_EQ(parseTorchVersion("1.13.1+cpu"), llvm::VersionTuple(1, 13));
  EXPECT_EQ(parseTorchVersion("2.5rc1"), llvm::VersionTuple(2, 5));
  EXPECT_EQ(parseTorchVersion("  2.7.0\n"), llvm::VersionTuple(2, 7));
}

TEST(Version, NoVersions) {
  for (const char *Text : {"", "2", "2.", ".4", "v", "torch", "two.four", "-2.4", "2,4", "2.x",
                           "v v2.4", "git123", "99999999999.1", "2.99999999999"})
    EXPECT_EQ(parseTorchVersion(Text), std::nullopt) << Text;
}

TEST(Choice, OfEachRelease) {
  EXPECT_EQ(choice("1.13.1"), "1.13 exact");
  EXPECT_EQ(choice("2.0"), "2.0 exact");
  EXPECT_EQ(choice("2.1"), "2.1 exact");
  EXPECT_EQ(choice("2.2.2"), "2.2 exact");
  EXPECT_EQ(choice("2.3"), "2.3 exact");
  EXPECT_EQ(choice("2.4.0a0+git123"), "2.4 exact");
  EXPECT_EQ(choice("2.5"), "2.5 exact");
  EXPECT_EQ(choice("2.6.0a0+git123"), "2.6 exact");
  EXPECT_EQ(choice("2.7.1"), "2.7 exact");
  EXPECT_EQ(choice("2.8"), "2.8 exact");
  EXPECT_EQ(choice("2.9.1"), "2.9 exact");
  EXPECT_EQ(choice("2.10"), "2.10 exact");
  EXPECT_EQ(choice("2.12.0"), "2.12 exact");
  EXPECT_EQ(choice("2.14.1"), "2.14 exact");
}

TEST(Choice, BeyondTheEnds) {
  EXPECT_EQ(choice("2.15.0.dev20261101"), "2.14 newer than known");
  EXPECT_EQ(choice("2.20"), "2.14 newer than known");
  EXPECT_EQ(choice("3.0"), "2.14 newer than known");
  EXPECT_EQ(choice("1.12"), "1.13 older than known");
  EXPECT_EQ(choice("1.10"), "1.13 older than known");
  EXPECT_EQ(choice("0.4"), "1.13 older than known");
  EXPECT_EQ(choice("1.14"), "1.13 older");
  EXPECT_EQ(chooseDialect(llvm::VersionTuple(2)).Chosen->Name, "2.0");
}

TEST(Dialects, StandInOrder) {
  for (auto [Older, Newer] : llvm::zip(allDialects(), allDialects().drop_front()))
    EXPECT_LT(std::pair(Older->Major, Older->Minor), std::pair(Newer->Major, Newer->Minor));
}

TEST(Dialects, NamesAreVersions) {
  for (const Dialect *D : allDialects()) {
    EXPECT_EQ(D->Name, std::to_string(D->Major) + "." + std::to_string(D->Minor));
    EXPECT_EQ(choice(D->Name), D->Name.str() + " exact");
  }
}

/// Each release removes what was there, adds what was not, and finds the places it names.
TEST(Dialects, NoReleaseEditsWhatIsNotThere) {
  EXPECT_TRUE(mistakesOfReleases().empty()) << mistakesOfReleases()[0];
}

/// What a torch root says of its own lists may take the place of what the dialect says.
TEST(Dialects, ACopyMayHaveListsOfItsOwn) {
  const Dialect &Newest = *allDialects().back();
  std::vector<std::string> Texts = {"Tensor", std::string("Sche") + "dule"};
  std::vector<llvm::StringRef> Names(Texts.begin(), Texts.end());
  std::vector<DispatchKey> Keys = {DispatchKey::CPU};
  Dialect Own = Newest;
  Own.Schema.BaseTypes = Names;
  Own.Keys.Structured = Keys;
  EXPECT_EQ(Own.Schema.BaseTypes.back(), "Schedule");
  EXPECT_EQ(Own.Keys.Structured.size(), 1u);
  EXPECT_EQ(Own.Schema.ScalarTypes, Newest.Schema.ScalarTypes);
  EXPECT_FALSE(llvm::is_contained(Newest.Schema.BaseTypes, llvm::StringRef("Schedule")));
  EXPECT_GT(Newest.Keys.Structured.size(), 1u);
}

TEST(Dialects, KeysOfTheirTablesAreKnownToThem) {
  for (const Dialect *D : allDialects()) {
    auto Known = [&](DispatchKey Key) { return !llvm::is_contained(D->Keys.Unknown, Key); };
    auto InTables = [&](DispatchKey Key) { return llvm::is_contained(D->Keys.Dispatch, Key); };
    EXPECT_TRUE(llvm::all_of(D->Keys.Dispatch, Known)) << D->Name.str();
    EXPECT_TRUE(llvm::all_of(D->Keys.DroppedByDefault, InTables)) << D->Name.str();
    EXPECT_TRUE(llvm::all_of(D->Keys.Structured, InTables)) << D->Name.str();
    EXPECT_TRUE(llvm::all_of(D->Keys.Ufunc, InTables)) << D->Name.str();
    EXPECT_TRUE(llvm::all_of(D->Keys.OwnEmpty, InTables)) << D->Name.str();
  }
}

TEST(Dialects, ListsNameEachThingOnce) {
  auto Unique = [](const auto &List) {
    return std::set(List.begin(), List.end()).size() == List.size();
  };
  for (const Dialect *D : allDialects()) {
    EXPECT_TRUE(Unique(D->Schema.BaseTypes)) << D->Name.str();
    EXPECT_TRUE(Unique(D->Schema.ScalarTypes)) << D->Name.str();
    EXPECT_TRUE(Unique(D->Schema.NoGeneratedOut)) << D->Name.str();
    EXPECT_TRUE(Unique(D->Schema.InheritedTags)) << D->Name.str();
    EXPECT_TRUE(Unique(D->Shims.DeviceOps)) << D->Name.str();
    EXPECT_TRUE(Unique(D->Python.Unbound)) << D->Name.str();
    EXPECT_TRUE(Unique(D->Python.ReturnTypes)) << D->Name.str();
    EXPECT_TRUE(Unique(D->Keys.Dispatch)) << D->Name.str();
  }
}

/// Their shims are written in the order of the list.
TEST(Dialects, ShimsAreInTheOrderOfTheirNames) {
  for (const Dialect *D : allDialects())
    EXPECT_TRUE(llvm::is_sorted(D->Shims.DeviceOps, operatorLess)) << D->Name.str();
}

/// Of an operator there is one shim of each number, and no shim is without its operator.
TEST(Dialects, VersionsOfShimsHaveTheirOperators) {
  for (const Dialect *D : allDialects()) {
    std::set<std::pair<llvm::StringRef, unsigned>> Seen;
    for (const ShimVersion &V : D->Shims.Versions) {
      EXPECT_TRUE(llvm::is_contained(D->Shims.DeviceOps, V.Op) ||
                  llvm::is_contained(D->Shims.GenericOps, V.Op))
          << D->Name.str() << " " << V.Op.str();
      EXPECT_TRUE(Seen.insert({V.Op, V.Number}).second) << V.Op.str();
    }
  }
}

/// The number of Register<Key>.cpp files of each release.
TEST(Dialects, KeysOfARelease) {
  auto Count = [](unsigned Major, unsigned Minor) {
    const KeyTraits &Keys = chooseDialect(llvm::VersionTuple(Major, Minor)).Chosen->Keys;
    return std::pair(Keys.Dispatch.size() - Keys.DroppedByDefault.size(), Keys.Dispatch.size());
  };
  EXPECT_EQ(Count(1, 13), std::pair(size_t(20), size_t(21)));
  EXPECT_EQ(Count(2, 2), std::pair(size_t(20), size_t(21)));
  EXPECT_EQ(Count(2, 3), std::pair(size_t(21), size_t(22)));
  EXPECT_EQ(Count(2, 4), std::pair(size_t(21), size_t(22)));
  EXPECT_EQ(Count(2, 5), std::pair(size_t(22), size_t(23)));
  EXPECT_EQ(Count(2, 6), std::pair(size_t(23), size_t(25)));
  EXPECT_EQ(Count(2, 7), std::pair(size_t(24), size_t(26)));
  EXPECT_EQ(Count(2, 8), std::pair(size_t(25), size_t(28)));
  EXPECT_EQ(Count(2, 9), std::pair(size_t(25), size_t(30)));
  EXPECT_EQ(Count(2, 14), std::pair(size_t(22), size_t(30)));
}

TEST(Keys, NamesReadBack) {
  for (unsigned I = 0; I != NumDispatchKeys; ++I) {
    auto Key = static_cast<DispatchKey>(I);
    EXPECT_EQ(parseDispatchKey(toString(Key)), Key);
    EXPECT_EQ(toLower(Key), toString(Key).lower());
  }
  EXPECT_EQ(parseDispatchKey("CatchAll"), DispatchKey::Undefined);
  for (const char *Name : {"", "cpu", "CPU ", "Cuda", "NoSuchKey"})
    EXPECT_EQ(parseDispatchKey(Name), std::nullopt) << Name;
}

TEST(Keys, Kinds) {
  std::string Composite, Cuda, Xpu;
  for (unsigned I = 0; I != NumDispatchKeys; ++I) {
    auto Key = static_cast<DispatchKey>(I);
    auto Add = [&](std::string &To, bool Is) { To += Is ? " " + toString(Key).str() : ""; };
    Add(Composite, isCompositeKey(Key));
    Add(Cuda, isCudaKey(Key));
    Add(Xpu, isXpuKey(Key));
  }
  EXPECT_EQ(Composite, " CompositeImplicitAutograd CompositeImplicitAutogradNestedTensor "
                       "CompositeExplicitAutograd CompositeExplicitAutogradNonFunctional");
  EXPECT_EQ(Cuda, " CUDA QuantizedCUDA SparseCUDA SparseCsrCUDA NestedTensorCUDA AutogradCUDA");
  EXPECT_EQ(Xpu, " XPU QuantizedXPU SparseXPU SparseCsrXPU NestedTensorXPU AutogradXPU");
}

} // namespace
