//===- Reading.cpp - What is kept of readings, and where --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SchemaInput.h"
#include "check/Reading.h"
#include "opsig/Frontend/ReadingCache.h"
#include "opsig/Frontend/RunMemory.h"
#include "opsig/Frontend/RunTime.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Support/ProgramPath.h"
#include "opsig/Support/Sandbox.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>
#include <set>
#ifdef __linux__
#include <elf.h>
#include <link.h>
#endif

namespace cl = llvm::cl;

namespace opsig {

ReadingOptions::ReadingOptions(cl::SubCommand &Sub)
    : Cache("cache", cl::sub(Sub), cl::value_desc("DIR"),
            cl::desc("Keep cached files in DIR; default: opsig/readings in the user's cache")),
      NoCache("no-cache", cl::sub(Sub), cl::desc("Read every file and cache nothing")),
      CacheReadOnly("cache-read-only", cl::sub(Sub), cl::desc("Use the cache without changing it")),
      NoSharedPch("no-shared-pch", cl::sub(Sub),
                  cl::desc("Read headers again for each file, without precompiled headers")),
      OldNoSharedPch("no-prefix", cl::aliasopt(NoSharedPch), cl::Hidden),
      TimeLimit(
          "time-limit", cl::sub(Sub), cl::value_desc("SECONDS"),
          cl::desc(
              "Skip a file that takes more than SECONDS of CPU time; 0: no limit; default: 30"),
          cl::init(ReadingBounds().Seconds)),
      TotalTimeLimit("total-time-limit", cl::sub(Sub), cl::value_desc("SECONDS"),
                     cl::desc("Limit the CPU time of all skipped files together; 0: no limit; "
                              "default: 45 or 1.5 * --time-limit, whichever is larger")),
      MemoryLimit("memory-limit", cl::sub(Sub), cl::value_desc("MIB"),
                  cl::desc("Skip a file that needs more than MIB mebibytes of memory; 0: no limit; "
                           "default: 1024"),
                  cl::init(ReadingBounds().Mebibytes)),
      TotalMemoryLimit(
          "total-memory-limit", cl::sub(Sub), cl::value_desc("MIB"),
          cl::desc("Read fewer files at a time when the run nears MIB mebibytes of memory; 0: "
                   "no limit; default: 2048 or 2 * --memory-limit, whichever is larger")) {}

/// A file may have what it was given, beside all others.
unsigned ReadingOptions::totalMebibytes() const {
  if (TotalMemoryLimit.getNumOccurrences())
    return TotalMemoryLimit;
  return MemoryLimit ? std::max(DefaultRunMebibytes, 2 * MemoryLimit) : 0;
}

/// The first file that is given up may have all of its own bound.
unsigned ReadingOptions::totalSeconds() const {
  if (TotalTimeLimit.getNumOccurrences())
    return TotalTimeLimit;
  return TimeLimit ? unsigned(std::max<uint64_t>(DefaultRunSeconds, uint64_t(TimeLimit) * 3 / 2))
                   : 0;
}

void ReadingOptions::bound(CompileCommands &Commands) const {
  boundRunTime(totalSeconds());
  boundRunMemory(totalMebibytes());
  Commands.adjustJobs(
      [Bounds = ReadingBounds{TimeLimit, MemoryLimit}](ParseJob &Job) { Job.Bounds = Bounds; });
}

/// What the linker has named this program by; "" where it has not.
static std::string buildId() {
  std::string Id;
#ifdef __linux__
  auto Find = [](dl_phdr_info *Program, size_t, void *Into) {
    for (const auto &Part : llvm::ArrayRef(Program->dlpi_phdr, Program->dlpi_phnum)) {
      if (Part.p_type != PT_NOTE)
        continue;
      llvm::StringRef Notes(reinterpret_cast<const char *>(Program->dlpi_addr + Part.p_vaddr),
                            Part.p_memsz);
      while (Notes.size() > sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) Note;
        std::memcpy(&Note, Notes.data(), sizeof(Note));
        llvm::StringRef Rest = Notes.drop_front(sizeof(Note));
        llvm::StringRef Name = Rest.take_front(Note.n_namesz);
        llvm::StringRef Text = Rest.drop_front(llvm::alignTo<4>(Note.n_namesz));
        if (Note.n_type == NT_GNU_BUILD_ID && Name == llvm::StringRef("GNU", 4))
          *static_cast<std::string *>(Into) = llvm::toHex(Text.take_front(Note.n_descsz));
        Notes = Text.drop_front(llvm::alignTo<4>(Note.n_descsz));
      }
    }
    return 1; // the program itself comes first
  };
  dl_iterate_phdr(Find, &Id);
#endif
  return Id;
}

/// A version of opsig is built more than once by those who work on it. Machines that share a cache
/// have the same program with other times.
static std::string thisOpsig() {
  if (std::string Id = buildId(); !Id.empty())
    return OPSIG_VERSION " " + Id;
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
  Settings.CacheIsReadOnly = CacheReadOnly;
  Settings.Opsig = thisOpsig();
  Settings.Threads = Threads;
  Settings.SharedPchs = WithPrefixes && !NoSharedPch;
  return Settings;
}

void ReadingOptions::tell(const UnitReader &Reader, size_t Total) const {
  if (!Reader.cacheProblem().empty())
    reportNote("nothing is cached for the next run: " + Reader.cacheProblem());
  if (unsigned Kept = Reader.numKept())
    llvm::WithColor::note(llvm::errs(), "opsig")
        << Kept << " of " << Total << " files have not changed since the last run\n";
  if (unsigned WithSharedPch = Reader.numWithSharedPch())
    llvm::WithColor::note(llvm::errs(), "opsig")
        << WithSharedPch << " of " << Total << " files were read with shared precompiled headers; "
        << counted(Reader.numSharedPchs(), "such header was", "such headers were")
        << " made in this run\n";
  if (llvm::StringRef Problem = sandboxProblem(); !Problem.empty())
    llvm::WithColor::note(llvm::errs(), "opsig")
        << "sources are read without a sandbox: " << Problem << '\n';
}

/// "with shared header 1".
static std::string textOf(const ReadingStep &Step) {
  std::string Header = "shared header " + std::to_string(Step.Header);
  switch (Step.Is) {
  case ReadingStep::Kind::Kept:
    return "as before";
  case ReadingStep::Kind::Planned:
    return "includes compared";
  case ReadingStep::Kind::HeaderMade:
    return Header + " made";
  case ReadingStep::Kind::HeaderKept:
    return Header + " kept";
  case ReadingStep::Kind::WithHeader:
    return "with " + Header;
  case ReadingStep::Kind::Misfit:
    return "does not fit " + Header;
  case ReadingStep::Kind::Alone:
    return "by itself";
  case ReadingStep::Kind::Compared:
    return "headers compared by their tokens";
  case ReadingStep::Kind::ComparedBefore:
    return "headers compared before";
  case ReadingStep::Kind::Confirmed:
    return "once more by itself";
  }
  llvm_unreachable("a kind of step");
}

void ReadingOptions::tellSteps(const UnitReader &Reader) {
  for (const ReadingStep &Step : Reader.steps()) {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    OS << llvm::format("%.3f s of CPU time, %.3f s in bodies: ", Step.Seconds, Step.Bodies)
       << Step.File << ": " << textOf(Step);
    if (!Step.Why.empty())
      OS << " (" << Step.Why << ')';
    reportNote(Text);
  }
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
  std::vector<std::optional<UnitFacts>> Again = Reader.confirm(Jobs, Options);
  bool Changed = false;
  for (size_t I = 0; I < Which.size(); ++I)
    if (Again[I]) {
      Units[Which[I]] = std::move(*Again[I]);
      Changed = true;
    }
  return Changed;
}

} // namespace opsig
