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
};

/// The child that reads one file, and what it says.
class Trial {
public:
  Trial(const ParseJob &Job, const ParseOptions &Options) : Job(Job), Options(Options) {}
  std::string verdict();

private:
  [[noreturn]] void read(int To);
  std::string hear(int From);
  std::string tooLarge() const {
    return "needed more than " + std::to_string(Job.Bounds.Mebibytes) + " MiB of memory";
  }

  const ParseJob &Job;
  const ParseOptions &Options;
  pid_t Child = -1;
};

} // namespace

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

void Trial::read(int To) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
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

/// "" if it ended without a word.
std::string Trial::hear(int From) {
  std::string Said;
  char Room[1024];
  for (ssize_t Got; (Got = ::read(From, Room, sizeof(Room))) > 0 || (Got < 0 && errno == EINTR);)
    Said.append(Room, std::max<ssize_t>(Got, 0));
  return Said;
}

static double secondsOf(const timeval &Time) {
  return double(Time.tv_sec) + double(Time.tv_usec) / 1e6;
}

std::string Trial::verdict() {
  int Pipe[2];
  if (pipe2(Pipe, O_CLOEXEC) != 0)
    return "";
  {
    ReadingWatch::ForkGuard Guard;
    Child = fork();
    if (Child == 0) {
      Guard.startAgain();
      close(Pipe[0]);
      read(Pipe[1]);
    }
  }
  close(Pipe[1]);
  std::string Said = Child > 0 ? hear(Pipe[0]) : "+";
  close(Pipe[0]);
  rusage Used = {};
  while (Child > 0 && wait4(Child, nullptr, 0, &Used) < 0 && errno == EINTR)
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

void opsig::tryHardFiles(llvm::ArrayRef<ParseJob> Jobs, const ParseOptions &Options) {
  KnownFiles &Known = KnownFiles::known();
  std::lock_guard Lock(Known.Mutex);
  if (Known.Suspects.empty() && !Known.AllAreSuspects)
    return;
  for (const ParseJob &Job : Jobs) {
    std::string Path = hardFilePath(Job);
    if (!Known.AllAreSuspects && !Known.Suspects.count(Path))
      continue;
    if (auto [It, New] = Known.Verdicts.try_emplace(Path); New) {
      // The child asks for verdicts, too.
      Known.Mutex.unlock();
      std::string Why = Trial(Job, Options).verdict();
      Known.Mutex.lock();
      Known.Verdicts[Path] = std::move(Why);
    }
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
