//===- EntryTest.cpp - The fields of an entry -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MarkedYaml.h"
#include "gtest/gtest.h"
#include "opsig/Support/SchemaFindingIds.h"

using namespace opsig;
using namespace opsig::test;

namespace {

using Strings = std::vector<std::string>;

/// The first function of a YAML that is in order.
struct First {
  std::unique_ptr<Loaded> L;
  const NativeFunction &F;
  explicit First(llvm::StringRef Yaml, const char *DialectName = "1.13")
      : L(load(Yaml, dialect(DialectName))), F(L->Ops->Functions.front()) {}
  const NativeFunction *operator->() const { return &F; }
};

TEST(Entry, Defaults) {
  First F("- func: f(Tensor self) -> Tensor\n");
  EXPECT_EQ(F->Namespace, "aten");
  EXPECT_EQ(F->Schema.str(), "f(Tensor self) -> Tensor");
  EXPECT_EQ(F->Kind, SchemaKind::Functional);
  EXPECT_TRUE(F->IsFunctionVariant);
  EXPECT_FALSE(F->IsMethodVariant);
  EXPECT_TRUE(F->DeviceGuard);
  EXPECT_EQ(F->Check, DeviceCheck::ExactSame);
  EXPECT_EQ(F->PythonModule, "");
  EXPECT_EQ(F->CategoryOverride, "");
  EXPECT_FALSE(F->ManualKernelRegistration || F->ManualCppBinding || F->Structured ||
               F->StructuredDelegate || F->UseConstRefForMutableTensors || F->Generated ||
               F->IsAbstract);
  EXPECT_TRUE(F->Tags.empty() && F->Autogen.empty() && F->UfuncInnerLoops.empty() &&
              F->CppNoDefaultArgs.empty());
  EXPECT_FALSE(F->Precomputed);
  ASSERT_EQ(F->Dispatch.size(), 1u);
  EXPECT_EQ(F->Dispatch[0].Key, DispatchKey::CompositeImplicitAutograd);
  EXPECT_EQ(F->Dispatch[0].Kernel, "f");
  EXPECT_EQ(F->Dispatch[0].CppNamespace, "at::native");
}

TEST(Entry, EveryField) {
  First F(R"(
- func: mine::f.x(Tensor self, int dim=0, bool keepdim=False) -> Tensor
  variants: method
  device_guard: False
  device_check: NoCheck
  category_override: factory
  manual_cpp_binding: True
  use_const_ref_for_mutable_tensors: True
  tags: view_copy, core
  autogen: f.x_out
  cpp_no_default_args: [keepdim, dim]
  dispatch:
    CPU, CUDA: other::f
    Meta: other::meta_f
)");
  EXPECT_EQ(F->Namespace, "mine");
  EXPECT_EQ(F->Schema.Name.str(), "f.x");
  EXPECT_FALSE(F->IsFunctionVariant);
  EXPECT_TRUE(F->IsMethodVariant);
  EXPECT_FALSE(F->DeviceGuard);
  EXPECT_EQ(F->Check, DeviceCheck::NoCheck);
  EXPECT_EQ(F->CategoryOverride, "factory");
  EXPECT_TRUE(F->ManualCppBinding);
  EXPECT_TRUE(F->UseConstRefForMutableTensors);
  EXPECT_EQ(F->Tags, (Strings{"core", "view_copy"}));
  ASSERT_EQ(F->Autogen.size(), 1u);
  EXPECT_EQ(F->Autogen[0].str(), "f.x_out");
  EXPECT_EQ(F->CppNoDefaultArgs, (Strings{"keepdim", "dim"}));
  ASSERT_EQ(F->Dispatch.size(), 3u);
  EXPECT_EQ(F->Dispatch[1].Key, DispatchKey::CUDA);
  EXPECT_EQ(F->Dispatch[2].Kernel, "meta_f");
  EXPECT_EQ(F->Dispatch[2].CppNamespace, "other::native");
}

TEST(Entry, Places) {
  First F(R"(# a comment
- func: mine::f(Tensor self) -> Tensor
  dispatch:
    CPU,CUDA: f_both
    Meta: 'f_meta'
)");
  SourceId File = F.L->Files.find("native_functions.yaml");
  EXPECT_EQ(F->Entry, (Place{File, 2, 3, 0}));
  EXPECT_EQ(F->SchemaText.Text, "f(Tensor self) -> Tensor");
  EXPECT_EQ(F->SchemaText.At, (Place{File, 2, 15, 24}));
  EXPECT_EQ(F->kernel(DispatchKey::CUDA)->At, (Place{File, 4, 15, 6}));
  EXPECT_EQ(F->kernel(DispatchKey::Meta)->At, (Place{File, 5, 12, 6}));
  EXPECT_EQ(F->kernel(DispatchKey::XLA), nullptr);
}

TEST(Entry, SchemasThatAreQuotedOrFolded) {
  auto L = load("- func: \"f(Tensor self, str x='\\\"') -> Tensor\"\n"
                "- func: g(Tensor self,\n"
                "    int n) -> Tensor\n"
                "- func: >-\n"
                "    h(Tensor self) -> Tensor\n",
                dialect("1.13"));
  EXPECT_TRUE(L->Ops->find("g"));
  EXPECT_TRUE(L->Ops->find("h"));
  EXPECT_EQ(L->Ops->Functions[0].SchemaText.Text, "f(Tensor self, str x='\"') -> Tensor");
  EXPECT_EQ(L->Ops->Functions[1].SchemaText.Text, "g(Tensor self, int n) -> Tensor");
}

TEST(Entry, ErrorsInAFoldedSchemaStandAtItsBeginning) {
  Loaded L("- func: >-\n"
           "    h(Tensr self) -> Tensor\n",
           dialect("1.13"));
  ASSERT_EQ(L.Diags.size(), 1u);
  EXPECT_EQ(L.Diags.all()[0].Id, finding::TypeUnknown);
  EXPECT_EQ(L.Diags.all()[0].At.Line, 1u);
}

TEST(Entry, CrLf) {
  auto L = load("- func: f(Tensor self) -> Tensor\r\n"
                "  variants: function\r\n",
                dialect("1.13"));
  EXPECT_EQ(L->Ops->Functions[0].SchemaText.Text, "f(Tensor self) -> Tensor");
}

TEST(Entry, ImpliedKernelOfAnOutFunction) {
  auto L = load("- func: f(Tensor self) -> Tensor\n"
                "- func: f.x(Tensor self, *, Tensor(a!) out) -> Tensor(a!)\n",
                dialect("1.13"));
  EXPECT_EQ(L->Ops->find("f.x")->Dispatch[0].Kernel, "f_out");
}

TEST(Entry, StructuredKernels) {
  auto L = load(R"(
- func: f(Tensor self) -> Tensor
  structured_delegate: f.out
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  structured_inherits: TensorIteratorBase
  dispatch:
    CPU, MPS: f_out
    SparseCPU: f_sparse_out
    CompositeExplicitAutograd: f_composite
)",
                dialect("1.13"));
  const NativeFunction &F = *L->Ops->find("f"), &Out = *L->Ops->find("f.out");
  EXPECT_EQ(F.StructuredDelegate, Out.Schema.Name);
  EXPECT_TRUE(F.Dispatch.empty());
  EXPECT_TRUE(F.IsAbstract && Out.IsAbstract);
  EXPECT_TRUE(F.partOfStructuredGroup() && Out.partOfStructuredGroup());
  EXPECT_EQ(Out.StructuredInherits, "TensorIteratorBase");
  std::string Structured;
  for (const KernelEntry &Entry : Out.Dispatch)
    Structured += Entry.Structured ? 's' : '-';
  EXPECT_EQ(Structured, "ss--");
  EXPECT_TRUE(Out.hasCompositeKernel());
}

TEST(Entry, IsAbstract) {
  auto L = load(R"(
- func: a(Tensor self) -> Tensor
- func: b(Tensor self) -> Tensor
  dispatch:
    CompositeImplicitAutograd: b
    CompositeImplicitAutogradNestedTensor: b_nested
- func: c(Tensor self) -> Tensor
  dispatch:
    CompositeExplicitAutograd: c
- func: d(Tensor self) -> Tensor
  dispatch:
    CompositeImplicitAutograd: d
    CPU: d_cpu
- func: e(Tensor self) -> Tensor
  manual_kernel_registration: True
)",
                dialect("1.13"));
  std::string Abstract;
  for (const NativeFunction &F : L->Ops->Functions)
    Abstract += F.IsAbstract ? 'y' : 'n';
  EXPECT_EQ(Abstract, "nnyyn");
}

TEST(Entry, UfuncLoops) {
  auto L = load(R"(
- func: f(Tensor self) -> Tensor
  structured_delegate: f.out
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  ufunc_inner_loop:
    Generic: f (AllAndComplex, BFloat16, Half, Int)
    ScalarOnly: f_scalar (Bool)
  dispatch:
    SparseCPU: f_sparse
)",
                dialect("1.13"));
  const NativeFunction &Out = *L->Ops->find("f.out");
  ASSERT_EQ(Out.UfuncInnerLoops.size(), 2u);
  EXPECT_EQ(Out.UfuncInnerLoops[0].Key, UfuncKey::Generic);
  EXPECT_EQ(Out.UfuncInnerLoops[0].Name, "f");
  EXPECT_EQ(Out.UfuncInnerLoops[0].Dtypes,
            (Strings{"Byte", "Char", "Int", "Long", "Short", "Float", "Double", "ComplexFloat",
                     "ComplexDouble", "BFloat16", "Half"}));
  EXPECT_EQ(Out.UfuncInnerLoops[1].Key, UfuncKey::ScalarOnly);
  EXPECT_EQ(Out.UfuncInnerLoops[1].Name, "f_scalar");
  EXPECT_EQ(Out.kernel(DispatchKey::CPU)->Kernel, "ufunc_f_CPU");
  EXPECT_EQ(Out.kernel(DispatchKey::CUDA)->Kernel, "ufunc_f_CUDA");
  EXPECT_TRUE(Out.kernel(DispatchKey::CUDA)->Structured);
}

TEST(Entry, OneUfuncLoopForAll) {
  auto L = load(R"(
- func: f(Tensor self) -> Tensor
  structured_delegate: f.out
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  ufunc_inner_loop: f (Floating)
)",
                dialect("1.13"));
  const UfuncInnerLoop &Loop = L->Ops->find("f.out")->UfuncInnerLoops.front();
  EXPECT_EQ(toString(Loop.Key), "Generic");
  EXPECT_EQ(Loop.Dtypes, (Strings{"Float", "Double"}));
}

TEST(Entry, Precomputed) {
  auto L = load(R"(
- func: f(Tensor self, int dim, int n) -> Tensor
  structured_delegate: f.out
- func: f.out(Tensor self, int dim, int n, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU: f_cpu
  precomputed:
  - dim -> int kH, int kW
  - n -> int[] m
  - bool flag, Tensor t
)",
                dialect("1.13"));
  const Precompute &P = *L->Ops->find("f.out")->Precomputed;
  ASSERT_EQ(P.Replace.size(), 2u);
  ASSERT_TRUE(P.replacementOf("dim"));
  EXPECT_EQ(P.replacementOf("dim")->By.size(), 2u);
  EXPECT_EQ(P.replacementOf("dim")->By[1].str(), "int kW");
  EXPECT_EQ(P.replacementOf("n")->By[0].str(), "int[] m");
  EXPECT_EQ(P.replacementOf("self"), nullptr);
  ASSERT_EQ(P.Add.size(), 2u);
  EXPECT_EQ(P.Add[0].str(), "bool flag");
}

TEST(Entry, Views) {
  auto L = load(R"(
- func: f(Tensor(a) self) -> Tensor(a)
- func: f_(Tensor(a!) self) -> Tensor(a!)
  tags: inplace_view
- func: g_(Tensor(a!) self) -> Tensor(a!)
- func: h(Tensor(a -> *) self) -> Tensor[]
- func: resize_(Tensor(a!) self) -> Tensor(a!)
  tags: inplace_view
)",
                dialect("1.13"));
  std::string Kinds;
  for (const NativeFunction &F : L->Ops->Functions)
    Kinds += "vi-"[static_cast<int>(F.viewKind(*L->Ops->D))];
  EXPECT_EQ(Kinds, "vi-v-");
}

TEST(Entry, SymInt) {
  const char *Yaml = "- func: f(Tensor self, SymInt[] n) -> Tensor\n"
                     "- func: g(Tensor self) -> SymInt\n"
                     "- func: h(Tensor self, int n) -> Tensor\n";
  auto Which = [&](const char *Name) {
    auto L = load(Yaml, dialect(Name));
    std::string Has;
    for (const NativeFunction &F : L->Ops->Functions)
      Has += F.hasSymInt(*L->Ops->D) ? 'y' : 'n';
    return Has;
  };
  EXPECT_EQ(Which("1.13"), "yyn");
  EXPECT_EQ(Which("2.4"), "ynn");
  EXPECT_EQ(Which("2.9"), "ynn");
}

TEST(Entry, EmptyFiles) {
  auto L = load("[]\n", dialect("1.13"), "[]\n");
  EXPECT_TRUE(L->Ops->Functions.empty() && L->Ops->Indices.empty() && L->Ops->Grouped.empty());
}

TEST(Entry, TagsKeepTheOrderOfTheirFile) {
  auto L = load("[]\n", dialect("1.13"), "- tag: b\n  desc: x\n- tag: a\n  desc:\n");
  EXPECT_EQ(L->Ops->ValidTags, (Strings{"b", "a"}));
}

} // namespace
