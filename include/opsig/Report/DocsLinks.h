//===- DocsLinks.h - Where the documentation can be opened -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FindingId => the address of its page: on the site that opsig was built for (OPSIG_SITE_URL),
//           else the file that is installed beside the program
//
// SARIF logs, opsig-clangd and the terminal use these links.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_REPORT_DOCSLINKS_H
#define OPSIG_REPORT_DOCSLINKS_H

#include "opsig/Support/Finding.h"

namespace opsig {

/// Addresses are empty if no documentation is known.
struct DocsLinks {
  std::string Home; ///< the first page, which says what opsig is
  /// The folder of docs/diagnostics, with a '/' at its end, and what follows the name of a check.
  std::string Pages, Suffix;

  std::string page(FindingId Id) const { return page(findingName(Id)); }
  /// \p Name is that of a check, without "opsig-".
  std::string page(llvm::StringRef Name) const {
    return Pages.empty() ? "" : (Pages + Name + Suffix).str();
  }
};

/// The links of a build for \p Site ("" if none is known) whose documents are installed at \p
/// Installed.
DocsLinks docsLinks(llvm::StringRef Site, llvm::StringRef Installed);

/// The links of this build. \p Installed is the "file://" address of the folder of the installed
/// documents (share/doc/opsig), or "" if they are not there; it is used if no site is known.
DocsLinks docsLinks(llvm::StringRef Installed);

} // namespace opsig

#endif
