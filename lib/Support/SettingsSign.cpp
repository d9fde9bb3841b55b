//===- SettingsSign.cpp - Which folders hold settings -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Support/SettingsSign.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Support/ReadFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

namespace opsig {

bool hasOpsigHeader(llvm::StringRef Text) {
  for (llvm::StringRef Line : llvm::split(Text, '\n')) {
    Line = Line.ltrim();
    if (!Line.consume_front("["))
      continue;
    Line.consume_front("[");
    if (!(Line = Line.ltrim()).consume_front("tool") || !(Line = Line.ltrim()).consume_front("."))
      continue;
    Line = Line.ltrim();
    if (Line.consume_front("opsig") && (Line = Line.ltrim(), !Line.empty()) &&
        (Line.front() == ']' || Line.front() == '.'))
      return true;
  }
  return false;
}

bool holdsSettings(llvm::StringRef Folder) {
  if (llvm::sys::fs::exists(joinedPath(Folder, ".opsig.yaml")))
    return true;
  std::string Pyproject = joinedPath(Folder, "pyproject.toml");
  if (!llvm::sys::fs::exists(Pyproject))
    return false;
  auto Text = readWholeFile(Pyproject);
  if (!Text) {
    llvm::consumeError(Text.takeError());
    return false;
  }
  return hasOpsigHeader((*Text)->getBuffer());
}

} // namespace opsig
