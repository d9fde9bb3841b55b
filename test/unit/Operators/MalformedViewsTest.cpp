//===- MalformedViewsTest.cpp - Views without their copying forms -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MarkedYaml.h"
#include "gtest/gtest.h"

using namespace opsig::test;

namespace {

TEST(MalformedViews, WellFormed) {
  expectFindings(R"(
- func: f(Tensor(a) self) -> Tensor(a)
  dispatch:
    CPU: f
- func: f_(Tensor(a!) self) -> Tensor(a!)
  dispatch:
    CPU: f_
  tags: inplace_view
- func: f_copy(Tensor self) -> Tensor
  dispatch:
    CompositeExplicitAutogradNonFunctional: f_copy
  tags: view_copy
  autogen: f_copy.out
)");
}

TEST(MalformedViews, NoCopy) {
  expectFindings(R"(
- func: f.x(Tensor(a) self) -> Tensor(a)
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'f.x' is a view, so it needs an operator 'f_copy.x' with tag view_copy and the same arguments [opsig-view-copy-missing]
  dispatch:
    CPU: f
)");
}

TEST(MalformedViews, CompositeNeedsNoCopy) {
  expectFindings(R"(
- func: f(Tensor(a) self) -> Tensor(a)
)");
}

TEST(MalformedViews, InversesNeedNoCopyLater) {
  expectFindings(R"(
- func: f_inverse(Tensor(a) self) -> Tensor(a)
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'f_inverse' is a view, so it needs an operator [opsig-view-copy-missing] in 1.13 to 2.2
  dispatch:
    CPU: f_inverse
)");
}

TEST(MalformedViews, CopyWithoutTag) {
  expectFindings(R"(
- func: f(Tensor(a) self) -> Tensor(a)
  dispatch:
    CPU: f
- func: f_copy(Tensor self) -> Tensor
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'f_copy' copies the view 'f', so it needs 'tags: view_copy' [opsig-view-copy-tag]
)");
}

TEST(MalformedViews, CopyIsCalledAsItsView) {
  expectFindings(R"(
- func: f(Tensor(a) self) -> Tensor(a)
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'f' is a view, so it needs an operator 'f_copy' [opsig-view-copy-missing]
  dispatch:
    CPU: f
- func: f.copy(Tensor self) -> Tensor
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'f.copy' and 'f' are both functional variants with the signature 'f(Tensor self) -> Tensor' [opsig-duplicate-signature]
  tags: view_copy
)");
}

TEST(MalformedViews, ScatterIsAnInverseLater) {
  expectFindings(R"(
- func: f_inverse(Tensor(a) self) -> Tensor(a)
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ is a view, so it needs an operator [opsig-view-copy-missing] in 1.13 to 2.2
  dispatch:
    CPU: f
- func: f_scatter(Tensor self) -> Tensor
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'f_scatter' copies the view 'f_inverse', so it needs 'tags: view_copy' [opsig-view-copy-tag] in 2.3 on
)");
}

TEST(MalformedViews, ViewIsCalledAsACopy) {
  expectFindings(R"(
- func: f_copy(Tensor(a) self) -> Tensor(a)
- func: f(Tensor self) -> Tensor
        ^~~~~~~~~~~~~~~~~~~~~~~~ 'f' copies the view 'f_copy'; rename the copy to 'f_copy_copy' [opsig-view-copy-name]
  tags: view_copy
)");
}

TEST(MalformedViews, CopyOfAViewThatIsCalledAsACopy) {
  expectFindings(R"(
- func: f_copy(Tensor(a) self) -> Tensor(a)
- func: f_copy_copy(Tensor self) -> Tensor
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'f_copy_copy' copies 'f_copy', so its signature without '_copy' must be 'f_copy(Tensor self) -> Tensor', not 'f(Tensor self) -> Tensor' [opsig-view-copy-signature]
  tags: view_copy
)");
}

TEST(MalformedViews, InplaceViewIsCalledAsACopy) {
  expectFindings(R"(
- func: f(Tensor(a) self) -> Tensor(a)
- func: f_copy(Tensor self, int n) -> Tensor
- func: f_copy_(Tensor(a!) self) -> Tensor(a!)
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ the view 'f' and its in-place variant 'f_copy_' have different signatures [opsig-view-copy-signature]
  tags: inplace_view
)");
}

TEST(MalformedViews, TwoViewsOfOneSignature) {
  expectFindings(R"(
- func: f.x(Tensor(a) self) -> Tensor(a)
- func: f.y(Tensor(b) self) -> Tensor(b)
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'f.y' and 'f.x' are both functional variants [opsig-duplicate-signature]
)");
}

TEST(MalformedViews, ViewCalledCopy) {
  expectFindings(R"(
- func: f(Tensor(a) self) -> Tensor(a)
- func: f_copy(Tensor(a) self) -> Tensor(a)
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'f_copy' and 'f' are both views with the signature 'f(Tensor self) -> Tensor'; remove one [opsig-view-role-twice]
)");
}

TEST(MalformedViews, TwoCopies) {
  expectFindings(R"(
- func: f(Tensor(a) self) -> Tensor(a)
  dispatch:
    CPU: f
- func: f_copy(Tensor self) -> Tensor
  tags: view_copy
- func: f_copy_copy(Tensor self) -> Tensor
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'f_copy_copy' and 'f_copy' are both functional variants with the signature 'f(Tensor self) -> Tensor'; remove one [opsig-view-role-twice]
  tags: view_copy
)");
}

TEST(MalformedViews, CompositeViewBesideAnotherInplaceView) {
  expectFindings(R"(
- func: f(Tensor(a) self) -> Tensor(a)
- func: f_(Tensor(a!) self) -> Tensor(a!)
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'f' is CompositeImplicitAutograd, but 'f_' is not; both or neither must be CompositeImplicitAutograd [opsig-view-composite-mismatch]
  tags: inplace_view
  dispatch:
    CPU: f_
)");
}

TEST(MalformedViews, NestedTensorCompositeOfOneOnly) {
  expectFindings(R"(
- func: f(Tensor(a) self) -> Tensor(a)
  dispatch:
    CompositeImplicitAutograd: f
    CompositeImplicitAutogradNestedTensor: f_nested
- func: f_(Tensor(a!) self) -> Tensor(a!)
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'f' is CompositeImplicitAutogradNestedTensor, but 'f_' is not; both or neither must be CompositeImplicitAutogradNestedTensor [opsig-view-composite-mismatch]
  tags: inplace_view
)");
}

} // namespace
