//===- SetupSources.h - What the extensions of a setup.py are built from ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// setup.py => python3 with setup_sources.py => the sources of each extension
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_SETUPSOURCES_H
#define OPSIG_TOOL_SETUPSOURCES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace opsig {

/// The absolute paths of the sources of each extension that the setup.py in \p Folder names and
/// whose sources are all written there. Nothing of it is run. Empty where it cannot be read.
std::vector<std::vector<std::string>> setupSources(llvm::StringRef Folder,
                                                   llvm::ArrayRef<std::string> Untrusted);

} // namespace opsig

#endif
