//===- ChosenModules.cpp - Python files of which a process loads one ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A package may import one module or another: `if torch.version.cuda: from .cuda import *`.
//
//===----------------------------------------------------------------------===//
#include "opsig/Frontend/ChosenModules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace opsig;
using namespace llvm;

ChosenModules::Places ChosenModules::placesOf(StringRef From, ArrayRef<std::string> Names,
                                              bool AsPackages) const {
  Places Out;
  for (const std::string &Name : Names) {
    // The file of which a name would be imported.
    std::optional<PythonImport> Found = Modules.find(From, Name + ".x");
    if (!Found || Found->Name != "x" || Modules.files()[Found->File] == From)
      continue;
    StringRef File = Modules.files()[Found->File];
    Out.insert(File.str());
    StringRef Folder = File.drop_back(sys::path::filename(File).size());
    // A package is loaded with its files; one of its own files says nothing of that.
    if (AsPackages && sys::path::filename(File) == "__init__.py" && !From.starts_with(Folder))
      Out.insert(Folder.str());
  }
  return Out;
}

void ChosenModules::add(StringRef From, const PythonAnswer &Answer) {
  for (const auto &Lists : Answer.Together)
    if (Lists.size() == 2)
      Blocks.push_back({placesOf(From, Lists[0], /*AsPackages=*/false),
                        placesOf(From, Lists[1], /*AsPackages=*/true)});
  for (const auto &Choice : Answer.Choices) {
    Branches Of;
    for (const PythonAnswer::ModuleNames &Names : Choice)
      Of.push_back(placesOf(From, Names, /*AsPackages=*/true));
    Choices.push_back(std::move(Of));
  }
}

bool ChosenModules::holds(const Places &Where, StringRef File) {
  return any_of(Where, [&](StringRef Place) {
    return Place == File || (Place.ends_with("/") && File.starts_with(Place));
  });
}

bool ChosenModules::areAlternatives(StringRef A, StringRef B) const {
  auto LoadsBoth = [&](const Block &In) {
    bool HasA = holds(In.Sure, A), HasB = holds(In.Sure, B);
    return (HasA && (HasB || holds(In.InBranches, B))) || (HasB && holds(In.InBranches, A));
  };
  auto Imports = [](StringRef File) {
    return [File](const Places &Branch) { return holds(Branch, File); };
  };
  return none_of(Blocks, LoadsBoth) && any_of(Choices, [&](const Branches &Choice) {
           return any_of(Choice, Imports(A)) && any_of(Choice, Imports(B));
         });
}
