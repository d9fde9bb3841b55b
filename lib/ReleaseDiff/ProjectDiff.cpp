//===- ProjectDiff.cpp - What changes in a project's own operators -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/ReleaseDiff/ProjectDiff.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <tuple>

namespace opsig {

namespace {

using ByName = std::map<llvm::StringRef, const ProjectOperator *>;

ByName byName(const ProjectOperators &Of) {
  ByName Out;
  for (const ProjectOperator &Op : Of.All)
    Out.try_emplace(Op.Name, &Op);
  return Out;
}

/// A namespace may stand in the string, or around it.
FunctionSchema withoutNamespace(FunctionSchema S) {
  S.Name.Name.Namespace.clear();
  return S;
}

/// Nothing where both have the same schema.
std::optional<ProjectChange> compare(const ProjectOperator &Old, const ProjectOperator &New) {
  ProjectChange Out{ProjectChange::Compatible, &Old, &New, "", ""};
  if (!Old.Schema || !New.Schema) {
    Out.Is = ProjectChange::Unknown;
    Out.Why = !New.Schema ? "its schema could not be read" : "its old schema could not be read";
    return Out;
  }
  if (auto Why = whyNotBackwardCompatible(*New.Schema, *Old.Schema)) {
    Out.Is = ProjectChange::Breaking;
    Out.Why = std::move(*Why);
  }
  Out.WhyNotForward = whyNotForwardCompatible(*New.Schema, *Old.Schema).value_or("");
  bool IsSame = withoutNamespace(Old.Schema->Schema) == withoutNamespace(New.Schema->Schema);
  if (IsSame && !Out.breaks() && Out.WhyNotForward.empty())
    return std::nullopt;
  return Out;
}

/// One that only one side has, where \p Other might have it in what was not read.
ProjectChange onlyIn(const ProjectOperator &Op, bool IsOld, const ProjectOperators &Other) {
  ProjectChange Out{IsOld ? ProjectChange::Removed : ProjectChange::Added, IsOld ? &Op : nullptr,
                    IsOld ? nullptr : &Op, "", ""};
  if (Other.isOpen(Op.operatorNamespace())) {
    Out.Is = ProjectChange::Unknown;
    Out.Why = IsOld ? "not found, but some files were not read completely"
                    : "not found in the old revision, but some of its files were not read "
                      "completely";
  }
  return Out;
}

} // namespace

std::string ProjectOperator::str() const {
  if (!Schema)
    return Name;
  return operatorNamespace().str() + "::" + withoutNamespace(Schema->Schema).str();
}

llvm::StringRef toString(ProjectChange::Kind Kind) {
  static constexpr llvm::StringLiteral Names[] = {"removed", "breaking", "compatible", "added",
                                                  "unknown"};
  return Names[Kind];
}

size_t ProjectDiff::count(ProjectChange::Kind Kind) const {
  return llvm::count_if(Changes, [&](const ProjectChange &C) { return C.Is == Kind; });
}

bool ProjectDiff::breaks() const {
  return llvm::any_of(Changes, [](const ProjectChange &C) { return C.breaks(); });
}

ProjectDiff compareProjects(const ProjectOperators &Old, const ProjectOperators &New) {
  ProjectDiff Out;
  ByName Before = byName(Old), After = byName(New);
  for (const auto &[Name, Op] : Before) {
    auto Successor = After.find(Name);
    if (Successor == After.end()) {
      Out.Changes.push_back(onlyIn(*Op, /*IsOld=*/true, New));
    } else if (std::optional<ProjectChange> Change = compare(*Op, *Successor->second)) {
      Out.Changes.push_back(std::move(*Change));
    } else {
      ++Out.Unchanged;
    }
  }
  for (const auto &[Name, Op] : After)
    if (!Before.count(Name))
      Out.Changes.push_back(onlyIn(*Op, /*IsOld=*/false, Old));
  llvm::sort(Out.Changes, [](const ProjectChange &L, const ProjectChange &R) {
    return std::tie(L.Is, L.shown().Name) < std::tie(R.Is, R.shown().Name);
  });
  return Out;
}

} // namespace opsig
