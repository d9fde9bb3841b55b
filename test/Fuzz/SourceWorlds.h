//===- SourceWorlds.h - The sources of the tests, as the fuzzer takes them ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tests below test/Check and test/Frontend, cut at "#--- NAME" (split-file) => YAML files => World
//                                                    => C++ files  => Source
// docs/example-backend with an installed PyTorch's schemas => World, Source*
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TEST_FUZZ_SOURCEWORLDS_H
#define OPSIG_TEST_FUZZ_SOURCEWORLDS_H

#include "opsig/Check/Project.h"
#include "opsig/Torchgen/Torchgen.h"
#include <map>
#include <set>

namespace opsig::fuzz {

/// Schemas and the files that belong to them.
struct World {
  SourceFiles Files;
  std::shared_ptr<const ReleaseTraits> Facts; ///< has the dialect of Ops where there is a torchgen
  std::unique_ptr<Operators> Ops;
  std::vector<ExternalBackend> Backends;
  std::unique_ptr<ProjectChecker> Checker;
  std::vector<std::string> Flags;
  std::vector<VirtualFile> Headers;
};

/// "id: operator" of each finding, or "id: message" where it is about none.
using Messages = std::set<std::string>;

struct Outcome {
  Messages Found;
  bool Broken; ///< Clang saw errors
};

struct Source {
  const World *In;
  std::string Name; ///< "/mem/kernels.cpp"
  std::string Text;
  /// What is found in it as it is, once that was asked for.
  std::map<Scope, Outcome> Whole;
};

struct Corpus {
  std::vector<std::unique_ptr<World>> Worlds;
  std::vector<Source> Sources;
};

/// The sources of all tests in \p Root/test/Check whose schemas can be used, and of the example
/// backend where an installed PyTorch has schemas for it.
Corpus loadCorpus(llvm::StringRef Root);

} // namespace opsig::fuzz

#endif
