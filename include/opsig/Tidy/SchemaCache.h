//===- SchemaCache.h - Schemas for many files of one process ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// settings + folder of a file + its headers => (Check/Schemas.h) SchemaSource => CheckedSchemas,
// read once
//
// clang-tidy checks many files in one process, clangd the same ones again and again, in threads.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_TIDY_SCHEMACACHE_H
#define OPSIG_TIDY_SCHEMACACHE_H

#include "opsig/Check/Project.h"
#include "opsig/Workspace/Schemas.h"
#include "llvm/ADT/StringSet.h"
#include <atomic>
#include <mutex>

namespace opsig {

/// Schemas and the checker made from them, or why there are none. Does not change once it is made.
struct CheckedSchemas {
  /// "" or what cannot be read, or was not found.
  std::string Failure;
  /// What is wrong in .opsig.yaml (whose text is in ConfigFiles).
  Findings ConfigDiags;
  SourceFiles ConfigFiles;
  /// Null after a failure; else Schemas->Diags holds what is wrong in the YAML files.
  std::unique_ptr<LoadedSchemas> Schemas;
  /// There is one exactly if the schemas can be used.
  std::unique_ptr<ProjectChecker> Checker;

  /// True for the first that asks: what is wrong with schemas is told once.
  bool claimReport() const { return !Reported.exchange(true); }

private:
  mutable std::atomic<bool> Reported = false;
};

/// What a file is checked against.
struct SchemasOfFile {
  std::shared_ptr<const CheckedSchemas> Schemas; ///< never null
  ProjectConfig Project;
  /// What a user should know of the choice, for this file.
  std::vector<std::string> Warnings;
};

/// Safe to use from several threads.
class SchemaCache {
public:
  /// The schemas for a file in the folder \p StartDir that found PyTorch's headers in
  /// \p TorchFolders. Reads them again when one of their files is another one than before (its size
  /// or time of change).
  SchemasOfFile get(const SchemaSettings &Settings, llvm::StringRef StartDir,
                    llvm::ArrayRef<std::string> TorchFolders = {});

  /// True for the first that asks with \p Warning.
  bool claim(llvm::StringRef Warning);

private:
  struct Entry {
    std::string Paths;  ///< all files and the dialect
    std::string Stamps; ///< their sizes and times
    std::shared_ptr<const CheckedSchemas> Schemas;
  };
  std::mutex Mutex;
  std::vector<Entry> Entries; ///< the last used one last
  llvm::StringSet<> Claimed;
};

} // namespace opsig

#endif
