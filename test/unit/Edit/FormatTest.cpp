//===- FormatTest.cpp - edits in the style of a file ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Edit/Format.h"

#include "gtest/gtest.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace opsig;
using namespace llvm;
using clang::tooling::Replacement;
using clang::tooling::Replacements;

namespace {

class Format : public testing::Test {
protected:
  void SetUp() override { ASSERT_FALSE(sys::fs::createUniqueDirectory("opsig-format", Folder)); }
  void TearDown() override { sys::fs::remove_directories(Folder); }

  void style(StringRef Text) {
    std::error_code Error;
    raw_fd_ostream(path(".clang-format"), Error) << Text;
    ASSERT_FALSE(Error);
  }
  std::string path(StringRef Name) {
    SmallString<128> Path(Folder);
    sys::path::append(Path, Name);
    return std::string(Path);
  }
  /// \p Edits of \p Text, the ones at the offsets \p Added being new code.
  EditedText edit(StringRef Text, std::vector<Fix> Edits, std::vector<unsigned> Added) {
    Replacements All;
    std::vector<Fix> Additions;
    for (const Fix &F : Edits) {
      cantFail(All.add(Replacement(path("f.cpp"), F.Offset, F.Length, F.Text)));
      if (is_contained(Added, F.Offset))
        Additions.push_back(F);
    }
    EditedText Out = applyFormatted(path("f.cpp"), Text, All, Additions);
    EXPECT_EQ(cantFail(clang::tooling::applyAllReplacements(Text, Out.Changes)), Out.Text);
    return Out;
  }
  static bool is_contained(const std::vector<unsigned> &List, unsigned Value) {
    return std::find(List.begin(), List.end(), Value) != List.end();
  }

  SmallString<128> Folder;
};

constexpr StringLiteral Ugly = "int   f( int a ) ;\n";

TEST_F(Format, WithoutASettingOnlyNewCodeIsTouched) {
  EXPECT_EQ(edit(Ugly, {{SourceId::None, 9, 3, "long"}}, {}).Text, "int   f( long a ) ;\n");
  EXPECT_EQ(edit(Ugly, {{SourceId::None, 19, 0, "int   g( int a ) ;\n"}}, {19}).Text,
            "int   f( int a ) ;\nint g(int a);\n");
}

TEST_F(Format, WithASettingEditedLinesAreTouchedToo) {
  style("BasedOnStyle: LLVM\n");
  EXPECT_EQ(edit(Ugly, {{SourceId::None, 9, 3, "long"}}, {}).Text, "int f(long a);\n");
}

TEST_F(Format, WhereFormattingIsSwitchedOffNothingIsFormatted) {
  style("DisableFormat: true\n");
  EXPECT_EQ(edit(Ugly, {{SourceId::None, 19, 0, "int   g( int a ) ;\n"}}, {19}).Text,
            "int   f( int a ) ;\nint   g( int a ) ;\n");
}

TEST_F(Format, LinesNextToNewOnesStay) {
  style("BasedOnStyle: LLVM\n");
  EXPECT_EQ(edit("int f() {\n  return 1;\n}\nint   z;\n",
                 {{SourceId::None, 23, 0, "\n\nint g() {\n  return 2;\n}"}}, {23})
                .Text,
            "int f() {\n  return 1;\n}\n\nint g() { return 2; }\nint   z;\n");
}

TEST_F(Format, FollowsTheFileWhereThereIsNoSetting) {
  EXPECT_EQ(edit("struct K {\n    int* o;\n    int* p;\n};\n",
                 {{SourceId::None, 34, 0, "\nint *q;"}}, {34})
                .Text,
            "struct K {\n    int* o;\n    int* p;\n    int* q;\n};\n");
}

TEST_F(Format, CommentsKeepTheirLines) {
  style("BasedOnStyle: LLVM\nColumnLimit: 30\n");
  StringRef Comment = "// add(Tensor self, Tensor other) -> Tensor";
  EXPECT_EQ(edit("int a;\n", {{SourceId::None, 7, 0, (Comment + "\nint b;\n").str()}}, {7}).Text,
            ("int a;\n" + Comment + "\nint b;\n").str());
}

} // namespace
