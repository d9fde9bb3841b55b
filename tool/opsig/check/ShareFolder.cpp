//===- ShareFolder.cpp - What is installed beside the program ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/ShareFolder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace path = llvm::sys::path;

namespace opsig {

std::string shareFolder() {
  std::string Program =
      llvm::sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&shareFolder));
  llvm::SmallString<256> Folder(path::parent_path(path::parent_path(Program)));
  path::append(Folder, "share", "opsig");
  return std::string(Folder);
}

} // namespace opsig
