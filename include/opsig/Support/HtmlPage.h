//===- HtmlPage.h - A report as a page to be read ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// title, summary, notes, filters, parts of a report => one HTML page that stands alone
//
// The frame that all reports share: light and dark styles, a filter bar, sortable tables. Each
// report adds its own parts and their styles.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_SUPPORT_HTMLPAGE_H
#define OPSIG_SUPPORT_HTMLPAGE_H

#include "opsig/Support/RunNote.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace opsig {

/// \p Text escaped for HTML, as text and between double quotes. Bytes that are not UTF-8 are
/// replaced.
std::string htmlText(llvm::StringRef Text);

/// The reference to line \p Line (0: none) of the file \p Path in a page: a file: URL of an
/// absolute path, else relative. Escaped, ready for an attribute.
std::string htmlFileLink(llvm::StringRef Path, unsigned Line);

/// The parts of a page. Title and Summary are text; Filters, Main and Style are HTML and CSS,
/// written unchanged.
struct HtmlPage {
  std::string Title;
  std::string Summary;
  std::string Version; ///< of opsig
  std::vector<RunNote> Notes = {};
  /// Elements of the form above Main, in order (htmlChoice(), htmlSearch()); none: no form.
  std::vector<std::string> Filters = {};
  /// If "" and there is no More, the page has neither form nor script.
  std::string Main;
  /// Prints what follows Main directly into the page, for large contents.
  std::function<void(std::string &)> More = {};
  /// Styles of the parts of this report only.
  std::string Style = "";
};

/// Prints the page. It refers to nothing outside but what Main links to, reads without JavaScript
/// (filters and sorting need it), and follows the reader's choice of light or dark.
///
/// The script filters elements with the attribute data-item. A choice named N hides those whose
/// data-N is another value than the chosen one; a list of values is written |a|b|, and the element
/// needs one of them. A search hides those whose text does not have its
/// words. A section without visible items is hidden. Columns of `table.sortable` are sorted by
/// their heads: by data-sort of cells, or by their text. A button with data-copy, which is hidden
/// where there is no script, copies that text.
void printHtmlPage(llvm::raw_ostream &OS, const HtmlPage &Page);

/// A choice among values: value => how many items have it. \p Title is what the reader sees. Values
/// in \p Names are shown under these names.
std::string htmlChoice(llvm::StringRef Title, llvm::StringRef Name,
                       const std::map<std::string, unsigned> &Counts,
                       const std::map<std::string, std::string> &Names = {});

/// A field in which words are typed that items must have.
std::string htmlSearch(llvm::StringRef Title);

} // namespace opsig

#endif
