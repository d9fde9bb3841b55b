//===- UncheckedBackends.cpp - Backends' YAMLs that nobody gave ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/UncheckedBackends.h"
#include "opsig/Support/CodeFiles.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Support/ReadFile.h"
#include "opsig/Support/SettingsSign.h"
#include "opsig/Workspace/FileWalk.h"
#include "opsig/Workspace/ProjectIncludeDirs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace opsig {

/// A larger YAML is no list that somebody writes for a backend.
static constexpr uint64_t MaxSize = 1 << 20;

/// The text of a file of at most MaxSize, behind a line's end; "" for one that cannot be read.
static std::string linesOf(const std::string &File) {
  uint64_t Size = 0;
  if (llvm::sys::fs::file_size(File, Size) || Size > MaxSize)
    return "";
  auto Text = readWholeFile(File);
  if (!Text) {
    llvm::consumeError(Text.takeError());
    return "";
  }
  return "\n" + (*Text)->getBuffer().str();
}

namespace {
struct BackendYaml {
  std::string File;
  std::string Class; ///< of the kernels that it lists
};
} // namespace

/// The backend that \p File lists kernels of, if it does. torchgen demands the first two fields; a
/// list of operators makes the file a backend's.
static std::optional<BackendYaml> listedBackend(const std::string &File) {
  std::string Lines = linesOf(File);
  auto Has = [&](llvm::StringRef Field) {
    return llvm::StringRef(Lines).contains("\n" + Field.str() + ":");
  };
  if (!Has("backend") || !Has("cpp_namespace") || (!Has("supported") && !Has("autograd")))
    return std::nullopt;
  auto Field = [&](llvm::StringRef Name) {
    llvm::StringRef Rest = llvm::StringRef(Lines).split("\n" + Name.str() + ":").second;
    return Rest.take_until([](char C) { return C == '\n' || C == '#'; }).trim(" \t\r'\"").str();
  };
  std::string Class = Field("class_name");
  return BackendYaml{File, Class.empty() ? Field("backend") + "NativeFunctions" : Class};
}

/// Whether \p File may be of the same library as \p Folder: none of the folders that hold it, but
/// not \p Folder, lists kernels of the same \p Class for itself.
static bool mayBelong(llvm::StringRef File, llvm::StringRef Folder, llvm::StringRef Class,
                      llvm::ArrayRef<BackendYaml> Yamls) {
  for (llvm::StringRef At = llvm::sys::path::parent_path(File);
       !Folder.starts_with((At + "/").str()); At = llvm::sys::path::parent_path(At))
    if (llvm::any_of(Yamls, [&](const BackendYaml &Yaml) {
          return llvm::StringRef(Yaml.File).starts_with((At + "/").str()) && Yaml.Class == Class;
        }))
      return false;
  return true;
}

/// Whether \p File is code that may define members of \p Class; \p IfLarge of a file that is too
/// large to look into.
static bool mayDefine(const std::string &File, const std::string &Class, bool IfLarge) {
  CodeFile Kind = codeFile(File);
  if (Kind == CodeFile::None || Kind == CodeFile::Python)
    return false;
  std::string Lines = linesOf(File);
  return Lines.empty() ? IfLarge : llvm::StringRef(Lines).contains(Class);
}

static bool isDescribed(llvm::StringRef Root) {
  return holdsSettings(Root) || llvm::sys::fs::exists(Root + "/.git");
}

/// Whether \p Folder has all kernels of \p Class: its code names the class, and no other code of
/// the project does. Where settings or a repository say what the project is, kernels may
/// be anywhere in it.
static bool hasAllKernels(llvm::StringRef Folder, const std::string &Class,
                          llvm::ArrayRef<std::string> Files, llvm::ArrayRef<BackendYaml> Yamls) {
  bool IsNamed = false;
  for (const std::string &File : Files) {
    bool IsInside = llvm::StringRef(File).starts_with(Folder);
    if ((IsInside && IsNamed) || (!IsInside && !mayBelong(File, Folder, Class, Yamls)) ||
        !mayDefine(File, Class, /*IfLarge=*/!IsInside))
      continue;
    if (!IsInside)
      return false;
    IsNamed = true;
  }
  return IsNamed;
}

/// The real paths of the folders of \p Groups, with a slash behind.
static std::vector<std::string> foldersOf(llvm::ArrayRef<InputGroup> Groups) {
  std::vector<std::string> Folders;
  for (const InputGroup &Group : Groups)
    if (llvm::SmallString<256> Real; !Group.IsFile && !llvm::sys::fs::real_path(Group.Name, Real))
      Folders.push_back((Real + "/").str());
  return Folders;
}

/// The YAML files of backends among those of \p Files that are \p Asked for.
static std::vector<BackendYaml> backendYamls(llvm::ArrayRef<std::string> Files,
                                             const ProjectFiles &Project,
                                             llvm::function_ref<bool(llvm::StringRef)> Asked) {
  std::vector<BackendYaml> Yamls;
  for (const std::string &File : Files) {
    llvm::StringRef Extension = llvm::sys::path::extension(File);
    bool IsYaml = Extension == ".yaml" || Extension == ".yml";
    // A link may lead out of the project.
    if (IsYaml && Asked(File) && Project.contain(File))
      if (std::optional<BackendYaml> Yaml = listedBackend(File))
        Yamls.push_back(std::move(*Yaml));
  }
  return Yamls;
}

BackendFiles backendFiles(llvm::ArrayRef<InputGroup> Groups, const ProjectFiles &Project) {
  const std::vector<std::string> Folders = foldersOf(Groups);
  if (Folders.empty())
    return {};
  auto AreHeld = [&](llvm::StringRef Path) {
    return llvm::any_of(Folders, [&](llvm::StringRef Folder) { return Path.starts_with(Folder); });
  };
  BackendFiles Found;
  llvm::SmallString<256> Root;
  Found.AreComplete =
      !llvm::sys::fs::real_path(Project.root(), Root) && AreHeld((Root + "/").str());
  const std::vector<std::string> Files = filesOf(Project).value_or(std::vector<std::string>());
  const std::vector<BackendYaml> Held = backendYamls(Files, Project, AreHeld);
  for (const BackendYaml &Yaml : Held)
    Found.Names.push_back(pathBelow(Yaml.File, "."));
  auto Any = [](llvm::StringRef) { return true; };
  if (!Found.AreComplete && Held.size() == 1 && Groups.size() == 1 && !isDescribed(Root) &&
      hasAllKernels(Folders.front(), Held.front().Class, Files,
                    backendYamls(Files, Project, Any))) {
    Found.AreComplete = true;
    Found.Part = llvm::StringRef(Folders.front()).drop_back().str();
  }
  return Found;
}

std::string partWithBackend(llvm::ArrayRef<InputGroup> Groups, const ProjectFiles &Project) {
  bool MayBePart = Groups.size() == 1 && !Groups.front().IsFile && !isDescribed(Project.root());
  return MayBePart ? backendFiles(Groups, Project).Part : "";
}

bool takeBackend(const std::string &File, const SchemaSource &Source, LoadedSchemas &Schemas) {
  llvm::Expected<SourceId> Yaml = Schemas.Files.open(File);
  if (!Yaml) {
    llvm::consumeError(Yaml.takeError());
    return false;
  }
  Findings Own;
  ExternalBackend Backend =
      loadBackendInPart(*Yaml, Schemas.Files, *Schemas.Ops, Own, Source.Project.BackendLayouts);
  if (!Own.empty() || !Backend.Layout.empty())
    return false;
  Schemas.Backends.push_back(std::move(Backend));
  return true;
}

std::string uncheckedBackends(llvm::ArrayRef<std::string> Found) {
  if (Found.empty())
    return "";
  return "'" + Found.front() + "'" +
         (Found.size() == 1 ? " lists"
                            : " and " + counted(Found.size() - 1, "more file") + " list") +
         " kernels of a backend, which are not checked; pass --backend=" + Found.front();
}

} // namespace opsig
