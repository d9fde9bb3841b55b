//===- Stabilize.cpp - changes towards the stable ABI as edits of files ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Rewrite/StabilizeInternal.h"
#include "opsig/Support/CppName.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace opsig;

namespace {

/// The files of a unit by their SourceId.
class FileNumbers {
public:
  FileNumbers(const UnitFacts &Unit, SourceFiles &Files) {
    for (const std::string &Name : Unit.Files) {
      llvm::Expected<SourceId> File = Files.open(Name);
      if (!File)
        llvm::consumeError(File.takeError());
      Ids.push_back(File ? *File : SourceId::None);
    }
  }
  SourceId of(uint32_t File) const { return Ids[File]; }
  void move(Span &S) const {
    if (S.isValid())
      S.File = uint32_t(Ids[S.File]);
  }
  const std::vector<SourceId> &all() const { return Ids; }

private:
  std::vector<SourceId> Ids;
};

void move(StableChange &Change, const FileNumbers &Numbers) {
  Numbers.move(Change.At);
  Numbers.move(Change.AffectedRange);
  for (RewriteAlternative &Way : Change.Ways)
    for (StableRewrite &R : Way.Rewrites) {
      Numbers.move(R.At);
      for (StablePiece &P : R.With)
        Numbers.move(P.From);
    }
}

bool covers(const Span &S, uint32_t Offset) { return S.Offset <= Offset && Offset < S.end(); }

/// What stands at \p Offset is written by \p R, and no part that it keeps.
bool writes(const StableRewrite &R, uint32_t Offset) {
  return covers(R.At, Offset) && llvm::none_of(R.With, [&](const StablePiece &P) {
           return P.From.isValid() && covers(P.From, Offset);
         });
}

/// What has no rule keeps what belongs to it.
bool staysWithin(const StableEdit &Edit, uint32_t Offset) {
  const StableChange &Change = Edit.Change;
  return Change.Is == StableChange::Stays && Change.AffectedRange.isValid() &&
         covers(Change.AffectedRange, Offset);
}

} // namespace

void StableEdits::add(const UnitFacts &Unit, const StablePlan &Plan) {
  FileNumbers Numbers(Unit, Files);
  for (StableChange Change : Plan.Changes) {
    move(Change, Numbers);
    SourceId File = SourceId(Change.At.File);
    auto [It, New] = Known.try_emplace(
        {unsigned(Change.Id), File, Change.At.Offset, Change.At.Length}, Edits.size());
    if (New)
      Edits.push_back({std::move(Change), 0, ""});
    else if (Change.Ways.size() < Edits[It->second].Change.Ways.size())
      Edits[It->second].Change = std::move(Change); // what one unit cannot take, none gets
  }
  for (const auto &[File, Headers] : Plan.Kept)
    Parts[Numbers.of(File)].Kept.insert(Headers.begin(), Headers.end());
  auto AddSpans = [&](const std::map<uint32_t, std::vector<Span>> &From,
                      std::vector<Span> FileParts::*To) {
    for (const auto &[File, Spans] : From)
      for (Span S : Spans) {
        Numbers.move(S);
        std::vector<Span> &Into = Parts[Numbers.of(File)].*To;
        if (!llvm::is_contained(Into, S))
          Into.push_back(S);
      }
  };
  AddSpans(Plan.Unstable, &FileParts::Unstable);
  AddSpans(Plan.Stable, &FileParts::Stable);
  UnitFiles.push_back(Numbers.all());
}

void StableEdits::refuse(size_t Index, std::string Why) {
  ++Edits[Index].Way;
  Edits[Index].Refused = Why;
  if (Edits[Index].isMade())
    return;
  std::vector<size_t> Gone = {Index};
  while (!Gone.empty()) {
    std::set<std::string> Names = Edits[Gone.back()].Change.AtomicGroup;
    Gone.pop_back();
    for (const std::string &Name : Names)
      for (size_t I = 0; I < Edits.size(); ++I)
        if (Edits[I].isMade() && Edits[I].Change.AtomicGroup.count(Name)) {
          Edits[I].Way = Edits[I].Change.Ways.size();
          Edits[I].Refused = "'" + llvm::StringRef(Name).split('(').first.str() +
                             "' is converted only if all of its types are converted, but one "
                             "is not: " +
                             Why;
          Gone.push_back(I);
        }
  }
}

llvm::VersionTuple StableEdits::target() const {
  llvm::VersionTuple Target;
  for (const StableEdit &Edit : Edits)
    if (Edit.isMade())
      Target = std::max(Target, Edit.way().Since);
  return Target;
}

/// Of the edits that are made and have a rewrite that \p Wanted, the one with the shortest.
template <typename Test>
static std::optional<size_t> innermost(llvm::ArrayRef<StableEdit> Edits, SourceId File,
                                       Test Expected) {
  std::optional<size_t> Best;
  uint32_t Length = ~0u;
  for (size_t I = 0; I < Edits.size(); ++I)
    if (Edits[I].isMade())
      for (const StableRewrite &R : Edits[I].way().Rewrites)
        if (SourceId(R.At.File) == File && R.At.Length < Length && Expected(Edits[I], R)) {
          Best = I;
          Length = R.At.Length;
        }
  return Best;
}

std::optional<size_t> StableEdits::writerAt(SourceId File, uint32_t Offset) const {
  return innermost(Edits, File,
                   [&](const StableEdit &, const StableRewrite &R) { return writes(R, Offset); });
}

static bool isCall(const StableEdit &Edit) {
  return Edit.Change.Id == finding::UnstableMethod || Edit.Change.Id == finding::UnstableFunction;
}

std::optional<size_t> StableEdits::callAround(SourceId File, uint32_t Offset) const {
  return innermost(Edits, File, [&](const StableEdit &Edit, const StableRewrite &R) {
    return isCall(Edit) && covers(R.At, Offset);
  });
}

std::optional<size_t> StableEdits::otherWayAround(SourceId File, uint32_t Offset,
                                                  size_t Inner) const {
  return innermost(Edits, File, [&](const StableEdit &Edit, const StableRewrite &R) {
    return isCall(Edit) && &Edit != &Edits[Inner] && Edit.Way + 1 < Edit.Change.Ways.size() &&
           covers(R.At, Offset);
  });
}

std::optional<size_t> StableEdits::reaching(SourceId File, uint32_t Offset) const {
  llvm::StringRef Text = Files.text(File);
  size_t Begin = Text.rfind('\n', Offset) + 1, End = Text.find('\n', Offset);
  llvm::StringRef Line = Text.slice(Begin, End);
  for (size_t I = 0; I < Edits.size(); ++I) {
    const StableChange &Change = Edits[I].Change;
    if (Edits[I].isMade() && Change.AffectedRange.isValid() &&
        SourceId(Change.AffectedRange.File) == File && covers(Change.AffectedRange, Offset) &&
        !Change.ReachName.empty() && findCppName(Line, Change.ReachName) != llvm::StringRef::npos)
      return I;
  }
  return std::nullopt;
}

std::optional<size_t> StableEdits::leftAt(SourceId File, uint32_t Offset) const {
  for (size_t I = 0; I < Edits.size(); ++I)
    if (!Edits[I].isMade() && SourceId(Edits[I].Change.At.File) == File &&
        (covers(Edits[I].Change.At, Offset) || staysWithin(Edits[I], Offset)))
      return I;
  return std::nullopt;
}

bool StableEdits::staysWith(const StableEdit &Edit) const {
  const Span &At = Edit.Change.At;
  return llvm::any_of(Edits, [&](const StableEdit &Other) {
    return &Other != &Edit && Other.Change.At.File == At.File && staysWithin(Other, At.Offset);
  });
}

/// A helper is in the first file of a unit that needs it, headers before what includes them.
static void dropSecondHelpers(llvm::ArrayRef<std::vector<SourceId>> Units,
                              std::map<SourceId, IncludeWishes> &Wishes) {
  for (const std::vector<SourceId> &Unit : Units) {
    std::set<std::string> There;
    std::vector<SourceId> Order(Unit.begin(), Unit.end());
    std::rotate(Order.begin(), Order.begin() + (Order.empty() ? 0 : 1), Order.end());
    for (SourceId File : Order)
      if (auto W = Wishes.find(File); W != Wishes.end())
        llvm::erase_if(W->second.Helpers,
                       [&](const StableHelper &H) { return !There.insert(H.Name).second; });
  }
}

llvm::MapVector<SourceId, StableEdits::Edited> StableEdits::changes() {
  for (bool Settled = false; !Settled;) {
    Settled = true;
    std::map<SourceId, RewriteTree> Trees;
    for (size_t I = 0; I < Edits.size(); ++I)
      if (Edits[I].isMade())
        for (const StableRewrite &R : Edits[I].way().Rewrites)
          Trees.try_emplace(SourceId(R.At.File), Files, SourceId(R.At.File))
              .first->second.add(I, R);
    for (auto &[File, Tree] : Trees)
      for (size_t Wrong : Tree.settle()) {
        if (Edits[Wrong].isMade())
          refuse(Wrong, "it overlaps another edit");
        Settled = false;
      }
  }
  std::map<SourceId, IncludeWishes> Wishes;
  std::map<SourceId, RewriteTree> Trees;
  for (size_t I = 0; I < Edits.size(); ++I) {
    if (!Edits[I].isMade())
      continue;
    IncludeWishes &W = Wishes[SourceId(Edits[I].Change.At.File)];
    W.Headers.insert(Edits[I].way().Headers.begin(), Edits[I].way().Headers.end());
    if (const std::optional<StableHelper> &Helper = Edits[I].way().Helper;
        Helper &&
        llvm::none_of(W.Helpers, [&](const StableHelper &H) { return H.Name == Helper->Name; }))
      W.Helpers.push_back(*Helper);
    for (const StableRewrite &R : Edits[I].way().Rewrites)
      Trees.try_emplace(SourceId(R.At.File), Files, SourceId(R.At.File)).first->second.add(I, R);
  }
  dropSecondHelpers(UnitFiles, Wishes);
  llvm::MapVector<SourceId, Edited> Out;
  for (auto &[File, W] : Wishes) {
    const FileParts &P = Parts[File];
    W.Unstable = P.Unstable;
    W.Headers.insert(P.Standard.begin(), P.Standard.end());
    if (!P.Unstable.empty())
      W.Headers.insert(P.Kept.begin(), P.Kept.end());
    // What those headers brought along; nvcc includes it by itself.
    llvm::StringRef Name = Files.name(File);
    bool ForGpu = llvm::any_of(P.Unstable, [&, Text = Files.text(File)](const Span &S) {
      return Text.substr(S.Offset, S.Length).contains("/cuda/");
    });
    if (ForGpu && !Name.ends_with(".cu") && !Name.ends_with(".cuh"))
      W.Headers.insert("cuda_runtime.h");
    // Conditions on it would be false without a word.
    if ((ForGpu || Name.ends_with(".cu") || Name.ends_with(".cuh")) && !P.Unstable.empty() &&
        Files.text(File).contains("CUDA_VERSION"))
      W.Headers.insert("cuda.h");
    Edited &E = Out[File];
    std::vector<TextOp> Ops = includeOps(Files.text(File), W, File, E.Additions);
    for (const StableEdit &Edit : Edits)
      if (Edit.isMade())
        for (const StableRewrite &R : Edit.way().Rewrites)
          if (SourceId(R.At.File) == File)
            E.Whole.push_back(R.At);
    if (auto Tree = Trees.find(File); Tree != Trees.end()) {
      (void)Tree->second.settle();
      llvm::append_range(Ops, Tree->second.ops());
    }
    E.Changes = replacementsOf(Files.name(File), std::move(Ops));
    if (E.Changes.empty())
      Out.erase(File);
  }
  return Out;
}
