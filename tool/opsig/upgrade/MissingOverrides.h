//===- MissingOverrides.h - Methods that a class of the project lacks ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// an error about an abstract class, whose notes point into headers of PyTorch
//   => the declarations that the class needs
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TOOL_UPGRADE_MISSINGOVERRIDES_H
#define OPSIG_TOOL_UPGRADE_MISSINGOVERRIDES_H

#include "opsig/Edit/Proof.h"
#include "llvm/ADT/StringRef.h"

namespace opsig {

class MissingOverrides {
public:
  /// \p Folder has `ATen`, `c10` and `torch`. Its headers are listed when one is asked for.
  explicit MissingOverrides(std::string Folder) : Folder(std::move(Folder)) {}

  /// "add 'void f() override', which 'c10/core/Allocator.h' declares"; "" where the error is
  /// another one.
  std::string about(const ClangMessage &Error);

private:
  void list();

  std::string Folder;
  FileIdentities Identities;
  std::map<llvm::sys::fs::UniqueID, std::string> Headers;
};

} // namespace opsig

#endif
