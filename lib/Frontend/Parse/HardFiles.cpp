//===- HardFiles.cpp - Files that a run may not survive -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Parse/Bounds.h"
#include "Parse/HardFiles.h"
#include "Parse/ParseInternal.h"
#include "opsig/Support/PathGlob.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include <csignal>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <set>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

using namespace opsig;
using llvm::StringRef;

std::string opsig::hardFilePath(const ParseJob &Job) {
  llvm::SmallString<256> Path(Job.File);
  if (!Job.Directory.empty())
    llvm::sys::path::make_absolute(Job.Directory, Path);
  return absolutePath(Path);
}

namespace {

/// Of this process.
struct KnownFiles {
  std::mutex Mutex;
  std::set<std::string> Suspects;
  bool AllAreSuspects = false;
  std::map<std::string, std::string> Verdicts; ///< by path; "" where it can be read

  static KnownFiles &known() {
    static auto *The = new KnownFiles;
    return *The;
  }
  bool areToTry(const std::string &Path) const {
    return (AllAreSuspects || Suspects.count(Path)) && !Verdicts.count(Path);
  }
};

} // namespace

/// The child that reads one file, and what it says.
class HardFileTrials::Trial {
public:
  Trial(const ParseJob &Job, const ParseOptions &Options) : Job(Job), Options(Options) {}
  /// The child has what this process has now, and waits.
  void start();
  std::string verdict();

private:
  [[noreturn]] void read(int From, int To);
  std::string hear();
  void go();
  std::string tooLarge() const {
    return "needed more than " + std::to_string(Job.Bounds.Mebibytes) + " MiB of memory";
  }

  const ParseJob &Job;
  const ParseOptions &Options;
  pid_t Child = -1;
  int Start = -1, Answer = -1; ///< ends of pipes to and from it
  double SpentBefore = 0;
};

/// More than any reading has that is within its bounds; what is beyond is refused by the system.
static void limitMemory(unsigned Mebibytes) {
  constexpr rlim_t Beside = 768; // what the program has at this point, and what is no AST
  rlimit Limit;
  if (LLVM_ADDRESS_SANITIZER_BUILD) // which takes terabytes of addresses
    return;
  if (Mebibytes && getrlimit(RLIMIT_DATA, &Limit) == 0) {
    Limit.rlim_cur = std::min<rlim_t>((Mebibytes + Beside) << 20, Limit.rlim_max);
    setrlimit(RLIMIT_DATA, &Limit);
  }
}

void HardFileTrials::Trial::read(int From, int To) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  double SpentMeanwhile = 0;
  ssize_t Got;
  do
    Got = ::read(From, &SpentMeanwhile, sizeof(SpentMeanwhile));
  while (Got < 0 && errno == EINTR);
  if (Got != sizeof(SpentMeanwhile))
    _exit(0);
  ReadingWatch::spend(SpentMeanwhile);
  limitMemory(Job.Bounds.Mebibytes);
  rlimit NoCore = {0, 0};
  setrlimit(RLIMIT_CORE, &NoCore);
  auto Say = [To](StringRef Why) {
    (void)!write(To, Why.data(), Why.size());
    _exit(0);
  };
  endHangingReadings([&](const HardFiles &, StringRef, StringRef Why) { Say(Why); });
  std::string Why;
  parseKernels(Job, Options, NoteText(), ParseAids{nullptr, nullptr, nullptr, &Why});
  Say(Why.empty() ? "+" : Why);
  _exit(0);
}

void HardFileTrials::Trial::start() {
  int To[2], From[2];
  if (pipe2(To, O_CLOEXEC) != 0)
    return;
  if (pipe2(From, O_CLOEXEC) != 0) {
    close(To[0]);
    close(To[1]);
    return;
  }
  SpentBefore = ReadingWatch::spent();
  {
    ReadingWatch::ForkGuard Guard;
    Child = fork();
    if (Child == 0) {
      Guard.startAgain();
      close(To[1]);
      close(From[0]);
      read(To[0], From[1]);
    }
  }
  close(To[0]);
  close(From[1]);
  if (Child < 0) { // nobody would read what go() writes
    close(To[1]);
    close(From[0]);
    return;
  }
  Start = To[1];
  Answer = From[0];
}

void HardFileTrials::Trial::go() {
  double SpentMeanwhile = ReadingWatch::spent() - SpentBefore;
  (void)!write(Start, &SpentMeanwhile, sizeof(SpentMeanwhile));
  close(Start);
}

/// "" if it ended without a word.
std::string HardFileTrials::Trial::hear() {
  std::string Said;
  char Room[1024];
  for (ssize_t Got; (Got = ::read(Answer, Room, sizeof(Room))) > 0 || (Got < 0 && errno == EINTR);)
    Said.append(Room, std::max<ssize_t>(Got, 0));
  close(Answer);
  return Said;
}

static double secondsOf(const timeval &Time) {
  return double(Time.tv_sec) + double(Time.tv_usec) / 1e6;
}

std::string HardFileTrials::Trial::verdict() {
  if (Start < 0)
    return "";
  go();
  std::string Said = hear();
  rusage Used = {};
  while (wait4(Child, nullptr, 0, &Used) < 0 && errno == EINTR)
    continue;
  if (Said == "+")
    return "";
  ReadingWatch::spend(secondsOf(Used.ru_utime) + secondsOf(Used.ru_stime));
  if (!Said.empty() && !StringRef(Said).ends_with("crashes on it"))
    return Said;
  // Where the system refused memory, Clang ends as it does where it crashes.
  bool IsLarge = Job.Bounds.Mebibytes && uint64_t(Used.ru_maxrss) >> 10 >= Job.Bounds.Mebibytes;
  return IsLarge ? tooLarge() : "Clang crashes on it";
}

void opsig::knowHardFiles(const HardFiles &Files) {
  ReadingWatch::spentBefore(std::max(Files.SecondsInVain, 0.0));
  KnownFiles &Known = KnownFiles::known();
  std::lock_guard Lock(Known.Mutex);
  Known.Suspects.insert(Files.Suspects.begin(), Files.Suspects.end());
  Known.AllAreSuspects |= Files.AllAreSuspects;
  if (Known.AllAreSuspects || !Known.Suspects.empty())
    ReadingWatch::beCareful();
  for (const auto &[File, Why] : Files.TooHard)
    Known.Verdicts[File] = Why;
}

HardFileTrials::HardFileTrials(llvm::ArrayRef<ParseJob> Jobs, const ParseOptions &Options)
    : Jobs(Jobs), Options(Options) {
  KnownFiles &Known = KnownFiles::known();
  std::lock_guard Lock(Known.Mutex);
  if (Known.Suspects.empty() && !Known.AllAreSuspects)
    return;
  for (size_t I = 0; I < Jobs.size(); ++I)
    if (Known.areToTry(hardFilePath(Jobs[I])))
      Hard.push_back(I);
}

HardFileTrials::~HardFileTrials() = default;

void HardFileTrials::start() {
  constexpr size_t Most = 64; // children that wait
  for (size_t I : llvm::ArrayRef(Hard).take_front(Most)) {
    Trials.push_back(std::make_unique<Trial>(Jobs[I], Options));
    Trials.back()->start();
  }
}

void HardFileTrials::run() {
  KnownFiles &Known = KnownFiles::known();
  for (size_t N = 0; N < Hard.size(); ++N) {
    if (N == Trials.size()) {
      Trials.push_back(std::make_unique<Trial>(Jobs[Hard[N]], Options));
      Trials.back()->start();
    }
    // The child asks for verdicts, too.
    std::string Why = Trials[N]->verdict();
    std::lock_guard Lock(Known.Mutex);
    Known.Verdicts[hardFilePath(Jobs[Hard[N]])] = std::move(Why);
  }
}

std::string opsig::whyTooHard(const ParseJob &Job) {
  KnownFiles &Known = KnownFiles::known();
  std::lock_guard Lock(Known.Mutex);
  if (Known.Verdicts.empty())
    return "";
  auto It = Known.Verdicts.find(hardFilePath(Job));
  return It == Known.Verdicts.end() ? "" : It->second;
}

bool opsig::wasReadBefore(const ParseJob &Job) {
  KnownFiles &Known = KnownFiles::known();
  std::lock_guard Lock(Known.Mutex);
  if (Known.Verdicts.empty())
    return false;
  auto It = Known.Verdicts.find(hardFilePath(Job));
  return It != Known.Verdicts.end() && It->second.empty();
}
