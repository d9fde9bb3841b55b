//===- ReadingRegistry.cpp - the thread that sees what does not come back -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Parse/OwnCode.h"
#include "Parse/ReadingRegistry.h"
#include "opsig/Frontend/RunTime.h"

#include "llvm/Support/Process.h"
#include "llvm/Support/Threading.h"
#include <csignal>
#include <fstream>
#include <thread>

using namespace opsig;
using llvm::StringRef;

/// Nothing else uses it, and who does not expect it does not notice it.
static constexpr int LeaveSignal = SIGURG;

/// Of this process; 0 where the system does not say.
static uint64_t residentBytes() {
  std::ifstream In("/proc/self/statm");
  uint64_t Whole = 0, Resident = 0;
  In >> Whole >> Resident;
  return Resident * llvm::sys::Process::getPageSizeEstimate();
}

void ReadingWatch::Registry::start() {
  std::lock_guard Lock(Mutex);
  if (!Started)
    std::thread([this] { watch(); }).detach();
  Started = true;
}

void ReadingWatch::Registry::add(ReadingWatch &Watch) {
  std::lock_guard Lock(Mutex);
  charge();
  Watch.Waits = Turns.isCrowded(residentBytes(), Running.size());
  Running.push_back(&Watch);
  MostAtOnce = std::max(MostAtOnce, Running.size());
}

void ReadingWatch::Registry::remove(ReadingWatch &Watch) {
  std::lock_guard Lock(Mutex);
  charge();
  llvm::erase(Running, &Watch);
  HasOneLeft |= Watch.Leaving != Reason::None;
  bool IsPutOff = Watch.HadTurn && Watch.IsCounted && Watch.TookTooLong;
  // Which of several readings takes the memory of the process is an estimate. What is put off is
  // read again, also where the run begins anew before its turn.
  if (Watch.Leaving == Reason::Memory)
    GivenUp.Suspects.push_back(Watch.path());
  else if (!Watch.Exceeded.empty() && Watch.IsCounted && !IsPutOff)
    GivenUp.TooHard.emplace_back(Watch.path(), Watch.Exceeded);
  double Seconds = Watch.IsCounted ? Watch.Charged : 0;
  Watch.HasEnded ? Time.wasRead(Seconds) : Time.wasGivenUp(Seconds);
  if (!Watch.Exceeded.empty() && Watch.IsCounted)
    Time.sawBoundExceeded();
  if (Watch.HasRead) {
    Read.insert(Watch.path());
    Time.sawFile(Watch.seconds());
  }
  if (IsPutOff)
    CutShort.insert(Watch.path());
}

void ReadingWatch::Registry::watch() {
  // Here, so that threads that may only read need not do it.
  OwnCode::here();
  struct sigaction Leave = {};
  Leave.sa_sigaction = [](int, siginfo_t *, void *Context) { leave(interruptedAt(Context)); };
  Leave.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART | SA_NODEFER;
  sigaction(LeaveSignal, &Leave, nullptr);
  while (true) {
    std::this_thread::sleep_for(Next);
    std::lock_guard Lock(Mutex);
    Next = Pause;
    lookAtAll();
  }
}

void ReadingWatch::Registry::lookAtAll() {
  if (Running.empty())
    return;
  charge();
  uint64_t Resident = takeTurns(residentBytes());
  limitTime();
  ReadingWatch *Largest = nullptr;
  bool HasLeft = std::exchange(HasOneLeft, false);
  for (ReadingWatch *Each : Running) {
    Each->seen(Resident);
    if (HasLeft)
      Each->forgetGrowth(Resident);
    if (Each->hasGrown(Resident) && (!Largest || Each->newFaults() > Largest->newFaults()))
      Largest = Each;
  }
  if (Largest && !anyLeaving())
    Largest->Leaving = Reason::Memory;
  bool IsOneLeaving = anyLeaving();
  for (ReadingWatch *Each : Running) {
    // What that one has is left behind, and nobody else's. Who waits takes nothing.
    if (IsOneLeaving || Each->Waits)
      Each->forgetGrowth(Resident);
    if (Each->Leaving != Reason::None)
      pthread_kill(Each->Thread, LeaveSignal);
  }
  // A thread that is to leave is asked again until it is met where it can.
  if (IsOneLeaving)
    Next = std::chrono::milliseconds(2);
  if (End)
    endWhatHangs(Resident);
}

double ReadingWatch::Registry::processors() {
  static const unsigned All = llvm::hardware_concurrency().compute_thread_count();
  return All;
}

/// Adds up how much longer the run takes for each reading. Those that go on at the same time share
/// that; where others wait, for memory, one has it alone.
void ReadingWatch::Registry::charge() {
  double All = 0, Longest = 0;
  for (const ReadingWatch *Each : Running) {
    double Used = Each->seconds() - Each->ChargedUpTo;
    All += Used;
    Longest = std::max(Longest, Used);
  }
  double Sharing = Longest > 0 ? std::min(All / Longest, processors()) : 1;
  for (ReadingWatch *Each : Running) {
    double Now = Each->seconds();
    Each->Charged += (Now - Each->ChargedUpTo) / Sharing;
    Each->ChargedUpTo = Now;
  }
}

/// Where more run than there are processors, they hold each other up: what others take that may all
/// be given up is not there for the next one. What takes as long as files do is none of those.
void ReadingWatch::Registry::limitTime() {
  constexpr double Usual = 2;
  double Others = 0, Between = std::clamp(double(MostAtOnce), 1.0, processors());
  size_t Ahead = size_t(Between) - 1;
  for (size_t I = 0; I < Running.size(); ++I) {
    if (I > Ahead)
      Others += std::max(Running[I - Ahead - 1]->Charged - Usual / Between, 0.0);
    unsigned Bound = Running[I]->Job.Bounds.Seconds;
    if (Running[I]->WasRead)
      continue;
    unsigned Share = Time.share(Bound, Others), Has = TakesTurns ? Time.turn(Bound, Others) : Share;
    Running[I]->HadTurn = Has < Share;
    Running[I]->Limit = std::max(Has, std::min(Bound, 1u));
  }
}

/// The memory of the process after that.
uint64_t ReadingWatch::Registry::takeTurns(uint64_t Resident) {
  if (Turns.isNear(Resident))
    Next = std::min(Pause, std::chrono::milliseconds(10));
  if (Turns.isCrowded(Resident, 1)) {
    returnFreeMemory();
    Resident = residentBytes();
  }
  std::vector<ReadingTurn> All;
  for (const ReadingWatch *Each : Running)
    All.push_back({Each, Each->seconds(), Each->Waits});
  Turns.decide(All, Resident);
  for (size_t I = 0; I < All.size(); ++I)
    Running[I]->Waits = All[I].Waits;
  return Resident;
}

HardFiles ReadingWatch::Registry::whatIsKnown() const {
  HardFiles Files = GivenUp;
  for (const std::string &File : Read)
    Files.TooHard.emplace_back(File, "");
  Files.SecondsInVain = Time.spent();
  for (const ReadingWatch *Each : Running)
    Files.SecondsInVain += Each->Charged;
  return Files;
}

/// Where even the signal does not help.
void ReadingWatch::Registry::endWhatHangs(uint64_t Resident) const {
  HardFiles Files = whatIsKnown();
  for (const ReadingWatch *Each : Running) {
    // The bound may have been lowered a moment ago.
    double MostSeconds = Each->LateSince + 0.25 * double(Each->Limit) + 5;
    if (Each->Late && Each->seconds() > MostSeconds) {
      std::string Why = "took more than " + std::to_string(unsigned(MostSeconds)) + " s";
      Files.TooHard.emplace_back(Each->path(), Why);
      End(Files, Each->Job.File, Why);
    }
  }
  // What readings hold besides their ASTs, and what others have left behind.
  const ReadingBounds &Bounds = (*Running.begin())->Job.Bounds;
  uint64_t Most = (uint64_t(Bounds.Mebibytes) * MostAtOnce + 1024) << 20;
  if (Turns.isFull(Resident))
    Most = std::min(Most, Turns.bound());
  else if (!Bounds.Mebibytes || Resident <= Most)
    return;
  for (const ReadingWatch *Each : Running)
    Files.Suspects.push_back(Each->path());
  End(Files, (*Running.begin())->Job.File,
      "needed more than " + std::to_string(Most >> 20) + " MiB of memory");
}

ReadingWatch::ForkGuard::ForkGuard() { Registry::registry().Mutex.lock(); }
ReadingWatch::ForkGuard::~ForkGuard() { Registry::registry().Mutex.unlock(); }

void ReadingWatch::ForkGuard::startAgain() {
  Registry &All = Registry::registry();
  All.Started = false;
  All.Running.clear();
  All.GivenUp = HardFiles();
  All.MostAtOnce = 1;
  All.Pause = All.Next = std::chrono::milliseconds(10);
  All.Mutex.unlock();
}

void opsig::endHangingReadings(
    std::function<void(const HardFiles &Files, StringRef File, StringRef Why)> End) {
  ReadingWatch::Registry &All = ReadingWatch::Registry::registry();
  std::lock_guard Lock(All.Mutex);
  All.End = std::move(End);
}

void opsig::boundRunMemory(unsigned Mebibytes) {
  ReadingWatch::Registry &All = ReadingWatch::Registry::registry();
  std::lock_guard Lock(All.Mutex);
  All.Turns.setBound(Mebibytes);
}

void opsig::boundRunTime(unsigned Seconds) {
  ReadingWatch::Registry &All = ReadingWatch::Registry::registry();
  std::lock_guard Lock(All.Mutex);
  All.Time.setBound(Seconds);
}

double opsig::secondsInVain(double Most) {
  ReadingWatch::Registry &All = ReadingWatch::Registry::registry();
  std::lock_guard Lock(All.Mutex);
  return All.Time.bound() ? std::clamp(All.Time.left(), 0.0, Most) : Most;
}
