//===- BackendTest.cpp - What a new release means for a backend's YAML ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TwoReleases.h"

using namespace opsig;
using namespace opsig::test;

namespace {

const char *OldYaml = R"(
- func: same(Tensor self) -> Tensor
  dispatch:
    CPU: same
- func: gone(Tensor self, int n) -> Tensor
  dispatch:
    CPU: gone
- func: pool(Tensor self, int n) -> Tensor
  dispatch:
    CPU: pool
- func: more(Tensor self) -> Tensor
  dispatch:
    CPU: more
- func: sym(Tensor self, int[] size) -> Tensor
  dispatch:
    CPU: sym
- func: plain(Tensor self, SymInt n) -> Tensor
  dispatch:
    CPU: plain
- func: written(Tensor(a!) self, Tensor noise) -> Tensor(a!)
  dispatch:
    CPU: written
- func: served(Tensor self) -> Tensor
)";

const char *NewYaml = R"(
- func: same(Tensor self) -> Tensor
  dispatch:
    CPU: same
- func: _pool(Tensor self, int n) -> Tensor
  dispatch:
    CPU: pool
- func: more(Tensor self, Scalar alpha=1) -> Tensor
  dispatch:
    CPU: more
- func: sym(Tensor self, SymInt[] size) -> Tensor
  dispatch:
    CPU: sym
- func: plain(Tensor self, int n) -> Tensor
  dispatch:
    CPU: plain
- func: written(Tensor(a!) self, Tensor(b!) noise) -> Tensor(a!)
  dispatch:
    CPU: written
- func: served(Tensor self) -> Tensor
  dispatch:
    CPU: served
- func: fresh(Tensor self, str mode) -> Tensor
  dispatch:
    CPU: fresh
- func: composed(Tensor self, str mode, bool b) -> Tensor
)";

struct BackendOfTwo : TwoReleases {
  ExternalBackend Backend;

  explicit BackendOfTwo(llvm::StringRef Yaml, llvm::StringRef Newer = NewYaml)
      : TwoReleases(OldYaml, Newer) {
    SourceId File = Old.Files.add("demo.yaml", Yaml.str());
    std::optional<ExternalBackend> Read = loadBackend(File, Old.Files, *Old.Ops, Old.Diags);
    for (const Finding &D : Old.Diags.all())
      ADD_FAILURE() << D.Message;
    if (Read)
      Backend = std::move(*Read);
  }

  std::string entries() const {
    std::string Text;
    for (const BackendEntryChange &E : compareBackend(Backend, Diff).Entries) {
      Text += std::to_string(E.At.Line) + " " + E.Function->Schema.Name.str() + " " +
              toString(E.Is).str();
      Text += (E.From.empty() ? "" : ": " + E.From + " => " + E.To) + "\n";
    }
    return Text;
  }
};

const char *Demo = R"(backend: PrivateUse1
cpp_namespace: demo
supported:
- same
- gone
- pool
- more
- sym
- plain
- written
symint:
- plain
)";

TEST(BackendDiff, NamedKernelsHaveNoListOfSymInt) {
  EXPECT_EQ(BackendOfTwo("- func: sym\n  dispatch:\n    PrivateUse1: Sym\n"
                         "- func: plain\n  dispatch:\n    PrivateUse1: plain_symint\n")
                .entries(),
            "4 plain signature: at::Tensor plain_symint(const at::Tensor & self, c10::SymInt n) => "
            "at::Tensor plain_symint(const at::Tensor & self, int64_t n)\n");
}

TEST(BackendDiff, WhatHappensToEachEntry) {
  EXPECT_EQ(BackendOfTwo(Demo).entries(),
            "5 gone gone\n"
            "6 pool renamed: pool => _pool\n"
            "7 more signature: at::Tensor more(const at::Tensor & self) => "
            "at::Tensor more(const at::Tensor & self, const at::Scalar & alpha)\n"
            "8 sym symint-offered\n"
            "9 plain symint-gone\n"
            "9 plain signature: at::Tensor plain_symint(const at::Tensor & self, c10::SymInt n) => "
            "at::Tensor plain(const at::Tensor & self, int64_t n)\n"
            "10 written signature: at::Tensor & written(at::Tensor & self, const at::Tensor & "
            "noise) => at::Tensor & written(at::Tensor & self, at::Tensor & noise)\n"
            "10 written alias: written(Tensor(a!) self, Tensor noise) -> Tensor(a!) => "
            "written(Tensor(a!) self, Tensor(b!) noise) -> Tensor(a!)\n");
}

TEST(BackendDiff, OperatorsThatItHasToServeNow) {
  BackendOfTwo T(Demo);
  BackendDiff D = compareBackend(T.Backend, T.Diff);
  EXPECT_EQ(TwoReleases::names(D.LostDefault), "served");
  EXPECT_EQ(TwoReleases::names(D.NewWithoutDefault), "fresh");
  BackendOfTwo Listed(std::string(Demo) + "autograd:\n- served\n");
  EXPECT_EQ(TwoReleases::names(compareBackend(Listed.Backend, Listed.Diff).LostDefault), "");
}

TEST(BackendDiff, TheBackendInTheNewRelease) {
  BackendOfTwo T(Demo);
  ExternalBackend New = followBackend(T.Backend, T.Diff, SourceId::None);
  std::string Names, Kernels;
  for (const BackendOp &Op : New.Supported) {
    EXPECT_EQ(T.New.Ops->find(Op.Function->Schema.Name.str()), Op.Function);
    Names += Op.Function->Schema.Name.str() + " ";
    Kernels += New.Index->kernel(*Op.Function)->Kernel + " ";
  }
  EXPECT_EQ(Names, "same more sym plain written ");
  EXPECT_EQ(Kernels, "same more sym plain written ");
}

TEST(BackendDiff, AKeyThatPyTorchTakes) {
  std::string Taken = std::string(NewYaml) +
                      "- func: own(Tensor self, Device d) -> Tensor\n  dispatch:\n    XPU: own\n";
  std::string Xpu = Demo;
  Xpu.replace(Xpu.find("PrivateUse1"), 11, "XPU");
  EXPECT_TRUE([&] {
    BackendOfTwo T(Xpu, Taken);
    return compareBackend(T.Backend, T.Diff).KeyTaken;
  }());
  BackendOfTwo T(Demo, Taken);
  EXPECT_FALSE(compareBackend(T.Backend, T.Diff).KeyTaken);
}

} // namespace
