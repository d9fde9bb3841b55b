//===- ForeignCommands.h - Commands of other compilers, for Clang ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc, hipcc, mcc, icpx ... => (ForeignFlags.h) words that Clang takes, what was left out
//   => the pass for the host of a language for GPUs
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_FRONTEND_PARSE_FOREIGNCOMMANDS_H
#define OPSIG_LIB_FRONTEND_PARSE_FOREIGNCOMMANDS_H

#include "Parse/ForeignFlags.h"
#include "opsig/Frontend/Parse.h"

namespace opsig {

using Words = std::vector<std::string>;

/// By the name of the program that \p Command begins with.
CommandStyle styleOf(const Words &Command);

/// The style of flags that somebody gives to \p File without a compiler's name.
CommandStyle usualStyle(llvm::StringRef File);

struct TranslatedCommand {
  Words Command;
  /// As they were written, in order.
  Words Dropped;
};

/// Files of options may name others, or themselves. What is deeper, or comes later, is dropped.
constexpr unsigned MaxOptionsDepth = 8, MaxOptionsFiles = 64;

/// What Clang is to be told in place of \p Command, which runs in \p Directory. What it makes of
/// flags that no table has is up to withoutUnknown.
TranslatedCommand translate(const Words &Command, CommandStyle Style, llvm::StringRef Directory);

/// Without the flags that Clang does not know, and without words that are neither flags nor
/// \p File: values of flags that nobody knows.
TranslatedCommand withoutUnknown(const Words &Command, llvm::StringRef File);

/// The language of \p File, by the last -x of \p Command or its own name.
SourceLanguage languageOf(const Words &Command, llvm::StringRef File);

/// What \p Command needs to be read as the host sees a source of \p Language.
Words forHost(const Words &Command, SourceLanguage Language);

} // namespace opsig

#endif
