//===- Invocation.cpp - one run of Clang over a file ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Parse/Invocation.h"

#include "opsig/Support/Sandbox.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include <csignal>

using namespace opsig;
using namespace clang;

namespace {

/// Reads, and writes nothing, whatever the command says.
class ReadingInvocation : public tooling::FrontendActionFactory {
public:
  ReadingInvocation(const ClangRun &Run) : Run(Run) {}

  std::unique_ptr<FrontendAction> create() override { return Run.Action(); }

  bool runInvocation(std::shared_ptr<CompilerInvocation> Invocation, FileManager *Files,
                     std::shared_ptr<PCHContainerOperations> Containers,
                     DiagnosticConsumer *Consumer) override {
    takeOutputs(*Invocation);
    if (Run.Adjust && !Run.Adjust(*Invocation))
      return false;
    return FrontendActionFactory::runInvocation(std::move(Invocation), Files, std::move(Containers),
                                                Consumer);
  }

private:
  const ClangRun &Run;
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

bool opsig::runClang(const ParseJob &Job, const ParseOptions &Options, const ClangRun &Run) {
  [[maybe_unused]] static const bool Enabled = recoverFromCrashes();
  if (!Job.Directory.empty())
    Run.Files->setCurrentWorkingDirectory(Job.Directory);
  std::vector<std::string> Command = Job.Command;
  // In front, because the file may stand behind "--".
  if (!Options.FallbackHeaders.empty() && !Command.empty())
    Command.insert(Command.begin() + 1, {"-idirafter", FallbackDir.str()});
  auto Manager = llvm::makeIntrusiveRefCnt<FileManager>(FileSystemOptions(), Run.Files);
  ReadingInvocation Reading(Run);
  tooling::ToolInvocation Invocation(Command, &Reading, Manager.get(),
                                     std::make_shared<PCHContainerOperations>());
  Invocation.setDiagnosticConsumer(&Run.Errors);
  bool Safe = false;
  auto RunSafely = [&] {
    SignalStack Signals;
    llvm::CrashRecoveryContext Recovery;
    Safe = Recovery.RunSafely([&] { Invocation.run(); });
  };
  if (Job.Sandboxed)
    runReadOnly(RunSafely);
  else
    RunSafely();
  return Safe;
}

void opsig::settleForReading(CompilerInstance &Compiler) {
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
