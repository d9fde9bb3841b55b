//===- TestDialects.h - The dialects the tests of this folder use -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_TEST_UNIT_SIGNATURE_TESTDIALECTS_H
#define OPSIG_TEST_UNIT_SIGNATURE_TESTDIALECTS_H

#include "opsig/Dialect/Dialect.h"

namespace opsig::test {

/// The two measured dialects that are furthest apart.
inline const Dialect &oldDialect() { return *chooseDialect(llvm::VersionTuple(1, 13)).Chosen; }
inline const Dialect &newDialect() { return *chooseDialect(llvm::VersionTuple(2, 9)).Chosen; }

} // namespace opsig::test

#endif
