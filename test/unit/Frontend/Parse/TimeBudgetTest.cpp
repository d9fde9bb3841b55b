//===- TimeBudgetTest.cpp - What files that are given up may take together ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Parse/TimeBudget.h"
#include "gtest/gtest.h"

using namespace opsig;

namespace {

TEST(TimeBudget, gives_the_first_file_all_of_its_own_bound) {
  TimeBudget Time;
  Time.setBound(50);
  EXPECT_EQ(Time.share(30), 30u);
  EXPECT_EQ(Time.share(5), 5u);
}

TEST(TimeBudget, ends_however_many_files_want_all_they_get) {
  TimeBudget Time;
  Time.setBound(50);
  double All = 0;
  unsigned Files = 0;
  while (unsigned Share = Time.share(30)) {
    Time.wasGivenUp(Share);
    All += Share;
    ASSERT_LT(++Files, 20u);
  }
  EXPECT_LE(All, 50);
  EXPECT_GE(Files, 5u);
  Time.wasGivenUp(1000);
  EXPECT_EQ(Time.share(30), 0u);
}

TEST(TimeBudget, grows_with_what_is_read) {
  TimeBudget Time;
  Time.setBound(50);
  Time.wasGivenUp(50);
  EXPECT_EQ(Time.share(30), 0u);
  Time.wasRead(10);
  EXPECT_EQ(Time.share(30), 6u);
  Time.wasRead(100);
  EXPECT_EQ(Time.share(30), 30u);
}

TEST(TimeBudget, leaves_out_what_others_may_use_up) {
  TimeBudget Time;
  Time.setBound(50);
  EXPECT_EQ(Time.share(30, 40), 6u);
  EXPECT_EQ(Time.share(30, 50), 0u);
}

TEST(TimeBudget, leaves_some_to_a_run_that_begins_again) {
  TimeBudget Time;
  Time.setBound(50);
  Time.wasUsedBefore(70);
  EXPECT_EQ(Time.share(30), 1u);
  Time.wasGivenUp(2);
  EXPECT_EQ(Time.share(30), 0u);
  EXPECT_EQ(Time.spent(), 72);
}

TEST(TimeBudget, lets_others_go_first_once_one_was_given_up) {
  TimeBudget Time;
  Time.setBound(50);
  EXPECT_EQ(Time.turn(30), 30u);
  Time.wasRead(1);
  Time.sawFile(1);
  EXPECT_EQ(Time.turn(30), 30u);
  Time.wasGivenUp(31);
  EXPECT_EQ(Time.turn(30), 13u); // as where Clang crashes
  Time.sawBoundExceeded();
  EXPECT_EQ(Time.share(30), 13u);
  EXPECT_EQ(Time.turn(30), 4u);
  Time.sawFile(9);
  EXPECT_EQ(Time.turn(30), 13u);
  unsigned Files = 0;
  while (unsigned Turn = Time.turn(1)) {
    Time.wasGivenUp(Turn);
    ASSERT_LT(++Files, 50u);
  }
  EXPECT_EQ(Files, 20u);
}

TEST(TimeBudget, bounds_nothing_that_has_no_bound) {
  TimeBudget Time;
  Time.wasGivenUp(1000);
  EXPECT_EQ(Time.share(30), 30u);
  Time.setBound(50);
  EXPECT_EQ(Time.share(0), 0u);
}

} // namespace
