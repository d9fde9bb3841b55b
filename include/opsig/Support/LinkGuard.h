//===- LinkGuard.h - Links that lead out of a project --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A checkout can contain links. Writing "report.sarif" in it, or following its settings, must never
// reach files outside the project.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SUPPORT_LINKGUARD_H
#define OPSIG_SUPPORT_LINKGUARD_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace opsig {

/// The project of the existing folder \p Folder: the nearest folder from it upwards with a .git,
/// else with a .opsig.yaml, else the working folder if that is above. The user's home and the root
/// folder are not projects. "" if there is none. Links are resolved.
std::string projectAround(llvm::StringRef Folder);

/// Whether \p Path is \p Folder or in it, with links resolved as far as the path exists.
bool isInside(llvm::StringRef Path, llvm::StringRef Folder);

/// Whether a file of this name is C++ or Python source code.
bool isNamedAsCode(llvm::StringRef Path);

/// Whether \p Path is a link to a file outside its project that has no name of source code. Such a
/// file is not part of the project, and its text must not be shown.
bool linksToForeignText(llvm::StringRef Path);

/// Fails if writing \p Path would follow a link of a project out of that project. Outside of
/// projects, fails if \p Path is a link out of its folder.
llvm::Error checkLinksBeforeWriting(llvm::StringRef Path);

} // namespace opsig

#endif
