//===- Frame.h - Bytes of a stream <=> messages of a language server ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bytes, as they come => header lines, Content-Length => (FrameReader) bodies of messages
//   => (Message.h) JSON => answers => (writeFrame) bytes
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LSP_FRAME_H
#define OPSIG_LSP_FRAME_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace opsig {

/// Cuts a stream into messages. A header without a length that can be used is passed over, so that
/// a stream that was garbled goes on with the next message.
class FrameReader {
public:
  /// A longer message is none.
  static constexpr size_t LongestMessage = size_t(1) << 30;
  /// Nor is this much without an end of the header.
  static constexpr size_t LongestHeader = size_t(1) << 16;

  void add(llvm::StringRef Bytes);
  /// The body of the next message that is there as a whole.
  std::optional<std::string> next();

private:
  /// Reads header lines up to the empty one; false where that is not there yet.
  bool readHeader();
  void drop(size_t Bytes) { Begin += Bytes; }
  llvm::StringRef rest() const { return llvm::StringRef(Buffer).drop_front(Begin); }

  std::string Buffer;
  size_t Begin = 0;                ///< what is before it was read
  std::optional<size_t> Announced; ///< by the lines of this header so far
  std::optional<size_t> Length;    ///< of the body that comes; none while a header is read
};

/// \p Body with its header.
std::string framed(llvm::StringRef Body);

} // namespace opsig

#endif
