//===- PythonOnPath.cpp - Where the user's Python keeps packages --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PythonOnPath.h"
#include "opsig/Support/ReadFile.h"
#include "opsig/Support/RunProgram.h"
#include "opsig/Workspace/FindPython.h"
#include "opsig/Workspace/TorchRoot.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace opsig {

static std::string prefixOf(llvm::StringRef Program) {
  return path::parent_path(path::parent_path(Program)).str();
}

/// The version of pyenv's that the user has chosen: for this shell, else for all; "" for none.
static std::string pyenvVersion(llvm::StringRef Root) {
  if (std::optional<std::string> OfShell = llvm::sys::Process::GetEnv("PYENV_VERSION"))
    return llvm::StringRef(*OfShell).split(':').first.str();
  auto OfAll = readWholeFile((Root + "/version").str());
  if (OfAll)
    return (*OfAll)->getBuffer().split('\n').first.trim().str();
  llvm::consumeError(OfAll.takeError());
  return "";
}

/// The Python that a shim of pyenv starts outside of any project: a script, which takes longer to
/// find that out than Python takes to start. Any other program is itself.
static std::string throughShim(const std::string &Program) {
  llvm::StringRef Folder = path::parent_path(Program);
  if (path::filename(Folder) != "shims")
    return Program;
  std::string Root = path::parent_path(Folder).str();
  std::string Version = pyenvVersion(Root);
  if (Version.empty() || llvm::StringRef(Version).contains('/') || Version.front() == '.')
    return Program;
  std::string Meant = Root + "/versions/" + Version + "/bin/" + path::filename(Program).str();
  return fs::can_execute(Meant) ? Meant : Program;
}

std::optional<std::string> findPython(llvm::ArrayRef<std::string> Untrusted) {
  std::optional<std::string> Found = findProgram("python3", Untrusted);
  return Found ? std::optional(throughShim(*Found)) : std::nullopt;
}

/// "python3.12", which /usr/bin/python3 is a link to; "" if its name does not say the version.
static std::string versionedName(llvm::StringRef Program) {
  llvm::StringRef Name = path::filename(Program);
  return Name.starts_with("python3.") ? Name.str() : "";
}

/// The folders below \p Prefix, without those of Pythons with another version than \p Name has.
static void addBelow(llvm::StringRef Prefix, llvm::StringRef Name,
                     std::vector<std::string> &Folders) {
  for (std::string &Folder : pythonPackageFolders(Prefix)) {
    llvm::StringRef Of = path::filename(path::parent_path(Folder));
    // Debian's packages are for all versions: lib/python3.
    if (Name.empty() || Of == Name || Of == "python3")
      Folders.push_back(std::move(Folder));
  }
}

/// Whether \p Prefix is a virtual environment that shows no packages from outside of it.
static bool isIsolated(llvm::StringRef Prefix) {
  auto Config = readWholeFile((Prefix + "/pyvenv.cfg").str());
  if (!Config) {
    llvm::consumeError(Config.takeError());
    return false;
  }
  return !(*Config)->getBuffer().contains("include-system-site-packages = true");
}

/// Where \p Program searches, by its place and by what it is a link to.
static std::vector<std::string> packageFolders(llvm::StringRef Program) {
  llvm::SmallString<256> Target, Home;
  if (fs::real_path(Program, Target))
    return {};
  std::string Name = versionedName(Target), Prefix = prefixOf(Program);
  // /bin is a link to /usr/bin.
  if (Prefix == "/")
    Prefix = "/usr";
  std::vector<std::string> Folders;
  if (fs::exists(Prefix + "/pyvenv.cfg"))
    addBelow(Prefix, Name, Folders);
  if (isIsolated(Prefix))
    return Folders;
  if (path::home_directory(Home))
    addBelow((Home + "/.local").str(), Name, Folders);
  for (const std::string &Each : {Prefix, prefixOf(Target)}) {
    // Debian's Python has what pip installs apart from what apt does.
    if (Each == "/usr")
      addBelow("/usr/local", Name, Folders);
    addBelow(Each, Name, Folders);
  }
  return Folders;
}

std::vector<PythonPackages> packagesOfPythonOnPath() {
  std::vector<PythonPackages> Found;
  std::string Path = llvm::sys::Process::GetEnv("PATH").value_or("");
  llvm::SmallVector<llvm::StringRef> Entries;
  llvm::StringRef(Path).split(Entries, ':', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef Entry : Entries) {
    if (!path::is_absolute(Entry))
      continue;
    std::string Program = (Entry.rtrim('/') + "/python3").str();
    if (!fs::can_execute(Program))
      continue;
    for (std::string &Folder : packageFolders(throughShim(Program))) {
      bool IsKnown =
          llvm::any_of(Found, [&](const PythonPackages &P) { return P.Folder == Folder; });
      if (!IsKnown)
        Found.push_back({std::move(Folder), Program});
    }
  }
  return Found;
}

} // namespace opsig
