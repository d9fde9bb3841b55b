//===- MalformedGroupsTest.cpp - Entries that do not go together ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MarkedYaml.h"
#include "gtest/gtest.h"

using namespace opsig::test;

namespace {

TEST(MalformedNames, OperatorTwice) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
- func: g(Tensor self) -> Tensor
- func: f(Tensor self) -> Tensor
        ^~~~~~~~~~~~~~~~~~~~~~~~ operator 'f' is defined twice [opsig-duplicate-operator]
)");
}

TEST(MalformedNames, OperatorTwiceWithOtherArguments) {
  expectFindings(R"(
- func: f.x(Tensor self) -> Tensor
- func: f.x(Tensor self, int dim) -> Tensor
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ operator 'f.x' is defined twice [opsig-duplicate-operator]
)");
}

TEST(MalformedNames, OperatorTwiceForOtherKeys) {
  expectFindings(R"(
- func: f.x(Tensor self) -> Tensor
  dispatch:
    CPU: f
- func: f.x(Tensor self, int dim) -> Tensor
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ operator 'f.x' is defined twice [opsig-duplicate-operator] (stricter: torchgen compares the names of one dispatch key only; libtorch refuses the second definition when it is loaded)
  dispatch:
    CUDA: f
)");
}

TEST(MalformedNames, SameSignature) {
  expectFindings(R"(
- func: f.x(Tensor self) -> Tensor
- func: f.y(Tensor self) -> Tensor
        ^~~~~~~~~~~~~~~~~~~~~~~~~~ 'f.y' and 'f.x' are both functional variants with the signature 'f(Tensor self) -> Tensor'; rename or remove one [opsig-duplicate-signature]
)");
}

TEST(MalformedNames, SameSignatureBesideAnInplaceOp) {
  expectFindings(R"(
- func: f_.x(Tensor(a!) self) -> Tensor(a!)
- func: f(Tensor self) -> Tensor
- func: f_.y(Tensor(a!) self) -> Tensor(a!)
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'f_.y' and 'f_.x' are both inplace variants with the signature 'f(Tensor self) -> Tensor' [opsig-duplicate-signature]
)");
}

// structured_delegate

TEST(MalformedDelegates, Missing) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
        ^~~~~~~~~~~~~~~~~~~~~~~~ 'f' delegates to 'f.otu', which does not exist; did you mean 'f.out'? [opsig-delegate-missing]
  structured_delegate: f.otu
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU: f_cpu
)");
}

TEST(MalformedDelegates, NotStructured) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
        ^~~~~~~~~~~~~~~~~~~~~~~~ 'f' delegates to 'f.out', which is not structured [opsig-delegate-not-structured]
  structured_delegate: f.out
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  dispatch:
    CPU: f_cpu
)");
}

TEST(MalformedDelegates, OfAnotherGroup) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
        ^~~~~~~~~~~~~~~~~~~~~~~~ 'f' delegates to 'g.out', but the out variant of its group is 'f.out' [opsig-wrong-delegate]
  structured_delegate: g.out
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU: f_cpu
- func: g(Tensor self) -> Tensor
  structured_delegate: g.out
- func: g.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU: g_cpu
)");
}

TEST(MalformedDelegates, InplaceOfAnotherGroup) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  structured_delegate: f.out
- func: f_(Tensor(a!) self) -> Tensor(a!)
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'f_' delegates to 'g.out', but the out variant of its group is 'f.out' [opsig-wrong-delegate]
  structured_delegate: g.out
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU: f_cpu
- func: g(Tensor self) -> Tensor
  structured_delegate: g.out
- func: g.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU: g_cpu
)");
}

TEST(MalformedGroups, FunctionalDoesNotDelegate) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
        ^~~~~~~~~~~~~~~~~~~~~~~~ 'f' is in the structured group of 'f.out', so it needs 'structured_delegate: f.out' [opsig-structured-mix]
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU: f_cpu
)");
}

TEST(MalformedGroups, InplaceDoesNotDelegate) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  structured_delegate: f.out
- func: f_(Tensor(a!) self) -> Tensor(a!)
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'f_' is in the structured group of 'f.out', so it needs 'structured_delegate: f.out' [opsig-structured-mix]
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU: f_cpu
)");
}

TEST(MalformedGroups, StructuredComposite) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  structured_delegate: f.out
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU: f_cpu
    CompositeImplicitAutograd: f_composite
                               ^~~~~~~~~~~ 'f.out' is structured, so it cannot have a CompositeImplicitAutograd kernel [opsig-structured-composite]
)");
}

TEST(MalformedGroups, TwoNamespaces) {
  expectFindings(R"(
- func: mine::f(Tensor self) -> Tensor
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'f.out' is in namespace 'aten', but its functional variant is in 'mine' [opsig-group-namespaces]
)");
}

TEST(MalformedGroups, InplaceAndMutableInOtherNamespaces) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
- func: mine::f_(Tensor(a!) self) -> Tensor(a!)
              ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'f_' is in namespace 'mine', but its functional variant is in 'aten' [opsig-group-namespaces]
)");
  expectFindings(R"(
- func: f_functional(Tensor self, Tensor state) -> (Tensor, Tensor)
- func: mine::f(Tensor self, Tensor(a!) state) -> Tensor
              ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'f' is in namespace 'mine', but its functional variant is in 'aten' [opsig-group-namespaces]
- func: f.out(Tensor self, Tensor state, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))
)");
}

TEST(MalformedGroups, MutableBesideAPlainFunctional) {
  expectFindings(R"(
- func: f(Tensor self, Tensor state) -> (Tensor, Tensor)
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'f' is the functional variant of the mutable operator 'f.m', so its name must end in '_functional' [opsig-mutable-functional-name]
- func: f.m(Tensor self, Tensor(a!) state) -> Tensor
- func: f.out(Tensor self, Tensor state, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))
)");
}

TEST(MalformedGroups, NoFunctional) {
  expectFindings(R"(
- func: f_(Tensor(a!) self) -> Tensor(a!)
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'f_' and its variants have no functional variant; add 'f(Tensor self) -> Tensor' [opsig-no-functional]
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
)");
}

TEST(MalformedGroups, Scratch) {
  expectFindings(R"(
- func: f(Tensor self) -> (Tensor, Tensor)
- func: f.scratch(Tensor self, *, Tensor(a!) out, Tensor(b!) _scratch_x) -> Tensor(a!)
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'f.scratch' takes scratch arguments, so it cannot be grouped with other variants [opsig-scratch-in-group]
)");
}

TEST(MalformedGroups, LoneOut) {
  expectFindings(R"(
- func: f(Tensor self, int dim) -> Tensor
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'f.out' has out arguments but no functional variant; add 'f(Tensor self) -> Tensor' [opsig-lone-out]
  dispatch:
    CPU: f_out
)");
}

// autogen

TEST(MalformedAutogen, NoTensorReturned) {
  expectFindings(R"(
- func: f(Tensor self) -> int
        ^~~~~~~~~~~~~~~~~~~~~ 'f' returns no tensor, so it cannot have an out variant [opsig-no-out-variant]
  dispatch:
    CPU: f
- func: is_pinned(Tensor self, Device? device=None) -> bool
  dispatch:
    CPU: is_pinned
)");
}

TEST(MalformedAutogen, MoreTensorsThanLetters) {
  std::string Returns = "Tensor";
  for (int I = 1; I != 27; ++I)
    Returns += ", Tensor";
  std::string Schema = "f(Tensor self) -> (" + Returns + ")";
  expectFindings("- func: " + Schema + "\n        ^" + std::string(Schema.size() - 1, '~') +
                 " 'f' has too many returns for an out variant [opsig-no-out-variant]\n"
                 "  dispatch:\n"
                 "    CPU: f\n"
                 "  autogen: f.out\n");
}

TEST(MalformedAutogen, NotAnnounced) {
  expectFindings(R"(
- func: f_(Tensor(a!) self) -> Tensor(a!)
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'autogen' of 'f_' must list the generated variants 'f, f.out', not 'f.out' [opsig-autogen-mismatch]
  dispatch:
    CPU: f_
  autogen: f.out
)");
}

TEST(MalformedAutogen, AnotherName) {
  expectFindings(R"(
- func: f.dim(Tensor self, int dim) -> Tensor
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'autogen' of 'f.dim' must list the generated variants 'f.dim_out', not 'f.out' [opsig-autogen-mismatch]
  dispatch:
    CPU: f
  autogen: f.out
)");
}

TEST(MalformedAutogen, EverythingIsWritten) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
        ^~~~~~~~~~~~~~~~~~~~~~~~ nothing is generated for 'f'; remove 'autogen: f.out' [opsig-autogen-mismatch]
  autogen: f.out
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
)");
}

TEST(MalformedAutogen, FunctionalNotAnnounced) {
  expectFindings(R"(
- func: f_(Tensor(a!) self) -> Tensor(a!)
  dispatch:
    CPU: f_
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'f.out' needs 'autogen: f' to list the variants generated from it [opsig-autogen-mismatch]
  dispatch:
    CPU: f_out
)");
}

TEST(MalformedAutogen, NameIsTaken) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  dispatch:
    CPU: f
  autogen: f.out
- func: f.out(Tensor self, int dim) -> Tensor
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ the schema of 'f.out' differs from 'f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)', which is generated from 'f(Tensor self) -> Tensor' [opsig-generated-name-taken]
  dispatch:
    CompositeExplicitAutograd: f_out
)");
}

TEST(MalformedAutogen, NameIsTakenForOtherKeys) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  dispatch:
    CPU: f
  autogen: f.out
- func: f.out(Tensor self, int dim) -> Tensor
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ the schema of 'f.out' differs [opsig-generated-name-taken] (stricter: torchgen compares the names of one dispatch key only; libtorch refuses the second definition when it is loaded)
  dispatch:
    CPU: f_out
)");
}

TEST(MalformedAutogen, WrittenReturns) {
  expectFindings(R"(
- func: f(Tensor(a!) self) -> Tensor(a!)
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ no out variant can be generated from 'f', because it returns an argument that it writes to [opsig-generated-invalid]
  dispatch:
    CPU: f
  autogen: f.out
)");
}

TEST(MalformedAutogen, AnotherSignature) {
  expectFindings(R"(
- func: bernoulli.p(Tensor self, float p, *, Generator? generator=None) -> Tensor
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ the generated variant 'bernoulli.p_out' has the signature 'bernoulli(Tensor self, float p, *, Generator? generator=None) -> Tensor', which does not match the group of this entry [opsig-generated-ungrouped]
  tags: nondeterministic_seeded
  dispatch:
    CPU: bernoulli
  autogen: bernoulli.p_out
)");
}

TEST(MalformedAutogen, VariantIsNoSchema) {
  expectFindings(R"(
- func: f(Tensor self) -> (Tensor, int)
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ the variant generated from this entry, 'f.out(Tensor self, *, Tensor(a!) out0) -> int', is invalid: [opsig-generated-invalid]
  dispatch:
    CPU: f
  autogen: f.out
- func: g(Tensor self) -> (int, Tensor)
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ the variant generated from this entry, 'g.out(Tensor self, *, Tensor(b!) out1) -> int', is invalid: [opsig-generated-invalid]
  dispatch:
    CPU: g
  autogen: g.out
)");
}

// Inplace views stand beside views

TEST(MalformedInplaceViews, Name) {
  expectFindings(R"(
- func: f(Tensor(a!) self) -> Tensor(a!)
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'f' has tag inplace_view, but its name does not end in '_' [opsig-inplace-view-name]
  tags: inplace_view
)");
}

TEST(MalformedInplaceViews, Counterpart) {
  expectFindings(R"(
- func: f_(Tensor(a!) self) -> Tensor(a!)
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'f_' has tag inplace_view, so it needs a view operator 'f' with the same arguments [opsig-inplace-view-counterpart]
  tags: inplace_view
)");
}

TEST(MalformedInplaceViews, Excused) {
  expectFindings(R"(
- func: resize_(Tensor(a!) self) -> Tensor(a!)
  tags: inplace_view
- func: resize_as_(Tensor(a!) self) -> Tensor(a!)
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'resize_as_' has tag inplace_view, so it needs a view operator 'resize_as' [opsig-inplace-view-counterpart] in 1.13 to 2.0
  tags: inplace_view
- func: set_(Tensor(a!) self) -> Tensor(a!)
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'set_' has tag inplace_view, so it needs a view operator 'set' [opsig-inplace-view-counterpart] in 1.13 to 2.2
  tags: inplace_view
)");
}

TEST(MalformedInplaceViews, WithoutTag) {
  expectFindings(R"(
- func: f_(Tensor(a!) self, Tensor(b -> *)[] x) -> Tensor(a!)
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'f_' is an in-place view, so it needs 'tags: inplace_view' [opsig-inplace-view-tag]
)");
}

} // namespace
