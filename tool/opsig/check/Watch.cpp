//===- Watch.cpp - Checking again whenever a file changes --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/Watch.h"
#include "opsig/Support/CodeFiles.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/ProgramPath.h"
#include "opsig/Support/SafeText.h"
#include "opsig/Workspace/FileWalk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <chrono>
#include <poll.h>
#include <set>
#include <sys/inotify.h>
#include <unistd.h>

namespace path = llvm::sys::path;

namespace opsig {

namespace {

/// Editors write several files at a time, and one file in several steps.
constexpr int QuietMilliseconds = 60;

/// What changes without end is checked all the same.
constexpr std::chrono::seconds LongestBurst{2};

/// Whether a check may depend on the file of that name.
bool mayBeRead(llvm::StringRef File) {
  llvm::StringRef Name = path::filename(File);
  if (Name == "compile_commands.json" || Name == ".gitignore")
    return true;
  CodeFile Is = codeFile(Name.lower());
  return (Is != CodeFile::None && Is != CodeFile::Template) ||
         llvm::is_contained({".yaml", ".yml", ".toml"}, path::extension(Name).lower());
}

class Watcher {
public:
  ~Watcher() {
    if (Events >= 0)
      close(Events);
  }

  llvm::Error open() {
    Events = inotify_init1(IN_CLOEXEC);
    return Events >= 0 ? llvm::Error::success() : failure("cannot watch files");
  }

  /// Watches \p Folders and those below them, also folders that are new.
  llvm::Error watch(const std::vector<std::string> &Folders) {
    Exclusions None;
    FileWalk Walk(None);
    std::set<std::string> All;
    for (const std::string &Folder : Folders) {
      All.insert(Folder);
      for (const std::string &File : Walk.files(Folder, mayBeRead))
        for (llvm::StringRef Above = path::parent_path(File);
             !Above.empty() && Above != Folder && All.insert(Above.str()).second;
             Above = path::parent_path(Above))
          ;
    }
    for (const std::string &Folder : All) {
      int Id = inotify_add_watch(Events, Folder.c_str(),
                                 IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE |
                                     IN_CREATE | IN_ONLYDIR);
      if (Id < 0 && errno == ENOSPC)
        return failure("cannot watch " + counted(All.size(), "folder"));
      if (Id >= 0)
        Names[Id] = Folder;
    }
    return llvm::Error::success();
  }

  size_t size() const { return Names.size(); }

  /// Waits for changes; the files that changed, or that folders came or went.
  llvm::Expected<std::set<std::string>> next() {
    std::set<std::string> Changed;
    std::chrono::steady_clock::time_point Begin;
    for (int Wait = -1;; Wait = Changed.empty() ? -1 : QuietMilliseconds) {
      pollfd Asked{Events, POLLIN, 0};
      int Ready = poll(&Asked, 1, Wait);
      if (Ready < 0 && errno != EINTR)
        return failure("cannot watch files");
      bool IsFirst = Changed.empty();
      if (Ready > 0)
        if (llvm::Error Err = take(Changed))
          return std::move(Err);
      auto Now = std::chrono::steady_clock::now();
      if (IsFirst)
        Begin = Now;
      if (!Changed.empty() && (Ready == 0 || Now - Begin > LongestBurst))
        return Changed;
    }
  }

private:
  static llvm::Error failure(const llvm::Twine &What) {
    return llvm::createStringError(What + ": " + llvm::sys::StrError(errno));
  }

  llvm::Error take(std::set<std::string> &Changed) {
    alignas(inotify_event) char Room[1 << 14];
    ssize_t Size = read(Events, Room, sizeof(Room));
    if (Size < 0)
      return errno == EINTR ? llvm::Error::success() : failure("cannot watch files");
    for (char *At = Room; At < Room + Size;) {
      auto *Event = reinterpret_cast<inotify_event *>(At);
      At += sizeof(inotify_event) + Event->len;
      if (Event->mask & IN_Q_OVERFLOW) { // too many at once: nobody knows which
        Changed.insert("...");
        continue;
      }
      if (Event->mask & IN_IGNORED) {
        Names.erase(Event->wd);
        continue;
      }
      llvm::StringRef Name = Event->len ? Event->name : "";
      // A file that is only made has no text yet.
      bool IsFolder = Event->mask & IN_ISDIR;
      if (!IsFolder && ((Event->mask & IN_CREATE) || !mayBeRead(Name)))
        continue;
      llvm::SmallString<256> Path(Names[Event->wd]);
      path::append(Path, Name);
      Changed.insert(tidied(Path));
    }
    return llvm::Error::success();
  }

  int Events = -1;
  std::map<int, std::string> Names;
};

llvm::Error runOnce(const std::string &Program, const std::vector<std::string> &Arguments) {
  std::vector<llvm::StringRef> Words{Program};
  Words.insert(Words.end(), Arguments.begin(), Arguments.end());
  std::string Why;
  // Findings are its status; only a program that cannot be started is a reason to stop.
  if (llvm::sys::ExecuteAndWait(Program, Words, std::nullopt, {}, 0, 0, &Why) == -1)
    return llvm::createStringError("cannot run '" + Program + "': " + Why);
  return llvm::Error::success();
}

} // namespace

llvm::Error watchAndRun(const std::vector<std::string> &Arguments,
                        const std::vector<std::string> &Folders) {
  std::string Program = programPath();
  if (Program.empty())
    return llvm::createStringError("--watch cannot find the opsig program to run it again");
  Watcher Files;
  if (llvm::Error Err = Files.open())
    return Err;
  while (true) {
    // What changes from here on leads to another run.
    if (llvm::Error Err = Files.watch(Folders))
      return Err;
    if (llvm::Error Err = runOnce(Program, Arguments))
      return Err;
    llvm::errs() << "opsig: watching " << counted(Files.size(), "folder")
                 << " for changes; press Ctrl+C to stop\n";
    llvm::Expected<std::set<std::string>> Changed = Files.next();
    if (!Changed)
      return Changed.takeError();
    llvm::errs() << "\nopsig: '" << safeText(*Changed->begin()) << "'";
    if (Changed->size() > 1)
      llvm::errs() << " and " << Changed->size() - 1 << " more";
    llvm::errs() << " changed\n";
  }
}

} // namespace opsig
