//===- StableApiMisuse.h - What goes wrong in moves to the stable ABI -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// file => the preprocessor, headers of others empty => words of the branches that are compiled
//   => StableMisuse: what compiles all the same, and is wrong when it runs or elsewhere
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_FRONTEND_STABLEAPIMISUSE_H
#define OPSIG_FRONTEND_STABLEAPIMISUSE_H

#include "opsig/Frontend/Parse.h"

namespace opsig {

struct StableMisuse {
  enum Kind : uint8_t {
    NullStream,   ///< in stable code: work is given to the null stream
    NarrowEnd,    ///< an end where narrow() wants a length
    UnstableMacro ///< a check of c10's where TORCH_STABLE_ONLY or TORCH_TARGET_VERSION is defined
  } Is;
  std::string File; ///< absolute
  uint32_t Offset = 0, Length = 0;
  std::string Text;    ///< what stands there: "i + n", "nullptr", "TORCH_CHECK"
  std::string Instead; ///< "n", "STD_TORCH_CHECK"; "" where that is not known
};

/// In the file of \p Job and in headers of the project that it includes, in the order in which the
/// compiler meets them. None where the command cannot be used; the reading says that.
std::vector<StableMisuse> stableApiMisuses(const ParseJob &Job, const ParseOptions &Options);

} // namespace opsig

#endif
