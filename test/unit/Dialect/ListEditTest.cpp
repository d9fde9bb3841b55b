//===- ListEditTest.cpp - What a release does to a list ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gtest/gtest.h"
#include "llvm/ADT/StringExtras.h"
#include "../../../lib/Dialect/ReleasesInternal.h"

using namespace opsig;

namespace {

constexpr llvm::StringRef Letters[] = {"a", "b", "c"};

class ListEditTest : public testing::Test {
protected:
  ListEdit<llvm::StringRef> edit() { return {List, Store}; }
  std::string list() const { return llvm::join(List, " "); }
  std::string mistakes() const { return llvm::join(Store.Mistakes, "; "); }

  ListStore Store{{}, {}, {}, "0.1", {}};
  llvm::ArrayRef<llvm::StringRef> List = Letters;
};

TEST_F(ListEditTest, EntriesComeToTheirPlaces) {
  edit().append({"d", "e"});
  EXPECT_EQ(list(), "a b c d e");
  edit().before("a", {"x", "y"}).after("a", {"z"});
  EXPECT_EQ(list(), "x y a z b c d e");
  edit().replace("b", {"v", "w"});
  EXPECT_EQ(list(), "x y a z v w c d e");
  edit().after("e", {"f"});
  EXPECT_EQ(list(), "x y a z v w c d e f");
  EXPECT_EQ(mistakes(), "");
}

TEST_F(ListEditTest, EntriesGo) {
  edit().remove({"c", "a"});
  EXPECT_EQ(list(), "b");
  edit().replace("b", {});
  EXPECT_EQ(list(), "");
  edit().append({"a"}).become({"n", "m"});
  EXPECT_EQ(list(), "n m");
  EXPECT_EQ(mistakes(), "");
}

TEST_F(ListEditTest, TheReleaseBeforeKeepsItsList) {
  edit().append({"d"});
  llvm::ArrayRef<llvm::StringRef> Before = List;
  for (int I = 0; I != 100; ++I)
    edit().remove({"a"}).append({"a"});
  EXPECT_EQ(llvm::join(Before, " "), "a b c d");
  EXPECT_EQ(llvm::join(llvm::ArrayRef(Letters), " "), "a b c");
}

TEST_F(ListEditTest, MistakesAreNotedAndChangeNothing) {
  edit().after("no", {"x"}).before("none", {"x"}).remove({"never"}).replace("nil", {"x"});
  EXPECT_EQ(list(), "a b c");
  EXPECT_EQ(mistakes(), "0.1: 'no' is not in the list; 0.1: 'none' is not in the list; "
                        "0.1: 'never' is not in the list; 0.1: 'nil' is not in the list");
  Store.Mistakes.clear();
  edit().append({"b", "d"});
  EXPECT_EQ(list(), "a b c d");
  EXPECT_EQ(mistakes(), "0.1: 'b' is in the list already");
}

TEST_F(ListEditTest, SortedEntriesFindTheirPlaces) {
  List = {};
  edit().insertSorted({"add.out", "add", "add_", "zeros", "addmm.out", "add.Scalar"}, operatorLess);
  EXPECT_EQ(list(), "add.Scalar add add.out add_ addmm.out zeros");
  EXPECT_EQ(mistakes(), "");
}

TEST_F(ListEditTest, Keys) {
  llvm::ArrayRef<DispatchKey> Keys;
  ListEdit<DispatchKey>(Keys, Store)
      .append({DispatchKey::CPU, DispatchKey::Meta})
      .after(DispatchKey::CPU, {DispatchKey::CUDA})
      .after(DispatchKey::XPU, {DispatchKey::MPS});
  EXPECT_EQ(Keys, llvm::ArrayRef({DispatchKey::CPU, DispatchKey::CUDA, DispatchKey::Meta}));
  EXPECT_EQ(mistakes(), "0.1: 'XPU' is not in the list");
}

} // namespace
