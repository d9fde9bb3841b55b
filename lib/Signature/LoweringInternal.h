//===- LoweringInternal.h - Lowering of types, shared by the conventions ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_LIB_SIGNATURE_LOWERINGINTERNAL_H
#define OPSIG_LIB_SIGNATURE_LOWERINGINTERNAL_H

#include "opsig/Signature/Signature.h"

namespace opsig {

/// The C++ type of a base type by itself; Unlowerable where there is none.
CppBase baseType(BaseTy Ty, bool SymInt);

/// The C++ type of a value type, which is the same for arguments and returns in all conventions.
/// Nothing for tensors, scalars and what holds them, and for lists except sized ones of bool.
std::optional<CType> valueType(const Type &T, bool SymInt);

/// The C++ type of an argument in the cpp and dispatcher conventions.
CType cppType(const Type &T, bool Mutable, const Lowering &L, bool SymInt);

} // namespace opsig

#endif
