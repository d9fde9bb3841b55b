//===- Message.h - Messages of the protocol, made and taken apart ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// body => (readMessage) Message { id, method, params | result }
// results, places => JSON => body
//
// Whatever an editor sends is read without complaint: what is not there, or is something else than
// the protocol says, comes out empty.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LSP_MESSAGE_H
#define OPSIG_LSP_MESSAGE_H

#include "opsig/Lsp/Position.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>

namespace opsig {

/// What begins a message of either direction. The JSON that it is of is Whole.
struct Message {
  llvm::json::Object Whole;

  /// Requests and answers have one; null where there is none, or no number or string.
  const llvm::json::Value *id() const;
  llvm::StringRef method() const; ///< "" for an answer
  /// It says that it is of the protocol, and is one of the following.
  bool isOfProtocol() const;
  bool isRequest() const { return id() && !method().empty(); }
  bool isNotification() const { return !id() && !method().empty(); }
  bool isAnswer() const { return id() && method().empty(); }
  /// An empty object where there is none.
  const llvm::json::Object &params() const;
};

/// The body that \p M is of, with what was changed in it.
std::string messageText(Message M);

/// None for what is no JSON object.
std::optional<Message> readMessage(llvm::StringRef Body);

/// For ids as keys: numbers and strings of the same letters are two.
std::string idText(const llvm::json::Value &Id);

//===-- parts of parameters ------------------------------------------------===//

/// The object at the end of \p Path; an empty one where some part is not there.
const llvm::json::Object &objectAt(const llvm::json::Object &In,
                                   llvm::ArrayRef<llvm::StringRef> Path);
/// params.textDocument.uri; "" without.
llvm::StringRef uriOf(const llvm::json::Object &Params);
Position positionOf(const llvm::json::Object &At);
/// params.position; none where there is none, or not two numbers.
std::optional<Position> requestPosition(const llvm::json::Object &Params);

//===-- messages of a server -----------------------------------------------===//

enum class LspError : int {
  ParseError = -32700,
  InvalidRequest = -32600,
  MethodNotFound = -32601,
  InvalidParams = -32602,
  NotInitialized = -32002,
};

std::string answer(const llvm::json::Value &Id, llvm::json::Value Result);
std::string errorAnswer(const llvm::json::Value &Id, LspError Code, llvm::StringRef Message);
std::string notification(llvm::StringRef Method, llvm::json::Value Params);

llvm::json::Object positionJson(Position At);
llvm::json::Object rangeJson(Position Begin, Position End);

//===-- names of files ------------------------------------------------------===//

/// "/a b" of "file:///a%20b"; "" for what names no file on disk.
std::string pathOfUri(llvm::StringRef Uri);
std::string uriOfPath(llvm::StringRef Path);

} // namespace opsig

#endif
