//===- GroupsTest.cpp - Groups, view groups and indices ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expected is what torchgen makes of the same YAML; orders count.
//
//===----------------------------------------------------------------------===//
#include "DescribeOperators.h"
#include "MarkedYaml.h"
#include "gtest/gtest.h"
#include "opsig/Support/SchemaFindingIds.h"

using namespace opsig;
using namespace opsig::test;

namespace {

const char *const Yaml = R"(
- func: single(Tensor self) -> Tensor
- func: add(Tensor self, Tensor other) -> Tensor
  structured_delegate: add.out
- func: single_(Tensor(a!) self) -> Tensor(a!)
- func: add_.x(Tensor(a!) self, Tensor other) -> Tensor(a!)
  structured_delegate: add.out
- func: add.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU, CUDA: add_out
    SparseCPU: add_sparse
- func: made_(Tensor(a!) self) -> Tensor(a!)
  dispatch:
    CPU: made_
  autogen: made.out, made
- func: state(Tensor self, Tensor(a!) x) -> Tensor
  dispatch:
    CPU: state
  autogen: state.out, state_functional
- func: slice(Tensor(a) self, int dim) -> Tensor(a)
  dispatch:
    CPU: slice
- func: slice_copy(Tensor self, int dim) -> Tensor
  tags: view_copy
  dispatch:
    CompositeExplicitAutogradNonFunctional: slice_copy
  autogen: slice_copy.out
- func: t(Tensor(a) self) -> Tensor(a)
- func: t_(Tensor(a!) self) -> Tensor(a!)
  tags: inplace_view
- func: inv_inverse(Tensor(a) self, Tensor src) -> Tensor(a)
- func: inv_scatter(Tensor self, Tensor src) -> Tensor
  tags: view_copy
- func: wild(Tensor(a -> *) self) -> Tensor(a)[]
)";

TEST(Groups, ByVariant) {
  for (const Dialect *D : measuredDialects())
    EXPECT_EQ("\n" + groups(*load(Yaml, *D)->Ops), R"(
single
single_
group add, add.out, add_.x structured
group made, made.out, made_
group state_functional, state.out, state
slice
group slice_copy, slice_copy.out
t
t_
inv_inverse
inv_scatter
wild
)");
}

TEST(Groups, ByView) {
  std::string Before = R"(
single
single_
add
add_.x
add.out
made_
made.out
made
state
state.out
state_functional
views slice, slice_copy
slice_copy.out
views t, t_ composite
)";
  // Later releases pair inverses with their scatters.
  const std::string Exclusivity = "views inv_inverse composite\ninv_scatter\n";
  const std::string Paired = "views inv_inverse, inv_scatter composite\n";
  bool ArePaired = false;
  for (const Dialect *D : measuredDialects()) {
    ArePaired |= D->Name == "2.3";
    EXPECT_EQ("\n" + viewGroups(*load(Yaml, *D)->Ops),
              Before + (ArePaired ? Paired : Exclusivity) + "views wild composite\n");
  }
}

TEST(Indices, InOrderOfFirstUse) {
  for (const Dialect *D : measuredDialects())
    EXPECT_EQ("\n" + indices(*load(Yaml, *D)->Ops), R"(
CompositeImplicitAutograd single=single single_=single_ t=t t_=t_ inv_inverse=inv_inverse inv_scatter=inv_scatter wild=wild
CPU add.out=add_out* made_=made_ state=state slice=slice
CUDA add.out=add_out* guard
SparseCPU add.out=add_sparse
CompositeExplicitAutogradNonFunctional slice_copy=slice_copy
CompositeExplicitAutograd made.out=made_out made=made state.out=state_out state_functional=state_functional slice_copy.out=slice_copy_out
)");
}

TEST(Indices, OfATreeUseOutAsPrimary) {
  auto L = load(Yaml, dialect("1.13"));
  for (const BackendIndex &Index : L->Ops->Indices) {
    EXPECT_TRUE(Index.UseOutAsPrimary);
    EXPECT_FALSE(Index.External);
  }
  const auto &Add = std::get<NativeFunctionsGroup>(L->Ops->Grouped[2]);
  const BackendIndex &Cpu = *L->Ops->index(DispatchKey::CPU);
  EXPECT_EQ(&Add.primary(Cpu), Add.Out);
  EXPECT_TRUE(Cpu.hasKernel(*Add.Out));
  EXPECT_FALSE(Cpu.hasKernel(*Add.Functional));
  EXPECT_EQ(L->Ops->index(DispatchKey::XLA), nullptr);
}

TEST(Indices, GuardsOfLaterKeys) {
  const char *Xpu = "- func: f(Tensor self) -> Tensor\n"
                    "  dispatch:\n"
                    "    XPU: f_xpu\n"
                    "    MTIA: f_mtia\n";
  EXPECT_EQ(indices(*load(Xpu, dialect("2.9"))->Ops), "XPU f=f_xpu guard\nMTIA f=f_mtia\n");
}

TEST(Indices, DroppedKeysAreCheckedAndForgotten) {
  const char *Text = "- func: f(Tensor self) -> Tensor\n"
                     "  dispatch:\n"
                     "    MPS: f_mps\n"
                     "    CPU: f_cpu\n";
  const Dialect &D = dialect("1.13");
  LoadOptions Drop{{DispatchKey::MPS}};
  EXPECT_EQ(indices(*load(Text, D)->Ops), "MPS f=f_mps\nCPU f=f_cpu\n");
  EXPECT_EQ(indices(*load(Text, D, usualTags(), Drop)->Ops), "CPU f=f_cpu\n");
}

/// What counts as the only kernel once a key is dropped changed between releases.
TEST(Indices, OneKernelLeftByDropping) {
  const char *Text = "- func: f(Tensor self) -> Tensor\n"
                     "  dispatch:\n"
                     "    MPS: f_mps\n"
                     "    CompositeImplicitAutograd: f\n";
  LoadOptions Drop{{DispatchKey::MPS}};
  Loaded Early(Text, dialect("1.13"), usualTags(), Drop);
  ASSERT_EQ(Early.Diags.size(), 1u);
  EXPECT_EQ(Early.Diags.all()[0].Id, finding::RedundantDispatch);
  EXPECT_EQ(indices(*load(Text, dialect("2.4"), usualTags(), Drop)->Ops),
            "CompositeImplicitAutograd f=f\n");
}

TEST(Lookup, ByPrintedName) {
  auto L = load(Yaml, dialect("1.13"));
  ASSERT_TRUE(L->Ops->find("add.out"));
  EXPECT_EQ(L->Ops->find("add.out")->rootName(), "add");
  EXPECT_TRUE(L->Ops->find("made.out")->Generated);
  EXPECT_EQ(L->Ops->find("add.otu"), nullptr);
  EXPECT_EQ(L->Ops->names().size(), L->Ops->Functions.size());
}

TEST(Lookup, FunctionsOfAGroup) {
  auto L = load(Yaml, dialect("1.13"));
  EXPECT_EQ(functionsOf(L->Ops->Grouped[0]).size(), 1u);
  EXPECT_EQ(functionsOf(L->Ops->Grouped[2]).size(), 3u);
}

} // namespace
