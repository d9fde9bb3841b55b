//===- Terminal.h - Text for people who read it in a terminal ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_TOOL_TERMINAL_H
#define OPSIG_TOOL_TERMINAL_H

#include "Subcommands.h"
#include "opsig/Support/TextLayout.h"
#include "llvm/Support/raw_ostream.h"

namespace opsig {

/// How many columns a line on standard output may have: those of the terminal, or as many as are
/// comfortable to read.
unsigned outputColumns();

/// From now on text to standard output and standard error has colors, or has none. Automatically:
/// as the terminal can, unless NO_COLOR, FORCE_COLOR or CLICOLOR_FORCE of the environment say
/// something.
void useColors(ColorWhen When);

/// How findings are printed to \p OS: in the colours and, on a terminal, the width that it has,
/// with files named as from the working folder.
PrintOptions printOptions(llvm::raw_ostream &OS);

/// How words of text are marked on \p OS, asked once for standard output.
TextStyle styleOf(llvm::raw_ostream &OS);

/// The address of the documentation's first page; "" if none is known.
std::string documentationHome();

/// Prints the words of \p Text in lines of at most \p Columns, unless a word alone is longer, each
/// after \p Indent blanks, and a line end. Of the first line \p At columns are taken already.
void printWrapped(llvm::raw_ostream &OS, llvm::StringRef Text, unsigned Indent, unsigned Columns,
                  unsigned At = 0);

/// The same for a piece of Markdown, without its marks where there are colors.
void printProse(llvm::raw_ostream &OS, llvm::StringRef Text, unsigned Indent, unsigned Columns);

/// Prints \p Page, which is Markdown, with the paragraphs and items of lists in lines of at most \p
/// Columns. Code, tables and headings stay as they are.
void printPage(llvm::raw_ostream &OS, llvm::StringRef Page, unsigned Columns);

} // namespace opsig

#endif
