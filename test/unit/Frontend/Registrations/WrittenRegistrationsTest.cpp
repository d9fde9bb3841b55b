//===- WrittenRegistrationsTest.cpp - registrations as words of a text -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gtest/gtest.h"
#include "opsig/Frontend/WrittenRegistrations.h"

using namespace opsig;

namespace {

/// "TORCH_LIBRARY, TORCH_LIBRARY_IMPL if #ifdef X".
std::string shown(const std::vector<WrittenRegistration> &All) {
  std::string Out;
  for (const WrittenRegistration &W : All) {
    Out += (Out.empty() ? "" : ", ") + W.Word;
    if (!W.Condition.empty())
      Out += " if " + W.Condition;
    if (W.InFunction)
      Out += " in a function";
  }
  return Out;
}

TEST(WrittenRegistrations, AreTokensOfCode) {
  EXPECT_EQ(shown(writtenRegistrations("TORCH_LIBRARY(a, m) {}\n"
                                       "STABLE_TORCH_LIBRARY_IMPL (a, CPU, m) {}\n"
                                       "// TORCH_LIBRARY(b, m)\n"
                                       "/* TORCH_LIBRARY(b, m) */\n"
                                       "const char *s = \"TORCH_LIBRARY(b, m)\";\n"
                                       "auto r = R\"(TORCH_LIBRARY(b, m))\";\n"
                                       "#define OWN(n) TORCH_LIBRARY(n, m) \\\n"
                                       "  TORCH_LIBRARY(n, m)\n"
                                       "int TORCH_LIBRARY, MY_TORCH_LIBRARY(int);\n"
                                       "TORCH_LIBRARY_FRAGMENT(a, m) {}")),
            "TORCH_LIBRARY, STABLE_TORCH_LIBRARY_IMPL, TORCH_LIBRARY_FRAGMENT");
}

TEST(WrittenRegistrations, MayBeOfOwnMacros) {
  EXPECT_EQ(
      shown(writtenRegistrations("ACME_LIBRARY(acme, m) { if (x) { m.def(f); } }\n"
                                 "ACME_LIBRARY(acme, m) { m.other(); n.def(f); }\n"
                                 "ACME_LIBRARY(acme, m); void g(M m) { m.def(f); }\n"
                                 "#ifdef X\n"
                                 "OWN_LIBRARY_IMPL(a, (b), lib) { lib . impl(f); lib.def(f); }\n"
                                 "#endif\n")),
      "ACME_LIBRARY, OWN_LIBRARY_IMPL if #ifdef X");
}

TEST(WrittenRegistrations, OfOtherMacrosDefineSchemas) {
  EXPECT_EQ(shown(writtenRegistrations(
                "namespace a { VENDOR_OPS(kit, m) { m.def(TORCH_SELECTIVE_SCHEMA(\"f(Tensor x) -> "
                "Tensor\")); } }\n"
                "KIT_IMPL(kit, CPU, m) { m.def(\"f\", &f); m.impl(\"f\", &f); }\n"
                "PYBIND11_MODULE(kit, m) { m.def(\"f\", &f, \"f(x) -> y\"); }\n"
                "PYBIND11_MODULE(kit, m) { m.def(\"f(x) -> y\"); }\n"
                "ACME_MODULE(kit, m) { m.def(\"f\", &f, \"f(x) -> y\"); }\n"
                "void g() { VENDOR_OPS(kit, m) { m.def(\"f() -> ()\"); } }\n"
                "macro(kit, m) { m.def(\"f() -> ()\"); }\n")),
            "VENDOR_OPS, KIT_IMPL");
}

TEST(WrittenRegistrations, MayBeInFunctions) {
  EXPECT_EQ(
      shown(writtenRegistrations("namespace a { namespace { TORCH_LIBRARY(a, m) { m.def(f); }\n"
                                 "} }\n"
                                 "extern \"C\" { struct S { int x = 1; };\n"
                                 "TORCH_LIBRARY_IMPL(a, CPU, m) {} }\n"
                                 "void f() { TORCH_LIBRARY_FRAGMENT(a, m) {} }\n")),
      "TORCH_LIBRARY, TORCH_LIBRARY_IMPL, TORCH_LIBRARY_FRAGMENT in a function");
}

TEST(WrittenRegistrations, KnowTheirConditions) {
  EXPECT_EQ(shown(writtenRegistrations("#ifdef X // why\n"
                                       "TORCH_LIBRARY(a, m) {}\n"
                                       "#if Y\n#endif\n"
                                       "TORCH_LIBRARY(b, m) {}\n"
                                       "#else\n"
                                       "TORCH_LIBRARY(c, m) {}\n"
                                       "#endif\n"
                                       "#if 0\n"
                                       "TORCH_LIBRARY(d, m) {}\n"
                                       "#else\n"
                                       "TORCH_LIBRARY_FRAGMENT(e, m) {}\n"
                                       "#endif\n")),
            "TORCH_LIBRARY if #ifdef X, TORCH_LIBRARY if #ifdef X, "
            "TORCH_LIBRARY if #else of #ifdef X, TORCH_LIBRARY_FRAGMENT");
}

TEST(WrittenRegistrations, OfPythonFollowImports) {
  EXPECT_EQ(shown(writtenPythonRegistrations("\"\"\"torch.library.define('doc')\"\"\"\n"
                                             "import torch\n"
                                             "from torch import library\n"
                                             "from torch.library import (custom_op,\n"
                                             "    impl, wrap_triton)\n"
                                             "# torch.library.define('x')\n"
                                             "lib = torch.library.Library('a', 'DEF')\n"
                                             "library.define('a::f', '(Tensor x) -> Tensor')\n"
                                             "@custom_op('a::g', mutates_args=())\n"
                                             "def g(x,\n"
                                             "  y=(1,\n"
                                             "2)):\n"
                                             "    impl('a::f', 'CPU', g)\n"
                                             "torch.library.opcheck(g, ())\n"
                                             "other.library.define('n')\n"
                                             "torch.library.impl('a::f', 'CPU', g)\n")),
            "torch.library.Library, torch.library.define, torch.library.custom_op, "
            "torch.library.impl in a function, torch.library.impl");
  EXPECT_EQ(shown(writtenPythonRegistrations("import torch\nuse = 'torch.library'\ndefine('x')\n")),
            "");
}

TEST(WrittenRegistrations, SayWhatMayBeDefined) {
  for (const char *Text : {"int f(int x) { return x; }", "auto f() -> int { return 1; }",
                           "int f() noexcept {}", "DEFINE_KERNEL(f)", "#define MAKE int f\n",
                           "int n::f(g(1), 2)\n{\n}", "#if 0\nint f() {}\n#endif\n", "int f(int"})
    EXPECT_TRUE(mayDefine(Text, "f")) << Text;
  for (const char *Text : {"int f(int x);", "int g() { if (f(1)) { return f(2); } return 0; }",
                           "// int f() {}\n", "auto p = &f; auto q = TORCH_FN(f);",
                           "double f = 1, g = f + 2;", "int ff() {}", "m.impl(\"f\", &n::f);"})
    EXPECT_FALSE(mayDefine(Text, "f")) << Text;
}

} // namespace
