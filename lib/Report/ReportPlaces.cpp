//===- ReportPlaces.cpp - Places and identities as other programs count them ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReportPlaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

static constexpr StringLiteral ByteOrderMark = "\xEF\xBB\xBF";

int64_t opsig::characterColumn(const SourceFiles &Files, SourceId File, uint32_t Line,
                               uint32_t Byte) {
  StringRef Before = Files.line(File, Line).take_front(Byte);
  if (Line == 1)
    Before.consume_front(ByteOrderMark);
  return 1 + count_if(Before, [](unsigned char C) { return (C & 0xC0) != 0x80; });
}

std::string FindingNames::next(const Finding &D) {
  std::string Name = fingerprint(findingKey(D, Files, Folder));
  return Name + ":" + std::to_string(++Counts[Name]);
}
