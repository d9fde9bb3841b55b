//===- PlainYamlTest.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The judge of readPlainYaml() is yaml-cpp: what the one takes, the other takes and reads alike.
//
//===----------------------------------------------------------------------===//
#include "gtest/gtest.h"
#include "llvm/Support/raw_ostream.h"
#include "../../../lib/Operators/YamlTreeInternal.h"
#include <random>
#include <yaml-cpp/exceptions.h>

using namespace opsig;

namespace {

constexpr SourceId File = SourceId(1);

void print(llvm::raw_ostream &OS, const YamlNode &Node) {
  OS << Node.at().Line << ':' << Node.at().Column << '+' << Node.at().Length << ' ' << int(Node.Is)
     << int(Node.Value) << int(Node.Text.Verbatim) << " '" << Node.Text.Text << "' (";
  for (const YamlNode *Child : Node.Children)
    print(OS, *Child);
  OS << ")\n";
}

std::string print(const YamlNode &Node) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  print(OS, Node);
  return Text;
}

/// The tree of \p Text, "" where it is left to yaml-cpp.
std::string plain(llvm::StringRef Text) {
  YamlNodes Nodes;
  return readPlainYaml(File, {Text, 7}, Nodes) ? print(*Nodes.Root) : "";
}

std::string judged(llvm::StringRef Text) {
  YamlNodes Nodes;
  Findings Diags;
  try {
    readYaml(File, {Text, 7}, Nodes, Diags);
  } catch (const YAML::Exception &E) {
    return E.msg;
  }
  return Diags.empty() ? print(*Nodes.Root) : Diags.all().front().Message;
}

constexpr llvm::StringLiteral Schemas = R"(# a comment: with [brackets]

- func: add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor   # behind
  device_check: NoCheck
  dispatch:
    CPU, CUDA: add    # two keys
# at the margin
    SparseCPU: add_sparse
  tags: [core, 'pointwise']
  cpp_no_default_args: ["a"]

    # deeper
  autogen: add.out, add_
- func: empty() -> ()
  dispatch: {}
  precompute:
  - kernel_size -> int a, int b
  - other
  list:
    - x: 1
      y: -.5
  'quoted key': yes
  tags: [ ]
)";

TEST(PlainYaml, ReadsSchemaFiles) {
  EXPECT_EQ(judged(Schemas), plain(Schemas));
  EXPECT_EQ(judged("backend: XLA\nsupported:\n- add.Tensor\n- mul\n"),
            plain("backend: XLA\nsupported:\n- add.Tensor\n- mul\n"));
  EXPECT_NE("", plain(Schemas));
  EXPECT_NE("", plain("backend: XLA\nsupported:\n- add.Tensor\n- mul\n"));
}

TEST(PlainYaml, LeavesTheUnusualToYamlCpp) {
  for (const char *Text : {"",
                           "# nothing",
                           "scalar",
                           "a:",
                           "a: null",
                           "a: ~",
                           "- ",
                           "a: b\nc:\n",
                           "a: b\na: c",
                           "a: &x b",
                           "a: *x",
                           "a: !t b",
                           "a: |\n b",
                           "a: >\n b",
                           "a: b\n c",
                           "a: 'it''s'",
                           "a: \"\\n\"",
                           "a: {b: c}",
                           "a: [b: c]",
                           "a: [[b]]",
                           "a: [b,]",
                           "a: [b\n, c]",
                           "a:\tb",
                           "a: \xc3\xa9",
                           "a: b\r\n",
                           "--- \na: b",
                           "a: b\n---\nc: d",
                           "a: b\n...\n",
                           "%YAML 1.2\n---\na: b",
                           "? a\n: b",
                           "- - a",
                           "- a\n -b",
                           "a: 'b",
                           "a: [b",
                           "a: b: c",
                           "- func: - b",
                           "a: b\n  c: d",
                           "  a: b\nc: d",
                           "a: 'b' c",
                           "a: @b",
                           "a: `b`",
                           "a: b]",
                           "- a\nb: c"})
    if (std::string Tree = plain(Text); !Tree.empty())
      EXPECT_EQ(judged(Text), Tree) << "of\n" << Text;
  EXPECT_EQ("", plain("a: b: c"));
  EXPECT_EQ("", plain("- func: - b"));
  EXPECT_EQ("", plain("a: |\n b"));
  EXPECT_EQ("", plain("a: \xc3\xa9"));
}

TEST(PlainYaml, LeavesEveryDoubleKeyToYamlCpp) {
  EXPECT_EQ("", plain("a: b\nc: d\na: e\n"));
  EXPECT_NE("", plain("a: b\nc: d\ne: a\n"));
}

/// \p Text with one to three small faults.
std::string spoil(std::string Text, std::mt19937 &Random) {
  auto Below = [&](size_t End) { return Random() % End; };
  constexpr llvm::StringLiteral Signs = "-:,[]{}#'\"|>&*!%@` \n\n  ab0~?.\\";
  for (size_t Faults = 1 + Below(3); Faults && !Text.empty(); --Faults) {
    size_t At = Below(Text.size());
    switch (Below(4)) {
    case 0:
      Text.erase(At, 1 + Below(4));
      break;
    case 1:
      Text.insert(At, 1, Signs[Below(Signs.size())]);
      break;
    case 2:
      Text[At] = Signs[Below(Signs.size())];
      break;
    default:
      Text.insert(At, Text.substr(Below(Text.size()), Below(20)));
    }
  }
  return Text;
}

TEST(PlainYaml, AgreesWithYamlCppOnSpoiledText) {
  std::mt19937 Random(1);
  unsigned Taken = 0, Left = 0;
  for (unsigned I = 0; I < 20000; ++I) {
    // A few lines: most of the faults should stand close to each other.
    size_t Begin = Random() % (Schemas.size() - 100);
    llvm::StringRef Part = Schemas.substr(Schemas.find('\n', Begin) + 1, 40 + Random() % 200);
    std::string Text = spoil(Part.str(), Random);
    std::string Tree = plain(Text);
    ++(Tree.empty() ? Left : Taken);
    if (!Tree.empty())
      ASSERT_EQ(judged(Text), Tree) << "of\n" << Text;
  }
  EXPECT_GT(Taken, 1000u);
  EXPECT_GT(Left, 1000u);
}

} // namespace
