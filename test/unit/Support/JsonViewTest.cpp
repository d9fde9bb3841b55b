//===- JsonViewTest.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gtest/gtest.h"
#include "opsig/Support/JsonText.h"
#include "opsig/Support/JsonView.h"

using namespace opsig;
using namespace llvm;

/// Prints a value; a number that is no integer as "real".
static std::string print(const JsonValue &V) {
  switch (V.kind()) {
  case JsonValue::Null:
    return "null";
  case JsonValue::Boolean:
    return *V.getAsBoolean() ? "true" : "false";
  case JsonValue::Integer:
    return std::to_string(*V.getAsInteger());
  case JsonValue::Real:
    return "real";
  case JsonValue::String:
    return "'" + V.getAsString()->str() + "'";
  case JsonValue::Array: {
    std::string Out = "[";
    for (const JsonValue &Element : *V.getAsArray())
      Out += print(Element) + ";";
    return Out + "]";
  }
  case JsonValue::Object: {
    std::string Out = "{";
    for (const auto &[Key, Value] : *V.getAsObject())
      Out += Key.str() + "=" + print(Value) + ";";
    return Out + "}";
  }
  }
  return "";
}

static std::string parsed(StringRef Text) {
  Expected<JsonView> View = JsonView::parse(Text);
  return View ? print(View->root()) : "error: " + toString(View.takeError());
}

TEST(JsonView, ReadsValuesOfEachKind) {
  EXPECT_EQ(
      parsed(R"( {"a": [1, -2, 1.5, true, false, null], "b": {"c": "d"}, "e": [], "f": {}} )"),
      "{a=[1;-2;real;true;false;null;];b={c='d';};e=[];f={};}");
}

TEST(JsonView, KeepsListsInListsApart) {
  EXPECT_EQ(parsed("[[1,[2,3]],[[4],5],{\"a\":[6,{\"b\":7}],\"c\":8}]"),
            "[[1;[2;3;];];[[4;];5;];{a=[6;{b=7;};];c=8;};]");
}

TEST(JsonView, ReadsEscapesAsLlvmDoes) {
  for (StringRef Text :
       {R"(["\"\\\/\b\f\n\r\t", "\u00e4\u20ac", "\ud83d\ude00", "\ud83d", "\ude00x"])",
        R"(["\ud83d\u0041", "a\u0000b"])"}) {
    Expected<json::Value> Other = parseJson(Text);
    ASSERT_TRUE(bool(Other));
    Expected<JsonView> View = JsonView::parse(Text);
    ASSERT_TRUE(bool(View)) << toString(View.takeError());
    const json::Array &Expected = *Other->getAsArray();
    const JsonArray &Read = *View->root().getAsArray();
    ASSERT_EQ(Read.size(), Expected.size());
    for (size_t I = 0; I != Read.size(); ++I)
      EXPECT_EQ(*Read[I].getAsString(), *Expected[I].getAsString());
  }
}

TEST(JsonView, RefusesWhatLlvmRefuses) {
  for (StringRef Text : {"", "{", "[1,]", "[1 2]", "{\"a\"}", "{\"a\":}", "{1:2}", "\"a", "\"\\x\"",
                         "\"\\u12\"", "nul", "-", "[1]x", "{\"a\":1,}", "]", "\"\\"}) {
    Expected<json::Value> Other = parseJson(Text);
    EXPECT_FALSE(bool(Other)) << Text.str();
    consumeError(Other.takeError());
    EXPECT_EQ(parsed(Text).substr(0, 7), "error: ") << Text.str();
  }
  EXPECT_EQ(parsed(std::string(200, '[')).substr(0, 7), "error: ");
  std::string Deep = std::string(MostJsonDepth, '[') + std::string(MostJsonDepth, ']');
  EXPECT_EQ(
      parsed(Deep), Deep.substr(0, MostJsonDepth) + "]" + [] {
        std::string Out;
        for (unsigned I = 1; I != MostJsonDepth; ++I)
          Out += ";]";
        return Out;
      }());
  EXPECT_EQ(parsed("[" + Deep + "]").substr(0, 7), "error: ");
}

TEST(JsonView, FindsMembers) {
  StringRef Text = R"({"text": "x", "flag": true, "number": 7, "list": [1], "object": {}})";
  Expected<JsonView> View = JsonView::parse(Text);
  ASSERT_TRUE(bool(View));
  const JsonObject &O = *View->root().getAsObject();
  EXPECT_EQ(O.getString("text"), "x");
  EXPECT_EQ(O.getBoolean("flag"), true);
  EXPECT_EQ(O.getInteger("number"), 7);
  EXPECT_EQ(O.getArray("list")->size(), 1u);
  EXPECT_TRUE(O.getObject("object"));
  EXPECT_FALSE(O.get("none"));
  EXPECT_FALSE(O.getString("flag"));
  EXPECT_FALSE(O.getInteger("text"));
}
