//===- CheckTest.cpp - kernels against operators, in memory -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Frontend/KernelTestHelp.h"
#include "opsig/Check/Check.h"
#include "opsig/Check/Comparison.h"
#include "opsig/Support/FindingIds.h"
#include "opsig/Workspace/ProjectLayout.h"

#include "gtest/gtest.h"
#include "llvm/Support/FormatVariadic.h"

using namespace opsig;
using namespace opsig::test;

namespace {

constexpr llvm::StringLiteral NativeYaml = R"(
- func: scale.Tensor(Tensor self, Tensor by, *, Scalar alpha=1) -> Tensor
  dispatch:
    CPU, Meta: scale_cpu
    CUDA: scale_cuda
- func: scale.Scalar(Tensor self, Scalar by) -> Tensor
- func: pick(Tensor? a, SymInt[] sizes, int[]? dims=None) -> (Tensor, Tensor)
  dispatch:
    CompositeExplicitAutograd: pick_symint
)";
constexpr llvm::StringLiteral BackendYaml = R"(
backend: PrivateUse1
cpp_namespace: demo
class_name: K
supported:
- scale.Tensor
- pick
autograd:
- scale.Scalar
)";

/// Operators and a backend, read from texts in memory.
class Check : public testing::Test {
protected:
  void SetUp() override {
    const Dialect &D = *chooseDialect(llvm::VersionTuple(1, 13)).Chosen;
    SourceId Native = Files.add("native.yaml", NativeYaml.str());
    SourceId Tags = Files.add("tags.yaml", "- tag: core\n  desc: unused\n");
    Ops = loadOperators(Native, Tags, Files, D, Diags);
    ASSERT_TRUE(Ops && !Diags.hasErrors()) << messages();
    auto Backend = loadBackend(Files.add("demo.yaml", BackendYaml.str()), Files, *Ops, Diags);
    ASSERT_TRUE(Backend && !Diags.hasErrors()) << messages();
    Backends.push_back(std::move(*Backend));
    Expected = expectedKernels(*Ops, Backends);
  }

  std::string messages() {
    std::string Text;
    for (const Finding &D : Diags.all())
      Text += llvm::formatv("{0}:{1}:{2}: {3}\n", Files.name(D.At.File), D.At.Line, D.At.Column,
                            D.Message)
                  .str();
    return Text;
  }

  /// What is found in a file of the backend.
  std::string findings(llvm::StringRef Code) {
    Diags = Findings();
    ParseOptions Options;
    Options.Scopes = scopesOf(Expected);
    Options.FallbackHeaders = {fallbackHeader(Backends.front(), *Ops)};
    Options.Buffers = {{"/mem/k.cpp", Code.str()}};
    Files.add(llvm::formatv("/mem/k{0}.cpp", ++Runs).str(), Code.str());
    std::vector<UnitFacts> Units = {
        parseKernels(CompileCommands::fixed(miniTorchFlags()).job("/mem/k.cpp"), Options)};
    Units.front().Files.front() = Units.front().MainFile =
        llvm::formatv("/mem/k{0}.cpp", Runs).str();
    Comparison Done;
    checkBackendKernels(Expected, {Units, Scope::Project, *Ops, ProjectLayout()}, Files, Done,
                        Diags);
    return messages();
  }

  SourceFiles Files;
  Findings Diags;
  std::unique_ptr<Operators> Ops;
  std::vector<ExternalBackend> Backends;
  std::vector<ExpectedKernel> Expected;
  unsigned Runs = 0;
};

TEST_F(Check, WantsTheKernelsOfABackendInYamlOrder) {
  ASSERT_EQ(Expected.size(), 3u);
  const Dialect &D = *Ops->D;
  EXPECT_EQ(Expected[0].Signature.defn(D, Expected[0].Name),
            "at::Tensor scale(const at::Tensor & self, const at::Tensor & by, "
            "const at::Scalar & alpha)");
  EXPECT_EQ(Expected[1].Signature.defn(D, Expected[1].Name),
            "::std::tuple<at::Tensor,at::Tensor> pick(const c10::optional<at::Tensor> & a, "
            "at::IntArrayRef sizes, at::OptionalIntArrayRef dims)");
  EXPECT_EQ(Expected[2].Signature.defn(D, Expected[2].Name),
            "at::Tensor scale(const at::Tensor & self, const at::Scalar & by)");
  EXPECT_EQ(Expected[2].Key, DispatchKey::AutogradPrivateUse1);
  EXPECT_EQ(Expected[2].At.Line, 9u);
  EXPECT_EQ(scopesOf(Expected), (std::vector<std::string>{"demo::K", "demo"}));
}

TEST_F(Check, WantsEachNativeKernelOnce) {
  std::vector<std::string> Names;
  for (const ExpectedKernel &W : expectedNativeKernels(*Ops))
    if (!W.Function->Generated)
      Names.push_back(W.Namespace + "::" + W.Name);
  EXPECT_EQ(Names, (std::vector<std::string>{"at::native::scale_cpu", "at::native::scale_cuda",
                                             "at::native::scale", "at::native::pick_symint"}));
}

constexpr llvm::StringLiteral RightKernels = R"(
#include "PrivateUse1NativeFunctions.h"
#include <ATen/ATen.h>
namespace demo {
namespace {
at::Tensor helper(const at::Tensor &self, int n) { return self; }
}
at::Tensor K::scale(const at::Tensor &self, const at::Tensor &by, const at::Scalar &alpha) {
  if (helper(self, 2))
    return self;
  return helper(by, 1);
}
at::Tensor K::scale(const at::Tensor &self, const at::Scalar &by) { return self; }
std::tuple<at::Tensor, at::Tensor> K::pick(const c10::optional<at::Tensor> &a,
                                           at::IntArrayRef sizes, at::OptionalIntArrayRef dims) {
  return {};
}
} // namespace demo
)";

TEST_F(Check, FindsNothingInRightKernels) { EXPECT_EQ(findings(RightKernels), ""); }

// A file saved in the middle of an edit.
TEST_F(Check, FindsNoMismatchInAnyBeginningOfAFile) {
  for (size_t Length = 0; Length < RightKernels.size(); ++Length) {
    findings(RightKernels.take_front(Length));
    for (const Finding &D : Diags.all())
      EXPECT_EQ(D.Id, finding::MissingKernel) << D.Message << " after\n"
                                              << RightKernels.take_front(Length).str();
  }
}

// A line that is gone or doubled, as after a merge.
TEST_F(Check, FindsNoMismatchInLinesThatAreRight) {
  llvm::SmallVector<llvm::StringRef> Lines;
  llvm::StringRef(RightKernels).split(Lines, '\n');
  for (size_t Cut = 0; Cut < Lines.size(); ++Cut) {
    // Without one of its lines a signature is another one, rightly found.
    if (Lines[Cut].contains("K::pick") || Lines[Cut].contains("at::IntArrayRef sizes"))
      continue;
    for (unsigned Copies : {0, 2}) {
      std::string Code;
      for (size_t I = 0; I < Lines.size(); ++I)
        for (unsigned N = 0; N < (I == Cut ? Copies : 1); ++N)
          Code += Lines[I].str() + "\n";
      findings(Code);
      for (const Finding &D : Diags.all())
        EXPECT_EQ(D.Id, finding::MissingKernel) << D.Message << " in\n" << Code;
    }
  }
}

TEST_F(Check, TakesNoKernelForTwo) {
  // The mismatch is compared with what no other declaration equals: scale.Tensor.
  EXPECT_EQ(findings(R"(
#include "PrivateUse1NativeFunctions.h"
at::Tensor demo::K::scale(const at::Tensor &self, const at::Scalar &by) { return self; }
at::Tensor demo::K::scale(const at::Tensor &self, const at::Scalar &by, double alpha) { return self; }
std::tuple<at::Tensor, at::Tensor> demo::K::pick(
    const c10::optional<at::Tensor> &, at::IntArrayRef, at::OptionalIntArrayRef) { return {}; }
)"),
            "/mem/k1.cpp:4:51: parameter 'by' of 'scale' is 'const at::Scalar &'; the schema needs "
            "'const at::Tensor &'\n"
            "/mem/k1.cpp:4:73: parameter 'alpha' of 'scale' is 'double'; the schema needs "
            "'const at::Scalar &'\n");
}

} // namespace
