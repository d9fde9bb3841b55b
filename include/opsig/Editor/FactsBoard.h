//===- FactsBoard.h - What is known of a workspace, from several threads ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// buffers that a server parsed, files of the project read beside => FactsBoard => CodeIndex
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_EDITOR_FACTSBOARD_H
#define OPSIG_EDITOR_FACTSBOARD_H

#include "opsig/Editor/CodeIndex.h"
#include <mutex>

namespace opsig {

/// Safe to use from several threads.
class FactsBoard {
public:
  /// What was read of an open buffer: goes before what is on disk.
  void putBuffer(SourceFactsPtr Facts);
  /// What was read of a file on disk.
  void putFile(SourceFactsPtr Facts);
  /// The buffer has been closed; what was read of it stays as what is on disk.
  void closeBuffer(llvm::StringRef Path);
  /// All of it; made again only where something has changed.
  std::shared_ptr<const CodeIndex> index();
  /// Of \p Path, or of any file if it has not been read.
  std::shared_ptr<const LoadedSchemas> schemasFor(llvm::StringRef Path);

private:
  using ByPath = std::map<std::string, SourceFactsPtr, std::less<>>;
  std::mutex Mutex;
  ByPath Buffers, Files;
  std::shared_ptr<const CodeIndex> Index; ///< null where it is out of date
};

} // namespace opsig

#endif
