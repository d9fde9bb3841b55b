//===- StagedFiles.cpp - New texts that wait beside the files they replace --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Support/StagedFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <csignal>
#include <fcntl.h>
#include <mutex>
#include <sys/file.h>
#include <unistd.h>
#include <vector>

using namespace llvm;
using namespace opsig;
namespace fs = llvm::sys::fs;

namespace {

Error cannotWrite(StringRef Path, std::error_code EC, const Twine &More = "") {
  return createStringError(EC, "cannot write '" + Path + "': " + EC.message() + More);
}

/// Blocks the signals by which a user ends a program, unless they are ignored anyway.
class HeldInterrupts {
public:
  HeldInterrupts() {
    sigemptyset(&Held);
    for (int Signal : {SIGINT, SIGTERM, SIGHUP}) {
      struct sigaction Action;
      if (sigaction(Signal, nullptr, &Action) == 0 && Action.sa_handler != SIG_IGN)
        sigaddset(&Held, Signal);
    }
    pthread_sigmask(SIG_BLOCK, &Held, &Before);
  }
  ~HeldInterrupts() { pthread_sigmask(SIG_SETMASK, &Before, nullptr); }

  bool pending() const {
    sigset_t Pending;
    if (sigpending(&Pending) != 0)
      return false;
    return any_of(std::initializer_list<int>{SIGINT, SIGTERM, SIGHUP}, [&](int Signal) {
      return sigismember(&Held, Signal) == 1 && sigismember(&Pending, Signal) == 1;
    });
  }

private:
  sigset_t Held;
  sigset_t Before;
};

/// A folder that gets files. Names of parts can be told beforehand, so that a run finds those that
/// a killed one left; hence only one run at a time may use them.
class Folder {
public:
  explicit Folder(StringRef Path) {
    FD = ::open(Path.str().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    Mine = FD != -1 && ::flock(FD, LOCK_EX | LOCK_NB) == 0;
  }
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;
  ~Folder() {
    if (FD != -1)
      ::close(FD); // unlocks, too
  }

  std::string partOf(StringRef Path) const {
    return (Path + (Mine ? ".opsig-part" : ".opsig-part-" + std::to_string(::getpid()))).str();
  }

private:
  int FD;
  bool Mine;
};

struct Part {
  std::string Name;
  std::string Target; ///< the file a link leads to, not the link
  std::string Path;   ///< as the caller calls it
};

/// What stands at \p Path before anything is written.
struct OldFile {
  std::string Target;
  bool Exists = false;
  fs::file_status Status;
};

Expected<OldFile> lookAt(StringRef Path) {
  OldFile Old;
  Old.Target = Path.str();
  std::error_code EC = fs::status(Path, Old.Status, /*Follow=*/false);
  if (!EC && fs::is_symlink_file(Old.Status)) {
    SmallString<128> Real;
    if (!fs::real_path(Path, Real))
      Old.Target = Real.str();
    EC = fs::status(Path, Old.Status);
  }
  if (EC && EC != std::errc::no_such_file_or_directory)
    return cannotWrite(Path, EC);
  if (fs::is_directory(Old.Status))
    return cannotWrite(Path, make_error_code(std::errc::is_a_directory));
  Old.Exists = !EC;
  return Old;
}

bool hasContents(const OldFile &Old, StringRef Text) {
  if (!Old.Exists || Old.Status.getSize() != Text.size())
    return false;
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer =
      MemoryBuffer::getFile(Old.Target, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return Buffer && (*Buffer)->getBuffer() == Text;
}

std::error_code lastError() { return std::error_code(errno, std::generic_category()); }

/// System calls and nothing else: with thousands of small files LLVM's streams cost half as much
/// again.
std::error_code writeAll(int FD, StringRef Text) {
  while (!Text.empty()) {
    ssize_t Written = ::write(FD, Text.data(), Text.size());
    if (Written < 0 && errno != EINTR)
      return lastError();
    if (Written > 0)
      Text = Text.drop_front(Written);
  }
  return {};
}

std::error_code writePart(const Part &P, const OldFile &Old, StringRef Text) {
  int FD = ::open(P.Name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (FD == -1)
    return lastError();
  std::error_code EC =
      Old.Exists ? fs::setPermissions(FD, Old.Status.permissions()) : std::error_code();
  if (!EC)
    EC = writeAll(FD, Text);
  // Some file systems tell only now that there is no room.
  if (::close(FD) != 0 && !EC)
    EC = lastError();
  return EC;
}

} // namespace

struct StagedFiles::Impl {
  HeldInterrupts Interrupts;
  std::mutex Lock; ///< of all below
  StringMap<std::unique_ptr<Folder>> Folders;
  std::vector<Part> Parts;
  size_t NumDone = 0;

  Expected<std::string> partName(const OldFile &Old, StringRef Path);
};

Expected<std::string> StagedFiles::Impl::partName(const OldFile &Old, StringRef Path) {
  // A mere file name has no folder that could be missing.
  StringRef Name = sys::path::parent_path(Old.Target);
  std::lock_guard Guard(Lock);
  std::unique_ptr<Folder> &In = Folders[Name];
  if (!In) {
    if (!Name.empty() && !Old.Exists)
      if (std::error_code EC = fs::create_directories(Name))
        return cannotWrite(Path, EC);
    In = std::make_unique<Folder>(Name.empty() ? "." : Name);
  }
  return In->partOf(Old.Target);
}

StagedFiles::StagedFiles() : TheImpl(std::make_unique<Impl>()) {}

StagedFiles::~StagedFiles() {
  for (const Part &P : ArrayRef(TheImpl->Parts).drop_front(TheImpl->NumDone))
    fs::remove(P.Name);
}

Error StagedFiles::stage(StringRef Path, StringRef Text) {
  if (TheImpl->Interrupts.pending())
    return createStringError(std::errc::interrupted, "interrupted; no file was changed");
  Expected<OldFile> Old = lookAt(Path);
  if (!Old)
    return Old.takeError();
  if (hasContents(*Old, Text))
    return Error::success();
  Expected<std::string> Name = TheImpl->partName(*Old, Path);
  if (!Name)
    return Name.takeError();
  Part P{std::move(*Name), Old->Target, Path.str()};
  std::error_code EC = writePart(P, *Old, Text);
  std::lock_guard Guard(TheImpl->Lock);
  TheImpl->Parts.push_back(std::move(P));
  return EC ? cannotWrite(Path, EC) : Error::success();
}

Expected<unsigned> StagedFiles::commit() {
  std::vector<Part> &Parts = TheImpl->Parts;
  // Threads staged them in any order; what a failure leaves must not depend on that.
  llvm::sort(Parts, [](const Part &A, const Part &B) { return A.Path < B.Path; });
  size_t &Done = TheImpl->NumDone;
  for (; Done != Parts.size(); ++Done)
    if (std::error_code EC = fs::rename(Parts[Done].Name, Parts[Done].Target))
      return cannotWrite(Parts[Done].Path, EC,
                         "; " + Twine(Done) + " files that come before it are new, " +
                             Twine(Parts.size() - Done) + " are as they were");
  return Parts.size();
}
