//===- Position.h - Positions of the protocol <=> offsets into a text --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// text => (TextLines) {line, character} <=> byte offset
//
// Characters are counted in the units that client and server have agreed on; UTF-16's where nobody
// said anything.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LSP_POSITION_H
#define OPSIG_LSP_POSITION_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <vector>

namespace opsig {

enum class PositionUnits : uint8_t { Utf8, Utf16, Utf32 };

/// The one called \p Name ("utf-16"); UTF-16 for what nobody has agreed on.
PositionUnits positionUnits(llvm::StringRef Name);

/// Counts from 0. What comes from an editor may be anything.
struct Position {
  int64_t Line = 0;
  int64_t Character = 0;
  friend bool operator==(const Position &, const Position &) = default;
};

/// The lines of a text, which must live as long.
class TextLines {
public:
  explicit TextLines(llvm::StringRef Text);

  /// Positions behind a line's end are at its end, lines behind the last one at the end of all, and
  /// what is within a character is before it.
  size_t offset(Position At, PositionUnits Units) const;
  /// Offsets behind the end are there.
  Position position(size_t Offset, PositionUnits Units) const;

private:
  llvm::StringRef line(size_t Number) const;

  llvm::StringRef Text;
  std::vector<size_t> Begins;
};

} // namespace opsig

#endif
