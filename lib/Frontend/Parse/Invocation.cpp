//===- Invocation.cpp - one run of Clang over a file ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Parse/Bounds.h"
#include "Parse/HardFiles.h"
#include "Parse/Invocation.h"

#include "opsig/Support/Sandbox.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Driver/CreateInvocationFromArgs.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include <csignal>
#include <ctime>
#include <pthread.h>

using namespace opsig;
using namespace clang;

namespace {

/// Makes one action, and watches it.
class WatchedFactory : public tooling::FrontendActionFactory {
public:
  WatchedFactory(const ClangRun &Run, ReadingWatch &Watch) : Run(Run), Watch(Watch) {}

  std::unique_ptr<FrontendAction> create() override { return Watch.watched(Run.Action()); }

private:
  const ClangRun &Run;
  ReadingWatch &Watch;
};

/// Where a thread's signals are handled: its own stack may be full.
class SignalStack {
public:
  SignalStack() : Memory(std::make_unique<char[]>(Size)) {
    stack_t Mine = {};
    Mine.ss_sp = Memory.get();
    Mine.ss_size = Size;
    sigaltstack(&Mine, &Before);
  }
  ~SignalStack() { sigaltstack(&Before, nullptr); }

private:
  static constexpr size_t Size = 256 * 1024;
  std::unique_ptr<char[]> Memory;
  stack_t Before = {};
};

} // namespace

bool opsig::runSafely(llvm::function_ref<void()> Run) {
  [[maybe_unused]] static const bool Enabled = recoverFromCrashes();
  SignalStack Signals;
  llvm::CrashRecoveryContext Recovery;
  return Recovery.RunSafely(Run);
}

std::shared_ptr<CompilerInvocation>
opsig::readingInvocation(const ParseJob &Job, llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files,
                         DiagnosticConsumer &Errors) {
  std::vector<std::string> Command = readingCommand(Job.Command, Job.File, Job.Directory);
  std::vector<const char *> Arguments;
  for (const std::string &Argument : Command)
    Arguments.push_back(Argument.c_str());
  DiagnosticOptions Options;
  CreateInvocationOptions How;
  How.VFS = Files;
  How.RecoverOnError = true;
  How.Diags =
      CompilerInstance::createDiagnostics(*Files, Options, &Errors, /*ShouldOwnClient=*/false);
  std::shared_ptr<CompilerInvocation> Invocation = createInvocation(Arguments, How);
  if (Invocation)
    keepReading(*Invocation);
  return Invocation;
}

static std::string runHere(const ParseJob &Given, const ParseOptions &Options,
                           const ClangRun &Run) {
  if (!Given.Directory.empty())
    Run.Files->setCurrentWorkingDirectory(Given.Directory);
  ParseJob Job = Given;
  // In front, because the file may stand behind "--".
  if (!Options.FallbackHeaders.empty() && !Job.Command.empty())
    Job.Command.insert(Job.Command.begin() + 1, {"-idirafter", FallbackDir.str()});
  auto Manager = llvm::makeIntrusiveRefCnt<FileManager>(FileSystemOptions(), Run.Files);
  ReadingWatch Watch(Job, Run.IsCounted);
  WatchedFactory Factory(Run, Watch);
  bool Safe = runSafely([&] {
    Watch.setInside(true);
    std::shared_ptr<CompilerInvocation> Invocation = readingInvocation(Job, Run.Files, Run.Errors);
    if (Invocation && (!Run.Adjust || Run.Adjust(*Invocation)))
      Factory.runInvocation(std::move(Invocation), Manager.get(),
                            std::make_shared<PCHContainerOperations>(), &Run.Errors);
    Watch.setInside(false);
  });
  Watch.setInside(false);
  if (Safe) {
    Watch.end(Run.IsWhole);
    return "";
  }
  Manager.resetWithoutRelease(); // it may be half of anything
  return Watch.exceeded().empty() ? "Clang crashes on it" : Watch.exceeded();
}

static double threadSeconds() {
  timespec Now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &Now);
  return double(Now.tv_sec) + double(Now.tv_nsec) / 1e9;
}

/// Of those that this thread has waited for.
static thread_local double OfReadingThreads = 0;

double opsig::readingSeconds() { return threadSeconds() + OfReadingThreads; }

void opsig::onReadingThread(const ParseJob &Job, llvm::function_ref<void()> Do) {
  ReadingWatch::startWatching();
  if (!Job.Sandboxed)
    return Do();
  pthread_t Caller = pthread_self();
  double Used = 0;
  runReadOnly([&] {
    Do();
    // Where no thread can be restricted, this is the caller's own.
    if (!pthread_equal(pthread_self(), Caller))
      Used = readingSeconds();
  });
  OfReadingThreads += Used;
}

std::string opsig::runClang(const ParseJob &Job, const ParseOptions &Options, const ClangRun &Run) {
  std::string WhyUnread = whyTooHard(Job);
  if (WhyUnread.empty())
    WhyUnread = ReadingWatch::whyNoTime(Job);
  if (!WhyUnread.empty())
    return WhyUnread;
  onReadingThread(Job, [&] { WhyUnread = runHere(Job, Options, Run); });
  return WhyUnread;
}

void opsig::resolveForReading(CompilerInstance &Compiler) {
  Compiler.getFrontendOpts().SkipFunctionBodies = true;
  Compiler.getDiagnostics().setFatalsAsError(true);
  Compiler.getDiagnostics().setIgnoreAllWarnings(true);
  Compiler.getDiagnosticOpts().ErrorLimit = 0;
  Compiler.getDiagnostics().setErrorLimit(0);
  // A type that Clang guessed for an unknown one would be compared as if it had been written.
  Compiler.getLangOpts().SpellChecking = false;
  // Comments are not looked at.
  Compiler.getLangOpts().CommentOpts.ParseAllComments = false;
}

static void markNamespace(Decl &D) {
  auto *Inner = dyn_cast<DeclContext>(&D);
  if (!Inner || !isa<NamespaceDecl, LinkageSpecDecl>(D))
    return;
  D.setReferenced();
  for (Decl *Part : Inner->noload_decls())
    markNamespace(*Part);
}

void opsig::markNamespaces(DeclGroupRef Group) {
  for (Decl *D : Group)
    markNamespace(*D);
}
