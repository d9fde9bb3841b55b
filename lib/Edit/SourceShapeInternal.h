//===- SourceShapeInternal.h - Where text can be put into C++ code -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// text of a file, an offset => lines, comments and ends of declarations around it => Insertion
//
// Function bodies are not parsed, so that the end of a definition is found by its tokens.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_EDIT_SOURCESHAPEINTERNAL_H
#define OPSIG_LIB_EDIT_SOURCESHAPEINTERNAL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace opsig {

/// The blanks and tabs that the line of \p Offset begins with.
llvm::StringRef indentationAt(llvm::StringRef Text, size_t Offset);

/// Where the declaration or definition ends whose declarator ends at \p Offset: behind its ";" or
/// its last "}". Nothing where that cannot be told.
std::optional<size_t> endOfDeclaration(llvm::StringRef Text, size_t Offset);

/// Behind the ";" that follows at \p Offset; nothing if something else does.
std::optional<size_t> endOfStatement(llvm::StringRef Text, size_t Offset);

/// Whole lines, without the last line break, that go next to what is there already.
struct Insertion {
  size_t Offset = 0;
  std::string Text;
};

/// How lines are put apart: under each other, or with an empty line between.
enum class Gap { Line, EmptyLine };

/// Puts \p Items behind what ends at \p End (and a comment on the same line), each indented as the
/// line of \p Begin is.
Insertion insertBehind(llvm::StringRef Text, size_t Begin, size_t End,
                       llvm::ArrayRef<std::string> Items, Gap G);

/// Puts \p Items in front of what begins at \p Begin and of the comment that stands above it.
Insertion insertBefore(llvm::StringRef Text, size_t Begin, llvm::ArrayRef<std::string> Items,
                       Gap G);

/// Puts \p Items at the end of a body, between the braces that Body stands for. \p Indentation is
/// what each begins with.
Insertion insertAtEnd(llvm::StringRef Text, size_t BodyBegin, size_t BodyEnd,
                      llvm::ArrayRef<std::string> Items, llvm::StringRef Indentation, Gap G);

/// What to take out so that the statement from \p Begin to \p End is gone: its lines, where nothing
/// else stands on them. First offset and length.
std::pair<size_t, size_t> removalOf(llvm::StringRef Text, size_t Begin, size_t End);

} // namespace opsig

#endif
