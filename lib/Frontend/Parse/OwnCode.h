//===- OwnCode.h - Code that a signal may end --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_LIB_FRONTEND_PARSE_OWNCODE_H
#define OPSIG_LIB_FRONTEND_PARSE_OWNCODE_H

#include "llvm/ADT/STLExtras.h"
#include <cstdint>
#include <utility>
#include <vector>

namespace opsig {

/// Code of opsig, Clang and LLVM. A reading can be left in the middle of it, as after a crash; in
/// the C library it may hold a lock that other threads wait for, that of memory above all.
class OwnCode {
public:
  static const OwnCode &here() {
    static const OwnCode The;
    return The;
  }
  bool contains(uintptr_t Address) const {
    return llvm::any_of(Ranges,
                        [&](const auto &R) { return R.first <= Address && Address < R.second; });
  }

private:
  OwnCode();
  std::vector<std::pair<uintptr_t, uintptr_t>> Ranges;
};

/// Where the thread was when the signal came whose handler is given \p Context.
uintptr_t interruptedAt(void *Context);

} // namespace opsig

#endif
