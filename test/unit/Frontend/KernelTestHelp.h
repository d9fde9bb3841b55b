//===- KernelTestHelp.h - parses snippets against the small torch world -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_TEST_UNIT_KERNEL_KERNELTESTHELP_H
#define OPSIG_TEST_UNIT_KERNEL_KERNELTESTHELP_H

#include "opsig/Frontend/Parse.h"
#include <cstdlib>

namespace opsig::test {

inline std::string sourceRoot() {
  const char *Root = std::getenv("OPSIG_SOURCE_ROOT"); // lit sets it
  return Root ? Root : llvm::StringRef(__FILE__).split("/test/unit/").first.str();
}

inline std::vector<std::string> miniTorchFlags() {
  return {"-std=c++17", "-nostdinc++", "-isystem", sourceRoot() + "/test/Inputs/torch"};
}

/// What is in a file a.cpp of this text.
inline UnitFacts parse(llvm::StringRef Code, std::vector<std::string> Scopes = {"demo"},
                       std::vector<std::string> ExtraFlags = {},
                       std::vector<VirtualFile> Headers = {}) {
  std::vector<std::string> Flags = miniTorchFlags();
  Flags.insert(Flags.end(), ExtraFlags.begin(), ExtraFlags.end());
  ParseOptions Options;
  Options.Scopes = std::move(Scopes);
  Options.Buffers = std::move(Headers);
  Options.Buffers.push_back({"/mem/a.cpp", Code.str()});
  ParseJob Job = CompileCommands::fixed(Flags).job("/mem/a.cpp");
  return parseKernels(Job, Options);
}

/// The text of a span in the only file of a unit.
inline llvm::StringRef text(llvm::StringRef Code, Span S) {
  return Code.substr(S.Offset, S.Length);
}

} // namespace opsig::test

#endif
