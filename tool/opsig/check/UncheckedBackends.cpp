//===- UncheckedBackends.cpp - Backends' YAMLs that nobody gave ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/UncheckedBackends.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Support/ReadFile.h"
#include "opsig/Workspace/FileWalk.h"
#include "opsig/Workspace/ProjectIncludeDirs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace opsig {

/// A larger YAML is no list that somebody writes for a backend.
static constexpr uint64_t MaxSize = 1 << 20;

/// torchgen demands the first two fields; a list of operators makes the file a backend's.
static bool listsBackend(const std::string &File) {
  uint64_t Size = 0;
  if (llvm::sys::fs::file_size(File, Size) || Size > MaxSize)
    return false;
  auto Text = readWholeFile(File);
  if (!Text) {
    llvm::consumeError(Text.takeError());
    return false;
  }
  std::string Lines = "\n" + (*Text)->getBuffer().str();
  auto Has = [&](llvm::StringRef Field) {
    return llvm::StringRef(Lines).contains("\n" + Field.str() + ":");
  };
  return Has("backend") && Has("cpp_namespace") && (Has("supported") || Has("autograd"));
}

/// The real paths of the folders of \p Groups, with a slash behind.
static std::vector<std::string> foldersOf(llvm::ArrayRef<InputGroup> Groups) {
  std::vector<std::string> Folders;
  for (const InputGroup &Group : Groups)
    if (llvm::SmallString<256> Real; !Group.IsFile && !llvm::sys::fs::real_path(Group.Name, Real))
      Folders.push_back((Real + "/").str());
  return Folders;
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
  Found.OfWholeProject =
      !llvm::sys::fs::real_path(Project.root(), Root) && AreHeld((Root + "/").str());
  for (const std::string &File : filesOf(Project).value_or(std::vector<std::string>())) {
    llvm::StringRef Extension = llvm::sys::path::extension(File);
    bool IsYaml = Extension == ".yaml" || Extension == ".yml";
    // A link may lead out of the project.
    if (IsYaml && AreHeld(File) && Project.contain(File) && listsBackend(File))
      Found.Names.push_back(pathBelow(File, "."));
  }
  return Found;
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
