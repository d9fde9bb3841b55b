//===- ReleaseDiff.cpp - What changes between two releases ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReleaseDiffInternal.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

namespace opsig {

llvm::StringRef toString(ChangeKind Kind) {
  static constexpr llvm::StringLiteral Ids[] = {
#define OPSIG_CHANGE(Name, Id, Heading) Id,
#include "opsig/ReleaseDiff/ChangeKinds.def"
  };
  return Ids[unsigned(Kind)];
}

llvm::StringRef headingOf(ChangeKind Kind) {
  static constexpr llvm::StringLiteral Headings[] = {
#define OPSIG_CHANGE(Name, Id, Heading) Heading,
#include "opsig/ReleaseDiff/ChangeKinds.def"
  };
  return Headings[unsigned(Kind)];
}

llvm::StringRef toString(RenameVerifier Proof) {
  return Proof == RenameVerifier::SharedKernel ? "certain" : "likely";
}

std::string Change::str() const {
  std::string Text;
  if (!Subject.empty())
    Text = "'" + Subject + "'";
  if (From.empty() && To.empty())
    return Text;
  if (!Text.empty())
    Text += ": ";
  if (Is == ChangeKind::Default)
    return Text + (From.empty() ? "none" : From) + " => " + (To.empty() ? "none" : To);
  if (From.empty())
    return Text + To;
  if (To.empty())
    return Text + "was " + From;
  return Text + From + " => " + To;
}

bool ReleaseDiff::empty() const {
  return Gone.empty() && Added.empty() && Changed.empty() && Everywhere.empty() &&
         Deprecations.empty();
}

const OperatorChange *ReleaseDiff::changeOf(const NativeFunction &F) const {
  auto It = ByOld.find(&F);
  return It == ByOld.end() ? nullptr : &Changed[It->second];
}

void ReleaseDiff::buildLookup() {
  ByOld.clear();
  for (auto [Index, C] : llvm::enumerate(Changed))
    ByOld[C.Old] = Index;
}

bool ReleaseDiff::isGone(const NativeFunction &F) const { return llvm::is_contained(Gone, &F); }

const NativeFunction *ReleaseDiff::newOf(const NativeFunction &F) const {
  if (const OperatorChange *Change = changeOf(F))
    return Change->New;
  std::string Name = F.Schema.Name.str();
  return Old->find(Name) == &F ? New->find(Name) : &F;
}

static OperatorChange compareOperators(const OperatorPair &Pair, const ReleaseSide &Old,
                                       const ReleaseSide &New) {
  OperatorChange Out{Pair.Old, Pair.New, Pair.Renamed, {}, {}, {}};
  Out.Changes = schemaChanges(Pair.Old->Schema, Pair.New->Schema);
  llvm::append_range(Out.Changes, entryChanges(*Pair.Old, *Pair.New));
  Out.Signatures = signatureChanges(Pair, Old, New);
  Out.Breaks = impactOf(Out, Old, New);
  return Out;
}

ReleaseDiff compareReleases(const Operators &Old, const Operators &New) {
  ReleaseSide OldSide(Old), NewSide(New);
  Pairing Paired = pairOperators(Old, New);
  ReleaseDiff Out;
  Out.Old = &Old;
  Out.New = &New;
  Out.Gone = std::move(Paired.Gone);
  Out.Added = std::move(Paired.Added);
  UniformChanges Everywhere(OldSide, NewSide);
  std::vector<OperatorChange> All;
  for (const OperatorPair &Pair : Paired.Pairs) {
    if (Pair.Old->Schema == Pair.New->Schema &&
        sameLowering(OldSide.lowering(*Pair.Old), NewSide.lowering(*Pair.New)))
      Everywhere.add(Pair);
    if (OperatorChange Change = compareOperators(Pair, OldSide, NewSide); Change.any())
      All.push_back(std::move(Change));
  }
  Out.Everywhere = std::move(Everywhere).take();
  llvm::append_range(Out.Everywhere, takeCommonTags(All, Paired.Pairs.size()));
  for (bool Renamed : {true, false})
    for (OperatorChange &Change : All)
      if (Change.any() && Change.Renamed.has_value() == Renamed)
        Out.Changed.push_back(std::move(Change));
  Out.Unchanged = Paired.Pairs.size() - Out.Changed.size();
  Out.buildLookup();
  return Out;
}

std::vector<DeprecationChange> compareDeprecated(const DeprecatedFunctions &Old,
                                                 const DeprecatedFunctions &New) {
  std::vector<DeprecationChange> Out;
  auto Missing = [&](const DeprecatedFunctions &Of, const DeprecatedFunctions &In, bool IsNew) {
    llvm::StringSet<> Known;
    for (const auto &F : In.All)
      Known.insert(F->Schema.str());
    for (const auto &F : Of.All)
      if (!Known.contains(F->Schema.str()))
        Out.push_back({IsNew, F->Schema.str(), F->Operator});
  };
  Missing(Old, New, /*IsNew=*/false);
  Missing(New, Old, /*IsNew=*/true);
  return Out;
}

} // namespace opsig
