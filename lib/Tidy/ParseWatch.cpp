//===- ParseWatch.cpp - Looks on while another program parses ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Tidy/ParseWatch.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

using namespace opsig;
using namespace clang;

namespace {

/// Hands everything on to the host's own consumer.
class Listening : public DiagnosticConsumer {
public:
  Listening(DiagnosticConsumer &Host, ParseErrors &Errors) : Host(Host), Errors(Errors) {}

  void HandleDiagnostic(DiagnosticsEngine::Level Level, const clang::Diagnostic &Info) override {
    if (Level >= DiagnosticsEngine::Error)
      Errors.add(Info);
    DiagnosticConsumer::HandleDiagnostic(Level, Info); // counts
    Host.HandleDiagnostic(Level, Info);
  }
  void BeginSourceFile(const LangOptions &Options, const Preprocessor *PP) override {
    Host.BeginSourceFile(Options, PP);
  }
  void EndSourceFile() override { Host.EndSourceFile(); }
  void finish() override { Host.finish(); }
  bool IncludeInDiagnosticCounts() const override { return Host.IncludeInDiagnosticCounts(); }

private:
  DiagnosticConsumer &Host;
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

ParseWatch::ParseWatch(Preprocessor &PP)
    : Engine(&PP.getDiagnostics()), Errors(std::make_shared<ParseErrors>()),
      Host(Engine->getClient()), OwnedHost(Engine->takeClient()),
      Listener(std::make_unique<Listening>(*Host, *Errors)) {
  Engine->setClient(Listener.get(), /*ShouldOwnClient=*/false);
  PP.addPPCallbacks(std::make_unique<Includes>(Errors));
}

void ParseWatch::stop() {
  // The host may have put another one in our place, which still needs what it found there.
  if (Engine->getClient() != Listener.get())
    return;
  bool Owned = OwnedHost != nullptr;
  OwnedHost.release();
  Engine->setClient(Host, Owned);
}

ParseWatch::~ParseWatch() { stop(); }
