//===- HostVersion.cpp - Is the program that loads us the right one? --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Tidy/HostVersion.h"
#include "clang/Basic/Version.h"
#include <cstdio>

using namespace opsig;

/// "MAJOR.MINOR" of the first number after "version".
static llvm::StringRef majorMinor(llvm::StringRef Text) {
  size_t At = Text.find("version ");
  if (At == llvm::StringRef::npos)
    return "";
  Text = Text.drop_front(At + strlen("version "));
  size_t Dot = Text.find('.');
  if (Dot == llvm::StringRef::npos)
    return "";
  return Text.take_front(Text.find_first_not_of("0123456789", Dot + 1));
}

std::string opsig::whyUnusable(llvm::StringRef Module, llvm::StringRef HostVersion) {
  std::string Built =
      std::to_string(CLANG_VERSION_MAJOR) + "." + std::to_string(CLANG_VERSION_MINOR);
  llvm::StringRef Host = majorMinor(HostVersion);
  if (Host == Built)
    return "";
  return (Module + " was built for LLVM " + Built + " and cannot be used with " +
          (Host.empty() ? "'" + HostVersion.str() + "'" : "LLVM " + Host.str()) +
          "; nothing is checked")
      .str();
}

bool opsig::hostIsUsable(llvm::StringRef Module) {
  std::string Why = whyUnusable(Module, clang::getClangFullVersion());
  // Streams of an LLVM that may be another one are not to be trusted.
  if (!Why.empty())
    std::fprintf(stderr, "error: %s\n", Why.c_str());
  return Why.empty();
}
