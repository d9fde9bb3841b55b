//===- ChangesTest.cpp - What changed of one operator, and whom it breaks ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TwoReleases.h"

using namespace opsig;
using namespace opsig::test;

namespace {

/// Of one operator with these schemas, what changed.
std::string changesOf(llvm::StringRef Old, llvm::StringRef New) {
  return TwoReleases(("- func: " + Old + "\n").str(), ("- func: " + New + "\n").str()).changes();
}

TEST(Changes, Arguments) {
  EXPECT_EQ(
      changesOf("f(Tensor self, int n, Scalar s) -> Tensor", "f(Tensor self, Scalar s) -> Tensor"),
      "f [kernels, C++ callers, Python callers]\n  argument-gone 'n': was int n\n");
  EXPECT_EQ(changesOf("f(Tensor self) -> Tensor", "f(Tensor self, bool b=False) -> Tensor"),
            "f [kernels]\n  argument-added 'b': bool b=False\n");
  EXPECT_EQ(changesOf("f(Tensor self) -> Tensor", "f(Tensor self, bool b) -> Tensor"),
            "f [kernels, C++ callers, Python callers]\n  argument-added 'b': bool b\n");
  EXPECT_EQ(changesOf("f(Tensor self, int n) -> Tensor", "f(Tensor self, float n) -> Tensor"),
            "f [kernels, C++ callers, Python callers]\n  argument-retyped 'n': int => float\n");
  EXPECT_EQ(changesOf("f(Tensor self, int n) -> Tensor", "f(Tensor self, int? n) -> Tensor"),
            "f [kernels]\n  argument-retyped 'n': int => int?\n");
}

TEST(Changes, AnArgumentRenamedBreaksPythonAlone) {
  EXPECT_EQ(
      changesOf("f(Tensor self, int n, int k) -> Tensor", "f(Tensor self, int m, int k) -> Tensor"),
      "f [Python callers]\n  argument-renamed 'm': n => m\n");
}

TEST(Changes, ArgumentsMoved) {
  EXPECT_EQ(changesOf("f(Tensor self, int n, float x, bool b) -> Tensor",
                      "f(Tensor self, bool b, int n, float x) -> Tensor"),
            "f [kernels, C++ callers, Python callers]\n  argument-moved 'b': 4 => 2\n");
}

TEST(Changes, KeywordOnly) {
  EXPECT_EQ(changesOf("f(Tensor self, int n) -> Tensor", "f(Tensor self, *, int n) -> Tensor"),
            "f [Python callers]\n  argument-kind 'n': positional => keyword-only\n");
  EXPECT_EQ(changesOf("f(Tensor self, *, int n) -> Tensor", "f(Tensor self, int n) -> Tensor"),
            "f []\n  argument-kind 'n': keyword-only => positional\n");
}

TEST(Changes, Defaults) {
  EXPECT_EQ(changesOf("f(Tensor self, int n=1) -> Tensor", "f(Tensor self, int n=2) -> Tensor"),
            "f []\n  default 'n': 1 => 2\n");
  EXPECT_EQ(changesOf("f(Tensor self, int n=1) -> Tensor", "f(Tensor self, int n) -> Tensor"),
            "f [C++ callers, Python callers]\n  default 'n': 1 => none\n");
}

TEST(Changes, SymIntInPlaceOfIntKeepsPlainKernels) {
  EXPECT_EQ(
      changesOf("f(Tensor self, int[] size) -> Tensor", "f(Tensor self, SymInt[] size) -> Tensor"),
      "f []\n  argument-retyped 'size': int[] => SymInt[]\n");
  // A kernel that takes SymInt takes them all.
  EXPECT_EQ(changesOf("f(Tensor self, SymInt[] size, int n) -> Tensor",
                      "f(Tensor self, SymInt[] size, SymInt n) -> Tensor"),
            "f [kernels, C++ callers]\n  argument-retyped 'n': int => SymInt\n");
}

TEST(Changes, AliasMarksAndReturns) {
  EXPECT_EQ(changesOf("f(Tensor self, Tensor noise) -> Tensor",
                      "f(Tensor self, Tensor(b!) noise) -> Tensor"),
            "f [kernels, C++ callers]\n  alias-mark 'noise': (b!)\n");
  EXPECT_EQ(changesOf("f(Tensor(a) self) -> Tensor(a)", "f(Tensor self) -> Tensor"),
            "f [kernels]\n  alias-mark 'self': was (a)\n"
            "  alias-mark 'returns': (Tensor(a)) => (Tensor)\n");
  EXPECT_EQ(changesOf("f(Tensor self) -> Tensor", "f(Tensor self) -> (Tensor, Tensor)"),
            "f [kernels, C++ callers, Python callers]\n"
            "  returns-retyped (Tensor) => (Tensor, Tensor)\n");
  EXPECT_EQ(changesOf("f(Tensor self) -> (Tensor values, Tensor indices)",
                      "f(Tensor self) -> (Tensor values, Tensor places)"),
            "f [Python callers]\n  returns-renamed (values, indices) => (values, places)\n");
}

TEST(Changes, EntriesBesideTheSchema) {
  TwoReleases T(R"(
- func: f(Tensor self) -> Tensor
  variants: function, method
  tags: core
  dispatch:
    CPU, CUDA: f_kernel
    MPS: f_mps
- func: g(Tensor self) -> Tensor
)",
                R"(
- func: f(Tensor self) -> Tensor
  device_check: NoCheck
  tags: pointwise
  dispatch:
    CPU, CUDA: f_new
    XPU: f_xpu
- func: g(Tensor self) -> Tensor
)");
  EXPECT_EQ(T.changes(), "f [C++ callers, Python callers]\n"
                         "  kernel-renamed 'CPU, CUDA': f_kernel => f_new\n"
                         "  kernel-gone 'MPS': was f_mps\n"
                         "  kernel-added 'XPU': f_xpu\n"
                         "  tag-gone 'core'\n"
                         "  tag-added 'pointwise'\n"
                         "  field 'variants': function, method => function\n"
                         "  field 'device_check': ExactSame => NoCheck\n");
}

TEST(Changes, Tags) {
  TwoReleases T(R"(
- func: f(Tensor self) -> Tensor
  tags: core
- func: g(Tensor self) -> Tensor
- func: h(Tensor self) -> Tensor
)",
                R"(
- func: f(Tensor self) -> Tensor
  tags: pointwise
- func: g(Tensor self) -> Tensor
- func: h(Tensor self) -> Tensor
)");
  EXPECT_EQ(T.changes(), "f []\n  tag-gone 'core'\n  tag-added 'pointwise'\n");
}

TEST(Changes, StructuredAndItsDelegates) {
  TwoReleases T(R"(
- func: f(Tensor self) -> Tensor
  dispatch:
    CPU: f
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  dispatch:
    CPU: f_out
)",
                R"(
- func: f(Tensor self) -> Tensor
  structured_delegate: f.out
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  structured_inherits: TensorIteratorBase
  dispatch:
    CPU: f_out
)");
  EXPECT_EQ(T.changes(), "f []\n"
                         "  default-kernel-added f.out\n"
                         "  kernel-gone 'CPU': was f\n"
                         "  structured 'structured_delegate': f.out\n"
                         "f.out []\n"
                         "  structured 'structured': True\n"
                         "  structured 'structured_inherits': TensorIteratorBase\n");
}

TEST(Changes, TheKernelOfAllBackendsIsGone) {
  TwoReleases T("- func: f(Tensor self) -> Tensor\n",
                "- func: f(Tensor self) -> Tensor\n  dispatch:\n    CPU: f\n");
  EXPECT_EQ(T.changes(), "f [backends without a kernel]\n"
                         "  default-kernel-gone was CompositeImplicitAutograd\n"
                         "  kernel-gone 'CompositeImplicitAutograd': was f\n"
                         "  kernel-added 'CPU': f\n");
}

TEST(Signatures, EachConvention) {
  TwoReleases T("- func: f(Tensor self, SymInt n=1) -> Tensor\n  dispatch:\n    CPU: f\n",
                "- func: f(Tensor self, SymInt n=1, *, bool b=False) -> Tensor\n"
                "  dispatch:\n    CPU: f_symint\n");
  EXPECT_EQ(
      T.signatures(),
      "cpp: at::Tensor f(const at::Tensor & self, int64_t n=1) => "
      "at::Tensor f(const at::Tensor & self, int64_t n=1, bool b=false)\n"
      "cpp_symint: at::Tensor f_symint(const at::Tensor & self, c10::SymInt n=1) => "
      "at::Tensor f_symint(const at::Tensor & self, c10::SymInt n=1, bool b=false)\n"
      "dispatcher: at::Tensor f(const at::Tensor & self, c10::SymInt n) => "
      "at::Tensor f(const at::Tensor & self, c10::SymInt n, bool b)\n"
      "native: at::Tensor f(const at::Tensor & self, int64_t n=1) => "
      "at::Tensor f_symint(const at::Tensor & self, c10::SymInt n=1, bool b=false)\n"
      "python: f(Tensor input, SymInt n=1) => f(Tensor input, SymInt n=1, *, bool b=False)\n");
}

TEST(Signatures, AKernelThatTakesSymIntNowIsAnotherOne) {
  TwoReleases T("- func: f(Tensor self, SymInt n) -> Tensor\n  dispatch:\n    CPU: f\n",
                "- func: f(Tensor self, SymInt n) -> Tensor\n  dispatch:\n    CPU: f_symint\n");
  EXPECT_EQ(T.signatures(), "native: at::Tensor f(const at::Tensor & self, int64_t n) => "
                            "at::Tensor f_symint(const at::Tensor & self, c10::SymInt n)\n");
}

TEST(Signatures, StructuredKernels) {
  auto Yaml = [](const char *More) {
    return std::string("- func: f(Tensor self") + More +
           ") -> Tensor\n  structured_delegate: f.out\n- func: f.out(Tensor self" + More +
           ", *, Tensor(a!) out) -> Tensor(a!)\n  structured: True\n  dispatch:\n    CPU: f_out\n";
  };
  TwoReleases T(Yaml(""), Yaml(", int n"));
  std::string All = T.signatures();
  EXPECT_NE(
      All.find("structured_impl: void impl(const at::Tensor & self, const at::Tensor & out) => "
               "void impl(const at::Tensor & self, int64_t n, const at::Tensor & out)\n"),
      std::string::npos)
      << All;
}

} // namespace
