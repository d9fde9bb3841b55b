//===- CollectTest.cpp - which functions are found, and what is known of them ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Frontend/KernelTestHelp.h"

#include "gtest/gtest.h"
#include "llvm/Support/raw_ostream.h"

using namespace opsig;
using namespace opsig::test;

static std::vector<std::string> printed(const UnitFacts &Unit) {
  std::vector<std::string> Out;
  for (const KernelDecl &K : Unit.Kernels) {
    std::string Text;
    llvm::raw_string_ostream(Text) << K;
    Out.push_back(Text);
  }
  return Out;
}

using Strings = std::vector<std::string>;

TEST(Collect, TakesFunctionsOfTheWantedScopesOnly) {
  UnitFacts Unit = parse(R"(
    #include <ATen/ATen.h>
    at::Tensor outside(at::Tensor);
    namespace demo {
    at::Tensor f(const at::Tensor &self);
    struct K { static at::Tensor inK(int64_t n) { return {}; } };
    struct Other { static at::Tensor inOther(int64_t n); };
    namespace inner { void deep(int n); }
    inline namespace v1 { void seen(); }
    }
  )",
                         {"demo", "demo::K"});
  ASSERT_TRUE(Unit.complete()) << Unit.FirstError;
  EXPECT_EQ(printed(Unit), (Strings{"at::Tensor demo::f(const at::Tensor & self)",
                                    "at::Tensor demo::K::inK(int64_t n)", "void demo::seen()"}));
  EXPECT_FALSE(Unit.Kernels[0].Member);
  EXPECT_FALSE(Unit.Kernels[0].Definition);
  EXPECT_TRUE(Unit.Kernels[1].Member);
  EXPECT_TRUE(Unit.Kernels[1].Definition);
}

TEST(Collect, LeavesOutWhatIsNoPlainFunction) {
  UnitFacts Unit = parse(R"(
    #include <ATen/ATen.h>
    namespace demo {
    template <typename T> T make(T t) { return t; }
    template <> int make<int>(int t) { return t; }
    struct K { K(); ~K(); operator int(); };
    bool operator==(const K &, const K &);
    int call() { return make(1L); }
    }
  )",
                         {"demo", "demo::K"});
  EXPECT_EQ(printed(Unit), (Strings{"int demo::call()"}));
}

TEST(Collect, MarksFunctionsOfThisFileAsInternal) {
  UnitFacts Unit = parse(R"(
    namespace demo {
    namespace { void hidden(); }
    static void alsoHidden();
    void open();
    }
  )");
  ASSERT_EQ(Unit.Kernels.size(), 3u);
  EXPECT_TRUE(Unit.Kernels[0].Internal);
  EXPECT_TRUE(Unit.Kernels[1].Internal);
  EXPECT_FALSE(Unit.Kernels[2].Internal);
}

TEST(Collect, GivesSpansOfTypesNamesAndLists) {
  llvm::StringRef Code = "#include <ATen/ATen.h>\n"
                         "namespace demo { // const\n"
                         "static const at::Tensor &f(const at::Tensor&self , int /*?*/ n = 3,\n"
                         "   double, int (*fn)(int), int v[2]);\n"
                         "}\n";
  UnitFacts Unit = parse(Code);
  ASSERT_EQ(Unit.Kernels.size(), 1u);
  const KernelDecl &K = Unit.Kernels[0];
  EXPECT_TRUE(K.Editable);
  EXPECT_EQ(text(Code, K.NameAt), "f");
  EXPECT_EQ(text(Code, K.Return), "const at::Tensor &");
  EXPECT_TRUE(text(Code, K.ParamList).starts_with("const at::Tensor&self"));
  EXPECT_TRUE(text(Code, K.ParamList).ends_with("int v[2]"));
  ASSERT_EQ(K.Params.size(), 5u);
  EXPECT_EQ(text(Code, K.Params[0].Whole), "const at::Tensor&self");
  EXPECT_EQ(text(Code, K.Params[0].Type), "const at::Tensor&");
  EXPECT_EQ(text(Code, K.Params[0].NameAt), "self");
  EXPECT_EQ(text(Code, K.Params[1].Whole), "int /*?*/ n = 3");
  EXPECT_EQ(text(Code, K.Params[1].NameAt), "n");
  EXPECT_EQ(text(Code, K.Params[2].Whole), "double");
  EXPECT_EQ(text(Code, K.Params[2].Type), "double");
  EXPECT_EQ(K.Params[2].Name, "");
  EXPECT_EQ(K.Params[2].NameAt.Offset, K.Params[2].Whole.end());
  EXPECT_EQ(text(Code, K.Params[3].Whole), "int (*fn)(int)");
  EXPECT_FALSE(K.Params[3].Type.isValid());
  EXPECT_EQ(text(Code, K.Params[4].Whole), "int v[2]");
  EXPECT_FALSE(K.Params[4].Type.isValid());
}

TEST(Collect, GivesTheReturnTypeWithItsQualifiers) {
  llvm::StringRef Code = "#include <ATen/ATen.h>\n"
                         "namespace demo {\n"
                         "void a(); // const\n"
                         "at::Tensor b();\n"
                         "inline const at::Tensor c();\n"
                         "const at::Tensor& d();\n"
                         "at::Tensor const & e();\n"
                         "auto f() -> const at::Tensor &;\n"
                         "auto g() { return 1; }\n"
                         "}\n";
  UnitFacts Unit = parse(Code);
  std::vector<std::string> Returns;
  for (const KernelDecl &K : Unit.Kernels)
    Returns.push_back(K.Return.isValid() ? text(Code, K.Return).str() : "-");
  EXPECT_EQ(Returns, (Strings{"void", "at::Tensor", "const at::Tensor", "const at::Tensor&",
                              "at::Tensor const &", "const at::Tensor &", "auto"}));
}

TEST(Collect, DoesNotEditThroughMacros) {
  llvm::StringRef Code = "#include <ATen/ATen.h>\n"
                         "#define SELF const at::Tensor &self\n"
                         "#define NAME(x) x##_kernel\n"
                         "#define FUNC(x) void x##_kernel\n"
                         "#define WHOLE(x) void x##_kernel(int n)\n"
                         "namespace demo {\n"
                         "void f(SELF, int n);\n"
                         "void NAME(g)(int n);\n"
                         "FUNC(h)(int n);\n"
                         "WHOLE(i);\n"
                         "}\n";
  UnitFacts Unit = parse(Code);
  ASSERT_EQ(Unit.Kernels.size(), 4u);
  EXPECT_FALSE(Unit.Kernels[0].Editable);
  EXPECT_EQ(Unit.Kernels[0].Params[0].Canonical.str(), "at::Tensor const&");
  // Parameters behind a macro that makes the name are the file's own.
  EXPECT_TRUE(Unit.Kernels[1].Editable);
  EXPECT_EQ(Unit.Kernels[1].Name, "g_kernel");
  EXPECT_EQ(text(Code, Unit.Kernels[1].NameAt), "NAME");
  EXPECT_EQ(text(Code, Unit.Kernels[1].Return), "void");
  EXPECT_TRUE(Unit.Kernels[2].Editable);
  EXPECT_FALSE(Unit.Kernels[2].Return.isValid());
  EXPECT_EQ(text(Code, Unit.Kernels[2].ParamList), "int n");
  EXPECT_FALSE(Unit.Kernels[3].Editable);
}

TEST(Collect, TellsWhichNamesNeedNoNamespace) {
  UnitFacts Unit = parse(R"(
    #include <ATen/ATen.h>
    namespace demo {
    void early();
    using at::Tensor;
    void late();
    struct Tensor2 {};
    namespace inner { struct Tensor {}; void hidden(); }
    }
    namespace at { void all(); }
  )",
                         {"demo", "demo::inner", "at"});
  auto isShort = [&](size_t Kernel, CppBase Base) {
    return Unit.Kernels[Kernel].Short[unsigned(Base)];
  };
  ASSERT_EQ(Unit.Kernels.size(), 4u);
  EXPECT_FALSE(isShort(0, CppBase::Tensor));
  EXPECT_TRUE(isShort(1, CppBase::Tensor));
  EXPECT_FALSE(isShort(1, CppBase::Scalar));
  EXPECT_FALSE(isShort(2, CppBase::Tensor));
  EXPECT_TRUE(isShort(3, CppBase::Tensor));
  EXPECT_TRUE(isShort(3, CppBase::Scalar));
  EXPECT_TRUE(Unit.Kernels[3].Short[NumCppBases + unsigned(CppTemplate::Optional)]);
}

TEST(Collect, EvaluatesDefaultArguments) {
  UnitFacts Unit = parse(R"(
    #include <ATen/ATen.h>
    namespace demo {
    constexpr int Two = 2;
    int unknown();
    void f(int a = 1, double b = 1. / 4, bool c = true, int d = Two, int e = unknown(),
           const char *f = "x", at::Tensor g = {});
    }
  )");
  ASSERT_EQ(Unit.Kernels.size(), 2u);
  std::vector<std::string> Values;
  for (const KernelParam &P : Unit.Kernels[1].Params)
    Values.push_back(P.DefaultValue);
  EXPECT_EQ(Values, (Strings{"1", "0.25", "1", "2", "", "\"x\"", ""}));
}

TEST(Collect, FindsDefinitionsThatTheirClassDoesNotDeclare) {
  UnitFacts Unit = parse(R"(
    #include <ATen/ATen.h>
    namespace demo {
    struct K { static at::Tensor f(const at::Tensor &self, double alpha); };
    at::Tensor K::f(const at::Tensor &self, float alpha) { return self; }
    at::Tensor K::g(const at::Tensor &self) { return self; }
    }
    void demo::K::f(const at::Tensor &self, double alpha) {}
  )",
                         {"demo::K"});
  EXPECT_EQ(printed(Unit), (Strings{"at::Tensor demo::K::f(const at::Tensor & self, double alpha)",
                                    "at::Tensor demo::K::f(const at::Tensor & self, float alpha)",
                                    "at::Tensor demo::K::g(const at::Tensor & self)",
                                    "void demo::K::f(const at::Tensor & self, double alpha)"}));
  for (unsigned I : {1, 2, 3}) {
    EXPECT_TRUE(Unit.Kernels[I].Definition) << I;
    EXPECT_TRUE(Unit.Kernels[I].Redeclarations.empty()) << I;
  }
  EXPECT_TRUE(Unit.complete()) << Unit.FirstError;
}

TEST(Collect, AddsTheDeclarationInAHeader) {
  UnitFacts Unit = parse(R"(
    #include "/mem/k.h"
    at::Tensor demo::K::f(const at::Tensor &self, float alpha) { return self; }
  )",
                         {"demo::K"}, {}, {{"/mem/k.h", R"(
    #include <ATen/ATen.h>
    namespace demo {
    struct K {
      static at::Tensor f(const at::Tensor &self, float alpha);
      static at::Tensor unrelated(const at::Tensor &self);
    };
    })"}});
  ASSERT_EQ(Unit.Kernels.size(), 2u);
  EXPECT_TRUE(Unit.Kernels[0].InMainFile);
  EXPECT_FALSE(Unit.Kernels[1].InMainFile);
  EXPECT_EQ(Unit.Files, (Strings{"/mem/a.cpp", "/mem/k.h"}));
  EXPECT_EQ(Unit.Kernels[1].NameAt.File, 1u);
  EXPECT_EQ(Unit.Kernels[0].Redeclarations, std::vector<uint32_t>{1});
  EXPECT_EQ(Unit.Kernels[1].Redeclarations, std::vector<uint32_t>{0});
}

TEST(Collect, GoesOnWithoutMissingHeaders) {
  UnitFacts Unit = parse(R"(
    #include <ATen/ATen.h>
    #include "vendor/queue.h"
    #include <vendor/queue.h>
    #include "vendor/more.h"
    namespace demo {
    at::Tensor f(const at::Tensor &self, vendor::Queue q, c10::optional<vendor::Queue> p, double d);
    vendor::Queue g(const at::Tensor &self);
    at::Tensor h(c10::optional<at::Tensor> t) { return unheard(of); }
    }
  )",
                         {"demo"}, {"-DTORCH_STD_OPTIONAL"});
  EXPECT_TRUE(Unit.Parsed);
  EXPECT_EQ(Unit.MissingHeaders, (Strings{"vendor/queue.h", "vendor/more.h"}));
  ASSERT_EQ(Unit.Kernels.size(), 3u);
  const KernelDecl &F = Unit.Kernels[0];
  ASSERT_EQ(F.Params.size(), 4u);
  EXPECT_EQ(F.Params[0].Canonical.str(), "at::Tensor const&");
  EXPECT_EQ(F.Params[1].Canonical.str(), "");
  EXPECT_EQ(F.Params[2].Canonical.str(), "");
  EXPECT_EQ(F.Params[3].Canonical.str(), "double");
  EXPECT_EQ(Unit.Kernels[1].ReturnCanonical.str(), "");
  EXPECT_EQ(Unit.Kernels[2].Params[0].Canonical.str(), "std::optional<at::Tensor>");
  EXPECT_EQ(Unit.Mentioned, (Strings{"f", "g", "h", "unheard"}));
}

TEST(Collect, DoesNotGuessATypeFromASimilarName) {
  UnitFacts Unit = parse(R"(
    #include <ATen/ATen.h>
    namespace demo { void f(const at::Tensr &self, at::Scaler s); }
  )");
  ASSERT_EQ(Unit.Kernels.size(), 1u);
  EXPECT_EQ(Unit.Kernels[0].Params[0].Canonical.str(), "");
  EXPECT_EQ(Unit.Kernels[0].Params[1].Canonical.str(), "");
}

TEST(Collect, LeavesOutAHalfTypedParameterList) {
  UnitFacts Unit = parse(R"(
    #include <ATen/ATen.h>
    namespace demo {
    void whole(const at::Tensor &self);
    void f(const at::Tensor &self, int
    void g(const at::Tensor &self) {}
    }
  )");
  EXPECT_TRUE(Unit.Parsed);
  EXPECT_GT(Unit.NumErrors, 0u);
  for (const KernelDecl &K : Unit.Kernels)
    EXPECT_NE(K.Name, "f");
  ASSERT_FALSE(Unit.Kernels.empty());
  EXPECT_EQ(Unit.Kernels[0].Name, "whole");
}

TEST(Collect, UsesAFallbackHeaderInAnyFolder) {
  ParseOptions Options;
  Options.Scopes = {"demo::K"};
  Options.Buffers = {{"/mem/a.cpp", R"(#include "csrc/aten/KFunctions.h"
    #include "KFunctions.h"
    void demo::K::f(int n) {})"}};
  Options.FallbackHeaders = {{"KFunctions.h", "#pragma once\nnamespace demo { struct K {}; }\n"}};
  UnitFacts Unit = parseKernels(CompileCommands::fixed({}).job("/mem/a.cpp"), Options);
  EXPECT_TRUE(Unit.complete()) << Unit.FirstError;
  EXPECT_EQ(printed(Unit), (Strings{"void demo::K::f(int n)"}));
}

TEST(Collect, SaysWhyAFileCannotBeRead) {
  UnitFacts Unit = parseKernels(CompileCommands::fixed({}).job("/mem/nowhere.cpp"), ParseOptions());
  EXPECT_FALSE(Unit.Parsed);
  EXPECT_FALSE(Unit.complete());
  EXPECT_NE(Unit.FirstError.find("nowhere.cpp"), std::string::npos) << Unit.FirstError;
}
