//===- WorkspaceTexts.h - Open buffers, and files on disk behind them ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_LIB_EDITOR_WORKSPACETEXTS_H
#define OPSIG_LIB_EDITOR_WORKSPACETEXTS_H

#include "opsig/Editor/CodeAnswers.h"
#include "opsig/Editor/Completion.h"
#include "opsig/Lsp/Documents.h"

namespace opsig {

/// While one request is answered: each file is read once.
class WorkspaceTexts {
public:
  explicit WorkspaceTexts(const Documents &Open) : Open(Open) {}

  std::shared_ptr<const std::string> text(llvm::StringRef Path);
  TextOfPath function() {
    return [this](llvm::StringRef Path) { return text(Path); };
  }
  /// As the protocol has it; an empty one where the file cannot be read.
  llvm::json::Object range(const FileSpan &At);
  /// Without those of files that cannot be read.
  llvm::json::Array locations(llvm::ArrayRef<FileSpan> Spans);

private:
  /// The URI by which the editor knows the file.
  std::string uriOf(llvm::StringRef Path) const;

  const Documents &Open;
  std::map<std::string, std::shared_ptr<const std::string>, std::less<>> Read;
};

/// A CompletionList.
llvm::json::Value completionJson(const Completions &Found, const TextLines &Lines,
                                 PositionUnits Units);

} // namespace opsig

#endif
