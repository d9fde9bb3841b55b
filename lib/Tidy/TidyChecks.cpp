//===- TidyChecks.cpp - opsig's checks for clang-tidy -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Tidy/TidyChecks.h"
#include "opsig/Report/Selection.h"
#include "opsig/Support/FindingIds.h"
#include "opsig/Support/SafeText.h"
#include "opsig/Tidy/AstCheck.h"
#include "opsig/Tidy/ParseWatch.h"
#include "clang/AST/ASTContext.h"
#include "clang/ASTMatchers/ASTMatchers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "clang-tidy/ClangTidyCheck.h"
#include "clang-tidy/ClangTidyModule.h"

using namespace opsig;
using namespace clang;
using namespace clang::tidy;

std::vector<FindingId> opsig::checksOfOneFile() {
  static constexpr FindingId NeedsProject[] = {finding::MissingKernel, finding::ImplWithoutDef,
                                               finding::DefWithoutKernel, finding::MissingMeta,
                                               finding::CompositeBackendKernel};
  std::vector<FindingId> Ids;
#define OPSIG_ONLY_SOURCE_FINDINGS
#define OPSIG_FINDING(Name, Id, Severity)                                                          \
  if (!llvm::is_contained(NeedsProject, finding::Name))                                            \
    Ids.push_back(finding::Name);
#include "opsig/Support/Findings.def"
  return Ids;
}

namespace {

/// What all checks of a program share.
struct SharedByChecks {
  SchemaCache Cache;
  UnitListener Listener;
};

class OpsigCheck : public ClangTidyCheck {
public:
  OpsigCheck(StringRef Name, ClangTidyContext *Context, std::shared_ptr<SharedByChecks> Shared)
      : ClangTidyCheck(Name, Context), Tidy(*Context), Shared(std::move(Shared)),
        Leads(isFirstEnabled(Name)), Settings(readSettings()) {}

  bool isLanguageVersionSupported(const LangOptions &Options) const override {
    return Options.CPlusPlus;
  }
  void storeOptions(ClangTidyOptions::OptionMap &Options) override;
  void registerPPCallbacks(const SourceManager &, Preprocessor *PP, Preprocessor *) override {
    if (Leads)
      Watch.emplace(*PP);
  }
  void registerMatchers(ast_matchers::MatchFinder *Finder) override {
    if (Leads)
      Finder->addMatcher(ast_matchers::translationUnitDecl(), this);
  }
  void check(const ast_matchers::MatchFinder::MatchResult &Result) override;

private:
  bool isFirstEnabled(StringRef Name) const;
  SchemaSettings readSettings() const;
  void warn(const std::vector<std::string> &Warnings, SourceManager &SM);
  void reportUnusable(const CheckedSchemas &Schemas, SourceManager &SM);
  void reportBadYaml(const Findings &Diags, const SourceFiles &Files, SourceManager &SM);
  void report(const opsig::Finding &D, HostPlaces &Places);
  void note(const std::string &Check, SourceLocation At, StringRef Message) {
    if (At.isValid())
      Tidy.diag(Check, At, "%0", DiagnosticIDs::Note) << safeText(Message);
  }

  void reportListener(UnitFacts Unit, SchemasOfFile Of, SourceManager &SM);

  ClangTidyContext &Tidy;
  std::shared_ptr<SharedByChecks> Shared;
  bool Leads;
  SchemaSettings Settings;
  std::optional<ParseWatch> Watch;
};

bool OpsigCheck::isFirstEnabled(StringRef Name) const {
  for (FindingId Id : checksOfOneFile())
    if (std::string Check = checkName(Id); Tidy.isCheckEnabled(Check))
      return Name == Check;
  return Name == ListeningCheck;
}

/// "opsig.TorchRoot: /opt/venv", as in CheckOptions.
std::string spellOption(StringRef Name, StringRef Value) {
  std::string Out = "opsig.";
  bool IsFirst = true; // of a word
  for (char C : Name) {
    if (C != '-')
      Out += IsFirst ? llvm::toUpper(C) : C;
    IsFirst = C == '-';
  }
  // No shell reads CheckOptions.
  if (Value.consume_front("\"$(") && Value.consume_back(")\""))
    return Out + " with the output of `" + Value.str() + "`";
  return Value.empty() ? Out : Out + ": " + Value.str();
}

SchemaSettings OpsigCheck::readSettings() const {
  // One set of options for all checks: "opsig.Backend", not "opsig-kernel-signature.Backend".
  OptionsView View("opsig", Tidy.getOptions().CheckOptions, &Tidy);
  SchemaSettings Out;
  Out.Spell = spellOption;
  Out.TorchRoot = View.get("TorchRoot", "");
  Out.Torch = View.get("Torch", "");
  Out.NativeFunctions = View.get("Schemas", "");
  Out.Tags = View.get("Tags", "");
  SmallVector<StringRef> Backends;
  View.get("Backend", "").split(Backends, ';', -1, /*KeepEmpty=*/false);
  for (StringRef Backend : Backends)
    Out.Backends.push_back(Backend.trim().str());
  return Out;
}

void OpsigCheck::storeOptions(ClangTidyOptions::OptionMap &Options) {
  Options["opsig.TorchRoot"].Value = Settings.TorchRoot;
  Options["opsig.Torch"].Value = Settings.Torch;
  Options["opsig.Schemas"].Value = Settings.NativeFunctions;
  Options["opsig.Tags"].Value = Settings.Tags;
  Options["opsig.Backend"].Value = llvm::join(Settings.Backends, ";");
}

void OpsigCheck::check(const ast_matchers::MatchFinder::MatchResult &Result) {
  Watch->stop();
  llvm::scope_exit EndWatch([this] { Watch.reset(); });
  ASTContext &Context = *Result.Context;
  SourceManager &SM = Context.getSourceManager();
  std::string Folder = mainFileFolder(SM);
  if (Folder.empty() || !mentionsTorch(Context))
    return;
  SchemasOfFile Of = Shared->Cache.get(Settings, Folder, Watch->errors().TorchFolders);
  warn(Of.Warnings, SM);
  if (!Of.Schemas->Checker)
    return reportUnusable(*Of.Schemas, SM);
  if (!Tidy.areDiagsSelfContained() && !Of.Schemas->Schemas->Warnings.empty() &&
      Of.Schemas->claimReport())
    for (const std::string &Warning : Of.Schemas->Schemas->Warnings)
      Tidy.configurationDiag("opsig: %0") << Warning;
  AstFindings Hits(*Of.Schemas);
  UnitFacts Unit = checkAst(Context, Watch->errors(), Of, Hits);
  if (Shared->Listener && Unit.Parsed)
    reportListener(std::move(Unit), Of, SM);
  HostPlaces Places(SM, Hits.Files);
  std::vector<opsig::Finding> Enabled;
  llvm::copy_if(Hits.Diags.all(), std::back_inserter(Enabled),
                [&](const opsig::Finding &D) { return Tidy.isCheckEnabled(checkName(D.Id)); });
  // In an editor a user picks one finding and mends that.
  if (!Tidy.areDiagsSelfContained())
    Enabled = withFixesOnce(Enabled);
  for (const opsig::Finding &D : Enabled)
    report(D, Places);
}

void OpsigCheck::reportListener(UnitFacts Unit, SchemasOfFile Of, SourceManager &SM) {
  SmallString<256> Path(Unit.MainFile);
  SM.getFileManager().makeAbsolutePath(Path);
  Shared->Listener({std::string(Path), SM.getBufferData(SM.getMainFileID()).str(), std::move(Unit),
                    std::move(Of)});
}

void OpsigCheck::report(const opsig::Finding &D, HostPlaces &Places) {
  std::string Check = checkName(D.Id);
  SourceLocation At = Places.location(D.At);
  if (At.isInvalid())
    return;
  Tidy.diag(Check, At, "%0") << safeText(D.Message) << Places.range(D.At) << Places.fixIts(D.Fixes);
  for (const Note &N : D.Notes)
    note(Check, Places.location(N.At), N.Message);
}

/// An editor shows only what stands in a file.
void OpsigCheck::warn(const std::vector<std::string> &Warnings, SourceManager &SM) {
  for (const std::string &Warning : Warnings) {
    if (Tidy.areDiagsSelfContained())
      diag(SM.getLocForStartOfFile(SM.getMainFileID()), "%0") << Warning;
    else if (Shared->Cache.claim(Warning))
      Tidy.configurationDiag("opsig: %0") << Warning;
  }
}

/// An editor shows the findings of one file at a time, so there each file has to say it.
void OpsigCheck::reportUnusable(const CheckedSchemas &Schemas, SourceManager &SM) {
  if (!Schemas.claimReport() && !Tidy.areDiagsSelfContained())
    return;
  if (!Schemas.ConfigDiags.empty())
    return reportBadYaml(Schemas.ConfigDiags, Schemas.ConfigFiles, SM);
  if (Schemas.Schemas)
    return reportBadYaml(Schemas.Schemas->Diags, Schemas.Schemas->Files, SM);
  // A project that never asked for opsig is left in peace.
  if (!Tidy.areDiagsSelfContained())
    Tidy.configurationDiag("opsig: %0") << Schemas.Failure;
}

/// clang-tidy does not show what stands in files that it was not asked about, except in notes.
void OpsigCheck::reportBadYaml(const Findings &Diags, const SourceFiles &Files, SourceManager &SM) {
  HostPlaces Places(SM, Files);
  SourceLocation Top = SM.getLocForStartOfFile(SM.getMainFileID());
  for (const opsig::Finding &D : Diags.all()) {
    std::string Check = checkName(D.Id);
    Tidy.diag(Check, Top, "%0") << safeText(D.Message);
    note(Check, Places.location(D.At),
         "the error is in this file; opsig checks no code until the error is fixed");
    for (const Note &N : D.Notes)
      note(Check, Places.location(N.At), N.Message);
  }
}

} // namespace

std::vector<std::string> opsig::torchHeaderFlags() {
  SourceFiles Files;
  opsig::Findings Diags; // told when a file is checked
  llvm::Expected<SchemaSource> Source = findSchemas(SchemaSettings(), ".", Files, Diags);
  if (!Source) {
    llvm::consumeError(Source.takeError());
    return {};
  }
  std::vector<std::string> Flags;
  for (const std::string &Folder : missingHeaderFolders(*Source, std::nullopt))
    Flags.insert(Flags.end(), {"-idirafter", Folder});
  return Flags;
}

void opsig::addOpsigChecks(ClangTidyCheckFactories &Factories, UnitListener Listener) {
  auto Shared = std::make_shared<SharedByChecks>();
  Shared->Listener = std::move(Listener);
  auto Make = [Shared](StringRef Name, ClangTidyContext *Context) {
    return std::make_unique<OpsigCheck>(Name, Context, Shared);
  };
  for (FindingId Id : checksOfOneFile())
    Factories.registerCheckFactory(checkName(Id), Make);
  if (Shared->Listener)
    Factories.registerCheckFactory(ListeningCheck, Make);
}
