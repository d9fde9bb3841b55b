//===- ProgramPath.h - Where the running program lies -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_SUPPORT_PROGRAMPATH_H
#define OPSIG_SUPPORT_PROGRAMPATH_H

#include <string>

namespace opsig {

/// The absolute path of the running program, without symbolic links; "" where it cannot be found.
std::string programPath();

} // namespace opsig

#endif
