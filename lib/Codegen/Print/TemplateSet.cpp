//===- TemplateSet.cpp - The template files of a run ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Codegen/TemplateSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace opsig {

BlockLines blockLinesOf(const Dialect &D) {
  return D.Output.TrimsTemplateLines ? BlockLines::Trim : BlockLines::Keep;
}

void TemplateSet::add(StringRef Name, FileId File) {
  ByName.insert_or_assign(Name, Entry{File, CodeTemplate(Files->name(File), Files->text(File))});
}

const TemplateSet::Entry *TemplateSet::find(StringRef Name) const {
  auto It = ByName.find(Name);
  return It == ByName.end() ? nullptr : &It->second;
}

bool TemplateSet::check(StringRef Name, const TemplateValues &Values, ArrayRef<StringRef> Required,
                        Diagnostics &Diags) const {
  const Entry *Found = find(Name);
  if (!Found) {
    Diags.report(diag::TemplateMissing, Place{}, "there is no template '{0}'", Name);
    return false;
  }
  FileId File = Found->File;
  ArrayRef<TemplateHole> Holes = Found->Template.holes();
  bool Good = true;

  for (const TemplateHole &Hole : Holes)
    if (!Values.contains(Hole.Name)) {
      std::vector<StringRef> Known(Values.keys().begin(), Values.keys().end());
      sort(Known); // The map's order is not the same everywhere.
      Diags.report(diag::TemplateUnknownHole, Files->placeAt(File, Hole.At, Hole.End - Hole.At),
                   "nothing fills the hole '{0}' in a template '{1}'{2}", Hole.Name, Name,
                   didYouMean(Hole.Name, Known));
      Good = false;
    }
  for (StringRef Want : Required)
    if (none_of(Holes, [&](const TemplateHole &Hole) { return Hole.Name == Want; })) {
      Diags.report(diag::TemplateMissingHole, Place{File, 1, 1, 0},
                   "a template '{0}' needs a hole '${{{1}}', or generated code would be left out",
                   Name, Want);
      Good = false;
    }
  return Good;
}

std::string TemplateSet::fill(StringRef Name, const TemplateValues &Values,
                              const Dialect &D) const {
  const Entry *Found = find(Name);
  if (!Found)
    return "";
  Expected<std::string> Text = Found->Template.fill(Values, blockLinesOf(D));
  if (Text)
    return std::move(*Text);
  consumeError(Text.takeError()); // check() tells of it.
  return "";
}

} // namespace opsig
