//===- BaselineTest.cpp - findings that are known already --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Report/SiftFindings.h"
#include "opsig/Support/FindingIds.h"

#include "gtest/gtest.h"
#include "llvm/Support/raw_ostream.h"

using namespace opsig;

namespace {

class BaselineTest : public testing::Test {
protected:
  SourceFiles Files;
  SourceId File = Files.add("/p/src/a.cpp", "int x;\nint  x;\nint y;\n");

  Finding finding(uint32_t Line, std::string Message = "wrong") {
    return {finding::KernelSignature,
            Level::Error,
            {File, Line, 1, 3},
            std::move(Message),
            "",
            "",
            {},
            {}};
  }
  std::string written(llvm::ArrayRef<Finding> Hits) {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    writeBaseline(OS, Hits, Files, "/p");
    return Text;
  }
  Baseline read(llvm::StringRef Text) { return llvm::cantFail(Baseline::read(Text, "/p")); }
};

TEST_F(BaselineTest, KnowsWhatLooksTheSameAsOftenAsItIsListed) {
  Baseline B = read(written({finding(1), finding(2)}));
  EXPECT_EQ(B.left(), 2u);
  EXPECT_FALSE(B.take(finding(3), Files));
  EXPECT_FALSE(B.take(finding(1, "wrong in another way"), Files));
  EXPECT_TRUE(B.take(finding(2), Files));
  EXPECT_TRUE(B.take(finding(2), Files));
  EXPECT_FALSE(B.take(finding(1), Files));
  EXPECT_EQ(B.left(), 0u);
}

TEST_F(BaselineTest, NamesFilesFromItsFolder) {
  FindingKey Key = findingKey(finding(1), Files, "/p");
  EXPECT_EQ(Key.File, "src/a.cpp");
  EXPECT_EQ(Key.Check, "opsig-kernel-signature");
  EXPECT_EQ(findingKey(finding(1), Files, "/q").File, "/p/src/a.cpp");
  // Blanks do not count, the line does.
  EXPECT_EQ(Key.Line, findingKey(finding(2), Files, "/p").Line);
  EXPECT_NE(Key.Line, findingKey(finding(3), Files, "/p").Line);
  EXPECT_EQ(fingerprint(Key).size(), 16u);
  EXPECT_NE(fingerprint(Key), fingerprint(findingKey(finding(3), Files, "/p")));
}

TEST_F(BaselineTest, SiftDivides) {
  Findings Diags;
  for (uint32_t Line : {3, 1, 1, 2})
    Diags.append(finding(Line));
  FindingFilter Filter;
  Filter.Known = read(written({finding(3)}));
  SiftedFindings Divided = sift(Diags, Filter, Files);
  EXPECT_EQ(Divided.Reported.size(), 2u); // One of them was an exact repeat.
  EXPECT_EQ(Divided.count(SuppressedBy::Baseline), 1u);
  EXPECT_EQ(Divided.Suppressed.front().Hit.At.Line, 3u);
  Filter.SuppressedPaths = {"/p/s*"};
  EXPECT_EQ(sift(Diags, Filter, Files).count(SuppressedBy::Path), 3u);
  Filter.Checks = CheckGlobs("-*");
  Divided = sift(Diags, Filter, Files);
  EXPECT_TRUE(Divided.Reported.empty() && Divided.Suppressed.empty());
}

} // namespace
