//===- ReleaseTest.cpp - The YAML of a whole release ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files that Debian's python3-torch (PyTorch 1.13.1, which calls itself 1.13.0a0) installs,
// against figures that were counted with torchgen of that release. Skipped where another release,
// or none, is installed.
//
//===----------------------------------------------------------------------===//
#include "MarkedYaml.h"
#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace opsig;
using namespace opsig::test;

namespace {

constexpr llvm::StringLiteral Root = "/usr/lib/python3/dist-packages";

/// The 1.13.1 operators without the keys that a build drops unless it is asked for them, or null.
std::unique_ptr<Loaded> loadRelease() {
  auto Version = llvm::MemoryBuffer::getFile((Root + "/torch/version.py").str());
  if (!Version || !(*Version)->getBuffer().contains("__version__ = '1.13."))
    return nullptr;
  std::string Folder = (Root + "/torchgen/packaged/ATen/native/").str();
  auto Native = llvm::MemoryBuffer::getFile(Folder + "native_functions.yaml");
  auto Tags = llvm::MemoryBuffer::getFile(Folder + "tags.yaml");
  if (!Native || !Tags)
    return nullptr;
  const Dialect &D = dialect("1.13");
  return load((*Native)->getBuffer(), D, (*Tags)->getBuffer(), {{D.Keys.DroppedByDefault}});
}

class Release : public ::testing::Test {
protected:
  void SetUp() override {
    L = loadRelease();
    if (!L)
      GTEST_SKIP() << "PyTorch 1.13.1 is not installed in " << Root.str();
  }

  template <typename Predicate> size_t count(Predicate P) const {
    return llvm::count_if(L->Ops->Functions, P);
  }

  std::unique_ptr<Loaded> L;
};

TEST_F(Release, Functions) {
  EXPECT_EQ(L->Ops->Functions.size(), 2952u);
  EXPECT_EQ(count([](const NativeFunction &F) { return F.Generated; }), 459u);
  auto OfKind = [&](SchemaKind Kind) {
    return count([&](const NativeFunction &F) { return F.Kind == Kind; });
  };
  EXPECT_EQ(OfKind(SchemaKind::Functional), 1547u);
  EXPECT_EQ(OfKind(SchemaKind::Out), 1092u);
  EXPECT_EQ(OfKind(SchemaKind::Inplace), 309u);
  EXPECT_EQ(OfKind(SchemaKind::Mutable), 4u);
  EXPECT_EQ(OfKind(SchemaKind::Scratch), 0u);
}

TEST_F(Release, Fields) {
  using NF = NativeFunction;
  const Dialect &D = *L->Ops->D;
  EXPECT_EQ(count([](const NF &F) { return F.IsMethodVariant; }), 764u);
  EXPECT_EQ(count([](const NF &F) { return F.IsFunctionVariant; }), 2716u);
  EXPECT_EQ(count([](const NF &F) { return F.ManualCppBinding; }), 20u);
  EXPECT_EQ(count([](const NF &F) { return F.ManualKernelRegistration; }), 0u);
  EXPECT_EQ(count([](const NF &F) { return !F.CppNoDefaultArgs.empty(); }), 18u);
  EXPECT_EQ(count([](const NF &F) { return F.Structured; }), 270u);
  EXPECT_EQ(count([](const NF &F) { return F.StructuredDelegate.has_value(); }), 380u);
  EXPECT_EQ(count([](const NF &F) { return F.StructuredInherits == "TensorIteratorBase"; }), 155u);
  EXPECT_EQ(count([](const NF &F) { return F.Precomputed.has_value(); }), 11u);
  EXPECT_EQ(count([](const NF &F) { return !F.UfuncInnerLoops.empty(); }), 1u);
  EXPECT_EQ(count([](const NF &F) { return F.PythonModule == "nn"; }), 298u);
  EXPECT_EQ(count([](const NF &F) { return F.PythonModule == "special"; }), 170u);
  EXPECT_EQ(count([](const NF &F) { return F.CategoryOverride == "factory"; }), 2u);
  EXPECT_EQ(count([&](const NF &F) { return F.isViewOp(D); }), 111u);
  EXPECT_EQ(count([](const NF &F) { return F.Tags.size() > 1; }), 34u);
  EXPECT_EQ(count([](const NF &F) { return F.hasTag("nondeterministic_seeded"); }), 106u);
  EXPECT_EQ(count([](const NF &F) { return F.hasTag("view_copy"); }), 39u);
  EXPECT_EQ(count([](const NF &F) { return F.Schema.Args.hasTensorOptions(); }), 93u);
  EXPECT_EQ(L->Ops->ValidTags.size(), 7u);
}

TEST_F(Release, Groups) {
  size_t Groups = 0, Structured = 0, StructuredWithInplace = 0, Mutable = 0;
  for (const FunctionOrGroup &Item : L->Ops->Grouped) {
    const auto *G = std::get_if<NativeFunctionsGroup>(&Item);
    if (!G)
      continue;
    ++Groups;
    Structured += G->structured();
    StructuredWithInplace += G->structured() && G->Inplace;
    Mutable += G->Mutable != nullptr;
  }
  EXPECT_EQ(L->Ops->Grouped.size(), 1592u);
  EXPECT_EQ(Groups, 1090u);
  EXPECT_EQ(Structured, 270u);
  EXPECT_EQ(StructuredWithInplace, 110u);
  EXPECT_EQ(Mutable, 1u);
}

TEST_F(Release, ViewGroups) {
  size_t Groups = 0, Copies = 0, Inplace = 0, Composite = 0;
  for (const FunctionOrViewGroup &Item : L->Ops->ViewGrouped) {
    const auto *G = std::get_if<NativeFunctionsViewGroup>(&Item);
    if (!G)
      continue;
    ++Groups;
    Copies += G->ViewCopy != nullptr;
    Inplace += G->ViewInplace != nullptr;
    Composite += G->composite();
  }
  EXPECT_EQ(L->Ops->ViewGrouped.size(), 2903u);
  EXPECT_EQ(Groups, 100u);
  EXPECT_EQ(Copies, 38u);
  EXPECT_EQ(Inplace, 11u);
  EXPECT_EQ(Composite, 62u);
}

TEST_F(Release, KernelsOfEachKeyInOrderOfFirstUse) {
  std::vector<std::pair<std::string, size_t>> Kernels,
      Expected = {{"CompositeImplicitAutograd", 854},
                  {"CompositeExplicitAutograd", 811},
                  {"CPU", 732},
                  {"CUDA", 755},
                  {"NestedTensorCPU", 46},
                  {"NestedTensorCUDA", 44},
                  {"SparseCPU", 154},
                  {"SparseCUDA", 154},
                  {"SparseCsrCPU", 124},
                  {"SparseCsrCUDA", 126},
                  {"Meta", 37},
                  {"MkldnnCPU", 51},
                  {"ZeroTensor", 8},
                  {"QuantizedCPU", 107},
                  {"QuantizedCUDA", 38},
                  {"CompositeExplicitAutogradNonFunctional", 44},
                  {"SparseMeta", 19},
                  {"QuantizedMeta", 1},
                  {"CompositeImplicitAutogradNestedTensor", 3}};
  size_t SymInt = 0, StructuredCpu = 0;
  for (const BackendIndex &Index : L->Ops->Indices) {
    Kernels.emplace_back(toString(Index.Key), Index.Kernels.size());
    for (const auto &[F, Entry] : Index.Kernels) {
      SymInt += Entry.supportsSymInt();
      StructuredCpu += Index.Key == DispatchKey::CPU && Entry.Structured;
    }
  }
  EXPECT_EQ(Kernels, Expected);
  EXPECT_EQ(SymInt, 69u);
  EXPECT_EQ(StructuredCpu, 270u);
}

TEST_F(Release, EverySchemaPointsAtItself) {
  for (const NativeFunction &F : L->Ops->Functions) {
    llvm::StringRef Line = L->Files.line(F.SchemaText.At.File, F.SchemaText.At.Line);
    ASSERT_TRUE(Line.drop_front(F.SchemaText.At.Column - 1).starts_with(F.SchemaText.Text));
    if (!F.Generated)
      EXPECT_EQ(F.SchemaText.Text, F.Schema.str());
  }
}

} // namespace
