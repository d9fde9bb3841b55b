//===- JsonTreeTest.cpp - JSON in an arena, compared with LLVM's parser -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Support/JsonTree.h"
#include "opsig/Support/JsonText.h"

#include "gtest/gtest.h"
#include "llvm/Support/FormatVariadic.h"

#include <random>

using namespace opsig;
using namespace llvm;

namespace {

/// Whether both are the same.
bool isSame(const JsonValue &Tree, const json::Value &Of) {
  if (const json::Array *A = Of.getAsArray()) {
    const JsonArray *Items = Tree.getAsArray();
    if (!Items || Items->size() != A->size())
      return false;
    for (size_t I = 0; I != A->size(); ++I)
      if (!isSame((*Items)[I], (*A)[I]))
        return false;
    return true;
  }
  if (const json::Object *O = Of.getAsObject()) {
    const JsonObject *Members = Tree.getAsObject();
    // A key that was given twice is a member twice.
    if (!Members || size_t(Members->end() - Members->begin()) < O->size())
      return false;
    for (const auto &[Key, Value] : *O)
      if (const JsonValue *V = Members->get(Key); !V || !isSame(*V, Value))
        return false;
    return true;
  }
  return Tree.isNull() == bool(Of.getAsNull()) && Tree.getAsBoolean() == Of.getAsBoolean() &&
         Tree.getAsInteger() == Of.getAsInteger() && Tree.getAsString() == Of.getAsString();
}

/// Whether LLVM reads the same in \p Text.
bool isReadAlike(StringRef Text) {
  Expected<json::Value> Of = json::parse(Text);
  Expected<JsonTree> Tree = JsonTree::parse(Text);
  if (!Of || !Tree) {
    bool Both = !Of && !Tree;
    consumeError(Of.takeError());
    consumeError(Tree.takeError());
    return Both;
  }
  return isSame(Tree->root(), *Of);
}

std::string randomText(std::mt19937 &Random) {
  static constexpr StringLiteral Parts[] = {"a", "\\", "\"",   "\n", "/",
                                            "é", "😀", "\x01", "  ", "{[,:"};
  std::string Out;
  for (unsigned Left = Random() % 5; Left; --Left)
    Out += Parts[Random() % std::size(Parts)];
  return Out;
}

json::Value randomValue(std::mt19937 &Random, unsigned Depth) {
  switch (Random() % (Depth ? 8 : 5)) {
  case 0:
    return nullptr;
  case 1:
    return bool(Random() % 2);
  case 2:
    return int64_t(Random()) - int64_t(Random());
  case 3:
    return int64_t(Random() % 10);
  case 4:
    return randomText(Random);
  case 5:
  case 6: {
    json::Array Out;
    for (unsigned Left = Random() % 5; Left; --Left)
      Out.push_back(randomValue(Random, Depth - 1));
    return Out;
  }
  default: {
    json::Object Out;
    for (unsigned Left = Random() % 5; Left; --Left)
      Out[randomText(Random)] = randomValue(Random, Depth - 1);
    return Out;
  }
  }
}

TEST(JsonTree, ReadsWhatLlvmReads) {
  std::mt19937 Random(7);
  for (unsigned Round = 0; Round != 2000; ++Round) {
    json::Value Of = randomValue(Random, 5);
    for (StringRef Pattern : {"{0}", "{0:2}"}) {
      std::string Text = formatv(Pattern.data(), Of).str();
      Expected<JsonTree> Tree = JsonTree::parse(Text);
      ASSERT_TRUE(bool(Tree)) << Text;
      EXPECT_TRUE(isSame(Tree->root(), Of)) << Text;
    }
  }
}

TEST(JsonTree, RefusesWhatLlvmRefuses) {
  std::mt19937 Random(11);
  for (unsigned Round = 0; Round != 300; ++Round) {
    std::string Text = formatv("{0}", json::Value(json::Array{randomValue(Random, 4)})).str();
    for (size_t Length = 0; Length < Text.size(); ++Length)
      EXPECT_TRUE(isReadAlike(json::fixUTF8(StringRef(Text).take_front(Length)))) << Text << Length;
    for (size_t Gone = 0; Gone < Text.size(); ++Gone) {
      std::string Less = json::fixUTF8(
          (Twine(StringRef(Text).take_front(Gone)) + StringRef(Text).drop_front(Gone + 1)).str());
      EXPECT_TRUE(isReadAlike(Less)) << Less;
    }
  }
}

TEST(JsonTree, ReadsEscapes) {
  for (StringRef Text : {R"("\ud83d\ude00")",
                         R"("\ud83d")",
                         R"("\ude00x")",
                         R"("\ud83d\u0041")",
                         R"("\u00e9\u0000\u20ac")",
                         R"("\ud83d\ud83d\ude00")",
                         R"("\b\f\n\r\t\/\\\"")",
                         R"("\x41")",
                         R"("\u12g4")",
                         R"("\u12)",
                         R"("\)",
                         R"("\ud83d\u)",
                         "[12, -0]",
                         "[1 2]",
                         "[,]",
                         "{\"a\" 1}",
                         "{a: 1}",
                         "{\"a\":1,}",
                         "nul",
                         "truefalse",
                         "",
                         "  ",
                         "1 1",
                         "99999999999999999999"})
    EXPECT_TRUE(isReadAlike(Text)) << Text.str();
}

TEST(JsonTree, KeepsNoFloats) {
  Expected<JsonTree> Tree = JsonTree::parse("[1.5, 1e3]");
  ASSERT_TRUE(bool(Tree));
  for (const JsonValue &V : *Tree->root().getAsArray())
    EXPECT_TRUE(!V.isNull() && !V.getAsInteger() && !V.getAsString() && !V.getAsBoolean());
}

TEST(JsonTree, LimitsTheDepth) {
  std::string Deep(MostJsonDepth + 1, '['), Closed(MostJsonDepth + 1, ']');
  Expected<JsonTree> Tree = JsonTree::parse(Deep + Closed);
  ASSERT_FALSE(bool(Tree));
  EXPECT_EQ(toString(Tree.takeError()), "its brackets are nested more than 100 levels deep");
}

} // namespace
