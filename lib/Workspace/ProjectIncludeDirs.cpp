//===- ProjectIncludeDirs.cpp - Where a project's own headers are looked up ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Workspace/ProjectIncludeDirs.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Support/ReadFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <set>

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace opsig {

/// More entries are no project that somebody builds; a search through them takes seconds.
static constexpr unsigned MaxEntries = 200000;

std::vector<IncludeLine> includeLines(llvm::StringRef Text) {
  std::vector<IncludeLine> Found;
  while (!Text.empty()) {
    llvm::StringRef Line;
    std::tie(Line, Text) = Text.split('\n');
    Line = Line.ltrim();
    if (!Line.consume_front("#") || !(Line = Line.ltrim()).consume_front("include"))
      continue;
    Line = Line.trim();
    bool Angled = Line.starts_with("<");
    if (Line.size() > 2 && (Angled || Line.starts_with("\"")))
      Found.push_back({Line.drop_front().split(Angled ? '>' : '"').first.str(), Angled});
  }
  return Found;
}

std::optional<std::vector<std::string>> filesOf(const ProjectFiles &Project) {
  unsigned Entries = 0;
  std::error_code Error;
  std::vector<std::string> Found;
  for (fs::recursive_directory_iterator At(Project.root(), Error, /*follow_symlinks=*/false), End;
       At != End && !Error; At.increment(Error)) {
    if (++Entries > MaxEntries)
      return std::nullopt;
    bool IsFolder = At->type() == fs::file_type::directory_file;
    if (path::filename(At->path()).starts_with(".") ||
        (IsFolder && !Project.contain(At->path() + "/x")))
      At.no_push();
    else if (!IsFolder)
      Found.push_back(At->path());
  }
  llvm::sort(Found);
  return Found;
}

bool ProjectIncludeDirs::has(llvm::StringRef Folder, llvm::StringRef Name) const {
  std::string Path = joinedPath(Folder, Name);
  return fs::is_regular_file(Path) && Project->contain(Path);
}

const std::vector<std::string> &ProjectIncludeDirs::includeFoldersIn(llvm::StringRef Folder) {
  auto [It, New] = IncludeFolders.try_emplace(Folder);
  if (!New)
    return It->second;
  std::error_code Error;
  for (fs::directory_iterator At(Folder, Error), End; At != End && !Error; At.increment(Error))
    if (path::filename(At->path()).starts_with("inc"))
      It->second.push_back(At->path());
  llvm::sort(It->second);
  return It->second;
}

std::optional<std::string> ProjectIncludeDirs::nearest(llvm::StringRef Folder,
                                                       llvm::StringRef Name) {
  std::string Root = (Project->root() + "/").str();
  for (llvm::StringRef At = Folder; (At + "/").str().starts_with(Root);
       At = path::parent_path(At)) {
    if (has(At, Name))
      return At.str();
    for (const std::string &Include : includeFoldersIn(At))
      if (has(Include, Name))
        return Include;
  }
  return std::nullopt;
}

std::optional<std::string> ProjectIncludeDirs::only(llvm::StringRef Name) {
  if (Name.contains(".."))
    return std::nullopt;
  if (!ByName) {
    ByName.emplace();
    for (std::string &File : filesOf(*Project).value_or(std::vector<std::string>()))
      (*ByName)[path::filename(File)].push_back(std::move(File));
  }
  std::vector<std::string> Found, InPart;
  for (llvm::StringRef File : ByName->lookup(path::filename(Name)))
    if (File.consume_back(Name) && File.consume_back("/")) {
      Found.push_back(File.str());
      if (!Part.empty() && (File + "/").str().starts_with(Part + "/"))
        InPart.push_back(File.str());
    }
  if (!InPart.empty())
    Found = std::move(InPart);
  return Found.size() == 1 ? std::optional(Found.front()) : std::nullopt;
}

std::optional<std::string> ProjectIncludeDirs::folderFor(llvm::StringRef Includer,
                                                         const IncludeLine &Line) {
  llvm::StringRef Name = Line.Name;
  // As the project's root is named.
  std::string Folder = path::parent_path(realPath(Includer)).str();
  auto [It, New] = Known.try_emplace({Folder, Line.Name});
  if (New)
    It->second = nearest(Folder, Name);
  // A plain name in angle brackets is rather another library's.
  if (!It->second && (!Line.Angled || Name.contains('/')))
    return only(Name);
  return It->second;
}

namespace {

/// One search through sources and the headers of the project that they lead to.
class OwnSearch {
public:
  OwnSearch(ProjectIncludeDirs &Headers, const ProjectFiles &Project,
            llvm::ArrayRef<std::string> Elsewhere)
      : Headers(Headers), Project(Project), Elsewhere(Elsewhere) {}

  void run(llvm::ArrayRef<std::string> Sources);
  std::vector<ProjectIncludeDirs::Folder> folders() const;

private:
  void lookAt(const std::string &File, const IncludeLine &Line);
  void follow(std::string File) {
    if (Seen.insert(File).second)
      ToDo.push_back(std::move(File));
  }
  bool isElsewhere(const std::string &Name);

  ProjectIncludeDirs &Headers;
  const ProjectFiles &Project;
  llvm::ArrayRef<std::string> Elsewhere;
  std::vector<std::string> ToDo;
  std::set<std::string> Seen;
  /// The names by folder.
  std::map<std::string, std::set<std::string>> Asked;
  std::map<std::string, bool> Others;
};

bool OwnSearch::isElsewhere(const std::string &Name) {
  auto [It, New] = Others.try_emplace(Name);
  if (New)
    It->second = llvm::any_of(Elsewhere, [&](const std::string &Folder) {
      return fs::is_regular_file(joinedPath(Folder, Name));
    });
  return It->second;
}

void OwnSearch::lookAt(const std::string &File, const IncludeLine &Line) {
  llvm::StringRef Here = path::parent_path(File);
  if (std::string Next = joinedPath(Here, Line.Name); !Line.Angled && fs::is_regular_file(Next)) {
    if (Project.contain(Next))
      follow(std::move(Next));
  } else if (!isElsewhere(Line.Name)) {
    if (std::optional<std::string> Folder = Headers.folderFor(File, Line)) {
      Asked[*Folder].insert(Line.Name);
      follow(joinedPath(*Folder, Line.Name));
    }
  }
}

void OwnSearch::run(llvm::ArrayRef<std::string> Sources) {
  for (const std::string &Source : Sources)
    follow(Source);
  while (!ToDo.empty()) {
    std::string File = std::move(ToDo.back());
    ToDo.pop_back();
    auto Text = readWholeFile(File);
    if (!Text) {
      llvm::consumeError(Text.takeError());
      continue;
    }
    for (const IncludeLine &Line : includeLines((*Text)->getBuffer()))
      lookAt(File, Line);
  }
}

std::vector<ProjectIncludeDirs::Folder> OwnSearch::folders() const {
  std::vector<ProjectIncludeDirs::Folder> Found;
  for (const auto &[Path, Names] : Asked)
    Found.push_back({Path, llvm::any_of(Others, [&](const auto &Other) {
                       return Other.second && fs::is_regular_file(joinedPath(Path, Other.first));
                     })});
  llvm::stable_sort(Found,
                    [&](const ProjectIncludeDirs::Folder &L, const ProjectIncludeDirs::Folder &R) {
                      return Asked.at(L.Path).size() > Asked.at(R.Path).size();
                    });
  return Found;
}

} // namespace

std::vector<ProjectIncludeDirs::Folder>
ProjectIncludeDirs::foldersFor(llvm::ArrayRef<std::string> Sources,
                               llvm::ArrayRef<std::string> Elsewhere) {
  OwnSearch Search(*this, *Project, Elsewhere);
  Search.run(Sources);
  return Search.folders();
}

} // namespace opsig
