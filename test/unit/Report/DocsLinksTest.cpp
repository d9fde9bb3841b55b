//===- DocsLinksTest.cpp - Where the documentation can be opened ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gtest/gtest.h"
#include "opsig/Report/DocsLinks.h"
#include "opsig/Support/FindingIds.h"

using namespace opsig;

TEST(DocsLinksTest, ASiteGoesBeforeInstalledDocuments) {
  // With or without the last '/'; the names are those that utils/site gives (test/Docs/site.test).
  for (llvm::StringRef Site : {"https://opsig.example/en", "https://opsig.example/en/"}) {
    DocsLinks Links = docsLinks(Site, "file:///usr/share/doc/opsig");
    EXPECT_EQ(Links.Home, "https://opsig.example/en/");
    EXPECT_EQ(Links.page(finding::KernelSignature),
              "https://opsig.example/en/docs/diagnostics/kernel-signature.html");
  }
}

TEST(DocsLinksTest, InstalledDocumentsAreNext) {
  DocsLinks Links = docsLinks("", "file:///usr/share/doc/opsig");
  EXPECT_EQ(Links.Home, "file:///usr/share/doc/opsig/README.md");
  EXPECT_EQ(Links.page("kernel-signature"),
            "file:///usr/share/doc/opsig/docs/diagnostics/kernel-signature.md");
}

TEST(DocsLinksTest, WithoutEitherThereIsNoLink) {
  DocsLinks Links = docsLinks("", "");
  EXPECT_EQ(Links.Home, "");
  EXPECT_EQ(Links.page(finding::KernelSignature), "");
}
