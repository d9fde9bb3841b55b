//===- TemplateFolder.cpp - Template files of PyTorch -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gen/TemplateFolder.h"
#include "opsig/Support/ReadFile.h"
#include "llvm/ADT/STLExtras.h"
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

llvm::Expected<std::vector<std::string>> templateFiles(llvm::StringRef Dir) {
  std::vector<std::string> Files;
  std::error_code EC;
  for (fs::directory_iterator It(Dir, EC), End; !EC && It != End; It.increment(EC))
    if (!fs::is_directory(It->path()))
      Files.push_back(It->path());
  if (EC)
    return unreadable(Dir, EC);
  llvm::sort(Files);
  return Files;
}

llvm::Error addTemplateFolder(llvm::StringRef Dir, TemplateSet &Templates, SourceFiles &Files) {
  llvm::Expected<std::vector<std::string>> Found = templateFiles(Dir);
  if (!Found)
    return Found.takeError();
  for (const std::string &File : *Found)
    if (llvm::Error Err = addTemplate(File, Templates, Files))
      return Err;
  return llvm::Error::success();
}

} // namespace opsig
