//===- SyncTest.cpp - the order of what is added ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../../../lib/Edit/SyncInternal.h"

#include "gtest/gtest.h"

using namespace opsig;

namespace {

/// "H" is here, "E" elsewhere, "." missing. Each slot: where, its anchor, its items.
std::string slots(llvm::StringRef Items) {
  std::vector<Presence> List;
  for (char C : Items)
    List.push_back(C == 'H' ? Presence::Here : C == 'E' ? Presence::Elsewhere : Presence::Missing);
  std::string Out;
  for (const Slot &S : placeInOrder(List)) {
    Out += S.Where == Slot::AtEnd    ? "end"
           : S.Where == Slot::Before ? "before " + std::to_string(S.Anchor)
                                     : "behind " + std::to_string(S.Anchor);
    Out += ":";
    for (size_t I : S.Items)
      Out += " " + std::to_string(I);
    Out += "; ";
  }
  return Out;
}

TEST(PlaceInOrder, PutsEachBehindTheLastOneBefore) {
  EXPECT_EQ(slots("H..H."), "behind 0: 1 2; behind 3: 4; ");
}

TEST(PlaceInOrder, PutsTheFirstOnesInFront) {
  EXPECT_EQ(slots("..H."), "before 2: 0 1; behind 2: 3; ");
}

TEST(PlaceInOrder, NeedsAnAnchor) {
  EXPECT_EQ(slots("..."), "end: 0 1 2; ");
  EXPECT_EQ(slots(".E."), "end: 0 2; ");
}

TEST(PlaceInOrder, WhatIsElsewhereIsNeitherAnchorNorMissing) {
  EXPECT_EQ(slots("HE.E."), "behind 0: 2 4; ");
  EXPECT_EQ(slots("EH"), "");
}

} // namespace
