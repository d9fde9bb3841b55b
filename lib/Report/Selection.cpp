//===- Selection.cpp - which checks a user wants ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Report/Selection.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"

using namespace opsig;
using namespace llvm;

static std::vector<std::string> allChecks() {
  std::vector<std::string> Names;
#define OPSIG_FINDING(Name, Id, Severity) Names.push_back("opsig-" Id);
#include "opsig/Support/Findings.def"
  return Names;
}

bool opsig::globMatches(StringRef Glob, StringRef Name) {
  // The last '*' may be given back characters; those before it never need to be.
  size_t Star = StringRef::npos, Retry = 0, G = 0, N = 0;
  while (N < Name.size()) {
    if (G < Glob.size() && Glob[G] == '*') {
      Star = G++;
      Retry = N;
    } else if (G < Glob.size() && Glob[G] == Name[N]) {
      ++G;
      ++N;
    } else if (Star != StringRef::npos) {
      G = Star + 1;
      N = ++Retry;
    } else {
      return false;
    }
  }
  return Glob.drop_front(G).find_first_not_of('*') == StringRef::npos;
}

std::string opsig::checkName(FindingId Id) { return ("opsig-" + findingName(Id)).str(); }

void CheckGlobs::append(StringRef List) {
  while (!List.empty()) {
    StringRef Glob = List.take_until([](char C) { return C == ',' || C == '\n'; });
    List = List.drop_front(std::min(List.size(), Glob.size() + 1));
    Glob = Glob.trim();
    bool Expected = !Glob.consume_front("-");
    Glob = Glob.ltrim();
    if (!Glob.empty())
      Items.push_back({Expected, Glob.str()});
  }
}

bool CheckGlobs::contains(StringRef Check) const {
  for (const Item &I : reverse(Items))
    if (globMatches(I.Glob, Check))
      return I.Expected;
  return false;
}

std::vector<std::string> CheckGlobs::unknown() const {
  std::vector<std::string> Names = allChecks(), Unknown;
  for (const Item &I : Items)
    if (none_of(Names, [&](StringRef Name) { return globMatches(I.Glob, Name); }))
      Unknown.push_back(I.Glob);
  return Unknown;
}

bool opsig::looksIntoBodies(const CheckGlobs &Checks) {
  return any_of(
      ArrayRef({finding::MutationUnmarked, finding::MutationPossible, finding::OperatorLooksPure,
                finding::AliasUnmarked, finding::AliasPossible, finding::MutationUnwritten,
                finding::DispatcherCallUnknown, finding::DispatcherCallType, finding::GradientCount,
                finding::KernelCallsItself, finding::SymbolicSize, finding::SymbolicValue,
                finding::FakeAlias}),
      [&](FindingId Id) { return Checks.contains(checkName(Id)); });
}

bool opsig::looksForUnstable(const CheckGlobs &Checks) {
  return any_of(ArrayRef({finding::UnstableType, finding::UnstableFunction, finding::UnstableMethod,
                          finding::UnstableMacro, finding::UnstableInclude, finding::UnstableBase,
                          finding::UnstableRegistration, finding::UnstableUnread}),
                [&](FindingId Id) { return Checks.contains(checkName(Id)); });
}

Expected<LevelRule> opsig::parseLevelRule(StringRef Text, StringRef Where) {
  auto [Glob, Word] = Text.split('=');
  Glob = Glob.trim();
  Word = Word.trim();
  if (Word != "error" && Word != "warning")
    return createStringError("invalid level '" + Text + "' (" + Where +
                             "); expected CHECK=error or CHECK=warning");
  if (std::vector<std::string> Unknown = CheckGlobs(Glob).unknown();
      Glob.empty() || !Unknown.empty())
    return unknownCheck(Glob, Where);
  return LevelRule{Glob.str(), Word == "error" ? Level::Error : Level::Warning};
}

Error opsig::unknownCheck(StringRef Check, StringRef Where) {
  std::string Meant = didYouMeanCheck(Check);
  return createStringError("unknown check '" + Check + "' (" + Where + ")" +
                           (Meant.empty() ? "; `opsig explain --list` lists all checks" : Meant));
}

std::string opsig::didYouMeanCheck(StringRef Check) {
  std::vector<std::string> Names = allChecks();
  std::vector<StringRef> Candidates(Names.begin(), Names.end());
  StringRef Bare = Check.ltrim('-');
  if (!Bare.empty() && Bare != "*" && CheckGlobs(("opsig-" + Bare).str()).unknown().empty())
    return ("; did you mean 'opsig-" + Bare + "'?").str();
  std::string Meant = didYouMean(Check, Candidates);
  auto IsBegun = [&](StringRef Name) { return Bare.size() > 6 && Name.starts_with(Bare); };
  if (Meant.empty() && count_if(Candidates, IsBegun) == 1)
    return ("; did you mean '" + *find_if(Candidates, IsBegun) + "'?").str();
  if (!Meant.empty() || Check.starts_with("opsig-"))
    return Meant;
  return didYouMean(("opsig-" + Check).str(), Candidates);
}
