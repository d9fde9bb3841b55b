//===- OperatorSuggestion.cpp - Which operator was meant ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Operators/OperatorSuggestion.h"
#include "opsig/Support/TypoCorrection.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace opsig {
namespace {

/// "ns::" and "add" of "ns::add".
std::pair<StringRef, StringRef> splitNamespace(StringRef Name) {
  size_t Colons = Name.rfind("::");
  size_t Begin = Colons == StringRef::npos ? 0 : Colons + 2;
  return {Name.take_front(Begin), Name.drop_front(Begin)};
}

/// "out" and "Scalar_out" write to an argument.
bool isOut(StringRef Overload) { return Overload == "out" || Overload.ends_with("_out"); }

} // namespace

std::pair<StringRef, StringRef> splitOverload(StringRef Operator) {
  size_t Dot = Operator.find('.', splitNamespace(Operator).first.size());
  if (Dot == StringRef::npos)
    return {Operator, ""};
  return {Operator.take_front(Dot), Operator.drop_front(Dot + 1)};
}

std::string OperatorSuggestion::text() const {
  constexpr size_t MostNames = 6;
  if (Names.empty())
    return "";
  auto Quoted = [](llvm::ArrayRef<std::string> Some) {
    std::string Out = llvm::join(
        llvm::map_range(Some.take_front(MostNames), [](auto &Name) { return "'" + Name + "'"; }),
        ", ");
    return Some.size() > MostNames
               ? Out + " and " + std::to_string(Some.size() - MostNames) + " more"
               : Out;
  };
  llvm::ArrayRef<std::string> Others = llvm::ArrayRef(Names).drop_front();
  if (Others.empty() || HasBest) {
    std::string Best = "; did you mean '" + Names.front() + "'?";
    return Others.empty() || IsTypoOfOverload ? Best
                                              : Best + " (other overloads: " + Quoted(Others) + ")";
  }
  if (Is == Overload)
    return "; existing overloads: " + Quoted(Names);
  return "; did you mean " + Quoted(Names.front()) + " or " + Quoted(Others) + "?";
}

OperatorNameIndex::OperatorNameIndex(llvm::ArrayRef<StringRef> Names, size_t Comparisons)
    : ComparisonsLeft(Comparisons) {
  for (StringRef Name : Names) {
    auto [It, New] = Overloads.try_emplace(splitOverload(Name).first);
    if (New)
      Bases.push_back(It->first());
    if (!llvm::is_contained(It->second, Name))
      It->second.push_back(Name);
  }
}

bool OperatorNameIndex::has(StringRef Name) const {
  auto It = Overloads.find(splitOverload(Name).first);
  return It != Overloads.end() && llvm::is_contained(It->second, Name);
}

/// What the kernel fits first, then what the overload's name is a typo for, then those that write
/// to an argument as the written one does.
OperatorSuggestion OperatorNameIndex::overloadsOf(StringRef Base, StringRef Overload,
                                                  llvm::function_ref<bool(StringRef)> Fits) const {
  struct Candidate {
    StringRef Name;
    bool Fits, IsNear, SameForm;
  };
  std::vector<Candidate> All;
  for (StringRef Name : Overloads.find(Base)->second) {
    StringRef Own = splitOverload(Name).second;
    All.push_back({Name, Fits(Name), countTyposByWord(Overload, Own).has_value(),
                   isOut(Own) == isOut(Overload)});
  }
  llvm::stable_sort(All, [](const Candidate &L, const Candidate &R) {
    return std::tuple(!L.Fits, !L.IsNear, !L.SameForm) <
           std::tuple(!R.Fits, !R.IsNear, !R.SameForm);
  });
  OperatorSuggestion Out{OperatorSuggestion::Overload};
  auto Fitting = llvm::count_if(All, [](const Candidate &C) { return C.Fits; });
  auto Near = llvm::count_if(All, [](const Candidate &C) { return C.IsNear; });
  Out.HasBest = Fitting == 1 || (Fitting == 0 && Near == 1);
  for (const Candidate &C : All)
    Out.Names.push_back(C.Name.str());
  Out.IsTypoOfOverload = Out.HasBest && All.front().IsNear;
  return Out;
}

/// The same operator without the namespace, with PyTorch's, or with '.' in place of the '_' that
/// names in C++ have.
OperatorSuggestion
OperatorNameIndex::otherSpelling(StringRef Written,
                                 llvm::function_ref<bool(StringRef)> Fits) const {
  auto [Namespace, Name] = splitNamespace(Written);
  std::string Other = Namespace.empty() ? ("aten::" + Name).str() : Name.str();
  if (has(Other))
    return {OperatorSuggestion::Spelling, {Other}};
  auto [Base, Overload] = splitOverload(Other);
  if ((Namespace.empty() || Namespace == "aten::") && hasOperator(Base))
    return overloadsOf(Base, Overload, Fits);
  if (!splitOverload(Written).second.empty())
    return {};
  for (size_t At = Name.find('_'); At != StringRef::npos; At = Name.find('_', At + 1)) {
    std::string Dotted = Written.str();
    Dotted[Namespace.size() + At] = '.';
    if (has(Dotted))
      return {OperatorSuggestion::Spelling, {Dotted}};
  }
  return {};
}

OperatorSuggestion OperatorNameIndex::suggest(StringRef Written,
                                              llvm::function_ref<bool(StringRef)> Fits) {
  auto [Base, Overload] = splitOverload(Written);
  if (hasOperator(Base))
    return overloadsOf(Base, Overload, Fits);
  if (OperatorSuggestion Same = otherSpelling(Written, Fits))
    return Same;
  if (ComparisonsLeft < Bases.size())
    return {};
  ComparisonsLeft -= Bases.size();
  auto [Namespace, Name] = splitNamespace(Base);
  std::vector<StringRef> Nearest;
  unsigned Fewest = 0;
  for (StringRef Known : Bases) {
    auto [KnownNamespace, KnownName] = splitNamespace(Known);
    std::optional<unsigned> Count =
        KnownNamespace == Namespace ? countTyposByWord(Name, KnownName) : std::nullopt;
    if (!Count || (!Nearest.empty() && *Count > Fewest))
      continue;
    if (*Count < Fewest)
      Nearest.clear();
    Fewest = *Count;
    Nearest.push_back(Known);
  }
  OperatorSuggestion Out;
  for (StringRef Known : Nearest) {
    OperatorSuggestion Own = overloadsOf(Known, Overload, Fits);
    bool IsWhole = has((Known + Written.drop_front(Base.size())).str());
    std::vector<std::string> Names =
        IsWhole ? std::vector{(Known + Written.drop_front(Base.size())).str()} : Own.Names;
    Out.HasBest = Nearest.size() == 1 && Own.HasBest;
    Out.IsTypoOfOverload = Out.HasBest && Own.IsTypoOfOverload;
    Out.Is = OperatorSuggestion::Typo;
    llvm::append_range(Out.Names, Names);
  }
  return Out;
}

} // namespace opsig
