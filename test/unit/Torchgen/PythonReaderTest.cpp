//===- PythonReaderTest.cpp - Python's literals as data ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PythonDataInternal.h"
#include "gtest/gtest.h"
#include "llvm/ADT/StringExtras.h"

using namespace opsig;

namespace {

std::string print(const PythonValue &V) {
  if (V.Is == PythonValue::String)
    return "'" + V.Text + "'";
  if (V.Is != PythonValue::List && V.Is != PythonValue::Dict)
    return V.Text;
  std::vector<std::string> Parts;
  for (size_t I = 0; I != V.Items.size(); ++I)
    Parts.push_back(print(V.Items[I]) + (I < V.Values.size() ? ": " + print(V.Values[I]) : ""));
  return "[" + llvm::join(Parts, ", ") + "]";
}

/// The value of `x`, or "LINE: why not".
std::string read(std::vector<llvm::StringRef> Texts) {
  std::vector<ModuleAssignments> Modules;
  for (llvm::StringRef Text : Texts)
    Modules.emplace_back("m" + std::to_string(Modules.size()) + ".py", Text,
                         llvm::ArrayRef<llvm::StringRef>({"x"}));
  PythonReader Reader(Modules);
  if (std::optional<PythonValue> Value = Reader.read(Modules[0], "x"))
    return print(*Value) + " in line " + std::to_string(Value->Line);
  if (Reader.stop())
    return Reader.stop()->File + ":" + std::to_string(Reader.stop()->Line) + ": " +
           Reader.stop()->Why;
  return "nothing";
}

std::string value(llvm::StringRef Text) {
  std::string Out = read({Text});
  return llvm::StringRef(Out).contains(" in line 1") ? Out.substr(0, Out.rfind(" in line")) : Out;
}

TEST(PythonReader, Literals) {
  EXPECT_EQ(value("x = ['a', \"b\"]"), "['a', 'b']");
  EXPECT_EQ(value("x = {'a', 'b',}"), "['a', 'b']");
  EXPECT_EQ(value("x = ('a', 'b')"), "['a', 'b']");
  EXPECT_EQ(value("x = ('a',)"), "['a']");
  EXPECT_EQ(value("x = ('a')"), "'a'");
  EXPECT_EQ(value("x = ()"), "[]");
  EXPECT_EQ(value("x = {}"), "[]");
  EXPECT_EQ(value("x = 'a' \"b\" '''c'''"), "'abc'");
  EXPECT_EQ(value("x = r'a\\.b'"), "'a\\.b'");
  EXPECT_EQ(value("x = 'a\\'b\\\\\\n'"), "'a'b\\\n'");
  EXPECT_EQ(value("x = {'a': {}, 'b': {'v2': ['c']}}"), "['a': [], 'b': ['v2': ['c']]]");
  EXPECT_EQ(value("x: dict[str, list[str]] = {'a': 1}"), "['a': 1]");
  EXPECT_EQ(value("x: Set[str] = {True, None}"), "[True, None]");
  EXPECT_EQ(value("x = [DispatchKey.CPU, a.b.c]"), "[DispatchKey.CPU, a.b.c]");
  EXPECT_EQ(value("x = {OperatorName.parse('a.b'), OperatorName.parse(\"c\",)}"), "['a.b', 'c']");
  EXPECT_EQ(value("x = 'a  b\tc'.split()"), "['a', 'b', 'c']");
  EXPECT_EQ(value("x = 'a,b'.split(',')"), "['a', 'b']");
}

TEST(PythonReader, Layout) {
  EXPECT_EQ(read({"# x = 1\n\n'''\nx = ['no']\n'''\ndef f():\n    x = ['no']\n\nx = [  # one\n"
                  "    'a',\n\n    # two\n    'b'\n]\n"}),
            "['a', 'b'] in line 9");
  EXPECT_EQ(read({"def f(a='''(\n'''):\n  return {\nx : 1}\nx = \\\n  ['a']"}), "['a'] in line 5");
  EXPECT_EQ(read({"\xEF\xBB\xBFy = 1\r\nx = [\r\n  'a',  # c\r\n  '''b\r\nc''',\r\n]\r\n"}),
            "['a', 'b\nc'] in line 2");
}

TEST(PythonReader, OtherNames) {
  EXPECT_EQ(read({"y = ['b']\nx = ['a'] + y + ['c']"}), "['a', 'b', 'c'] in line 2");
  EXPECT_EQ(read({"x = (\n  y\n  + ['c']\n)", "y = ['a']\n"}), "['a', 'c'] in line 1");
  EXPECT_EQ(read({"x = ['a']\nx += ['b']\n"}), "['a', 'b'] in line 1");
  EXPECT_EQ(read({"x = ['a']\nx = x + ['b']\n"}), "m0.py:1: too deeply nested brackets or names");
  EXPECT_EQ(read({"x = y", "y = x"}), "m0.py:1: 'x', which refers to itself");
  EXPECT_EQ(read({"y = 1", "x = ['a']"}), "nothing");
  EXPECT_EQ(read({"x = y + ['b']"}), "m0.py:1: 'y', which is never assigned");
}

TEST(PythonReader, Enums) {
  EXPECT_EQ(read({"class y(Enum):\n    a = 1\nclass x(Enum):\n    '''text'''\n    a = auto()\n"
                  "    b = a\n\n    # c\n    c = auto()\n    d = 'd'\n\n    @staticmethod\n"
                  "    def f():\n        e = auto()\n\n    def __str__(self):\n"
                  "        return self.name\n\ny = 1\n"}),
            "['a', 'c', 'd'] in line 3");
  EXPECT_EQ(value("x = Enum('x', ('a', 'b'))"), "['a', 'b']");
  EXPECT_EQ(read({"class x(Enum):\n    a = f()\n"}), "m0.py:2: the value of the member 'a'");
  EXPECT_EQ(read({"class x(Enum):\n    for a in b:\n        pass\n"}),
            "m0.py:2: 'for' in the body of an Enum");
  EXPECT_EQ(read({"class x:\n    a = 1\n"}), "m0.py:1: a class that is not an Enum");
}

TEST(PythonReader, Computed) {
  EXPECT_EQ(value("x = sorted(['a'])"), "m0.py:1: a call to 'sorted'");
  EXPECT_EQ(value("x = [f for f in y]"), "m0.py:1: 'f', which is never assigned");
  EXPECT_EQ(value("x = ['a' for f in y]"), "m0.py:1: 'for'");
  EXPECT_EQ(value("x = ['a', *y]"), "m0.py:1: '*'");
  EXPECT_EQ(value("x = [f'a{b}']"), "m0.py:1: a string that is not plain text: f'a{b}'");
  EXPECT_EQ(value("x = ['\\x41']"), "m0.py:1: a string that is not plain text: '\\x41'");
  EXPECT_EQ(value("x = ['a'] if y else []"), "m0.py:1: 'if'");
  EXPECT_EQ(value("x = ['a'] + 'b'"), "m0.py:1: a '+' between values that are not lists");
  EXPECT_EQ(value("x = y['a']"), "m0.py:1: an element of 'y'");
  EXPECT_EQ(value("x = {'a': 1, 'b'}"), "m0.py:1: '}'");
  EXPECT_EQ(value("x = ['a'"), "m0.py:1: the end of the line");
  EXPECT_EQ(value("x = ['a"), "m0.py:1: an unterminated string");
  EXPECT_EQ(value("x = 'a'.split(y)"), "m0.py:1: an unusual argument of 'split'");
  EXPECT_EQ(value("x = " + std::string(100, '[') + std::string(100, ']')),
            "m0.py:1: too deeply nested brackets or names");
}

TEST(PythonReader, ChangedLater) {
  auto Changed = [](llvm::StringRef Statement) {
    return read({("x = ['a']\n" + Statement + "\n").str()});
  };
  EXPECT_EQ(Changed("x.append('b')"), "m0.py:2: 'x', which is changed by 'append'");
  EXPECT_EQ(Changed("for y in z:\n    x.extend(y)"), "m0.py:3: 'x', which is changed by 'extend'");
  EXPECT_EQ(Changed("y = x.pop()"), "m0.py:2: 'x', which is changed by 'pop'");
  EXPECT_EQ(Changed("if y: x = ['b']"),
            "m0.py:2: 'x', which is not assigned in a simple statement");
  EXPECT_EQ(Changed("if y:\n    x = ['b']"),
            "m0.py:3: 'x', which is not assigned in a simple statement");
  EXPECT_EQ(Changed("x[0] = 'b'"), "m0.py:2: 'x', which is changed element by element");
  EXPECT_EQ(Changed("del x"), "m0.py:2: 'x', which is deleted");
  EXPECT_EQ(Changed("x += f()"), "m0.py:2: a call to 'f'");
  EXPECT_EQ(Changed("def f():\n    x.append('b')"), "['a'] in line 1");
  EXPECT_EQ(Changed("y = [re.compile(p) for p in x]\nassert x[0] == 'a'"), "['a'] in line 1");
  EXPECT_EQ(Changed("y.x.append(x)"), "['a'] in line 1");
}

TEST(PythonReader, NoTextIsTooBad) {
  llvm::StringRef Whole =
      "class x(Enum):\n    a = auto()\n\"\"\"t\n\"\"\"\nx: a[b] = ['c\\n' 'd'] + "
      "(e.f, {'g': \"h\".split(), })  # i\nx.append({\r\n})\n";
  for (size_t I = 0; I != Whole.size(); ++I) {
    read({Whole.take_front(I)});
    read({Whole.drop_front(I)});
    for (char Ch : llvm::StringRef("'\"([{}])\\\n#=:.,\0\xFF", 17)) {
      std::string Text = Whole.str();
      Text[I] = Ch;
      read({Text});
    }
  }
}

TEST(NamePatterns, Forms) {
  auto Patterns = [](llvm::StringRef Regex) {
    std::optional<std::vector<std::string>> All = namePatterns(Regex);
    return All ? llvm::join(*All, " ") : "none";
  };
  EXPECT_EQ(Patterns("alias"), "alias");
  EXPECT_EQ(Patterns(".*_forward"), "*_forward");
  EXPECT_EQ(Patterns("lift.*"), "lift*");
  EXPECT_EQ(Patterns("fill.Tensor"), "fill?Tensor");
  EXPECT_EQ(Patterns(".*_backward_(out|input)"), "*_backward_out *_backward_input");
  EXPECT_EQ(Patterns("_?sparse_(coo|csr).*"), "sparse_coo* sparse_csr* _sparse_coo* _sparse_csr*");
  EXPECT_EQ(Patterns("nonzero(_(out|numpy))?"), "nonzero nonzero_out nonzero_numpy");
  for (llvm::StringRef Other :
       {"a[bc]", "a+", "a.*b", ".*a.*", "a\\d", "^a", "(a", "a)", "(?:a)", "a{2}", "a**", "a??"})
    EXPECT_EQ(Patterns(Other), "none") << Other.str();
}

} // namespace
