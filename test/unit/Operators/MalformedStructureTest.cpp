//===- MalformedStructureTest.cpp - Files that are not lists of entries -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MarkedYaml.h"
#include "gtest/gtest.h"

using namespace opsig::test;

namespace {

TEST(MalformedStructure, UnclosedBracket) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  tags: [core
- func: g(Tensor self) -> Tensor
      ^ invalid YAML: a list that begins with '[' needs a closing ']' [opsig-yaml-syntax]
)");
}

TEST(MalformedStructure, UnclosedQuote) {
  expectFindings(R"(
- func: "f(Tensor self) -> Tensor
        ^ invalid YAML: this quote is never closed [opsig-yaml-syntax]
)");
}

TEST(MalformedStructure, TabInIndentation) {
  expectFindings("- func: f(Tensor self) -> Tensor\n"
                 "\tvariants: function\n"
                 "^ YAML cannot be indented with tabs [opsig-yaml-syntax]\n");
}

TEST(MalformedStructure, FieldLessIndentedThanItsEntry) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
 variants: function
 ^ invalid YAML [opsig-yaml-syntax]
)");
}

TEST(MalformedStructure, ColonInAPlainSchema) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor # fine: a comment
- func: g(Tensor self): Tensor
                      ^ unexpected ':'; in a schema the type comes first [opsig-yaml-syntax]
)");
}

TEST(MalformedStructure, NoColonBehindTheLastField) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  dispatch
          ^ invalid YAML: expected ':' after 'dispatch' [opsig-yaml-syntax]
)");
}

/// Recursion on these would end the program.
TEST(MalformedStructure, NestedTooDeep) {
  for (const char *Bracket : {"[", "{a: ", "- "}) {
    std::string Text;
    for (int I = 0; I != 100000; ++I)
      Text += Bracket;
    Loaded L(Text, dialect("1.13"));
    ASSERT_EQ(L.Diags.size(), 1u);
    EXPECT_EQ(L.Diags.all()[0].Message, "invalid YAML: values are nested too deeply");
  }
}

/// Aliases of aliases stand for more nodes than memory has.
TEST(MalformedStructure, AliasesOfAliases) {
  std::string Text = "- &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int I = 1; I != 40; ++I) {
    std::string Alias = "*a" + std::to_string(I - 1);
    Text += "- &a" + std::to_string(I) + " [" + Alias;
    for (int J = 0; J != 9; ++J)
      Text += ", " + Alias;
    Text += "]\n";
  }
  Loaded L(Text, dialect("1.13"));
  ASSERT_EQ(L.Diags.size(), 1u);
  EXPECT_EQ(L.Diags.all()[0].Message,
            "invalid YAML: aliases expand this file to more than 1000000 values");
}

TEST(MalformedStructure, AliasOfItself) {
  for (const char *Text : {"- &a\n  func: *a\n", "- &b [*b]\n", "- &c [[x, *c]]\n"}) {
    Loaded L(Text, dialect("1.13"));
    ASSERT_EQ(L.Diags.size(), 1u);
    EXPECT_EQ(L.Diags.all()[0].Message, "invalid YAML: this YAML alias refers to itself");
  }
}

TEST(MalformedStructure, UnknownAlias) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  variants: *both
            ^ invalid YAML [opsig-yaml-syntax]
)");
}

TEST(MalformedStructure, TwoDocuments) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
---
^ expected one YAML document but found a second one [opsig-yaml-syntax]
- func: g(Tensor self) -> Tensor
)");
}

TEST(MalformedStructure, TagThatMakesSomethingElse) {
  expectFindings(R"(
- func: !schema f(Tensor self) -> Tensor
        ^~~~~~~~~~~~~~~~~~~~~~~~ YAML tag '!schema' is not supported [opsig-yaml-syntax]
)");
}

TEST(MalformedStructure, MergedMapping) {
  expectFindings(R"(
- &f
  func: f(Tensor self) -> Tensor
- <<: *f
  ^~ an entry of native_functions.yaml has no field '<<' [opsig-unknown-field]
  func: g(Tensor self) -> Tensor
)");
}

TEST(MalformedStructure, AliasedValueIsRead) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  variants: &both function, method
- func: g(Tensor self) -> Tensor
  variants: *both
)");
}

TEST(MalformedStructure, EmptyFile) {
  expectFindings(R"(
^ 'native_functions.yaml' must be a list of operators, but it is empty [opsig-file-not-list]
--- tags.yaml
[]
)");
}

TEST(MalformedStructure, FileIsAMapping) {
  expectFindings(R"(
func: f(Tensor self) -> Tensor
^ 'native_functions.yaml' must be a list of operators, not a mapping [opsig-file-not-list]
)");
}

TEST(MalformedStructure, FileIsText) {
  expectFindings(R"(
f(Tensor self) -> Tensor
^~~~~~~~~~~~~~~~~~~~~~~~ must be a list of operators, not the string 'f(Tensor self) -> Tensor' [opsig-file-not-list]
)");
}

TEST(MalformedStructure, EntryIsText) {
  expectFindings(R"(
- f(Tensor self) -> Tensor
  ^~~~~~~~~~~~~~~~~~~~~~~~ expected a mapping with 'func' but found a string [opsig-entry-not-map]
- func: g(Tensor self) -> Tensor
)");
}

TEST(MalformedStructure, EntryIsNothing) {
  expectFindings(R"(
- func: g(Tensor self) -> Tensor
-
^ expected a mapping with 'func' but found nothing [opsig-entry-not-map]
)");
}

TEST(MalformedStructure, EntryIsAList) {
  expectFindings(R"(
- - func: g(Tensor self) -> Tensor
  ^ expected a mapping with 'func' but found a list [opsig-entry-not-map]
)");
}

TEST(MalformedStructure, FieldTwice) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  variants: function
  device_guard: False
  variants: method
  ^~~~~~~~ key 'variants' occurs twice in this mapping [opsig-yaml-duplicate-key]
)");
}

TEST(MalformedStructure, DispatchKeyTwice) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  dispatch:
    CPU: f_cpu
    CUDA: f_cuda
    CPU: f_cpu
    ^~~ key 'CPU' occurs twice in this mapping [opsig-yaml-duplicate-key]
)");
}

TEST(MalformedStructure, FuncIsMissing) {
  expectFindings(R"(
- fnuc: f(Tensor self) -> Tensor
  ^ this entry needs a 'func' with its schema [opsig-missing-func]
  ^~~~ has no field 'fnuc'; did you mean 'func'? [opsig-unknown-field]
)");
}

TEST(MalformedStructure, FuncIsEmpty) {
  expectFindings(R"(
- func:
       ^ 'func' must be a schema, but it is empty [opsig-field-not-string]
  variants: function
)");
}

TEST(MalformedStructure, FuncIsANumber) {
  expectFindings(R"(
- func: 1.5
        ^~~ 'func' must be a schema, not the number '1.5' [opsig-field-not-string]
)");
}

TEST(MalformedStructure, UnknownField) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  varaints: function
  ^~~~~~~~ an entry of native_functions.yaml has no field 'varaints'; did you mean 'variants'? [opsig-unknown-field]
)");
}

TEST(MalformedStructure, FieldOfAnotherFile) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  cpp_namespace: mine
  ^~~~~~~~~~~~~ an entry of native_functions.yaml has no field 'cpp_namespace' [opsig-unknown-field]
)");
}

// tags.yaml

TEST(MalformedTagsFile, IsAMapping) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  tags: core
--- tags.yaml
tag: core
^ 'tags.yaml' must be a list of tags, not a mapping [opsig-tags-file-kind]
desc: Belongs to the core set.
)");
}

TEST(MalformedTagsFile, IsEmpty) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
--- tags.yaml
^ 'tags.yaml' must be a list of tags, but it is empty [opsig-tags-file-kind]
)");
}

TEST(MalformedTagsFile, ItemIsAName) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
--- tags.yaml
- core
  ^~~~ an item of 'tags.yaml' must be a mapping with 'tag' and 'desc', not the string 'core' [opsig-tags-file-kind]
)");
}

TEST(MalformedTagsFile, NameIsMissing) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
--- tags.yaml
- desc: Belongs to the core set.
  ^ this entry needs a 'tag' with its name [opsig-tag-without-name]
)");
}

TEST(MalformedTagsFile, DescriptionIsMissing) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  tags: core
--- tags.yaml
- tag: core
       ^~~~ tag 'core' needs a description ('desc') [opsig-tag-without-description]
)");
}

TEST(MalformedTagsFile, DescriptionIsEmpty) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
--- tags.yaml
- tag: core
       ^~~~ tag 'core' needs a description ('desc') [opsig-tag-without-description]
  desc: ''
)");
}

TEST(MalformedTagsFile, NameIsANumber) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
--- tags.yaml
- tag: 1
       ^ 'tag' must be a string, not the integer '1' [opsig-field-not-string] (stricter: no entry could name this tag, and its C++ enumerator cannot be written)
  desc: One.
)");
}

TEST(MalformedTagsFile, SyntaxErrorHidesNoErrorOfTheOperators) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  tags: core
  device_guard: 0
                ^ 'device_guard' must be True or False, not the integer '0' [opsig-field-not-bool]
--- tags.yaml
- tag: core
  desc: "Belongs to the core set.
        ^ invalid YAML: this quote is never closed [opsig-yaml-syntax]
)");
}

} // namespace
