//===- DocsLinks.cpp - Where the documentation can be opened -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Report/DocsLinks.h"

namespace opsig {

DocsLinks docsLinks(llvm::StringRef Site, llvm::StringRef Installed) {
  // utils/site writes 'docs/diagnostics/x.html' for each 'docs/diagnostics/x.md'.
  if (!Site.empty()) {
    std::string Home = (Site.rtrim('/') + "/").str();
    return {Home, Home + "docs/diagnostics/", ".html"};
  }
  if (Installed.empty())
    return {};
  return {(Installed + "/README.md").str(), (Installed + "/docs/diagnostics/").str(), ".md"};
}

DocsLinks docsLinks(llvm::StringRef Installed) { return docsLinks(OPSIG_SITE_URL, Installed); }

} // namespace opsig
