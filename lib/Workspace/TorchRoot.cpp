//===- TorchRoot.cpp - Which PyTorch a folder has ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Workspace/TorchRoot.h"
#include "opsig/Dialect/Dialect.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Support/ReadFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace opsig {

/// What the release was made from comes first.
const llvm::StringRef TorchRootLayouts[2] = {"torchgen/packaged/ATen", "aten/src/ATen"};

/// The C++ API has an include folder of its own inside of the others'.
static constexpr llvm::StringLiteral ApiFolder = "torch/csrc/api/include";

/// Null where there is none.
static std::unique_ptr<llvm::MemoryBuffer> textIn(llvm::StringRef Folder, llvm::StringRef Name) {
  auto Text = readWholeFile(joinedPath(Folder, Name));
  if (!Text) {
    llvm::consumeError(Text.takeError());
    return nullptr;
  }
  return std::move(*Text);
}

static bool has(llvm::StringRef Folder, llvm::StringRef Tail) {
  return fs::exists(joinedPath(Folder, Tail));
}

//===--- Versions ---------------------------------------------------------------------------===//

std::optional<TorchVersion> readTorchVersion(llvm::StringRef Text, llvm::StringRef File) {
  Text = Text.trim();
  std::optional<llvm::VersionTuple> Release = parseTorchVersion(Text);
  if (!Release)
    return std::nullopt;
  return TorchVersion{Text.str(), *Release, File.str()};
}

/// What stands between the first quotes behind \p Name at the beginning of a line.
static llvm::StringRef quotedAfter(llvm::StringRef Text, llvm::StringRef Name) {
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\n');
    llvm::StringRef After = Line;
    // A name that only begins with it is another one.
    if (After.consume_front(Name) &&
        (After.empty() || !(llvm::isAlnum(After.front()) || After.front() == '_'))) {
      llvm::StringRef Value = Text.drop_front(Name.size());
      size_t Open = Value.find_first_of("'\"");
      if (Open == llvm::StringRef::npos)
        return "";
      return Value.drop_front(Open + 1).split(Value[Open]).first;
    }
    Text = Rest;
  }
  return "";
}

static std::optional<TorchVersion> versionIn(const std::string &File, llvm::StringRef Name) {
  auto Text = readWholeFile(File);
  if (!Text) {
    llvm::consumeError(Text.takeError());
    return std::nullopt;
  }
  llvm::StringRef All = (*Text)->getBuffer();
  return readTorchVersion(Name.empty() ? All : quotedAfter(All, Name), File);
}

/// Of headers in the include folder \p Folder.
static std::optional<TorchVersion> versionOfHeaders(llvm::StringRef Folder) {
  for (llvm::StringRef Header :
       {"torch/headeronly/version.h", "torch/version.h", "torch/csrc/api/include/torch/version.h"})
    if (auto Version = versionIn(joinedPath(Folder, Header), "#define TORCH_VERSION"))
      return Version;
  return std::nullopt;
}

std::optional<TorchVersion> torchVersionOf(llvm::StringRef Dir) {
  auto OfTree = [&] { return versionIn(joinedPath(Dir, "version.txt"), ""); };
  auto OfPackage = [&] { return versionIn(joinedPath(Dir, "torch/version.py"), "__version__"); };
  // Among installed packages a version.txt is anybody's; in a tree torch/version.py is what some
  // build before has left there.
  bool IsTree = has(Dir, TorchRootLayouts[1]);
  if (auto Version = IsTree ? OfTree() : OfPackage())
    return Version;
  if (auto Version = IsTree ? OfPackage() : OfTree())
    return Version;
  if (auto Version = versionOfHeaders(joinedPath(Dir, "torch/include")))
    return Version;
  return versionOfHeaders(Dir);
}

std::optional<TreeVersion> torchVersionAbove(llvm::StringRef Dir) {
  std::string Absolute = absolutePath(Dir);
  for (llvm::StringRef At = Absolute; !At.empty(); At = path::parent_path(At))
    if (std::optional<TorchVersion> Version = torchVersionOf(At))
      return TreeVersion{At.str(), std::move(*Version)};
  return std::nullopt;
}

//===--- Roots ------------------------------------------------------------------------------===//

std::optional<TorchRoot> torchRootAt(llvm::StringRef Dir) {
  for (llvm::StringRef Layout : TorchRootLayouts) {
    std::string Aten = joinedPath(Dir, Layout);
    if (has(Aten, "native/native_functions.yaml"))
      return TorchRoot{Dir.str(), Aten, torchVersionOf(Dir)};
  }
  return std::nullopt;
}

/// What only PyTorch's own include folders have.
static bool hasTorchHeaders(llvm::StringRef Folder) {
  static constexpr llvm::StringLiteral Marks[] = {"ATen/ATen.h", "torch/library.h",
                                                  "torch/headeronly/version.h", "torch/all.h"};
  return llvm::any_of(Marks, [&](llvm::StringRef Mark) { return has(Folder, Mark); });
}

std::vector<std::string> torchHeaderFolders(llvm::StringRef Dir) {
  std::string Folder = joinedPath(Dir, "torch/include"), Api = joinedPath(Folder, ApiFolder);
  if (!hasTorchHeaders(Folder))
    return {};
  if (!fs::is_directory(Api))
    return {Folder};
  return {Folder, Api};
}

/// "python3" and "python3.X" in a prefix's library folder, the newest first.
static std::vector<std::string> pythonFolders(llvm::StringRef Prefix) {
  std::vector<std::pair<unsigned, std::string>> Found;
  for (llvm::StringRef Library : {"lib", "lib64"}) {
    std::error_code Error;
    for (fs::directory_iterator At(joinedPath(Prefix, Library), Error), End; At != End && !Error;
         At.increment(Error)) {
      llvm::StringRef Minor = path::filename(At->path());
      unsigned Number = 0;
      if (Minor.consume_front("python3") &&
          (Minor.empty() || (Minor.consume_front(".") && !Minor.getAsInteger(10, Number))))
        Found.push_back({Number, At->path()});
    }
  }
  llvm::stable_sort(Found, [](const auto &L, const auto &R) { return L.first > R.first; });
  std::vector<std::string> Folders;
  for (auto &[Number, Folder] : Found)
    Folders.push_back(std::move(Folder));
  return Folders;
}

std::vector<std::string> pythonPackageFolders(llvm::StringRef Prefix) {
  std::vector<std::string> Folders;
  for (const std::string &Python : pythonFolders(Prefix))
    for (llvm::StringRef Packages : {"site-packages", "dist-packages"})
      if (has(Python, Packages))
        Folders.push_back(joinedPath(Python, Packages));
  return Folders;
}

/// The newest folder below \p Prefix with Python.h, or that of the Python called \p Name.
static std::string pythonHeadersBelow(llvm::StringRef Prefix, llvm::StringRef Name) {
  std::pair<unsigned, std::string> Best;
  std::error_code Error;
  for (fs::directory_iterator At(joinedPath(Prefix, "include"), Error), End; At != End && !Error;
       At.increment(Error)) {
    llvm::StringRef Minor = path::filename(At->path());
    unsigned Number = 0;
    bool Expected = Name == "python3" || Minor == Name;
    if (Expected && Minor.consume_front("python3.") && !Minor.getAsInteger(10, Number) &&
        has(At->path(), "Python.h") && Number >= Best.first)
      Best = {Number, At->path()};
  }
  return Best.second;
}

/// The prefix of the Python that a virtual environment was made with; "" if \p Prefix is none.
static std::string basePrefix(llvm::StringRef Prefix) {
  std::unique_ptr<llvm::MemoryBuffer> Config = textIn(Prefix, "pyvenv.cfg");
  if (!Config)
    return "";
  llvm::SmallVector<llvm::StringRef> Lines;
  Config->getBuffer().split(Lines, '\n');
  for (llvm::StringRef Line : Lines) {
    auto [Key, Value] = Line.split('=');
    if (Key.trim() == "home")
      return path::parent_path(Value.trim()).str();
  }
  return "";
}

std::string pythonHeaderFolder(llvm::StringRef Root) {
  std::string Packages = absolutePath(Root);
  llvm::StringRef Python = path::parent_path(Packages);
  llvm::StringRef Name = path::filename(Python);
  if (!Name.starts_with("python3"))
    return pythonHeadersBelow("/usr", "python3");
  llvm::StringRef Prefix = path::parent_path(path::parent_path(Python));
  for (const std::string &Where : {Prefix.str(), basePrefix(Prefix)})
    if (!Where.empty())
      if (std::string Folder = pythonHeadersBelow(Where, Name); !Folder.empty())
        return Folder;
  return "";
}

//===--- Headers ----------------------------------------------------------------------------===//

static std::optional<TorchRoot> rootOfHeaders(llvm::StringRef Folder,
                                              const std::optional<TorchVersion> &Version) {
  for (llvm::StringRef At = Folder; !At.empty(); At = path::parent_path(At))
    if (std::optional<TorchRoot> Root = torchRootAt(At))
      return Root;
  // A distribution and conda put headers with all others: /usr/include.
  if (path::filename(Folder) != "include")
    return std::nullopt;
  for (const std::string &Packages : pythonPackageFolders(path::parent_path(Folder)))
    if (std::optional<TorchRoot> Root = torchRootAt(Packages))
      if (!Version || !Root->Version || Root->Version->Release == Version->Release)
        return Root;
  return std::nullopt;
}

std::string neededStandard(llvm::StringRef Dir) {
  std::unique_ptr<llvm::MemoryBuffer> Header = textIn(Dir, "ATen/ATen.h");
  llvm::SmallVector<llvm::StringRef> Matches;
  if (!Header ||
      !llvm::Regex("__cplusplus < 20([0-9][0-9])[0-9][0-9]L").match(Header->getBuffer(), &Matches))
    return "";
  unsigned Year = 0;
  Matches[1].getAsInteger(10, Year);
  return Year > 17 ? "gnu++" + std::to_string(Year) : "";
}

std::optional<TorchHeaders> findTorchHeaders(llvm::ArrayRef<std::string> Folders) {
  auto Found = llvm::find_if(Folders, hasTorchHeaders);
  if (Found == Folders.end())
    return std::nullopt;
  TorchHeaders Headers;
  Headers.Folder = absolutePath(*Found);
  Headers.Standard = neededStandard(Headers.Folder);
  Headers.Version = versionOfHeaders(Headers.Folder);
  Headers.Root = rootOfHeaders(Headers.Folder, Headers.Version);
  llvm::SmallString<256> Real;
  if (!Headers.Root && !fs::real_path(Headers.Folder, Real))
    Headers.Root = rootOfHeaders(Real, Headers.Version);
  // The folders of a source tree have no version of their own.
  if (!Headers.Version && Headers.Root)
    Headers.Version = Headers.Root->Version;
  bool ApiSearched = llvm::any_of(Folders, [](llvm::StringRef F) { return has(F, "torch/all.h"); });
  if (std::string Api = joinedPath(Headers.Folder, ApiFolder);
      !ApiSearched && fs::is_directory(Api))
    Headers.MissingApi = Api;
  return Headers;
}

bool holdsTorch(llvm::StringRef Dir) {
  static constexpr llvm::StringLiteral Atens[] = {"ATen", "aten/src/ATen", "include/ATen",
                                                  "torch/include/ATen"};
  if (llvm::none_of(Atens, [&](llvm::StringRef Aten) { return has(Dir, Aten); }))
    return false;
  // The archives of libtorch have a build-version, the folder torch its version.py.
  return torchVersionOf(Dir) || versionOfHeaders(joinedPath(Dir, "include")) ||
         versionIn(joinedPath(Dir, "build-version"), "") ||
         versionIn(joinedPath(Dir, "version.py"), "__version__");
}

bool isInTorchSources(llvm::StringRef File) {
  llvm::StringRef OfTree = TorchRootLayouts[1];
  std::string Path = absolutePath(File);
  if (llvm::StringRef(Path).contains((OfTree + "/").str()))
    return true;
  for (llvm::StringRef At = path::parent_path(Path); !At.empty(); At = path::parent_path(At))
    if (has(joinedPath(At, OfTree), "native/native_functions.yaml"))
      return true;
  return false;
}

} // namespace opsig
