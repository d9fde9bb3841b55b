//===- LspTest.cpp - Streams, positions, buffers -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gtest/gtest.h"
#include "opsig/Lsp/Documents.h"
#include "opsig/Lsp/Frame.h"

using namespace opsig;
namespace json = llvm::json;

TEST(FrameTest, MessagesComeInPieces) {
  FrameReader Reader;
  Reader.add("Content-Le");
  EXPECT_FALSE(Reader.next());
  Reader.add("ngth: 2\r\nContent-Type: x\r\n\r\n{");
  EXPECT_FALSE(Reader.next());
  Reader.add("}Content-Length: 3\n\nabc");
  EXPECT_EQ(Reader.next(), "{}");
  EXPECT_EQ(Reader.next(), "abc");
  EXPECT_FALSE(Reader.next());
}

TEST(FrameTest, HeadersWithoutLengthArePassedOver) {
  FrameReader Reader;
  Reader.add("Content-Length: many\r\n\r\nrubbish\n\nContent-Length: 99999999999999999999\n\n"
             "content-length: 2\r\n\r\n[]");
  EXPECT_EQ(Reader.next(), "[]");
}

TEST(FrameTest, FramedTextIsRead) {
  FrameReader Reader;
  Reader.add(framed("") + framed("Content-Length: 3\r\n\r\n"));
  EXPECT_EQ(Reader.next(), "");
  EXPECT_EQ(Reader.next(), "Content-Length: 3\r\n\r\n");
}

// "a", e with acute (2 bytes, 1 unit), G clef (4 bytes, 2 units), "b".
static const char Mixed[] = "first\na\xc3\xa9\xf0\x9d\x84\x9e"
                            "b\r\nlast";

TEST(PositionTest, CharactersAreCountedInUnits) {
  TextLines Lines(Mixed);
  size_t B = llvm::StringRef(Mixed).find('b');
  EXPECT_EQ(Lines.position(B, PositionUnits::Utf16), (Position{1, 4}));
  EXPECT_EQ(Lines.position(B, PositionUnits::Utf8), (Position{1, 7}));
  EXPECT_EQ(Lines.position(B, PositionUnits::Utf32), (Position{1, 3}));
  EXPECT_EQ(Lines.offset({1, 4}, PositionUnits::Utf16), B);
  EXPECT_EQ(Lines.offset({1, 7}, PositionUnits::Utf8), B);
  EXPECT_EQ(Lines.offset({1, 3}, PositionUnits::Utf32), B);
  // The second half of a pair is before the character.
  EXPECT_EQ(Lines.offset({1, 3}, PositionUnits::Utf16), B - 4);
}

TEST(PositionTest, OddPositionsAreAtSomeEnd) {
  TextLines Lines(Mixed);
  size_t All = sizeof(Mixed) - 1;
  for (PositionUnits Units : {PositionUnits::Utf8, PositionUnits::Utf16, PositionUnits::Utf32}) {
    EXPECT_EQ(Lines.offset({-1, 3}, Units), 0u);
    EXPECT_EQ(Lines.offset({0, -3}, Units), 0u);
    EXPECT_EQ(Lines.offset({0, 99}, Units), 5u);
    EXPECT_EQ(Lines.offset({2, INT64_MAX}, Units), All);
    EXPECT_EQ(Lines.offset({INT64_MAX, 0}, Units), All);
    EXPECT_EQ(Lines.position(INT32_MAX, Units), Lines.position(All, Units));
  }
  EXPECT_EQ(TextLines("").offset({0, 1}, PositionUnits::Utf16), 0u);
}

TEST(MessageTest, KindsAreToldApart) {
  EXPECT_FALSE(readMessage("[1]"));
  EXPECT_FALSE(readMessage("{"));
  EXPECT_TRUE(readMessage(R"({"id": 1, "method": "x"})")->isRequest());
  EXPECT_TRUE(readMessage(R"({"method": "x"})")->isNotification());
  EXPECT_TRUE(readMessage(R"({"id": "1", "result": null})")->isAnswer());
  EXPECT_FALSE(readMessage(R"({"id": null})")->isAnswer());
  EXPECT_NE(idText(1), idText("1"));
}

TEST(MessageTest, PathsAndUris) {
  EXPECT_EQ(pathOfUri("file:///a%20b/%C3%A9.cpp"), "/a b/\xc3\xa9.cpp");
  EXPECT_EQ(pathOfUri("file://localhost/a"), "/a");
  EXPECT_EQ(pathOfUri("untitled:Untitled-1"), "");
  EXPECT_EQ(pathOfUri("file:///a%00b"), "");
  EXPECT_EQ(pathOfUri("file:///100%"), "/100%");
  for (const char *Path : {"/a b/\xc3\xa9+%.cpp", "/", "/x/~y-_.z"})
    EXPECT_EQ(pathOfUri(uriOfPath(Path)), Path);
}

static json::Object parsed(const char *Text) {
  return *llvm::cantFail(json::parse(Text)).getAsObject();
}

TEST(DocumentsTest, ChangesFollowEachOther) {
  Documents Open;
  EXPECT_TRUE(Open.open(
      parsed(R"({"textDocument": {"uri": "file:///a", "version": 1, "text": "one\ntwo\n"}})")));
  EXPECT_TRUE(Open.change(parsed(R"({"textDocument": {"uri": "file:///a", "version": 2},
    "contentChanges": [
      {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 3}}, "text": "1"},
      {"range": {"start": {"line": 0, "character": 1}, "end": {"line": 1, "character": 0}}, "text": "+"},
      {"range": {"start": {"line": 9, "character": 9}, "end": {"line": 9, "character": 9}}, "text": "!"}]})")));
  EXPECT_EQ(*Open.find("file:///a")->Text, "1+two\n!");
  EXPECT_EQ(Open.find("file:///a")->Version, 2);
  EXPECT_EQ(Open.findPath("/a"), Open.find("file:///a"));
  EXPECT_TRUE(Open.close(parsed(R"({"textDocument": {"uri": "file:///a"}})")));
  EXPECT_EQ(Open.find("file:///a"), nullptr);
}

TEST(DocumentsTest, WhatIsNoChangeChangesNothing) {
  Documents Open;
  EXPECT_FALSE(Open.open(parsed("{}")));
  EXPECT_FALSE(Open.change(parsed(R"({"textDocument": {"uri": "file:///a"}})")));
  Open.open(parsed(R"({"textDocument": {"uri": "file:///a", "text": "x"}})"));
  EXPECT_FALSE(Open.change(parsed(
      R"({"textDocument": {"uri": "file:///a"}, "contentChanges": [null, {"text": 3}, {}]})")));
  // An end before the begin.
  EXPECT_FALSE(Open.change(parsed(R"({"textDocument": {"uri": "file:///a"}, "contentChanges": [
    {"range": {"start": {"line": 0, "character": 1}, "end": {"line": 0, "character": 0}}, "text": "y"}]})")));
  EXPECT_EQ(*Open.find("file:///a")->Text, "x");
  EXPECT_FALSE(Open.close(parsed(R"({"textDocument": {"uri": "file:///b"}})")));
}
