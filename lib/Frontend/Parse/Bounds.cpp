//===- Bounds.cpp - readings end ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Parse/Bounds.h"
#include "Parse/Invocation.h"
#include "Parse/OwnCode.h"
#include "Parse/ReadingRegistry.h"
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
#include "llvm/Support/Threading.h"
#include <chrono>
#include <fstream>
#include <thread>
#include <unistd.h>

using namespace opsig;
using namespace clang;

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

static double secondsOf(clockid_t Clock) {
  timespec Now = {};
  clock_gettime(Clock, &Now);
  return double(Now.tv_sec) + double(Now.tv_nsec) / 1e9;
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

double ReadingWatch::spent() {
  Registry &All = Registry::registry();
  std::lock_guard Lock(All.Mutex);
  return All.Time.spent();
}

std::string ReadingWatch::whyNoTime(const ParseJob &Job) {
  if (wasReadBefore(Job))
    return "";
  Registry &All = Registry::registry();
  std::lock_guard Lock(All.Mutex);
  if (!Job.Bounds.Seconds || All.Time.share(Job.Bounds.Seconds))
    return "";
  return "opsig reached its total time limit of " + std::to_string(All.Time.bound()) +
         " s for files that it cannot finish reading";
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
  giveUp("needed more than " + std::to_string(Job.Bounds.Mebibytes) + " MiB of memory");
}

void ReadingWatch::giveUpLate() {
  unsigned Had = Limit;
  TookTooLong = true;
  giveUp("took more than " + (Had < Job.Bounds.Seconds ? "the " : std::string()) +
         std::to_string(Had) + " s" +
         (Had < Job.Bounds.Seconds ? " that the total time limit allows for it" : ""));
}

/// As where Clang crashes: nothing on the way is destroyed. What the run had is lost.
void ReadingWatch::giveUp(std::string Why) {
  Inside = false;
  Exceeded = std::move(Why);
  llvm::CrashRecoveryContext::GetCurrent()->HandleExit(1);
}
