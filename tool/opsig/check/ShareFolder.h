//===- ShareFolder.h - What is installed beside the program -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_TOOL_SHAREFOLDER_H
#define OPSIG_TOOL_SHAREFOLDER_H

#include <string>

namespace opsig {

/// share/opsig, of the installation or of the build folder; it may not be there.
std::string shareFolder();

} // namespace opsig

#endif
