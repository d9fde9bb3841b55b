//===- SourceTextTest.cpp - Files, lines and places -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gtest/gtest.h"
#include "opsig/Support/SourceText.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/raw_ostream.h"

using namespace opsig;

namespace {

TEST(SourceFiles, LinesAreCountedFromOne) {
  SourceFiles Files;
  SourceId File = Files.add("a.yaml", "one\ntwo\r\n\nfour");
  EXPECT_EQ(Files.name(File), "a.yaml");
  EXPECT_EQ(Files.line(File, 1), "one");
  EXPECT_EQ(Files.line(File, 2), "two");
  EXPECT_EQ(Files.line(File, 3), "");
  EXPECT_EQ(Files.line(File, 4), "four");
  EXPECT_EQ(Files.line(File, 5), "");
  EXPECT_EQ(Files.line(File, 0), "");
}

TEST(SourceFiles, EmptyFile) {
  SourceFiles Files;
  SourceId File = Files.add("a.yaml", "");
  EXPECT_NE(File, SourceId::None);
  EXPECT_EQ(Files.text(File), "");
  EXPECT_EQ(Files.line(File, 1), "");
  EXPECT_EQ(Files.placeAt(File, 0), (Place{File, 1, 1, 0}));
}

TEST(SourceFiles, PlacesAndOffsets) {
  SourceFiles Files;
  SourceId File = Files.add("a.yaml", "one\ntwo\n");
  EXPECT_EQ(Files.placeAt(File, 0, 3), (Place{File, 1, 1, 3}));
  EXPECT_EQ(Files.placeAt(File, 3), (Place{File, 1, 4, 0}));
  EXPECT_EQ(Files.placeAt(File, 4), (Place{File, 2, 1, 0}));
  EXPECT_EQ(Files.placeAt(File, 8), (Place{File, 3, 1, 0}));
  for (size_t Offset = 0; Offset <= 8; ++Offset)
    EXPECT_EQ(Files.offsetOf(Files.placeAt(File, Offset)), Offset);
}

TEST(SourceFiles, OneIdForOneName) {
  SourceFiles Files;
  SourceId File = Files.add("a.yaml", "text");
  EXPECT_EQ(Files.add("a.yaml", "other"), File);
  EXPECT_EQ(Files.text(File), "text");
  EXPECT_EQ(Files.find("a.yaml"), File);
  EXPECT_EQ(Files.find("b.yaml"), SourceId::None);
  EXPECT_NE(Files.add("b.yaml", "text"), File);
}

TEST(SourceFiles, NoFile) {
  SourceFiles Files;
  EXPECT_EQ(Files.name(SourceId::None), "");
  EXPECT_EQ(Files.text(SourceId::None), "");
  EXPECT_FALSE(Place().isValid());
}

TEST(SourceFiles, TextStaysWhereItIs) {
  SourceFiles Files;
  llvm::StringRef Text = Files.text(Files.add("0", "first"));
  for (int I = 1; I != 1000; ++I)
    Files.add(std::to_string(I), "more");
  EXPECT_EQ(Text, "first");
  EXPECT_EQ(Files.text(Files.find("0")).data(), Text.data());
}

TEST(SourceFiles, OnDisk) {
  llvm::SmallString<128> Path;
  int Descriptor;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("opsig", "yaml", Descriptor, Path));
  llvm::FileRemover Remove(Path);
  llvm::raw_fd_ostream(Descriptor, /*shouldClose=*/true) << "on disk\n";

  SourceFiles Files;
  llvm::Expected<SourceId> File = Files.open(Path);
  ASSERT_TRUE(static_cast<bool>(File));
  EXPECT_EQ(Files.line(*File, 1), "on disk");
  EXPECT_EQ(*Files.open(Path), *File);
}

TEST(SourceFiles, MissingOnDisk) {
  SourceFiles Files;
  llvm::Expected<SourceId> File = Files.open("no/such/file.yaml");
  ASSERT_FALSE(static_cast<bool>(File));
  EXPECT_EQ(llvm::toString(File.takeError()),
            "cannot read 'no/such/file.yaml': No such file or directory");
}

TEST(SourceFiles, AddsToTheFilesOfAnother) {
  SourceFiles Shared;
  SourceId Yaml = Shared.add("a.yaml", "- func: f\n");
  SourceFiles First(&Shared), Second(&Shared);
  SourceId InFirst = First.add("a.cpp", "one\n"), InSecond = Second.add("a.cpp", "two\nthree\n");
  EXPECT_EQ(First.find("a.yaml"), Yaml);
  EXPECT_EQ(First.line(Yaml, 1), "- func: f");
  EXPECT_EQ(First.placeAt(Yaml, 2), (Place{Yaml, 1, 3, 0}));
  EXPECT_NE(InFirst, Yaml);
  EXPECT_EQ(First.text(InFirst), "one\n");
  EXPECT_EQ(Second.text(InSecond), "two\nthree\n");
  EXPECT_EQ(Second.name(InSecond), "a.cpp");
  EXPECT_EQ(First.find("b.cpp"), SourceId::None);
  EXPECT_EQ(Shared.find("a.cpp"), SourceId::None);
  EXPECT_EQ(First.add("a.yaml", "other"), Yaml);
}

TEST(LocatedText, InnerPlaces) {
  LocatedText Verbatim{"a b", {SourceId{1}, 3, 10, 3}, /*Verbatim=*/true};
  EXPECT_EQ(Verbatim.at(2, 1), (Place{SourceId{1}, 3, 12, 1}));
  // What was folded or unescaped has no inside.
  LocatedText Folded{"a b", {SourceId{1}, 3, 10, 3}, /*Verbatim=*/false};
  EXPECT_EQ(Folded.at(2, 1), Folded.At);
}

} // namespace
