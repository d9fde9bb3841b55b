//===- MacroCompat.cpp - an invocation that only reads -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An invocation of Clang may write objects, dependencies, diagnostics and module caches, and load
// plugins, modules, precompiled headers and profiles. A new one takes over what decides how the
// source is read, member by member: what a command has found a way to say elsewhere is gone.
//
//===----------------------------------------------------------------------===//
#include "Parse/ParseInternal.h"

#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include <csignal>
#include <cstdio>
#include <cstdlib>

using namespace opsig;
using namespace clang;

static void keepLanguage(const LangOptions &From, LangOptions &To) {
  To = From;
  // Files that are opened for what code is made of.
  for (std::vector<std::string> *Names :
       {&To.NoSanitizeFiles, &To.ProfileListFiles, &To.XRayAlwaysInstrumentFiles,
        &To.XRayNeverInstrumentFiles, &To.XRayAttrListFiles})
    Names->clear();
  To.OMPTargetTriples.clear();
  To.OMPHostIRFile.clear();
  // Modules are compiled into a cache. As text the headers say the same.
  To.Modules = false;
  To.ImplicitModules = false;
}

static void keepMessages(const DiagnosticOptions &From, DiagnosticOptions &To) {
  To = From;
  To.DiagnosticLogFile.clear();
  To.DiagnosticSerializationFile.clear();
  To.DiagnosticSuppressionMappingsFile.clear();
  To.VerifyDiagnostics = false;
}

static void keepHeaders(const HeaderSearchOptions &From, HeaderSearchOptions &To) {
  To.Sysroot = From.Sysroot;
  To.UserEntries = From.UserEntries;
  To.SystemHeaderPrefixes = From.SystemHeaderPrefixes;
  To.ResourceDir = From.ResourceDir;
  To.UseBuiltinIncludes = From.UseBuiltinIncludes;
  To.UseStandardSystemIncludes = From.UseStandardSystemIncludes;
  To.UseStandardCXXIncludes = From.UseStandardCXXIncludes;
  To.UseLibcxx = From.UseLibcxx;
  To.ImplicitModuleMaps = false;
}

static void keepText(const PreprocessorOptions &From, PreprocessorOptions &To) {
  To.Macros = From.Macros;
  To.Includes = From.Includes;
  To.MacroIncludes = From.MacroIncludes;
  To.EmbedEntries = From.EmbedEntries;
  To.UsePredefines = From.UsePredefines;
  To.DefineTargetOSMacros = From.DefineTargetOSMacros;
  To.ObjCXXARCStandardLibrary = From.ObjCXXARCStandardLibrary;
}

static void keepInput(const FrontendOptions &From, FrontendOptions &To) {
  To.Inputs = From.Inputs;
  To.DashX = From.DashX;
  To.AuxTriple = From.AuxTriple;
  To.AuxTargetCPU = From.AuxTargetCPU;
  To.AuxTargetFeatures = From.AuxTargetFeatures;
  To.ProgramAction = frontend::ParseSyntaxOnly;
  To.DisableFree = false;
  To.UseGlobalModuleIndex = false;
  To.GenerateGlobalModuleIndex = false;
}

/// For __OPTIMIZE__ and __OPTIMIZE_SIZE__, the only macros that are made of them.
static void keepOptimization(const CodeGenOptions &From, CodeGenOptions &To) {
  To.OptimizationLevel = From.OptimizationLevel;
  To.OptimizeSize = From.OptimizeSize;
}

void opsig::keepReading(CompilerInvocation &Invocation) {
  CompilerInvocation Kept;
  keepLanguage(Invocation.getLangOpts(), Kept.getLangOpts());
  Kept.getTargetOpts() = Invocation.getTargetOpts();
  keepMessages(Invocation.getDiagnosticOpts(), Kept.getDiagnosticOpts());
  keepHeaders(Invocation.getHeaderSearchOpts(), Kept.getHeaderSearchOpts());
  keepText(Invocation.getPreprocessorOpts(), Kept.getPreprocessorOpts());
  keepOptimization(Invocation.getCodeGenOpts(), Kept.getCodeGenOpts());
  keepInput(Invocation.getFrontendOpts(), Kept.getFrontendOpts());
  // Pragmas that end a compiler, or let it run on, to test what it does then.
  Kept.getPreprocessorOpts().DisablePragmaDebugCrash = true;
  Invocation = Kept;
}

/// Where LLVM gives up, or gets no memory, it would end the program; this ends the reading.
static void endReading(void *, const char *Why, bool) {
  if (!llvm::CrashRecoveryContext::GetCurrent())
    std::fprintf(stderr, "opsig: error: %s\n", Why);
  std::abort();
}

bool opsig::recoverFromCrashes() {
  llvm::CrashRecoveryContext::Enable();
  llvm::install_fatal_error_handler(endReading);
  llvm::install_bad_alloc_error_handler(endReading);
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
