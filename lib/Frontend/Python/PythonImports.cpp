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

using PathParts = SmallVector<StringRef, 8>;

/// The folders and the name of the module that \p File is, from the inside out; they point into
/// \p Path.
static PathParts modulePath(StringRef Name, SmallVectorImpl<char> &Path) {
  Path.assign(Name.begin(), Name.end());
  (void)sys::fs::make_absolute(Path);
  sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  StringRef File(Path.data(), Path.size());
  PathParts Out;
  File.consume_back(".py");
  for (auto It = sys::path::rbegin(File), End = sys::path::rend(File); It != End; ++It)
    if (!(Out.empty() && *It == "__init__" && It == sys::path::rbegin(File)))
      Out.push_back(*It);
  return Out;
}

namespace {

class ImportFinder {
public:
  ImportFinder(StringRef From, StringRef Import) : Import(Import) {
    Dots = this->Import.take_while([](char C) { return C == '.'; }).size();
    this->Import = this->Import.drop_front(Dots);
    Base = modulePath(From, FromPath);
    // In a package's own file one dot stands for the package.
    size_t Up = Dots - (Dots && sys::path::filename(From) == "__init__.py" ? 1 : 0);
    Base.erase(Base.begin(), Base.begin() + std::min(Up, Base.size()));
  }

  std::optional<PythonImport> find(ArrayRef<StringRef> Files) const {
    PathParts Parts;
    // ".mod:f" has the module in front of the colon.
    std::string Dotted = Import.str();
    std::replace(Dotted.begin(), Dotted.end(), ':', '.');
    StringRef(Dotted).split(Parts, '.', -1, /*KeepEmpty=*/false);
    // The last word is the name, or the last two are: a function of a class.
    std::string Name;
    for (unsigned Words = 1; Words <= 2 && !Parts.empty(); ++Words) {
      Name = Parts.pop_back_val().str() + (Name.empty() ? "" : "." + Name);
      SmallVector<size_t, 2> Found;
      for (size_t I = 0; I != Files.size(); ++I)
        if (isModule(Files[I], Parts))
          Found.push_back(I);
      if (!Found.empty())
        return Found.size() == 1 ? std::optional(PythonImport{Found.front(), Name}) : std::nullopt;
    }
    return std::nullopt;
  }

private:
  bool isModule(StringRef File, ArrayRef<StringRef> Parts) const {
    StringRef Last = Parts.empty() ? StringRef("__init__") : Parts.back();
    StringRef Stem = sys::path::stem(File);
    if (sys::path::extension(File) != ".py" || (Stem != Last && Stem != "__init__"))
      return false;
    SmallString<256> Text;
    PathParts Path = modulePath(File, Text);
    if (Path.size() < Parts.size() || !std::equal(Parts.rbegin(), Parts.rend(), Path.begin()))
      return false;
    ArrayRef<StringRef> Above = ArrayRef(Path).drop_front(Parts.size());
    return Dots ? Above == ArrayRef(Base) : !Parts.empty();
  }

  StringRef Import;
  size_t Dots;
  SmallString<256> FromPath;
  PathParts Base;
};

} // namespace

std::optional<PythonImport> opsig::findPythonImport(StringRef From, StringRef Import,
                                                    ArrayRef<StringRef> Files) {
  return ImportFinder(From, Import).find(Files);
}
