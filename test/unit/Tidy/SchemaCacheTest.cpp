//===- SchemaCacheTest.cpp - schemas of one process --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "gtest/gtest.h"
#include "opsig/Tidy/SchemaCache.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <thread>

using namespace opsig;

namespace {

class SchemaCacheTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("opsig-cache", Dir));
    write("native.yaml", "- func: f(Tensor self) -> Tensor\n");
    write("tags.yaml", "- tag: core\n  desc: text\n");
    write(".opsig.yaml", "torch: 2.4\nschemas: native.yaml\ntags: tags.yaml\n");
  }
  void TearDown() override { llvm::sys::fs::remove_directories(Dir); }

  std::string path(llvm::StringRef Name) {
    llvm::SmallString<128> Path(Dir);
    llvm::sys::path::append(Path, Name);
    return std::string(Path);
  }
  void write(llvm::StringRef Name, llvm::StringRef Text) {
    std::error_code Error;
    llvm::raw_fd_ostream(path(Name), Error) << Text;
    ASSERT_FALSE(Error);
  }
  std::shared_ptr<const CheckedSchemas> get() { return Cache.get({}, Dir).Schemas; }

  llvm::SmallString<128> Dir;
  SchemaCache Cache;
};

TEST_F(SchemaCacheTest, ReadsOnceWhatDoesNotChange) {
  std::shared_ptr<const CheckedSchemas> First = get();
  ASSERT_TRUE(First->Checker);
  EXPECT_EQ(First->Schemas->Ops->Functions.size(), 1u);
  ASSERT_FALSE(llvm::sys::fs::create_directory(path("sub")));
  EXPECT_EQ(Cache.get({}, path("sub")).Schemas, First);
  SchemaSettings Other;
  Other.Torch = "2.9";
  EXPECT_NE(Cache.get(Other, Dir).Schemas, First);
  EXPECT_EQ(get(), First);
}

TEST_F(SchemaCacheTest, ReadsAgainWhatChanged) {
  std::shared_ptr<const CheckedSchemas> First = get();
  write("native.yaml", "- func: f(Tensr self) -> Tensor # saved in the middle of an edit\n");
  std::shared_ptr<const CheckedSchemas> Broken = get();
  EXPECT_NE(Broken, First);
  EXPECT_FALSE(Broken->Checker);
  EXPECT_EQ(Broken->Schemas->Diags.size(), 1u);
  // Who still works with the old ones may go on.
  EXPECT_EQ(First->Schemas->Ops->Functions.size(), 1u);
  write("native.yaml", "- func: f(Tensor self) -> Tensor\n- func: g(Tensor self) -> Tensor\n");
  EXPECT_EQ(get()->Schemas->Ops->Functions.size(), 2u);
}

TEST_F(SchemaCacheTest, TellsOnceWhatIsWrong) {
  write(".opsig.yaml", "schemas: native.yaml\ntags: tags.yaml\ntorch: 2.4\nbackend: gone.yaml\n");
  std::shared_ptr<const CheckedSchemas> Failed = get();
  EXPECT_FALSE(Failed->Checker);
  EXPECT_EQ(Failed->Failure,
            "no file '" + path("gone.yaml") + "' (" + path(".opsig.yaml") + ":4:10)");
  EXPECT_TRUE(Failed->claimReport());
  EXPECT_EQ(get(), Failed);
  EXPECT_FALSE(get()->claimReport());
  write("gone.yaml", "backend: PrivateUse1\ncpp_namespace: demo\nsupported:\n- f\n");
  EXPECT_TRUE(get()->Checker);
}

TEST_F(SchemaCacheTest, ServesThreads) {
  std::vector<std::shared_ptr<const CheckedSchemas>> Got(8);
  std::vector<std::thread> Threads;
  for (auto &One : Got)
    Threads.emplace_back([&] { One = get(); });
  for (std::thread &Thread : Threads)
    Thread.join();
  for (auto &One : Got)
    EXPECT_EQ(One, Got.front());
}

} // namespace
