//===- DispatchKey.h - The dispatch keys of every known release -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which of these a release has, and in which order it writes their files, is a trait of its
// Dialect.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_DIALECT_DISPATCHKEY_H
#define OPSIG_DIALECT_DISPATCHKEY_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace opsig {

enum class DispatchKey : uint8_t {
#define OPSIG_DISPATCH_KEY(Name) Name,
#include "opsig/Dialect/DispatchKeys.def"
};

inline constexpr unsigned NumDispatchKeys = 0
#define OPSIG_DISPATCH_KEY(Name) +1
#include "opsig/Dialect/DispatchKeys.def"
    ;

/// "CompositeImplicitAutograd".
llvm::StringRef toString(DispatchKey Key);
/// "compositeimplicitautograd", as in namespaces and file names.
std::string toLower(DispatchKey Key);
/// The key of that name in any release; "CatchAll" is another name of Undefined.
std::optional<DispatchKey> parseDispatchKey(llvm::StringRef Name);

/// One of the four Composite... keys, which serve every backend.
bool isCompositeKey(DispatchKey Key);
bool isCudaKey(DispatchKey Key);
bool isXpuKey(DispatchKey Key);

} // namespace opsig

#endif
