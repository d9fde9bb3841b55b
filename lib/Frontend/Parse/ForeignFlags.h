//===- ForeignFlags.h - Flags of compilers that are not Clang ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables of what nvcc, hipcc, mcc and icpx take that Clang does not, or takes for something else.
// What stands in no table is Clang's, too, or is found out by asking Clang's own table.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_FRONTEND_PARSE_FOREIGNFLAGS_H
#define OPSIG_LIB_FRONTEND_PARSE_FOREIGNFLAGS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace opsig {

/// Whose command it is.
enum class CommandStyle : uint8_t {
  Clang, ///< or GCC, whose flags Clang knows
  Nvcc,
  Hipcc,
  Mcc,
  Icpx,
};

struct ForeignFlag {
  /// The long and the short name, without dashes; one of them may be "". Names of one letter have
  /// one dash, the others one or two.
  llvm::StringLiteral Long, Short;
  enum ValueIs : uint8_t {
    None,
    Needed, ///< the next word, or what stands behind '='
    Joined, ///< is never the next word: what stands behind '=', or the rest of the word
  } Value = None;
  enum Meaning : uint8_t {
    Drop,
    Same,        ///< Clang's flag of the name Clang, with the value
    Host,        ///< the value is flags of the compiler for the host, with commas
    OptionsFile, ///< the value names a file with further flags
    Language,    ///< the value names a language
  } Means = Drop;
  /// With its dash; a value is the next word, or joined where this ends in '='.
  llvm::StringLiteral Clang = "";
};

std::vector<ForeignFlag> foreignFlags(CommandStyle Style);

} // namespace opsig

#endif
