//===- Schemas.cpp - Where schemas come from, and reading them --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReleaseInternal.h"
#include "TorchSearchInternal.h"
#include "opsig/Operators/Pyproject.h"
#include "opsig/Support/LinkGuard.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Support/ReadFile.h"
#include "opsig/Workspace/Schemas.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace opsig {

namespace {

llvm::Error failure(const llvm::Twine &Message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), Message);
}

std::string environment(llvm::StringRef Name) {
  return llvm::sys::Process::GetEnv(Name).value_or("");
}

/// Half a PyTorch: its release is known, its operators are not.
std::optional<TorchRoot> halfRootAt(const std::string &Dir) {
  for (llvm::StringRef Sign : {"torch/version.py", "torchgen/model.py", "version.txt"})
    if (fs::exists(joinedPath(Dir, Sign)))
      return TorchRoot{Dir, joinedPath(Dir, TorchRootLayouts[0]), torchVersionOf(Dir)};
  return std::nullopt;
}

/// Whether this user may not look into \p Dir, or a folder above it.
bool isShut(llvm::StringRef Dir) {
  fs::file_status Status;
  std::error_code Inside = fs::status(joinedPath(Dir, "torch"), Status), Listed;
  fs::directory_iterator Listing(Dir, Listed);
  return Inside == std::errc::permission_denied || Listed == std::errc::permission_denied;
}

/// Why \p Dir, which is named at \p Where, cannot be a root.
llvm::Error noRoot(llvm::StringRef Dir, const std::string &Where, OptionSpelling Spell) {
  std::string Named = "'" + Dir.str() + "'" + Where;
  if (isShut(Dir))
    return failure("cannot look into " + Named + ": Permission denied");
  // A version, also joined with the folder of the settings.
  if (llvm::StringRef Version = path::filename(Dir); !fs::exists(Dir) && parseTorchVersion(Version))
    return failure(Named + " is a version, not a folder; pass the folder of that PyTorch, or " +
                   "select its rules with " + Spell("torch", Version) +
                   " ('torch: " + Version.str() + "' in .opsig.yaml)");
  if (!fs::exists(Dir))
    return failure("no folder " + Named + "; expected one with an installed PyTorch");
  return failure("no PyTorch in " + Named +
                 "; expected the folder that contains 'torch', an environment with PyTorch, or a "
                 "PyTorch source tree");
}

/// The root that a user names, in the order of who has the last word.
llvm::Expected<std::optional<TorchRoot>> namedRoot(const SchemaSettings &Settings,
                                                   const ProjectConfig &Config) {
  std::pair<llvm::StringRef, std::string> Names[] = {
      {"--torch-root", Settings.TorchRoot},
      {Config.File, Config.TorchRoot},
      {"OPSIG_TORCH_ROOT", environment("OPSIG_TORCH_ROOT")}};
  auto Named = llvm::find_if(Names, [](const auto &Name) { return !Name.second.empty(); });
  if (Named == std::end(Names))
    return std::nullopt;
  const std::string &Dir = Named->second;
  std::optional<TorchRoot> Root = torchRootNamed(Dir);
  if (!Root)
    Root = halfRootAt(Dir);
  if (!Root)
    return noRoot(Dir,
                  Named == std::begin(Names)    ? ""
                  : Named->first == Config.File ? " (" + Config.placeOf("torch-root") + ")"
                                                : " (" + Named->first.str() + ")",
                  Settings.Spell);
  Root->From = Named->first.str();
  return Root;
}

/// Without what a builder has put behind them.
llvm::StringRef numbersOf(const TorchVersion &Version) {
  return llvm::StringRef(Version.Text).take_while([](char C) {
    return llvm::isDigit(C) || C == '.';
  });
}

/// The root where nobody named one: the source tree that the user works in; that of the headers;
/// else the first that is installed, and rather one of the headers' release. \p Searched gets a
/// word for each place where nothing was found.
std::optional<TorchRoot> defaultRoot(llvm::StringRef Dir,
                                     const std::optional<TorchHeaders> &Headers,
                                     std::vector<std::string> &Notes,
                                     std::vector<std::string> &Searched) {
  if (std::optional<TorchRoot> Tree = torchTreeAround(Dir)) {
    Tree->From = "the source tree";
    return Tree;
  }
  if (Headers && Headers->Root) {
    TorchRoot Root = *Headers->Root;
    Root.From = "the headers in '" + Headers->Folder + "'";
    return Root;
  }
  std::vector<TorchRoot> Roots = installedTorchRoots(Dir, Notes, Searched);
  if (Roots.empty())
    return std::nullopt;
  if (!Headers || !Headers->Version)
    return std::move(Roots.front());
  auto Same = llvm::find_if(Roots, [&](const TorchRoot &Root) {
    return Root.Version && Root.Version->Release == Headers->Version->Release;
  });
  // Of two releases twoReleases() tells.
  if (Same == Roots.end())
    return std::move(Roots.front());
  // Debian has the two parts of one PyTorch apart, and one of them with an "a0" behind its version.
  if (numbersOf(*Headers->Version) != numbersOf(*Same->Version))
    Notes.push_back("the headers in '" + Headers->Folder + "' (PyTorch " + Headers->Version->Text +
                    ") come without schemas; opsig uses those in '" + Same->Dir + "' (PyTorch " +
                    Same->Version->Text + ")");
  return std::move(*Same);
}

/// Whether \p Root is the source tree of PyTorch that \p Dir is in: its YAML is then the user's own
/// work, and errors in it are errors.
bool isOwnTree(llvm::StringRef Dir, const std::optional<TorchRoot> &Root) {
  return Root && llvm::StringRef(Root->Aten).ends_with(TorchRootLayouts[1]) &&
         isInside(absolutePath(Dir), absolutePath(Root->Dir));
}

/// The tags.yaml in the folder of \p NativeFunctions; "" if there is none.
std::string tagsBeside(llvm::StringRef NativeFunctions) {
  std::string Tags = joinedPath(path::parent_path(NativeFunctions), "tags.yaml");
  return fs::exists(Tags) ? Tags : "";
}

/// Fills in what \p Root has and the user did not name.
void useRoot(const TorchRoot &Root, SchemaSource &Source) {
  if (Source.NativeFunctions.empty())
    Source.NativeFunctions = joinedPath(Root.Aten, "native/native_functions.yaml");
  if (Source.Tags.empty())
    Source.Tags = joinedPath(Root.Aten, "native/tags.yaml");
  if (std::string Templates = joinedPath(Root.Aten, "templates"); fs::exists(Root.Aten))
    Source.Templates = std::move(Templates);
  Source.TorchRoot = Root.Dir;
  Source.RootFrom = Root.From;
}

/// The version of the PyTorch that is there, for schemas that are in files of the user's own.
std::optional<TorchVersion> versionAround(llvm::StringRef Dir,
                                          const std::optional<TorchHeaders> &Headers,
                                          SchemaSource &Source) {
  if (Headers && Headers->Version)
    return Headers->Version;
  std::vector<std::string> Searched;
  if (std::optional<TorchRoot> Root = defaultRoot(Dir, Headers, Source.Notes, Searched);
      Root && Root->Version) {
    Source.TorchRoot = Root->Dir;
    Source.RootFrom = Root->From;
    return Root->Version;
  }
  std::optional<TorchHeaders> System = findTorchHeaders({"/usr/local/include", "/usr/include"});
  return System ? System->Version : std::nullopt;
}

} // namespace

/// The project that a .opsig.yaml in \p Folder is of.
static std::string projectOf(llvm::StringRef Folder) {
  std::string Project = projectAround(Folder);
  return Project.empty() ? Folder.str() : Project;
}

/// Whether \p Path has been reached through \p Project, whatever links lead out of that on the way.
static bool isReachedThrough(llvm::StringRef Path, llvm::StringRef Project) {
  std::string Absolute = absolutePath(Path);
  for (llvm::StringRef At = Absolute; !At.empty(); At = path::parent_path(At)) {
    llvm::SmallString<256> Real;
    if (!fs::real_path(At, Real) && Real == Project)
      return true;
  }
  return false;
}

/// Whether nobody but a project says that the files of \p Source's root are a PyTorch's: its
/// settings, an environment or a source tree that it brings along.
static bool isRootOfProject(const SchemaSettings &Settings, const SchemaSource &Source) {
  if (Source.TorchRoot.empty() || !Settings.TorchRoot.empty())
    return false;
  if (!Source.Project.TorchRoot.empty())
    return Source.TorchRoot == Source.Project.TorchRoot;
  bool IsOfUser = Source.RootFrom == "OPSIG_TORCH_ROOT" || Source.RootFrom == "VIRTUAL_ENV" ||
                  Source.RootFrom == "CONDA_PREFIX";
  return !IsOfUser && isReachedThrough(Source.TorchRoot, projectOf(absolutePath(Settings.Dir)));
}

/// Those files of \p Source that nobody but the project's own settings names, and that are not the
/// project's.
static std::vector<std::string> foreignFiles(const SchemaSettings &Settings,
                                             const SchemaSource &Source) {
  const ProjectConfig &Config = Source.Project;
  std::vector<std::string> Named, Foreign;
  if (Settings.NativeFunctions.empty())
    Named.push_back(Config.Schemas);
  if (Settings.Tags.empty())
    Named.push_back(Config.Tags);
  if (Settings.Backends.empty())
    llvm::append_range(Named, Config.Backends);
  std::string Project = Config.File.empty() ? "" : projectOf(path::parent_path(Config.File));
  for (const std::string &File : Named)
    if (!File.empty() && !isInside(File, Project))
      Foreign.push_back(File);
  // What lies beside a file of schemas, and is named by nobody.
  if (!Source.NativeFunctions.empty() && Source.Tags == tagsBeside(Source.NativeFunctions) &&
      !isInside(Source.Tags, projectOf(path::parent_path(Source.NativeFunctions))) &&
      (!Settings.NativeFunctions.empty() || !Config.Schemas.empty()))
    Foreign.push_back(Source.Tags);
  // A root may be anywhere, but a link in it leads nowhere else.
  if (isRootOfProject(Settings, Source))
    for (const std::string &File : {Source.NativeFunctions, Source.Tags})
      if (!File.empty() && path::is_absolute(File) && !isInside(File, Source.TorchRoot))
        Foreign.push_back(File);
  return Foreign;
}

/// Whether \p File is a pyproject.toml with a table for opsig. One that cannot be read is not.
static bool isPyprojectOfOpsig(const std::string &File, SourceFiles &Files) {
  if (!fs::exists(File))
    return false;
  llvm::Expected<SourceId> Id = Files.open(File);
  if (!Id)
    llvm::consumeError(Id.takeError());
  return Id && hasOpsigTable(Files.text(*Id));
}

/// The one file in \p Folder that holds settings, .opsig.yaml or pyproject.toml; "" if none does.
static llvm::Expected<std::string> settingsOf(llvm::StringRef Folder, SourceFiles &Files) {
  std::string Yaml = joinedPath(Folder, ".opsig.yaml"),
              Pyproject = joinedPath(Folder, PyprojectName);
  bool HasYaml = fs::exists(Yaml), HasPyproject = isPyprojectOfOpsig(Pyproject, Files);
  if (HasYaml && HasPyproject)
    return failure("'" + Yaml + "' and [tool.opsig] in '" + Pyproject +
                   "' both contain settings; move all of them into one of the files");
  return HasYaml ? Yaml : HasPyproject ? Pyproject : "";
}

/// An error if another kind of file than \p Used holds settings for the same project, further up.
static llvm::Error checkOneKind(const std::string &Used, SourceFiles &Files) {
  llvm::StringRef Folder = path::parent_path(Used);
  std::string Project = projectAround(Folder);
  if (Project.empty())
    return llvm::Error::success();
  for (llvm::StringRef At = path::parent_path(Folder); !At.empty() && isInside(At, Project);
       At = path::parent_path(At)) {
    llvm::Expected<std::string> Above = settingsOf(At, Files);
    if (!Above)
      return Above.takeError();
    if (!Above->empty() && path::filename(*Above) != path::filename(Used))
      return failure("'" + Used + "' and '" + *Above +
                     "' both contain settings of the same project; use one kind of settings file "
                     "for the whole project");
  }
  return llvm::Error::success();
}

/// Reads the settings in \p File; those of its own folder.
static llvm::Expected<ProjectConfig> readSettings(const std::string &File, SourceFiles &Files,
                                                  Findings &Diags) {
  llvm::Expected<SourceId> Id = Files.open(File);
  if (!Id)
    return Id.takeError();
  std::string Folder = path::parent_path(File).str();
  Findings Errors;
  ProjectConfig Config = readProjectConfig(*Id, Files, Errors);
  // Builds in sandboxes link to the files of a project. What is wrong is shown with its lines,
  // though, and a link may lead to any file of the user's.
  if (!Errors.empty() && !isInside(File, projectOf(Folder)))
    return failure("'" + File +
                   "' cannot be used: it has errors, and is a link to a file outside the project");
  for (const Finding &D : Errors.all())
    Diags.append(D);
  if (!Errors.empty())
    return failure("'" + File + "' cannot be used");
  Config.File = File;
  for (std::string *Path : Config.paths())
    if (!Path->empty() && path::is_relative(*Path))
      *Path = joinedPath(Folder, *Path);
  return Config;
}

llvm::Expected<ProjectConfig> projectConfigOf(llvm::StringRef Dir, SourceFiles &Files,
                                              Findings &Diags) {
  llvm::Expected<std::string> File = settingsOf(absolutePath(Dir), Files);
  if (!File)
    return File.takeError();
  return File->empty() ? ProjectConfig() : readSettings(*File, Files, Diags);
}

llvm::Expected<ProjectConfig> nearestProjectConfig(llvm::StringRef StartDir, SourceFiles &Files,
                                                   Findings &Diags) {
  std::string Dir = absolutePath(StartDir);
  for (llvm::StringRef At = Dir; !At.empty(); At = path::parent_path(At)) {
    llvm::Expected<std::string> File = settingsOf(At, Files);
    if (!File)
      return File.takeError();
    if (File->empty())
      continue;
    if (llvm::Error Err = checkOneKind(*File, Files))
      return std::move(Err);
    return readSettings(*File, Files, Diags);
  }
  return ProjectConfig();
}

/// Files that options and settings name have to exist; an error says who names them.
static llvm::Error checkFiles(const SchemaSettings &Settings, const ProjectConfig &Config) {
  auto CheckOption = [](const std::string &Path, llvm::StringRef Option) -> llvm::Error {
    if (Path.empty() || (fs::exists(Path) && !fs::is_directory(Path)))
      return llvm::Error::success();
    auto Text = readWholeFile(Path);
    return Text ? llvm::Error::success()
                : failure(Option + ": " + llvm::toString(Text.takeError()));
  };
  auto CheckSetting = [&](const std::string &Path, llvm::StringRef Field) -> llvm::Error {
    if (Path.empty() || fs::exists(Path))
      return llvm::Error::success();
    return failure("no file '" + Path + "' (" + Config.placeOf(Field) + ")");
  };
  auto Check = [&](const std::string &Option, const std::string &Setting, llvm::StringRef Name) {
    return Option.empty() ? CheckSetting(Setting, Name)
                          : CheckOption(Option, Settings.Spell(Name, ""));
  };
  llvm::Error Missing = llvm::joinErrors(Check(Settings.NativeFunctions, Config.Schemas, "schemas"),
                                         Check(Settings.Tags, Config.Tags, "tags"));
  for (const std::string &Backend : Settings.Backends)
    Missing =
        llvm::joinErrors(std::move(Missing), CheckOption(Backend, Settings.Spell("backend", "")));
  if (Settings.Backends.empty())
    for (const std::string &Backend : Config.Backends)
      Missing = llvm::joinErrors(std::move(Missing), CheckSetting(Backend, "backend"));
  return Missing;
}

llvm::Expected<SchemaSource> findSchemas(const SchemaSettings &Settings, ProjectConfig Config,
                                         const std::optional<TorchHeaders> &Headers,
                                         llvm::StringRef AtenDir) {
  auto Choose = [](const std::string &Option, const std::string &Configured) {
    return Option.empty() ? Configured : Option;
  };

  SchemaSource Source;
  Source.Spell = Settings.Spell;
  Source.NativeFunctions = Choose(Settings.NativeFunctions, Config.Schemas);
  Source.Tags = Choose(Settings.Tags, Config.Tags);
  if (!AtenDir.empty()) {
    Source.NativeFunctions =
        Choose(Settings.NativeFunctions, joinedPath(AtenDir, "native/native_functions.yaml"));
    Source.Tags = Choose(Settings.Tags, joinedPath(AtenDir, "native/tags.yaml"));
  }
  Source.Backends = Settings.Backends.empty() ? Config.Backends : Settings.Backends;
  if (llvm::Error Missing = checkFiles(Settings, Config))
    return std::move(Missing);

  if (Source.Tags.empty() && !Source.NativeFunctions.empty())
    Source.Tags = tagsBeside(Source.NativeFunctions);

  bool Complete = !Source.NativeFunctions.empty() && !Source.Tags.empty();
  llvm::Expected<std::optional<TorchRoot>> Named = namedRoot(Settings, Config);
  if (!Named)
    return Named.takeError();
  std::optional<TorchRoot> Root = std::move(*Named);
  std::vector<std::string> Searched;
  if (!Root && !Complete)
    Root = defaultRoot(Settings.Dir, Headers, Source.Notes, Searched);
  if (!Root && !Complete)
    return failure("no PyTorch found (looked in " + llvm::join(Searched, ", ") +
                   "); activate its environment, or pass " +
                   Settings.Spell("torch-root", "\"$(python -c 'import torch, os; "
                                                "print(os.path.dirname(torch.__file__))')\""));
  ReleaseQuestion Question;
  if (Root) {
    useRoot(*Root, Source);
    Question.OfRoot = Root->Version;
  }

  if (!AtenDir.empty()) {
    Source.Templates = joinedPath(AtenDir, "templates");
    if (std::optional<TreeVersion> Above = torchVersionAbove(AtenDir)) {
      Source.TorchRoot = Above->Dir;
      Source.RootFrom = "--source-path";
      Question.OfRoot = Above->Version;
    }
  }

  if (std::string Text = Choose(Settings.Torch, Config.Torch); !Text.empty()) {
    std::string From =
        Settings.Torch.empty() ? Config.placeOf("torch") : Settings.Spell("torch", "");
    Question.Expected = readTorchVersion(Text);
    if (!Question.Expected)
      return failure("invalid PyTorch version '" + Text + "' (" + From +
                     "); expected MAJOR.MINOR, such as " + allDialects().back()->Name.str());
    Question.From = From;
  } else if (!Question.OfRoot && !Root && AtenDir.empty()) {
    Question.Expected = versionAround(Settings.Dir, Headers, Source);
  }
  if (!chooseRelease(Question, Source))
    return failure("unknown PyTorch version; pass " + Source.Spell("torch", "VERSION"));
  Source.IsInstalled = Settings.NativeFunctions.empty() && Config.Schemas.empty() &&
                       Settings.Tags.empty() && Config.Tags.empty() &&
                       !isOwnTree(Settings.Dir, Root);
  if (!Source.IsInstalled && !Source.UnknownRelease.empty())
    Source.Warnings.push_back(Source.UnknownRelease + withoutSetting(Source));
  Source.Project = std::move(Config);
  Source.Foreign = foreignFiles(Settings, Source);
  return Source;
}

llvm::Expected<SchemaSource> findSchemas(const SchemaSettings &Settings, llvm::StringRef StartDir,
                                         SourceFiles &Files, Findings &Diags,
                                         llvm::StringRef AtenDir) {
  llvm::Expected<ProjectConfig> Config = nearestProjectConfig(StartDir, Files, Diags);
  if (!Config)
    return Config.takeError();
  SchemaSettings Here = Settings;
  Here.Dir = StartDir.str();
  return findSchemas(Here, std::move(*Config), std::nullopt, AtenDir);
}

std::string dashedOption(llvm::StringRef Name, llvm::StringRef Value) {
  return ("--" + Name + (Value.empty() ? "" : " ") + Value).str();
}

std::string withoutSetting(const SchemaSource &Source) {
  std::optional<TorchVersion> Own;
  if (Source.NamesRootsRelease)
    Own = torchVersionOf(Source.TorchRoot);
  return Own ? "; remove this setting to use the rules of " + Own->Text : "";
}

std::string twoReleases(const SchemaSource &Source, const TorchHeaders &Headers) {
  if (!Headers.Version || Headers.Version->Release == Source.Version.Release)
    return "";
  // The schemas come from beside these headers, so only a setting can differ from them.
  if (!Source.TorchRoot.empty() && isInside(Headers.Folder, Source.TorchRoot))
    return "the headers in '" + Headers.Folder + "' are from PyTorch " + Headers.Version->Text +
           ", but the settings (" + Source.Spell("torch", "") +
           ", or 'torch' in .opsig.yaml) choose the rules of " + Source.Version.Text +
           "; pass the folder of PyTorch " + Source.Version.Text + " with " +
           Source.Spell("torch-root", "");
  return "the headers in '" + Headers.Folder + "' are from PyTorch " + Headers.Version->Text +
         ", but the schemas in '" + Source.NativeFunctions + "' are from " + Source.Version.Text;
}

std::string warnOfHeaders(const SchemaSource &Source, const TorchHeaders &Headers) {
  bool IsKnown = Source.NamesRootsRelease && isInside(Headers.Folder, Source.TorchRoot);
  return IsKnown ? "" : twoReleases(Source, Headers);
}

std::vector<std::string> missingHeaderFolders(const SchemaSource &Source,
                                              const std::optional<TorchHeaders> &Headers) {
  if (Headers)
    return Headers->MissingApi.empty() ? std::vector<std::string>()
                                       : std::vector{Headers->MissingApi};
  return Source.TorchRoot.empty() ? std::vector<std::string>()
                                  : torchHeaderFolders(Source.TorchRoot);
}

} // namespace opsig
