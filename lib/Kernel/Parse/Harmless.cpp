//===- Harmless.cpp - a compile command that only reads ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The build's commands write objects, dependencies, diagnostics, module caches, and load plugins.
// None of that is a check's to do. The driver acts on some flags while it makes the compiler's
// command; those are taken out before. The others, however they were spelled, are in the
// invocation.
//
//===----------------------------------------------------------------------===//
#include "Parse/ParseInternal.h"

#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include <csignal>

using namespace opsig;
using namespace clang;

namespace {

struct OutputFlag {
  llvm::StringLiteral Name;
  bool TakesNext;  ///< "--name VALUE"
  bool TakesEqual; ///< "--name=VALUE", or the name is only the beginning
};

} // namespace

std::vector<std::string> opsig::withoutOutputs(const std::vector<std::string> &Command) {
  static constexpr OutputFlag Flags[] = {{"-MJ", true, true},
                                         {"-gen-cdb-fragment-path", true, false},
                                         {"--serialize-diagnostics", true, false},
                                         {"-serialize-diagnostics", true, false},
                                         {"-save-temps", false, true},
                                         {"--save-temps", false, true},
                                         {"-save-stats", false, true},
                                         {"--save-stats", false, true},
                                         {"-fproc-stat-report", false, true},
                                         {"-ftime-trace", false, true},
                                         {"-fcrash-diagnostics", false, true},
                                         {"-gen-reproducer", false, true}};
  std::vector<std::string> Out;
  for (size_t I = 0; I < Command.size(); ++I) {
    llvm::StringRef Word = Command[I];
    if (Word == "--") {
      Out.insert(Out.end(), Command.begin() + I, Command.end());
      break;
    }
    const OutputFlag *Flag = llvm::find_if(Flags, [&](const OutputFlag &F) {
      return Word == F.Name || (F.TakesEqual && Word.starts_with(F.Name));
    });
    if (Flag == std::end(Flags))
      Out.push_back(Command[I]);
    else if (Flag->TakesNext && Word == Flag->Name)
      ++I;
  }
  return Out;
}

void opsig::takeOutputs(CompilerInvocation &Invocation) {
  Invocation.getDependencyOutputOpts() = DependencyOutputOptions();
  DiagnosticOptions &Diagnostics = Invocation.getDiagnosticOpts();
  Diagnostics.DiagnosticLogFile.clear();
  Diagnostics.DiagnosticSerializationFile.clear();
  FrontendOptions &Frontend = Invocation.getFrontendOpts();
  for (std::string *File : {&Frontend.OutputFile, &Frontend.StatsFile, &Frontend.TimeTracePath,
                            &Frontend.SymbolGraphOutputDir, &Frontend.ModuleOutputPath,
                            &Frontend.DumpMinimizationHintsPath, &Frontend.ActionName})
    File->clear();
  Frontend.Plugins.clear();
  Frontend.AddPluginActions.clear();
  Frontend.PluginArgs.clear();
  // LLVM's own options are the whole program's.
  Frontend.LLVMArgs.clear();
  Frontend.MLIRArgs.clear();
  Invocation.getPreprocessorOutputOpts() = PreprocessorOutputOptions();
  // Modules are compiled into a cache. As text the headers say the same.
  HeaderSearchOptions &Headers = Invocation.getHeaderSearchOpts();
  if (Headers.ImplicitModuleMaps) {
    Headers.ImplicitModuleMaps = false;
    Headers.ModuleCachePath.clear();
    Invocation.getLangOpts().Modules = false;
    Invocation.getLangOpts().ImplicitModules = false;
  }
}

bool opsig::recoverFromCrashes() {
  llvm::CrashRecoveryContext::Enable();
  // On the stack for signals, which a thread that has one needs when its own is full.
  for (int Signal : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP}) {
    struct sigaction Action;
    if (sigaction(Signal, nullptr, &Action) == 0) {
      Action.sa_flags |= SA_ONSTACK;
      sigaction(Signal, &Action, nullptr);
    }
  }
  return true;
}
