//===- ClangdProxy.h - Between an editor and clangd --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// messages of the editor => answered here: what stands in registrations
//                         | to clangd as they came: everything else
// messages of clangd => to the editor as they came, but for those with a part of ours: answers that
//                       both know something for, and the links of findings
//
// clangd has no place where others may answer; it sees a plain client and does not know of this.
// Requests keep their ids in both directions.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_EDITOR_CLANGDPROXY_H
#define OPSIG_EDITOR_CLANGDPROXY_H

#include "opsig/Editor/FactsBoard.h"
#include "opsig/Lsp/Documents.h"
#include "opsig/Report/DocsLinks.h"

namespace opsig {

class CodeAnswers;

/// Bodies of messages, in order.
struct ProxyOutput {
  std::vector<std::string> ToServer, ToClient;
};

/// Opens no stream. Safe to use from two threads, one for each direction.
class ClangdProxy {
public:
  explicit ClangdProxy(std::shared_ptr<FactsBoard> Board, DocsLinks Docs = {})
      : Board(std::move(Board)), Docs(std::move(Docs)) {}

  ProxyOutput fromClient(std::string Body);
  ProxyOutput fromServer(std::string Body);

private:
  std::string withOurs(std::string Body);
  /// What becomes of an answer of clangd's.
  struct Pending {
    enum Kind { Initialize, Hover, Locations, Actions } Is;
    llvm::json::Value Ours = nullptr;
  };
  struct Asked; ///< a request about a place
  /// Answers, notes what is to be added to clangd's answer, or neither.
  std::optional<llvm::json::Value> handle(const Message &Request);
  std::optional<llvm::json::Value> handleAt(llvm::StringRef Method, const Message &Request,
                                            const Asked &At);
  std::optional<llvm::json::Value> complete(const Message &Request, const Asked &At);
  std::optional<llvm::json::Value> actions(const Message &Request, const Asked &At);
  void recordClient(const Message &Initialize);
  void await(const Message &Request, Pending What);
  static llvm::json::Value merged(const Pending &What, llvm::json::Value Theirs);
  llvm::json::Value withCapabilities(llvm::json::Value Result);

  std::shared_ptr<FactsBoard> Board;
  const DocsLinks Docs;
  std::mutex Mutex;
  Documents Open;
  std::map<std::string, Pending> Awaited; ///< by id
  bool Markdown = false;
  bool TakesActions = false;
};

} // namespace opsig

#endif
