//===- FileSystem.cpp - files in memory, and headers of last resort ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Parse/FileTrace.h"
#include "Parse/ParseInternal.h"

#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <map>

using namespace opsig;
using namespace llvm;

namespace {

/// Adds FallbackDir to a file system. Which sub-folder a header is asked for in does not matter:
/// `#include "csrc/aten/FooNativeFunctions.h"` finds FooNativeFunctions.h.
class FallbackFileSystem : public vfs::ProxyFileSystem {
public:
  FallbackFileSystem(IntrusiveRefCntPtr<vfs::FileSystem> Base, ArrayRef<VirtualFile> Headers)
      : ProxyFileSystem(std::move(Base)), InMemory(makeIntrusiveRefCnt<vfs::InMemoryFileSystem>()) {
    for (const VirtualFile &Header : Headers) {
      Names.push_back(Header.Name);
      InMemory->addFile(pathOf(Header.Name), 0, MemoryBuffer::getMemBufferCopy(Header.Text));
    }
  }

  ErrorOr<vfs::Status> status(const Twine &Path) override {
    if (std::string Own = ownPath(Path); !Own.empty())
      return InMemory->status(Own);
    return ProxyFileSystem::status(Path);
  }

  ErrorOr<std::unique_ptr<vfs::File>> openFileForRead(const Twine &Path) override {
    if (std::string Own = ownPath(Path); !Own.empty())
      return InMemory->openFileForRead(Own);
    return ProxyFileSystem::openFileForRead(Path);
  }

  bool exists(const Twine &Path) override {
    return !ownPath(Path).empty() || ProxyFileSystem::exists(Path);
  }

private:
  static std::string pathOf(StringRef Name) { return (FallbackDir + "/" + Name).str(); }

  /// The path that \p Path stands for if it is below FallbackDir.
  std::string ownPath(const Twine &Path) const {
    SmallString<128> Storage;
    StringRef P = Path.toStringRef(Storage);
    if (!P.starts_with(FallbackDir))
      return "";
    if (P.drop_front(FallbackDir.size()).trim('/').empty())
      return FallbackDir.str();
    StringRef Name = sys::path::filename(P);
    // A name without an extension is a folder on the way to a header.
    if (is_contained(Names, Name))
      return pathOf(Name);
    return sys::path::has_extension(Name) ? "" : FallbackDir.str();
  }

  IntrusiveRefCntPtr<vfs::InMemoryFileSystem> InMemory;
  std::vector<std::string> Names;
};

/// Clang can address no more than 2 GB of text in all.
constexpr uint64_t LargestSource = 128 << 20;

/// A file whose text is copied and not mapped: a mapped file that gets shorter meanwhile ends the
/// process.
class CopiedFile : public vfs::File {
public:
  explicit CopiedFile(std::unique_ptr<vfs::File> Of) : Of(std::move(Of)) {}

  ErrorOr<vfs::Status> status() override { return Of->status(); }
  ErrorOr<std::string> getName() override { return Of->getName(); }
  ErrorOr<std::unique_ptr<MemoryBuffer>> getBuffer(const Twine &Name, int64_t Size, bool EndsInZero,
                                                   bool) override {
    return Of->getBuffer(Name, Size, EndsInZero, /*IsVolatile=*/true);
  }
  std::error_code close() override { return Of->close(); }

private:
  std::unique_ptr<vfs::File> Of;
};

/// Leaves out what is no file, or too large: opening a pipe waits for whoever writes into it,
/// reading a device may never end. But /dev/null is an empty file to many commands.
class FilesOnly : public vfs::ProxyFileSystem {
public:
  using ProxyFileSystem::ProxyFileSystem;

  ErrorOr<std::unique_ptr<vfs::File>> openFileForRead(const Twine &Path) override {
    ErrorOr<vfs::Status> Status = status(Path);
    if (!Status)
      return Status.getError();
    if (Status->getType() != sys::fs::file_type::regular_file && !Status->isDirectory() &&
        Path.str() != "/dev/null")
      return make_error_code(std::errc::invalid_argument);
    if (Status->getSize() > LargestSource)
      return make_error_code(std::errc::file_too_large);
    ErrorOr<std::unique_ptr<vfs::File>> File = ProxyFileSystem::openFileForRead(Path);
    if (!File)
      return File;
    return std::make_unique<CopiedFile>(std::move(*File));
  }
};

/// A file with another text, which it is for whoever asks.
class EditedFile : public vfs::File {
public:
  EditedFile(vfs::Status Status, StringRef Text) : Status(std::move(Status)), Text(Text) {}

  ErrorOr<vfs::Status> status() override { return Status; }
  ErrorOr<std::unique_ptr<MemoryBuffer>> getBuffer(const Twine &Name, int64_t, bool,
                                                   bool) override {
    return MemoryBuffer::getMemBufferCopy(Text, Name);
  }
  std::error_code close() override { return {}; }

private:
  vfs::Status Status;
  StringRef Text;
};

/// Files that are there with texts that are not on disk. Each stays the one file that it is, under
/// all of its names: `#pragma once` and `#include` by another path see no second one.
class EditedFiles : public vfs::ProxyFileSystem {
public:
  using ProxyFileSystem::ProxyFileSystem;

  /// False for what is no file.
  bool add(const VirtualFile &Edited) {
    ErrorOr<vfs::Status> There = ProxyFileSystem::status(Edited.Name);
    if (!There)
      return false;
    Texts[There->getUniqueID()] = Edited.Text;
    return true;
  }

  ErrorOr<vfs::Status> status(const Twine &Path) override {
    ErrorOr<vfs::Status> There = ProxyFileSystem::status(Path);
    if (There)
      if (auto Edited = Texts.find(There->getUniqueID()); Edited != Texts.end())
        return withSize(*There, Edited->second.size());
    return There;
  }

  ErrorOr<std::unique_ptr<vfs::File>> openFileForRead(const Twine &Path) override {
    ErrorOr<vfs::Status> There = ProxyFileSystem::status(Path);
    if (There)
      if (auto Edited = Texts.find(There->getUniqueID()); Edited != Texts.end())
        return std::make_unique<EditedFile>(withSize(*There, Edited->second.size()),
                                            Edited->second);
    return ProxyFileSystem::openFileForRead(Path);
  }

private:
  static vfs::Status withSize(const vfs::Status &S, uint64_t Size) {
    return {S.getName(), S.getUniqueID(), S.getLastModificationTime(), S.getUser(), S.getGroup(),
            Size,        S.getType(),     S.getPermissions()};
  }

  std::map<sys::fs::UniqueID, std::string> Texts;
};

/// Where the folder that the process works in is gone, relative paths lead nowhere.
class FilesFromNowhere : public vfs::OverlayFileSystem {
public:
  using OverlayFileSystem::OverlayFileSystem;

  ErrorOr<std::string> getCurrentWorkingDirectory() const override {
    ErrorOr<std::string> Working = OverlayFileSystem::getCurrentWorkingDirectory();
    // Nothing is below a file.
    return Working ? Working : std::string("/dev/null");
  }
};

} // namespace

IntrusiveRefCntPtr<vfs::FileSystem> opsig::overlaid(IntrusiveRefCntPtr<vfs::FileSystem> Base,
                                                    IntrusiveRefCntPtr<vfs::FileSystem> Above) {
  auto Both = makeIntrusiveRefCnt<FilesFromNowhere>(std::move(Base));
  Both->pushOverlay(std::move(Above)); // takes it for granted that there is a working folder
  return Both;
}

IntrusiveRefCntPtr<vfs::FileSystem> opsig::makeFileSystem(const ParseOptions &Options,
                                                          FileTrace *Trace) {
  // A file system with a working directory of its own: the process's belongs to everybody.
  IntrusiveRefCntPtr<vfs::FileSystem> Files(new FilesOnly(
      IntrusiveRefCntPtr<vfs::FileSystem>(vfs::createPhysicalFileSystem().release())));
  if (Trace)
    Files = traced(std::move(Files), *Trace);
  if (!Options.FallbackHeaders.empty())
    Files = makeIntrusiveRefCnt<FallbackFileSystem>(std::move(Files), Options.FallbackHeaders);
  if (Options.Buffers.empty())
    return Files;
  auto Edited = makeIntrusiveRefCnt<EditedFiles>(std::move(Files));
  auto Buffers = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  for (const VirtualFile &Buffer : Options.Buffers)
    if (!Edited->add(Buffer))
      Buffers->addFile(Buffer.Name, 0, MemoryBuffer::getMemBufferCopy(Buffer.Text));
  return overlaid(std::move(Edited), std::move(Buffers));
}
