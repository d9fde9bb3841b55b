//===- PythonRelease.cpp - The release that Python code is written for -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Python/PythonInternal.h"
#include "opsig/Check/PythonRelease.h"
#include "opsig/Dialect/LibraryTraits.h"
#include "opsig/Dialect/PythonTraits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace opsig;
using namespace llvm;

/// What \p Facts use and \p Library lacks, though some release has it.
static const PythonApi *firstMissing(const PythonFacts &Facts, const LibraryTraits &Library) {
  const LibraryTraits &Newest = allDialects().back()->Library;
  auto Missing = find_if(Facts.Apis, [&](const PythonApi &Api) {
    return !Api.Guarded && is_contained(Newest.Names, Api.Name) &&
           !is_contained(Library.Names, Api.Name);
  });
  return Missing == Facts.Apis.end() ? nullptr : &*Missing;
}

const Dialect *opsig::firstWithLibraryName(StringRef Name) {
  auto First = find_if(allDialects(),
                       [&](const Dialect *D) { return is_contained(D->Library.Names, Name); });
  return First == allDialects().end() ? nullptr : *First;
}

bool opsig::usesFullName(const LibraryUse &Use) {
  return Use.What == "define" ||
         (Use.What == "kernel" && StringRef(Use.Api).ends_with("library.impl"));
}

/// What \p Library lacks of what the code uses, as a user would write it; "" if nothing.
static std::string missingUse(const PythonFacts &Facts, const LibraryTraits &Library) {
  if (const PythonApi *Missing = firstMissing(Facts, Library)) {
    const Dialect *First = firstWithLibraryName(Missing->Name);
    return "'torch.library." + Missing->Name + "' (added in PyTorch " + First->Name.str() + ")";
  }
  const LibraryTraits &Newest = allDialects().back()->Library;
  if (any_of(Facts.Libraries, [&](const PythonLibrary &L) {
        return is_contained(Newest.Kinds, L.Kind.Value) &&
               !is_contained(Library.Kinds, L.Kind.Value);
      }))
    return "'torch.library.Library(..., \"FRAGMENT\")'";
  if (!Library.TakesFullNames && any_of(Facts.Uses, usesFullName))
    return "'torch.library.impl(\"namespace::name\", ...)'";
  return "";
}

std::optional<NewerRelease> opsig::newerPythonRelease(ArrayRef<UnitFacts> Units,
                                                      const Dialect &Found) {
  for (const UnitFacts &Unit : Units) {
    if (!Unit.Python)
      continue;
    std::string Missing = missingUse(*Unit.Python, Found.Library);
    if (Missing.empty())
      continue;
    const Dialect *Newest = allDialects().back();
    return NewerRelease{
        Newest,
        formatv("the installed PyTorch {0} has no {1}, so the Python files are checked "
                "against the rules of PyTorch {2}; pass --torch VERSION to choose a release",
                Found.Name, Missing, Newest->Name)
            .str()};
  }
  return std::nullopt;
}

StringGrammars::StringGrammars(const Dialect &D, const Dialect *OfPython)
    : Cpp(grammarOf(D)), Python(OfPython ? grammarOf(*OfPython) : Cpp) {}
