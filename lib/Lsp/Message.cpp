//===- Message.cpp - Messages of the protocol, made and taken apart ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Lsp/Message.h"
#include "opsig/Support/JsonText.h"
#include "opsig/Support/PathGlob.h"
#include "llvm/ADT/StringExtras.h"

namespace json = llvm::json;

namespace opsig {

static const json::Object &nothing() {
  static const json::Object Empty;
  return Empty;
}

static std::string printed(json::Value Body) { return llvm::formatv("{0}", Body).str(); }

const json::Value *Message::id() const {
  const json::Value *Id = Whole.get("id");
  bool IsOne = Id && (Id->kind() == json::Value::Number || Id->kind() == json::Value::String);
  return IsOne ? Id : nullptr;
}

llvm::StringRef Message::method() const { return Whole.getString("method").value_or(""); }

const json::Object &Message::params() const {
  const json::Object *Params = Whole.getObject("params");
  return Params ? *Params : nothing();
}

bool Message::isOfProtocol() const {
  return Whole.getString("jsonrpc").value_or("") == "2.0" && (Whole.get("id") || !method().empty());
}

std::optional<Message> readMessage(llvm::StringRef Body) {
  llvm::Expected<json::Value> Value = parseJson(Body);
  if (!Value) {
    llvm::consumeError(Value.takeError());
    return std::nullopt;
  }
  if (json::Object *Object = Value->getAsObject())
    return Message{std::move(*Object)};
  return std::nullopt;
}

std::string messageText(Message M) { return printed(std::move(M.Whole)); }

std::string idText(const json::Value &Id) { return printed(Id); }

const json::Object &objectAt(const json::Object &In, llvm::ArrayRef<llvm::StringRef> Path) {
  const json::Object *At = &In;
  for (llvm::StringRef Name : Path)
    if (At)
      At = At->getObject(Name);
  return At ? *At : nothing();
}

llvm::StringRef uriOf(const json::Object &Params) {
  return objectAt(Params, {"textDocument"}).getString("uri").value_or("");
}

/// Editors count in doubles; what no integer holds is beyond every text.
static std::optional<int64_t> number(const json::Object &In, llvm::StringRef Name) {
  if (std::optional<int64_t> Whole = In.getInteger(Name))
    return Whole;
  if (std::optional<double> Other = In.getNumber(Name))
    return *Other > 0 ? INT64_MAX : 0;
  return std::nullopt;
}

Position positionOf(const json::Object &At) {
  return {number(At, "line").value_or(0), number(At, "character").value_or(0)};
}

std::optional<Position> requestPosition(const json::Object &Params) {
  const json::Object *At = Params.getObject("position");
  if (!At || !number(*At, "line") || !number(*At, "character"))
    return std::nullopt;
  return positionOf(*At);
}

/// A message with what every one has.
static std::string message(json::Object Body) {
  Body["jsonrpc"] = "2.0";
  return printed(std::move(Body));
}

std::string answer(const json::Value &Id, json::Value Result) {
  return message(json::Object{{"id", Id}, {"result", std::move(Result)}});
}

std::string errorAnswer(const json::Value &Id, LspError Code, llvm::StringRef Message) {
  json::Object Error{{"code", int(Code)}, {"message", Message.str()}};
  return message(json::Object{{"id", Id}, {"error", std::move(Error)}});
}

std::string notification(llvm::StringRef Method, json::Value Params) {
  return message(json::Object{{"method", Method.str()}, {"params", std::move(Params)}});
}

json::Object positionJson(Position At) {
  return json::Object{{"line", At.Line}, {"character", At.Character}};
}

json::Object rangeJson(Position Begin, Position End) {
  return json::Object{{"start", positionJson(Begin)}, {"end", positionJson(End)}};
}

std::string pathOfUri(llvm::StringRef Uri) {
  if (!Uri.consume_front_insensitive("file://"))
    return "";
  // A host before the path is this one, or none that files can be read of.
  Uri = Uri.drop_front(std::min(Uri.find('/'), Uri.size()));
  std::string Path;
  for (size_t I = 0; I < Uri.size(); ++I) {
    unsigned High = 0, Low = 0;
    if (Uri[I] == '%' && I + 2 < Uri.size() && (High = llvm::hexDigitValue(Uri[I + 1])) < 16 &&
        (Low = llvm::hexDigitValue(Uri[I + 2])) < 16) {
      Path += char(High * 16 + Low);
      I += 2;
    } else {
      Path += Uri[I];
    }
  }
  return Path.find('\0') == std::string::npos ? Path : "";
}

std::string uriOfPath(llvm::StringRef Path) { return "file://" + uriEncoded(Path); }

} // namespace opsig
