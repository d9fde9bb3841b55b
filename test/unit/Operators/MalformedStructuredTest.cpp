//===- MalformedStructuredTest.cpp - Structured kernels that are wrong ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Also what only structured kernels have: ufunc loops and precomputed values.
//
//===----------------------------------------------------------------------===//
#include "MarkedYaml.h"
#include "gtest/gtest.h"

using namespace opsig::test;

namespace {

TEST(MalformedStructured, OnAFunctionalOp) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  structured: True
  ^~~~~~~~~~ only the out variant can be 'structured'; 'f' is functional, so use 'structured_delegate' [opsig-structured-not-out]
  dispatch:
    CPU: f_cpu
)");
}

TEST(MalformedStructured, WithoutDeviceGuard) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  structured_delegate: f.out
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  device_guard: False
  ^~~~~~~~~~~~ structured kernels always set a device guard; 'device_guard: False' has no effect on 'f.out' [opsig-structured-device-guard]
  dispatch:
    CPU: f_cpu
)");
}

TEST(MalformedStructured, DelegateWithoutDeviceGuard) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  structured_delegate: f.out
  device_guard: False
  ^~~~~~~~~~~~ 'device_guard: False' has no effect on 'f' [opsig-structured-device-guard]
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU: f_cpu
)");
}

TEST(MalformedStructured, AndDelegate) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  structured_delegate: f.out
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  structured_delegate: f.out
  ^~~~~~~~~~~~~~~~~~~ 'f.out' is itself structured, so it cannot have 'structured_delegate' [opsig-structured-and-delegate]
  dispatch:
    CompositeExplicitAutograd: f_out
)");
}

TEST(MalformedStructured, OutFunctionDelegates) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured_delegate: f.x_out
  ^~~~~~~~~~~~~~~~~~~ 'f.out' is an out variant, so it cannot have 'structured_delegate'; use 'structured: True' [opsig-delegate-on-out]
)");
}

TEST(MalformedStructured, DelegateWithNamespace) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  structured_delegate: aten::f.out
                       ^~~~~~~~~~~ 'structured_delegate' must not have a namespace; the delegate is always in the operator's namespace [opsig-delegate-namespace]
)");
}

TEST(MalformedStructured, DelegateIsNoName) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  structured_delegate: f_out
                        ^~~~ reserved [opsig-op-name-out-suffix]
)");
}

TEST(MalformedStructured, DelegateIsABoolean) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  structured_delegate: True
                       ^~~~ 'structured_delegate' must be a string, not the boolean 'True' [opsig-field-not-string]
)");
}

TEST(MalformedStructured, DelegateHasAKernelOfItsOwn) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  structured_delegate: f.out
  dispatch:
    CPU, SparseCPU: f_cpu
                    ^~~~~ 'f' delegates its CPU kernel to 'f.out', so it cannot name a kernel; remove this entry [opsig-delegate-with-dispatch]
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU: f_cpu
)");
}

TEST(MalformedStructured, StructuredKeysOfLaterReleases) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  structured_delegate: f.out
  dispatch:
    MTIA: f_mtia
    ^~~~ unknown dispatch key 'MTIA' [opsig-unknown-dispatch-key] in 1.13 to 2.0
    ^~~~ dispatch key 'MTIA' cannot have kernels [opsig-unsupported-dispatch-key] in 2.1 to 2.7
          ^~~~~~ 'f' delegates its MTIA kernel to 'f.out' [opsig-delegate-with-dispatch] in 2.8 on
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU: f_cpu
)");
}

TEST(MalformedStructured, InheritsWithNamespace) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  structured_delegate: f.out
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  structured_inherits: at::TensorIteratorBase
                       ^~~~~~~~~~~~~~~~~~~~~~ 'structured_inherits' must not have a namespace [opsig-inherits-namespace]
  dispatch:
    CPU: f_cpu
)");
}

TEST(MalformedStructured, InheritsIsANumber) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  structured_inherits: 0x1f
                       ^~~~ 'structured_inherits' must be a string, not the integer '0x1f' [opsig-field-not-string]
)");
}

TEST(MalformedStructured, InheritsWithoutStructured) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  structured_inherits: TensorIteratorBase
  ^~~~~~~~~~~~~~~~~~~ 'structured_inherits' needs 'structured: True' [opsig-inherits-without-structured]
)");
}

// ufunc_inner_loop

TEST(MalformedUfunc, IsAList) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  ufunc_inner_loop: [f]
                    ^ 'ufunc_inner_loop' must be 'name (Type, ...)' or a mapping of loop kinds to such strings, not a list [opsig-ufunc-loop-kind]
)");
}

TEST(MalformedUfunc, IsNothing) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  ufunc_inner_loop:
                   ^ but it is empty [opsig-ufunc-loop-kind]
)");
}

TEST(MalformedUfunc, LoopIsNoText) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  ufunc_inner_loop:
    Generic: 5
             ^ 'Generic' must be 'name (Type, ...)', not the integer '5' [opsig-ufunc-loop-kind]
)");
}

TEST(MalformedUfunc, UnknownLoop) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  ufunc_inner_loop:
    generic: f (Float)
    ^~~~~~~ unknown kind of ufunc loop 'generic' [opsig-unknown-ufunc-key]
)");
}

TEST(MalformedUfunc, NoTypes) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  ufunc_inner_loop: f
                    ^ expected a ufunc loop 'name (Type, ...)' but found 'f' [opsig-ufunc-loop-syntax]
)");
}

TEST(MalformedUfunc, UnopenedTypes) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  ufunc_inner_loop: f Float)
                    ^~~~~~~~ expected a ufunc loop 'name (Type, ...)' but found 'f Float)' [opsig-ufunc-loop-syntax]
)");
}

TEST(MalformedUfunc, LoopIsCalledByANumber) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  ufunc_inner_loop:
    1: f (Float)
    ^ unknown kind of ufunc loop '1' [opsig-unknown-ufunc-key]
)");
}

TEST(MalformedUfunc, UnclosedTypes) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  ufunc_inner_loop:
    Generic: f (Float, Double
             ^~~~~~~~~~~~~~~~ expected a ufunc loop 'name (Type, ...)' but found 'f (Float, Double' [opsig-ufunc-loop-syntax]
)");
}

TEST(MalformedUfunc, UnknownType) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  structured_delegate: f.out
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  ufunc_inner_loop:
    Generic: f (Integral, Flaot)
                          ^~~~~ unknown scalar type or class of types 'Flaot'; did you mean 'Float'? [opsig-unknown-dtype]
)");
}

TEST(MalformedUfunc, EmptyTypes) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  structured_delegate: f.out
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  ufunc_inner_loop: f ()
                       ^ unknown scalar type or class of types '' [opsig-unknown-dtype]
)");
}

TEST(MalformedUfunc, TypesOfLaterReleases) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  structured_delegate: f.out
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  ufunc_inner_loop: f (Float, Float8_e5m2)
                              ^~~~~~~~~~~ unknown scalar type or class of types 'Float8_e5m2' [opsig-unknown-dtype] in 1.13 to 2.0
)");
}

TEST(MalformedUfunc, NotStructured) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  ufunc_inner_loop:
  ^~~~~~~~~~~~~~~~ 'f' has ufunc loops, so it needs 'structured: True' [opsig-ufunc-not-structured]
    Generic: f (Float)
)");
}

TEST(MalformedUfunc, WithAKernelForItsKeys) {
  expectFindings(R"(
- func: f(Tensor self) -> Tensor
  structured_delegate: f.out
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  ufunc_inner_loop:
    Generic: f (Float)
    ScalarOnly: f (Bool)
  dispatch:
    CPU: f_cpu
         ^~~~~ the CPU kernel of 'f.out' is generated from the operator's ufunc loops; remove this entry [opsig-ufunc-with-dispatch]
    SparseCPU: f_sparse
)");
}

// precomputed

/// The entry around a `precomputed:`.
std::string withPrecomputed(llvm::StringRef Lines) {
  return ("- func: f(Tensor self, int dim, int n) -> Tensor\n"
          "  structured_delegate: f.out\n"
          "- func: f.out(Tensor self, int dim, int n, *, Tensor(a!) out) -> Tensor(a!)\n"
          "  structured: True\n"
          "  dispatch:\n"
          "    CPU: f_cpu\n"
          "  precomputed:\n" +
          Lines)
      .str();
}

TEST(MalformedPrecomputed, WellFormed) {
  expectFindings(withPrecomputed("  - dim -> int d, int[] e\n"
                                 "  - n -> int m\n"
                                 "  - bool flag, Tensor t\n"));
}

TEST(MalformedPrecomputed, IsText) {
  expectFindings(withPrecomputed("    dim -> int d\n"
                                 "    ^~~~~~~~~~~~ 'precomputed' must be a list, not the string "
                                 "'dim -> int d' [opsig-precomputed-not-list]\n"));
}

TEST(MalformedPrecomputed, ItemIsAMapping) {
  expectFindings(withPrecomputed("  - dim: int d\n"
                                 "    ^ an item of 'precomputed' must be 'arg -> type name, "
                                 "...', not a mapping [opsig-precomputed-item-kind]\n"
                                 "  - n -> int m\n"));
}

TEST(MalformedPrecomputed, AddedValuesComeLast) {
  expectFindings(withPrecomputed("  - bool flag\n"
                                 "    ^~~~~~~~~ only the last precomputed item can omit the "
                                 "replaced argument [opsig-precomputed-arrow]\n"
                                 "  - dim -> int d\n"));
}

TEST(MalformedPrecomputed, TwoArrows) {
  expectFindings(
      withPrecomputed("  - dim -> int d -> int e\n"
                      "    ^~~~~~~~~~~~~~~~~~~~~ expected one ' -> ' in a precomputed item "
                      "but found several [opsig-precomputed-arrow]\n"));
}

TEST(MalformedPrecomputed, SourceWithType) {
  expectFindings(
      withPrecomputed("  - int dim -> int d\n"
                      "    ^~~~~~~ expected the name of an argument but found 'int dim', "
                      "which contains a space [opsig-precomputed-source] in 2.4 on\n"));
}

TEST(MalformedPrecomputed, SourceTwice) {
  expectFindings(
      withPrecomputed("  - dim -> int d\n"
                      "  - dim -> int e\n"
                      "    ^~~ 'dim' is already replaced above [opsig-precomputed-source]\n"));
}

TEST(MalformedPrecomputed, CommaWithoutBlank) {
  expectFindings(withPrecomputed(
      "  - dim -> int d,int e\n"
      "           ^~~~~~~~~~~ expected 'int d, int e'; separate "
      "precomputed values with a comma and one space [opsig-precomputed-spacing]\n"));
}

TEST(MalformedPrecomputed, UpperCaseName) {
  expectFindings(withPrecomputed("  - dim -> int D\n"
                                 "           ^~~~~ precomputed name 'D' needs a lower-case "
                                 "letter [opsig-precomputed-upper-name]\n"));
}

TEST(MalformedPrecomputed, UpperCaseNameOfAnAddedValue) {
  expectFindings(withPrecomputed("  - int d, int E\n"
                                 "           ^~~~~ precomputed name 'E' needs a lower-case "
                                 "letter [opsig-precomputed-upper-name]\n"));
}

TEST(MalformedPrecomputed, UnknownType) {
  expectFindings(withPrecomputed("  - dim -> int64_t d\n"
                                 "           ^~~~~~~ 'int64_t' [opsig-type-unknown]\n"));
}

TEST(MalformedPrecomputed, NotStructured) {
  expectFindings(R"(
- func: f(Tensor self, int dim) -> Tensor
  precomputed:
  ^~~~~~~~~~~ 'precomputed' needs 'structured: True' [opsig-precomputed-without-structured]
  - dim -> int d
- func: g(Tensor self, int dim) -> Tensor
  precomputed: []
  ^~~~~~~~~~~ 'precomputed' needs 'structured: True' [opsig-precomputed-without-structured]
)");
}

} // namespace
