//===- TemplateSet.cpp - The template files of a run ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Codegen/TemplateSet.h"
#include "opsig/Dialect/OutputTraits.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace opsig {

void TemplateSet::add(StringRef Name, SourceId File) {
  ByName.insert_or_assign(Name, Entry{File, CodeTemplate(Files->text(File))});
}

bool TemplateSet::print(StringRef Name, std::string &To, const Filling &With,
                        Findings &Diags) const {
  auto Found = ByName.find(Name);
  if (Found == ByName.end()) {
    Diags.report(finding::TemplateMissing, Place{}, "template '{0}' was not found", Name);
    return false;
  }
  const auto &[File, Template] = Found->second;
  ArrayRef<TemplateHole> Holes = Template.holes();
  bool Good = true;

  std::vector<StringRef> Known;
  for (const TemplateValue &V : With.Values)
    Known.push_back(V.Name);
  sort(Known);
  for (const TemplateHole &Hole : Holes)
    if (!is_contained(Known, Hole.Name)) {
      Diags.report(finding::TemplateUnknownHole,
                   Files->placeAt(File, Hole.Begin, Hole.End - Hole.Begin),
                   "unknown placeholder '{0}' in template '{1}'{2}", Hole.Name, Name,
                   didYouMean(Hole.Name, Known));
      Good = false;
    }
  for (StringRef Want : With.Required)
    if (none_of(Holes, [&](const TemplateHole &Hole) { return Hole.Name == Want; })) {
      Diags.report(
          finding::TemplateMissingHole, Place{File, 1, 1, 0},
          "template '{0}' has no placeholder '${{{1}}', so generated code would be missing", Name,
          Want);
      Good = false;
    }
  if (Good)
    Template.print(To, With.Values,
                   With.D.Output.TrimsTemplateLines ? BlockLines::Trim : BlockLines::Keep);
  return Good;
}

} // namespace opsig
