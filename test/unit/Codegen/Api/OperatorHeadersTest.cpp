//===- OperatorHeadersTest.cpp ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is expected here is what torchgen 1.13.1 and 2.9.1 made from the same entries.
//
//===----------------------------------------------------------------------===//
#include "Api/FamilyPlansInternal.h"
#include "Api/StaticDispatchInternal.h"
#include "gtest/gtest.h"
#include "opsig/Codegen/Aten.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace opsig;

namespace {

constexpr StringLiteral Yaml = R"(
- func: both(Tensor self) -> Tensor
  variants: function, method
  dispatch:
    CPU: both_cpu
    CUDA: both_cuda
- func: both_x(Tensor self) -> Tensor
  variants: method
- func: made(SymInt n, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor
  dispatch:
    CPU: made_cpu
    CUDA: made_cuda
- func: sparse(Tensor self) -> Tensor
  dispatch:
    SparseCPU: sparse
- func: by_hand(Tensor self) -> Tensor
  manual_kernel_registration: True
- func: pre(Tensor self, int[2] k) -> Tensor
  structured_delegate: pre.out
- func: pre.out(Tensor self, int[2] k, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  precomputed:
  - k -> int kH, int kW
  - int total
  dispatch:
    CPU: pre_out
)";

/// Templates that show what fills the holes, and nothing else.
constexpr std::pair<StringLiteral, StringLiteral> Templates[] = {
    {"Operator.h", "${declarations}\n"},
    {"Function.h", "$static_dispatch_ops_headers\n$operator_includes\n$function_definitions\n"},
    {"NativeFunction.h", "$extra_includes\n$native_function_declarations\n"},
    {"NativeMetaFunction.h", "$meta_function_declarations\n"},
    {"Functions.h", "$Functions_includes\n$Functions_declarations\n"},
    {"Operators.h", "$Operators_includes\n$Operators_declarations\n"},
    {"NativeFunctions.h", "$NativeFunctions_includes\n$NativeFunctions_declarations\n"},
    {"NativeMetaFunctions.h", "$NativeMetaFunctions_includes\n$NativeMetaFunctions_declarations\n"},
    {"MethodOperators.h", "$MethodOperators_includes\n$MethodOperators_declarations\n"},
};

class OperatorHeadersTest : public testing::Test {
protected:
  void load(unsigned Major, unsigned Minor) {
    SourceId Native = Files.add("native.yaml", Yaml.str());
    SourceId Tags = Files.add("tags.yaml", "- tag: generated\n  desc: made\n"
                                           "- tag: pt2_compliant_tag\n  desc: given to all\n");
    D = chooseDialect(VersionTuple(Major, Minor)).Chosen;
    Ops = loadOperators(Native, Tags, Files, *D, Diags);
    ASSERT_TRUE(Diags.empty());
    for (auto [Name, Text] : Templates)
      Set.add(Name, Files.add(Name, Text.str()));
  }

  using Headers = std::vector<GeneratedFile>;
  Headers headers() {
    AtenInput In{*Ops, Options, Set, Selected, Selected, {}, {}, {}};
    Headers Out;
    std::string Buffer;
    auto take = [&](const FileSpec &File, StringRef Text) {
      Out.push_back({File.Name, Text.str()});
    };
    FileWriter Writer = atenWriter(In, take, Diags, Buffer);
    generateOperatorHeaders(In, Writer);
    return Out;
  }

  static std::string text(const Headers &Out, StringRef Name) {
    for (const GeneratedFile &F : Out)
      if (F.Name == Name)
        return F.Text;
    return "no " + Name.str();
  }

  std::string callBody(StringRef Op, ArrayRef<DispatchKey> Keys) {
    OperatorApi Api(*Ops->find(Op), *D);
    return StaticDispatch(Keys, *Ops).callBody(Api, Diags).value_or("the dispatcher's");
  }

  std::string functions(StringRef Op) {
    std::string Text;
    OperatorApi(*Ops->find(Op), *D).printFunctions(Text, Diags);
    return Text;
  }

  SourceFiles Files;
  Findings Diags;
  TemplateSet Set{TemplateOrigin::Files, Files};
  AtenOptions Options{.PerOperatorHeaders = true};
  Selector Selected = Selector::all();
  const Dialect *D = nullptr;
  std::unique_ptr<Operators> Ops;
};

//===-- Files ---------------------------------------------------------------===//

TEST_F(OperatorHeadersTest, IncludesAreSortedByNameButMethodsAsLines) {
  load(1, 13);
  Headers Out = headers();
  EXPECT_TRUE(StringRef(text(Out, "Functions.h"))
                  .starts_with("#include <ATen/ops/both.h>\n#include <ATen/ops/both_x.h>\n"
                               "#include <ATen/ops/by_hand.h>\n"));
  EXPECT_EQ(text(Out, "MethodOperators.h"),
            "#include <ATen/ops/both_ops.h>\n#include <ATen/ops/both_x_ops.h>\n\n");
}

TEST_F(OperatorHeadersTest, OnlyStructuredNamesHaveMetaHeaders) {
  load(1, 13);
  Headers Out = headers();
  EXPECT_EQ(text(Out, "both_meta.h"), "no both_meta.h");
  EXPECT_TRUE(StringRef(text(Out, "pre_native.h")).starts_with("#include <ATen/ops/pre_meta.h>\n"));
  EXPECT_TRUE(StringRef(text(Out, "both_native.h"))
                  .starts_with("\nnamespace at {\nnamespace native {\n"
                               "TORCH_API at::Tensor both_cpu(const at::Tensor & self);\n"
                               "TORCH_API at::Tensor both_cuda(const at::Tensor & self);\n}"));
}

TEST_F(OperatorHeadersTest, WithoutPerOperatorHeadersFiveFilesHoldAll) {
  load(1, 13);
  Options.PerOperatorHeaders = false;
  Headers Out = headers();
  EXPECT_EQ(Out.size(), 5u);
  std::string Methods = text(Out, "MethodOperators.h"), Others = text(Out, "Operators.h");
  EXPECT_TRUE(StringRef(Methods).contains("struct TORCH_API both {"));
  EXPECT_FALSE(StringRef(Methods).contains("struct TORCH_API sparse {"));
  EXPECT_FALSE(StringRef(Others).contains("struct TORCH_API both {"));
  EXPECT_TRUE(StringRef(Others).contains("struct TORCH_API pre_out {"));
}

TEST_F(OperatorHeadersTest, ATemplateWithoutAHoleIsRefused) {
  load(1, 13);
  Set.add("Operator.h", Files.add("mine/Operator.h", "nothing\n"));
  EXPECT_EQ(text(headers(), "both_ops.h"), "no both_ops.h");
  ASSERT_FALSE(Diags.empty());
  EXPECT_TRUE(StringRef(Diags.all().front().Message).contains("${declarations}"));
}

//===-- The C++ API ---------------------------------------------------------===//

TEST_F(OperatorHeadersTest, SymIntTemplatesCarryTheNameWithoutSuffix) {
  load(2, 9);
  std::string Text = functions("made");
  EXPECT_TRUE(StringRef(Text).contains(R"(
namespace symint {
  template <typename T, typename = std::enable_if_t<std::is_same_v<T, c10::SymInt>>>
  at::Tensor made(c10::SymInt n, ::std::optional<at::ScalarType> dtype, ::std::optional<at::Layout> layout, ::std::optional<at::Device> device, ::std::optional<bool> pin_memory, ::std::optional<at::MemoryFormat> memory_format) {
    return at::_ops::made::call(n, dtype, layout, device, pin_memory, memory_format);
  }
}
)"));
  EXPECT_EQ(StringRef(Text).count("std::is_same_v<T, int64_t>"), 2u);
  EXPECT_EQ(functions("both_x"), "");
}

TEST_F(OperatorHeadersTest, TheFirstReleaseHasNoSymIntTemplates) {
  load(1, 13);
  EXPECT_EQ(functions("both"), R"(
// aten::both(Tensor self) -> Tensor
inline at::Tensor both(const at::Tensor & self) {
    return at::_ops::both::call(self);
}
)");
  EXPECT_FALSE(StringRef(functions("made")).contains("namespace symint"));
}

//===-- Meta classes --------------------------------------------------------===//

TEST_F(OperatorHeadersTest, PrecomputedValuesAreSetOnceEach) {
  load(1, 13);
  auto Group = find_if(Ops->Grouped, [](const FunctionOrGroup &G) {
    return std::holds_alternative<NativeFunctionsGroup>(G);
  });
  std::string Text;
  declareMeta(Text, std::get<NativeFunctionsGroup>(*Group), *D);
  EXPECT_TRUE(StringRef(Text).starts_with(
      "struct TORCH_API structured_pre : public at::impl::MetaBase {\n    \n                "
      "template <bool KH = false, bool KW = false, bool TOTAL = false>\n"));
  EXPECT_TRUE(StringRef(Text).contains(R"(
                    precompute_out<KH, true, TOTAL> set_kW(int64_t value) {
                        static_assert(KW == false, "kW already set");
                        precompute_out<KH, true, TOTAL> ret;
ret.kH = this->kH;
ret.kW = value;
ret.total = this->total;
return ret;
                    }
)"));
  EXPECT_TRUE(StringRef(Text).ends_with(R"(
                    int64_t kH;
int64_t kW;
int64_t total;
            };
    using meta_return_ty = precompute_out <true, true, true>;
    meta_return_ty meta(const at::Tensor & self, at::IntArrayRef k);
};
)"));
}

//===-- Static dispatch -----------------------------------------------------===//

TEST_F(OperatorHeadersTest, OneBackendIsCalledDirectly) {
  load(1, 13);
  EXPECT_EQ(callBody("both", {}), "the dispatcher's");
  EXPECT_EQ(callBody("both", DispatchKey::CPU), "return at::cpu::both(self);");
  EXPECT_EQ(callBody("pre", DispatchKey::CPU), "return at::cpu::pre(self, k);");
  EXPECT_EQ(callBody("made", DispatchKey::CPU),
            "return at::cpu::made_symint(n, TensorOptions().dtype(dtype).layout(layout)"
            ".device(device).pinned_memory(pin_memory), memory_format);");
  EXPECT_EQ(callBody("by_hand", DispatchKey::CPU), "");
}

TEST_F(OperatorHeadersTest, WithoutAKernelACompositeServesOrNone) {
  load(1, 13);
  EXPECT_EQ(callBody("both_x", DispatchKey::CPU),
            "return at::compositeimplicitautograd::both_x(self);");
  EXPECT_EQ(callBody("sparse", {DispatchKey::CPU, DispatchKey::CUDA}),
            "TORCH_CHECK(false, \"Static dispatch does not support sparse forCPU, CUDA \");");
  EXPECT_EQ(callBody("both", DispatchKey::XLA),
            "TORCH_CHECK(false, \"Static dispatch does not support both forUndefined \");");
}

TEST_F(OperatorHeadersTest, OfSeveralBackendsTheArgumentsChoose) {
  load(1, 13);
  EXPECT_EQ(callBody("made", {DispatchKey::CPU, DispatchKey::CUDA}),
            "\n    DispatchKeySet _dk_set = DispatchKeySet(c10::computeDispatchKey(dtype, layout, "
            "device));\n\t\tDispatchKey _dk = c10::highestPriorityBackendTypeId(_dk_set);\n"
            "    switch (_dk) {\n        case DispatchKey::CPU:\n\t\t\treturn at::cpu::made_symint("
            "n, TensorOptions().dtype(dtype).layout(layout).device(device).pinned_memory("
            "pin_memory), memory_format);;\n\t\tcase DispatchKey::CUDA:\n\t\t\treturn "
            "at::cuda::made_symint(n, TensorOptions().dtype(dtype).layout(layout).device(device)"
            ".pinned_memory(pin_memory), memory_format);;\n        default:\n            "
            "TORCH_CHECK(false, \"Static dispatch does not support made_symint forCPU, CUDA \");\n"
            "    }\n    ");
}

TEST_F(OperatorHeadersTest, StaticDispatchIncludesWhatItCalls) {
  load(1, 13);
  StaticDispatch Static({DispatchKey::CPU, DispatchKey::CUDA}, *Ops);
  EXPECT_EQ(Static.operatorIncludes(*Ops->find("made")),
            "#include <ATen/ops/made_cpu_dispatch.h>\n#include <ATen/ops/made_cuda_dispatch.h>");
  EXPECT_EQ(Static.operatorIncludes(*Ops->find("sparse")), "");
  EXPECT_EQ(Static.operatorIncludes(*Ops->find("by_hand")), "");
  EXPECT_EQ(Static.functionsIncludes().size(), 6u);
}

} // namespace
