//===- EffectsTest.cpp - what kernels do, by the schemas of what they call --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Effects/EffectsInternal.h"

#include "gtest/gtest.h"

using namespace opsig;

namespace {

constexpr llvm::StringLiteral NativeYaml = R"(
- func: add_(Tensor(a!) self, Tensor other) -> Tensor(a!)
  variants: method
  dispatch:
    CompositeExplicitAutograd: add_
- func: t_(Tensor(a!) self) -> Tensor(a!)
  variants: method
  tags: inplace_view
- func: requires_grad_(Tensor(a!) self, bool requires_grad=True) -> Tensor(a!)
  manual_cpp_binding: True
  variants: method
- func: pick.int(Tensor(a) self, int dim) -> Tensor(a)
  variants: method
  dispatch:
    CompositeExplicitAutograd: pick
- func: pick_copy.int(Tensor self, int dim) -> Tensor
  dispatch:
    CompositeExplicitAutograd: pick_copy
  tags: view_copy
- func: t(Tensor(a) self) -> Tensor(a)
- func: pick.Dimname(Tensor(a) self, Dimname dim) -> Tensor(a)
  variants: method
- func: halves(Tensor(a) self) -> (Tensor(a), Tensor)
- func: sum(Tensor self) -> Tensor
  dispatch:
    CPU: sum
- func: sum.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  dispatch:
    CPU: sum_out
)";

/// Flows are made by hand: values 1 and 2 are the parameters.
class Effects : public testing::Test {
protected:
  void SetUp() override {
    const Dialect &D = *chooseDialect(llvm::VersionTuple(1, 13)).Chosen;
    SourceId Native = Files.add("native.yaml", NativeYaml.str());
    SourceId Tags = Files.add(
        "tags.yaml", "- tag: inplace_view\n  desc: shape only\n- tag: view_copy\n  desc: a copy\n");
    Ops = loadOperators(Native, Tags, Files, D, Diags);
    ASSERT_TRUE(Ops && !Diags.hasErrors()) << Diags.all().front().Message;
    Unit.Names.Bases[unsigned(CppBase::Long)] = CppType::named("long");
    Unit.Names.Bases[unsigned(CppBase::Dimname)] = CppType::named("at::Dimname");
    F.NumParams = 2;
    F.Finishes = true;
    F.Values = {{}, {FlowValue::Parameter, 0, {}}, {FlowValue::Parameter, 1, {}}};
  }

  FlowIndex value(FlowValue::Kind Is, uint32_t Index, std::vector<FlowIndex> From = {}) {
    F.Values.push_back({Is, Index, std::move(From)});
    return F.Values.size() - 1;
  }
  FlowIndex call(std::string Callee, std::vector<FlowArgument> Args,
                 std::vector<std::string> Tensors = {}, std::vector<std::string> Types = {}) {
    std::vector<CppType> Params;
    for (const std::string &Name : Types)
      Params.push_back(CppType::named(Name));
    F.Calls.push_back({Callee, Tensors, Params, Args, FlowCall::NoFlow, "", {}});
    return value(FlowValue::Result, F.Calls.size() - 1);
  }
  FlowIndex method(std::string Name, FlowIndex Object, std::vector<std::string> Types = {}) {
    return call("at::Tensor::" + Name, {{"self", 0, Object}}, {}, Types);
  }
  KernelEffects effects() {
    Unit.Flows = {F};
    OperatorTable Table(*Ops);
    ProjectEffects Project(*Ops, Unit);
    return *UnitEffects(Unit, Table, Project).ofFlow(0);
  }

  SourceFiles Files;
  Findings Diags;
  std::unique_ptr<Operators> Ops;
  UnitFacts Unit;
  FunctionFlow F;
};

TEST_F(Effects, OperatorsWriteWhatTheirSchemasMark) {
  call("at::Tensor::add_", {{"self", 0, 1}, {"other", 0, 2}}, {"other"});
  call("at::sum_out", {{"out", 0, 2}}, {"out", "self"});
  KernelEffects E = effects();
  EXPECT_EQ(E.Params[0].Written, Confidence::Certain);
  EXPECT_EQ(E.Params[0].By, "add_");
  EXPECT_EQ(E.Params[1].By, "sum_out");
}

TEST_F(Effects, AnUnknownFunctionMayDoAnything) {
  call("vendor::sum", {{"x", 0, 1}}, {"x"});
  call("at::sum", {{"self", 0, 2}}, {"self"});
  KernelEffects E = effects();
  EXPECT_TRUE(E.Params[0].Lost);
  EXPECT_FALSE(E.Params[1].Lost);
  EXPECT_EQ(E.Params[1].Written, Confidence::Unstated);
}

TEST_F(Effects, TypesTellOverloadsApart) {
  F.Returns = {{method("pick", 1, {"long"}), {}}, {method("pick", 2, {"at::Dimname"}), {}}};
  KernelEffects E = effects();
  ASSERT_EQ(E.Whole.size(), 2u);
  EXPECT_EQ(E.Whole[0].Sure, Confidence::Certain);
  // Composed of other operators, so perhaps a copy.
  EXPECT_EQ(E.Whole[1].Sure, Confidence::Likely);
  EXPECT_EQ(E.Whole[1].Through, "pick");
}

TEST_F(Effects, WhereTypesAreUnknownAllOverloadsCount) {
  F.Returns = {{method("pick", 1, {"short"}), {}}};
  EXPECT_EQ(effects().Whole[0].Sure, Confidence::Likely);
}

TEST_F(Effects, AShapeIsChangedOnlyOfTheTensorItself) {
  method("t_", 1);
  method("t_", method("pick", 2, {"long"}));
  KernelEffects E = effects();
  EXPECT_EQ(E.Params[0].Written, Confidence::Certain);
  EXPECT_EQ(E.Params[1].Written, Confidence::Unstated);
}

TEST_F(Effects, WhatAutogradKeepsIsNoMemory) {
  method("requires_grad_", 1);
  EXPECT_EQ(effects().Params[0].Written, Confidence::Unstated);
}

TEST_F(Effects, PartsOfATupleAreToldApart) {
  F.Returns = {{call("at::halves", {{"self", 0, 1}}, {"self"}), {}}};
  KernelEffects E = effects();
  ASSERT_EQ(E.Parts[0].size(), 1u);
  EXPECT_FALSE(E.Parts[0][0].Same);
  EXPECT_TRUE(E.Parts[1].empty());
}

TEST_F(Effects, OneWayOfSeveralIsLikely) {
  F.Writes = {{value(FlowValue::OneOf, 0, {1, NoValue}), {}}};
  EXPECT_EQ(effects().Params[0].Written, Confidence::Likely);
}

TEST_F(Effects, WhatAnOptionalHoldsIsCertainWherever) {
  FlowIndex First = value(FlowValue::OrElse, 0, {1, NoValue});
  F.Writes = {{First, {}}};
  F.Returns = {{First, {}}};
  KernelEffects E = effects();
  EXPECT_EQ(E.Params[0].Written, Confidence::Certain);
  ASSERT_EQ(E.Whole.size(), 1u);
  EXPECT_EQ(E.Whole[0].Sure, Confidence::Certain);
}

TEST_F(Effects, WhatStandsForAnOptionalIsLikely) {
  F.Writes = {{value(FlowValue::OrElse, 0, {NoValue, 1}), {}}};
  EXPECT_EQ(effects().Params[0].Written, Confidence::Likely);
}

TEST_F(Effects, EveryWayIsCertainAlsoInALoop) {
  FlowIndex Loop = value(FlowValue::OneOf, 0);
  F.Values[Loop].From = {1, method("pick", Loop, {"long"})};
  F.Writes = {{Loop, {}}};
  EXPECT_EQ(effects().Params[0].Written, Confidence::Certain);
}

TEST_F(Effects, FunctionsThatCallEachOtherComeToAnEnd) {
  F.Calls.push_back({"demo::f", {"x"}, {}, {{"x", 0, 1}}, 0, {}});
  EXPECT_TRUE(effects().Params[0].Lost);
}

} // namespace
