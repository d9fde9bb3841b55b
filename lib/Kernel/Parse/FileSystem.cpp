//===- FileSystem.cpp - files in memory, and headers of last resort ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Parse/ParseInternal.h"

#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

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

/// Leaves out what is no file: opening a pipe waits for whoever writes into it, reading a device
/// may never end. But /dev/null is an empty file to many commands.
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
    return ProxyFileSystem::openFileForRead(Path);
  }
};

} // namespace

IntrusiveRefCntPtr<vfs::FileSystem> opsig::makeFileSystem(const ParseOptions &Options) {
  // A file system with a working directory of its own: the process's belongs to everybody.
  IntrusiveRefCntPtr<vfs::FileSystem> Files(new FilesOnly(
      IntrusiveRefCntPtr<vfs::FileSystem>(vfs::createPhysicalFileSystem().release())));
  if (!Options.FallbackHeaders.empty())
    Files = makeIntrusiveRefCnt<FallbackFileSystem>(std::move(Files), Options.FallbackHeaders);
  if (Options.Buffers.empty())
    return Files;
  auto Overlay = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(std::move(Files));
  auto Buffers = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  for (const VirtualFile &Buffer : Options.Buffers)
    Buffers->addFile(Buffer.Name, 0, MemoryBuffer::getMemBufferCopy(Buffer.Text));
  Overlay->pushOverlay(std::move(Buffers));
  return Overlay;
}
