//===- ShareFolder.cpp - What is installed beside the program ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/ShareFolder.h"
#include "opsig/Lsp/Message.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace path = llvm::sys::path;

namespace opsig {

/// A folder of share/, beside the folder of the program.
static std::string besideProgram(llvm::ArrayRef<llvm::StringRef> Below) {
  std::string Program =
      llvm::sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&besideProgram));
  llvm::SmallString<256> Folder(path::parent_path(path::parent_path(Program)));
  path::append(Folder, "share");
  for (llvm::StringRef Name : Below)
    path::append(Folder, Name);
  return std::string(Folder);
}

std::string shareFolder() { return besideProgram({"opsig"}); }

DocsLinks programDocs() {
  std::string Folder = besideProgram({"doc", "opsig"});
  // Some systems install no documents (images for containers leave them out).
  bool IsThere = llvm::sys::fs::is_directory(Folder + "/docs/diagnostics");
  return docsLinks(IsThere ? uriOfPath(Folder) : "");
}

} // namespace opsig
