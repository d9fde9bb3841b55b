//===- Reading.cpp - What is kept of readings, and where --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SchemaInput.h"
#include "check/Reading.h"
#include "opsig/Frontend/ReadingCache.h"
#include "opsig/Frontend/RunMemory.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Support/ProgramPath.h"
#include "opsig/Support/Sandbox.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

namespace cl = llvm::cl;

namespace opsig {

ReadingOptions::ReadingOptions(cl::SubCommand &Sub)
    : Cache("cache", cl::sub(Sub), cl::value_desc("DIR"),
            cl::desc("Keep there what was read; default: opsig/readings in the user's cache")),
      NoCache("no-cache", cl::sub(Sub), cl::desc("Read every file, and keep nothing")),
      NoSharedPch("no-shared-pch", cl::sub(Sub),
                  cl::desc("Read each file by itself, not headers of many files once")),
      OldNoSharedPch("no-prefix", cl::aliasopt(NoSharedPch), cl::Hidden),
      TimeLimit("time-limit", cl::sub(Sub), cl::value_desc("SECONDS"),
                cl::desc("Give up a file that takes more processor time; 0: never; default: 30"),
                cl::init(ReadingBounds().Seconds)),
      MemoryLimit("memory-limit", cl::sub(Sub), cl::value_desc("MIB"),
                  cl::desc("Give up a file that takes more memory; 0: never; default: 1024"),
                  cl::init(ReadingBounds().Mebibytes)),
      TotalMemoryLimit("total-memory-limit", cl::sub(Sub), cl::value_desc("MIB"),
                       cl::desc("Read fewer files at a time near this much memory of the whole "
                                "run; 0: never; default: 2048, or twice --memory-limit")) {}

/// A file may have what it was given, beside all others.
unsigned ReadingOptions::totalMebibytes() const {
  if (TotalMemoryLimit.getNumOccurrences())
    return TotalMemoryLimit;
  return MemoryLimit ? std::max(DefaultRunMebibytes, 2 * MemoryLimit) : 0;
}

void ReadingOptions::bound(CompileCommands &Commands) const {
  boundRunMemory(totalMebibytes());
  Commands.adjustJobs(
      [Bounds = ReadingBounds{TimeLimit, MemoryLimit}](ParseJob &Job) { Job.Bounds = Bounds; });
}

/// A version of opsig is built more than once by those who work on it.
static std::string thisOpsig() {
  std::string Program = programPath();
  llvm::sys::fs::file_status Status;
  std::string Is = OPSIG_VERSION;
  if (!llvm::sys::fs::status(Program, Status))
    Is += " " + std::to_string(Status.getSize()) + " " +
          std::to_string(Status.getLastModificationTime().time_since_epoch().count());
  return Is;
}

ReadingSettings ReadingOptions::settings(unsigned Threads, bool WithPrefixes) const {
  ReadingSettings Settings;
  if (!NoCache)
    Settings.Cache = Cache.empty() ? defaultReadingCache() : absolutePath(Cache);
  Settings.Opsig = thisOpsig();
  Settings.Threads = Threads;
  Settings.SharedPchs = WithPrefixes && !NoSharedPch;
  return Settings;
}

void ReadingOptions::tell(const UnitReader &Reader, size_t Total) const {
  if (!Reader.cacheProblem().empty())
    reportNote("nothing is kept for the next run: " + Reader.cacheProblem());
  if (unsigned Kept = Reader.numKept())
    llvm::WithColor::note(llvm::errs(), "opsig")
        << Kept << " of " << Total << " files are as they were when they were last read\n";
  if (unsigned WithSharedPch = Reader.numWithSharedPch())
    llvm::WithColor::note(llvm::errs(), "opsig")
        << WithSharedPch << " of " << Total
        << " files were read with headers that had been read before; " << Reader.numSharedPchs()
        << " such prefixes were made\n";
  if (llvm::StringRef Problem = sandboxProblem(); !Problem.empty())
    llvm::WithColor::note(llvm::errs(), "opsig")
        << "sources are read outside of a sandbox: " << Problem << '\n';
}

std::set<llvm::sys::fs::UniqueID> filesNamedIn(const SiftedFindings &Found,
                                               const SourceFiles &Files) {
  std::set<llvm::sys::fs::UniqueID> Named;
  auto Name = [&](const Finding &D) {
    llvm::SmallVector<Place, 4> Places{D.At};
    for (const Note &N : D.Notes)
      Places.push_back(N.At);
    for (const Place &At : Places) {
      llvm::sys::fs::UniqueID Id;
      if (At.isValid() && !llvm::sys::fs::getUniqueID(Files.name(At.File), Id))
        Named.insert(Id);
    }
  };
  for (const Finding &D : Found.Reported.all())
    Name(D);
  for (const SuppressedFinding &S : Found.Suppressed)
    Name(S.Hit);
  return Named;
}

bool hasOneOf(const UnitFacts &Unit, const std::set<llvm::sys::fs::UniqueID> &Named) {
  return llvm::any_of(Unit.Files, [&](const std::string &File) {
    llvm::sys::fs::UniqueID Id;
    return !llvm::sys::fs::getUniqueID(File, Id) && Named.count(Id);
  });
}

bool confirm(const SiftedFindings &Found, const SourceFiles &Files, const CompileCommands &Commands,
             const ParseOptions &Options, UnitReader &Reader, std::vector<UnitFacts> &Units) {
  std::set<llvm::sys::fs::UniqueID> Named = filesNamedIn(Found, Files);
  std::vector<ParseJob> Jobs;
  std::vector<size_t> Which;
  for (size_t I = 0; I < Units.size(); ++I)
    if (Reader.isUnconfirmed(Units[I].MainFile) && hasOneOf(Units[I], Named)) {
      Jobs.push_back(Commands.job(Units[I].MainFile));
      Which.push_back(I);
    }
  std::vector<UnitFacts> Again = Reader.readAgain(Jobs, Options);
  for (size_t I = 0; I < Which.size(); ++I)
    Units[Which[I]] = std::move(Again[I]);
  return !Which.empty();
}

} // namespace opsig
