//===- StagedFiles.cpp - New texts that wait beside the files they replace --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "StagingInternal.h"
#include "opsig/Support/LinkGuard.h"
#include "opsig/Support/StagedFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <csignal>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <set>
#include <unistd.h>
#include <vector>

using namespace llvm;
using namespace opsig;
using namespace opsig::staging;
namespace fs = llvm::sys::fs;

namespace {

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

/// A folder that is not there yet. It is made in the staging folder of the one above, with all that
/// goes into it, and moved to its place at once.
struct NewTree {
  std::string Part;
  std::string Target;
  unsigned NumFiles = 0;
  StagingFolder *In = nullptr;
};

/// A folder that is there already, under however many names.
struct Home {
  std::string At;
  std::unique_ptr<StagingFolder> Staging; ///< once something differs
};

/// A folder that gets files.
struct Folder {
  /// Null if it is there already.
  NewTree *In = nullptr;
  /// Where its files are written: its place in the new tree.
  std::string At;
  /// Of a folder that is there already.
  std::shared_ptr<Home> There;
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
    if (Error E = checkLinksBeforeWriting(Path))
      return E;
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
  if (Old.Exists && !fs::is_regular_file(Old.Status))
    return createStringError("cannot write '" + Path + "': it is a pipe or a device");
  return Old;
}

/// Whether \p Path is a file that holds \p Text. Generators ask that of thousands of files, nearly
/// all of which are as they were: it takes no more calls of the system than it must.
bool hasContents(const std::string &Path, StringRef Text) {
  // A pipe would be waited for.
  OpenFile File(::open(Path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat Status;
  if (!File.isOpen() || ::fstat(File.get(), &Status) != 0 || !S_ISREG(Status.st_mode) ||
      uint64_t(Status.st_size) != Text.size())
    return false;
  char Bytes[1 << 16];
  while (!Text.empty()) {
    ssize_t Size = ::read(File.get(), Bytes, std::min(sizeof(Bytes), Text.size()));
    if (Size < 0 && errno == EINTR)
      continue;
    if (Size <= 0 || !Text.consume_front(StringRef(Bytes, Size)))
      return false;
  }
  return true;
}

/// "...; no file was changed", or whatever else came of it.
Error withOutcome(Error E, const Twine &Outcome) {
  return createStringError(toString(std::move(E)) + "; " + Outcome);
}

std::string folderOf(StringRef Path) {
  StringRef Folder = sys::path::parent_path(Path);
  return Folder.empty() ? "." : Folder.str();
}

constexpr StringLiteral Unchanged = "no file was changed";

} // namespace

struct StagedFiles::Impl {
  HeldInterrupts Interrupts;
  std::mutex Lock; ///< of all below
  StringMap<std::unique_ptr<Folder>> Folders;
  /// A folder may be spelled in several ways.
  std::map<fs::UniqueID, std::shared_ptr<Home>> Homes;
  std::vector<std::unique_ptr<NewTree>> Trees;
  std::vector<Part> Parts;
  std::vector<std::string> Left;

  Expected<Folder *> folder(StringRef Name, StringRef Path);
  std::shared_ptr<Home> home(const std::string &Name);
  Expected<StagingFolder *> staging(Home &In, StringRef Path);
  Expected<Folder> newFolder(StringRef Name, StringRef Path);
  Error stageNew(const Folder &In, StringRef Path, StringRef Text);
  Error stageExisting(const Folder &In, StringRef Path, StringRef Text);
  Expected<Part> partFor(StringRef Target, StringRef Path);
  Error stageLinks(const Part &First, ArrayRef<std::string> KnownNames);
  Error edit(StringRef Path, EditedFile Edit, ArrayRef<std::string> KnownNames);
  Error placeAll(FilePlacing &Placing);
};

/// \p Name, a folder that \p Path goes into.
Expected<Folder *> StagedFiles::Impl::folder(StringRef Name, StringRef Path) {
  if (auto It = Folders.find(Name); It != Folders.end())
    return It->second.get();
  if (!Name.empty())
    if (Error E = checkLinksBeforeWriting(Name))
      return E;
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
  if (!Result.In)
    Result.There = home(Name.empty() ? "." : Name.str());
  return (Folders[Name] = std::make_unique<Folder>(std::move(Result))).get();
}

std::shared_ptr<Home> StagedFiles::Impl::home(const std::string &Name) {
  auto Made = std::make_shared<Home>();
  Made->At = Name;
  fs::UniqueID Id;
  if (fs::getUniqueID(Name, Id))
    return Made; // of nothing
  std::shared_ptr<Home> &Result = Homes[Id];
  if (!Result) {
    Result = Made;
    removeLeftOvers(Name, Left);
  }
  return Result;
}

Expected<StagingFolder *> StagedFiles::Impl::staging(Home &In, StringRef Path) {
  if (!In.Staging) {
    ErrorOr<std::unique_ptr<StagingFolder>> Made = StagingFolder::make(In.At);
    if (!Made)
      return cannotWrite(Path, Made.getError());
    In.Staging = std::move(*Made);
  }
  return In.Staging.get();
}

Expected<Folder> StagedFiles::Impl::newFolder(StringRef Name, StringRef Path) {
  Expected<Folder *> Above = folder(sys::path::parent_path(Name), Path);
  if (!Above)
    return Above.takeError();
  Folder Result;
  auto Tree = std::make_unique<NewTree>();
  if ((*Above)->In) {
    Result.In = (*Above)->In;
    Result.At = (*Above)->At + "/" + sys::path::filename(Name).str();
  } else {
    Expected<StagingFolder *> Staging = staging(*(*Above)->There, Path);
    if (!Staging)
      return Staging.takeError();
    Result.In = Tree.get();
    Tree->In = *Staging;
    Tree->Target = Name.str();
    Result.At = Tree->Part = (*Staging)->path() + "/" + sys::path::filename(Name).str();
  }
  if (std::error_code EC = fs::create_directory(Result.At, /*IgnoreExisting=*/true, fs::all_all))
    return cannotWrite(Path, EC);
  if (Result.In == Tree.get())
    Trees.push_back(std::move(Tree));
  return Result;
}

StagedFiles::StagedFiles() : TheImpl(std::make_unique<Impl>()) {}
// The staging folders go before interrupts are let through.
StagedFiles::~StagedFiles() = default;

Error StagedFiles::Impl::stageNew(const Folder &In, StringRef Path, StringRef Text) {
  std::string Name = In.At + "/" + sys::path::filename(Path).str();
  if (std::error_code EC = writePart(Name, Text, std::nullopt))
    return cannotWrite(Path, EC);
  std::lock_guard Guard(Lock);
  ++In.In->NumFiles;
  return Error::success();
}

/// For a file in a folder that is there.
Expected<Part> StagedFiles::Impl::partFor(StringRef Target, StringRef Path) {
  Expected<Folder *> In = folder(sys::path::parent_path(Target), Path);
  if (!In)
    return In.takeError();
  Expected<StagingFolder *> Staging = staging(*(*In)->There, Path);
  if (!Staging)
    return Staging.takeError();
  return Part{(*Staging)->path() + "/" + sys::path::filename(Target).str(), Target.str(),
              Path.str(), *Staging, nullptr};
}

Error StagedFiles::Impl::stageExisting(const Folder &In, StringRef Path, StringRef Text) {
  if (hasContents(Path.str(), Text))
    return Error::success();
  Expected<OldFile> Old = lookAt(Path);
  if (!Old)
    return Old.takeError();
  Expected<Part> P = [&] {
    std::lock_guard Guard(Lock);
    return partFor(Old->Target, Path);
  }();
  if (!P)
    return P.takeError();
  std::optional<mode_t> Mode;
  if (Old->Exists)
    Mode = mode_t(Old->Status.permissions());
  if (std::error_code EC = writePart(P->Name, Text, Mode))
    return cannotWrite(Path, EC);
  std::lock_guard Guard(Lock);
  Parts.push_back(std::move(*P));
  return Error::success();
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

/// Gives the new text to the other names of the file, too, all of which have to be known.
Error StagedFiles::Impl::stageLinks(const Part &First, ArrayRef<std::string> KnownNames) {
  const struct stat &Status = First.Edit->Status;
  if (Status.st_nlink == 1)
    return Error::success();
  SmallString<128> Real;
  std::set<std::string> Names = {fs::real_path(First.Target, Real) ? First.Target
                                                                   : Real.str().str()};
  std::vector<std::string> Others;
  for (const std::string &Known : KnownNames) {
    struct stat Other;
    if (::stat(Known.c_str(), &Other) == 0 && Other.st_dev == Status.st_dev &&
        Other.st_ino == Status.st_ino && !fs::real_path(Known, Real) &&
        Names.insert(Real.str().str()).second)
      Others.push_back(Real.str().str());
  }
  if (Names.size() != Status.st_nlink)
    return createStringError("'" + First.Path + "' has " + Twine(Status.st_nlink) +
                             " hard links, but this run includes only " + Twine(Names.size()) +
                             " of them; pass the other files too");
  for (const std::string &Name : Others) {
    Expected<Part> P = partFor(Name, Name);
    if (!P)
      return P.takeError();
    if (::link(First.Name.c_str(), P->Name.c_str()) != 0)
      return cannotWrite(Name, lastError());
    P->Edit = First.Edit;
    Parts.push_back(std::move(*P));
  }
  return Error::success();
}

Error StagedFiles::Impl::edit(StringRef Path, EditedFile Edit, ArrayRef<std::string> KnownNames) {
  Expected<OldFile> Old = lookAt(Path);
  if (!Old)
    return Old.takeError();
  if (!Old->Exists)
    return changedMeanwhile(Path);
  Expected<Part> P = partFor(Old->Target, Path);
  if (!P)
    return P.takeError();
  P->Edit = std::make_shared<EditedFile>(std::move(Edit));
  if (Error E = writeEditedPart(P->Name, P->Target, Path, *P->Edit))
    return E;
  Parts.push_back(*P);
  return stageLinks(*P, KnownNames);
}

Error StagedFiles::edit(StringRef Path, StringRef Before, StringRef Text,
                        ArrayRef<std::string> KnownNames) {
  if (TheImpl->Interrupts.pending())
    return createStringError(std::errc::interrupted, "interrupted; no file was changed");
  if (Before == Text)
    return Error::success();
  std::lock_guard Guard(TheImpl->Lock);
  if (Error E = TheImpl->edit(Path, {Before.str(), Text.str()}, KnownNames))
    return withOutcome(std::move(E), Unchanged);
  return Error::success();
}

void StagedFiles::cleanBeside(StringRef Path) {
  SmallString<128> Real;
  std::lock_guard Guard(TheImpl->Lock);
  TheImpl->home(folderOf(Path));
  if (!fs::real_path(Path, Real))
    TheImpl->home(folderOf(Real));
}

Error StagedFiles::Impl::placeAll(FilePlacing &Placing) {
  std::map<StagingFolder *, std::string> Edited;
  for (const Part &P : Parts)
    if (P.Edit) {
      P.In->record(P.Name, *P.Edit);
      Edited.try_emplace(P.In, folderOf(P.Target));
    }
  for (const auto &[In, Folder] : Edited)
    if (std::error_code EC = In->writeJournal())
      return cannotWrite(Folder, EC);
  for (const auto &Tree : Trees)
    if (Error E = Placing.placeTree(Tree->Part, Tree->Target, Tree->In))
      return E;
  for (const Part &P : Parts)
    if (Error E = Placing.place(P))
      return E;
  for (const auto &[In, Folder] : Edited)
    if (std::error_code EC = syncFolder(Folder))
      return cannotWrite(Folder, EC);
  return Error::success();
}

Expected<unsigned> StagedFiles::commit() {
  auto &Trees = TheImpl->Trees;
  std::vector<Part> &Parts = TheImpl->Parts;
  // Threads staged them in any order; which one is named must not depend on that.
  llvm::sort(Trees, [](const auto &A, const auto &B) { return A->Target < B->Target; });
  llvm::sort(Parts, [](const Part &A, const Part &B) { return A.Path < B.Path; });
  unsigned Total = Parts.size();
  for (const auto &Tree : Trees)
    Total += Tree->NumFiles;
  FilePlacing Placing;
  Error E = TheImpl->placeAll(Placing);
  std::vector<std::string> Failed;
  if (E)
    Failed = Placing.revert();
  for (const auto &[Id, In] : TheImpl->Homes)
    In->Staging.reset();
  if (!E)
    return Total;
  return withOutcome(std::move(E), Failed.empty() ? Unchanged.str() : join(Failed, "; "));
}

const std::vector<std::string> &StagedFiles::left() const { return TheImpl->Left; }
