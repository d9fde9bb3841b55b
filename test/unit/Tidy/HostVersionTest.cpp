//===- HostVersionTest.cpp - which programs a module can work in -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "gtest/gtest.h"
#include "opsig/Tidy/HostVersion.h"
#include "clang/Basic/Version.h"

using namespace opsig;

namespace {

TEST(HostVersion, TakesTheReleaseItWasBuiltFor) {
  EXPECT_EQ(whyUnusable("M", clang::getClangFullVersion()), "");
  std::string Own = std::to_string(CLANG_VERSION_MAJOR) + "." + std::to_string(CLANG_VERSION_MINOR);
  // Patch releases and what a distribution adds do not matter.
  EXPECT_EQ(whyUnusable("M", "clang version " + Own + ".99"), "");
  EXPECT_EQ(whyUnusable("M", "Debian clang version " + Own + ".0 (++20990101-1~deb12u1)"), "");
}

TEST(HostVersion, RefusesOthers) {
  std::string Own = std::to_string(CLANG_VERSION_MAJOR) + "." + std::to_string(CLANG_VERSION_MINOR);
  std::string Next = std::to_string(CLANG_VERSION_MAJOR + 1) + ".1";
  EXPECT_EQ(whyUnusable("OpsigTidy", "clang version " + Next + ".0"),
            "OpsigTidy was built for LLVM " + Own + " and cannot be used with LLVM " + Next +
                "; nothing is checked");
  // A longer number that begins alike.
  EXPECT_NE(whyUnusable("M", "clang version " + Own + "1.0"), "");
  EXPECT_NE(whyUnusable("M", "clang version 1" + Own + ".0"), "");
  EXPECT_EQ(whyUnusable("M", "something else"), "M was built for LLVM " + Own +
                                                    " and cannot be used with 'something else'; "
                                                    "nothing is checked");
  EXPECT_NE(whyUnusable("M", ""), "");
}

} // namespace
