//===- FileTrace.cpp - what a reading asked of the file system --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Parse/FileTrace.h"

#include "opsig/Support/UnbrokenLock.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <vector>

using namespace opsig;
using namespace llvm;

std::string opsig::hashOf(StringRef Text) {
  return toHex(BLAKE3::hash<16>(arrayRefFromStringRef(Text)), /*LowerCase=*/true);
}

static FileStates::Kind kindOfStatus(const ErrorOr<vfs::Status> &Status) {
  if (!Status)
    return FileStates::Absent;
  if (Status->isDirectory())
    return FileStates::Folder;
  return Status->isRegularFile() ? FileStates::File : FileStates::Other;
}

static std::string hashOfListing(vfs::FileSystem &Files, const Twine &Folder) {
  std::vector<std::string> Names;
  std::error_code Error;
  for (vfs::directory_iterator It = Files.dir_begin(Folder, Error), End; !Error && It != End;
       It.increment(Error))
    Names.push_back(sys::path::filename(It->path()).str());
  llvm::sort(Names);
  std::string All;
  for (const std::string &Name : Names)
    All += Name + '\0';
  return hashOf(All);
}

FileStates::Version FileStates::versionOf(const vfs::Status &Status) {
  return {Status.getUniqueID(), Status.getLastModificationTime().time_since_epoch().count(),
          Status.getSize()};
}

FileStates::Kind FileStates::kindOf(StringRef Path) {
  std::lock_guard Lock(Mutex);
  auto [It, New] = Kinds.try_emplace(Path, Absent);
  if (New)
    It->second = kindOfStatus(vfs::getRealFileSystem()->status(Path));
  return It->second;
}

std::string FileStates::textHash(StringRef Path) {
  {
    std::lock_guard Lock(Mutex);
    if (auto Known = Texts.find(Path); Known != Texts.end())
      return Known->second;
  }
  std::string Hash;
  ErrorOr<vfs::Status> Status = vfs::getRealFileSystem()->status(Path);
  if (kindOfStatus(Status) == File) {
    Version Now = versionOf(*Status);
    std::unique_lock Lock(Mutex);
    auto Known = Hashes.find(Now);
    if (Known != Hashes.end()) {
      Hash = Known->second;
    } else {
      Lock.unlock();
      if (auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                              /*RequiresNullTerminator=*/false))
        Hash = hashOf((*Buffer)->getBuffer());
      Lock.lock();
      Hashes[Now] = Hash;
    }
  }
  std::lock_guard Lock(Mutex);
  return Texts[Path] = Hash;
}

std::string FileStates::listingHash(StringRef Path) {
  std::lock_guard Lock(Mutex);
  auto [It, New] = Listings.try_emplace(Path);
  if (New)
    It->second = hashOfListing(*vfs::getRealFileSystem(), Path);
  return It->second;
}

std::string FileStates::recordText(const vfs::Status &Status, StringRef Text) {
  Version Now = versionOf(Status);
  {
    std::lock_guard Lock(Mutex);
    if (auto Known = Hashes.find(Now); Known != Hashes.end())
      return Known->second;
  }
  std::string Hash = hashOf(Text);
  std::lock_guard Lock(Mutex);
  return Hashes[Now] = Hash;
}

FileTrace::Answers &FileTrace::of(StringRef Path) {
  auto It = All.find(Path);
  return It == All.end() ? All[Path.str()] : It->second;
}

void FileTrace::recordKind(StringRef Path, FileStates::Kind Is) {
  Unbroken Whole;
  Answers &Of = of(Path);
  Torn |= Of.Is && Of.Is != Is;
  Of.Is = Is;
}

void FileTrace::recordText(StringRef Path, const vfs::Status &Status, StringRef Text) {
  if (!Status.isRegularFile())
    return;
  Unbroken Whole;
  std::string Hash = States.recordText(Status, Text);
  Answers &Of = of(Path);
  Torn |= (!Of.TextHash.empty() && Of.TextHash != Hash) || Text.size() != Status.getSize();
  Of.TextHash = Hash;
}

void FileTrace::forgetText(StringRef Path) { of(Path).TextHash.clear(); }

void FileTrace::recordListing(StringRef Path, StringRef Hash) {
  Unbroken Whole;
  Answers &Of = of(Path);
  Torn |= !Of.ListingHash.empty() && Of.ListingHash != Hash;
  Of.ListingHash = Hash;
}

//===----------------------------------------------------------------------===//
// As text: a kind, hashes, how much of the path is that of the one before, the rest of it, '\0'
//===----------------------------------------------------------------------===//

static constexpr size_t HashSize = 32;

void FileTrace::write(raw_ostream &OS, const Question &IsProjectFile) const {
  std::string Last;
  for (const auto &[Name, Of] : All) {
    std::string Path = States.paths().toKept(Name);
    auto Line = [&](char Is, StringRef Hash) {
      size_t Shared = 0;
      while (Shared < Last.size() && Shared < Path.size() && Last[Shared] == Path[Shared])
        ++Shared;
      OS << Is << Hash << Shared << ':' << StringRef(Path).drop_front(Shared) << '\0';
      Last = Path;
    };
    if (!Of.TextHash.empty())
      Line(IsProjectFile && IsProjectFile(Name) ? 'p' : 't', Of.TextHash);
    else if (Of.Is)
      Line(Of.Is, "");
    if (!Of.ListingHash.empty())
      Line('l', Of.ListingHash);
  }
  OS << Others;
}

/// Calls \p Take for each line as long as it gives true; false also where one is damaged.
static bool forEachLine(StringRef Text, const FileStates &States,
                        function_ref<bool(char Is, StringRef Hash, const std::string &Path)> Take) {
  std::string Path;
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\0');
    Text = Rest;
    if (Line.empty())
      return false;
    char Is = Line.front();
    StringRef Hash;
    Line = Line.drop_front();
    if (Is == 'p' || Is == 't' || Is == 'l') {
      Hash = Line.take_front(HashSize);
      Line = Line.drop_front(Hash.size());
    }
    size_t Shared;
    if (Line.consumeInteger(10, Shared) || Shared > Path.size() || !Line.consume_front(":"))
      return false;
    Path.resize(Shared);
    Path += Line;
    if (!Take(Is, Hash, States.paths().fromKept(Path)))
      return false;
  }
  return true;
}

static std::vector<std::string> eachOnce(std::vector<std::string> Files) {
  llvm::sort(Files);
  Files.erase(llvm::unique(Files), Files.end());
  return Files;
}

std::vector<std::string> FileTrace::files() const {
  std::vector<std::string> Files = filesOf(Others, States);
  for (const auto &[Path, Of] : All)
    if (!Of.TextHash.empty())
      Files.push_back(Path);
  return eachOnce(std::move(Files));
}

std::vector<std::string> FileTrace::filesOf(StringRef Text, const FileStates &States) {
  std::vector<std::string> Files;
  forEachLine(Text, States, [&](char Is, StringRef Hash, const std::string &Path) {
    if (Is == 'p' || Is == 't')
      Files.push_back(Path);
    return true;
  });
  return eachOnce(std::move(Files));
}

bool FileTrace::holds(StringRef Text, FileStates &States, const Question &IsProjectFile) {
  return forEachLine(Text, States, [&](char Is, StringRef Hash, const std::string &Path) {
    if (Is == 'l')
      return States.listingHash(Path) == Hash;
    if (Is == 'p' || Is == 't')
      return States.textHash(Path) == Hash && (IsProjectFile && IsProjectFile(Path)) == (Is == 'p');
    return States.kindOf(Path) == Is;
  });
}

//===----------------------------------------------------------------------===//
// The file system that writes it
//===----------------------------------------------------------------------===//

namespace {

class TracedFile : public vfs::File {
public:
  TracedFile(std::unique_ptr<vfs::File> Base, std::string Path, FileTrace &Trace)
      : Base(std::move(Base)), Path(std::move(Path)), Trace(Trace) {}

  ErrorOr<vfs::Status> status() override { return Base->status(); }
  ErrorOr<std::string> getName() override { return Base->getName(); }
  std::error_code close() override { return Base->close(); }
  ErrorOr<std::unique_ptr<MemoryBuffer>> getBuffer(const Twine &Name, int64_t Size,
                                                   bool RequiresNullTerminator,
                                                   bool IsVolatile) override {
    auto Buffer = Base->getBuffer(Name, Size, RequiresNullTerminator, IsVolatile);
    ErrorOr<vfs::Status> Status = Base->status();
    if (Buffer && Status)
      Trace.recordText(Path, *Status, (*Buffer)->getBuffer());
    return Buffer;
  }

private:
  std::unique_ptr<vfs::File> Base;
  std::string Path;
  FileTrace &Trace;
};

class TracedFiles : public vfs::ProxyFileSystem {
public:
  TracedFiles(IntrusiveRefCntPtr<vfs::FileSystem> Base, FileTrace &Trace)
      : ProxyFileSystem(std::move(Base)), Trace(Trace) {}

  ErrorOr<vfs::Status> status(const Twine &Path) override {
    ErrorOr<vfs::Status> Status = ProxyFileSystem::status(Path);
    Trace.recordKind(absolute(Path), kindOfStatus(Status));
    return Status;
  }
  bool exists(const Twine &Path) override { return !!status(Path); }

  ErrorOr<std::unique_ptr<vfs::File>> openFileForRead(const Twine &Path) override {
    ErrorOr<std::unique_ptr<vfs::File>> File = ProxyFileSystem::openFileForRead(Path);
    if (!File) {
      (void)status(Path);
      return File;
    }
    std::string Name = absolute(Path);
    Trace.recordKind(Name, kindOfStatus((*File)->status()));
    return std::make_unique<TracedFile>(std::move(*File), std::move(Name), Trace);
  }

  vfs::directory_iterator dir_begin(const Twine &Folder, std::error_code &Error) override {
    Trace.recordListing(absolute(Folder), hashOfListing(getUnderlyingFS(), Folder));
    return ProxyFileSystem::dir_begin(Folder, Error);
  }

private:
  /// ".." stays: it may lead through a link.
  std::string absolute(const Twine &Path) const {
    SmallString<256> Out;
    Path.toVector(Out);
    (void)makeAbsolute(Out);
    return std::string(Out);
  }

  FileTrace &Trace;
};

} // namespace

IntrusiveRefCntPtr<vfs::FileSystem> opsig::traced(IntrusiveRefCntPtr<vfs::FileSystem> Base,
                                                  FileTrace &Trace) {
  return makeIntrusiveRefCnt<TracedFiles>(std::move(Base), Trace);
}
