//===- Proof.cpp - what edits did besides what they were made for ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opsig/Edit/Proof.h"
#include "opsig/Frontend/PythonFacts.h"
#include "opsig/Support/FindingIds.h"
#include "opsig/Support/JsonText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace opsig;
using namespace llvm;
using sys::fs::UniqueID;

EditMap::EditMap(const clang::tooling::Replacements &All) {
  for (const clang::tooling::Replacement &R : All)
    Edits.push_back(
        {R.getOffset(), R.getLength(), static_cast<uint32_t>(R.getReplacementText().size())});
}

uint32_t EditMap::after(uint32_t Before) const {
  int64_t Shift = 0;
  for (const Edit &E : Edits) {
    if (Before < E.Offset || (Before == E.Offset && E.Length != 0))
      break;
    if (Before < E.Offset + E.Length)
      return uint32_t(E.Offset + Shift + E.NewLength);
    Shift += int64_t(E.NewLength) - E.Length;
  }
  return uint32_t(Before + Shift);
}

uint32_t EditMap::before(uint32_t After) const {
  int64_t Shift = 0;
  for (const Edit &E : Edits) {
    if (After < E.Offset + Shift)
      break;
    if (After < E.Offset + Shift + E.NewLength)
      return E.Offset;
    Shift += int64_t(E.NewLength) - E.Length;
  }
  return uint32_t(After - Shift);
}

std::optional<UniqueID> FileIdentities::of(StringRef Name) {
  auto It = Known.find(Name);
  if (It != Known.end())
    return It->second;
  UniqueID Id;
  bool IsThere = !Name.empty() && !sys::fs::getUniqueID(Name, Id);
  return Known[Name.str()] = IsThere ? std::optional(Id) : std::nullopt;
}

static CodePoint shifted(const CodePoint &P, const EditMaps &Maps) {
  auto Map = Maps.find(P.File);
  return Map == Maps.end() ? P : CodePoint{P.File, Map->second.after(P.Offset)};
}

std::vector<size_t> opsig::newErrors(ArrayRef<ClangMessage> Before, ArrayRef<ClangMessage> After,
                                     const EditMaps &Maps) {
  std::map<std::tuple<unsigned, UniqueID, uint32_t>, unsigned> Had;
  for (const ClangMessage &Error : Before) {
    CodePoint At = shifted(Error.At, Maps);
    ++Had[{Error.Id, At.File, At.Offset}];
  }
  std::vector<size_t> Out;
  for (size_t I = 0; I < After.size(); ++I) {
    auto It = Had.find({After[I].Id, After[I].At.File, After[I].At.Offset});
    if (It == Had.end() || It->second == 0)
      Out.push_back(I);
    else
      --It->second;
  }
  return Out;
}

namespace {

/// What a finding is compared by.
struct Traits {
  FindingId Id;
  UniqueID File;
  uint32_t Offset;
  StringRef Message;

  bool sameWords(const Traits &Other) const {
    return Id == Other.Id && File == Other.File && Message == Other.Message;
  }
  bool samePlace(const Traits &Other) const {
    return Id == Other.Id && File == Other.File && Offset == Other.Offset;
  }
};

bool isAboutBodies(FindingId Id) {
  return is_contained({finding::MutationUnmarked, finding::MutationPossible,
                       finding::OperatorLooksPure, finding::AliasUnmarked, finding::AliasPossible,
                       finding::MutationUnwritten},
                      Id);
}

Traits traitsOf(const Finding &D, const SourceFiles &Files, FileIdentities &Identities) {
  Traits Out{D.Id, {}, 0, D.Message};
  if (D.At.isValid()) {
    Out.File = Identities.of(Files.name(D.At.File)).value_or(UniqueID());
    Out.Offset = static_cast<uint32_t>(Files.offsetOf(D.At));
  }
  return Out;
}

/// The message without the operator that it is about.
std::string wordsOf(const Finding &D) {
  std::string Out;
  StringRef Rest = D.Message;
  std::string Name = qualifiedOperator(D.Op);
  for (StringRef Op : {StringRef(Name), StringRef(D.Op)})
    if (Rest.contains(("'" + Op + "'").str())) {
      Name = ("'" + Op + "'").str();
      break;
    }
  while (!Name.empty() && Rest.contains(Name)) {
    auto [Front, Behind] = Rest.split(Name);
    Out += Front.str() + "''";
    Rest = Behind;
  }
  return Out + Rest.str();
}

/// A warning that another operator of the file had before, in the same words: an operator that gets
/// its right name gets what its neighbours have, which is no harm that the edit does.
bool hasNeighbours(const Finding &D, const SourceFiles &Files, const FindingsIn &Before,
                   FileIdentities &Identities) {
  if (D.Severity != Level::Warning || D.Op.empty() || !D.At.isValid())
    return false;
  std::optional<UniqueID> File = Identities.of(Files.name(D.At.File));
  return any_of(Before.All, [&](const Finding &Other) {
    return Other.Id == D.Id && Other.Op != D.Op && Other.Severity == D.Severity &&
           Other.At.isValid() && Identities.of(Before.Files.name(Other.At.File)) == File &&
           wordsOf(Other) == wordsOf(D);
  });
}

} // namespace

FindingChanges opsig::compareFindings(const FindingsIn &Before, const FindingsIn &After,
                                      ArrayRef<size_t> Fixed, const EditMaps &Maps,
                                      FileIdentities &Identities) {
  std::vector<Traits> Had;
  for (const Finding &D : Before.All) {
    Traits T = traitsOf(D, Before.Files, Identities);
    T.Offset = shifted({T.File, T.Offset}, Maps).Offset;
    Had.push_back(T);
  }
  std::vector<bool> Seen(Had.size()), Known(After.All.size()), IsFixed(Had.size());
  for (size_t I : Fixed)
    IsFixed[I] = true;
  std::vector<Traits> Has;
  for (const Finding &D : After.All)
    Has.push_back(traitsOf(D, After.Files, Identities));
  // The most alike first; of what is equally alike that which nobody meant to mend.
  auto Pair = [&](function_ref<bool(const Traits &, const Traits &)> Alike, bool WithFixed) {
    for (size_t A = 0; A < Has.size(); ++A)
      for (size_t B = 0; B < Had.size() && !Known[A]; ++B)
        if (!Seen[B] && IsFixed[B] == WithFixed && Alike(Had[B], Has[A]))
          Seen[B] = Known[A] = true;
  };
  auto Everything = [](const Traits &L, const Traits &R) {
    return L.sameWords(R) && L.samePlace(R);
  };
  auto Words = [](const Traits &L, const Traits &R) { return L.sameWords(R); };
  auto Place = [](const Traits &L, const Traits &R) { return L.samePlace(R); };
  for (bool WithFixed : {false, true})
    Pair(Everything, WithFixed);
  for (bool WithFixed : {false, true})
    Pair(Words, WithFixed);
  for (bool WithFixed : {false, true})
    Pair(Place, WithFixed);
  FindingChanges Out;
  copy_if(Fixed, std::back_inserter(Out.Left), [&](size_t I) { return Seen[I]; });
  for (size_t A = 0; A < Has.size(); ++A)
    if (!Known[A] && !isAboutBodies(Has[A].Id) &&
        !hasNeighbours(After.All[A], After.Files, Before, Identities))
      Out.New.push_back(A);
  return Out;
}

/// Every declaration that a unit knows of.
static void forEachDecl(const UnitFacts &Unit, function_ref<void(const KernelDecl &)> Use) {
  for (const KernelDecl &K : Unit.Kernels)
    Use(K);
  for (const KernelDecl &K : Unit.Definitions)
    Use(K);
  auto UseAll = [&](const RegisteredKernel &K) {
    Use(K.Decl);
    for (const KernelDecl &Other : K.Others)
      Use(Other);
  };
  for (const RegistrationBlock &Block : Unit.Registrations)
    for (const RegistrationEntry &Entry : Block.Entries)
      UseAll(Entry.Kernel);
  for (const RegisteredKernel &K : Unit.Unused)
    UseAll(K);
}

EditSites::EditSites(const FindingsIn &Hits, ArrayRef<UnitFacts> Units,
                     FileIdentities &Identities) {
  struct Declared {
    uint32_t End;
    std::string Name;
  };
  std::map<std::pair<UniqueID, uint32_t>, Declared> Decls; // by where they begin
  auto AddPython = [&](const UnitFacts &Unit) {
    std::optional<UniqueID> File = Identities.of(Unit.MainFile);
    if (!File)
      return;
    const PythonFacts &Facts = *Unit.Python;
    for (const LibraryUse &Use : Facts.Uses)
      Decls[{*File, Use.At.Offset}] = {Use.At.end(), ""};
    for (const PythonCallable &F : Facts.Functions)
      Decls[{*File, F.At.Offset}] = {F.At.end(), F.Name};
  };
  for (const UnitFacts &Unit : Units)
    if (Unit.Python)
      AddPython(Unit);
  for (const UnitFacts &Unit : Units)
    forEachDecl(Unit, [&](const KernelDecl &K) {
      if (!K.Head.isValid())
        return;
      if (std::optional<UniqueID> File = Identities.of(Unit.Files[K.Head.File]))
        Decls[{*File, K.Head.Offset}] = {K.Head.end(), K.Name};
    });
  for (size_t I = 0; I < Hits.All.size(); ++I)
    for (const Fix &F : Hits.All[I].Fixes) {
      if (F.File == SourceId::None)
        continue;
      std::optional<UniqueID> File = Identities.of(Hits.Files.name(F.File));
      if (!File)
        continue;
      auto It = Decls.upper_bound({*File, F.Offset});
      if (It != Decls.begin())
        if (auto Last = std::prev(It); Last->first.first == *File && F.Offset <= Last->second.End) {
          Sites.push_back({I, *File, Last->first.second, Last->second.End, Last->second.Name});
          continue;
        }
      StringRef Text = Hits.Files.text(F.File);
      size_t Begin = Text.take_front(F.Offset).rfind('\n') + 1;
      Sites.push_back({I, *File, uint32_t(Begin),
                       uint32_t(std::min(Text.find('\n', F.Offset), Text.size())), ""});
    }
}

std::vector<std::string> EditSites::functions() const {
  std::set<std::string> Names;
  for (const Site &S : Sites)
    if (!S.Function.empty())
      Names.insert(S.Function);
  return {Names.begin(), Names.end()};
}

std::vector<size_t> EditSites::at(const CodePoint &Point) const {
  std::set<size_t> Out;
  for (const Site &S : Sites)
    if (S.holds(Point))
      Out.insert(S.Hit);
  return {Out.begin(), Out.end()};
}

std::vector<size_t> EditSites::blame(ArrayRef<CodePoint> Points, StringRef Function,
                                     const std::set<std::string> &Names,
                                     ArrayRef<size_t> Fixed) const {
  auto Those = [&](function_ref<bool(const Site &)> IsIt) {
    std::set<size_t> Out;
    for (const Site &S : Sites)
      if (is_contained(Fixed, S.Hit) && IsIt(S))
        Out.insert(S.Hit);
    return std::vector<size_t>(Out.begin(), Out.end());
  };
  auto Found = Those([&](const Site &S) {
    return any_of(Points, [&](const CodePoint &P) { return S.holds(P); });
  });
  if (Found.empty() && !Function.empty())
    Found = Those([&](const Site &S) { return S.Function == Function; });
  if (Found.empty())
    Found = Those([&](const Site &S) { return Names.count(S.Function) != 0; });
  if (Found.empty())
    Found = Those([&](const Site &S) {
      return any_of(Points, [&](const CodePoint &P) { return P.File == S.File; });
    });
  return Found.empty() ? Fixed.vec() : Found;
}

std::vector<size_t> opsig::editGroups(ArrayRef<Finding> Hits) {
  std::vector<size_t> First(Hits.size());
  std::map<std::tuple<SourceId, uint32_t, uint32_t, std::string>, size_t> Wanting;
  for (size_t I = 0; I < Hits.size(); ++I) {
    First[I] = I;
    for (const Fix &F : Hits[I].Fixes) {
      auto [It, New] = Wanting.try_emplace({F.File, F.Offset, F.Length, F.Text}, I);
      size_t Other = First[It->second];
      if (New || Other == First[I])
        continue;
      size_t Low = std::min(Other, First[I]), High = std::max(Other, First[I]);
      for (size_t &Group : First)
        if (Group == High)
          Group = Low;
    }
  }
  return First;
}

std::set<std::string> opsig::namesInLine(StringRef Text, size_t Offset) {
  Offset = std::min(Offset, Text.size());
  size_t Begin = Text.take_front(Offset).rfind('\n') + 1;
  return namesInText(Text.slice(Begin, Text.find('\n', Offset)));
}

std::set<std::string> opsig::namesInText(StringRef Text) {
  std::set<std::string> Names;
  auto IsWord = [](char C) { return isAlnum(C) || C == '_'; };
  while (!(Text = Text.drop_until(IsWord)).empty()) {
    StringRef Name = Text.take_while(IsWord);
    Names.insert(Name.str());
    Text = Text.drop_front(Name.size());
  }
  return Names;
}
