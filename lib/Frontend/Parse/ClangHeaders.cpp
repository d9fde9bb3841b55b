//===- ClangHeaders.cpp - Clang's own headers -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Frontend/ClangHeaders.h"
#include "opsig/Support/ProgramPath.h"

#include "clang/Options/OptionUtils.h"
#include "llvm/Support/FileSystem.h"

std::string opsig::clangResourceFolder() {
  std::string Program = programPath();
  if (!Program.empty()) {
    std::string Next = clang::GetResourcesPath(Program);
    if (llvm::sys::fs::exists(Next + "/include/stddef.h"))
      return Next;
  }
  return OPSIG_CLANG_RESOURCE_DIR;
}
