//===- LinkGuard.h - Links that lead out of a project --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A checkout brings links with it. Whoever writes "report.sarif" in it, or follows its settings,
// must not get to files that the project does not have.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SUPPORT_LINKGUARD_H
#define OPSIG_SUPPORT_LINKGUARD_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace opsig {

/// The project that \p Folder, which is there, belongs to: the nearest folder from it upwards that
/// has a .git, else one that has a .opsig.yaml, else the working folder if that is above. The
/// user's home and the root of all folders are not projects. "" where there is none. Links are
/// resolved.
std::string projectAround(llvm::StringRef Folder);

/// Whether \p Path, with links resolved as far as it is there, is \p Folder or in it.
bool isInside(llvm::StringRef Path, llvm::StringRef Folder);

/// Whether a file of that name is source code, for C++ or Python.
bool isNamedAsCode(llvm::StringRef Path);

/// Whether \p Path is a link to a file outside of its project that is not named as code. Such a
/// file is no source of the project, and nothing of its text may be shown.
bool linksToForeignText(llvm::StringRef Path);

/// Fails where \p Path is to be written and leads through a link of a project out of that project,
/// or is itself a link that leads out of its folder where no project is known.
llvm::Error checkLinksBeforeWriting(llvm::StringRef Path);

} // namespace opsig

#endif
