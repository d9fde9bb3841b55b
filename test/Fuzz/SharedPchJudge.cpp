//===- SharedPchJudge.cpp - Does a source read the same with a prefix? ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Parse/ParseInternal.h"
#include "Parse/SharedPchInternal.h"
#include "Serialize/FactsInternal.h"
#include "SharedPch/SharedPchPlan.h"
#include "SharedPchJudge.h"
#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace opsig::fuzz;

namespace {

bool isOurs(llvm::StringRef Path) { return Path.starts_with("/mem/"); }

std::optional<SharedPchGroup> plan(const ParseJob &Job, const ParseOptions &Options) {
  std::optional<ScannedIncludes> Scan = scanIncludes(Job, Options);
  if (!Scan)
    return std::nullopt;
  ScannedIncludes Twice[] = {*Scan, *Scan};
  std::optional<IncludeGraph> Graph = includeGraph(Job, Options, allIncludes(Twice));
  if (!Graph)
    return std::nullopt;
  // The tests' headers are small, and are shared all the same.
  std::vector<SharedPchGroup> Groups =
      planSharedPchs(Twice, *Graph, isOurs, {/*LeastPrefix=*/1, /*LeastHeader=*/0});
  return Groups.size() == 1 ? std::optional(std::move(Groups.front())) : std::nullopt;
}

std::string print(const UnitFacts &Unit) {
  std::string Text;
  llvm::raw_string_ostream(Text) << unitToJson(Unit) << llvm::join(Unit.TorchFolders, ",");
  return Text;
}

} // namespace

struct SharedPchJudge::Kept {
  FileStates States;
  std::map<std::string, std::optional<SharedPch>> ByContent;
};

SharedPchJudge::SharedPchJudge() : All(std::make_unique<Kept>()) {}
SharedPchJudge::~SharedPchJudge() = default;

const SharedPch *SharedPchJudge::sharedPchFor(const ParseJob &Job, ParseOptions Options) {
  Options.IsProjectFile = isOurs;
  std::optional<SharedPchGroup> Group = plan(Job, Options);
  if (!Group)
    return nullptr;
  std::string Content;
  for (const LeadingMacro &Macro : Group->Macros)
    Content += Macro.Text + "\n";
  for (const IncludeSpelling &Header : Group->Headers)
    Content += Header.directive();
  for (llvm::StringRef Flag : Job.Command)
    if (Flag != Job.File)
      Content += Flag.str() + "\n";
  auto [At, New] = All->ByContent.try_emplace(Content);
  if (New) {
    // One that the file shares with others, which do not have its macros, if they are harmless.
    if (!Group->Macros.empty())
      At->second = makeSharedPch(Job, Options, {{}, Group->Headers, {Group->Macros}}, All->States);
    if (!At->second || At->second->Harmless.empty())
      At->second = makeSharedPch(Job, Options, {Group->Macros, Group->Headers}, All->States);
  }
  return At->second ? &*At->second : nullptr;
}

std::optional<std::string> SharedPchJudge::difference(const SharedPch &P, const ParseJob &Job,
                                                      ParseOptions Options) {
  Options.IsProjectFile = isOurs;
  SharedPchFit Fit(P);
  ParseAids Aids;
  Aids.SharedPch = &Fit;
  std::string With = print(parseKernels(Job, Options, NoteText(), Aids));
  if (!Fit.fits())
    return std::nullopt;
  std::string Without = print(parseKernels(Job, Options));
  if (With == Without)
    return std::nullopt;
  return "with the prefix:\n" + With + "\nwithout:\n" + Without;
}
