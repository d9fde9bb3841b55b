//===- Parse.cpp - runs Clang over a file -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ParseJob => ToolInvocation => top level declarations of the main file, errors, missing headers
//   => collectKernels, resolveNames
//
//===----------------------------------------------------------------------===//
#include "KernelInternal.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace opsig;
using namespace clang;
// Not to be confused with the ids of opsig.
namespace clang_diag = clang::diag;

namespace {

/// Errors of one parse. A mismatch between an out-of-line definition and its class is not among
/// them: that is what a check reports in its own words.
class ErrorCollector : public DiagnosticConsumer {
public:
  ErrorCollector(TranslationUnit &Unit) : Unit(Unit) {}

  void HandleDiagnostic(DiagnosticsEngine::Level Level, const Diagnostic &Info) override {
    if (Level < DiagnosticsEngine::Error || isMismatch(Info.getID()))
      return;
    ++Unit.NumErrors;
    if (Info.hasSourceManager() && Info.getLocation().isValid()) {
      const SourceManager &SM = Info.getSourceManager();
      SourceLocation At = SM.getExpansionLoc(Info.getLocation());
      if (SM.isInMainFile(At))
        InMainFile.push_back({SM.getFileOffset(At), isSyntaxError(Info.getID())});
    }
    if (Unit.FirstError.empty())
      Unit.FirstError = describe(Info);
  }

  std::vector<ClangError> InMainFile;

private:
  static bool isMismatch(unsigned Id) {
    return Id == clang_diag::err_member_decl_does_not_match ||
           Id == clang_diag::err_member_decl_does_not_match_suggest ||
           Id == clang_diag::err_member_def_does_not_match_ret_type ||
           Id == clang_diag::err_ovl_diff_return_type || Id == clang_diag::err_conflicting_types;
  }
  static bool isSyntaxError(unsigned Id) {
    return Id >= clang_diag::DIAG_START_PARSE && Id < clang_diag::DIAG_START_AST;
  }
  static std::string describe(const Diagnostic &Info) {
    SmallString<256> Text;
    if (Info.hasSourceManager() && Info.getLocation().isValid()) {
      const SourceManager &SM = Info.getSourceManager();
      PresumedLoc At = SM.getPresumedLoc(SM.getExpansionLoc(Info.getLocation()));
      if (At.isValid())
        (Twine(At.getFilename()) + ":" + Twine(At.getLine()) + ":" + Twine(At.getColumn()) + ": ")
            .toVector(Text);
    }
    Info.FormatDiagnostic(Text);
    return std::string(Text);
  }

  TranslationUnit &Unit;
};

/// Notes headers that cannot be found and goes on without them: after Clang's own error, which is
/// fatal, alias templates are no longer looked through.
class MissingHeaders : public PPCallbacks {
public:
  MissingHeaders(TranslationUnit &Unit) : Unit(Unit) {}

  bool FileNotFound(StringRef Name) override {
    if (!llvm::is_contained(Unit.MissingHeaders, Name))
      Unit.MissingHeaders.push_back(Name.str());
    return true;
  }

private:
  TranslationUnit &Unit;
};

class KernelConsumer : public ASTConsumer {
public:
  KernelConsumer(const ParseOptions &Options, ErrorCollector &Errors, TranslationUnit &Unit)
      : Options(Options), Errors(Errors), Unit(Unit) {}

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    for (Decl *D : Group) {
      const SourceManager &SM = D->getASTContext().getSourceManager();
      if (SM.isInMainFile(SM.getExpansionLoc(D->getLocation())))
        TopLevel.push_back(D);
    }
    return true;
  }

  void HandleTranslationUnit(ASTContext &Context) override {
    collectKernels(TopLevel, Context, Options.Scopes, Errors.InMainFile, Unit);
    Unit.Names = resolveNames(Context);
    Unit.Parsed = true;
    if (!Unit.complete())
      noteMentions(Context);
  }

private:
  void noteMentions(ASTContext &Context) {
    const SourceManager &SM = Context.getSourceManager();
    Lexer Raw(SM.getMainFileID(), SM.getBufferOrFake(SM.getMainFileID()), SM,
              Context.getLangOpts());
    Token Tok;
    std::string Last;
    for (Raw.LexFromRawLexer(Tok); Tok.isNot(tok::eof); Raw.LexFromRawLexer(Tok)) {
      if (Tok.is(tok::l_paren) && !Last.empty())
        Unit.Mentioned.push_back(Last);
      Last = Tok.is(tok::raw_identifier) ? Tok.getRawIdentifier().str() : "";
    }
    llvm::sort(Unit.Mentioned);
    Unit.Mentioned.erase(llvm::unique(Unit.Mentioned), Unit.Mentioned.end());
  }

  const ParseOptions &Options;
  ErrorCollector &Errors;
  TranslationUnit &Unit;
  std::vector<Decl *> TopLevel;
};

class KernelAction : public ASTFrontendAction {
public:
  KernelAction(const ParseOptions &Options, ErrorCollector &Errors, TranslationUnit &Unit)
      : Options(Options), Errors(Errors), Unit(Unit) {}

private:
  bool PrepareToExecuteAction(CompilerInstance &Compiler) override {
    Compiler.getFrontendOpts().SkipFunctionBodies = true;
    Compiler.getDiagnostics().setFatalsAsError(true);
    Compiler.getDiagnostics().setIgnoreAllWarnings(true);
    Compiler.getDiagnosticOpts().ErrorLimit = 0;
    Compiler.getDiagnostics().setErrorLimit(0);
    // A type that Clang guessed for an unknown one would be compared as if it had been written.
    Compiler.getLangOpts().SpellChecking = false;
    // Comments are not looked at.
    Compiler.getLangOpts().CommentOpts.ParseAllComments = false;
    return true;
  }

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &Compiler, StringRef) override {
    Compiler.getPreprocessor().addPPCallbacks(std::make_unique<MissingHeaders>(Unit));
    return std::make_unique<KernelConsumer>(Options, Errors, Unit);
  }

  const ParseOptions &Options;
  ErrorCollector &Errors;
  TranslationUnit &Unit;
};

} // namespace

TranslationUnit opsig::parseKernels(const ParseJob &Job, const ParseOptions &Options) {
  TranslationUnit Unit;
  Unit.MainFile = Job.File;
  Unit.Files.push_back(Job.File);
  auto Files = makeFileSystem(Options);
  if (!Job.Directory.empty())
    Files->setCurrentWorkingDirectory(Job.Directory);
  std::vector<std::string> Command = Job.Command;
  // In front, because the file may stand behind "--".
  if (!Options.FallbackHeaders.empty() && !Command.empty())
    Command.insert(Command.begin() + 1, {"-idirafter", FallbackDir.str()});
  ErrorCollector Errors(Unit);
  auto Manager = llvm::makeIntrusiveRefCnt<FileManager>(FileSystemOptions(), Files);
  tooling::ToolInvocation Invocation(Command, std::make_unique<KernelAction>(Options, Errors, Unit),
                                     Manager.get());
  Invocation.setDiagnosticConsumer(&Errors);
  Invocation.run();
  if (!Unit.Parsed && Unit.FirstError.empty())
    Unit.FirstError = "the compile command of '" + Job.File + "' cannot be used";
  return Unit;
}

std::vector<TranslationUnit> opsig::parseAll(llvm::ArrayRef<ParseJob> Jobs,
                                             const ParseOptions &Options, unsigned Threads) {
  std::vector<TranslationUnit> Units(Jobs.size());
  llvm::DefaultThreadPool Pool(llvm::hardware_concurrency(Threads));
  for (size_t I = 0; I < Jobs.size(); ++I)
    Pool.async([&, I] { Units[I] = parseKernels(Jobs[I], Options); });
  Pool.wait();
  return Units;
}
