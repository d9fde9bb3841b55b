//===- Span.h - Where something stands in a translation unit's files ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_FRONTEND_SPAN_H
#define OPSIG_FRONTEND_SPAN_H

#include <cstdint>

namespace opsig {

/// A stretch of one of a UnitFacts's files, in bytes.
struct Span {
  static constexpr uint32_t NoFile = ~0u;
  uint32_t File = NoFile; ///< index into UnitFacts::Files
  uint32_t Offset = 0;
  uint32_t Length = 0;

  bool isValid() const { return File != NoFile; }
  uint32_t end() const { return Offset + Length; }
  friend bool operator==(const Span &, const Span &) = default;
};

} // namespace opsig

#endif
