//===- RunProgram.cpp - Another program => what it prints --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Support/RunProgram.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <tuple>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

using namespace llvm;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace opsig {

//===- Finding it -------------------------------------------------------------===//

static bool isBelow(StringRef Path, StringRef Folder) {
  return Path.consume_front(Folder) && (Path.empty() || Path.front() == '/');
}

std::optional<std::string> findProgram(StringRef Name, ArrayRef<std::string> Untrusted) {
  std::vector<std::string> Places;
  for (StringRef Folder : Untrusted) {
    SmallString<256> Real;
    // At or below the root folder is everything.
    if (!fs::real_path(Folder, Real) && Real != "/")
      Places.push_back(std::string(Real));
  }
  auto IsTrusted = [&](StringRef Path) {
    SmallString<256> Real;
    return !fs::real_path(Path, Real) &&
           none_of(Places, [&](StringRef Place) { return isBelow(Real, Place); });
  };
  const char *Folders = std::getenv("PATH");
  for (StringRef Folder : split(Folders ? Folders : "", ':')) {
    SmallString<256> Path(Folder);
    path::append(Path, Name);
    if (path::is_absolute(Folder) && IsTrusted(Folder) && IsTrusted(Path) && fs::can_execute(Path))
      return std::string(Path);
  }
  return std::nullopt;
}

std::vector<std::string> baseEnvironment(StringRef Program) {
  static constexpr const char *Kept[] = {
      "HOME", "USER", "LOGNAME", "SUDO_UID", "XDG_CONFIG_HOME", "LD_LIBRARY_PATH"};
  std::vector<std::string> Out = {"PATH=" + path::parent_path(Program).str() + ":/usr/bin:/bin",
                                  "LC_ALL=C"};
  for (const char *Name : Kept)
    if (const char *Value = std::getenv(Name))
      Out.push_back(std::string(Name) + "=" + Value);
  return Out;
}

//===- The child --------------------------------------------------------------===//

namespace {

/// A descriptor that is closed with its owner.
class Descriptor {
public:
  Descriptor() = default;
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  ~Descriptor() { close(); }

  void take(int Fd) {
    close();
    Number = Fd;
  }
  void close() {
    if (Number >= 0)
      ::close(Number);
    Number = -1;
  }
  int get() const { return Number; }

private:
  int Number = -1;
};

/// A pair of connected ones, of which no other program gets any.
struct Channel {
  Descriptor Ours, Theirs;

  bool open() {
    int Pair[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, Pair) != 0)
      return false;
    Ours.take(Pair[0]);
    Theirs.take(Pair[1]);
    return ::fcntl(Pair[0], F_SETFD, FD_CLOEXEC) == 0 && ::fcntl(Pair[1], F_SETFD, FD_CLOEXEC) == 0;
  }
};

void limit(int Which, uint64_t Most) {
  rlimit Limit;
  if (::getrlimit(decltype(RLIMIT_CPU)(Which), &Limit) != 0)
    return;
  // At the hard limit of CPU time a program is killed, at the other one it gets a signal that says
  // so.
  rlim_t More = Which == int(RLIMIT_CPU) ? 1 : 0;
  Limit.rlim_max = std::min<rlim_t>(Most + More, Limit.rlim_max);
  Limit.rlim_cur = std::min<rlim_t>(Most, Limit.rlim_max);
  ::setrlimit(decltype(RLIMIT_CPU)(Which), &Limit);
}

/// Files that others opened without the flag.
void closeOthersOnExec() {
#if defined(SYS_close_range)
  constexpr unsigned OnExec = 4;
  if (::syscall(SYS_close_range, 3u, ~0u, OnExec) == 0)
    return;
#endif
  for (int Fd = 3, End = int(std::min<long>(::sysconf(_SC_OPEN_MAX), 4096)); Fd < End; ++Fd)
    ::fcntl(Fd, F_SETFD, FD_CLOEXEC);
}

/// Everything that the child needs after the fork, where nothing may be allocated.
struct ChildPlan {
  const char *Path;
  char *const *Arguments;
  char *const *Environment;
  int In, Out, Errors, Started;
  ProgramLimits Limits;
  pid_t Parent;

  [[noreturn]] void run() const;
};

void ChildPlan::run() const {
#if defined(__linux__)
  // Whoever ends opsig ends its children.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != Parent)
    ::_exit(127);
#endif
  // With what it starts itself it can be ended at once.
  ::setpgid(0, 0);
  sigset_t None;
  ::sigemptyset(&None);
  ::sigprocmask(SIG_SETMASK, &None, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  // Above those that are replaced now; what stays open has FD_CLOEXEC.
  int Own = ::fcntl(Started, F_DUPFD_CLOEXEC, 3);
  int From = ::fcntl(In, F_DUPFD_CLOEXEC, 3), To = ::fcntl(Out, F_DUPFD_CLOEXEC, 3);
  int Complaints = ::fcntl(Errors, F_DUPFD_CLOEXEC, 3);
  bool Fine = ::dup2(From, 0) == 0 && ::dup2(To, 1) == 1 && ::dup2(Complaints, 2) == 2;
  closeOthersOnExec();
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_CPU, Limits.CpuSeconds);
  limit(RLIMIT_DATA, Limits.Memory);
  if (Fine && ::chdir("/") == 0)
    ::execve(Path, Arguments, Environment);
  int Why = errno;
  (void)!::write(Own, &Why, sizeof(Why));
  ::_exit(127);
}

std::vector<char *> pointersTo(std::vector<std::string> &Texts) {
  std::vector<char *> Out;
  for (std::string &Text : Texts)
    Out.push_back(Text.data());
  Out.push_back(nullptr);
  return Out;
}

//===- Talking to it -----------------------------------------------------------===//

/// A child that runs; it is ended with this object.
class Child {
public:
  Child(const ProgramRun &Run) : Run(Run) {}
  ~Child() {
    if (Id > 0 && !IsOver)
      end();
  }

  Error start();
  ProgramEnd wait();

private:
  using Clock = std::chrono::steady_clock;

  /// Moves bytes until the child closes its outputs, or must be ended.
  ProgramEnd::Kind talk(Clock::time_point Until);
  /// Whether it has done nothing for that long.
  bool standsStill();
  void send();
  /// False at the end of the stream.
  bool receive(int From, std::string &To);
  void end();
  void reap();
  /// False if it still runs.
  bool reapUntil(Clock::time_point Until);

  const ProgramRun &Run;
  Channel In, Out, Errors;
  pid_t Id = -1;
  bool IsOver = false;
  int WaitStatus = 0;
  rusage Usage = {};
  StringRef Left; ///< of the input
  /// What it had done when it was seen working last, and when that was.
  std::tuple<double, size_t, size_t> Work = {-1, 0, 0};
  Clock::time_point Worked;
  ProgramEnd Result;
};

Error Child::start() {
  auto Fail = [&](int Why) {
    return createStringError("cannot run '" + Run.Path + "': " + std::strerror(Why));
  };
  Channel Started;
  if (!In.open() || !Out.open() || !Errors.open() || !Started.open())
    return Fail(errno);
  std::vector<std::string> Words = {Run.Path}, Environment = baseEnvironment(Run.Path);
  append_range(Words, Run.Arguments);
  append_range(Environment, Run.Environment);
  std::vector<char *> Arguments = pointersTo(Words), Variables = pointersTo(Environment);
  ChildPlan Plan{Run.Path.c_str(),     Arguments.data(), Variables.data(),
                 In.Theirs.get(),      Out.Theirs.get(), Errors.Theirs.get(),
                 Started.Theirs.get(), Run.Limits,       ::getpid()};
  Id = ::fork();
  if (Id == 0)
    Plan.run();
  if (Id < 0)
    return Fail(errno);
  for (Channel *C : {&In, &Out, &Errors, &Started})
    C->Theirs.close();
  int Why = 0;
  ssize_t Read;
  do
    Read = ::read(Started.Ours.get(), &Why, sizeof(Why));
  while (Read < 0 && errno == EINTR);
  if (Read == sizeof(Why)) {
    reap();
    return Fail(Why);
  }
  return Error::success();
}

void Child::send() {
#if defined(MSG_NOSIGNAL)
  constexpr int Flags = MSG_DONTWAIT | MSG_NOSIGNAL;
#else
  constexpr int Flags = MSG_DONTWAIT;
#endif
  ssize_t Sent = ::send(In.Ours.get(), Left.data(), Left.size(), Flags);
  if (Sent > 0)
    Left = Left.drop_front(Sent);
  // One that has ended takes no more.
  bool Gone = Sent < 0 && errno != EAGAIN && errno != EINTR;
  if (Gone || Left.empty())
    In.Ours.close();
}

bool Child::receive(int From, std::string &To) {
  char Buffer[1 << 16];
  ssize_t Read = ::read(From, Buffer, sizeof(Buffer));
  if (Read > 0)
    To.append(Buffer, Read);
  return Read > 0 || (Read < 0 && (errno == EAGAIN || errno == EINTR));
}

bool Child::standsStill() {
  clockid_t Processors;
  timespec Used = {};
  if (clock_getcpuclockid(Id, &Processors) != 0 || clock_gettime(Processors, &Used) != 0)
    return false;
  std::tuple Now(double(Used.tv_sec) + double(Used.tv_nsec) / 1e9,
                 Result.Output.size() + Result.Errors.size(), Left.size());
  if (Now != std::exchange(Work, Now))
    Worked = Clock::now();
  return Clock::now() - Worked > std::chrono::seconds(Run.Limits.IdleSeconds);
}

ProgramEnd::Kind Child::talk(Clock::time_point Until) {
  Left = Run.Input;
  if (Left.empty())
    In.Ours.close();
  bool OutOpen = true, ErrorsOpen = true;
  while (OutOpen || ErrorsOpen) {
    auto Time = std::chrono::duration_cast<std::chrono::milliseconds>(Until - Clock::now()).count();
    if (Time <= 0)
      return ProgramEnd::TookTooLong;
    if (standsStill())
      return ProgramEnd::StoodStill;
    pollfd Expected[] = {{OutOpen ? Out.Ours.get() : -1, POLLIN, 0},
                         {ErrorsOpen ? Errors.Ours.get() : -1, POLLIN, 0},
                         {In.Ours.get(), POLLOUT, 0}};
    if (::poll(Expected, 3, int(std::min<long long>(Time, 1000))) < 0 && errno != EINTR)
      return ProgramEnd::Signalled;
    if (Expected[0].revents)
      OutOpen = receive(Expected[0].fd, Result.Output);
    if (Expected[1].revents)
      ErrorsOpen = receive(Expected[1].fd, Result.Errors);
    if (Expected[2].revents)
      send();
    if (Result.Output.size() + Result.Errors.size() > Run.Limits.Output)
      return ProgramEnd::PrintedTooMuch;
  }
  return ProgramEnd::Exited;
}

void Child::reap() {
  while (::wait4(Id, &WaitStatus, 0, &Usage) < 0 && errno == EINTR)
    continue;
  IsOver = true;
}

bool Child::reapUntil(Clock::time_point Until) {
  pid_t Ended;
  while ((Ended = ::wait4(Id, &WaitStatus, WNOHANG, &Usage)) <= 0 && Clock::now() < Until)
    ::usleep(1000);
  IsOver = Ended == Id;
  return IsOver;
}

void Child::end() {
  ::kill(-Id, SIGKILL);
  ::kill(Id, SIGKILL);
  reap();
}

ProgramEnd Child::wait() {
  auto Until = Clock::now() + std::chrono::seconds(Run.Limits.Seconds);
  Result.Is = talk(Until);
  if (Result.Is == ProgramEnd::Exited && !reapUntil(Until))
    Result.Is = ProgramEnd::TookTooLong; // its outputs are closed, and it stays
  if (!IsOver)
    end();
  auto Seconds = [](const timeval &T) { return double(T.tv_sec) + double(T.tv_usec) / 1e6; };
  Result.CpuSeconds = Seconds(Usage.ru_utime) + Seconds(Usage.ru_stime);
  if (Result.Is != ProgramEnd::Exited)
    return std::move(Result);
  if (WIFEXITED(WaitStatus)) {
    Result.Status = WEXITSTATUS(WaitStatus);
    return std::move(Result);
  }
  Result.Status = WTERMSIG(WaitStatus);
  bool OfTime = Result.Status == SIGXCPU || Result.CpuSeconds >= Run.Limits.CpuSeconds;
  Result.Is = OfTime ? ProgramEnd::TookTooLong : ProgramEnd::Signalled;
  return std::move(Result);
}

} // namespace

std::string ProgramEnd::why(const ProgramLimits &Limits) const {
  switch (Is) {
  case Exited:
    return formatv("exited with status {0}", Status);
  case Signalled:
    return formatv("was killed by signal {0}", Status);
  case TookTooLong:
    return formatv("took more than {0} s", std::min(Limits.CpuSeconds, Limits.Seconds));
  case StoodStill:
    return formatv("did nothing for {0} s", Limits.IdleSeconds);
  case PrintedTooMuch:
    return formatv("printed more than {0} MiB", Limits.Output >> 20);
  }
  llvm_unreachable("all are there");
}

Expected<ProgramEnd> runProgram(const ProgramRun &Run) {
  Child Running(Run);
  if (Error Err = Running.start())
    return std::move(Err);
  return Running.wait();
}

} // namespace opsig
