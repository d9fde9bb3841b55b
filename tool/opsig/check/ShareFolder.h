//===- ShareFolder.h - What is installed beside the program -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_TOOL_SHAREFOLDER_H
#define OPSIG_TOOL_SHAREFOLDER_H

#include <string>

namespace opsig {

/// share/opsig, of the installation or of the build folder; it may not be there. "" if it is not
/// known where the program lies.
std::string shareFolder();

/// Warns once if the program was installed without the files that belong to it: what needs them is
/// read in part.
void warnOfIncompleteInstallation();

} // namespace opsig

#endif
