//===- ParseWatch.cpp - Looks on while another program parses ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Tidy/ParseWatch.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticFrontend.h"
#include "clang/Basic/DiagnosticLex.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

using namespace opsig;
using namespace clang;
// Not to be confused with the ids of opsig.
namespace clang_diag = clang::diag;

namespace {

/// What happens at the first header that is missing.
struct LostHeader {
  bool Lost = false;
  bool Told = false;
  bool IsTelling = false;
  ParseWatch::Advice OnMissing;

  /// Only files that look as if they had kernels are spoken about.
  void tell(Preprocessor &PP, SourceLocation At, StringRef Name) {
    const SourceManager &SM = PP.getSourceManager();
    StringRef Text = SM.getBufferData(SM.getMainFileID());
    if (!Told && (Text.contains("at::") || Text.contains("ATen") || Text.contains("torch"))) {
      IsTelling = true;
      // One of Clang's own: clang-tidy knows no others that come from the engine of the parse.
      PP.getDiagnostics().Report(At, clang_diag::note_fe_backend_plugin)
          << "opsig does not compare the kernels that need this header";
      advise(PP, Name);
      IsTelling = false;
    }
    Told = true;
  }

private:
  void advise(Preprocessor &PP, StringRef Name) {
    if (!OnMissing || !isTorchHeaderName(Name))
      return;
    DiagnosticsEngine &Engine = PP.getDiagnostics();
    if (std::string Text = OnMissing(); !Text.empty())
      Engine.Report(Engine.getCustomDiagID(DiagnosticsEngine::Warning, "opsig: %0")) << Text;
  }
};

/// Hands on to the host's own consumer what it would have got: nothing after a missing header, and
/// errors up to its limit.
class Listening : public DiagnosticConsumer {
public:
  Listening(DiagnosticConsumer &Host, unsigned Limit, LostHeader &Header, ParseErrors &Errors)
      : Host(Host), Limit(Limit), Header(Header), Errors(Errors) {}

  void HandleDiagnostic(DiagnosticsEngine::Level Level, const clang::Diagnostic &Info) override {
    if (Level >= DiagnosticsEngine::Error)
      Errors.add(Info);
    DiagnosticConsumer::HandleDiagnostic(Level, Info); // counts
    bool IsLost = Info.getID() == clang_diag::err_pp_file_not_found;
    if (Header.Lost ? Header.IsTelling : !overLimit())
      Host.HandleDiagnostic(IsLost ? DiagnosticsEngine::Fatal : Level, Info);
    Header.Lost |= IsLost;
  }
  bool overLimit() const { return Limit && getNumErrors() > Limit; }
  void BeginSourceFile(const LangOptions &Options, const Preprocessor *PP) override {
    Host.BeginSourceFile(Options, PP);
  }
  void EndSourceFile() override { Host.EndSourceFile(); }
  void finish() override { Host.finish(); }
  bool IncludeInDiagnosticCounts() const override { return Host.IncludeInDiagnosticCounts(); }

private:
  DiagnosticConsumer &Host;
  unsigned Limit;
  LostHeader &Header;
  ParseErrors &Errors;
};

/// clangd replays the includes of its preamble, which it parsed some time before.
class Includes : public PPCallbacks {
public:
  Includes(Preprocessor &PP, std::shared_ptr<ParseErrors> Errors,
           std::shared_ptr<LostHeader> Header)
      : PP(PP), Errors(std::move(Errors)), Header(std::move(Header)) {}

  void InclusionDirective(SourceLocation, const Token &, StringRef Name, bool,
                          CharSourceRange NameAt, OptionalFileEntryRef File, StringRef, StringRef,
                          const Module *, bool, SrcMgr::CharacteristicKind) override {
    if (File)
      return Errors->addInclude(Name, *File, PP.getFileManager());
    Errors->addMissingHeader(Name);
    Header->tell(PP, NameAt.getBegin(), Name);
  }

private:
  Preprocessor &PP;
  std::shared_ptr<ParseErrors> Errors;
  std::shared_ptr<LostHeader> Header;
};

} // namespace

struct ParseWatch::State {
  State(Preprocessor &PP, Advice OnMissing)
      : Engine(&PP.getDiagnostics()), Errors(std::make_shared<ParseErrors>()),
        Header(std::make_shared<LostHeader>()), Limit(Engine->getDiagnosticOptions().ErrorLimit),
        Host(Engine->getClient()), OwnedHost(Engine->takeClient()),
        Listener(*Host, Limit, *Header, *Errors) {
    Header->OnMissing = std::move(OnMissing);
  }

  llvm::IntrusiveRefCntPtr<DiagnosticsEngine> Engine;
  // Also the preprocessor's callbacks have these.
  std::shared_ptr<ParseErrors> Errors;
  std::shared_ptr<LostHeader> Header;
  unsigned Limit;
  DiagnosticConsumer *Host;
  std::unique_ptr<DiagnosticConsumer> OwnedHost; ///< null: somebody else owns it
  Listening Listener;
};

ParseWatch::ParseWatch(Preprocessor &PP, Advice OnMissing)
    : TheState(std::make_unique<State>(PP, std::move(OnMissing))) {
  TheState->Engine->setClient(&TheState->Listener, /*ShouldOwnClient=*/false);
  TheState->Engine->setErrorLimit(0);
  TheState->Engine->setSeverity(clang_diag::err_pp_file_not_found, clang_diag::Severity::Error,
                                SourceLocation());
  PP.addPPCallbacks(std::make_unique<Includes>(PP, TheState->Errors, TheState->Header));
}

const ParseErrors &ParseWatch::errors() const { return *TheState->Errors; }

void ParseWatch::stop() {
  DiagnosticsEngine &Engine = *TheState->Engine;
  // The host may have put another one in our place, which still needs what it found there.
  if (Engine.getClient() != &TheState->Listener)
    return;
  bool Owned = TheState->OwnedHost != nullptr;
  TheState->OwnedHost.release();
  Engine.setClient(TheState->Host, Owned);
}

ParseWatch::~ParseWatch() {
  stop();
  TheState->Engine->setErrorLimit(TheState->Limit);
  if (TheState->Listener.overLimit())
    TheState->Engine->Report(clang_diag::fatal_too_many_errors);
}
