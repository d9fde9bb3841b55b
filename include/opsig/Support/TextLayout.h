//===- TextLayout.h - Emphasis and columns of text for people ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// words => words in bold, in a color, or as a link, where a terminal shows that
// rows of words => aligned columns
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SUPPORT_TEXTLAYOUT_H
#define OPSIG_SUPPORT_TEXTLAYOUT_H

#include "opsig/Support/Finding.h"

namespace opsig {

/// Marks words as \p Options allow. Without colors and links, all words stay as they are.
class TextStyle {
public:
  TextStyle() = default;
  explicit TextStyle(PrintOptions Options) : Options(std::move(Options)) {}

  bool colors() const { return Options.Colors; }
  /// Titles, and what a summary begins with.
  std::string strong(llvm::StringRef Text) const;
  /// Names and signatures.
  std::string code(llvm::StringRef Text) const;
  /// What is gone, and what takes its place; \p Changed: the part that differs.
  std::string removed(llvm::StringRef Text, bool Changed = false) const;
  std::string added(llvm::StringRef Text, bool Changed = false) const;
  /// What needs a person.
  std::string warning(llvm::StringRef Text) const;
  /// "file:line:column", without the numbers that are 0, as a link to the file.
  std::string place(llvm::StringRef File, unsigned Line = 0, unsigned Column = 0) const;
  /// What a link to \p File opens; "" for no link.
  std::string address(llvm::StringRef File) const;
  /// "[opsig-x]" without the brackets, as a link to the check's page.
  std::string check(FindingId Id) const;

private:
  std::string marked(llvm::StringRef Codes, llvm::StringRef Text) const;

  PrintOptions Options;
};

/// \p Text, which a terminal that knows links (OSC 8) opens \p Address for; "" for none.
std::string linkedText(llvm::StringRef Address, llvm::StringRef Text);

/// The last place of \p Text, at most \p At, where a cut divides no character of UTF-8. It is 0 if
/// no character begins before it.
size_t cutPlace(llvm::StringRef Text, size_t At);

/// How many columns a terminal needs for \p Text, without the marks of a TextStyle.
size_t columnsOf(llvm::StringRef Text);

/// Rows of cells that are printed below each other.
class TextTable {
public:
  /// A column for each letter: 'l' for words, 'r' for numbers.
  explicit TextTable(llvm::StringRef Columns) : Columns(Columns) {}

  void add(std::vector<std::string> Cells) { Rows.push_back(std::move(Cells)); }
  bool empty() const { return Rows.empty(); }
  /// Two blanks stand between columns. The last column is not filled up.
  void print(llvm::raw_ostream &OS, unsigned Indent = 2) const;

private:
  std::string Columns;
  std::vector<std::vector<std::string>> Rows;
};

/// "79%"; "" where \p Of is 0. Never 0% of something, nor 100% of not all.
std::string percentOf(size_t Part, size_t Of);

} // namespace opsig

#endif
