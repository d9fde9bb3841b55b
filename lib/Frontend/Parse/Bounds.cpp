//===- Bounds.cpp - readings end ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Parse/Bounds.h"
#include "Parse/Invocation.h"

#include "clang/AST/ASTContext.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/TemplateInstCallback.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/Process.h"
#include <chrono>
#include <fstream>
#include <mutex>
#include <pthread.h>
#include <set>
#include <thread>
#include <unistd.h>

using namespace opsig;
using namespace clang;

static double secondsOf(clockid_t Clock) {
  timespec Now = {};
  clock_gettime(Clock, &Now);
  return double(Now.tv_sec) + double(Now.tv_nsec) / 1e9;
}

//===--- The thread that sees what does not come back ---------------------------------------===//

/// Of this process; 0 where the system does not say.
static uint64_t residentBytes() {
  std::ifstream In("/proc/self/statm");
  uint64_t Whole = 0, Resident = 0;
  In >> Whole >> Resident;
  return Resident * llvm::sys::Process::getPageSizeEstimate();
}

/// The readings of this process.
struct ReadingWatch::Registry {
  std::mutex Mutex;
  std::set<const ReadingWatch *> Running;
  size_t MostAtOnce = 0;
  bool Started = false;
  std::function<void(StringRef, StringRef)> End;

  static Registry &registry() {
    // Never destroyed: the thread outlives main().
    static auto *The = new Registry;
    return *The;
  }

  void add(const ReadingWatch &Watch) {
    std::lock_guard Lock(Mutex);
    Running.insert(&Watch);
    MostAtOnce = std::max(MostAtOnce, Running.size());
    if (!Started)
      std::thread([this] { watch(); }).detach();
    Started = true;
  }
  void remove(const ReadingWatch &Watch) {
    std::lock_guard Lock(Mutex);
    Running.erase(&Watch);
  }

private:
  [[noreturn]] void watch() {
    while (true) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      std::lock_guard Lock(Mutex);
      uint64_t Resident = Running.empty() ? 0 : residentBytes();
      for (const ReadingWatch *Each : Running)
        check(*Each, Resident);
    }
  }
  void check(const ReadingWatch &Watch, uint64_t Resident) const;
};

void ReadingWatch::Registry::check(const ReadingWatch &Watch, uint64_t Resident) const {
  const ReadingBounds &Bounds = Watch.Job.Bounds;
  double Seconds = secondsOf(Watch.Clock) - Watch.Begin;
  if (Bounds.Seconds && Seconds > Bounds.Seconds)
    Watch.Late = true;
  if (!End)
    return;
  // A reading that asks gives itself up long before.
  double MostSeconds = 2 * double(Bounds.Seconds) + 5;
  if (Bounds.Seconds && Seconds > MostSeconds)
    End(Watch.Job.File, "takes more than " + std::to_string(unsigned(MostSeconds)) + " s");
  // What readings hold besides their ASTs, and what others have left behind.
  uint64_t Most = (uint64_t(Bounds.Mebibytes) * MostAtOnce + 1024) << 20;
  if (Bounds.Mebibytes && Resident > Most)
    End(Watch.Job.File, "takes more than " + std::to_string(Most >> 20) + " MiB");
}

void opsig::endHangingReadings(std::function<void(StringRef File, StringRef Why)> End) {
  ReadingWatch::Registry &All = ReadingWatch::Registry::registry();
  std::lock_guard Lock(All.Mutex);
  All.End = std::move(End);
}

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

ReadingWatch::ReadingWatch(const ParseJob &Job) : Job(Job) {
  if (pthread_getcpuclockid(pthread_self(), &Clock) != 0)
    Clock = CLOCK_THREAD_CPUTIME_ID;
  Begin = secondsOf(Clock);
  Current = this;
  Registry::registry().add(*this);
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

void ReadingWatch::lookAtMemory() {
  if (Job.Bounds.Mebibytes && usedMemory() >> 20 > Job.Bounds.Mebibytes)
    giveUp("took more than " + std::to_string(Job.Bounds.Mebibytes) + " MiB");
}

void ReadingWatch::giveUpLate() {
  giveUp("took more than " + std::to_string(Job.Bounds.Seconds) + " s");
}

/// As where Clang crashes: nothing on the way is destroyed. What the run had is lost.
void ReadingWatch::giveUp(std::string Why) {
  Exceeded = std::move(Why);
  llvm::CrashRecoveryContext::GetCurrent()->HandleExit(1);
}
