//===- MalformedBackendTest.cpp - Backend YAML files that are wrong ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MarkedYaml.h"
#include "gtest/gtest.h"

using namespace opsig::test;

namespace {

TEST(MalformedBackend, WellFormed) {
  expectFindings(R"(
--- backend.yaml
backend: XLA
cpp_namespace: torch_xla
class_name:
use_out_as_primary: False
device_guard: on
supported:
- abs
- abs.out
- expand_to
symint: [expand_to, no_such_op]
autograd: []
full_codegen: [add.Tensor]
non_native:
ir_gen: anything
)");
}

TEST(MalformedBackend, IsEmpty) {
  expectFindings(R"(
--- backend.yaml
^ a backend YAML must be a mapping with 'backend' and 'cpp_namespace', but it is empty [opsig-backend-not-map]
)");
}

TEST(MalformedBackend, IsAList) {
  expectFindings(R"(
--- backend.yaml
- backend: XLA
^ a backend YAML must be a mapping with 'backend' and 'cpp_namespace', not a list [opsig-backend-not-map]
- cpp_namespace: torch_xla
)");
}

TEST(MalformedBackend, NamesThatAreNone) {
  expectFindings(R"(
--- backend.yaml
backend: XLA
cpp_namespace: 'demo; } int evil; namespace q {'
                ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'demo; } int evil; namespace q {' is not a valid C++ name for a namespace [opsig-name-not-cpp] (stricter: torchgen writes it into the files)
class_name: class
            ^~~~~ 'class' is not a valid C++ name for a class [opsig-name-not-cpp] (stricter: torchgen writes it into the files)
supported:
- abs
)");
}

TEST(MalformedBackend, SyntaxError) {
  expectFindings(R"(
--- backend.yaml
backend: XLA
cpp_namespace: torch_xla
supported: [abs, abs.out
symint: []
      ^ invalid YAML: a list that begins with '[' needs a closing ']' [opsig-yaml-syntax]
)");
}

TEST(MalformedBackend, FieldTwice) {
  expectFindings(R"(
--- backend.yaml
backend: XLA
cpp_namespace: torch_xla
backend: HPU
^~~~~~~ key 'backend' occurs twice in this mapping [opsig-yaml-duplicate-key]
)");
}

TEST(MalformedBackend, UnknownField) {
  expectFindings(R"(
--- backend.yaml
backend: XLA
cpp_namespace: torch_xla
suported:
^~~~~~~~ a backend YAML has no field 'suported'; did you mean 'supported'? [opsig-backend-unknown-field]
- abs
)");
}

TEST(MalformedBackend, NoBackend) {
  expectFindings(R"(
--- backend.yaml
cpp_namespace: torch_xla
^ a backend YAML needs 'backend', such as 'backend: XLA' [opsig-backend-missing]
supported:
- abs
)");
}

TEST(MalformedBackend, BackendIsNothing) {
  expectFindings(R"(
--- backend.yaml
backend:
^~~~~~~ a backend YAML needs 'backend', such as 'backend: XLA' [opsig-backend-missing]
cpp_namespace: torch_xla
)");
}

TEST(MalformedBackend, BackendIsEmpty) {
  expectFindings(R"(
--- backend.yaml
backend: ''
^~~~~~~ a backend YAML needs 'backend', such as 'backend: XLA' [opsig-backend-missing]
cpp_namespace: torch_xla
supported:
- abs
)");
}

TEST(MalformedBackend, NamespaceIsEmpty) {
  expectFindings(R"(
--- backend.yaml
backend: XLA
cpp_namespace: ""
^~~~~~~~~~~~~ a backend YAML needs 'cpp_namespace', such as 'cpp_namespace: torch_xla' [opsig-backend-namespace-missing] (stricter: torchgen writes 'namespace {' around the declarations)
supported:
- abs
)");
}

TEST(MalformedBackend, BackendIsAList) {
  expectFindings(R"(
--- backend.yaml
backend: [XLA]
         ^ 'backend' must be a string, not a list [opsig-field-not-string]
cpp_namespace: torch_xla
supported: [abs]
)");
}

TEST(MalformedBackend, NoNamespace) {
  expectFindings(R"(
--- backend.yaml
backend: XLA
^ a backend YAML needs 'cpp_namespace', such as 'cpp_namespace: torch_xla' [opsig-backend-namespace-missing]
supported:
- abs
)");
}

TEST(MalformedBackend, DeepNamespace) {
  expectFindings(R"(
--- backend.yaml
backend: XLA
cpp_namespace: a::b::c
               ^~~~~~~ namespace 'a::b::c' has 3 levels; expected at most 2 [opsig-backend-namespace-depth] (stricter: torchgen asserts it when it writes the files)
supported:
- abs
)");
}

TEST(MalformedBackend, OutAsPrimaryIsText) {
  expectFindings(R"(
--- backend.yaml
backend: XLA
cpp_namespace: torch_xla
use_out_as_primary: 'True'
                     ^~~~ 'use_out_as_primary' must be True or False, not the string 'True' [opsig-field-not-bool]
supported:
- abs
)");
}

TEST(MalformedBackend, DeviceGuardIsNothing) {
  expectFindings(R"(
--- backend.yaml
backend: XLA
cpp_namespace: torch_xla
device_guard:
             ^ 'device_guard' must be True or False, but it is empty [opsig-field-not-bool]
supported:
- abs
)");
}

TEST(MalformedBackend, SupportedIsText) {
  expectFindings(R"(
--- backend.yaml
backend: XLA
cpp_namespace: torch_xla
supported: abs
           ^~~ 'supported' must be a list, not the string 'abs' [opsig-field-not-list]
)");
}

TEST(MalformedBackend, SymIntIsText) {
  expectFindings(R"(
--- backend.yaml
backend: XLA
cpp_namespace: torch_xla
symint: expand_to
        ^~~~~~~~~ 'symint' must be a list, not the string 'expand_to' [opsig-field-not-list]
)");
}

TEST(MalformedBackend, AutogradIsNothing) {
  expectFindings(R"(
--- backend.yaml
backend: XLA
cpp_namespace: torch_xla
supported:
symint:
autograd:
         ^ 'autograd' must be a list, but it is empty [opsig-field-not-list]
)");
}

TEST(MalformedBackend, OperatorIsAMapping) {
  expectFindings(R"(
--- backend.yaml
backend: XLA
cpp_namespace: torch_xla
supported:
- abs: my_abs
  ^ an item of 'supported' must be an operator name, not a mapping [opsig-backend-op-kind]
)");
}

TEST(MalformedBackend, OperatorOfSymIntIsAList) {
  expectFindings(R"(
--- backend.yaml
backend: XLA
cpp_namespace: torch_xla
supported:
- expand_to
symint:
- [expand_to]
  ^ an item of 'symint' must be an operator name, not a list [opsig-backend-op-kind]
)");
}

TEST(MalformedBackend, UnknownOperators) {
  expectFindings(R"(
--- backend.yaml
backend: XLA
cpp_namespace: torch_xla
supported:
- abs
- asb
  ^~~ unknown operator 'asb'; did you mean 'abs'? [opsig-backend-unknown-op]
- add
  ^~~ unknown operator 'add'; did you mean 'add.Tensor'? [opsig-backend-unknown-op]
- sub
  ^~~ unknown operator 'sub'; existing overloads: 'sub.Scalar', 'sub.Tensor' [opsig-backend-unknown-op]
- abs_out
  ^~~~~~~ unknown operator 'abs_out'; did you mean 'abs.out'? [opsig-backend-unknown-op]
autograd:
- aten::abs
  ^~~~~~~~~ unknown operator 'aten::abs'; did you mean 'abs'? [opsig-backend-unknown-op]
)");
}

TEST(MalformedBackend, UnknownOperatorOfFullCodegen) {
  expectFindings(R"(
--- backend.yaml
backend: Lazy
cpp_namespace: torch::lazy
full_codegen:
- add.Tensr
  ^~~~~~~~~ unknown operator 'add.Tensr'; did you mean 'add.Tensor'? [opsig-backend-unknown-op]
)");
}

TEST(MalformedBackend, SymIntOfAnOperatorWithout) {
  expectFindings(R"(
--- backend.yaml
backend: XLA
cpp_namespace: torch_xla
supported:
- abs
symint:
- abs
  ^~~ 'abs' is under 'symint:', but its schema has no SymInt: abs(Tensor self) -> Tensor [opsig-symint-without-symint] (stricter: torchgen asserts it when it writes the kernel's declaration)
)");
}

TEST(MalformedBackend, UnknownKey) {
  expectFindings(R"(
--- backend.yaml
backend: Privateuse1
         ^~~~~~~~~~~ unknown dispatch key 'Privateuse1'; did you mean 'PrivateUse1'? [opsig-backend-unknown-key]
cpp_namespace: mine
supported:
- abs
)");
}

TEST(MalformedBackend, KeyOfLaterReleases) {
  expectFindings(R"(
--- backend.yaml
backend: MTIA
         ^~~~ unknown dispatch key 'MTIA' [opsig-backend-unknown-key] in 1.13 to 2.0
cpp_namespace: mine
supported:
- abs
)");
}

TEST(MalformedBackend, KeyWithoutAutograd) {
  expectFindings(R"(
--- backend.yaml
backend: Vulkan
         ^~~~~~ unknown dispatch key 'AutogradVulkan', which 'autograd:' needs [opsig-backend-unknown-autograd-key]
cpp_namespace: mine
supported:
- abs
autograd:
- add.Tensor
)");
}

TEST(MalformedBackend, KeyOfTheTree) {
  expectFindings(R"(
--- backend.yaml
backend: CPU
         ^~~ dispatch key 'CPU' has kernels in native_functions.yaml, so an external backend cannot use it [opsig-backend-key-in-tree]
cpp_namespace: mine
supported:
- abs
)");
}

TEST(MalformedBackend, UnusedKeyDoesNotMatter) {
  expectFindings(R"(
--- backend.yaml
backend: NoSuchKey
cpp_namespace: a::b::c
)");
}

TEST(MalformedBackend, ForwardAndAutogradOfOneGroup) {
  expectFindings(R"(
--- backend.yaml
backend: XLA
cpp_namespace: torch_xla
supported:
- abs
- add.Tensor
autograd:
- abs.out
  ^~~~~~~ 'abs.out' is under 'autograd:' and 'abs' under 'supported:'; list all variants of an operator under the same key [opsig-backend-mixed-keys]
)");
}

TEST(MalformedBackend, EveryErrorOfAFile) {
  expectFindings(R"(
--- backend.yaml
backend: XLAA
         ^~~~ unknown dispatch key 'XLAA'; did you mean 'XLA'? [opsig-backend-unknown-key]
         ^~~~ unknown dispatch key 'AutogradXLAA', which 'autograd:' needs; did you mean 'AutogradXLA'? [opsig-backend-unknown-autograd-key]
cpp_namespace: 5
               ^ 'cpp_namespace' must be a string, not the integer '5' [opsig-field-not-string]
device_guards: True
^~~~~~~~~~~~~ a backend YAML has no field 'device_guards'; did you mean 'device_guard'? [opsig-backend-unknown-field]
use_out_as_primary: 1
                    ^ 'use_out_as_primary' must be True or False, not the integer '1' [opsig-field-not-bool]
supported:
- abs
- 7
  ^ an item of 'supported' must be an operator name, not the integer '7' [opsig-backend-op-kind]
- asb_
  ^~~~ unknown operator 'asb_'; did you mean 'abs_'? [opsig-backend-unknown-op]
autograd:
- abs_
  ^~~~ 'abs_' is under 'autograd:' and 'abs' under 'supported:' [opsig-backend-mixed-keys]
)");
}

} // namespace
