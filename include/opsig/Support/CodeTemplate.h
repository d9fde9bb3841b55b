//===- CodeTemplate.h - Text with named holes -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// template text with $name and ${name} holes + values (Printer.h) => text
//
// PyTorch's own template files, read by their own rules and printed by the printer of all
// templates:
//  - a hole that only blanks precede on its line is a block: every line of every value gets that
//    indentation, and what trails the block (blanks, newlines) is dropped; no value, no text;
//  - any other hole is inline: a list is joined with ", ", and ${,x} / ${x,} add ", " before or
//    after a list that is not empty;
//  - "$" has no escape; "$1" or an unclosed "${" is plain text; filled text is not looked at again.
//
// Names of holes are ASCII identifiers. White space and line ends are Python's notions of them,
// Unicode included, since the generators to be matched are written in it.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SUPPORT_CODETEMPLATE_H
#define OPSIG_SUPPORT_CODETEMPLATE_H

#include "opsig/Support/Printer.h"

namespace opsig {

/// A value, and the name of the hole that it fills.
struct TemplateValue {
  llvm::StringRef Name;
  HoleView Value;
};

/// How a block hole treats the lines of its values; it changed between PyTorch releases.
enum class BlockLines {
  /// Every line is indented, also an empty one, and keeps its trailing blanks.
  Keep,
  /// Trailing blanks are cut from every line; a blank line stays empty.
  Trim,
};

/// A hole of a template, from its "$" on.
struct TemplateHole {
  llvm::StringRef Name;
  size_t Begin, End;
};

class CodeTemplate {
public:
  /// \p Text is not copied.
  explicit CodeTemplate(llvm::StringRef Text);

  /// Appends the text to \p Out. A hole without a value stays empty, a value without a hole is
  /// left out.
  void print(std::string &Out, llvm::ArrayRef<TemplateValue> Values, BlockLines Lines) const;

  /// Every hole, in the order of the text; a name may come more than once.
  llvm::ArrayRef<TemplateHole> holes() const { return Holes; }

private:
  llvm::StringRef Text;
  std::vector<TemplateHole> Holes;
  std::vector<printer::Step> Steps; ///< one for each hole, and one for the rest
};

/// Splits like Python's str.splitlines(): also at \r, \v, \f, \x1c-\x1e, U+0085, U+2028 and U+2029.
std::vector<llvm::StringRef> splitLinesLikePython(llvm::StringRef Text);

/// Turns "\r\n" and a lone "\r" into "\n", as reading a file in Python's text mode does.
std::string withUniversalNewlines(llvm::StringRef Text);

} // namespace opsig

#endif
