//===- ProjectConfigTest.cpp - .opsig.yaml ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gtest/gtest.h"
#include "opsig/Operators/ProjectConfig.h"

using namespace opsig;

namespace {

struct Read {
  SourceFiles Files;
  Findings Diags;
  ProjectConfig Config;
  explicit Read(std::string Text)
      : Config(readProjectConfig(Files.add(".opsig.yaml", std::move(Text)), Files, Diags)) {}

  /// "line:column id message".
  std::string found() const {
    std::string All;
    for (const Finding &D : Diags.all())
      All += std::to_string(D.At.Line) + ":" + std::to_string(D.At.Column) + " " +
             findingName(D.Id).str() + " " + D.Message + "\n";
    return All;
  }
};

TEST(ProjectConfig, EveryField) {
  Read R("torch-root: ../pytorch\n"
         "torch: 2.10\n"
         "schemas: my/native_functions.yaml\n"
         "tags: my/tags.yaml\n"
         "backend: backend.yaml\n");
  EXPECT_EQ(R.found(), "");
  EXPECT_EQ(R.Config.TorchRoot, "../pytorch");
  // Not 2.1: a version is text, whatever YAML takes it for.
  EXPECT_EQ(R.Config.Torch, "2.10");
  EXPECT_EQ(R.Config.Schemas, "my/native_functions.yaml");
  EXPECT_EQ(R.Config.Tags, "my/tags.yaml");
  EXPECT_EQ(R.Config.Backends, std::vector<std::string>{"backend.yaml"});
}

TEST(ProjectConfig, SeveralBackends) {
  Read R("backend:\n- a.yaml\n- b.yaml\n");
  EXPECT_EQ(R.found(), "");
  EXPECT_EQ(R.Config.Backends, (std::vector<std::string>{"a.yaml", "b.yaml"}));
  EXPECT_EQ(R.Config.paths().size(), 7u);
  EXPECT_EQ(*R.Config.paths()[4], "b.yaml");
}

TEST(ProjectConfig, HowFilesAreChecked) {
  Read R("checks: '-*,opsig-kernel-*'\n"
         "levels: {opsig-unknown-kernel: error, opsig-missing-*: warning}\n"
         "baseline: known.json\n"
         "suppress-paths: [third_party, '**/gen/*']\n"
         "build: out\n"
         "flags: -DX\n"
         "extent: unit\n"
         "variants: [csrc/cuda, csrc/rocm]\n");
  EXPECT_EQ(R.found(), "");
  EXPECT_EQ(R.Config.Variants, (std::vector<std::string>{"csrc/cuda", "csrc/rocm"}));
  EXPECT_EQ(*R.Config.paths().back(), "csrc/rocm");
  EXPECT_EQ(R.Config.Checks, "-*,opsig-kernel-*");
  EXPECT_EQ(R.Config.Levels,
            (std::vector<std::string>{"opsig-unknown-kernel=error", "opsig-missing-*=warning"}));
  EXPECT_EQ(R.Config.Baseline, "known.json");
  EXPECT_EQ(R.Config.SuppressPaths, (std::vector<std::string>{"third_party", "**/gen/*"}));
  EXPECT_EQ(R.Config.Build, "out");
  EXPECT_EQ(R.Config.Flags, std::vector<std::string>{"-DX"});
  EXPECT_EQ(R.Config.Scope, "unit");
  Read List("checks: ['-*', opsig-kernel-*]\n");
  EXPECT_EQ(List.Config.Checks, "-*,opsig-kernel-*");
}

TEST(ProjectConfig, PythonRegistrars) {
  Read R("python-registrars:\n"
         "- function: direct\n"
         "- {function: m.named, name: n, parameters: [n, f], namespace: mine, default-key: CPU}\n");
  EXPECT_EQ(R.found(), "");
  ASSERT_EQ(R.Config.PythonRegistrars.size(), 2u);
  const PythonRegistrar &Direct = R.Config.PythonRegistrars[0];
  EXPECT_EQ(Direct.Function, "direct");
  EXPECT_EQ(Direct.Name, "op_name");
  EXPECT_EQ(Direct.Kernel, "op_func");
  EXPECT_EQ(Direct.Namespace, "");
  const PythonRegistrar &Named = R.Config.PythonRegistrars[1];
  EXPECT_EQ(Named.Name, "n");
  EXPECT_EQ(Named.Parameters, (std::vector<std::string>{"n", "f"}));
  EXPECT_EQ(Named.DefaultKey, "CPU");
  Read Wrong("python-registrars: direct\n");
  EXPECT_EQ(Wrong.found(),
            "1:20 field-not-list 'python-registrars' must be a list, not the string 'direct'\n");
}

TEST(ProjectConfig, WrongValues) {
  Read R("extent: all\nlevels: {opsig-a: fatal, opsig-b: [error]}\n");
  EXPECT_EQ(
      R.found(),
      "2:19 config-unknown-value invalid value 'fatal' for 'opsig-a'; expected one of: error, "
      "warning\n"
      "2:35 config-unknown-value 'opsig-b' cannot be a list; expected one of: error, warning\n"
      "1:9 config-unknown-value invalid value 'all' for 'extent'; expected one of: unit, "
      "project\n");
  Read Folders("variants: [a, {b: c}]\n");
  EXPECT_EQ(Folders.found(), "1:15 field-not-string 'variants' must be a folder or a list of "
                             "folders, not a mapping\n");
  Read Kinds("levels: error\nsuppress-paths: {}\n");
  EXPECT_EQ(Kinds.found(),
            "1:9 config-not-map 'levels' must be a mapping of checks to 'error' or 'warning', not "
            "the string 'error'\n"
            "2:17 field-not-string 'suppress-paths' must be a file name or a list of file names, "
            "not a mapping\n");
}

TEST(ProjectConfig, MayBeEmpty) {
  Read R("# nothing yet\n");
  EXPECT_EQ(R.found(), "");
  EXPECT_EQ(R.Config.TorchRoot, "");
  EXPECT_TRUE(R.Config.Backends.empty());
}

TEST(ProjectConfig, IsAList) {
  Read R("- torch: 2.4\n");
  EXPECT_EQ(R.found(), "1:1 config-not-map '.opsig.yaml' must be a mapping of settings ('name: "
                       "value'), not a list\n");
}

TEST(ProjectConfig, UnknownField) {
  Read R("torch: 2.4\ntorch_root: x\n");
  EXPECT_EQ(R.found(),
            "2:1 config-unknown-field .opsig.yaml has no field 'torch_root'; did you mean "
            "'torch-root'?\n");
  EXPECT_EQ(R.Config.Torch, "2.4");
}

TEST(ProjectConfig, WrongKinds) {
  Read R("torch: [2.4]\nschemas: {}\nbackend: [a.yaml, 5]\ntags: True\n");
  EXPECT_EQ(R.found(), "1:8 field-not-string 'torch' must be a version, not a list\n"
                       "2:10 field-not-string 'schemas' must be a string, not a mapping\n"
                       "4:7 field-not-string 'tags' must be a string, not the boolean 'True'\n"
                       "3:19 field-not-string 'backend' must be a file or a list of files, not the "
                       "integer '5'\n");
}

TEST(ProjectConfig, SyntaxError) {
  Read R("torch: \"2.4\n");
  EXPECT_EQ(R.found(), "1:8 yaml-syntax invalid YAML: this quote is never closed\n");
}

} // namespace
