//===- IncludeFolders.cpp - where a compile command looks for headers -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Parse/Preprocess.h"

#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace opsig;
using namespace clang;

/// In which order Clang searches the groups; groups of other languages hold nothing here.
static unsigned rankOf(frontend::IncludeDirGroup Group) {
  switch (Group) {
  case frontend::Quoted:
    return 0;
  case frontend::Angled:
    return 1;
  case frontend::After:
    return 3;
  default:
    return 2;
  }
}

static std::vector<std::string> foldersOf(const CompilerInvocation &Invocation,
                                          const llvm::vfs::FileSystem &Files) {
  const HeaderSearchOptions &Search = Invocation.getHeaderSearchOpts();
  std::vector<HeaderSearchOptions::Entry> Entries = Search.UserEntries;
  llvm::stable_sort(Entries,
                    [](const auto &L, const auto &R) { return rankOf(L.Group) < rankOf(R.Group); });
  std::vector<std::string> Folders;
  for (const HeaderSearchOptions::Entry &Entry : Entries) {
    llvm::SmallString<256> Path(Entry.Path);
    if (!Entry.IgnoreSysRoot && !Search.Sysroot.empty() && Search.Sysroot != "/" &&
        llvm::sys::path::is_absolute(Path)) {
      Path = Search.Sysroot;
      llvm::sys::path::append(Path, Entry.Path);
    }
    (void)Files.makeAbsolute(Path);
    Folders.push_back(std::string(Path));
  }
  return Folders;
}

std::vector<std::string> opsig::includeFolders(const ParseJob &Job) {
  std::vector<std::string> Folders;
  NoMessages Errors;
  // What the driver makes of a command may crash it, as what the compiler makes of a source.
  auto Read = [&] {
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files = makeFileSystem(ParseOptions());
    if (!Job.Directory.empty())
      Files->setCurrentWorkingDirectory(Job.Directory);
    if (auto Invocation = readingInvocation(Job, Files, Errors))
      Folders = foldersOf(*Invocation, *Files);
  };
  onReadingThread(Job, [&] { runSafely(Read); });
  return Folders;
}
