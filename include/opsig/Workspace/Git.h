//===- Git.h - What git says of a folder -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// folder of a checkout, words of a command => what git prints
//
// The repository may be a stranger's: its configuration can name programs for nearly everything
// that git does. None of them is run.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_WORKSPACE_GIT_H
#define OPSIG_WORKSPACE_GIT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <string>
#include <vector>

namespace opsig {

class Git {
public:
  /// The repository whose working tree \p Folder is in. Fails with git's own words. Programs in
  /// \p Untrusted folders are not run.
  static llvm::Expected<Git> of(llvm::StringRef Folder, llvm::ArrayRef<std::string> Untrusted);

  /// Of the working tree.
  const std::string &root() const { return Root; }
  /// \p Input is what git reads.
  llvm::Expected<std::string> run(llvm::ArrayRef<llvm::StringRef> Words,
                                  std::string Input = "") const;

private:
  Git(std::string Program, std::string Root) : Program(std::move(Program)), Root(std::move(Root)) {}

  llvm::Error turnFiltersOff();

  std::string Program, Root;
  std::vector<std::string> Filters; ///< that some configuration defines
};

} // namespace opsig

#endif
