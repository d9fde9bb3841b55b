//===- CheckSettings.cpp - How files are checked ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/CheckSettings.h"
#include "opsig/Frontend/OwnFlags.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Support/ReadFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace cl = llvm::cl;

namespace opsig {

CheckOptions::CheckOptions(cl::SubCommand &Sub)
    : BuildDir("p", cl::sub(Sub), cl::value_desc("BUILD"),
               cl::desc("Read compile_commands.json from this folder")),
      Threads("j", cl::sub(Sub), cl::value_desc("N"), cl::Prefix, cl::init(0),
              cl::desc("Read N files at a time; default: one per processor")),
      Of("scope", cl::sub(Sub), cl::desc("Choose whether FILEs are the whole project"),
         cl::init(Scope::Project),
         cl::values(
             clEnumValN(Scope::Project, "project",
                        "The whole project: report kernels that no file defines (default)"),
             clEnumValN(
                 Scope::Unit, "unit",
                 "A part of the project: do not report kernels that other files may define"))),
      OldScope("extent", cl::aliasopt(Of), cl::Hidden),
      Checks("checks", cl::sub(Sub), cl::value_desc("GLOBS"),
             cl::desc("Enable or disable checks, for example '-*,opsig-kernel-signature', "
                      "in addition to 'checks' in .opsig.yaml")),
      Levels("level", cl::sub(Sub), cl::value_desc("CHECK=LEVEL"),
             cl::desc("Set the level of a check's findings, 'error' or 'warning'; repeatable")),
      SuppressPaths(
          "suppress-path", cl::sub(Sub), cl::value_desc("GLOB"),
          cl::desc("Do not report findings in files that match this pattern; repeatable")),
      Baseline("baseline", cl::sub(Sub), cl::value_desc("FILE"),
               cl::desc("Do not report the findings in FILE, which --write-baseline wrote")),
      NoSandbox("no-sandbox", cl::sub(Sub),
                cl::desc("Read sources without the sandbox, which keeps code in a checkout from "
                         "running or writing anything")),
      Exclude("exclude", cl::sub(Sub), cl::value_desc("PATTERN"),
              cl::desc("Skip files and folders that match PATTERN; repeatable")) {}

namespace {

llvm::Error readChecks(llvm::StringRef Checks, llvm::StringRef Where, CheckGlobs &Into) {
  for (const std::string &Glob : CheckGlobs(Checks).unknown())
    return unknownCheck(Glob, Where);
  Into.append(Checks);
  return llvm::Error::success();
}

llvm::Error readLevels(const std::vector<std::string> &Texts, llvm::StringRef Where,
                       std::vector<LevelRule> &Into) {
  for (const std::string &Text : Texts) {
    llvm::Expected<LevelRule> Rule = parseLevelRule(Text, Where);
    if (!Rule)
      return Rule.takeError();
    Into.push_back(std::move(*Rule));
  }
  return llvm::Error::success();
}

/// \p From: the place in the settings that names it, for a message.
llvm::Error readBaseline(llvm::StringRef File, const std::string &From,
                         std::optional<Baseline> &Into) {
  if (!llvm::sys::fs::exists(File))
    return llvm::createStringError("no baseline '" + File + "'" + From + "; --write-baseline '" +
                                   File + "' creates it");
  auto Text = readWholeFile(File);
  if (!Text)
    return Text.takeError();
  llvm::Expected<Baseline> Read =
      Baseline::read((*Text)->getBuffer(), llvm::sys::path::parent_path(File));
  if (!Read)
    return llvm::createStringError("cannot use the baseline '" + File + "'" + From + ": " +
                                   llvm::toString(Read.takeError()) +
                                   "; --write-baseline writes a new one");
  Into = std::move(*Read);
  return llvm::Error::success();
}

} // namespace

llvm::Expected<CheckSettings> chooseSettings(const CheckOptions &Options,
                                             const std::vector<std::string> &Flags,
                                             const ProjectConfig &Project) {
  CheckSettings S;
  FindingFilter &Filter = S.Filter;
  std::string Where = llvm::sys::path::filename(Project.placeOf("checks")).str();
  if (llvm::Error Err = readChecks(Project.Checks, Where, Filter.Checks))
    return std::move(Err);
  if (llvm::Error Err = readChecks(Options.Checks, "--checks", Filter.Checks))
    return std::move(Err);
  if (llvm::Error Err = readLevels(Project.Levels, Project.placeOf("levels"), Filter.Levels))
    return std::move(Err);
  if (llvm::Error Err =
          readLevels({Options.Levels.begin(), Options.Levels.end()}, "--level", Filter.Levels))
    return std::move(Err);
  for (const std::string &Glob : Project.SuppressPaths)
    Filter.SuppressedPaths.push_back(absolutePath(Glob));
  for (const std::string &Glob : Options.SuppressPaths)
    Filter.SuppressedPaths.push_back(absolutePath(Glob));
  S.Excluded.add(Project.Exclude, llvm::sys::path::parent_path(Project.File));
  S.Excluded.add(std::vector<std::string>(Options.Exclude.begin(), Options.Exclude.end()));
  std::string Known = Options.Baseline.empty() ? Project.Baseline : Options.Baseline;
  if (!Known.empty())
    if (llvm::Error Err = readBaseline(
            Known, Options.Baseline.empty() ? " (" + Project.placeOf("baseline") + ")" : "",
            Filter.Known))
      return std::move(Err);

  // What the command line says of flags goes before all that the project says of them.
  S.Compile = {ownFlags(Flags), buildFolder(Options.BuildDir), Options.Threads};
  if (Flags.empty() && S.Compile.BuildDir.empty()) {
    S.Compile.BuildDir = buildFolder(Project.Build);
    if (!Project.Build.empty())
      S.Compile.BuildFrom = Project.placeOf("build");
    if (Project.Build.empty())
      S.Compile.Flags = Project.Flags;
  }
  S.Of = Options.Of;
  if (!Options.Of.getNumOccurrences() && Project.Scope == "unit")
    S.Of = Scope::Unit;
  S.ScopeStated = Options.Of.getNumOccurrences() || !Project.Scope.empty();
  return S;
}

} // namespace opsig
