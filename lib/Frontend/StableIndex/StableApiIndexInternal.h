//===- StableApiIndexInternal.h - The steps from headers to a StableApiIndex -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// headers => StableApiScan of each target: lines that it has not, macros, what includes what
//   (StableApiScan.cpp) => which targets have to be parsed to see all (StableApiIndex.cpp)
//   => StableApiDecl: declarations and where they stand (StableApiDecls.cpp) => their targets
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_FRONTEND_STABLEINDEX_STABLEAPIINDEXINTERNAL_H
#define OPSIG_LIB_FRONTEND_STABLEINDEX_STABLEAPIINDEXINTERNAL_H

#include "opsig/Frontend/Parse.h"
#include "opsig/Frontend/StableApiIndex.h"
#include <map>
#include <set>

namespace opsig {

/// What is read: a text that includes all headers.
struct StableApiInput {
  std::string Folder; ///< absolute
  std::vector<std::string> Headers;
  std::vector<std::string> Flags;
  std::vector<std::string> Switches; ///< macros that open what C shims have for one device

  /// What includes them all: a file that is not there.
  std::string mainFile() const { return Folder + "/stable-surface.cpp"; }
  std::string text() const;
  ParseJob job(llvm::StringRef Target) const;
};

/// Bytes of a file from Begin on, below End.
struct ByteRange {
  unsigned Begin = 0, End = 0;
  bool holds(const ByteRange &R) const { return Begin <= R.Begin && R.End <= End; }
};

/// One run of the preprocessor. Headers are named as they are included.
struct StableApiScan {
  struct Macro {
    std::string Name;
    unsigned Line = 0;
  };
  struct File {
    std::vector<ByteRange> Skipped;
    std::vector<Macro> Macros;
    std::vector<std::string> Lacks;
    std::set<std::string> Includes; ///< of the folder, be they of the surface or not
    bool Refuses = false;           ///< an #error
  };
  std::map<std::string, File> Files;
  /// What conditions compare the target with, as it is written.
  std::set<std::string> Targets;
  /// Macros that a C shim asks for, and nobody has defined.
  std::set<std::string> Switches;
};
/// \p Target: the text that TORCH_TARGET_VERSION is defined as. None where Clang cannot be run.
std::optional<StableApiScan> scanStableApi(const StableApiInput &Input, llvm::StringRef Target);

/// A declaration, its targets not known yet.
struct StableApiDecl {
  StableItem Item;
  unsigned Offset = 0;
};
struct StableApiDecls {
  std::vector<StableApiDecl> Decls;
  std::vector<StableVersion> Values; ///< of the expressions that were asked for, in their order
};
/// \p Values: expressions that the headers' macros are enough for.
std::optional<StableApiDecls> readStableApiDecls(const StableApiInput &Input,
                                                 llvm::StringRef Target,
                                                 const std::vector<std::string> &Values);

} // namespace opsig

#endif
