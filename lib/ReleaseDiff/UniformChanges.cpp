//===- UniformChanges.cpp - What changes everywhere in one way --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// unchanged schema => the types of each part in both dialects => words that differ, and types that
// do; each once, with a count
//
// There is no list of what releases changed: it is all found by comparing.
//
//===----------------------------------------------------------------------===//
#include "ReleaseDiffInternal.h"
#include "opsig/Signature/Python.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace opsig {

namespace {

/// Names with their namespaces, and single signs.
std::vector<llvm::StringRef> words(llvm::StringRef Text) {
  auto IsName = [](char C) { return llvm::isAlnum(C) || C == '_' || C == ':'; };
  std::vector<llvm::StringRef> Out;
  while (!(Text = Text.ltrim()).empty()) {
    llvm::StringRef Word = Text.take_while(IsName);
    if (Word.empty())
      Word = Text.take_front();
    Out.push_back(Word);
    Text = Text.drop_front(Word.size());
  }
  return Out;
}

} // namespace

std::vector<std::pair<std::string, std::string>> wordDifferences(llvm::StringRef Old,
                                                                 llvm::StringRef New) {
  std::vector<std::pair<std::string, std::string>> Out;
  auto Add = [&](std::string From, std::string To) {
    std::pair<std::string, std::string> Pair(std::move(From), std::move(To));
    if (Pair.first != Pair.second && !llvm::is_contained(Out, Pair))
      Out.push_back(std::move(Pair));
  };
  std::vector<llvm::StringRef> From = words(Old), To = words(New);
  if (From.size() == To.size()) {
    for (auto [L, R] : llvm::zip(From, To))
      Add(L.str(), R.str());
    return Out;
  }
  llvm::ArrayRef<llvm::StringRef> L = From, R = To;
  while (!L.empty() && !R.empty() && L.front() == R.front()) {
    L = L.drop_front();
    R = R.drop_front();
  }
  while (!L.empty() && !R.empty() && L.back() == R.back()) {
    L = L.drop_back();
    R = R.drop_back();
  }
  // As it stands in the text, spaces and all.
  auto Stretch = [](llvm::ArrayRef<llvm::StringRef> Of) {
    return std::string(Of.front().begin(), Of.back().end());
  };
  // The sign alone would say nothing of what is added to what.
  if (L.empty() || R.empty())
    Add(Old.str(), New.str());
  else
    Add(Stretch(L), Stretch(R));
  return Out;
}

unsigned UniformChanges::entry(UniformChange::Kind Kind, std::string From, std::string To,
                               llvm::StringRef Where) {
  auto [It, IsNew] = Known.try_emplace(Key(From, To, Kind), unsigned(Entries.size()));
  if (IsNew) {
    Entry &Made = Entries.emplace_back();
    Made.Change = {Kind, "", std::move(From), std::move(To), 0, ""};
  }
  Entry &Of = Entries[It->second];
  if (Kind == UniformChange::Rule && !llvm::is_contained(Of.Where, Where))
    Of.Where.push_back(Where);
  return It->second;
}

void UniformChanges::compareTypes(llvm::StringRef Where, const std::string &OldText,
                                  const std::string &NewText, bool SameType,
                                  std::vector<unsigned> &Ids) {
  if (!SameType) {
    Ids.push_back(entry(UniformChange::Rule, OldText, NewText, Where));
    return;
  }
  if (OldText != NewText)
    for (auto &[From, To] : wordDifferences(OldText, NewText))
      Ids.push_back(entry(UniformChange::Spelling, From, To, Where));
}

llvm::ArrayRef<unsigned> UniformChanges::of(const Argument &A, const Lowering &L) {
  std::string Text = A.Ty.str() + (A.isWrite() ? "!" : " ") +
                     (L.ConstRefForMutableTensors ? "c" : " ") +
                     (L.IListRefForTensorLists ? "i" : " ") + A.Default.value_or("");
  auto [It, IsNew] = OfText.try_emplace(Text);
  std::vector<unsigned> &Ids = It->getValue();
  if (!IsNew)
    return Ids;
  const Dialect &OldD = Old.dialect(), &NewD = New.dialect();
  Lowering OldL = L, NewL = L;
  OldL.D = &OldD;
  NewL.D = &NewD;
  auto Compare = [&](llvm::StringRef Where, const CType &From, const CType &To) {
    compareTypes(Where, From.str(OldD), To.str(NewD), From == To, Ids);
  };
  for (bool SymInt : {false, true}) {
    Compare("dispatcher", cppType(A, OldL, SymInt), cppType(A, NewL, SymInt));
    Compare("native", nativeType(A, OldL, SymInt), nativeType(A, NewL, SymInt));
    if (A.Default)
      compareTypes("defaults", defaultText(*A.Default, A.Ty, OldD, SymInt),
                   defaultText(*A.Default, A.Ty, NewD, SymInt), /*SameType=*/true, Ids);
  }
  std::optional<std::string> From = pythonTypeText(A.Ty, OldD), To = pythonTypeText(A.Ty, NewD);
  // The parser's words follow the schema type alone.
  if (From && To)
    compareTypes("python", *From, *To, /*SameType=*/true, Ids);
  return Ids;
}

llvm::ArrayRef<unsigned> UniformChanges::ofReturn(const Return &R) {
  auto [It, IsNew] = OfText.try_emplace("->" + R.Ty.str() + (R.isWrite() ? "!" : ""));
  std::vector<unsigned> &Ids = It->getValue();
  if (!IsNew)
    return Ids;
  Lowering OldL{&Old.dialect()}, NewL{&New.dialect()};
  for (bool SymInt : {false, true}) {
    ReturnCType From = returnsType(R, OldL, SymInt), To = returnsType(R, NewL, SymInt);
    compareTypes(SymInt ? "dispatcher" : "cpp", From.str(Old.dialect()), To.str(New.dialect()),
                 From == To, Ids);
  }
  return Ids;
}

void UniformChanges::count(const NativeFunction &F, llvm::ArrayRef<unsigned> Ids) {
  for (unsigned Id : Ids) {
    Entry &Of = Entries[Id];
    if (Of.Last == &F)
      continue;
    Of.Last = &F;
    if (Of.Change.Operators++ == 0)
      Of.Change.Example = F.Schema.Name.str();
  }
}

void UniformChanges::add(const OperatorPair &Pair) {
  Lowering L = Old.lowering(*Pair.Old);
  for (const Argument &A : Pair.Old->Schema.Args.All)
    count(*Pair.Old, of(A, L));
  for (const Return &R : Pair.Old->Schema.Returns)
    count(*Pair.Old, ofReturn(R));
}

std::vector<UniformChange> takeCommonTags(std::vector<OperatorChange> &Changed, size_t Operators) {
  auto IsTag = [](const Change &C) {
    return C.Is == ChangeKind::TagAdded || C.Is == ChangeKind::TagGone;
  };
  std::map<std::pair<ChangeKind, std::string>, UniformChange> Tags;
  for (const OperatorChange &C : Changed)
    for (const Change &Each : C.Changes)
      if (IsTag(Each)) {
        UniformChange &Tag = Tags[{Each.Is, Each.Subject}];
        bool IsNew = Each.Is == ChangeKind::TagAdded;
        (IsNew ? Tag.To : Tag.From) = Each.Subject;
        if (Tag.Operators++ == 0)
          Tag.Example = C.Old->Schema.Name.str();
      }
  auto IsCommon = [&](const Change &C) {
    return IsTag(C) && Tags[{C.Is, C.Subject}].Operators * 2 > Operators;
  };
  for (OperatorChange &C : Changed)
    llvm::erase_if(C.Changes, IsCommon);
  std::vector<UniformChange> Out;
  for (auto &[Key, Tag] : Tags)
    if (Tag.Operators * 2 > Operators) {
      Tag.Is = UniformChange::Tag;
      Out.push_back(std::move(Tag));
    }
  return Out;
}

std::vector<UniformChange> UniformChanges::take() && {
  std::vector<UniformChange> Out;
  for (Entry &Of : Entries) {
    Of.Change.Where = llvm::join(Of.Where, ", ");
    Out.push_back(std::move(Of.Change));
  }
  llvm::stable_sort(Out, [](const UniformChange &L, const UniformChange &R) {
    return L.Is != R.Is ? L.Is < R.Is : L.Operators > R.Operators;
  });
  return Out;
}

} // namespace opsig
