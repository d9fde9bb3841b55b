//===- ManyErrorsTest.cpp - All errors of a file, and no others -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An entry that cannot be used must not make others complain that it is missing.
//
//===----------------------------------------------------------------------===//
#include "MarkedYaml.h"
#include "gtest/gtest.h"

using namespace opsig::test;

namespace {

TEST(ManyErrors, InOneEntry) {
  expectFindings(R"(
- func: f.out(Tensr self, int[0] n, *, Tensor(a!) out) -> Tensor(a!)
              ^~~~~ 'Tensr' [opsig-type-unknown]
                              ^ [opsig-list-size-zero]
  variants: function, metod
                      ^~~~~ unknown variant 'metod' [opsig-unknown-variant]
  device_guard: nope
                ^~~~ 'device_guard' must be True or False [opsig-field-not-bool]
  device_check: no
                ^~ 'device_check' must be a string, not the boolean 'no' [opsig-field-not-string]
  tags: croe
        ^~~~ tag 'croe' is not declared in tags.yaml; did you mean 'core'? [opsig-unknown-tag]
  autogen: f_out
            ^~~~ [opsig-op-name-out-suffix]
  dispatchs:
  ^~~~~~~~~ has no field 'dispatchs'; did you mean 'dispatch'? [opsig-unknown-field]
    CPU: f_out
)");
}

TEST(ManyErrors, OfOneDispatchTable) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  dispatch:
    cpu: f_cpu
    ^~~ unknown dispatch key 'cpu'; did you mean 'CPU'? [opsig-unknown-dispatch-key]
    CUDA, XLA: f_cuda
          ^~~ dispatch key 'XLA' cannot have kernels [opsig-unsupported-dispatch-key]
    SparseCPU: [f_sparse]
               ^ must be the name of a kernel, not a list [opsig-dispatch-value-kind]
    Meta: a::b::c::d::f_meta
          ^~~~~~~~~~ namespace 'a::b::c::d' has 4 levels [opsig-kernel-namespace-depth]
    CompositeExplicitAutograd: f
    CompositeExplicitAutogradNonFunctional: f
                                            ^ 'f' has kernels for both [opsig-conflicting-composites]
  structured_inherits: TensorIteratorBase
  ^~~~~~~~~~~~~~~~~~~ needs 'structured: True' [opsig-inherits-without-structured]
)");
}

TEST(ManyErrors, InManyEntries) {
  expectFindings(R"(
- func: a(Tensr self) -> Tensor
          ^~~~~ 'Tensr' [opsig-type-unknown]
- just text
  ^~~~~~~~~ expected a mapping with 'func' but found [opsig-entry-not-map]
- func: b(Tensor self) -> Tensor
  variants: function
- variants: function
  ^ this entry needs a 'func' with its schema [opsig-missing-func]
- func: c(Tensor self) -> Tensor
        ^~~~~~~~~~~~~~~~~~~~~~~~ 'c' delegates to 'c.out', which does not exist [opsig-delegate-missing]
  structured_delegate: c.out
- func: d(Tensor self) -> Tensor
  tag: core
  ^~~ has no field 'tag'; did you mean 'tags'? [opsig-unknown-field]
- func: e.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'e.out' has out arguments but no functional variant [opsig-lone-out]
  dispatch:
    CPU: e_out
- func: b.other(Tensor self) -> Tensor
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'b.other' and 'b' are both functional variants [opsig-duplicate-signature]
- func: g(Tensor(a) self) -> Tensor(a)
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'g' is a view, so it needs an operator [opsig-view-copy-missing]
  dispatch:
    CPU: g
- func: h(Tensor self) -> int
        ^~~~~~~~~~~~~~~~~~~~~ 'h' returns no tensor [opsig-no-out-variant]
  dispatch:
    CPU: h
)");
}

TEST(ManyErrors, OfBothFiles) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  tags: pointwise
  variants: methd
            ^~~~~ unknown variant 'methd' [opsig-unknown-variant]
--- tags.yaml
- tag: core
       ^~~~ tag 'core' needs a description ('desc') [opsig-tag-without-description]
- desc: Works on each element.
  ^ this entry needs a 'tag' with its name [opsig-tag-without-name]
)");
}

// A broken entry, and others that depend on it.

TEST(BrokenEntry, IsAFunctional) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  structured_delegate: f.out
  variant: function
  ^~~~~~~ has no field 'variant'; did you mean 'variants'? [opsig-unknown-field]
- func: f_(Tensor(a!) self) -> Tensor(a!)
  structured_delegate: f.out
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU: f_out
)");
}

TEST(BrokenEntry, IsAFunctionalThatCannotBeRead) {
  expectFindings(R"(
- func: f(Tensr self) -> Tensor
          ^~~~~ 'Tensr' [opsig-type-unknown]
  structured_delegate: f.out
- func: f_(Tensor(a!) self) -> Tensor(a!)
  structured_delegate: f.out
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU: f_out
)");
}

TEST(BrokenEntry, IsAnOutFunction) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  structured_delegate: f.out
- func: f_(Tensor(a!) self) -> Tensor(a!)
  structured_delegate: f.out
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: true
  dispatch:
    cpu: f_out
    ^~~ unknown dispatch key 'cpu' [opsig-unknown-dispatch-key]
)");
}

TEST(BrokenEntry, IsTheSourceOfAutogen) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  autogen: f.out
  tags: cor
        ^~~ tag 'cor' is not declared in tags.yaml; did you mean 'core'? [opsig-unknown-tag]
  dispatch:
    CPU: f
- func: f_(Tensor(a!) self) -> Tensor(a!)
  dispatch:
    CPU: f_
)");
}

TEST(BrokenEntry, IsBesideTheSourceOfAutogen) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  tags: cor
        ^~~ tag 'cor' is not declared in tags.yaml; did you mean 'core'? [opsig-unknown-tag]
  dispatch:
    CPU: f
- func: f_(Tensor(a!) self) -> Tensor(a!)
  autogen: f.out
  dispatch:
    CPU: f_
)");
}

TEST(BrokenEntry, IsACopyingForm) {
  expectFindings(R"(
- func: f(Tensor(a) self) -> Tensor(a)
  dispatch:
    CPU: f
- func: f_copy(Tensor self) -> Tensor
  tags: view_cpy
        ^~~~~~~~ tag 'view_cpy' is not declared in tags.yaml; did you mean 'view_copy'? [opsig-unknown-tag]
)");
}

TEST(BrokenEntry, IsACopyingFormThatCannotBeRead) {
  expectFindings(R"(
- func: f.x(Tensor(a) self) -> Tensor(a)
  dispatch:
    CPU: f
- func: f_copy.x(Tensor sef -> Tensor
                ^ [opsig-schema-arguments-unclosed]
  tags: view_copy
)");
}

TEST(BrokenEntry, IsAView) {
  expectFindings(R"(
- func: f(Tensor(a) self) -> Tensor(a)
  dispatches:
  ^~~~~~~~~~ has no field 'dispatches'; did you mean 'dispatch'? [opsig-unknown-field]
    CPU: f
- func: f_(Tensor(a!) self) -> Tensor(a!)
  tags: inplace_view
- func: f_copy(Tensor self) -> Tensor
  tags: view_copy
)");
}

TEST(BrokenEntry, IsTheSecondOfItsName) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  structured_delegate: f.out
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  dispatch:
    CPU: f_out
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ operator 'f.out' is defined twice [opsig-duplicate-operator]
  structured: True
  dispatch:
    CPU: f_out
)");
}

TEST(BrokenEntry, HidesNoErrorOfAnotherGroup) {
  expectFindings(R"(
- func: f.x(Tensor self, int n) -> Tensor
  structured_delegate: f.x_out
  variant: function
  ^~~~~~~ has no field 'variant' [opsig-unknown-field]
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'f.out' has out arguments but no functional variant [opsig-lone-out]
  dispatch:
    CPU: f_out
)");
}

TEST(ManyErrors, AsAUserSeesThem) {
  Loaded L("- func: f(Tensr self) -> Tensor\n"
           "- func: g.x(Tensor self) -> Tensor\n"
           "- func: g.y(Tensor self) -> Tensor\n",
           *measuredDialects().front());
  EXPECT_EQ(
      L.printed(),
      R"(native_functions.yaml:1:11: error: unknown type 'Tensr'; did you mean 'Tensor'? [opsig-type-unknown]
    1 | - func: f(Tensr self) -> Tensor
      |           ^~~~~
native_functions.yaml:3:9: error: 'g.y' and 'g.x' are both functional variants with the signature 'g(Tensor self) -> Tensor'; rename or remove one [opsig-duplicate-signature]
    3 | - func: g.y(Tensor self) -> Tensor
      |         ^~~~~~~~~~~~~~~~~~~~~~~~~~
native_functions.yaml:2:9: note: the other variant is here
)");
}

TEST(ManyErrors, SayWhichOperatorTheyAreAbout) {
  Loaded L("- func: f.x(Tensor self) -> Tensor\n"
           "  variants: methd\n"
           "  dispatch: []\n"
           "- func: g(Tensor self) -> Tensor\n"
           "- func: h(Tensr self) -> Tensor\n"
           "- func: g(Tensor self) -> Tensor\n",
           dialect("1.13"));
  L.Diags.sort(L.Files);
  std::vector<std::string> Ops;
  for (const opsig::Finding &D : L.Diags.all())
    Ops.push_back(D.Op);
  EXPECT_EQ(Ops, (std::vector<std::string>{"f.x", "f.x", "", "g"}));
}

} // namespace
