//===- Frame.cpp - Bytes of a stream <=> messages of a language server -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Lsp/Frame.h"
#include <utility>

namespace opsig {

void FrameReader::add(llvm::StringRef Bytes) {
  // What was read goes once it is the larger part, so that each byte moves a few times only.
  if (Begin > Buffer.size() / 2) {
    Buffer.erase(0, Begin);
    Begin = 0;
  }
  Buffer.append(Bytes.data(), Bytes.size());
}

bool FrameReader::readHeader() {
  while (true) {
    size_t End = rest().find('\n');
    if (End == llvm::StringRef::npos) {
      if (rest().size() > LongestHeader)
        drop(rest().size());
      return false;
    }
    llvm::StringRef Line = rest().take_front(End).rtrim('\r');
    size_t Value = 0;
    bool IsEnd = Line.empty();
    if (Line.consume_front_insensitive("content-length:") && !Line.trim().getAsInteger(10, Value))
      Announced = Value;
    drop(End + 1);
    if (!IsEnd)
      continue;
    std::optional<size_t> Found = std::exchange(Announced, std::nullopt);
    if (Found && *Found <= LongestMessage) {
      Length = Found;
      return true;
    }
  }
}

std::optional<std::string> FrameReader::next() {
  if (!Length && !readHeader())
    return std::nullopt;
  if (rest().size() < *Length)
    return std::nullopt;
  std::string Body = rest().take_front(*Length).str();
  drop(*Length);
  Length.reset();
  return Body;
}

std::string framed(llvm::StringRef Body) {
  return "Content-Length: " + std::to_string(Body.size()) + "\r\n\r\n" + Body.str();
}

} // namespace opsig
