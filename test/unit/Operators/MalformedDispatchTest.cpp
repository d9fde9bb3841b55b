//===- MalformedDispatchTest.cpp - Dispatch tables that are wrong -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MarkedYaml.h"
#include "gtest/gtest.h"

using namespace opsig::test;

namespace {

TEST(MalformedDispatch, IsText) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  dispatch: CPU
            ^~~ 'dispatch' must be a mapping of keys to kernels, not the string 'CPU' [opsig-dispatch-not-map]
)");
}

TEST(MalformedDispatch, IsAList) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  dispatch:
    - CPU: f_cpu
    ^ 'dispatch' must be a mapping of keys to kernels, not a list [opsig-dispatch-not-map]
)");
}

TEST(MalformedDispatch, KeyIsABoolean) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  dispatch:
    On: f_cpu
    ^~ a key of 'dispatch' must be a string such as 'CPU' or 'CPU, CUDA', not the boolean 'On' [opsig-dispatch-key-kind]
)");
}

TEST(MalformedDispatch, KernelIsNothing) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  dispatch:
    CPU:
        ^ a value of 'dispatch' must be the name of a kernel, but it is empty [opsig-dispatch-value-kind]
    CUDA: f_cuda
)");
}

TEST(MalformedDispatch, KernelIsAList) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  dispatch:
    CPU: [f, g]
         ^ a value of 'dispatch' must be the name of a kernel, not a list [opsig-dispatch-value-kind]
)");
}

TEST(MalformedDispatch, KernelIsNoName) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  dispatch:
    CPU: f-cpu
         ^~~~~ 'f-cpu' is not a valid C++ name for a kernel [opsig-name-not-cpp] (stricter: torchgen writes it into the files)
    CUDA: new
          ^~~ 'new' is not a valid C++ name for a kernel [opsig-name-not-cpp] (stricter: torchgen writes it into the files)
    SparseCPU: vendor::f; int evil
                       ^~~~~~~~~~~ 'f; int evil' is not a valid C++ name for a kernel [opsig-name-not-cpp] (stricter: torchgen writes it into the files)
    MPS: 2d::f
         ^~ '2d' is not a valid C++ name for a namespace [opsig-name-not-cpp] (stricter: torchgen writes it into the files)
)");
}

TEST(MalformedDispatch, UnknownKey) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  dispatch:
    CPU: f_cpu
    SpraseCPU: f_sparse
    ^~~~~~~~~ unknown dispatch key 'SpraseCPU'; did you mean 'SparseCPU'? [opsig-unknown-dispatch-key]
)");
}

TEST(MalformedDispatch, UnknownKeyInAListOfKeys) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  dispatch:
    CPU, cuda, Meta: f
         ^~~~ unknown dispatch key 'cuda'; did you mean 'CUDA'? [opsig-unknown-dispatch-key]
)");
}

TEST(MalformedDispatch, EmptyPieceInAListOfKeys) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  dispatch:
    CPU,, CUDA: f
        ^ unknown dispatch key '' [opsig-unknown-dispatch-key]
)");
}

TEST(MalformedDispatch, KeyWithoutKernelsInTree) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  dispatch:
    CPU: f_cpu
    PrivateUse1: f_mine
    ^~~~~~~~~~~ dispatch key 'PrivateUse1' cannot have kernels in native_functions.yaml [opsig-unsupported-dispatch-key]
)");
}

TEST(MalformedDispatch, KeysOfLaterReleases) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  dispatch:
    CPU: f_cpu
    SparseCsrMeta: f_meta
    ^~~~~~~~~~~~~ unknown dispatch key 'SparseCsrMeta' [opsig-unknown-dispatch-key] in 1.13 to 2.2
    XPU: f_xpu
    ^~~ dispatch key 'XPU' cannot have kernels in native_functions.yaml [opsig-unsupported-dispatch-key] in 1.13 to 2.4
)");
}

TEST(MalformedDispatch, KernelInManyNamespaces) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  dispatch:
    CPU: a::b::c::d::f
         ^~~~~~~~~~ namespace 'a::b::c::d' has 4 levels; expected at most [opsig-kernel-namespace-depth]
)");
}

TEST(MalformedDispatch, KernelInThreeNamespaces) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  dispatch:
    CPU: a::b::c::f
         ^~~~~~~ namespace 'a::b::c' has 3 levels; expected at most 2 [opsig-kernel-namespace-depth] in 1.13
)");
}

TEST(MalformedDispatch, RedundantTable) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  dispatch:
    CompositeImplicitAutograd: f
                               ^ this dispatch table repeats the default; remove it [opsig-redundant-dispatch]
)");
}

TEST(MalformedDispatch, RedundantTableOfAnOutFunction) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  dispatch:
    CompositeImplicitAutograd: f_out
                               ^~~~~ this dispatch table repeats the default [opsig-redundant-dispatch]
)");
}

TEST(MalformedDispatch, OnlyKernelHasAnotherName) {
  expectFindings(R"(
- func: f.dim(Tensor self) -> Tensor
  dispatch:
    CompositeImplicitAutograd: f_dim
                               ^~~~~ the only kernel of 'f.dim' must be called 'f', not 'f_dim'; rename it and remove the dispatch table [opsig-singleton-kernel-name]
)");
}

TEST(MalformedDispatch, OnlyKernelOfASymIntOpMayHaveItsSuffix) {
  expectFindings(R"(
- func: f(Tensor self, SymInt size) -> Tensor
  dispatch:
    CompositeImplicitAutograd: f_symint
)");
}

TEST(MalformedDispatch, FactoryWithoutTable) {
  expectFindings(R"(
- func: new_f(Tensor self) -> Tensor
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'new_f' creates tensors, so it needs a dispatch table [opsig-factory-needs-dispatch]
- func: f_like.x(Tensor self) -> Tensor
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'f_like.x' creates tensors, so it needs a dispatch table [opsig-factory-needs-dispatch]
- func: f(int n, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'f' creates tensors, so it needs a dispatch table [opsig-factory-needs-dispatch]
- func: g(Tensor x, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor
)");
}

TEST(MalformedDispatch, FactoryWithEmptyTable) {
  expectFindings(R"(
- func: new_f(Tensor self) -> Tensor
  dispatch: {}
)");
}

TEST(MalformedDispatch, TwoComposites) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  dispatch:
    CPU: f_cpu
    CompositeExplicitAutograd: f
    CompositeImplicitAutograd: f_composite
                               ^~~~~~~~~~~ 'f' has kernels for both CompositeExplicitAutograd and CompositeImplicitAutograd [opsig-conflicting-composites]
)");
}

TEST(MalformedDispatch, NestedTensorCompositeBesideAnother) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  dispatch:
    CompositeImplicitAutograd: f_composite
    CompositeImplicitAutogradNestedTensor: f_nested
- func: g(Tensor self) -> Tensor
  dispatch:
    CompositeExplicitAutogradNonFunctional: g_composite
    CompositeImplicitAutogradNestedTensor: g_nested
                                           ^~~~~~~~ 'g' has kernels for both CompositeExplicitAutogradNonFunctional and CompositeImplicitAutogradNestedTensor [opsig-conflicting-composites]
)");
}

TEST(MalformedDispatch, SymIntKernelOfAnOpWithoutSymInt) {
  expectFindings(R"(
- func: f(Tensor self, int size) -> Tensor
  dispatch:
    CPU: f_symint
         ^~~~~~~~ kernel 'f_symint' has 'symint' in its name, but the schema has no SymInt [opsig-symint-without-symint] (stricter: torchgen asserts it when it writes the kernel's declaration)
)");
}

TEST(MalformedDispatch, SymIntOnlyInTheReturn) {
  expectFindings(R"(
- func: f(Tensor self) -> SymInt
  dispatch:
    CompositeImplicitAutograd: f_symint
                               ^~~~~~~~ the schema has no SymInt [opsig-symint-without-symint] in 2.1 on (stricter: torchgen asserts it when it writes the kernel's declaration)
)");
}

TEST(MalformedDispatch, TableBesideManualRegistration) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  manual_kernel_registration: True
  dispatch:
  ^~~~~~~~ 'manual_kernel_registration' and 'dispatch' cannot be combined [opsig-manual-with-dispatch]
    CPU: f_cpu
)");
}

TEST(MalformedDispatch, KernelsOfOneOpInTwoNamespaces) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  dispatch:
    CPU: f_cpu
    CUDA: mine::f_cuda
          ^~~~~~~~~~~~ the kernels of 'f' are in namespaces 'at::native' and 'mine::native'; [opsig-kernel-namespaces] (stricter: torchgen asserts it when it writes declarations)
)");
}

} // namespace
