//===- MovablePaths.h - What is kept names files of the project how ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// path below the working folder <=> the same path without the folder
//
// So that what one checkout keeps is good for another one, be it on another machine.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_FRONTEND_PARSE_MOVABLEPATHS_H
#define OPSIG_LIB_FRONTEND_PARSE_MOVABLEPATHS_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace opsig {

class MovablePaths {
public:
  /// Below which nothing is: paths stay as they are.
  MovablePaths() = default;
  /// \p Folder is absolute.
  explicit MovablePaths(llvm::StringRef Folder);
  static MovablePaths ofWorkingFolder();

  /// A path, or a text that begins with one.
  std::string toKept(llvm::StringRef Path) const;
  /// What toKept() was given, if it was below a folder that is now this one.
  std::string fromKept(llvm::StringRef Path) const;
  /// A word of a command, for a key. Macros stay as they are: their text is part of the sources.
  std::string wordToKept(llvm::StringRef Word) const;
  /// Whether \p Text names the folder.
  bool areIn(llvm::StringRef Text) const { return !Folder.empty() && Text.contains(Folder); }
  const std::string &folder() const { return Folder; }

private:
  std::string Folder;
};

} // namespace opsig

#endif
