//===- ProgramDocs.cpp - The documentation that belongs to the program --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/ProgramDocs.h"
#include "check/ShareFolder.h"
#include "opsig/Lsp/Message.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace opsig {

DocsLinks programDocs() {
  std::string Share = shareFolder();
  if (Share.empty())
    return docsLinks("");
  // share/doc/opsig, beside share/opsig.
  llvm::SmallString<256> Folder(llvm::sys::path::parent_path(Share));
  llvm::sys::path::append(Folder, "doc", "opsig");
  // Some systems install no documents (images for containers leave them out).
  bool IsThere = llvm::sys::fs::is_directory(Folder + "/docs/diagnostics");
  return docsLinks(IsThere ? uriOfPath(Folder) : "");
}

} // namespace opsig
