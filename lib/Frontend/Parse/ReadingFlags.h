//===- ReadingFlags.h - Flags that decide how a source is read ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang's option => whether it reaches Clang, and why
//
// A compile command belongs to whoever wrote the checkout. The tables list what is allowed; a flag
// that is in no table never reaches Clang, whatever it does there.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_FRONTEND_PARSE_READINGFLAGS_H
#define OPSIG_LIB_FRONTEND_PARSE_READINGFLAGS_H

#include "llvm/ADT/StringRef.h"

namespace llvm::opt {
class Arg;
} // namespace llvm::opt

namespace opsig {

enum class FlagUse : uint8_t {
  Keep,        ///< decides how the source is read
  Processor,   ///< the same, of the target's processor
  OtherTarget, ///< asks for a target that is not read for: no flag about a processor is about this
               ///< one
  Limit,       ///< a bound of Clang's, which cannot be raised over largestLimit()
  Wrapper,     ///< its values are flags: -Xclang, -Xpreprocessor, -Wp, and -Xarch_host
  Macro,       ///< chooses a pass; all that the host's has of it is the macro macroOf()
  Pch,         ///< names a precompiled header; the text that it was made of is read instead
  Irrelevant,  ///< says what a build makes of the source; it is expected that nothing comes of it
  Drop,        ///< may run, load or write something, or nobody knows
};

FlagUse useOf(const llvm::opt::Arg &Flag);

/// The flag that stands for one that is a Macro.
llvm::StringRef macroOf(const llvm::opt::Arg &Flag);

/// The largest value of a flag that is a Limit.
unsigned largestLimit(const llvm::opt::Arg &Flag);

} // namespace opsig

#endif
