//===- Config.cpp - opsig config --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// options x .opsig.yaml x environment, as `opsig check FILE` would have them => each setting, and
//   where it comes from
//
//===----------------------------------------------------------------------===//
#include "SchemaInput.h"
#include "Subcommands.h"
#include "Terminal.h"
#include "check/CheckSetup.h"
#include "check/CompileDbLocator.h"
#include "opsig/Operators/Pyproject.h"
#include "opsig/Support/JsonText.h"
#include "opsig/Support/SafeText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

namespace cl = llvm::cl;

namespace opsig {

namespace {

struct Setting {
  llvm::StringRef Name;
  std::string Value; ///< "" where there is none
  std::string From;
};

class ConfigCommand : public Subcommand {
public:
  llvm::StringRef words() const override { return "config"; }
  llvm::StringRef operands() const override { return "[FILE [-- FLAGS]]"; }
  cl::SubCommand &parser() override { return Sub; }
  Choices choices() override {
    return {{"format", &Format.getParser()}, {"scope", &Options.Of.getParser()}};
  }
  int run(const std::vector<std::string> &AfterDashes) override {
    return statusOf(show(AfterDashes));
  }

private:
  llvm::Expected<int> show(const std::vector<std::string> &Flags);
  std::vector<Setting> schemaSettings(const SchemaSource &Source) const;
  std::vector<Setting> checkSettings(const CheckSetup &Setup,
                                     const std::vector<std::string> &Flags) const;
  void print(llvm::ArrayRef<Setting> Settings) const;

  cl::SubCommand Sub{"config",
                     "Print the settings in effect for a file, and where each comes from"};
  SchemaOptions Schema{Sub};
  CheckOptions Options{Sub};
  cl::opt<std::string> File{cl::Positional, cl::sub(Sub), cl::desc("[FILE [-- FLAGS]]")};
  cl::opt<OutputFormat> Format{
      "format", cl::sub(Sub), cl::desc("Choose the output format"), cl::init(OutputFormat::Text),
      cl::values(clEnumValN(OutputFormat::Text, "text", "Human-readable text"),
                 clEnumValN(OutputFormat::Json, "json", "One JSON object per line"))};
};

/// Who said it: the command line, else the project's file, else nobody, which \p Otherwise names.
std::string origin(llvm::StringRef Option, bool Given, const ProjectConfig &Project,
                   bool Configured, llvm::StringRef Otherwise) {
  if (Given && Configured)
    return (Project.File + ", " + Option).str();
  return Given ? Option.str() : Configured ? Project.File : Otherwise.str();
}

/// "f(op_name, ...) of vllm, CUDA", each with what differs from call to call in its parentheses.
std::string registrarsText(llvm::ArrayRef<PythonRegistrar> Registrars) {
  std::vector<std::string> Out;
  for (const PythonRegistrar &R : Registrars) {
    std::vector<std::string> Own = R.Parameters;
    if (Own.empty())
      Own = {R.Name, R.Kernel, R.MutatesArgs, R.Fake, R.Library, R.Key};
    std::string Text = R.Function + "(" + llvm::join(Own, ", ") + ")";
    if (!R.Namespace.empty())
      Text += " of " + R.Namespace;
    if (!R.DefaultKey.empty())
      Text += " for " + R.DefaultKey;
    Out.push_back(std::move(Text));
  }
  return llvm::join(Out, "; ");
}

std::vector<Setting> ConfigCommand::schemaSettings(const SchemaSource &Source) const {
  const ProjectConfig &Project = Source.Project;
  std::string OfRoot = Source.TorchRoot.empty() ? "" : "the torch root";
  auto From = [&](const cl::opt<std::string> &Option, const std::string &Configured,
                  llvm::StringRef Otherwise) {
    bool Given = Option.getNumOccurrences() != 0;
    return origin(("--" + Option.ArgStr).str(), Given, Project, !Given && !Configured.empty(),
                  Otherwise);
  };
  std::string Standing =
      Source.D->Name.str() + (Source.IsVerified ? ", verified" : ", not verified");
  return {
      {llvm::sys::path::filename(Project.File) == PyprojectName ? PyprojectName : ".opsig.yaml",
       Project.File, ""},
      {"torch-root", Source.TorchRoot, Source.RootFrom},
      {"torch", Source.Version.Text + " (rules of PyTorch " + Standing + ")",
       From(Schema.Torch, Project.Torch, OfRoot)},
      {"schemas", Source.NativeFunctions, From(Schema.Schemas, Project.Schemas, OfRoot)},
      {"tags", Source.Tags, From(Schema.Tags, Project.Tags, OfRoot)},
      {"backend", llvm::join(Source.Backends, ", "),
       Schema.Backends.empty() ? (Source.Backends.empty() ? "" : Project.File) : "--backend"},
  };
}

/// The defaults, then what the project says, then the command line.
static std::string shownChecks(llvm::StringRef OfProject, llvm::StringRef Given) {
  std::string Out = DefaultChecks.str();
  for (llvm::StringRef More : {OfProject, Given})
    if (!More.empty())
      Out += ("," + More).str();
  return Out;
}

std::vector<Setting> ConfigCommand::checkSettings(const CheckSetup &Setup,
                                                  const std::vector<std::string> &Flags) const {
  const ProjectConfig &Project = Setup.Source.Project;
  const CompileSettings &Compile = Setup.Settings.Compile;
  auto Joined = [](std::vector<std::string> Of, llvm::ArrayRef<std::string> More) {
    llvm::append_range(Of, More);
    return llvm::join(Of, ", ");
  };
  auto Of = [](const cl::list<std::string> &List) {
    return std::vector<std::string>(List.begin(), List.end());
  };
  auto Both = [&](llvm::StringRef Name, bool Given, bool Configured,
                  llvm::StringRef Otherwise = "") {
    return origin(("--" + Name).str(), Given, Project, Configured, Otherwise);
  };
  bool OwnBaseline = !Options.Baseline.empty(), OwnScope = Options.Of.getNumOccurrences();
  bool OwnBuild = !Options.BuildDir.empty(), OwnFlags = !Flags.empty();
  // A check of FILEs has looked for compile commands; without FILE it is asked what one would find.
  std::string BuildDir = Compile.BuildDir;
  if (!Compile.givesFlags() && File.empty())
    BuildDir = findBuild({}, llvm::nulls());
  return {
      {"checks", shownChecks(Project.Checks, Options.Checks),
       Both("checks", !Options.Checks.empty(), !Project.Checks.empty(), "default")},
      {"levels", Joined(Project.Levels, Of(Options.Levels)),
       Both("level", !Options.Levels.empty(), !Project.Levels.empty())},
      {"suppress-paths", Joined(Project.SuppressPaths, Of(Options.SuppressPaths)),
       Both("suppress-path", !Options.SuppressPaths.empty(), !Project.SuppressPaths.empty())},
      {"exclude", Joined(Project.Exclude, Of(Options.Exclude)),
       Both("exclude", !Options.Exclude.empty(), !Project.Exclude.empty())},
      {"baseline", OwnBaseline ? Options.Baseline : Project.Baseline,
       Both("baseline", OwnBaseline, !OwnBaseline && !Project.Baseline.empty())},
      {"scope", Setup.Settings.Of == Scope::Unit ? "unit" : "project",
       Both("scope", OwnScope, !OwnScope && !Project.Scope.empty(), "default")},
      {"variants", llvm::join(Project.Variants, ", "),
       Project.Variants.empty() ? "" : Project.File},
      {"python-registrars", registrarsText(Project.PythonRegistrars),
       Project.PythonRegistrars.empty() ? "" : Project.File},
      {"build", BuildDir,
       BuildDir.empty()         ? ""
       : OwnBuild               ? "-p"
       : !Project.Build.empty() ? Project.File
                                : "found below the project's root"},
      {"flags", llvm::join(Compile.Flags, " "),
       Compile.Flags.empty() ? ""
       : OwnFlags            ? "after --"
                             : Project.File},
  };
}

void ConfigCommand::print(llvm::ArrayRef<Setting> Settings) const {
  for (const Setting &S : Settings) {
    if (Format == OutputFormat::Json) {
      // Scripts know "scope" by its old name.
      llvm::StringRef Name = S.Name == "scope" ? "extent" : S.Name;
      printJsonLine(
          llvm::outs(),
          llvm::json::Object{{"setting", Name}, {"value", utf8(S.Value)}, {"from", utf8(S.From)}});
      continue;
    }
    llvm::outs() << styleOf(llvm::outs()).code(S.Name);
    llvm::outs().indent(S.Name.size() < 15 ? 15 - S.Name.size() : 0)
        << ' ' << (S.Value.empty() ? "-" : safeText(S.Value));
    if (!S.Value.empty() && !S.From.empty())
      llvm::outs() << "  (" << safeText(S.From) << ')';
    llvm::outs() << '\n';
  }
}

llvm::Expected<int> ConfigCommand::show(const std::vector<std::string> &Flags) {
  std::vector<std::string> Inputs;
  if (!File.empty())
    Inputs.push_back(File);
  llvm::Expected<CheckSetup> Setup =
      setUpCheck(Schema, Options, {Inputs, /*AllListed=*/false, Flags}, llvm::errs());
  if (!Setup)
    return Setup.takeError();
  // The settings are as good for a file that is not written yet; its command may not be.
  std::vector<std::string> Problems = Setup->Inputs.Problems;
  if (!File.empty() && !llvm::sys::fs::exists(File) && Problems.empty())
    Problems.push_back("no file '" + File +
                       "'; the settings shown are those that a file of this name would have");
  for (const std::string &Problem : Problems)
    complain(llvm::createStringError(Problem));
  print(schemaSettings(Setup->Source));
  print(checkSettings(*Setup, Flags));
  for (const std::string &Input : Setup->Inputs.Files)
    print({{"command", llvm::join(Setup->Commands.job(Input).Command, " "), Input}});
  return Problems.empty() ? ExitClean : ExitUnusable;
}

} // namespace

std::unique_ptr<Subcommand> makeConfigCommand() { return std::make_unique<ConfigCommand>(); }

} // namespace opsig
