//===- Plugin.cpp - the check inside an ordinary compile --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang++ -fplugin=OpsigPlugin.so [-fplugin-arg-opsig-NAME=VALUE]
//   => findings as diagnostics of the compiler
//
// Findings of level error fail the compile, as an error of Clang does, and with -Werror all do.
// What keeps opsig from checking (schemas that are not found) is a warning in any case.
//
//===----------------------------------------------------------------------===//
#include "opsig/Support/SafeText.h"
#include "opsig/Tidy/AstCheck.h"
#include "opsig/Tidy/HostVersion.h"
#include "opsig/Tidy/ParseWatch.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/ScopeExit.h"

using namespace opsig;
using namespace clang;

namespace {

struct PluginOptions {
  SchemaSettings Schemas;
  bool OnlyWarnings = false;
};

class PluginConsumer : public ASTConsumer {
public:
  PluginConsumer(CompilerInstance &Compiler, const PluginOptions &Options)
      : Engine(Compiler.getDiagnostics()), Options(Options) {
    Preprocessor &PP = Compiler.getPreprocessor();
    Watch.emplace(PP, [this, &PP] { return missingFlags(PP); });
  }

  void HandleTranslationUnit(ASTContext &Context) override;

private:
  /// What to compile with where PyTorch's headers are not found; a compiler's flags are not ours to
  /// change.
  std::string missingFlags(Preprocessor &PP) const;
  void reportUnusable(const CheckedSchemas &Schemas, SourceManager &SM);
  void report(const opsig::Finding &D, HostPlaces &Places);
  /// The text is an argument: it may hold what the engine takes for a place of one.
  template <unsigned N>
  DiagnosticBuilder say(DiagnosticsEngine::Level Level, SourceLocation At,
                        const char (&Format)[N]) {
    return Engine.Report(At, Engine.getCustomDiagID(Level, Format));
  }

  DiagnosticsEngine &Engine;
  PluginOptions Options;
  std::optional<ParseWatch> Watch;
};

void PluginConsumer::HandleTranslationUnit(ASTContext &Context) {
  Watch->stop();
  llvm::scope_exit EndWatch([this] { Watch.reset(); });
  SourceManager &SM = Context.getSourceManager();
  std::string Folder = mainFileFolder(SM);
  if (Folder.empty() || !mentionsTorch(Context))
    return;
  SchemaCache Cache; // a compiler checks one file
  SchemasOfFile Of = Cache.get(Options.Schemas, Folder, Watch->errors().TorchFolders);
  if (!Engine.getIgnoreAllWarnings())
    for (const std::string &Warning : Of.Warnings)
      say(DiagnosticsEngine::Warning, SourceLocation(), "opsig: %0") << Warning;
  if (!Of.Schemas->Checker)
    return reportUnusable(*Of.Schemas, SM);
  if (!Engine.getIgnoreAllWarnings())
    for (const std::string &Warning : Of.Schemas->Schemas->Warnings)
      say(DiagnosticsEngine::Warning, SourceLocation(), "opsig: %0") << Warning;
  AstFindings Hits(*Of.Schemas);
  checkAst(Context, Watch->errors(), Of, Hits);
  HostPlaces Places(SM, Hits.Files);
  for (const opsig::Finding &D : withFixesOnce(Hits.Diags.all()))
    report(D, Places);
}

std::string PluginConsumer::missingFlags(Preprocessor &PP) const {
  std::vector<std::string> Searched;
  for (const DirectoryLookup &Folder : PP.getHeaderSearchInfo().search_dir_range())
    Searched.push_back(Folder.getName().str());
  SourceFiles Files;
  opsig::Findings Diags; // told at the end of the file
  std::string Folder = mainFileFolder(PP.getSourceManager());
  llvm::Expected<ProjectConfig> Config = nearestProjectConfig(Folder, Files, Diags);
  std::optional<TorchHeaders> Headers = findTorchHeaders(Searched);
  llvm::Expected<SchemaSource> Source =
      Config ? findSchemas(Options.Schemas, std::move(*Config), Headers) : Config.takeError();
  if (!Source) {
    llvm::consumeError(Source.takeError());
    return "";
  }
  std::string Flags;
  for (const std::string &Missing : missingHeaderFolders(*Source, Headers))
    Flags += " -isystem " + Missing;
  if (Flags.empty())
    return "";
  return "PyTorch's headers are not in the include path; to use those of PyTorch " +
         Source->Version.Text + ", add" + Flags;
}

void PluginConsumer::report(const opsig::Finding &D, HostPlaces &Places) {
  // Clang's own treatment of -Werror and -w leaves out warnings that are not its own.
  bool IsError = D.Severity == Level::Error && !Options.OnlyWarnings;
  if (!IsError && Engine.getIgnoreAllWarnings())
    return;
  IsError |= Engine.getWarningsAsErrors();
  say(IsError ? DiagnosticsEngine::Error : DiagnosticsEngine::Warning, Places.location(D.At),
      "%0 [opsig-%1]")
      << safeText(D.Message) << findingName(D.Id) << Places.range(D.At) << Places.fixIts(D.Fixes);
  for (const Note &N : D.Notes)
    say(DiagnosticsEngine::Note, Places.location(N.At), "%0") << safeText(N.Message);
}

void PluginConsumer::reportUnusable(const CheckedSchemas &Schemas, SourceManager &SM) {
  bool InConfig = !Schemas.ConfigDiags.empty();
  if (InConfig || Schemas.Schemas) {
    HostPlaces Places(SM, InConfig ? Schemas.ConfigFiles : Schemas.Schemas->Files);
    for (const opsig::Finding &D : (InConfig ? Schemas.ConfigDiags : Schemas.Schemas->Diags).all())
      report(D, Places);
    return;
  }
  if (!Engine.getIgnoreAllWarnings())
    say(DiagnosticsEngine::Warning, SourceLocation(), "opsig checks nothing: %0")
        << Schemas.Failure;
}

class PluginAction : public PluginASTAction {
public:
  ActionType getActionType() override { return AddBeforeMainAction; }

  bool ParseArgs(const CompilerInstance &Compiler, const std::vector<std::string> &Args) override;

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &Compiler, StringRef) override {
    if (!Compiler.getLangOpts().CPlusPlus)
      return std::make_unique<ASTConsumer>();
    return std::make_unique<PluginConsumer>(Compiler, Options);
  }

private:
  /// Whether there is an option of this name that takes \p Value.
  bool take(StringRef Name, StringRef Value);

  PluginOptions Options;
};

/// "-fplugin-arg-opsig-torch=VERSION".
std::string spellOption(StringRef Name, StringRef Value) {
  return ("-fplugin-arg-opsig-" + Name + (Value.empty() ? "" : "=") + Value).str();
}

bool PluginAction::take(StringRef Name, StringRef Value) {
  SchemaSettings &Schemas = Options.Schemas;
  if (Name == "torch-root")
    Schemas.TorchRoot = Value;
  else if (Name == "torch")
    Schemas.Torch = Value;
  else if (Name == "schemas")
    Schemas.NativeFunctions = Value;
  else if (Name == "tags")
    Schemas.Tags = Value;
  else if (Name == "backend")
    Schemas.Backends.push_back(Value.str());
  else if (Name == "level" && (Value == "warning" || Value == "error"))
    Options.OnlyWarnings = Value == "warning";
  else
    return false;
  return true;
}

bool PluginAction::ParseArgs(const CompilerInstance &Compiler,
                             const std::vector<std::string> &Args) {
  DiagnosticsEngine &Engine = Compiler.getDiagnostics();
  Options.Schemas.Spell = spellOption;
  for (const std::string &Arg : Args) {
    auto [Name, Value] = StringRef(Arg).split('=');
    if (take(Name, Value))
      continue;
    Engine.Report(Engine.getCustomDiagID(
        DiagnosticsEngine::Error, "unknown argument '-fplugin-arg-opsig-%0'; expected torch-root=, "
                                  "torch=, schemas=, tags=, backend= or level=warning|error"))
        << Arg;
    return false;
  }
  return true;
}

/// Registers the action only in a compiler that it can work in.
struct Registration {
  Registration() {
    if (hostIsUsable("OpsigPlugin"))
      Entry.emplace("opsig", "Checks PyTorch kernels against their operator schemas");
  }
  std::optional<FrontendPluginRegistry::Add<PluginAction>> Entry;
};
Registration TheRegistration;

} // namespace
