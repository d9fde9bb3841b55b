//===- RegistrationTest.cpp - what is read of registrations ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Frontend/KernelTestHelp.h"
#include "gtest/gtest.h"

using namespace opsig;
using namespace opsig::test;

namespace {

/// As little of RegisterOperators as its calls need.
constexpr char Legacy[] = R"(
#include <torch/library.h>
namespace c10 {
struct OperatorKernel {};
struct RegisterOperators {
  struct Options {
    template <typename F, typename... Args> Options kernel(DispatchKey, Args &&...);
    template <typename F> Options kernel(DispatchKey, F &&);
    template <typename F, F *f> Options kernel(DispatchKey);
    template <typename F, typename... Args> Options catchAllKernel(Args &&...);
  };
  static Options options();
  RegisterOperators op(const char *name, Options options);
};
} // namespace c10
using namespace c10;
)";

RegisteredKernel kernelOf(const std::string &Before, const std::string &Option) {
  std::string Code = Legacy + Before + "static auto ops = RegisterOperators().op(\"a::b\", " +
                     "RegisterOperators::options()." + Option + ");";
  UnitFacts Unit = parse(Code);
  EXPECT_EQ(Unit.FirstError, "");
  if (Unit.Registrations.size() != 1 || Unit.Registrations[0].Entries.size() != 1)
    return {};
  return Unit.Registrations[0].Entries[0].Kernel;
}

TEST(Registration, FunctorsHaveTheSignatureOfTheirCallOperator) {
  std::string Functor =
      "struct F : OperatorKernel { explicit F(int = 0); at::Tensor operator()(double d); };";
  for (const char *Option : {"kernel<F>(DispatchKey::CPU, 1)", "catchAllKernel<F>()"}) {
    RegisteredKernel K = kernelOf(Functor, Option);
    EXPECT_EQ(K.Is, RegisteredKernel::Lambda) << Option;
    EXPECT_EQ(K.Name, "F");
    ASSERT_EQ(K.Decl.Params.size(), 1u);
    EXPECT_EQ(K.Decl.Params[0].Canonical.str(), "double");
  }
}

TEST(Registration, CallOperatorsAreInheritedUnlessHidden) {
  std::string Classes = "struct A : OperatorKernel { void operator()(double d); };"
                        "struct B : A {}; struct C : A { void operator()(bool b); };"
                        "struct X { void operator()(); }; struct D : A, X {};";
  EXPECT_EQ(kernelOf(Classes, "catchAllKernel<B>()").Decl.Params[0].Canonical.str(), "double");
  EXPECT_EQ(kernelOf(Classes, "catchAllKernel<C>()").Decl.Params[0].Canonical.str(), "bool");
  EXPECT_EQ(kernelOf(Classes, "catchAllKernel<D>()").Is, RegisteredKernel::Unread);
}

TEST(Registration, ClassesThatAreNoKernels) {
  EXPECT_EQ(kernelOf("struct F { void operator()(); };", "catchAllKernel<F>()").Is,
            RegisteredKernel::NoKernelClass);
  EXPECT_EQ(kernelOf("struct F : OperatorKernel { template <typename T> void operator()(T); };",
                     "catchAllKernel<F>()")
                .Is,
            RegisteredKernel::Generic);
}

TEST(Registration, BlocksOfHeadersAreReadAndThoseOfSystemHeadersNot) {
  std::vector<VirtualFile> Headers = {
      {"/mem/own.h", "#include <torch/library.h>\n"
                     "inline void fill(torch::Library &m) { m.def(\"f() -> ()\"); }\n"
                     "namespace n { TORCH_LIBRARY(own, m) { m.def(\"a() -> ()\"); } }\n"},
      {"/sys/vendor.h", "#include <torch/library.h>\n"
                        "TORCH_LIBRARY(vendor, m) { m.def(\"a() -> ()\"); }\n"}};
  UnitFacts Unit = parse("#include \"own.h\"\n#include <vendor.h>\n"
                         "TORCH_LIBRARY(here, m) { fill(m); }\n",
                         {"demo"}, {"-isystem", "/sys"}, Headers);
  EXPECT_EQ(Unit.FirstError, "");
  ASSERT_EQ(Unit.Registrations.size(), 2u);
  EXPECT_EQ(Unit.Registrations[0].Namespace, "own");
  EXPECT_EQ(Unit.Files[Unit.Registrations[0].At.File], "/mem/own.h");
  EXPECT_EQ(Unit.Registrations[0].Entries.size(), 1u);
  EXPECT_EQ(Unit.Registrations[1].Namespace, "here");
  ASSERT_EQ(Unit.Registrations[1].Entries.size(), 1u);
  EXPECT_EQ(Unit.Registrations[1].Entries[0].Text.Value, "f() -> ()");
  EXPECT_TRUE(Unit.Registrations[1].Complete);
}

std::vector<std::string> unused(const std::string &Code) {
  std::vector<std::string> Names;
  for (const RegisteredKernel &K : parse("#include <torch/library.h>\n" + Code).Unused)
    Names.push_back(K.Name);
  return Names;
}

TEST(Registration, UnusedIsWhatNothingCanReach) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(unused("static void f(at::Tensor x) {}\nnamespace n { namespace { at::Tensor g(); "
                   "at::Tensor g() { return {}; } } }"),
            (Names{"f", "n::g"}));
  EXPECT_EQ(unused("void f(at::Tensor x) {}"), Names());
  EXPECT_EQ(unused("static void f(int x) {}"), Names());
  EXPECT_EQ(unused("static void f(at::Tensor x);"), Names());
  EXPECT_EQ(unused("static void f(at::Tensor x) {} void g() { f({}); }"), Names());
  EXPECT_EQ(unused("static void f(at::Tensor x) {} void (*p)(at::Tensor) = f;"), Names());
  EXPECT_EQ(unused("static void f(at::Tensor x) {} struct S { void f(); };"), Names());
  EXPECT_EQ(unused("static void f(at::Tensor x) {} nonsense"), Names());
}

} // namespace
