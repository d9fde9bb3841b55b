//===- StagedFiles.cpp - New texts that wait beside the files they replace --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Support/StagedFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <csignal>
#include <fcntl.h>
#include <map>
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

/// Blocks the signals by which a user ends a program, unless they are ignored anyway. A file that
/// grows over its limit is told by the error of the call, too; its signal is dropped.
class HeldInterrupts {
public:
  HeldInterrupts() {
    sigemptyset(&Held);
    for (int Signal : {SIGINT, SIGTERM, SIGHUP}) {
      struct sigaction Action;
      if (sigaction(Signal, nullptr, &Action) == 0 && Action.sa_handler != SIG_IGN)
        sigaddset(&Held, Signal);
    }
    sigset_t Blocked = Held;
    sigaddset(&Blocked, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &Blocked, &Before);
  }
  ~HeldInterrupts() {
    sigset_t Dropped;
    sigemptyset(&Dropped);
    sigaddset(&Dropped, SIGXFSZ);
    timespec Now = {};
    if (!sigismember(&Before, SIGXFSZ))
      sigtimedwait(&Dropped, nullptr, &Now);
    pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  }

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

/// A lock on a folder, for as long as this lives; another run's is not waited for.
class FolderLock {
public:
  explicit FolderLock(const std::string &Path) {
    FD = ::open(Path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    Mine = FD != -1 && ::flock(FD, LOCK_EX | LOCK_NB) == 0;
  }
  FolderLock(const FolderLock &) = delete;
  FolderLock &operator=(const FolderLock &) = delete;
  ~FolderLock() {
    if (FD != -1)
      ::close(FD); // unlocks, too
  }
  bool isMine() const { return Mine; }

private:
  int FD;
  bool Mine;
};

constexpr StringLiteral PartSuffix = ".opsig-part";

/// Parts have names that can be told beforehand, so that a run finds those that a killed one left;
/// hence only one run at a time may use them.
std::string partOf(const Twine &Path, bool Mine) {
  return (Path + PartSuffix + (Mine ? "" : "-" + std::to_string(::getpid()))).str();
}

/// Removes what killed runs left in \p Folder, which is locked; not the new trees of those that
/// live.
void removeLeftParts(const std::string &Folder) {
  std::error_code EC;
  for (fs::directory_iterator It(Folder, EC), End; !EC && It != End; It.increment(EC)) {
    if (!StringRef(It->path()).ends_with(PartSuffix))
      continue;
    if (It->type() != fs::file_type::directory_file)
      fs::remove(It->path());
    else if (FolderLock(It->path()).isMine())
      fs::remove_directories(It->path());
  }
}

/// A folder that is not there yet. It is made beside its place, with all that goes into it, and
/// moved there at once.
struct NewTree {
  std::string Part;
  std::string Target;
  unsigned NumFiles = 0;
  std::unique_ptr<FolderLock> Lock;
};

/// A folder that gets files.
struct Folder {
  /// Null if it is there already.
  NewTree *In = nullptr;
  /// Where its files are written: itself, or its place in the new tree.
  std::string At;
  /// Of a folder that is there already.
  std::shared_ptr<FolderLock> Lock;
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

std::error_code writePart(const std::string &Name, const OldFile &Old, StringRef Text) {
  int FD = ::open(Name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
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
  /// A folder may be spelled in several ways.
  std::map<fs::UniqueID, std::shared_ptr<FolderLock>> Locks;
  std::vector<std::unique_ptr<NewTree>> Trees;
  std::vector<Part> Parts;
  size_t NumDone = 0; ///< of Trees and then Parts

  Expected<Folder *> folder(StringRef Name, StringRef Path);
  std::shared_ptr<FolderLock> lock(const std::string &Name);
  Expected<Folder> newFolder(StringRef Name, StringRef Path);
  Error stageNew(const Folder &In, StringRef Path, StringRef Text);
  Error stageExisting(const Folder &In, StringRef Path, StringRef Text);
};

/// \p Name, a folder that \p Path goes into.
Expected<Folder *> StagedFiles::Impl::folder(StringRef Name, StringRef Path) {
  if (auto It = Folders.find(Name); It != Folders.end())
    return It->second.get();
  Folder Result;
  // A mere file name has no folder that could be missing; what ".." means depends on links.
  bool IsPlain = none_of(make_range(sys::path::begin(Name), sys::path::end(Name)),
                         [](StringRef Component) { return Component == ".."; });
  if (!Name.empty() && !fs::exists(Name)) {
    if (!IsPlain) {
      if (std::error_code EC = fs::create_directories(Name, /*IgnoreExisting=*/true, fs::all_all))
        return cannotWrite(Path, EC);
    } else {
      Expected<Folder> New = newFolder(Name, Path);
      if (!New)
        return New.takeError();
      Result = std::move(*New);
    }
  }
  if (!Result.In) {
    Result.At = Name.empty() ? "." : Name.str();
    Result.Lock = lock(Result.At);
  }
  return (Folders[Name] = std::make_unique<Folder>(std::move(Result))).get();
}

std::shared_ptr<FolderLock> StagedFiles::Impl::lock(const std::string &Name) {
  fs::UniqueID Id;
  if (fs::getUniqueID(Name, Id))
    return std::make_shared<FolderLock>(Name); // of nothing
  std::shared_ptr<FolderLock> &Result = Locks[Id];
  if (!Result) {
    Result = std::make_shared<FolderLock>(Name);
    if (Result->isMine())
      removeLeftParts(Name);
  }
  return Result;
}

Expected<Folder> StagedFiles::Impl::newFolder(StringRef Name, StringRef Path) {
  StringRef Parent = sys::path::parent_path(Name);
  Expected<Folder *> Above = folder(Parent, Path);
  if (!Above)
    return Above.takeError();
  Folder Result;
  if ((*Above)->In) {
    Result.In = (*Above)->In;
    Result.At = (*Above)->At + "/" + sys::path::filename(Name).str();
    if (std::error_code EC = fs::create_directory(Result.At, /*IgnoreExisting=*/true, fs::all_all))
      return cannotWrite(Path, EC);
    return Result;
  }
  auto Tree = std::make_unique<NewTree>();
  Tree->Target = Name.str();
  for (bool Mine : {true, false}) {
    Tree->Part = partOf(Name, Mine);
    if (std::error_code EC = fs::create_directory(Tree->Part, /*IgnoreExisting=*/true, fs::all_all))
      return cannotWrite(Path, EC);
    Tree->Lock = std::make_unique<FolderLock>(Tree->Part);
    if (Tree->Lock->isMine())
      break;
  }
  // What a killed run left there may be of other outputs.
  std::error_code EC;
  for (fs::directory_iterator It(Tree->Part, EC), End; !EC && It != End; It.increment(EC)) {
    fs::remove_directories(It->path());
    fs::remove(It->path());
  }
  Result.In = Tree.get();
  Result.At = Tree->Part;
  Trees.push_back(std::move(Tree));
  return Result;
}

StagedFiles::StagedFiles() : TheImpl(std::make_unique<Impl>()) {}

StagedFiles::~StagedFiles() {
  size_t NumDone = TheImpl->NumDone;
  for (const auto &Tree : drop_begin(TheImpl->Trees, std::min(NumDone, TheImpl->Trees.size())))
    fs::remove_directories(Tree->Part);
  NumDone -= std::min(NumDone, TheImpl->Trees.size());
  for (const Part &P : drop_begin(TheImpl->Parts, NumDone))
    fs::remove(P.Name);
}

Error StagedFiles::Impl::stageNew(const Folder &In, StringRef Path, StringRef Text) {
  std::string Name = In.At + "/" + sys::path::filename(Path).str();
  if (std::error_code EC = writePart(Name, OldFile(), Text))
    return cannotWrite(Path, EC);
  std::lock_guard Guard(Lock);
  ++In.In->NumFiles;
  return Error::success();
}

Error StagedFiles::Impl::stageExisting(const Folder &In, StringRef Path, StringRef Text) {
  Expected<OldFile> Old = lookAt(Path);
  if (!Old)
    return Old.takeError();
  if (hasContents(*Old, Text))
    return Error::success();
  const Folder *Home = &In;
  if (Old->Target != Path) {
    std::lock_guard Guard(Lock);
    Expected<Folder *> Linked = folder(sys::path::parent_path(Old->Target), Path);
    if (!Linked)
      return Linked.takeError();
    Home = *Linked;
  }
  Part P{partOf(Old->Target, Home->Lock->isMine()), Old->Target, Path.str()};
  std::error_code EC = writePart(P.Name, *Old, Text);
  std::lock_guard Guard(Lock);
  Parts.push_back(std::move(P));
  return EC ? cannotWrite(Path, EC) : Error::success();
}

Error StagedFiles::stage(StringRef Path, StringRef Text) {
  if (TheImpl->Interrupts.pending())
    return createStringError(std::errc::interrupted, "interrupted; no file was changed");
  Expected<Folder *> In = [&] {
    std::lock_guard Guard(TheImpl->Lock);
    return TheImpl->folder(sys::path::parent_path(Path), Path);
  }();
  if (!In)
    return In.takeError();
  return (*In)->In ? TheImpl->stageNew(**In, Path, Text) : TheImpl->stageExisting(**In, Path, Text);
}

namespace {

/// Moves a new tree to its place; file by file where another program has made that folder since.
std::error_code moveTree(const std::string &From, const std::string &To) {
  std::error_code EC = fs::rename(From, To);
  if (!EC || (EC != std::errc::directory_not_empty && EC != std::errc::file_exists))
    return EC;
  for (fs::directory_iterator It(From, EC), End; !EC && It != End; It.increment(EC)) {
    std::string Target = To + "/" + sys::path::filename(It->path()).str();
    bool IsFolder = It->type() == fs::file_type::directory_file;
    if (std::error_code Why =
            IsFolder ? moveTree(It->path(), Target) : fs::rename(It->path(), Target))
      return Why;
  }
  return EC ? EC : fs::remove(From);
}

} // namespace

Expected<unsigned> StagedFiles::commit() {
  auto &Trees = TheImpl->Trees;
  std::vector<Part> &Parts = TheImpl->Parts;
  // Threads staged them in any order; what a failure leaves must not depend on that.
  llvm::sort(Trees, [](const auto &A, const auto &B) { return A->Target < B->Target; });
  llvm::sort(Parts, [](const Part &A, const Part &B) { return A.Path < B.Path; });
  unsigned Total = Parts.size(), Done = 0;
  for (const auto &Tree : Trees)
    Total += Tree->NumFiles;
  auto fail = [&](StringRef Path, std::error_code EC) {
    return cannotWrite(Path, EC,
                       "; " + Twine(Done) + " files that come before it are new, " +
                           Twine(Total - Done) + " are as they were");
  };

  for (const auto &Tree : Trees) {
    if (std::error_code EC = moveTree(Tree->Part, Tree->Target))
      return fail(Tree->Target, EC);
    ++TheImpl->NumDone;
    Done += Tree->NumFiles;
  }
  for (const Part &P : Parts) {
    if (std::error_code EC = fs::rename(P.Name, P.Target))
      return fail(P.Path, EC);
    ++TheImpl->NumDone;
    ++Done;
  }
  return Total;
}
