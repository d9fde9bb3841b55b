//===- EditorModule.h - opsig's checks, whose readings are kept ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_CLANGD_EDITORMODULE_H
#define OPSIG_CLANGD_EDITORMODULE_H

#include "opsig/Editor/FactsBoard.h"
#include <functional>

namespace opsig {

/// What the checks have read.
struct EditorFacts {
  std::shared_ptr<FactsBoard> Board = std::make_shared<FactsBoard>();
  /// Called for each file that was read; set before clangd runs. Called by several threads.
  std::function<void(llvm::StringRef Path)> Opened;
};

/// The one of this program: clangd makes the module by itself.
EditorFacts &editorFacts();

} // namespace opsig

#endif
