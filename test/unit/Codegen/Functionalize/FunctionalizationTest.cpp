//===- FunctionalizationTest.cpp --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gtest/gtest.h"
#include "opsig/Codegen/Aten.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace opsig;

namespace {

using Texts = std::vector<std::string>;

testing::AssertionResult has(StringRef Text, StringRef Part) {
  if (Text.contains(Part))
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << "'" << Part.str() << "' is not in:\n" << Text.str();
}

/// Templates that show what fills the holes, and nothing else.
constexpr std::pair<StringLiteral, StringLiteral> Templates[] = {
    {"RegisterFunctionalization.cpp",
     "$ops_headers\n${func_definitions}\n-- entries\n${func_registrations}\n"},
    {"FunctionalInverses.h", "${view_inverse_declarations}\n"},
    {"CompositeViewCopyKernels.cpp",
     "$ops_headers\n${CompositeViewCopyKernel_Definitions}\n"
     "${GeneratedCompositeFunctional_Definitions}\n${GeneratedCompositeOut_Definitions}\n"},
    {"ViewMetaClasses.h", "${view_meta_declarations}\n"},
    {"ViewMetaClasses.cpp", "${op_headers}\n${view_meta_implementations}\n"},
};

constexpr StringLiteral TurnYaml = R"(
- func: turn(Tensor(a) self, int by) -> Tensor(a)
  dispatch:
    CPU: turn
- func: turn_(Tensor(a!) self, int by) -> Tensor(a!)
  dispatch:
    CPU: turn_
  tags: inplace_view
- func: turn_copy(Tensor self, int by) -> Tensor
  dispatch:
    CompositeExplicitAutogradNonFunctional: turn_copy
  tags: view_copy
)";

constexpr StringLiteral ScaleYaml = R"(
- func: scale(Tensor self, Tensor by) -> Tensor
  dispatch:
    CPU: scale
- func: scale_(Tensor(a!) self, Tensor by) -> Tensor(a!)
  dispatch:
    CPU: scale_
- func: scale.out(Tensor self, Tensor by, *, Tensor(a!) out) -> Tensor(a!)
  dispatch:
    CPU: scale_out
- func: whole(Tensor self) -> Tensor
)";

class FunctionalizationTest : public testing::Test {
protected:
  void load(StringRef Yaml, unsigned Major, unsigned Minor) {
    SourceId Native = Sources.add("native.yaml", Yaml.str());
    SourceId Tags = Sources.add("tags.yaml", "- tag: view_copy\n  desc: copies\n"
                                             "- tag: inplace_view\n  desc: changes strides\n"
                                             "- tag: generated\n  desc: made\n");
    D = chooseDialect(VersionTuple(Major, Minor)).Chosen;
    Ops = loadOperators(Native, Tags, Sources, *D, Diags);
    ASSERT_EQ(messages(), Texts());
    for (auto [Name, Text] : Templates)
      Set.add(Name, Sources.add(Name, Text.str()));
  }

  using Files = std::vector<GeneratedFile>;
  using Generator = void (*)(const AtenInput &, FileWriter &);
  Files run(Generator Generate) {
    AtenInput In{*Ops, Options, Set, Selected, Selected, {}, {}, {}};
    Files Out;
    std::string Buffer;
    auto take = [&](const FileSpec &File, StringRef Text) {
      Out.push_back({File.Name, Text.str()});
    };
    FileWriter Writer = atenWriter(In, take, Diags, Buffer);
    Generate(In, Writer);
    return Out;
  }

  static std::string text(const Files &Out, StringRef Name) {
    auto File = find_if(Out, [&](const GeneratedFile &F) { return F.Name == Name; });
    return File == Out.end() ? "no " + Name.str() : File->Text;
  }

  Texts messages() const {
    Texts All;
    for (const Finding &Diag : Diags.all())
      All.push_back(Diag.Message);
    return All;
  }

  SourceFiles Sources;
  Findings Diags;
  TemplateSet Set{TemplateOrigin::Files, Sources};
  AtenOptions Options;
  Selector Selected = Selector::all();
  const Dialect *D = nullptr;
  std::unique_ptr<Operators> Ops;
};

TEST_F(FunctionalizationTest, AGroupGetsItsWritersAndTheirHeaders) {
  load(ScaleYaml, 2, 9);
  Files Out = run(generateFunctionalization);
  EXPECT_EQ(messages(), Texts());
  std::string Text = text(Out, "RegisterFunctionalizationEverything.cpp");
  EXPECT_TRUE(has(Text, "at::Tensor & scale_out_out(c10::DispatchKeySet dispatchKeySet, "
                        "const at::Tensor & self, const at::Tensor & by, at::Tensor & out) {"));
  EXPECT_TRUE(has(Text, "tmp_output = at::_ops::scale::call(self_, by_);"));
  EXPECT_TRUE(has(Text, "-- entries\nm.impl(\"scale.out\", "
                        "TORCH_FN(functionalization::scale_out_out));\n"
                        "m.impl(\"scale_\", TORCH_FN(functionalization::scale_));"));
  EXPECT_TRUE(has(Text, "#include <ATen/ops/scale_native.h>\n#include <ATen/ops/scale_ops.h>"));
  // It writes nothing.
  EXPECT_FALSE(has(Text, " scale(c10::DispatchKeySet"));
}

TEST_F(FunctionalizationTest, EarlyReleasesRegisterComposites) {
  load(ScaleYaml, 1, 13);
  EXPECT_TRUE(has(text(run(generateFunctionalization), "RegisterFunctionalizationEverything.cpp"),
                  "m.impl(\"whole\", static_cast<at::Tensor (*)(const at::Tensor & self)>"
                  "(at::native::whole));"));
}

TEST_F(FunctionalizationTest, LaterReleasesRegisterNoComposites) {
  load(ScaleYaml, 2, 4);
  EXPECT_FALSE(has(text(run(generateFunctionalization), "RegisterFunctionalizationEverything.cpp"),
                   "m.impl(\"whole\""));
}

TEST_F(FunctionalizationTest, EveryItemIsInOneShard) {
  load((ScaleYaml + TurnYaml).str(), 2, 9);
  Files Out = run(generateFunctionalization);
  size_t WithScale = 0, WithTurn = 0;
  for (StringRef Shard : {"_0", "_1", "_2", "_3"}) {
    std::string Text = text(Out, ("RegisterFunctionalization" + Shard + ".cpp").str());
    WithScale += StringRef(Text).contains("m.impl(\"scale_\"");
    WithTurn += StringRef(Text).contains("m.impl(\"turn_\"");
  }
  EXPECT_EQ(WithScale, 1u);
  EXPECT_EQ(WithTurn, 1u);
}

TEST_F(FunctionalizationTest, ASelectiveBuildHasOnlyHeaders) {
  load(ScaleYaml, 2, 9);
  Selected = Selector();
  Selected.select("aten::scale_", /*AllOverloads=*/true);
  std::string Text =
      text(run(generateFunctionalization), "RegisterFunctionalizationEverything.cpp");
  EXPECT_TRUE(has(Text, "#include <ATen/ops/scale_ops.h>"));
  EXPECT_FALSE(has(Text, "m.impl"));
  EXPECT_FALSE(has(Text, "at::Tensor"));
}

TEST_F(FunctionalizationTest, ViewsAreRecordedInLambdas) {
  load(TurnYaml, 1, 13);
  Files Out = run(generateFunctionalization);
  EXPECT_EQ(messages(), Texts());
  std::string Text = text(Out, "RegisterFunctionalizationEverything.cpp");
  EXPECT_TRUE(has(Text, "[reapply_views = reapply_views, by = by](const at::Tensor & base, "
                        "int64_t mutated_view_idx) -> at::Tensor {"));
  EXPECT_TRUE(has(Text, "return at::functionalization::FunctionalInverses::turn_copy_inverse("
                        "base, mutated_view, reapply_views, by);"));
  EXPECT_EQ(text(Out, "FunctionalInverses.h"),
            "static at::Tensor turn_copy_inverse(const at::Tensor & base, const at::Tensor & "
            "mutated_view, bool reapply_views, int64_t by);\n");
  EXPECT_TRUE(run(generateViewMetaClasses).empty());
}

TEST_F(FunctionalizationTest, ViewsAreRecordedInObjects) {
  load(TurnYaml, 2, 9);
  Files Out = run(generateFunctionalization);
  EXPECT_TRUE(has(text(Out, "RegisterFunctionalizationEverything.cpp"),
                  "auto view_meta = std::make_shared<at::functionalization::turn_ViewMeta>("
                  "has_symbolic_inputs, reapply_views, inverse_return_mode, by);"));
  EXPECT_EQ(text(Out, "FunctionalInverses.h"),
            "static at::Tensor turn_inverse(const at::Tensor & base, const at::Tensor & "
            "mutated_view, at::functionalization::InverseReturnMode inverse_return_mode, "
            "int64_t by);\n");
  Files Classes = run(generateViewMetaClasses);
  EXPECT_EQ(messages(), Texts());
  EXPECT_TRUE(has(text(Classes, "ViewMetaClasses.h"),
                  "struct TORCH_API turn__ViewMeta : public ViewMeta {"));
  EXPECT_TRUE(has(text(Classes, "ViewMetaClasses.cpp"),
                  "at::Tensor turn_ViewMeta::forward(const at::Tensor& base) {\n"
                  "  if (reapply_views) {\n"
                  "    return at::_ops::turn::call(base, by);\n"
                  "  } else {\n"
                  "    return at::_ops::turn_copy::call(base, by);\n"
                  "  }\n}"));
}

TEST_F(FunctionalizationTest, CopiesCloneWhatTheViewGives) {
  load(TurnYaml, 2, 9);
  EXPECT_EQ(text(run(generateCompositeViewCopies), "CompositeViewCopyKernels.cpp"),
            "#include <ATen/ops/turn_ops.h>\n#include <ATen/ops/turn_native.h>\n"
            "#include <ATen/ops/turn_copy_ops.h>\n#include <ATen/ops/turn_copy_native.h>\n"
            "\n"
            "at::Tensor turn_copy(const at::Tensor & self, int64_t by) {\n"
            "  auto output = at::_ops::turn::call(self, by);\n"
            "    return output.clone(/*memory_format=*/at::MemoryFormat::Contiguous);\n"
            "}\n\n\n");
}

//===-- Findings ------------------------------------------------------------===//

TEST_F(FunctionalizationTest, RefusesAViewOfAnotherArgument) {
  load(R"(
- func: slide(Tensor by, Tensor(a) self) -> Tensor(a)
  dispatch:
    CPU: slide
- func: slide_copy(Tensor by, Tensor self) -> Tensor
  dispatch:
    CompositeExplicitAutogradNonFunctional: slide_copy
  tags: view_copy
)",
       2, 9);
  EXPECT_TRUE(run(generateFunctionalization).empty());
  ASSERT_EQ(Diags.size(), 1u);
  EXPECT_EQ(Diags.all()[0].Id, finding::FunctionalizationKernel);
  EXPECT_EQ(Diags.all()[0].At.Line, 2u);
  EXPECT_EQ(messages(), Texts{"cannot generate functionalization code for 'slide': the "
                              "first argument of a view must be the viewed tensor"});
}

TEST_F(FunctionalizationTest, RefusesAViewOfNothingInASelectiveBuild) {
  load(R"(
- func: made() -> Tensor(a)
  dispatch:
    CPU: made
- func: made_copy() -> Tensor
  dispatch:
    CompositeExplicitAutogradNonFunctional: made_copy
  tags: view_copy
)",
       2, 9);
  Selected = Selector();
  run(generateFunctionalization);
  EXPECT_EQ(messages(), Texts{"cannot generate functionalization code for 'made': the first "
                              "argument of a view must be a tensor"});
}

TEST_F(FunctionalizationTest, RefusesAWriterWithoutFunctionalVariant) {
  // Nothing is generated for what bypasses the dispatcher.
  load(R"(
- func: poke_(Tensor(a!) self) -> Tensor(a!)
  manual_cpp_binding: True
  dispatch:
    CPU: poke_
- func: record_stream(Tensor(a!) self) -> ()
  manual_cpp_binding: True
  dispatch:
    CPU: record_stream
)",
       2, 9);
  EXPECT_TRUE(run(generateFunctionalization).empty());
  EXPECT_EQ(messages(),
            Texts{"cannot generate functionalization code for 'poke_': it writes to an argument, "
                  "but has no functional variant"});
}

TEST_F(FunctionalizationTest, RefusesAViewOfTwoTensors) {
  load(R"(
- func: slide(Tensor(a) self, Tensor(b) by) -> Tensor(a)
  dispatch:
    CPU: slide
- func: slide_copy(Tensor self, Tensor by) -> Tensor
  dispatch:
    CompositeExplicitAutogradNonFunctional: slide_copy
  tags: view_copy
)",
       1, 13);
  EXPECT_TRUE(run(generateFunctionalization).empty());
  EXPECT_EQ(messages(),
            Texts{"cannot generate functionalization code for 'slide': argument 'by' is "
                  "annotated, but a view has only one viewed tensor"});
}

} // namespace
