//===- BodyFlowTest.cpp - what kernels do with their parameters -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Frontend/KernelTestHelp.h"
#include "opsig/Frontend/BodyFlow.h"

#include "gtest/gtest.h"
#include "llvm/Support/raw_ostream.h"

using namespace opsig;
using namespace opsig::test;

namespace {

UnitFacts unitOf(llvm::StringRef Code) {
  ParseOptions Options;
  Options.Scopes = {"demo"};
  Options.Bodies = true;
  std::string Text = "#include <ATen/ATen.h>\nnamespace demo {\n" + Code.str() + "\n}\n";
  Options.Buffers.push_back({"/mem/a.cpp", Text});
  return parseKernels(CompileCommands::fixed(miniTorchFlags()).job("/mem/a.cpp"), Options);
}

/// Of the function `f`.
std::string flow(llvm::StringRef Code) {
  UnitFacts Unit = unitOf(Code);
  std::string Out;
  llvm::raw_string_ostream OS(Out);
  for (const FunctionFlow &F : Unit.Flows)
    if (F.Name == "demo::f")
      OS << '\n' << F;
  return Out;
}

TEST(BodyFlow, MethodsAreCallsOnTheirObject) {
  EXPECT_EQ(flow("void f(at::Tensor x, const at::Tensor &y) { x.add_(y); }"), R"(
call at::Tensor::add_(self: #1, other: #2)
)");
}

TEST(BodyFlow, ResultsFlowOn) {
  EXPECT_EQ(flow("at::Tensor f(const at::Tensor &x) { auto v = x.view({}); return v.t(); }"), R"(
call at::Tensor::view(self: #1)
call at::Tensor::t(self: result of call 0)
return result of call 1
)");
}

TEST(BodyFlow, AnAssignmentMakesAnotherValue) {
  // The copy is written, not the parameter.
  EXPECT_EQ(flow("void f(at::Tensor x) { x = x.clone(); x.t_(); }"), R"(
call at::Tensor::clone(self: #1)
call at::Tensor::t_(self: result of call 0)
)");
}

TEST(BodyFlow, WaysJoin) {
  EXPECT_EQ(flow("void f(at::Tensor x, bool b) { at::Tensor y; if (b) y = x; y.t_(); }"), R"(
call at::Tensor::t_(self: one of {none, #1})
)");
  EXPECT_EQ(flow("void f(at::Tensor x, bool b) { (b ? x : x.clone()).t_(); }"), R"(
call at::Tensor::clone(self: #1)
call at::Tensor::t_(self: one of {#1, result of call 0})
)");
}

TEST(BodyFlow, AWayThatEndsDoesNotJoin) {
  EXPECT_EQ(flow("at::Tensor f(at::Tensor x, bool b) {"
                 "  at::Tensor y; if (b) { y = x; return x.clone(); } y.t_(); return y; }"),
            R"(
call at::Tensor::clone(self: #1)
return result of call 0
)");
}

TEST(BodyFlow, LoopsGoRound) {
  EXPECT_EQ(flow("void f(at::Tensor x, int n) { for (int i = 0; i < n; ++i) x = x.t(); x.t_(); }"),
            R"(
call at::Tensor::t(self: one of {#1, result of call 0})
call at::Tensor::t_(self: one of {#1, result of call 0})
)");
  // Nothing is assigned in this one.
  EXPECT_EQ(flow("void f(at::Tensor x, int n) { while (n--) x.t_(); }"), R"(
call at::Tensor::t_(self: #1)
)");
}

TEST(BodyFlow, SwitchesAndMacrosLoopsOnce) {
  EXPECT_EQ(flow("void f(at::Tensor x, int n) { at::Tensor y;"
                 "  switch (n) { case 1: y = x; break; default: y = x.t(); } y.t_(); }"),
            R"(
call at::Tensor::t(self: #1)
call at::Tensor::t_(self: one of {result of call 0, #1})
)");
  EXPECT_EQ(flow("void f(at::Tensor x) { at::Tensor y; do { y = x; } while (0); y.t_(); }"), R"(
call at::Tensor::t_(self: #1)
)");
}

TEST(BodyFlow, ElementsAreWritten) {
  EXPECT_EQ(flow("void f(const at::Tensor &x) { float *p = x.data_ptr<float>(); p[1] = 2; }"),
            "\nwrite #1\n");
  EXPECT_EQ(flow("void f(const at::Tensor &x) { auto p = x.data_ptr<float>() + 1; *p += 2; }"),
            "\nwrite #1\n");
  EXPECT_EQ(flow("void f(const at::Tensor &x) { float &e = x.data_ptr<float>()[0]; ++e; }"),
            "\nwrite #1\n");
  EXPECT_EQ(flow("void f(const at::Tensor &x, const at::Tensor &y) {"
                 "  auto *p = x.data_ptr<float>(); auto *q = y.data_ptr<float>();"
                 "  for (int i = 0; i < x.numel(); ++i) p[i] = q[i]; }"),
            "\nwrite #1\n");
}

TEST(BodyFlow, ReadingIsNoWrite) {
  EXPECT_EQ(flow("float f(const at::Tensor &x) {"
                 "  const float *p = x.data_ptr<float>(); float e = p[0]; e += p[1]; return e; }"),
            "\n");
}

TEST(BodyFlow, TensorsHaveOperators) {
  EXPECT_EQ(flow("void f(at::Tensor x, at::Tensor y) { x += y; }"), "\nwrite #1\n");
  EXPECT_EQ(flow("void f(at::Tensor x, at::Tensor y) { x[0] = y; }"), "\nwrite #1\n");
  EXPECT_EQ(flow("at::Tensor f(at::Tensor x) { return x[0]; }"), "\nreturn #1\n");
}

TEST(BodyFlow, ReferencesAreOtherNames) {
  EXPECT_EQ(flow("void f(at::Tensor x, at::Tensor y) {"
                 "  at::Tensor &r = x; r = y; x.t_(); }"),
            R"(
call at::Tensor::t_(self: #2)
)");
}

TEST(BodyFlow, LambdasCountWhereTheyStand) {
  EXPECT_EQ(flow("template <typename F> void each(const F &f);"
                 "void f(at::Tensor x) { auto *p = x.data_ptr<float>();"
                 "  each([&](int i) { p[i] = 0; }); }"),
            "\nwrite #1\n");
  EXPECT_EQ(flow("at::Tensor f(at::Tensor x) { return [&] { return x.t(); }(); }"), R"(
call at::Tensor::t(self: #1)
return first of {result of call 0, result of call 0}
)");
}

TEST(BodyFlow, TuplesHaveParts) {
  EXPECT_EQ(flow("std::tuple<at::Tensor, at::Tensor> f(at::Tensor x) {"
                 "  return {x.clone(), x}; }"),
            R"(
call at::Tensor::clone(self: #1)
return (result of call 0, #1)
)");
}

TEST(BodyFlow, FunctionsOfTheFileAreFollowed) {
  EXPECT_EQ(flow("static void put(float *p) { *p = 1; }"
                 "void f(at::Tensor x) { put(x.data_ptr<float>()); }"),
            R"(
call demo::put(p!: #1) => flow 0
)");
}

TEST(BodyFlow, InstancesOfTemplatesAreFollowed) {
  EXPECT_EQ(flow("template <typename T> void put(T *p) { *p = 1; }"
                 "void f(at::Tensor x) { put(x.data_ptr<float>()); }"),
            R"(
call demo::put(p!: #1) => flow 1
)");
}

TEST(BodyFlow, PointersToConstAreNoPlaceToWrite) {
  EXPECT_EQ(
      flow("void get(const float *p); void put(float *p); template <typename I> void any(I i);"
           "void f(at::Tensor x) { auto *p = x.data_ptr<float>(); get(p); put(p); any(p); }"),
      R"(
call demo::get(p: #1)
call demo::put(p!: #1)
call demo::any(i: #1)
)");
}

TEST(BodyFlow, ElementsOfListsAreToldApart) {
  EXPECT_EQ(flow("void f(at::Tensor x, at::Tensor y, int i) {"
                 "  float *all[] = {x.data_ptr<float>(), y.data_ptr<float>()};"
                 "  all[1][0] = 1; all[i][0] = 1; }"),
            R"(
write part 1 of (#1, #2)
write element of (#1, #2)
)");
}

TEST(BodyFlow, MembersOfStructsAreToldApart) {
  EXPECT_EQ(flow("struct P { float *in, *out; };"
                 "void f(at::Tensor x) { P p; p.in = x.data_ptr<float>(); p.out[0] = 1; }"),
            "\n");
  EXPECT_EQ(flow("struct B { float *in; }; struct P : B { struct { float *out; } inner; };"
                 "void f(at::Tensor x) { P p; p.inner.out = x.data_ptr<float>();"
                 "  P q = p; q.in[0] = 1; q.inner.out[0] = 1; }"),
            "\nwrite #1\n");
  // A list may leave members out, or name them.
  EXPECT_EQ(flow("struct P { float *in; int n; float *out; };"
                 "void f(at::Tensor x) { P p{nullptr, 1, x.data_ptr<float>()}; p.out[0] = 1; }"),
            "\nwrite #1\n");
  // What somebody else may have changed is not known.
  EXPECT_EQ(
      flow("struct P { float *out; }; void fill(P &p);"
           "void f(at::Tensor x) { P p; p.out = x.data_ptr<float>(); fill(p); p.out[0] = 1; }"),
      "\ncall demo::fill(: #1)\nescape (#1)\n");
  EXPECT_EQ(
      flow("struct P { float *out; }; void fill(P *p);"
           "void f(at::Tensor x) { P p; p.out = x.data_ptr<float>(); fill(&p); p.out[0] = 1; }"),
      "\nescape (#1)\n");
  EXPECT_EQ(flow("struct P { float *in, *out; };"
                 "P f(at::Tensor x) { P p; p.out = x.data_ptr<float>(); return p; }"),
            "\nescape (none, #1)\n");
}

TEST(BodyFlow, StructsAreParametersMore) {
  EXPECT_EQ(flow("struct P { float *in, *out; };"
                 "void run(P p, float *q) { p.out[0] = p.in[0]; }"
                 "void f(at::Tensor x, at::Tensor y) {"
                 "  P p; p.in = x.data_ptr<float>(); p.out = y.data_ptr<float>();"
                 "  run(p, nullptr); }"),
            "\ncall demo::run(: #1, : #2) => flow 0\n");
}

TEST(BodyFlow, GenericLambdasCountByTheirInstances) {
  EXPECT_EQ(
      flow("template <typename F> void each(const F &f) { f(1.f); }"
           "void f(at::Tensor x) { each([&](auto v) { x.data_ptr<decltype(v)>()[0] = v; }); }"),
      "\nwrite #1\n");
}

TEST(BodyFlow, WhatIsNotUnderstoodEscapes) {
  EXPECT_EQ(flow("struct S { at::Tensor t; }; void g(S);"
                 "void f(at::Tensor x) { g(S{x}); }"),
            "\ncall demo::g(: #1)\n");
  EXPECT_EQ(flow("at::Tensor kept; void f(at::Tensor x) { kept = x; }"), "\nescape #1\n");
}

TEST(BodyFlow, ABodyThatThrowsNeverFinishes) {
  EXPECT_EQ(flow("[[noreturn]] void fail(); at::Tensor f(at::Tensor x) { fail(); }"),
            "\nnever finishes\n");
}

TEST(BodyFlow, AConstantConditionIsNone) {
  EXPECT_EQ(flow("[[noreturn]] void fail();"
                 "at::Tensor f(at::Tensor x) { if (__builtin_expect(!(false), 0)) { fail(); } "
                 "return x; }"),
            "\nnever finishes\n");
}

TEST(BodyFlow, ABrokenBodyIsIncompleteAndCountsForNothingElse) {
  UnitFacts Unit = unitOf("void f(at::Tensor x) { nosuch(x); }");
  ASSERT_EQ(Unit.Flows.size(), 1u);
  EXPECT_FALSE(Unit.Flows[0].Complete);
  EXPECT_TRUE(Unit.complete());
}

TEST(BodyFlow, BodiesAreReadOnDemand) {
  UnitFacts Unit = parse("#include <ATen/ATen.h>\nnamespace demo { void f(at::Tensor x) {} }");
  EXPECT_EQ(Unit.Kernels.size(), 1u);
  EXPECT_TRUE(Unit.Flows.empty());
}

/// Which parameters of `f` the calls hand on that no way avoids.
std::string handed(llvm::StringRef Code) {
  std::string Out;
  UnitFacts Unit = unitOf(Code);
  for (const FunctionFlow &F : Unit.Flows)
    if (F.Name == "demo::f")
      for (const FlowCall &Call : F.Handed) {
        Out += Call.Callee;
        for (const FlowArgument &A : Call.Args)
          Out += " " + std::to_string(A.Value);
        Out += "; ";
      }
  return Out;
}

TEST(BodyFlow, CallsThatGetTheFunctionsOwnArguments) {
  EXPECT_EQ(handed("void f(at::Tensor x, bool b) { if (b) throw 1; x.t_(); }"),
            "at::Tensor::t_ 1; ");
  EXPECT_EQ(handed("void f(at::Tensor x, bool b) { if (b) return; x.t_(); }"), "");
  EXPECT_EQ(handed("void f(at::Tensor x, bool b) { if (b) x.t_(); }"), "");
  EXPECT_EQ(handed("void f(at::Tensor x) { x = x.clone(); x.t_(); }"), "");
  EXPECT_EQ(handed("void f(at::Tensor x) { auto later = [&] { x.t_(); }; }"), "");
  EXPECT_EQ(handed("struct MyGuard {}; void f(at::Tensor x) { MyGuard guard; x.t_(); }"), "");
}

} // namespace
