//===- SiftFindings.cpp - what of all diagnostics the user gets to see ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Report/SiftFindings.h"
#include "opsig/Report/Suppress.h"
#include "opsig/Support/PathGlob.h"
#include "opsig/Support/ReadFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <map>
#include <set>

using namespace opsig;
using namespace llvm;

size_t SiftedFindings::count(SuppressedBy Why) const {
  return count_if(Suppressed, [&](const SuppressedFinding &S) { return S.Why == Why; });
}

FindingFilter opsig::filterOf(const ProjectConfig &Project) {
  FindingFilter Filter;
  Filter.Checks.append(Project.Checks);
  for (const std::string &Text : Project.Levels) {
    if (Expected<LevelRule> Rule = parseLevelRule(Text))
      Filter.Levels.push_back(std::move(*Rule));
    else
      consumeError(Rule.takeError());
  }
  Filter.SuppressedPaths = Project.SuppressPaths;
  if (Project.Baseline.empty())
    return Filter;
  auto Text = readWholeFile(Project.Baseline);
  if (!Text) {
    consumeError(Text.takeError());
    return Filter;
  }
  Expected<Baseline> Known =
      Baseline::read((*Text)->getBuffer(), sys::path::parent_path(Project.Baseline));
  if (Known)
    Filter.Known = std::move(*Known);
  else
    consumeError(Known.takeError());
  return Filter;
}

/// Every file that \p D names, by reference.
template <typename Use> static void forEachFile(Finding &D, Use Fn) {
  Fn(D.At.File);
  for (Note &N : D.Notes)
    Fn(N.At.File);
  for (Fix &F : D.Fixes)
    Fn(F.File);
}

void opsig::unifyFiles(Findings &Diags, ArrayRef<std::string> Preferred, const SourceFiles &Files) {
  std::vector<Finding> All = Diags.all().vec();
  std::set<SourceId> Used;
  for (Finding &D : All)
    forEachFile(D, [&](SourceId File) { Used.insert(File); });
  Used.erase(SourceId::None);

  std::set<StringRef> IsPreferred(Preferred.begin(), Preferred.end());
  std::map<std::string, SourceId> Best; // by real path
  std::map<SourceId, std::string> Real;
  auto Rank = [&](SourceId File) {
    return std::pair(!IsPreferred.count(Files.name(File)), Files.name(File));
  };
  for (SourceId File : Used) {
    std::string Path = realPath(Files.name(File));
    auto [It, New] = Best.try_emplace(Path, File);
    if (!New && Rank(File) < Rank(It->second))
      It->second = File;
    Real[File] = std::move(Path);
  }
  if (Best.size() == Used.size())
    return;
  Diags = Findings();
  for (Finding &D : All) {
    forEachFile(D, [&](SourceId &File) {
      if (File != SourceId::None)
        File = Best[Real[File]];
    });
    Diags.append(std::move(D));
  }
}

namespace {

class Sifter {
public:
  Sifter(FindingFilter &Filter, const SourceFiles &Files) : Filter(Filter), Files(Files) {}

  SiftedFindings Result;

  void put(Finding D) {
    std::string Check = checkName(D.Id);
    if (!Filter.Checks.contains(Check))
      return;
    for (const LevelRule &Rule : Filter.Levels)
      if (globMatches(Rule.Glob, Check))
        D.Severity = Rule.Severity;
    if (D.At.File != SourceId::None) {
      if (isSuppressedPath(D.At.File))
        return silence(std::move(D), SuppressedBy::Path);
      const SuppressingComments &Comments = commentsOf(D.At.File);
      Place Comment = Comments.suppresses(Check, D.At.Line);
      if (Comment.isValid())
        return silence(std::move(D), SuppressedBy::Comment, Comment);
      // Whoever wants to keep the code as it is shall not find it edited.
      if (Comments.meansToSuppress(Check, D.At.Line).isValid())
        D.Fixes.clear();
    }
    if (Filter.Known && Filter.Known->take(D, Files))
      return silence(std::move(D), SuppressedBy::Baseline);
    Result.Reported.append(std::move(D));
  }

  void readComments(SourceId File) {
    if (!isSuppressedPath(File))
      commentsOf(File);
  }

  /// Mistakes in all files whose comments were asked for.
  Findings mistakes() const {
    Findings Diags;
    for (const auto &[File, C] : Comments)
      C.reportMistakes(Diags);
    return Diags;
  }

private:
  void silence(Finding D, SuppressedBy Why, Place Comment = {}) {
    Result.Suppressed.push_back({std::move(D), Why, Comment});
  }

  const SuppressingComments &commentsOf(SourceId File) {
    auto It = Comments.find(File);
    if (It == Comments.end())
      It = Comments.emplace(File, SuppressingComments(File, Files)).first;
    return It->second;
  }

  bool isSuppressedPath(SourceId File) const {
    if (Filter.SuppressedPaths.empty())
      return false;
    std::string Path = absolutePath(Files.name(File));
    return any_of(Filter.SuppressedPaths,
                  [&](StringRef Glob) { return pathGlobCovers(Glob, Path); });
  }

  FindingFilter &Filter;
  const SourceFiles &Files;
  std::map<SourceId, SuppressingComments> Comments;
};

} // namespace

SiftedFindings opsig::sift(Findings Diags, FindingFilter &Filter, const SourceFiles &Files,
                           ArrayRef<SourceId> Commented) {
  Diags.sort(Files);
  Sifter S(Filter, Files);
  for (SourceId File : Commented)
    S.readComments(File);
  for (const Finding &D : Diags.all())
    S.put(D);
  Findings Mistakes = S.mistakes();
  for (const Finding &D : Mistakes.all())
    S.put(D);
  S.Result.Reported.sort(Files);
  return std::move(S.Result);
}
