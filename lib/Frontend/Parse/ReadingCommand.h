//===- ReadingCommand.h - A compile command that only reads ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// words with @files => words => those that decide how the source is read (ReadingFlags.h)
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_FRONTEND_PARSE_READINGCOMMAND_H
#define OPSIG_LIB_FRONTEND_PARSE_READINGCOMMAND_H

#include "Parse/ForeignCommands.h"

namespace opsig {

/// Reads files of options for one command. Files may name others, or themselves: there are bounds
/// on how many are read and how deep (MaxOptionsDepth, MaxOptionsFiles), and on the size of each.
class OptionsFiles {
public:
  /// \p Trusted: the command is the user's own, who may name any file.
  explicit OptionsFiles(llvm::StringRef Directory, bool Trusted = false)
      : Directory(Directory), Trusted(Trusted) {}

  /// The words of the file \p Name, at \p Depth of such files; none where it cannot be read or a
  /// bound is met.
  std::optional<Words> read(llvm::StringRef Name, unsigned Depth);
  /// \p Given with the words of FILE in place of each `@FILE` that can be read.
  Words expand(const Words &Given);

private:
  void expand(const Words &Given, unsigned Depth, Words &To);

  llvm::StringRef Directory;
  const bool Trusted;
  unsigned NumRead = 0;
  size_t BytesLeft = 16 << 20;
};

/// Of \p Command what decides how \p File is read: compiler, flags, "--", file. Response files have
/// been expanded. The same once more for what it returns.
TranslatedCommand forReading(const Words &Command, llvm::StringRef File, llvm::StringRef Directory);

} // namespace opsig

#endif
