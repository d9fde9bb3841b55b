//===- MalformedFieldsTest.cpp - Fields of an entry that are wrong ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MarkedYaml.h"
#include "gtest/gtest.h"

using namespace opsig::test;

namespace {

TEST(MalformedFields, SchemaInTwoNamespaces) {
  expectFindings(R"(
- func: mine::ops::f(Tensor self) -> Tensor
        ^~~~~~~~~ namespace 'mine::ops' has 2 levels; expected at most 1 [opsig-schema-namespace-depth]
)");
}

TEST(MalformedFields, SchemaInOneNamespace) {
  expectFindings(R"(
- func: mine::f(Tensor self) -> Tensor
)");
}

TEST(MalformedFields, SchemaErrorPointsIntoTheYaml) {
  expectFindings(R"(
- func: mine::f(Tensr self) -> Tensor
                ^~~~~ 'Tensr' [opsig-type-unknown]
)");
}

TEST(MalformedFields, TypeOfLaterReleases) {
  expectFindings(R"(
- func: f(SymBool x, Tensor self) -> Tensor
          ^~~~~~~ 'SymBool' [opsig-type-not-in-release] in 1.13 to 2.4
)");
}

TEST(MalformedFields, KeywordAsArgumentName) {
  expectFindings(R"(
- func: f(Tensor self, int lambda) -> Tensor
                           ^~~~~~ 'lambda' [opsig-argument-name-keyword] in 2.6 on
)");
}

TEST(MalformedFields, VariantsIsAList) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  variants: [function, method]
            ^ 'variants' must be a string, not a list [opsig-field-not-string]
)");
}

TEST(MalformedFields, UnknownVariant) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  variants: function, metod
                      ^~~~~ unknown variant 'metod'; expected 'function', 'method', or both separated by ', ' [opsig-unknown-variant]
)");
}

TEST(MalformedFields, VariantsWithoutBlank) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  variants: function,method
            ^~~~~~~~~~~~~~~ unknown variant 'function,method'; expected 'function', 'method', or both separated by ', ' [opsig-unknown-variant]
)");
}

TEST(MalformedFields, EmptyVariants) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  variants: ''
             ^ unknown variant '' [opsig-unknown-variant]
)");
}

TEST(MalformedFields, DeviceGuardIsText) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  device_guard: 'False'
                 ^~~~~ 'device_guard' must be True or False, not the string 'False' [opsig-field-not-bool]
)");
}

TEST(MalformedFields, DeviceGuardIsNothing) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  device_guard:
               ^ 'device_guard' must be True or False, but it is empty [opsig-field-not-bool]
)");
}

TEST(MalformedFields, ManualCppBindingIsANumber) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  manual_cpp_binding: 1
                      ^ 'manual_cpp_binding' must be True or False, not the integer '1' [opsig-field-not-bool]
)");
}

TEST(MalformedFields, OtherBooleans) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  manual_kernel_registration: 0
                              ^ 'manual_kernel_registration' must be True or False, not the integer '0' [opsig-field-not-bool]
- func: g(Tensor self) -> Tensor
  use_const_ref_for_mutable_tensors: [True]
                                     ^ 'use_const_ref_for_mutable_tensors' must be True or False, not a list [opsig-field-not-bool]
)");
}

TEST(MalformedFields, ConstRefIsText) {
  expectFindings(R"(
- func: g(Tensor self) -> Tensor
  use_const_ref_for_mutable_tensors: f
                                     ^ 'use_const_ref_for_mutable_tensors' must be True or False, not the string 'f' [opsig-field-not-bool]
)");
}

TEST(MalformedFields, WordsForBooleans) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  manual_cpp_binding: on
  device_guard: No
)");
}

TEST(MalformedFields, StructuredIsALetter) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  structured: y
              ^ 'structured' must be True or False, not the string 'y' [opsig-field-not-bool]
)");
}

TEST(MalformedFields, UnknownDeviceCheck) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  device_check: nocheck
                ^~~~~~~ unknown device check 'nocheck'; expected 'NoCheck' or 'ExactSame' [opsig-unknown-device-check]
)");
}

TEST(MalformedFields, DeviceCheckIsABoolean) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  device_check: False
                ^~~~~ 'device_check' must be a string, not the boolean 'False' [opsig-field-not-string]
)");
}

TEST(MalformedFields, FieldsThatMayBeNothing) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  device_check:
  structured_delegate:
  structured_inherits: ~
  python_module: null
  category_override:
  precomputed:
  dispatch:
)");
}

TEST(MalformedFields, AutogenIsNothing) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  autogen:
          ^ 'autogen' must be a string, but it is empty [opsig-field-not-string]
)");
}

TEST(MalformedFields, AutogenIsNoName) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  autogen: f.out, f_out
                   ^~~~ reserved [opsig-op-name-out-suffix]
)");
}

TEST(MalformedFields, PythonModuleIsAList) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  python_module: [nn]
                 ^ 'python_module' must be a string, not a list [opsig-field-not-string]
)");
}

TEST(MalformedFields, CategoryOverrideIsABoolean) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  category_override: yes
                     ^~~ 'category_override' must be a string, not the boolean 'yes' [opsig-field-not-string]
)");
}

// tags

TEST(MalformedTags, Unknown) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  tags: nondeterministic_seed
        ^~~~~~~~~~~~~~~~~~~~~ tag 'nondeterministic_seed' is not declared in tags.yaml; did you mean 'nondeterministic_seeded'? [opsig-unknown-tag]
)");
}

TEST(MalformedTags, SecondOfAListIsUnknown) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  tags: [core, coer]
        ^ 'tags' must be a string of tags separated by ', ', not a list [opsig-tags-kind] in 1.13
               ^~~~ tag 'coer' is not declared in tags.yaml; did you mean 'core'? [opsig-unknown-tag] in 2.0 on
)");
}

TEST(MalformedTags, NoneIsDeclared) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  tags: core
        ^~~~ tag 'core' is not declared in tags.yaml [opsig-unknown-tag]
--- tags.yaml
[]
)");
}

TEST(MalformedTags, ListsAreOfLaterReleases) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  tags: [core, view_copy]
        ^ 'tags' must be a string of tags separated by ', ', not a list [opsig-tags-kind] in 1.13
)");
}

TEST(MalformedTags, CommasAreOfTheFirstRelease) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  tags: core, view_copy
        ^~~~~~~~~~~~~~~ tag 'core, view_copy' is not declared in tags.yaml; write several tags as a list: [core, view_copy] [opsig-unknown-tag] in 2.0 on
)");
}

TEST(MalformedTags, EmptyText) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  tags: ''
         ^ tag '' is not declared in tags.yaml [opsig-unknown-tag] in 2.0 on
)");
}

TEST(MalformedTags, Nothing) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  tags:
       ^ but it is empty [opsig-tags-kind]
)");
}

TEST(MalformedTags, ItemIsANumber) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  tags: [core, 5]
        ^ 'tags' must be a string of tags separated by ', ', not a list [opsig-tags-kind] in 1.13
               ^ an item of 'tags' must be a tag, not the integer '5' [opsig-field-not-string] in 2.0 on
)");
}

TEST(MalformedTags, GeneratorArgumentNeedsSeeded) {
  expectFindings(R"(
- func: f(Tensor self, *, Generator? generator=None) -> Tensor
  ^~~~ 'f' takes a Generator, so it needs 'tags: nondeterministic_seeded' [opsig-missing-seeded-tag]
)");
}

TEST(MalformedTags, RandomNameNeedsSeeded) {
  expectFindings(R"(
- func: my_rand.like(Tensor self) -> Tensor
  ^~~~ 'my_rand.like' has 'rand' in its name, so it needs 'tags: nondeterministic_seeded' [opsig-missing-seeded-tag]
)");
}

TEST(MalformedTags, DropoutNeedsSeeded) {
  expectFindings(R"(
- func: dropout(Tensor self) -> Tensor
  ^~~~ 'dropout' has 'dropout' in its name, so it needs 'tags: nondeterministic_seeded' [opsig-missing-seeded-tag]
- func: dropout_backward(Tensor self) -> Tensor
)");
}

TEST(MalformedTags, DropoutArgumentNeedsSeeded) {
  expectFindings(R"(
- func: attention(Tensor self, float dropout_p=0.0) -> Tensor
  ^~~~ 'attention' [opsig-missing-seeded-tag] in 2.1 on
)");
}

// cpp_no_default_args

TEST(MalformedNoDefaultArgs, IsText) {
  expectFindings(R"(
- func: f(Tensor self, int dim=0) -> Tensor
  cpp_no_default_args: dim
                       ^~~ 'cpp_no_default_args' must be a list, not the string 'dim' [opsig-field-not-list]
)");
}

TEST(MalformedNoDefaultArgs, IsNothing) {
  expectFindings(R"(
- func: f(Tensor self, int dim=0) -> Tensor
  cpp_no_default_args:
                      ^ 'cpp_no_default_args' must be a list, but it is empty [opsig-field-not-list]
)");
}

TEST(MalformedNoDefaultArgs, UnknownArgument) {
  expectFindings(R"(
- func: f(Tensor self, int dim=0, bool keepdim=False) -> Tensor
  cpp_no_default_args: [dim, keepdims]
                             ^~~~~~~~ 'f' has no argument 'keepdims' with a default; did you mean 'keepdim'? [opsig-no-default-arg-unknown]
)");
}

TEST(MalformedNoDefaultArgs, ArgumentWithoutDefault) {
  expectFindings(R"(
- func: f(Tensor self, int dim, bool keepdim=False) -> Tensor
  cpp_no_default_args: ['dim']
                         ^~~ 'f' has no argument 'dim' with a default [opsig-no-default-arg-unknown]
)");
}

TEST(MalformedNoDefaultArgs, ItemIsANumber) {
  expectFindings(R"(
- func: f(Tensor self, int dim=0) -> Tensor
  cpp_no_default_args: [1]
                        ^ an item of 'cpp_no_default_args' must be an argument name, not the integer '1' [opsig-field-not-string]
)");
}

// Fields against the schema

TEST(MalformedFields, OutFunctionAsMethod) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  variants: function, method
  ^~~~~~~~ 'f.out' has out arguments, so 'variants' must be 'function' [opsig-out-variants]
)");
}

TEST(MalformedFields, FunctionOfAModuleAsMethod) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  variants: method
  ^~~~~~~~ 'f' is in Python module 'nn', so it cannot be a method [opsig-module-method]
  python_module: nn
)");
}

TEST(MalformedFields, ConstRefOfOutArguments) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  use_const_ref_for_mutable_tensors: True
  ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'f.out' has out arguments, so it cannot set 'use_const_ref_for_mutable_tensors': PyTorch does not pass out arguments by const reference [opsig-const-ref-out] in 2.7 on
)");
}

TEST(MalformedFields, ForeachWithDeviceCheck) {
  expectFindings(R"(
- func: _foreach_f(Tensor[] self) -> Tensor[]
  device_check: ExactSame
  ^~~~~~~~~~~~ '_foreach_f' can take tensors on several devices, so it needs 'device_check: NoCheck' [opsig-foreach-device-check]
)");
}

TEST(MalformedFields, ForeachWithoutField) {
  expectFindings(R"(
- func: _foreach_f(Tensor[] self) -> Tensor[]
  ^ needs 'device_check: NoCheck' [opsig-foreach-device-check]
- func: _foreach_g(Tensor[] self) -> Tensor[]
  device_check: NoCheck
)");
}

} // namespace
