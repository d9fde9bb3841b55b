//===- PathGlob.h - Patterns of file names ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "src/**/*.cpp" x "src/a/b.cpp" => whether the pattern matches the path
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SUPPORT_PATHGLOB_H
#define OPSIG_SUPPORT_PATHGLOB_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace opsig {

/// Whether \p Text contains a character with a meaning in patterns.
bool isPathGlob(llvm::StringRef Text);

/// `*`, `?` and `[...]` match characters of one path component; a component `**` matches any number
/// of components, including none. Both sides are compared as written.
bool pathGlobMatches(llvm::StringRef Glob, llvm::StringRef Path);

/// The same, but a pattern that matches a folder also matches everything in it.
bool pathGlobCovers(llvm::StringRef Glob, llvm::StringRef Path);

/// \p Tail below \p Folder.
std::string joinedPath(llvm::StringRef Folder, llvm::StringRef Tail);

/// \p Path as an absolute one without "." and "..", links not followed.
std::string absolutePath(llvm::StringRef Path);

/// \p Path with all links resolved; absolutePath() if it does not exist.
std::string realPath(llvm::StringRef Path);

/// \p Path relative to the folder \p Folder if it is in it, otherwise absolute.
std::string pathBelow(llvm::StringRef Path, llvm::StringRef Folder);

/// \p Path with each byte that has a meaning in URIs as "%2C", except those in \p Plain.
std::string uriEncoded(llvm::StringRef Path, llvm::StringRef Plain = "");

} // namespace opsig

#endif
