//===- InplaceName.h - Schemas that are named like in-place operators -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// torchgen refuses such schemas (ParseInternal.h); libtorch takes a '_' at the end of a name for a
// part of the name.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SCHEMA_INPLACENAME_H
#define OPSIG_SCHEMA_INPLACENAME_H

#include "opsig/Schema/FunctionSchema.h"

namespace opsig {

struct UnwrittenSelf {
  const Argument *Self = nullptr;
  /// A return is the same tensor. Otherwise nothing in the schema has an annotation, and only the
  /// names, '_' and 'self', tell of a write.
  bool IsReturned = false;

  explicit operator bool() const { return Self; }
};

/// The first argument of a schema whose name ends in '_', if the operator appears to write to it
/// and the schema does not say so.
UnwrittenSelf unwrittenSelf(const FunctionSchema &S);

/// What is wrong with it.
std::string unwrittenSelfMessage(const FunctionSchema &S, const Argument &Self);

} // namespace opsig

#endif
