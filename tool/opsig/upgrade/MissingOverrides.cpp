//===- MissingOverrides.cpp - methods that a class of the project lacks -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "upgrade/MissingOverrides.h"
#include "opsig/Upgrade/Upgrade.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace opsig {

void MissingOverrides::list() {
  for (llvm::StringRef Part : {"c10", "ATen", "torch"}) {
    std::error_code Error;
    llvm::SmallString<256> Root(Folder);
    llvm::sys::path::append(Root, Part);
    for (llvm::sys::fs::recursive_directory_iterator It(Root, Error), End; It != End && !Error;
         It.increment(Error)) {
      // Thousands of headers of operators declare no class.
      if (llvm::sys::path::filename(It->path()) == "ops") {
        It.no_push();
        continue;
      }
      if (llvm::sys::path::extension(It->path()) == ".h")
        if (auto Id = Identities.of(It->path()))
          Headers.try_emplace(*Id, It->path());
    }
  }
}

std::string MissingOverrides::about(const ClangMessage &Error) {
  if (!saysAbstract(Error.Text))
    return "";
  if (Headers.empty())
    list();
  std::string Out;
  for (const CodePoint &Method : Error.Notes) {
    auto Header = Headers.find(Method.File);
    if (Header == Headers.end())
      continue;
    auto Text = llvm::MemoryBuffer::getFile(Header->second);
    std::string Declaration = Text ? overrideOf((*Text)->getBuffer(), Method.Offset) : "";
    if (Declaration.empty())
      continue;
    llvm::StringRef Name = llvm::StringRef(Header->second).drop_front(Folder.size()).ltrim('/');
    Out += (Out.empty() ? "add '" : "; add '") + Declaration + "', which '" + Name.str() +
           "' declares";
  }
  return Out;
}

} // namespace opsig
