//===- GeneratedTest.cpp - Functions that autogen adds ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expected is what torchgen makes of the same YAML.
//
//===----------------------------------------------------------------------===//
#include "DescribeOperators.h"
#include "MarkedYaml.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace opsig;
using namespace opsig::test;

namespace {

/// \p Expected, in which "{, out}" stands for a tag that 2.12 and later give out functions.
std::string expectedIn(const Dialect &D, llvm::StringRef Expected) {
  constexpr llvm::StringLiteral Mark = "{, out}";
  std::string Text;
  while (!Expected.empty()) {
    size_t At = Expected.find(Mark);
    Text += Expected.take_front(At);
    if (At != llvm::StringRef::npos && std::pair(D.Major, D.Minor) >= std::pair(2u, 12u))
      Text += ", out";
    Expected = At == llvm::StringRef::npos ? "" : Expected.drop_front(At + Mark.size());
  }
  return Text;
}

/// In every measured dialect.
void expectGenerated(llvm::StringRef Yaml, const char *Expected) {
  for (const Dialect *D : measuredDialects())
    EXPECT_EQ("\n" + generatedFunctions(*load(Yaml, *D)->Ops), expectedIn(*D, Expected))
        << D->Name.str();
}

TEST(Generated, OutFromFunctional) {
  expectGenerated(R"(
- func: a(Tensor self, *, int dim=0) -> Tensor
  dispatch:
    CPU: a
  autogen: a.out
- func: e.x(Tensor self) -> (Tensor, Tensor values)
  dispatch:
    CPU: e
  autogen: e.x_out
)",
                  R"(
a.out(Tensor self, *, int dim=0, Tensor(a!) out) -> Tensor(a!)
    CompositeExplicitAutograd: at::native::a_out
    generated{, out}
e.x_out(Tensor self, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))
    CompositeExplicitAutograd: at::native::e_x_out
    generated{, out}
)");
}

TEST(Generated, SchemasAreTextAsTheyStandOrAsTheyAreMade) {
  for (const Dialect *D : measuredDialects()) {
    auto Loaded = load(R"yaml(
- func: a(Tensor self, *, int dim=0) -> Tensor
  dispatch:
    CPU: a
  autogen: a.out
- func: "mine::b(str s='x') -> ()"
)yaml",
                       *D);
    std::vector<std::string> Texts;
    for (const NativeFunction &F : Loaded->Ops->Functions)
      Texts.push_back(F.schemaText());
    EXPECT_THAT(Texts, testing::ElementsAre(
                           "a(Tensor self, *, int dim=0) -> Tensor", "b(str s='x') -> ()",
                           "a.out(Tensor self, *, int dim=0, Tensor(a!) out) -> Tensor(a!)"))
        << D->Name.str();
  }
}

TEST(Generated, OutDropsTensorOptions) {
  expectGenerated(R"(
- func: b.x(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor
  dispatch:
    CompositeExplicitAutograd: b
  autogen: b.x_out
)",
                  R"(
b.x_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    CompositeExplicitAutograd: at::native::b_x_out
    generated{, out}
)");
}

TEST(Generated, ListsAreWrittenToButNotReturned) {
  expectGenerated(R"(
- func: d(Tensor(b) x, Tensor y) -> (Tensor, Tensor[])
  dispatch:
    CPU: d
  autogen: d.out
)",
                  R"(
d.out(Tensor x, Tensor y, *, Tensor(a!) out0, Tensor(b!)[] out1) -> ()
    CompositeExplicitAutograd: at::native::d_out
    generated{, out}
)");
}

TEST(Generated, OutAndFunctionalFromInplace) {
  expectGenerated(R"(
- func: c_(Tensor(a!) self, Tensor other) -> Tensor(a!)
  dispatch:
    CPU: c_
  autogen: c, c.out
- func: __iadd__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)
  dispatch:
    CPU: __iadd__
  autogen: __add__.Tensor, __add__.Tensor_out
)",
                  R"(
c.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    CompositeExplicitAutograd: at::native::c_out
    generated{, out}
c(Tensor self, Tensor other) -> Tensor
    CompositeExplicitAutograd: at::native::c
    generated
__add__.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    CompositeExplicitAutograd: at::native::__add___Tensor_out
    generated{, out}
__add__.Tensor(Tensor self, Tensor other) -> Tensor
    CompositeExplicitAutograd: at::native::__add__
    generated
)");
}

TEST(Generated, SymIntKernelsOfLists) {
  expectGenerated(R"(
- func: s_(Tensor(a!)[] self, SymInt n=1) -> ()
  device_check: NoCheck
  dispatch:
    CPU: s_
  autogen: s, s.out
)",
                  R"(
s.out(Tensor[] self, SymInt n=1, *, Tensor(a!)[] out) -> ()
    CompositeExplicitAutograd: at::native::s_out_symint
    generated{, out}
s(Tensor[] self, SymInt n=1) -> Tensor[] self_out
    CompositeExplicitAutograd: at::native::s_symint
    generated
)");
}

TEST(Generated, OutAndFunctionalFromMutable) {
  expectGenerated(R"(
- func: m(Tensor self, Tensor(a!) state, Tensor(b!) other) -> (Tensor output, Tensor mask)
  dispatch:
    CPU: m
  autogen: m_functional, m.out
- func: z(Tensor self, Tensor(z!) w) -> Tensor[]
  dispatch:
    CPU: z
  autogen: z.out, z_functional
)",
                  R"(
m.out(Tensor self, Tensor(a!) state, Tensor(b!) other, *, Tensor(c!) out0, Tensor(d!) out1) -> (Tensor(c!), Tensor(d!))
    CompositeExplicitAutograd: at::native::m_out
    generated{, out}
m_functional(Tensor self, Tensor state, Tensor other) -> (Tensor output, Tensor mask, Tensor state_out, Tensor other_out)
    CompositeExplicitAutograd: at::native::m_functional
    generated
z.out(Tensor self, Tensor(z!) w, *, Tensor(a!)[] out) -> ()
    CompositeExplicitAutograd: at::native::z_out
    generated{, out}
z_functional(Tensor self, Tensor w) -> (Tensor[], Tensor w_out)
    CompositeExplicitAutograd: at::native::z_functional
    generated
)");
}

TEST(Generated, FunctionalBesideWrittenOut) {
  expectGenerated(R"(
- func: i_(Tensor(a!) self) -> Tensor(a!)
  dispatch:
    CPU: i_
- func: i.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  dispatch:
    CPU: i_out
  autogen: i
)",
                  R"(
i(Tensor self) -> Tensor
    CompositeExplicitAutograd: at::native::i
    generated
)");
}

TEST(Generated, SeededTagIsInherited) {
  expectGenerated(R"(
- func: r_(Tensor(a!) self, *, Generator? generator=None) -> Tensor(a!)
  tags: nondeterministic_seeded
  dispatch:
    CPU: r_
  autogen: r, r.out
)",
                  R"(
r.out(Tensor self, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)
    CompositeExplicitAutograd: at::native::r_out
    generated, nondeterministic_seeded{, out}
r(Tensor self, *, Generator? generator=None) -> Tensor
    CompositeExplicitAutograd: at::native::r
    generated, nondeterministic_seeded
)");
}

TEST(Generated, FollowTheSource) {
  auto L = load(R"(
- func: mine::n(Tensor self) -> Tensor
  use_const_ref_for_mutable_tensors: True
  variants: function, method
  python_module: null
  dispatch:
    CPU: mine::n
  autogen: n.out
)",
                dialect("1.13"));
  const NativeFunction *F = L->Ops->find("n.out");
  ASSERT_TRUE(F);
  EXPECT_TRUE(F->Generated);
  EXPECT_EQ(F->Namespace, "mine");
  EXPECT_TRUE(F->UseConstRefForMutableTensors);
  EXPECT_TRUE(F->IsFunctionVariant);
  EXPECT_FALSE(F->IsMethodVariant);
  EXPECT_FALSE(F->DeviceGuard);
  EXPECT_EQ(F->Check, DeviceCheck::NoCheck);
  EXPECT_TRUE(F->IsAbstract);
  EXPECT_EQ(F->Kind, SchemaKind::Out);
  EXPECT_EQ(F->Dispatch[0].CppNamespace, "at::native");
  EXPECT_FALSE(F->Dispatch[0].At.isValid());
  EXPECT_EQ(F->SchemaText.Text, "n(Tensor self) -> Tensor");
}

TEST(Generated, NothingForTheseOnes) {
  expectGenerated(R"(
- func: manual(Tensor self) -> int
  manual_cpp_binding: True
  dispatch:
    CPU: manual
- func: composite(Tensor self) -> Tensor
  autogen: composite.out
- func: view(Tensor(a) self) -> Tensor(a)
- func: _assert_async(Tensor self) -> ()
  dispatch:
    CPU: _assert_async_cpu
- func: _cummax_helper(Tensor self, Tensor(a!) values, Tensor(b!) indices, int dim) -> ()
  dispatch:
    CPU: cummax_helper_cpu
- func: polygamma_(Tensor(a!) self, int n) -> Tensor(a!)
  dispatch:
    CPU: polygamma_
  autogen: polygamma.out
- func: adaptive_avg_pool3d_backward.grad_input(Tensor grad_output, Tensor self, *, Tensor(a!) grad_input) -> Tensor(a!)
  dispatch:
    CPU: adaptive_avg_pool3d_backward_out_cpu
)",
                  "\n");
}

// What changed between releases.

TEST(Generated, CompositesOfTheCoreSetGetVariantsLater) {
  const char *Yaml = R"(
- func: k(Tensor self) -> Tensor
  tags: core
  autogen: k.out
)";
  EXPECT_EQ(generatedFunctions(*load(Yaml, dialect("1.13"))->Ops), "");
  EXPECT_EQ(generatedFunctions(*load(Yaml, dialect("2.4"))->Ops), "");
  EXPECT_EQ(generatedFunctions(*load(Yaml, dialect("2.9"))->Ops),
            "k.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)\n"
            "    CompositeExplicitAutograd: at::native::k_out\n"
            "    generated\n");
}

TEST(Generated, ViewCopyTagIsInheritedLater) {
  const char *Yaml = R"(
- func: v(Tensor(a) self) -> Tensor(a)
- func: v_copy(Tensor self) -> Tensor
  tags: view_copy
  dispatch:
    CPU: v_copy
  autogen: v_copy.out
)";
  auto Tags = [&](const char *Name) {
    return load(Yaml, dialect(Name))->Ops->find("v_copy.out")->Tags;
  };
  EXPECT_EQ(Tags("1.13"), (std::vector<std::string>{"generated"}));
  EXPECT_EQ(Tags("2.4"), (std::vector<std::string>{"generated", "view_copy"}));
  EXPECT_EQ(Tags("2.9"), (std::vector<std::string>{"generated", "view_copy"}));
}

TEST(Generated, ImplicitTag) {
  const char *TagsYaml = "- tag: generated\n  desc: x\n- tag: pt2_compliant_tag\n  desc: x\n";
  const char *Yaml = R"(
- func: p(Tensor self) -> Tensor
  autogen: p.out
  dispatch:
    CPU: p
- func: mine::q(Tensor self) -> Tensor
)";
  auto Early = load(Yaml, dialect("1.13"), TagsYaml), Late = load(Yaml, dialect("2.4"), TagsYaml);
  using Names = std::vector<std::string>;
  EXPECT_EQ(Early->Ops->find("p")->Tags, Names{});
  EXPECT_EQ(Early->Ops->find("p.out")->Tags, Names{"generated"});
  EXPECT_EQ(Late->Ops->find("p")->Tags, Names{"pt2_compliant_tag"});
  EXPECT_EQ(Late->Ops->find("p.out")->Tags, (Names{"generated", "pt2_compliant_tag"}));
  EXPECT_EQ(Late->Ops->find("q")->Tags, Names{});
}

TEST(Generated, SettersOfStorageAreNoViewsLater) {
  const char *Yaml = R"(
- func: set_.source(Tensor(a!) self, Tensor source) -> Tensor(a!)
  tags: inplace_view
  dispatch:
    CPU: set_
  autogen: set.source, set.source_out
)";
  for (const char *Name : {"2.4", "2.9"})
    EXPECT_EQ(generatedFunctions(*load(Yaml, dialect(Name))->Ops),
              "set.source_out(Tensor self, Tensor source, *, Tensor(a!) out) -> Tensor(a!)\n"
              "    CompositeExplicitAutograd: at::native::set_source_out\n"
              "    generated\n"
              "set.source(Tensor self, Tensor source) -> Tensor\n"
              "    CompositeExplicitAutograd: at::native::set\n"
              "    generated\n");
}

TEST(Generated, FromMutableBeforeInplaceLater) {
  auto L = load(R"(
- func: f(Tensor self, Tensor(a!) noise) -> Tensor
  dispatch:
    CPU: f
  autogen: f_functional, f.out
- func: f_(Tensor(a!) self, Tensor(b!) noise) -> Tensor(a!)
  dispatch:
    CPU: f_
)",
                dialect("2.9"));
  EXPECT_EQ(generatedFunctions(*L->Ops),
            "f.out(Tensor self, Tensor(a!) noise, *, Tensor(b!) out) -> Tensor(b!)\n"
            "    CompositeExplicitAutograd: at::native::f_out\n"
            "    generated\n"
            "f_functional(Tensor self, Tensor noise) -> (Tensor, Tensor noise_out)\n"
            "    CompositeExplicitAutograd: at::native::f_functional\n"
            "    generated\n");
  EXPECT_EQ(groups(*L->Ops), "group f_functional, f.out, f_, f\n");
}

} // namespace
