//===- AtenLists.cpp - The lists of files of gen aten -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gen/AtenLists.h"
#include "opsig/Dialect/AtenTraits.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace path = llvm::sys::path;

namespace opsig {

std::string AtenFolders::pathOf(const FileSpec &File) const {
  switch (File.Folder) {
  case FileFolder::Main:
    return Install + "/" + File.Name;
  case FileFolder::Core:
    return Install + "/core/" + File.Name;
  case FileFolder::Ops:
    return Install + "/ops/" + File.Name;
  case FileFolder::Aoti:
    return Aoti + "/" + File.Name;
  case FileFolder::HeaderOnly:
    return HeaderOnly + "/" + File.Name;
  }
  llvm_unreachable("unknown folder");
}

namespace {

/// A path object of Python counts a dot only where something stands on both sides of it.
llvm::StringRef stemOf(llvm::StringRef FileName) {
  size_t Dot = FileName.rfind('.');
  return Dot == 0 || Dot + 1 == FileName.size() ? FileName : FileName.take_front(Dot);
}

struct ListName {
  FileList List;
  llvm::StringLiteral Prefix;
};

std::vector<ListName> listsOf(FileListShape Shape, bool WithXpu) {
  std::vector<ListName> Lists = {
      {FileList::Main, ""}, {FileList::CpuVec, "cpu_vec_"}, {FileList::Core, "core_"}};
  if (Shape == FileListShape::Compact)
    Lists.insert(Lists.end(), {{FileList::Cuda, "cuda_"}, {FileList::Ops, "ops_"}});
  else
    Lists.insert(Lists.end(), {{FileList::Ops, "ops_"}, {FileList::Cuda, "cuda_"}});
  if (WithXpu)
    Lists.push_back({FileList::Xpu, "xpu_"});
  return Lists;
}

/// As a path object of Python prints it: no "." parts, no doubled separators, ".." untouched.
std::string normalized(llvm::StringRef Path) {
  llvm::SmallString<128> Result;
  bool Absolute = Path.starts_with("/");
  // Exactly two leading slashes are a root of their own.
  if (Absolute)
    Result = Path.starts_with("//") && !Path.starts_with("///") ? "//" : "/";
  llvm::SmallVector<llvm::StringRef> Parts;
  Path.split(Parts, '/', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  llvm::ListSeparator Slash("/");
  for (llvm::StringRef Part : Parts)
    if (Part != ".") {
      Result += llvm::StringRef(Slash);
      Result += Part;
    }
  return Result.str().str();
}

std::string listText(llvm::StringRef Name, std::vector<std::string> Paths, FileListShape Shape) {
  llvm::sort(Paths);
  for (std::string &Path : Paths)
    Path = "\n    \"" + Path + "\"";
  if (Shape == FileListShape::OwnLines)
    return ("set(\n" + Name + llvm::join(Paths, "") + "\n)").str();
  return ("set(" + Name + (Paths.empty() ? "\n    " : llvm::join(Paths, "")) + ")").str();
}

/// The file that \p Path names in the end, links followed; \p Path itself if there is none.
std::string resolved(llvm::StringRef Path) {
  llvm::SmallString<128> Result;
  if (!llvm::sys::fs::real_path(Path, Result))
    return Result.str().str();
  llvm::SmallString<128> Folder = path::parent_path(Path);
  if (Folder.empty())
    Folder = ".";
  if (llvm::sys::fs::real_path(Folder, Result))
    return Path.str();
  path::append(Result, path::filename(Path));
  return Result.str().str();
}

} // namespace

std::vector<GeneratedFile> makeFileLists(llvm::ArrayRef<FileSpec> Files, const AtenFolders &Folders,
                                         llvm::StringRef DependencyFile, bool WithXpu,
                                         const Dialect &D) {
  FileListShape Shape = D.Aten.Lists;
  std::string Main = resolved(DependencyFile);
  std::vector<GeneratedFile> Result;
  for (const ListName &L : listsOf(Shape, WithXpu)) {
    std::vector<std::string> Paths;
    for (const FileSpec &File : Files) {
      // Without a list of its own XPU is a part of the main one.
      FileList List = File.List == FileList::Xpu && !WithXpu ? FileList::Main : File.List;
      if (List != L.List)
        continue;
      std::string Path = Folders.pathOf(File);
      Paths.push_back(Shape == FileListShape::OwnLines ? normalized(Path) : Path);
    }
    llvm::SmallString<128> Path = path::parent_path(Main);
    path::append(Path, L.Prefix + path::filename(Main));
    std::string Name = (L.Prefix + stemOf(path::filename(Main))).str();
    Result.push_back({Path.str().str(), listText(Name, std::move(Paths), Shape)});
  }
  return Result;
}

} // namespace opsig
