//===- Reading.cpp - What is kept of readings, and where --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/Reading.h"
#include "opsig/Support/PathGlob.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;

namespace opsig {

ReadingOptions::ReadingOptions(cl::SubCommand &Sub)
    : Cache("cache", cl::sub(Sub), cl::value_desc("DIR"),
            cl::desc("Keep there what was read; default: opsig/readings in the user's cache")),
      NoCache("no-cache", cl::sub(Sub), cl::desc("Read every file, and keep nothing")) {}

/// A version of opsig is built more than once by those who work on it.
static std::string thisOpsig() {
  static int Here;
  std::string Program = llvm::sys::fs::getMainExecutable(nullptr, &Here);
  llvm::sys::fs::file_status Status;
  std::string Is = OPSIG_VERSION;
  if (!llvm::sys::fs::status(Program, Status))
    Is += " " + std::to_string(Status.getSize()) + " " +
          std::to_string(Status.getLastModificationTime().time_since_epoch().count());
  return Is;
}

ReadingSettings ReadingOptions::settings(unsigned Threads) const {
  ReadingSettings Settings;
  if (!NoCache)
    Settings.Cache = Cache.empty() ? defaultReadingCache() : absolutePath(Cache);
  Settings.Opsig = thisOpsig();
  Settings.Threads = Threads;
  return Settings;
}

void ReadingOptions::tell(const UnitReader &Reader, size_t Total) const {
  if (unsigned Kept = Reader.numKept())
    llvm::WithColor::note(llvm::errs(), "opsig")
        << Kept << " of " << Total << " files are as they were when they were last read\n";
}

} // namespace opsig
