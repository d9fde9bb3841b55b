//===- ShareFolder.cpp - What is installed beside the program ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Messages.h"
#include "check/ShareFolder.h"
#include "opsig/Frontend/ClangHeaders.h"
#include "opsig/Support/ProgramPath.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace opsig {

std::string shareFolder() {
  std::string Program = programPath();
  // A relative path would lead into the project that is checked.
  if (!path::is_absolute(Program))
    return "";
  llvm::SmallString<256> Folder(path::parent_path(path::parent_path(Program)));
  path::append(Folder, "share", "opsig");
  return std::string(Folder);
}

void warnOfIncompleteInstallation() {
  static bool Warned = false;
  if (Warned)
    return;
  Warned = true;
  std::string Share = shareFolder(), Clang = clangResourceFolder();
  std::string Missing;
  if (!fs::is_directory(Share))
    Missing = Share.empty() ? "share/opsig" : Share;
  else if (!fs::exists(Clang + "/include/stddef.h"))
    Missing = Clang + "/include";
  if (!Missing.empty())
    reportWarning("this installation is incomplete: '" + Missing +
                  "' is missing, so opsig cannot read some sources completely; install the whole "
                  "package, and link to the program instead of copying it");
}

} // namespace opsig
