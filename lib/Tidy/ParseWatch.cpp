//===- ParseWatch.cpp - Looks on while another program parses ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Tidy/ParseWatch.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

using namespace opsig;
using namespace clang;
// Not to be confused with the ids of opsig.
namespace clang_diag = clang::diag;

namespace {

/// Hands on to the host's own consumer what it would have got, up to its limit of errors.
class Listening : public DiagnosticConsumer {
public:
  Listening(DiagnosticConsumer &Host, unsigned Limit, ParseErrors &Errors)
      : Host(Host), Limit(Limit), Errors(Errors) {}

  void HandleDiagnostic(DiagnosticsEngine::Level Level, const clang::Diagnostic &Info) override {
    if (Level >= DiagnosticsEngine::Error)
      Errors.add(Info);
    DiagnosticConsumer::HandleDiagnostic(Level, Info); // counts
    if (!overLimit())
      Host.HandleDiagnostic(Level, Info);
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
  ParseErrors &Errors;
};

/// clangd replays the includes of its preamble, which it parsed some time before.
class Includes : public PPCallbacks {
public:
  Includes(std::shared_ptr<ParseErrors> Errors) : Errors(std::move(Errors)) {}

  void InclusionDirective(SourceLocation, const Token &, StringRef Name, bool, CharSourceRange,
                          OptionalFileEntryRef File, StringRef, StringRef, const Module *, bool,
                          SrcMgr::CharacteristicKind) override {
    if (!File)
      Errors->addMissingHeader(Name);
  }

private:
  std::shared_ptr<ParseErrors> Errors;
};

} // namespace

struct ParseWatch::State {
  explicit State(Preprocessor &PP)
      : Engine(&PP.getDiagnostics()), Errors(std::make_shared<ParseErrors>()),
        Limit(Engine->getDiagnosticOptions().ErrorLimit), Host(Engine->getClient()),
        OwnedHost(Engine->takeClient()), Listener(*Host, Limit, *Errors) {}

  llvm::IntrusiveRefCntPtr<DiagnosticsEngine> Engine;
  std::shared_ptr<ParseErrors> Errors; ///< also the preprocessor's callbacks have it
  unsigned Limit;
  DiagnosticConsumer *Host;
  std::unique_ptr<DiagnosticConsumer> OwnedHost; ///< null: somebody else owns it
  Listening Listener;
};

ParseWatch::ParseWatch(Preprocessor &PP) : TheState(std::make_unique<State>(PP)) {
  TheState->Engine->setClient(&TheState->Listener, /*ShouldOwnClient=*/false);
  TheState->Engine->setErrorLimit(0);
  PP.addPPCallbacks(std::make_unique<Includes>(TheState->Errors));
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
