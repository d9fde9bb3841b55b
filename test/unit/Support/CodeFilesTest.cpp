//===- CodeFilesTest.cpp - what a file holds, by its extension ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Support/CodeFiles.h"

#include "gtest/gtest.h"

using namespace opsig;

TEST(CodeFilesTest, ByExtension) {
  EXPECT_EQ(codeFile("a/ops.cpp"), CodeFile::Cpp);
  EXPECT_EQ(codeFile("ops.cu"), CodeFile::Gpu);
  EXPECT_EQ(codeFile("ops.hip"), CodeFile::Gpu);
  EXPECT_EQ(codeFile("ops.mm"), CodeFile::OtherC);
  EXPECT_EQ(codeFile("ops.hpp"), CodeFile::Header);
  EXPECT_EQ(codeFile("ops.cuh"), CodeFile::GpuHeader);
  EXPECT_EQ(codeFile("ops.inl"), CodeFile::Part);
  EXPECT_EQ(codeFile("ops.cppm"), CodeFile::Module);
  EXPECT_EQ(codeFile("ops.cpp.in"), CodeFile::Template);
  EXPECT_EQ(codeFile("ops.pyi"), CodeFile::Python);
}

TEST(CodeFilesTest, CaseSaysWhichLanguage) {
  EXPECT_EQ(codeFile("a.C"), CodeFile::Cpp);
  EXPECT_EQ(codeFile("a.c"), CodeFile::OtherC);
}

TEST(CodeFilesTest, OtherFiles) {
  for (const char *Name : {"", "Makefile", "ops.yaml", "cpp", "a.cpp/README", ".cpp~"})
    EXPECT_EQ(codeFile(Name), CodeFile::None) << Name;
}
