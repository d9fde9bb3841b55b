//===- WrapperPlanTest.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gtest/gtest.h"
#include "opsig/Codegen/WrapperPlan.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace opsig;

namespace {

constexpr StringLiteral NativeYaml = R"(
- func: twice(Tensor self) -> Tensor
  dispatch:
    SparseCPU: twice_sparse
- func: twice_(Tensor(a!) self) -> Tensor(a!)
  dispatch:
    SparseCPU: twice_sparse_
- func: twice.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  dispatch:
    SparseCPU: twice_sparse_out
- func: alone_(Tensor(a!) self) -> Tensor(a!)
  dispatch:
    SparseCPU: alone_
- func: byhand(Tensor self) -> Tensor
  manual_kernel_registration: True
- func: ramp(int n, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor
  dispatch:
    SparseCPU: ramp
- func: blend(Tensor other, Tensor? self, int n, *, Tensor by) -> Tensor
  device_check: NoCheck
- func: mix(Tensor one, Tensor[] two, *, Tensor(a!) out) -> Tensor(a!)
- func: unguarded(Tensor self) -> Tensor
  device_guard: False
- func: halves.out(Tensor self, *, Tensor(a!) low, Tensor(b!) high) -> (Tensor(a!), Tensor(b!))
- func: all_twice_(Tensor(a!)[] self) -> ()
- func: pieces.out(Tensor self, *, Tensor(a!)[] out) -> ()
- func: nothing.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
)";

class WrapperPlanTest : public testing::Test {
protected:
  WrapperPlanTest() {
    SourceId Native = Files.add("native.yaml", NativeYaml.str());
    SourceId Tags = Files.add("tags.yaml", "- tag: fancy\n  desc: not used\n");
    Ops = loadOperators(Native, Tags, Files, dialect(2, 9), Diags);
    for (const Finding &D : Diags.all())
      ADD_FAILURE() << D.Message;
  }

  static const Dialect &dialect(unsigned Major, unsigned Minor) {
    return *chooseDialect(VersionTuple(Major, Minor)).Chosen;
  }

  const NativeFunction &function(StringRef Name) {
    const NativeFunction *F = Ops->find(Name);
    if (!F)
      ADD_FAILURE() << "no function " << Name.str();
    return *F;
  }

  BackendIndex index(DispatchKey Key, ArrayRef<StringRef> WithKernel) {
    BackendIndex Index;
    Index.Key = Key;
    Index.External = true;
    Index.UseOutAsPrimary = false;
    for (StringRef Name : WithKernel) {
      KernelEntry Kernel;
      Kernel.Key = Key;
      Kernel.Kernel = Name.str();
      Kernel.CppNamespace = "demo";
      Index.Kernels[&function(Name)] = Kernel;
    }
    return Index;
  }

  /// "twice: kernel twice; twice_: from twice; ..."
  std::string plan(const BackendIndex &Index) {
    std::vector<std::string> Parts;
    for (const Wrapper &W : planWrappers(*Ops, Index)) {
      std::string Part = W.Function->Schema.Name.str();
      switch (W.Kind) {
      case WrapperKind::CallKernel:
        Part += ": kernel " + W.Kernel->Kernel;
        break;
      case WrapperKind::CopyFromFunctional:
        Part += ": from " + W.Functional->Schema.Name.str() + " by kernel " + W.Kernel->Kernel;
        break;
      case WrapperKind::ReturnSelf:
        Part += ": self";
        break;
      }
      Parts.push_back(Part);
    }
    return join(Parts, "; ");
  }

  /// "check one two, guard out".
  std::string devices(StringRef Name, bool BackendGuards = true,
                      DispatchKey Key = DispatchKey::XLA) {
    BackendIndex Index = index(Key, {});
    Index.DeviceGuard = BackendGuards;
    DeviceHandling Plan = planDevices(function(Name), Index);
    std::string Text = Plan.Checks ? "check " + join(Plan.CheckedArgs, " ") : "no check";
    switch (Plan.Guards) {
    case DeviceHandling::Guard::None:
      return Text + ", no guard";
    case DeviceHandling::Guard::OfOptions:
      return Text + (Plan.InitialisesCuda ? ", init, guard options" : ", guard options");
    case DeviceHandling::Guard::OfArgument:
      return Text + ", guard " + Plan.GuardArg.str();
    }
    return "?";
  }

  std::string copyBack(StringRef Name, const Dialect &D) {
    Expected<CopyBack> Plan = planCopyBack(function(Name), D);
    if (!Plan)
      return "error: " + toString(Plan.takeError());
    static constexpr const char *Shapes[] = {"one", "tuple", "void one", "void per item"};
    return std::string(Shapes[unsigned(Plan->Is)]) + " " + join(Plan->Targets, " ") +
           (Plan->Resizes ? ", resized" : "");
  }

  SourceFiles Files;
  Findings Diags;
  std::unique_ptr<Operators> Ops;
};

TEST_F(WrapperPlanTest, AFunctionalKernelServesItsGroup) {
  EXPECT_EQ("twice: kernel twice; twice.out: from twice by kernel twice; "
            "twice_: from twice by kernel twice",
            plan(index(DispatchKey::XLA, {"twice"})));
}

TEST_F(WrapperPlanTest, ListedMembersHaveTheirOwnKernel) {
  EXPECT_EQ("twice: kernel twice; twice.out: from twice by kernel twice; twice_: kernel twice_",
            plan(index(DispatchKey::XLA, {"twice_", "twice"})));
  EXPECT_EQ("twice.out: kernel twice.out", plan(index(DispatchKey::XLA, {"twice.out"})));
}

TEST_F(WrapperPlanTest, AnOutPrimaryMakesNothing) {
  BackendIndex Index = index(DispatchKey::XLA, {"twice"});
  Index.UseOutAsPrimary = true;
  EXPECT_EQ("twice: kernel twice", plan(Index));
}

TEST_F(WrapperPlanTest, ManualRegistrationGetsNoWrapper) {
  EXPECT_EQ("", plan(index(DispatchKey::XLA, {"byhand"})));
}

TEST_F(WrapperPlanTest, MetaReturnsSelfOfInplaceFunctions) {
  EXPECT_EQ(
      "twice: kernel twice; twice.out: from twice by kernel twice; twice_: self; alone_: self",
      plan(index(DispatchKey::Meta, {"twice"})))
      << "all_twice_ returns nothing and is composite";
}

TEST_F(WrapperPlanTest, Devices) {
  EXPECT_EQ("check self, guard self", devices("twice"));
  EXPECT_EQ("no check, no guard", devices("twice", /*BackendGuards=*/false));
  EXPECT_EQ("check , guard options", devices("ramp"));
  EXPECT_EQ("check , init, guard options", devices("ramp", true, DispatchKey::AutogradCUDA));
  EXPECT_EQ("check self, guard self", devices("twice", true, DispatchKey::AutogradCUDA));
  EXPECT_EQ("no check, guard self", devices("blend"));
  EXPECT_EQ("check out one two, guard out", devices("mix"));
  EXPECT_EQ("check self, no guard", devices("unguarded"));
}

TEST_F(WrapperPlanTest, CopyingBack) {
  const Dialect &New = dialect(2, 9), &Old = dialect(1, 13);
  EXPECT_EQ("one self", copyBack("twice_", New));
  EXPECT_EQ("one out, resized", copyBack("nothing.out", New));
  EXPECT_EQ("tuple low high, resized", copyBack("halves.out", New));
  EXPECT_EQ("void per item out, resized", copyBack("pieces.out", New));
  EXPECT_EQ("error: it returns nothing, and PyTorch 1.13 has no wrapper for that",
            copyBack("pieces.out", Old));
  EXPECT_EQ("error: it returns nothing and has 0 out arguments instead of one",
            copyBack("all_twice_", New));
  EXPECT_EQ("error: it is neither an in-place nor an out variant, but functional",
            copyBack("twice", New));
}

} // namespace
