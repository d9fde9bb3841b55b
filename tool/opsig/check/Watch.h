//===- Watch.h - Checking again whenever a file changes ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// folders => changes of sources, YAML files and settings in them => the same command again
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_CHECK_WATCH_H
#define OPSIG_TOOL_CHECK_WATCH_H

#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace opsig {

/// Runs opsig with \p Arguments (from the subcommand on), then again after each change of a file
/// that a check reads, in or below \p Folders. Folders that a check of them leaves out are not
/// watched. Each run is a process of its own: what it read is in the cache. Does not come back but
/// where nothing can be watched.
llvm::Error watchAndRun(const std::vector<std::string> &Arguments,
                        const std::vector<std::string> &Folders);

} // namespace opsig

#endif
