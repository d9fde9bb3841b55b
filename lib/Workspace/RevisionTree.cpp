//===- RevisionTree.cpp - The files of a revision, in a folder ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// git ls-tree => TreeEntry* => git cat-file --batch => files
//
//===----------------------------------------------------------------------===//
#include "opsig/Workspace/RevisionTree.h"
#include "opsig/Support/Counted.h"
#include "opsig/Support/PathGlob.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace opsig {

namespace {

/// No source is larger; what is, is data.
constexpr uint64_t LargestFile = 8 << 20;
constexpr uint64_t MostBytes = uint64_t(1) << 30;
/// As much is asked for at a time.
constexpr uint64_t BatchBytes = 64 << 20;

struct TreeEntry {
  std::string Object, Path;
  uint64_t Size;
};

/// A tree can be made by hand, with names that lead out of the folder.
bool isSafe(llvm::StringRef Path) {
  return llvm::all_of(llvm::split(Path, '/'), [](llvm::StringRef Part) {
    return !Part.empty() && Part != "." && Part != ".." && !Part.equals_insensitive(".git");
  });
}

llvm::Error writeText(const std::string &Path, llvm::StringRef Text) {
  if (std::error_code EC = fs::create_directories(path::parent_path(Path)))
    return llvm::createStringError(EC, "cannot create '" + path::parent_path(Path) + "'");
  std::error_code EC;
  llvm::raw_fd_ostream OS(Path, EC, fs::CD_CreateNew);
  if (!EC) {
    OS << Text;
    OS.close();
    EC = OS.error();
    OS.clear_error();
  }
  return EC ? llvm::createStringError(EC, "cannot write '" + Path + "': " + EC.message())
            : llvm::Error::success();
}

/// The texts of \p Entries, in their order, out of what cat-file prints for them.
llvm::Error writeTexts(llvm::StringRef Printed, llvm::ArrayRef<TreeEntry> Entries,
                       llvm::StringRef Folder) {
  for (const TreeEntry &E : Entries) {
    auto [Head, Rest] = Printed.split('\n');
    if (Head != E.Object + " blob " + std::to_string(E.Size) || Rest.size() <= E.Size)
      return llvm::createStringError("--since: git cannot print '" + E.Path + "'");
    if (llvm::Error Err = writeText(joinedPath(Folder, E.Path), Rest.take_front(E.Size)))
      return Err;
    Printed = Rest.drop_front(E.Size + 1);
  }
  return llvm::Error::success();
}

} // namespace

RevisionTree::~RevisionTree() {
  if (!Folder.empty())
    fs::remove_directories(Folder);
}

llvm::Error RevisionTree::layOut(const Git &Repository) {
  llvm::Expected<std::string> Listed =
      Repository.run({"ls-tree", "-r", "-z", "-l", "--full-tree", Commit});
  if (!Listed)
    return Listed.takeError();
  std::vector<TreeEntry> Entries;
  uint64_t Bytes = 0;
  for (llvm::StringRef Line : llvm::split(*Listed, '\0')) {
    auto [Head, Path] = Line.split('\t');
    llvm::SmallVector<llvm::StringRef, 4> Words; // mode, type, object, size
    Head.split(Words, ' ', -1, /*KeepEmpty=*/false);
    uint64_t Size = 0;
    if (Words.size() != 4 || Words[1] != "blob" || Words[3].getAsInteger(10, Size))
      continue; // a submodule
    bool IsLink = Words[0] == "120000";
    Links += IsLink;
    Large += !IsLink && Size > LargestFile;
    if (IsLink || Size > LargestFile || !isSafe(Path))
      continue;
    Bytes += Size;
    Entries.push_back({Words[2].str(), Path.str(), Size});
  }
  if (Bytes > MostBytes)
    return llvm::createStringError("--since: the files of the revision exceed 1 GiB in total");
  for (llvm::ArrayRef<TreeEntry> Left = Entries; !Left.empty();) {
    size_t Count = 0;
    std::string Asked;
    for (uint64_t InBatch = 0; Count < Left.size() && InBatch < BatchBytes; ++Count) {
      Asked += Left[Count].Object + "\n";
      InBatch += Left[Count].Size;
    }
    llvm::Expected<std::string> Printed = Repository.run({"cat-file", "--batch"}, Asked);
    if (!Printed)
      return Printed.takeError();
    if (llvm::Error Err = writeTexts(*Printed, Left.take_front(Count), Folder))
      return Err;
    Left = Left.drop_front(Count);
  }
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<RevisionTree>> RevisionTree::make(const Git &Repository,
                                                                 llvm::StringRef Revision) {
  if (Revision.empty() || Revision.starts_with("-"))
    return llvm::createStringError("--since: '" + Revision + "' is not a revision");
  std::string Wanted = (Revision + "^{commit}").str();
  llvm::Expected<std::string> Commit =
      Repository.run({"rev-parse", "--verify", "--end-of-options", Wanted});
  if (!Commit) {
    llvm::consumeError(Commit.takeError());
    return llvm::createStringError("--since: unknown git revision '" + Revision + "'");
  }
  std::unique_ptr<RevisionTree> Out(new RevisionTree);
  Out->Root = Repository.root();
  Out->Commit = llvm::StringRef(*Commit).trim().str();
  llvm::SmallString<128> Folder;
  if (std::error_code EC = fs::createUniqueDirectory("opsig-revision", Folder))
    return llvm::createStringError(EC, "cannot create a temporary folder: " + EC.message());
  Out->Folder = realPath(Folder);
  // The repository may be nobody else's business. What looks for the project's top finds it here.
  std::error_code EC = fs::setPermissions(Folder, fs::owner_all);
  if (!EC)
    EC = fs::create_directory(joinedPath(Out->Folder, ".git"));
  if (EC)
    return llvm::createStringError(EC, "cannot use '" + Folder + "': " + EC.message());
  if (llvm::Error Err = Out->layOut(Repository))
    return std::move(Err);
  return std::move(Out);
}

std::string RevisionTree::pathOf(llvm::StringRef Path) const {
  for (const std::string &Known : {absolutePath(Path), realPath(Path)}) {
    llvm::StringRef Below = Known;
    if (Below.consume_front(Root) && (Below.empty() || Below.consume_front("/")))
      return Below.empty() ? Folder : joinedPath(Folder, Below);
  }
  return "";
}

std::vector<std::string> RevisionTree::leftOut() const {
  std::vector<std::string> Out;
  if (Links)
    Out.push_back(counted(Links, "link"));
  if (Large)
    Out.push_back(counted(Large, "file") + " larger than 8 MiB");
  return Out;
}

} // namespace opsig
