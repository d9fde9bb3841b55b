//===- PythonImports.cpp - Which file a Python name comes from ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Frontend/PythonImports.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <algorithm>

using namespace opsig;
using namespace llvm;

using PathParts = std::vector<std::string>;

static bool isPackage(StringRef File) { return sys::path::filename(File) == "__init__.py"; }

/// The folders and the name of the module that \p File is, from the outside in.
static PathParts modulePath(StringRef File, StringRef WorkingFolder) {
  SmallString<256> Path(File);
  sys::path::make_absolute(WorkingFolder, Path);
  sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  StringRef Module = Path;
  Module.consume_back(".py");
  PathParts Out;
  for (StringRef Part : make_range(sys::path::begin(Module), sys::path::end(Module)))
    Out.push_back(Part.str());
  if (!Out.empty() && Out.back() == "__init__")
    Out.pop_back();
  return Out;
}

PythonModules::PythonModules(ArrayRef<StringRef> Files) : Files(Files) {
  SmallString<256> Here;
  (void)sys::fs::current_path(Here);
  WorkingFolder = std::string(Here);
  for (size_t I = 0; I != Files.size(); ++I) {
    Paths.push_back(modulePath(Files[I], WorkingFolder));
    if (sys::path::extension(Files[I]) == ".py" && !Paths[I].empty())
      ByModule[Paths[I].back()].push_back(I);
  }
}

std::vector<size_t> PythonModules::withPath(ArrayRef<std::string> Parts,
                                            const PathParts *Base) const {
  // A relative import without a module is of the package itself.
  StringRef Last;
  if (!Parts.empty())
    Last = Parts.back();
  else if (Base && !Base->empty())
    Last = Base->back();
  std::vector<size_t> Found;
  auto Known = ByModule.find(Last);
  if (Known == ByModule.end())
    return Found;
  for (size_t I : Known->second) {
    ArrayRef<std::string> Path = Paths[I];
    bool IsThere = Path.size() >= Parts.size() && Path.take_back(Parts.size()) == Parts &&
                   (!Base || Path.drop_back(Parts.size()) == ArrayRef(*Base));
    if (IsThere && (!Parts.empty() || isPackage(Files[I])))
      Found.push_back(I);
  }
  return Found;
}

std::optional<PythonImport> PythonModules::find(StringRef From, StringRef Import) const {
  size_t Dots = Import.take_while([](char C) { return C == '.'; }).size();
  // ".mod:f" has the module in front of the colon.
  std::string Dotted = Import.drop_front(Dots).str();
  std::replace(Dotted.begin(), Dotted.end(), ':', '.');
  SmallVector<StringRef, 8> Words;
  StringRef(Dotted).split(Words, '.', -1, /*KeepEmpty=*/false);
  PathParts Parts(Words.begin(), Words.end()), Base;
  if (Dots) {
    Base = modulePath(From, WorkingFolder);
    // In a package's own file one dot stands for the package.
    size_t Up = Dots - (isPackage(From) ? 1 : 0);
    Base.resize(Base.size() - std::min(Up, Base.size()));
  }
  // The last word is the name, or the last two are: a function of a class.
  std::string Name;
  for (unsigned Taken = 1; Taken <= 2 && !Parts.empty(); ++Taken) {
    Name = Parts.back() + (Name.empty() ? "" : "." + Name);
    Parts.pop_back();
    if (Parts.empty() && !Dots)
      break;
    std::vector<size_t> Found = withPath(Parts, Dots ? &Base : nullptr);
    if (!Found.empty())
      return Found.size() == 1 ? std::optional(PythonImport{Found.front(), Name}) : std::nullopt;
  }
  return std::nullopt;
}
