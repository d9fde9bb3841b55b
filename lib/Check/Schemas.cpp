//===- Schemas.cpp - Where schemas come from, and reading them --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReleaseInternal.h"
#include "opsig/Check/Schemas.h"
#include "opsig/Support/PathGlob.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace opsig {

/// Where Debian's python3-torch has torch and torchgen.
static constexpr llvm::StringLiteral DistributionRoot = "/usr/lib/python3/dist-packages";

namespace {

std::string joined(llvm::StringRef Root, llvm::StringRef Tail) {
  llvm::SmallString<128> Path(Root);
  path::append(Path, Tail);
  return Path.str().str();
}

llvm::Error failure(const llvm::Twine &Message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), Message);
}

/// The version a torch root says it has: `__version__ = '...'` in torch/version.py, or version.txt.
std::optional<llvm::VersionTuple> versionOf(llvm::StringRef Root) {
  if (auto Text = llvm::MemoryBuffer::getFile(joined(Root, "version.txt")))
    return parseTorchVersion((*Text)->getBuffer());
  auto Python = llvm::MemoryBuffer::getFile(joined(Root, "torch/version.py"));
  if (!Python)
    return std::nullopt;
  llvm::StringRef Text = (*Python)->getBuffer();
  size_t At = Text.find("\n__version__ =");
  if (At == llvm::StringRef::npos && !Text.starts_with("__version__ ="))
    return std::nullopt;
  Text = Text.drop_front(At == llvm::StringRef::npos ? 0 : At + 1);
  return parseTorchVersion(Text.split('=').second.ltrim(" '\""));
}

/// The version of the tree that \p Dir is in: of the nearest folder upwards that says one.
std::optional<llvm::VersionTuple> versionAbove(llvm::StringRef Dir, std::string &Tree) {
  std::string Absolute = absolutePath(Dir);
  for (llvm::StringRef At = Absolute; !At.empty(); At = path::parent_path(At))
    if (std::optional<llvm::VersionTuple> Version = versionOf(At)) {
      Tree = At.str();
      return Version;
    }
  return std::nullopt;
}

/// The version of the headers a plain `#include <torch/version.h>` would find.
std::optional<llvm::VersionTuple> versionOfSystemHeaders() {
  auto Header = llvm::MemoryBuffer::getFile("/usr/include/torch/version.h");
  if (!Header)
    return std::nullopt;
  auto Number = [&](llvm::StringRef Macro) -> std::optional<unsigned> {
    llvm::StringRef Rest = (*Header)->getBuffer().split(Macro).second.ltrim();
    unsigned Value;
    return Rest.consumeInteger(10, Value) ? std::nullopt : std::optional(Value);
  };
  auto Major = Number("#define TORCH_VERSION_MAJOR"), Minor = Number("#define TORCH_VERSION_MINOR");
  if (!Major || !Minor)
    return std::nullopt;
  return llvm::VersionTuple(*Major, *Minor);
}

/// Fills in what a torch root has. The installed layout comes first: it has what the release was
/// made from.
llvm::Error useRoot(llvm::StringRef Root, SchemaSource &Source,
                    std::optional<llvm::VersionTuple> &Version) {
  static constexpr llvm::StringLiteral Layouts[] = {"torchgen/packaged/ATen", "aten/src/ATen"};
  for (llvm::StringRef Layout : Layouts) {
    std::string Base = joined(Root, Layout);
    std::string Yaml = joined(Base, "native/native_functions.yaml");
    if (!fs::exists(Yaml))
      continue;
    if (Source.NativeFunctions.empty())
      Source.NativeFunctions = Yaml;
    if (Source.Tags.empty())
      Source.Tags = joined(Base, "native/tags.yaml");
    Source.Templates = joined(Base, "templates");
    Version = versionOf(Root);
    return llvm::Error::success();
  }
  // Half a PyTorch: its release is known, its operators are not.
  for (llvm::StringRef Sign : {"torch/version.py", "torchgen/model.py", "version.txt"})
    if (fs::exists(joined(Root, Sign))) {
      std::string Base = joined(Root, Layouts[0]);
      if (Source.NativeFunctions.empty())
        Source.NativeFunctions = joined(Base, "native/native_functions.yaml");
      if (Source.Tags.empty())
        Source.Tags = joined(Base, "native/tags.yaml");
      Version = versionOf(Root);
      return llvm::Error::success();
    }
  return failure("'" + Root + "' is no torch root: it has neither " + Layouts[0] + " nor " +
                 Layouts[1] + " with native/native_functions.yaml");
}

} // namespace

llvm::Expected<ProjectConfig> nearestProjectConfig(llvm::StringRef StartDir, SourceFiles &Files,
                                                   Diagnostics &Diags) {
  std::string Dir = absolutePath(StartDir);
  for (llvm::StringRef At = Dir; !At.empty(); At = path::parent_path(At)) {
    std::string File = joined(At, ".opsig.yaml");
    if (!fs::exists(File))
      continue;
    llvm::Expected<FileId> Id = Files.open(File);
    if (!Id)
      return Id.takeError();
    size_t Before = Diags.size();
    ProjectConfig Config = readProjectConfig(*Id, Files, Diags);
    if (Diags.size() != Before)
      return failure("'" + File + "' cannot be used");
    for (std::string *Path : Config.paths())
      if (!Path->empty() && path::is_relative(*Path))
        *Path = joined(At, *Path);
    return Config;
  }
  return ProjectConfig();
}

llvm::Expected<SchemaSource> findSchemas(const SchemaSettings &Settings, llvm::StringRef StartDir,
                                         SourceFiles &Files, Diagnostics &Diags,
                                         llvm::StringRef AtenDir) {
  llvm::Expected<ProjectConfig> Config = nearestProjectConfig(StartDir, Files, Diags);
  if (!Config)
    return Config.takeError();
  auto Choose = [](const std::string &Option, const std::string &Configured) {
    return Option.empty() ? Configured : Option;
  };

  SchemaSource Source;
  Source.NativeFunctions = Choose(Settings.NativeFunctions, Config->Schemas);
  Source.Tags = Choose(Settings.Tags, Config->Tags);
  if (!AtenDir.empty()) {
    Source.NativeFunctions =
        Choose(Settings.NativeFunctions, joined(AtenDir, "native/native_functions.yaml"));
    Source.Tags = Choose(Settings.Tags, joined(AtenDir, "native/tags.yaml"));
  }
  Source.Backends = Settings.Backends.empty() ? Config->Backends : Settings.Backends;
  std::optional<llvm::VersionTuple> Version;

  std::string Root = Settings.TorchRoot;
  if (Root.empty())
    Root = llvm::sys::Process::GetEnv("OPSIG_TORCH_ROOT").value_or("");
  if (Root.empty())
    Root = Config->TorchRoot;
  bool Complete = !Source.NativeFunctions.empty() && !Source.Tags.empty();
  if (Root.empty() && !Complete && fs::exists(joined(DistributionRoot, "torchgen")))
    Root = DistributionRoot.str();
  if (!Root.empty()) {
    if (llvm::Error Err = useRoot(Root, Source, Version))
      return std::move(Err);
  } else if (!Complete) {
    return failure(
        "no PyTorch found: give --torch-root DIR (or OPSIG_TORCH_ROOT, or 'torch-root' in "
        ".opsig.yaml), or --schemas and --tags");
  }

  if (!AtenDir.empty()) {
    Source.Templates = joined(AtenDir, "templates");
    if (std::optional<llvm::VersionTuple> Above = versionAbove(AtenDir, Root))
      Version = Above;
  }

  ReleaseQuestion Question{Root, Version, std::nullopt};
  if (std::string Text = Choose(Settings.Torch, Config->Torch); !Text.empty()) {
    Question.Wanted = parseTorchVersion(Text);
    if (!Question.Wanted)
      return failure("'" + Text + "' is no PyTorch version; expected MAJOR.MINOR");
  } else if (!Version && Root.empty() && AtenDir.empty()) {
    Question.Wanted = versionOfSystemHeaders();
  }
  if (!chooseRelease(Question, Source))
    return failure("the PyTorch version is not known: give --torch VERSION");
  Source.IsInstalled = Settings.NativeFunctions.empty() && Config->Schemas.empty() &&
                       Settings.Tags.empty() && Config->Tags.empty();
  Source.Project = std::move(*Config);
  return Source;
}

} // namespace opsig
