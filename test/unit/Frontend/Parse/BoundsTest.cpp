//===- BoundsTest.cpp - Readings end ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/KernelTestHelp.h"
#include "gtest/gtest.h"
#include "opsig/Support/UnbrokenLock.h"
#include <ctime>
#include <future>

using namespace opsig;

namespace {

double secondsOfThisThread() {
  timespec Now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &Now);
  return double(Now.tv_sec) + double(Now.tv_nsec) / 1e9;
}

void compute(double Seconds) {
  volatile unsigned Sum = 0;
  while (secondsOfThisThread() < Seconds)
    for (unsigned I = 0; I < 10'000'000; ++I)
      Sum = Sum + I;
}

TEST(Unbroken, holds_from_the_first_to_the_last) {
  EXPECT_FALSE(Unbroken::isHere());
  {
    Unbroken Outer;
    std::mutex Mutex;
    {
      UnbrokenLock Inner(Mutex);
      EXPECT_FALSE(std::async(std::launch::async, [&] { return Mutex.try_lock(); }).get());
      EXPECT_FALSE(std::async(std::launch::async, Unbroken::isHere).get());
    }
    EXPECT_TRUE(Mutex.try_lock());
    Mutex.unlock();
    EXPECT_TRUE(Unbroken::isHere());
  }
  EXPECT_FALSE(Unbroken::isHere());
}

#if !LLVM_ADDRESS_SANITIZER_BUILD // where there is no signal to end a reading with
TEST(Bounds, leave_no_lock_behind) {
  std::mutex Mutex;
  ParseOptions Options;
  Options.Buffers = {{"/mem/a.cpp", "#include \"h.h\"\n"}, {"/mem/h.h", "int a;\n"}};
  Options.IsProjectFile = [&](llvm::StringRef) {
    {
      UnbrokenLock Lock(Mutex);
      compute(2.4); // without a question whether it is over
    }
    compute(60);
    return true;
  };
  ParseJob Job = CompileCommands::fixed(test::miniTorchFlags()).job("/mem/a.cpp");
  Job.Bounds.Seconds = 1;
  EXPECT_EQ(parseKernels(Job, Options).FirstError, "took more than 1 s");
  EXPECT_TRUE(Mutex.try_lock());
}
#endif

} // namespace
