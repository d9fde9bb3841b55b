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

static bool isTag(const PythonApi &Api) { return StringRef(Api.Name).starts_with("torch.Tag."); }

bool opsig::hasApi(const Dialect &D, const PythonApi &Api) {
  return isTag(Api) ? D.Schema.TagsOutAndInplace : is_contained(D.Library.Names, Api.Name);
}

std::string opsig::nameOfApi(const PythonApi &Api) {
  return isTag(Api) ? Api.Name : "torch.library." + Api.Name;
}

const Dialect *opsig::firstWithApi(const PythonApi &Api) {
  auto First = find_if(allDialects(), [&](const Dialect *D) { return hasApi(*D, Api); });
  return First == allDialects().end() ? nullptr : *First;
}

/// What \p Facts use and \p D lacks, though some release has it.
static const PythonApi *firstMissing(const PythonFacts &Facts, const Dialect &D) {
  auto Missing = find_if(Facts.Apis, [&](const PythonApi &Api) {
    return !Api.Guarded && hasApi(*allDialects().back(), Api) && !hasApi(D, Api);
  });
  return Missing == Facts.Apis.end() ? nullptr : &*Missing;
}

bool opsig::usesFullName(const LibraryUse &Use) {
  return Use.What == "define" ||
         (Use.What == "kernel" && StringRef(Use.Api).ends_with("library.impl"));
}

/// What \p D lacks of what the code uses, as a user would write it; "" if nothing.
static std::string missingUse(const PythonFacts &Facts, const Dialect &D) {
  const LibraryTraits &Library = D.Library;
  if (const PythonApi *Missing = firstMissing(Facts, D))
    return "'" + nameOfApi(*Missing) + "' (added in PyTorch " + firstWithApi(*Missing)->Name.str() +
           ")";
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
    std::string Missing = missingUse(*Unit.Python, Found);
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
