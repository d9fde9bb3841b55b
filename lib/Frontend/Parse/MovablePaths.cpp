//===- MovablePaths.cpp - what is kept names files of the project how --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Parse/MovablePaths.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

using namespace opsig;
using llvm::StringRef;

/// No path begins with it.
static constexpr char Mark = '\1';

MovablePaths::MovablePaths(StringRef Of) {
  if (Of.size() > 1 && Of.starts_with("/") && !Of.ends_with("/"))
    Folder = Of.str();
}

MovablePaths MovablePaths::ofWorkingFolder() {
  llvm::SmallString<256> Working;
  return llvm::sys::fs::current_path(Working) ? MovablePaths() : MovablePaths(Working);
}

std::string MovablePaths::toKept(StringRef Path) const {
  StringRef Rest = Path;
  if (Folder.empty() || !Rest.consume_front(Folder) || !(Rest.empty() || Rest.starts_with("/")))
    return Path.str();
  return Mark + Rest.str();
}

std::string MovablePaths::fromKept(StringRef Path) const {
  StringRef Rest = Path;
  return Rest.consume_front(StringRef(&Mark, 1)) ? Folder + Rest.str() : Path.str();
}

std::string MovablePaths::wordToKept(StringRef Word) const {
  if (Folder.empty() || Word.starts_with("-D"))
    return Word.str();
  std::string Out;
  while (true) {
    size_t At = Word.find(Folder);
    StringRef Rest = Word.substr(At).drop_front(At == StringRef::npos ? 0 : Folder.size());
    if (At == StringRef::npos)
      return Out + Word.str();
    // "/my/project2" is none of "/my/project"; ':' is between the folders of a variable.
    bool Ends = Rest.empty() || Rest.front() == '/' || Rest.front() == ':';
    Out += Word.take_front(At);
    Out += Ends ? std::string(1, Mark) : Folder;
    Word = Rest;
  }
}
