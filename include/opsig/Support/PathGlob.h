//===- PathGlob.h - Patterns of file names ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "src/**/*.cpp" x "src/a/b.cpp" => whether the pattern is meant for the path
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SUPPORT_PATHGLOB_H
#define OPSIG_SUPPORT_PATHGLOB_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace opsig {

/// Whether \p Text has a character that means something in a pattern.
bool isPathGlob(llvm::StringRef Text);

/// `*`, `?` and `[...]` stand for characters of one component of a path, a component `**` for any
/// number of components, also for none. Both sides are compared as they are written.
bool pathGlobMatches(llvm::StringRef Glob, llvm::StringRef Path);

/// The same, where a pattern that matches a folder also matches everything below it.
bool pathGlobCovers(llvm::StringRef Glob, llvm::StringRef Path);

/// \p Tail below \p Folder.
std::string joinedPath(llvm::StringRef Folder, llvm::StringRef Tail);

/// \p Path as an absolute one without "." and "..", links not followed.
std::string absolutePath(llvm::StringRef Path);

/// \p Path with all links followed; where it is not there, absolutePath().
std::string realPath(llvm::StringRef Path);

/// \p Path as seen from the folder \p Folder where it lies below that, else as an absolute one.
std::string pathBelow(llvm::StringRef Path, llvm::StringRef Folder);

/// \p Path with each byte that means something in a URI as "%2C", but for those of \p Plain.
std::string uriEncoded(llvm::StringRef Path, llvm::StringRef Plain = "");

} // namespace opsig

#endif
