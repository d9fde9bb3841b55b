//===- Git.cpp - What git says of a folder -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Workspace/Git.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Support/RunProgram.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <cstdlib>
#include <set>

namespace opsig {

using Setting = std::pair<std::string, std::string>;

/// What a repository's configuration could start, or make git load without end, is set to nothing.
static std::vector<Setting> harmlessSettings(llvm::ArrayRef<std::string> Filters) {
  std::vector<Setting> Out = {
      {"safe.bareRepository", "explicit"},
      {"core.fsmonitor", "false"},
      {"core.hooksPath", "/dev/null"},
      {"core.pager", "cat"},
      {"core.askPass", ""},
      {"core.sshCommand", "false"},
      {"core.gitProxy", ""},
      {"core.alternateRefsCommand", ""},
      {"core.bigFileThreshold", "64m"},
      {"core.quotePath", "false"},
      {"credential.helper", ""},
      {"protocol.allow", "never"},
      {"submodule.recurse", "false"},
      {"diff.autoRefreshIndex", "false"}, // would write the index
      {"gc.auto", "0"},
      {"maintenance.auto", "false"},
  };
  for (const std::string &Name : Filters)
    for (const char *Part : {"clean", "smudge", "process"})
      Out.push_back({"filter." + Name + "." + Part, ""});
  for (const std::string &Name : Filters)
    Out.push_back({"filter." + Name + ".required", "false"});
  return Out;
}

static std::string valueOf(const std::string &Variable) {
  const char *Value = std::getenv(Variable.c_str());
  return Value ? Value : "";
}

/// The folders that the user says may belong to somebody else, where the environment has them.
static std::vector<Setting> trustedFolders() {
  std::vector<Setting> Out;
  unsigned Count = 0;
  if (llvm::StringRef(valueOf("GIT_CONFIG_COUNT")).getAsInteger(10, Count))
    return Out;
  for (unsigned I = 0; I < std::min(Count, 1000u); ++I) {
    std::string Number = std::to_string(I);
    if (valueOf("GIT_CONFIG_KEY_" + Number) == "safe.directory")
      Out.push_back({"safe.directory", valueOf("GIT_CONFIG_VALUE_" + Number)});
  }
  return Out;
}

/// Of variables for git only those that say where the user's own configuration is, and how far to
/// look for a repository: a hook's are about another command.
static std::vector<std::string> environment(llvm::ArrayRef<std::string> Filters) {
  std::vector<std::string> Out = {"GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1",
                                  "GIT_ALLOW_PROTOCOL=", "GIT_TERMINAL_PROMPT=0", "GIT_PAGER=cat"};
  for (const char *Kept : {"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM",
                           "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM"})
    if (const char *Value = std::getenv(Kept))
      Out.push_back(std::string(Kept) + "=" + Value);
  std::vector<Setting> Settings = trustedFolders();
  llvm::append_range(Settings, harmlessSettings(Filters));
  for (const auto &[I, S] : llvm::enumerate(Settings)) {
    Out.push_back("GIT_CONFIG_KEY_" + std::to_string(I) + "=" + S.first);
    Out.push_back("GIT_CONFIG_VALUE_" + std::to_string(I) + "=" + S.second);
  }
  Out.push_back("GIT_CONFIG_COUNT=" + std::to_string(Settings.size()));
  return Out;
}

/// The first line of what git complains about, and what helps.
static llvm::Error complaint(llvm::StringRef Errors) {
  llvm::StringRef Line = Errors.trim().split('\n').first;
  Line.consume_front("fatal: ");
  if (Line.consume_front("bad revision "))
    return llvm::createStringError("--since: unknown git revision " + Line);
  if (Line.starts_with("not a git repository"))
    return llvm::createStringError("--since needs a git repository, and this folder is not in one");
  std::string Help;
  if (Line.contains("dubious ownership"))
    Help = ("; if you trust the repository, run: git config --global --add safe.directory " +
            Line.split("repository at ").second)
               .str();
  return llvm::createStringError("--since: " + Line + Help);
}

llvm::Expected<std::string> Git::run(llvm::ArrayRef<llvm::StringRef> Words,
                                     std::string Input) const {
  ProgramRun Run;
  Run.Input = std::move(Input);
  Run.Path = Program;
  Run.Arguments = {"-C", Root};
  for (llvm::StringRef Word : Words)
    Run.Arguments.push_back(Word.str());
  Run.Environment = environment(Filters);
  llvm::Expected<ProgramEnd> End = runProgram(Run);
  if (!End)
    return End.takeError();
  if (End->succeeded())
    return std::move(End->Output);
  if (End->Is == ProgramEnd::Exited && !llvm::StringRef(End->Errors).trim().empty())
    return complaint(End->Errors);
  return llvm::createStringError("--since: git " + End->why(Run.Limits));
}

llvm::Error Git::turnFiltersOff() {
  llvm::Expected<std::string> Names = run({"config", "--list", "--name-only", "-z"});
  if (!Names)
    return Names.takeError();
  std::set<std::string> Found;
  for (llvm::StringRef Name : llvm::split(*Names, '\0'))
    if (Name.consume_front_insensitive("filter.") && Name.contains('.'))
      Found.insert(Name.rsplit('.').first.str());
  Filters.assign(Found.begin(), Found.end());
  return llvm::Error::success();
}

/// Not a folder of a tree that only looks like a repository: an old git takes those.
static bool isOwnFolder(llvm::StringRef GitFolder) {
  return llvm::is_contained(llvm::split(GitFolder, '/'), ".git");
}

llvm::Expected<Git> Git::of(llvm::StringRef Folder, llvm::ArrayRef<std::string> Untrusted) {
  std::optional<std::string> Program = findProgram("git", Untrusted);
  if (!Program)
    return llvm::createStringError("--since needs git, which is not in PATH");
  Git There(*Program, absolutePath(Folder));
  llvm::Expected<std::string> Own = There.run({"rev-parse", "--absolute-git-dir"});
  if (!Own)
    return Own.takeError();
  if (!isOwnFolder(llvm::StringRef(*Own).rtrim("\n")))
    return llvm::createStringError("--since: '" + There.Root + "' is not in a git working tree");
  llvm::Expected<std::string> Top = There.run({"rev-parse", "--show-toplevel"});
  if (!Top)
    return Top.takeError();
  There.Root = llvm::StringRef(*Top).drop_back().str();
  if (llvm::Error Err = There.turnFiltersOff())
    return std::move(Err);
  return std::move(There);
}

} // namespace opsig
