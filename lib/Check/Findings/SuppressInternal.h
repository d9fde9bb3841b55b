//===- SuppressInternal.h - Comments of opsig's own form --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_LIB_CHECK_SUPPRESSINTERNAL_H
#define OPSIG_LIB_CHECK_SUPPRESSINTERNAL_H

#include "opsig/Support/SourceText.h"

namespace opsig {

/// One `opsig: allow(LIST)`.
struct AllowComment {
  Place At;             ///< from "opsig:" to the parenthesis
  llvm::StringRef List; ///< between the parentheses
  Place ListAt;
  uint32_t First, Last; ///< the lines it is about
};

/// All of them in a file, in order. What follows the parenthesis is the user's reason.
std::vector<AllowComment> allowComments(FileId File, const SourceFiles &Files);

} // namespace opsig

#endif
