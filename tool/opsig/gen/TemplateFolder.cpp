//===- TemplateFolder.cpp - Template files of PyTorch -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gen/TemplateFolder.h"
#include "opsig/Support/ReadFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace fs = llvm::sys::fs;

namespace opsig {

static llvm::Error unreadable(llvm::StringRef Path, std::error_code EC) {
  return llvm::createStringError(EC, "cannot read '" + Path + "': " + EC.message());
}

llvm::Error addTemplate(llvm::StringRef Path, TemplateSet &Templates, SourceFiles &Files) {
  auto Buffer = readWholeFile(Path);
  if (!Buffer)
    return Buffer.takeError();
  Templates.add(llvm::sys::path::filename(Path),
                Files.add(Path, withUniversalNewlines((*Buffer)->getBuffer())));
  return llvm::Error::success();
}

llvm::Error addTemplateFolder(llvm::StringRef Dir, TemplateSet &Templates, SourceFiles &Files) {
  std::error_code EC;
  for (fs::directory_iterator It(Dir, EC), End; !EC && It != End; It.increment(EC))
    if (!fs::is_directory(It->path()))
      if (llvm::Error Err = addTemplate(It->path(), Templates, Files))
        return Err;
  return EC ? unreadable(Dir, EC) : llvm::Error::success();
}

} // namespace opsig
