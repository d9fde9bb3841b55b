//===- Position.cpp - Positions of the protocol <=> offsets into a text ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Lsp/Position.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace opsig {

PositionUnits positionUnits(llvm::StringRef Name) {
  return llvm::StringSwitch<PositionUnits>(Name)
      .Case("utf-8", PositionUnits::Utf8)
      .Case("utf-32", PositionUnits::Utf32)
      .Default(PositionUnits::Utf16);
}

namespace {

/// How many bytes the character that begins with \p Lead has; a stray byte is one by itself.
unsigned bytesOf(unsigned char Lead) {
  if (Lead >= 0xf0 && Lead < 0xf8)
    return 4;
  if (Lead >= 0xe0)
    return Lead < 0xf0 ? 3 : 1;
  return Lead >= 0xc0 ? 2 : 1;
}

unsigned unitsOf(unsigned Bytes, PositionUnits Units) {
  if (Units == PositionUnits::Utf8)
    return Bytes;
  return Units == PositionUnits::Utf16 && Bytes == 4 ? 2 : 1;
}

} // namespace

TextLines::TextLines(llvm::StringRef Text) : Text(Text) {
  Begins.push_back(0);
  for (size_t At = Text.find('\n'); At != llvm::StringRef::npos; At = Text.find('\n', At + 1))
    Begins.push_back(At + 1);
}

llvm::StringRef TextLines::line(size_t Number) const {
  size_t End = Number + 1 < Begins.size() ? Begins[Number + 1] - 1 : Text.size();
  return Text.slice(Begins[Number], End);
}

size_t TextLines::offset(Position At, PositionUnits Units) const {
  if (At.Line < 0)
    return 0;
  if (size_t(At.Line) >= Begins.size())
    return Text.size();
  llvm::StringRef Line = line(At.Line);
  size_t Offset = 0;
  for (int64_t Left = At.Character; Left > 0 && Offset < Line.size();) {
    unsigned Bytes = bytesOf(Line[Offset]);
    Left -= unitsOf(Bytes, Units);
    if (Left < 0)
      break;
    Offset += Bytes;
  }
  return Begins[At.Line] + std::min(Offset, Line.size());
}

Position TextLines::position(size_t Offset, PositionUnits Units) const {
  Offset = std::min(Offset, Text.size());
  size_t Number = llvm::upper_bound(Begins, Offset) - Begins.begin() - 1;
  llvm::StringRef Before = Text.slice(Begins[Number], Offset);
  Position Out{int64_t(Number), 0};
  for (size_t At = 0; At < Before.size();) {
    unsigned Bytes = bytesOf(Before[At]);
    if (At + Bytes > Before.size())
      break;
    Out.Character += unitsOf(Bytes, Units);
    At += Bytes;
  }
  return Out;
}

} // namespace opsig
