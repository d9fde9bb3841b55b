//===- NoteText.h - What a parse reads, and what Clang says of it -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// file + compile command => UnitFacts (Parse.h), and on the way each file of the project
//   and each error
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_FRONTEND_NOTETEXT_H
#define OPSIG_FRONTEND_NOTETEXT_H

#include "opsig/Frontend/Parse.h"
#include "llvm/Support/FileSystem/UniqueID.h"

namespace opsig {

/// Called with the absolute path and the text of a file, once for every name that it is included
/// by, by several threads.
using NoteText = std::function<void(llvm::StringRef, llvm::StringRef)>;

/// A point in a file, whatever the file is called.
struct CodePoint {
  llvm::sys::fs::UniqueID File;
  uint32_t Offset = 0;
  friend bool operator==(const CodePoint &, const CodePoint &) = default;
};

/// An error of Clang's, for comparison with those of another parse.
struct ClangMessage {
  unsigned Id = 0;
  CodePoint At;
  std::string Path; ///< absolute; "" where it is about no place in a file
  std::string Text;
  /// The last name of the function in whose body it is; "" outside of bodies.
  std::string Function;
  /// A definition and its class differ, which checks report in their own words.
  bool Mismatch = false;
  /// What its notes point at.
  std::vector<CodePoint> Notes;
  /// The token itself, where that is an argument of a macro; otherwise At.
  CodePoint Spelled;
};

/// All errors, also those in bodies of the project that are read for nothing else: of functions
/// whose names are among these, and of all that name them.
struct ClangMessages {
  std::vector<std::string> Named;
  std::vector<ClangMessage> Errors;
};

/// The same as without \p Note, which may be empty, and \p Messages, which may be null.
UnitFacts parseKernels(const ParseJob &Job, const ParseOptions &Options, const NoteText &Note,
                       ClangMessages *Messages = nullptr);

} // namespace opsig

#endif
