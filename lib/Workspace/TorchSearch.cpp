//===- TorchSearch.cpp - Where a PyTorch may be installed -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PythonOnPath.h"
#include "TorchSearchInternal.h"
#include "opsig/Support/LinkGuard.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Support/RunProgram.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace opsig {

/// Where Debian's python3-torch has torch and torchgen.
static constexpr llvm::StringLiteral DistributionRoot = "/usr/lib/python3/dist-packages";

static bool has(llvm::StringRef Folder, llvm::StringRef Tail) {
  return fs::exists(joinedPath(Folder, Tail));
}

std::optional<TorchRoot> torchRootNamed(llvm::StringRef Dir) {
  if (std::optional<TorchRoot> Root = torchRootAt(Dir))
    return Root;
  std::string Absolute = absolutePath(Dir);
  if (path::filename(Absolute) == "torch")
    if (std::optional<TorchRoot> Root = torchRootAt(path::parent_path(Absolute)))
      return Root;
  for (const std::string &Packages : pythonPackageFolders(Absolute))
    if (std::optional<TorchRoot> Root = torchRootAt(Packages))
      return Root;
  return std::nullopt;
}

std::optional<TorchRoot> torchTreeAround(llvm::StringRef Dir) {
  std::string Absolute = absolutePath(Dir);
  for (llvm::StringRef At = Absolute; !At.empty(); At = path::parent_path(At)) {
    if (!has(At, TorchRootLayouts[1]))
      continue;
    std::optional<TorchRoot> Root = torchRootAt(At);
    if (Root && Root->Version)
      return Root;
  }
  return std::nullopt;
}

namespace {

/// Folders with Python packages, and who names them.
class PackageSearch {
public:
  void search(llvm::StringRef Dir);

  std::vector<std::pair<std::string, std::string>> Folders;
  std::vector<std::string> Searched;

private:
  void add(llvm::StringRef From, const std::vector<std::string> &Found) {
    for (const std::string &Folder : Found)
      Folders.emplace_back(Folder, From);
  }
  void addEnvironments();
  void addEnvironmentAbove(llvm::StringRef Dir);
  void addPythonOnPath(llvm::StringRef Dir);
};

} // namespace

static std::string environment(llvm::StringRef Name) {
  return llvm::sys::Process::GetEnv(Name).value_or("");
}

void PackageSearch::addEnvironments() {
  for (llvm::StringRef Variable : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (std::string Prefix = environment(Variable); !Prefix.empty()) {
      add(Variable, pythonPackageFolders(Prefix));
      Searched.push_back(Variable.str());
    }
}

void PackageSearch::addEnvironmentAbove(llvm::StringRef Dir) {
  std::string Absolute = absolutePath(Dir);
  Searched.push_back("'.venv' and 'venv' in or above '" + Absolute + "'");
  for (llvm::StringRef At = Absolute; !At.empty(); At = path::parent_path(At))
    for (llvm::StringRef Name : {".venv", "venv"})
      if (std::string Prefix = joinedPath(At, Name); has(Prefix, "pyvenv.cfg")) {
        add(Name, pythonPackageFolders(Prefix));
        return;
      }
}

/// What \p Python says itself: shims of version managers are scripts, whose folder shows nothing.
static std::vector<std::string> packagesAskedOf(const std::string &Python) {
  ProgramRun Run{
      Python,
      {"-I", "-S", "-c",
       "import sysconfig as s; print(s.get_path('purelib')); print(s.get_path('platlib'))"}};
  Run.Limits.Seconds = 10;
  Run.Limits.CpuSeconds = 5;
  Run.Limits.Output = size_t(1) << 16;
  llvm::Expected<ProgramEnd> End = runProgram(Run);
  if (!End) {
    llvm::consumeError(End.takeError());
    return {};
  }
  std::vector<std::string> Folders;
  if (End->succeeded())
    for (llvm::StringRef Line : llvm::split(llvm::StringRef(End->Output).trim(), '\n'))
      if (path::is_absolute(Line) && !llvm::is_contained(Folders, Line))
        Folders.push_back(Line.str());
  return Folders;
}

void PackageSearch::addPythonOnPath(llvm::StringRef Dir) {
  Searched.push_back("the python3 on PATH");
  std::vector<PythonPackages> Shown = packagesOfPythonOnPath();
  std::string Project = projectAround(Dir);
  std::optional<std::string> First =
      findProgram("python3", {Project.empty() ? absolutePath(Dir) : Project});
  auto IsFirst = [&](const PythonPackages &P) { return P.Python == *First; };
  if (First && llvm::none_of(Shown, IsFirst))
    add(*First, packagesAskedOf(*First));
  for (const PythonPackages &Packages : Shown)
    add(Packages.Python, {Packages.Folder});
}

void PackageSearch::search(llvm::StringRef Dir) {
  addEnvironments();
  addEnvironmentAbove(Dir);
  addPythonOnPath(Dir);
  add("the system", pythonPackageFolders("/usr/local"));
  add("the system", {DistributionRoot.str()});
  add("the system", pythonPackageFolders("/usr"));
  Searched.insert(Searched.end(), {"'/usr/local/lib'", "'/usr/lib'"});
}

std::vector<TorchRoot> installedTorchRoots(llvm::StringRef Dir, std::vector<std::string> &Notes,
                                           std::vector<std::string> &Searched) {
  PackageSearch Search;
  Search.search(Dir);
  std::vector<TorchRoot> Roots;
  for (const auto &[Folder, From] : Search.Folders) {
    if (std::optional<TorchRoot> Root = torchRootAt(Folder)) {
      Root->From = From;
      Roots.push_back(std::move(*Root));
    } else if (Roots.empty() && has(Folder, "torch/version.py")) {
      Notes.push_back("the PyTorch in '" + Folder + "' lacks '" + TorchRootLayouts[0].str() +
                      "', so its schemas are missing");
    }
  }
  Searched = std::move(Search.Searched);
  return Roots;
}

} // namespace opsig
