//===- AotiFallbackOps.h - Operators that compiled models call --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler behind AOTInductor knows no code of its own for these, and calls them through C
// shims. A release's list is part of its binary interface.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_DIALECT_AOTIFALLBACKOPS_H
#define OPSIG_DIALECT_AOTIFALLBACKOPS_H

#include "llvm/ADT/StringRef.h"

namespace opsig {

// Operator names, in the order of "name.overload" with "default" for an overload without name.
inline constexpr unsigned NumFallbackOps24 = 135;
extern const llvm::StringLiteral FallbackOps24[NumFallbackOps24];
inline constexpr unsigned NumFallbackOps29 = 158;
extern const llvm::StringLiteral FallbackOps29[NumFallbackOps29];
/// Those that have a shim for all devices.
inline constexpr unsigned NumShimifiedOps29 = 6;
extern const llvm::StringLiteral ShimifiedOps29[NumShimifiedOps29];

} // namespace opsig

#endif
