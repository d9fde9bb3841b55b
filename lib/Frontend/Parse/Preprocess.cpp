//===- Preprocess.cpp - readings that parse nothing -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Parse/Preprocess.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Preprocessor.h"

using namespace opsig;
using namespace clang;
using llvm::ErrorOr;

bool PreprocessAction::PrepareToExecuteAction(CompilerInstance &Compiler) {
  resolveForReading(Compiler);
  return true;
}

void PreprocessAction::ExecuteAction() {
  Preprocessor &PP = getCompilerInstance().getPreprocessor();
  PP.addPPCallbacks(Make(PP));
  PP.IgnorePragmas();
  PP.EnterMainSourceFile();
  Token Tok;
  do
    PP.Lex(Tok);
  while (Tok.isNot(tok::eof));
  Finish(PP);
}

namespace {

class HollowFile : public llvm::vfs::File {
public:
  HollowFile(const llvm::vfs::Status &S)
      : Is(S.getName(), S.getUniqueID(), S.getLastModificationTime(), S.getUser(), S.getGroup(), 0,
           S.getType(), S.getPermissions()) {}
  ErrorOr<llvm::vfs::Status> status() override { return Is; }
  ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine &Name, int64_t, bool,
                                                         bool) override {
    return llvm::MemoryBuffer::getMemBufferCopy("", Name);
  }
  std::error_code close() override { return {}; }

private:
  llvm::vfs::Status Is;
};

/// Headers of others are there, and empty.
class HollowFiles : public llvm::vfs::ProxyFileSystem {
public:
  HollowFiles(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Base,
              std::function<bool(llvm::StringRef)> IsOpened)
      : ProxyFileSystem(std::move(Base)), IsOpened(std::move(IsOpened)) {}

  ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine &Path) override {
    SmallString<256> Name;
    Path.toVector(Name);
    (void)makeAbsolute(Name);
    if (IsOpened(Name))
      return ProxyFileSystem::openFileForRead(Path);
    ErrorOr<llvm::vfs::Status> There = status(Path);
    if (!There)
      return There.getError();
    return std::make_unique<HollowFile>(*There);
  }

private:
  std::function<bool(llvm::StringRef)> IsOpened;
};

} // namespace

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
opsig::hollowFiles(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Base,
                   std::function<bool(llvm::StringRef)> IsOpened) {
  return llvm::makeIntrusiveRefCnt<HollowFiles>(std::move(Base), std::move(IsOpened));
}
