//===- Bounds.cpp - readings end ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Parse/Bounds.h"
#include "Parse/HardFiles.h"
#include "Parse/Invocation.h"
#include "Parse/MemoryTurns.h"
#include "Parse/TimeBudget.h"
#include "opsig/Frontend/RunMemory.h"
#include "opsig/Frontend/RunTime.h"
#include "opsig/Support/LinkGuard.h"
#include "opsig/Support/UnbrokenLock.h"

#include "clang/AST/ASTContext.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/TemplateInstCallback.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Threading.h"
#include <chrono>
#include <csignal>
#include <fstream>
#include <mutex>
#include <set>
#include <thread>
#include <unistd.h>
#ifdef __linux__
#include <link.h>
#include <ucontext.h>
#endif

using namespace opsig;
using namespace clang;

static double secondsOf(clockid_t Clock) {
  timespec Now = {};
  clock_gettime(Clock, &Now);
  return double(Now.tv_sec) + double(Now.tv_nsec) / 1e9;
}

//===--- Code that a signal may end ---------------------------------------------------------===//

namespace {

/// Code of opsig, Clang and LLVM. A reading can be left in the middle of it, as after a crash; in
/// the C library it may hold a lock that other threads wait for, that of memory above all.
class OwnCode {
public:
  static const OwnCode &here() {
    static const OwnCode The;
    return The;
  }
  bool contains(uintptr_t Address) const {
    return llvm::any_of(Ranges,
                        [&](const auto &R) { return R.first <= Address && Address < R.second; });
  }

private:
  OwnCode();
  std::vector<std::pair<uintptr_t, uintptr_t>> Ranges;
};

} // namespace

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__)) &&                         \
    !LLVM_ADDRESS_SANITIZER_BUILD

OwnCode::OwnCode() {
  auto Add = [](dl_phdr_info *Library, size_t, void *Into) {
    StringRef Name = llvm::sys::path::filename(Library->dlpi_name); // the program itself has none
    if (!Name.empty() && !Name.starts_with("libLLVM") && !Name.starts_with("libclang"))
      return 0;
    for (const auto &Part : llvm::ArrayRef(Library->dlpi_phdr, Library->dlpi_phnum))
      if (Part.p_type == PT_LOAD && (Part.p_flags & PF_X)) {
        uintptr_t Begin = Library->dlpi_addr + Part.p_vaddr;
        static_cast<OwnCode *>(Into)->Ranges.emplace_back(Begin, Begin + Part.p_memsz);
      }
    return 0;
  };
  dl_iterate_phdr(Add, this);
}

/// Where the thread was when the signal came.
static uintptr_t interruptedAt(void *Context) {
  const mcontext_t &Machine = static_cast<ucontext_t *>(Context)->uc_mcontext;
#ifdef __x86_64__
  return Machine.gregs[REG_RIP];
#else
  return Machine.pc;
#endif
}

#else

OwnCode::OwnCode() = default;
static uintptr_t interruptedAt(void *) { return 0; }

#endif

//===--- The thread that sees what does not come back ---------------------------------------===//

/// Nothing else uses it, and who does not expect it does not notice it.
static constexpr int LeaveSignal = SIGURG;

/// Of this process; 0 where the system does not say.
static uint64_t residentBytes() {
  std::ifstream In("/proc/self/statm");
  uint64_t Whole = 0, Resident = 0;
  In >> Whole >> Resident;
  return Resident * llvm::sys::Process::getPageSizeEstimate();
}

/// How often the thread of that number touched memory for the first time.
static uint64_t pageFaults(uint64_t Thread) {
  std::ifstream In("/proc/self/task/" + std::to_string(Thread) + "/stat");
  std::string Text;
  std::getline(In, Text);
  // The name, which may have any characters, ends at the last parenthesis; 7 numbers are before.
  StringRef Rest = StringRef(Text).rsplit(')').second.ltrim();
  for (int I = 0; I < 7; ++I)
    Rest = Rest.split(' ').second;
  uint64_t Faults = 0;
  Rest.consumeInteger(10, Faults);
  return Faults;
}

/// The readings of this process.
struct ReadingWatch::Registry {
  std::mutex Mutex;
  std::vector<ReadingWatch *> Running; ///< the oldest first
  MemoryTurns Turns;
  TimeBudget Time;
  size_t MostAtOnce = 0;
  bool Started = false;
  bool HasOneLeft = false; ///< since the last look
  std::function<void(const HardFiles &, StringRef, StringRef)> End;
  /// Files whose memory stays taken.
  HardFiles GivenUp;
  std::set<std::string> Read; ///< to the end
  /// Whether files that have had their turn can be read again, and which of them were given up.
  bool TakesTurns = false;
  std::set<std::string> CutShort;
  std::chrono::milliseconds Pause{100}, Next{100};

  Registry() { Turns.setBound(DefaultRunMebibytes); }

  static Registry &registry() {
    // Never destroyed: the thread outlives main().
    static auto *The = new Registry;
    return *The;
  }

  void start() {
    std::lock_guard Lock(Mutex);
    if (!Started)
      std::thread([this] { watch(); }).detach();
    Started = true;
  }
  void add(ReadingWatch &Watch) {
    std::lock_guard Lock(Mutex);
    charge();
    Watch.Waits = Turns.isCrowded(residentBytes(), Running.size());
    Running.push_back(&Watch);
    MostAtOnce = std::max(MostAtOnce, Running.size());
  }
  void remove(ReadingWatch &Watch) {
    std::lock_guard Lock(Mutex);
    charge();
    llvm::erase(Running, &Watch);
    HasOneLeft |= Watch.Leaving != Reason::None;
    bool IsPutOff = Watch.HadTurn && Watch.IsCounted && Watch.TookTooLong;
    // Which of several readings takes the memory of the process is an estimate. What is put off is
    // read again, also where the run begins anew before its turn.
    if (Watch.Leaving == Reason::Memory)
      GivenUp.Suspects.push_back(Watch.path());
    else if (!Watch.Exceeded.empty() && Watch.IsCounted && !IsPutOff)
      GivenUp.TooHard.emplace_back(Watch.path(), Watch.Exceeded);
    double Seconds = Watch.IsCounted ? Watch.Charged : 0;
    Watch.HasEnded ? Time.wasRead(Seconds) : Time.wasGivenUp(Seconds);
    if (!Watch.Exceeded.empty() && Watch.IsCounted)
      Time.sawBoundExceeded();
    if (Watch.HasRead) {
      Read.insert(Watch.path());
      Time.sawFile(Watch.seconds());
    }
    if (IsPutOff)
      CutShort.insert(Watch.path());
  }

private:
  [[noreturn]] void watch();
  void lookAtAll();
  static double processors();
  void charge();
  void limitTime();
  HardFiles whatIsKnown() const;
  uint64_t takeTurns(uint64_t Resident);
  void endWhatHangs(uint64_t Resident) const;
  bool anyLeaving() const {
    return llvm::any_of(Running,
                        [](const ReadingWatch *Each) { return Each->Leaving != Reason::None; });
  }
};

void ReadingWatch::Registry::watch() {
  // Here, so that threads that may only read need not do it.
  OwnCode::here();
  struct sigaction Leave = {};
  Leave.sa_sigaction = [](int, siginfo_t *, void *Context) { leave(interruptedAt(Context)); };
  Leave.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART | SA_NODEFER;
  sigaction(LeaveSignal, &Leave, nullptr);
  while (true) {
    std::this_thread::sleep_for(Next);
    std::lock_guard Lock(Mutex);
    Next = Pause;
    lookAtAll();
  }
}

void ReadingWatch::Registry::lookAtAll() {
  if (Running.empty())
    return;
  charge();
  uint64_t Resident = takeTurns(residentBytes());
  limitTime();
  ReadingWatch *Largest = nullptr;
  bool HasLeft = std::exchange(HasOneLeft, false);
  for (ReadingWatch *Each : Running) {
    Each->seen(Resident);
    if (HasLeft)
      Each->forgetGrowth(Resident);
    if (Each->hasGrown(Resident) && (!Largest || Each->newFaults() > Largest->newFaults()))
      Largest = Each;
  }
  if (Largest && !anyLeaving())
    Largest->Leaving = Reason::Memory;
  bool IsOneLeaving = anyLeaving();
  for (ReadingWatch *Each : Running) {
    // What that one has is left behind, and nobody else's. Who waits takes nothing.
    if (IsOneLeaving || Each->Waits)
      Each->forgetGrowth(Resident);
    if (Each->Leaving != Reason::None)
      pthread_kill(Each->Thread, LeaveSignal);
  }
  // A thread that is to leave is asked again until it is met where it can.
  if (IsOneLeaving)
    Next = std::chrono::milliseconds(2);
  if (End)
    endWhatHangs(Resident);
}

double ReadingWatch::Registry::processors() {
  static const unsigned All = llvm::hardware_concurrency().compute_thread_count();
  return All;
}

/// Adds up how much longer the run takes for each reading. Those that go on at the same time share
/// that; where others wait, for memory, one has it alone.
void ReadingWatch::Registry::charge() {
  double All = 0, Longest = 0;
  for (const ReadingWatch *Each : Running) {
    double Used = Each->seconds() - Each->ChargedUpTo;
    All += Used;
    Longest = std::max(Longest, Used);
  }
  double Sharing = Longest > 0 ? std::min(All / Longest, processors()) : 1;
  for (ReadingWatch *Each : Running) {
    double Now = Each->seconds();
    Each->Charged += (Now - Each->ChargedUpTo) / Sharing;
    Each->ChargedUpTo = Now;
  }
}

/// Where more run than there are processors, they hold each other up: what others take that may all
/// be given up is not there for the next one. What takes as long as files do is none of those.
void ReadingWatch::Registry::limitTime() {
  constexpr double Usual = 2;
  double Others = 0, Between = std::clamp(double(MostAtOnce), 1.0, processors());
  size_t Ahead = size_t(Between) - 1;
  for (size_t I = 0; I < Running.size(); ++I) {
    if (I > Ahead)
      Others += std::max(Running[I - Ahead - 1]->Charged - Usual / Between, 0.0);
    unsigned Bound = Running[I]->Job.Bounds.Seconds;
    if (Running[I]->WasRead)
      continue;
    unsigned Share = Time.share(Bound, Others), Has = TakesTurns ? Time.turn(Bound, Others) : Share;
    Running[I]->HadTurn = Has < Share;
    Running[I]->Limit = std::max(Has, std::min(Bound, 1u));
  }
}

/// The memory of the process after that.
uint64_t ReadingWatch::Registry::takeTurns(uint64_t Resident) {
  if (Turns.isNear(Resident))
    Next = std::min(Pause, std::chrono::milliseconds(10));
  if (Turns.isCrowded(Resident, 1)) {
    returnFreeMemory();
    Resident = residentBytes();
  }
  std::vector<ReadingTurn> All;
  for (const ReadingWatch *Each : Running)
    All.push_back({Each, Each->seconds(), Each->Waits});
  Turns.decide(All, Resident);
  for (size_t I = 0; I < All.size(); ++I)
    Running[I]->Waits = All[I].Waits;
  return Resident;
}

HardFiles ReadingWatch::Registry::whatIsKnown() const {
  HardFiles Files = GivenUp;
  for (const std::string &File : Read)
    Files.TooHard.emplace_back(File, "");
  Files.SecondsInVain = Time.spent();
  for (const ReadingWatch *Each : Running)
    Files.SecondsInVain += Each->Charged;
  return Files;
}

/// Where even the signal does not help.
void ReadingWatch::Registry::endWhatHangs(uint64_t Resident) const {
  HardFiles Files = whatIsKnown();
  for (const ReadingWatch *Each : Running) {
    // The bound may have been lowered a moment ago.
    double MostSeconds = Each->LateSince + 0.25 * double(Each->Limit) + 5;
    if (Each->Late && Each->seconds() > MostSeconds) {
      std::string Why = "took more than " + std::to_string(unsigned(MostSeconds)) + " s";
      Files.TooHard.emplace_back(Each->path(), Why);
      End(Files, Each->Job.File, Why);
    }
  }
  // What readings hold besides their ASTs, and what others have left behind.
  const ReadingBounds &Bounds = (*Running.begin())->Job.Bounds;
  uint64_t Most = (uint64_t(Bounds.Mebibytes) * MostAtOnce + 1024) << 20;
  if (Turns.isFull(Resident))
    Most = std::min(Most, Turns.bound());
  else if (!Bounds.Mebibytes || Resident <= Most)
    return;
  for (const ReadingWatch *Each : Running)
    Files.Suspects.push_back(Each->path());
  End(Files, (*Running.begin())->Job.File, "took more than " + std::to_string(Most >> 20) + " MiB");
}

ReadingWatch::ForkGuard::ForkGuard() { Registry::registry().Mutex.lock(); }
ReadingWatch::ForkGuard::~ForkGuard() { Registry::registry().Mutex.unlock(); }

void ReadingWatch::ForkGuard::startAgain() {
  Registry &All = Registry::registry();
  All.Started = false;
  All.Running.clear();
  All.GivenUp = HardFiles();
  All.MostAtOnce = 1;
  All.Pause = All.Next = std::chrono::milliseconds(10);
  All.Mutex.unlock();
}

void opsig::endHangingReadings(
    std::function<void(const HardFiles &Files, StringRef File, StringRef Why)> End) {
  ReadingWatch::Registry &All = ReadingWatch::Registry::registry();
  std::lock_guard Lock(All.Mutex);
  All.End = std::move(End);
}

void opsig::boundRunMemory(unsigned Mebibytes) {
  ReadingWatch::Registry &All = ReadingWatch::Registry::registry();
  std::lock_guard Lock(All.Mutex);
  All.Turns.setBound(Mebibytes);
}

void opsig::boundRunTime(unsigned Seconds) {
  ReadingWatch::Registry &All = ReadingWatch::Registry::registry();
  std::lock_guard Lock(All.Mutex);
  All.Time.setBound(Seconds);
}

double opsig::secondsInVain(double Most) {
  ReadingWatch::Registry &All = ReadingWatch::Registry::registry();
  std::lock_guard Lock(All.Mutex);
  return All.Time.bound() ? std::clamp(All.Time.left(), 0.0, Most) : Most;
}

void ReadingWatch::takeTurns(bool AreReadAgain) {
  Registry &All = Registry::registry();
  std::lock_guard Lock(All.Mutex);
  All.TakesTurns = AreReadAgain;
}

bool ReadingWatch::wasCutShort(const ParseJob &Job) {
  Registry &All = Registry::registry();
  std::lock_guard Lock(All.Mutex);
  return All.TakesTurns && All.CutShort.erase(hardFilePath(Job));
}

void ReadingWatch::spentBefore(double Seconds) {
  Registry &All = Registry::registry();
  std::lock_guard Lock(All.Mutex);
  All.Time.wasUsedBefore(Seconds);
}

void ReadingWatch::spend(double Seconds) {
  Registry &All = Registry::registry();
  std::lock_guard Lock(All.Mutex);
  All.Time.wasGivenUp(Seconds);
}

std::string ReadingWatch::whyNoTime(const ParseJob &Job) {
  if (wasReadBefore(Job))
    return "";
  Registry &All = Registry::registry();
  std::lock_guard Lock(All.Mutex);
  if (!Job.Bounds.Seconds || All.Time.share(Job.Bounds.Seconds))
    return "";
  return "the time limit of " + std::to_string(All.Time.bound()) +
         " s for skipped files is used up";
}

void ReadingWatch::beCareful() {
  Registry &All = Registry::registry();
  std::lock_guard Lock(All.Mutex);
  All.Turns.beCareful();
}

//===--- What the watching thread knows of a reading ----------------------------------------===//

/// A reading that asks gives itself up; one that has not asked for that long does not.
static constexpr double SilentSeconds = 1;

std::string ReadingWatch::path() const { return hardFilePath(Job); }

double ReadingWatch::seconds() const { return secondsOf(Clock) - Begin; }

void ReadingWatch::seen(uint64_t Resident) {
  double Now = seconds();
  unsigned Asked = Count.load(std::memory_order_relaxed);
  if (Asked != Silence.Asked)
    Silence = {Asked, Now, Resident, pageFaults(ThreadNumber)};
  if (!Limit || Now <= Limit)
    return;
  if (!Late)
    LateSince = Now;
  Late = true;
  if (Now > Silence.Since + SilentSeconds)
    Leaving = Reason::Time;
}

void ReadingWatch::forgetGrowth(uint64_t Resident) {
  Silence.Resident = Resident;
  Silence.Faults = pageFaults(ThreadNumber);
}

bool ReadingWatch::hasGrown(uint64_t Resident) const {
  uint64_t Most = uint64_t(Job.Bounds.Mebibytes) << 20;
  return Most && Resident > Silence.Resident + Most;
}

uint64_t ReadingWatch::newFaults() const { return pageFaults(ThreadNumber) - Silence.Faults; }

//===--- The questions of the reading itself ------------------------------------------------===//

namespace {

class DirectiveWatch : public PPCallbacks {
public:
  explicit DirectiveWatch(ReadingWatch &Watch) : Watch(Watch) {}

  void MacroExpands(const Token &, const MacroDefinition &, SourceRange,
                    const MacroArgs *) override {
    Watch.look();
  }
  void InclusionDirective(SourceLocation, const Token &, StringRef, bool, CharSourceRange,
                          OptionalFileEntryRef, StringRef, StringRef, const Module *, bool,
                          SrcMgr::CharacteristicKind) override {
    Watch.look();
  }
  void EmbedDirective(SourceLocation, StringRef Name, bool, OptionalFileEntryRef File,
                      const LexEmbedParametersResult &) override {
    if (File && !Watch.mayEmbed(File->getName()))
      Watch.giveUp(("it embeds '" + Name + "', which is outside the project").str());
  }

private:
  ReadingWatch &Watch;
};

class TemplateWatch : public TemplateInstantiationCallback {
public:
  explicit TemplateWatch(ReadingWatch &Watch) : Watch(Watch) {}
  void initialize(const Sema &) override {}
  void finalize(const Sema &) override {}
  void atTemplateBegin(const Sema &, const Sema::CodeSynthesisContext &) override { Watch.look(); }
  void atTemplateEnd(const Sema &, const Sema::CodeSynthesisContext &) override { Watch.look(); }

private:
  ReadingWatch &Watch;
};

class WatchedAction : public WrapperFrontendAction {
public:
  WatchedAction(std::unique_ptr<FrontendAction> Action, ReadingWatch &Watch)
      : WrapperFrontendAction(std::move(Action)), Watch(Watch) {}

private:
  bool BeginSourceFileAction(CompilerInstance &Compiler) override {
    Watch.begin(Compiler);
    Preprocessor &PP = Compiler.getPreprocessor();
    PP.addPPCallbacks(std::make_unique<DirectiveWatch>(Watch));
    PP.setPreprocessToken(true);
    PP.setTokenWatcher([&PP, this](const Token &) { Watch.lookAtToken(PP.getTokenCount()); });
    return WrapperFrontendAction::BeginSourceFileAction(Compiler);
  }

  void ExecuteAction() override {
    CompilerInstance &Compiler = getCompilerInstance();
    if (!usesPreprocessorOnly() && !Compiler.hasSema()) {
      Compiler.createSema(getTranslationUnitKind(), nullptr);
      Compiler.getSema().TemplateInstCallbacks.push_back(std::make_unique<TemplateWatch>(Watch));
    }
    WrapperFrontendAction::ExecuteAction();
  }

  ReadingWatch &Watch;
};

} // namespace

/// Runs are not nested.
static thread_local ReadingWatch *Current = nullptr;

void ReadingWatch::startWatching() { Registry::registry().start(); }

ReadingWatch::ReadingWatch(const ParseJob &Job, bool IsCounted)
    : Job(Job), IsCounted(IsCounted), WasRead(wasReadBefore(Job)), Limit(Job.Bounds.Seconds),
      Thread(pthread_self()), ThreadNumber(llvm::get_threadid()) {
  if (pthread_getcpuclockid(pthread_self(), &Clock) != 0)
    Clock = CLOCK_THREAD_CPUTIME_ID;
  Begin = secondsOf(Clock);
  Current = this;
  Registry::registry().add(*this);
}

void ReadingWatch::leave(uintptr_t At) {
  Reason Why = Current ? Current->Leaving.load() : Reason::None;
  if (Why == Reason::None || !Current->Inside || Unbroken::isHere() ||
      !OwnCode::here().contains(At) || llvm::CrashRecoveryContext::isRecoveringFromCrash())
    return;
  if (Why == Reason::Time)
    Current->giveUpLate();
  Current->giveUpLarge();
}

ReadingWatch::~ReadingWatch() {
  Current = nullptr;
  Registry::registry().remove(*this);
}

void opsig::lookAtBounds() {
  if (Current)
    Current->look();
}

std::unique_ptr<FrontendAction> ReadingWatch::watched(std::unique_ptr<FrontendAction> Action) {
  return std::make_unique<WatchedAction>(std::move(Action), *this);
}

uint64_t ReadingWatch::usedMemory() const {
  if (!Compiler || !Compiler->hasPreprocessor())
    return 0;
  uint64_t Used = Compiler->getPreprocessor().getTotalMemory() + NumNested * 2 * sizeof(Token) +
                  Compiler->getSourceManager().getDataStructureSizes() +
                  Compiler->getSourceManager().getContentCacheSize();
  if (Compiler->hasASTContext())
    Used += Compiler->getASTContext().getASTAllocatedMemory();
  return Used;
}

/// Constants that are made of bytes can be compared with anything, and be shown in messages.
bool ReadingWatch::mayEmbed(StringRef Path) const {
  SmallString<256> File(Job.File), Embedded(Path);
  for (SmallString<256> *Each : {&File, &Embedded}) {
    if (!Job.Directory.empty())
      llvm::sys::path::make_absolute(Job.Directory, *Each);
    llvm::sys::fs::make_absolute(*Each);
  }
  StringRef Folder = llvm::sys::path::parent_path(File);
  std::string Project = projectAround(Folder);
  return isInside(Embedded, Project.empty() ? Folder : Project);
}

void ReadingWatch::lookAtMemory() {
  if (Job.Bounds.Mebibytes && usedMemory() >> 20 > Job.Bounds.Mebibytes)
    giveUpLarge();
}

void ReadingWatch::awaitTurn() const {
  while (Waits && Leaving == Reason::None)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

void ReadingWatch::giveUpLarge() {
  giveUp("took more than " + std::to_string(Job.Bounds.Mebibytes) + " MiB");
}

void ReadingWatch::giveUpLate() {
  unsigned Had = Limit;
  TookTooLong = true;
  giveUp("took more than " + (Had < Job.Bounds.Seconds ? "the " : std::string()) +
         std::to_string(Had) + " s" + (Had < Job.Bounds.Seconds ? " left for it" : ""));
}

/// As where Clang crashes: nothing on the way is destroyed. What the run had is lost.
void ReadingWatch::giveUp(std::string Why) {
  Inside = false;
  Exceeded = std::move(Why);
  llvm::CrashRecoveryContext::GetCurrent()->HandleExit(1);
}
