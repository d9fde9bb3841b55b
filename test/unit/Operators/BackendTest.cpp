//===- BackendTest.cpp - Backend YAML files ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MarkedYaml.h"
#include "gtest/gtest.h"

using namespace opsig;
using namespace opsig::test;

namespace {

std::unique_ptr<Loaded> loadWithBackend(llvm::StringRef Yaml, const char *DialectName = "1.13") {
  auto L = load(backendOperators(), dialect(DialectName));
  L->loadBackendYaml(Yaml);
  EXPECT_EQ(L->printed(), "");
  EXPECT_TRUE(L->Backend);
  return L;
}

/// "abs=abs", in function order.
std::string kernels(const Loaded &L, const std::optional<BackendIndex> &Index) {
  std::string Text;
  for (const NativeFunction &F : L.Ops->Functions)
    if (const KernelEntry *Entry = Index->kernel(F))
      Text += (Text.empty() ? "" : " ") + F.Schema.Name.str() + "=" + Entry->Kernel;
  return Text;
}

std::string names(llvm::ArrayRef<BackendOp> List) {
  std::string Text;
  for (const BackendOp &Op : List)
    Text += (Text.empty() ? "" : " ") + Op.Function->Schema.Name.str();
  return Text;
}

TEST(Backend, Defaults) {
  auto L = loadWithBackend("backend: XLA\n"
                           "cpp_namespace: torch_xla\n");
  const ExternalBackend &B = *L->Backend;
  EXPECT_EQ(B.Backend, "XLA");
  EXPECT_EQ(B.CppNamespace, "torch_xla");
  EXPECT_EQ(B.ClassName, "XLANativeFunctions");
  EXPECT_FALSE(B.UseOutAsPrimary || B.DeviceGuard);
  EXPECT_FALSE(B.Index || B.AutogradIndex);
  EXPECT_EQ(L->Files.name(B.File), "backend.yaml");
}

TEST(Backend, EveryField) {
  auto L = loadWithBackend(R"(
backend: PrivateUse1
cpp_namespace: mine::ops
class_name: MyFunctions
use_out_as_primary: True
device_guard: True
supported:
- sub.Tensor
- abs.out
- expand_to
autograd:
- add.Tensor
symint:
- expand_to
- nowhere
full_codegen:
- sub.Scalar
non_native: [anything]
ir_gen: {}
)");
  const ExternalBackend &B = *L->Backend;
  EXPECT_EQ(B.ClassName, "MyFunctions");
  EXPECT_TRUE(B.UseOutAsPrimary && B.DeviceGuard);
  ASSERT_TRUE(B.Index && B.AutogradIndex);
  EXPECT_EQ(B.Index->Key, DispatchKey::PrivateUse1);
  EXPECT_EQ(B.AutogradIndex->Key, DispatchKey::AutogradPrivateUse1);
  EXPECT_TRUE(B.Index->External && B.Index->UseOutAsPrimary && B.Index->DeviceGuard);
  // supported, then full_codegen, in the order of the file.
  EXPECT_EQ(names(B.Supported), "sub.Tensor abs.out expand_to sub.Scalar");
  EXPECT_EQ(names(B.FullCodegen), "sub.Scalar");
  EXPECT_EQ(names(B.Autograd), "add.Tensor");
  EXPECT_EQ(kernels(*L, B.Index),
            "abs.out=abs_out sub.Tensor=sub sub.Scalar=sub expand_to=expand_to_symint");
  EXPECT_EQ(kernels(*L, B.AutogradIndex), "add.Tensor=add");
  const KernelEntry *Entry = B.Index->kernel(*L->Ops->find("abs.out"));
  EXPECT_EQ(Entry->CppNamespace, "mine::ops");
  EXPECT_FALSE(Entry->Structured);
  EXPECT_EQ(Entry->At.Line, 9u);
  EXPECT_EQ(B.Supported[1].At, Entry->At);
}

TEST(Backend, SymIntOfAutograd) {
  auto L = loadWithBackend("backend: XLA\n"
                           "cpp_namespace: torch_xla\n"
                           "autograd: [expand_to]\n"
                           "symint: [expand_to]\n");
  EXPECT_FALSE(L->Backend->Index);
  EXPECT_EQ(kernels(*L, L->Backend->AutogradIndex), "expand_to=expand_to_symint");
}

TEST(Backend, OperatorTwice) {
  auto L = load(backendOperators(), dialect("1.13"));
  L->loadBackendYaml("backend: XLA\n"
                     "cpp_namespace: torch_xla\n"
                     "supported: [abs, abs_, abs]\n");
  // torchgen takes it, and so does opsig, which says so.
  ASSERT_TRUE(L->Backend);
  EXPECT_EQ(kernels(*L, L->Backend->Index), "abs=abs abs_=abs_");
  const std::string Printed = L->printed();
  llvm::StringRef Said = Printed;
  EXPECT_TRUE(Said.starts_with("backend.yaml:3:24: warning: operator 'abs' is listed twice;"));
  EXPECT_TRUE(Said.ends_with("backend.yaml:3:13: note: first listed here\n"));
}

TEST(Backend, DefaultClassNameHasTheKeysOwnName) {
  auto L = loadWithBackend("backend: CatchAll\n"
                           "cpp_namespace: mine\n"
                           "supported: [abs]\n");
  EXPECT_EQ(L->Backend->ClassName, "UndefinedNativeFunctions");
}

TEST(Backend, GeneratedOperatorsCanBeSupported) {
  auto L = load("- func: f(Tensor self) -> Tensor\n"
                "  dispatch:\n"
                "    CPU: f\n"
                "  autogen: f.out\n",
                dialect("1.13"));
  L->loadBackendYaml("backend: XLA\n"
                     "cpp_namespace: torch_xla\n"
                     "supported: [f.out]\n");
  ASSERT_TRUE(L->Backend);
  EXPECT_EQ(kernels(*L, L->Backend->Index), "f.out=f_out");
}

TEST(Backend, IsNothingWhereItsFileIsWrong) {
  auto L = load(backendOperators(), dialect("1.13"));
  L->loadBackendYaml("backend: XLA\n"
                     "backend: XLA\n"
                     "cpp_namespace: torch_xla\n");
  EXPECT_FALSE(L->Backend);
  EXPECT_EQ(L->Diags.size(), 1u);
}

TEST(Backend, TwoOfThem) {
  auto L = load(backendOperators(), dialect("1.13"));
  std::optional<ExternalBackend> Backends[2];
  for (auto [I, Key] : {std::pair(0, "XLA"), std::pair(1, "HPU")}) {
    SourceId File = L->Files.add(Key, std::string("backend: ") + Key +
                                          "\ncpp_namespace: mine\nsupported: [abs]\n");
    Backends[I] = loadBackend(File, L->Files, *L->Ops, L->Diags);
  }
  EXPECT_EQ(L->printed(), "");
  EXPECT_EQ(Backends[0]->Index->Key, DispatchKey::XLA);
  EXPECT_EQ(Backends[1]->Index->Key, DispatchKey::HPU);
}

} // namespace
