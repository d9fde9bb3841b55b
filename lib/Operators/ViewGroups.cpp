//===- ViewGroups.cpp - Views, their inplace and their copying forms --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "GroupingInternal.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "llvm/ADT/STLExtras.h"

namespace opsig {

llvm::SmallVector<const NativeFunction *, 3> NativeFunctionsViewGroup::functions() const {
  llvm::SmallVector<const NativeFunction *, 3> All{View};
  if (ViewInplace)
    All.push_back(ViewInplace);
  if (ViewCopy)
    All.push_back(ViewCopy);
  return All;
}

bool JoinContext::viewGroupIsBroken(const NativeFunction &F) const {
  if (Broken.Names.empty())
    return false;
  return Broken.UnreadableRoots.contains((F.rootName() + "_copy").str()) ||
         Broken.ViewSignatures.contains(
             F.Schema.viewSignature(Ops.D->Schema.ScatterIsViewInverse).str());
}

bool NativeFunctionsViewGroup::composite() const {
  return View->hasKernel(DispatchKey::CompositeImplicitAutograd);
}

namespace {

/// A function's part in a view group: its view kind, or for others its schema kind.
struct ViewRole {
  ViewKind View;
  SchemaKind Schema;
  friend bool operator==(const ViewRole &L, const ViewRole &R) {
    return L.View == R.View && (L.View != ViewKind::NonAliasing || L.Schema == R.Schema);
  }
};

std::string describe(const ViewRole &Role) {
  switch (Role.View) {
  case ViewKind::Aliasing:
    return "views";
  case ViewKind::AliasingInplace:
    return "in-place views";
  case ViewKind::NonAliasing:
    return toString(Role.Schema).str() + " variants";
  }
  llvm_unreachable("closed kind");
}

struct Candidate {
  ViewRole Role;
  const NativeFunction *F;
};

class ViewGroupCheck {
public:
  ViewGroupCheck(const NativeFunctionsViewGroup &G, JoinContext &C)
      : G(G), C(C), D(*C.Ops.D), Name(G.View->Schema.Name.str()) {}

  /// A view without the copying form that it needs is no group that anything can be made of.
  bool isWhole() const { return G.ViewCopy || !needsCopy(); }

  void run() {
    if (G.ViewCopy)
      copy();
    else if (needsCopy() && !C.viewGroupIsBroken(*G.View))
      report(finding::ViewCopyMissing, *G.View,
             "'" + Name + "' is a view, so it needs an operator '" + copyName() +
                 "' with tag view_copy and the same arguments");
    if (G.ViewInplace)
      inplace();
  }

private:
  Finding &report(FindingId Id, const NativeFunction &F, std::string Message) {
    return C.Diags.add(Id, F.SchemaText.At, std::move(Message)).op(F.Schema.Name.str());
  }

  std::string copyName() const {
    OperatorName Copy = G.View->Schema.Name;
    Copy.Name.Base += "_copy";
    return Copy.str();
  }

  bool needsCopy() const {
    if (G.composite() || G.View->hasTag("inplace_view"))
      return false;
    return !(D.Schema.ScatterIsViewInverse && G.View->rootName().ends_with("_inverse"));
  }

  void copy() {
    const NativeFunction &Copy = *G.ViewCopy;
    std::string CopyOf = "'" + Copy.Schema.Name.str() + "'";
    llvm::StringRef Base = Copy.rootName();
    bool NameFits =
        Base.ends_with("_copy") || (D.Schema.ScatterIsViewInverse && Base.ends_with("_scatter"));
    if (!NameFits)
      report(finding::ViewCopyName, Copy,
             CopyOf + " copies the view '" + Name + "'; rename the copy to '" + copyName() + "'");
    if (!Copy.hasTag("view_copy"))
      report(finding::ViewCopyTag, Copy,
             CopyOf + " copies the view '" + Name + "', so it needs 'tags: view_copy'");
    if (NameFits &&
        G.View->Schema.signature() != Copy.Schema.viewSignature(D.Schema.ScatterIsViewInverse))
      report(finding::ViewCopySignature, Copy,
             CopyOf + " copies '" + Name + "', so its signature without '_copy' must be '" +
                 G.View->Schema.signature().str() + "', not '" +
                 Copy.Schema.viewSignature(D.Schema.ScatterIsViewInverse).str() + "'");
  }

  void inplace() {
    if (G.View->Schema.signature() != G.ViewInplace->Schema.signature())
      report(finding::ViewCopySignature, *G.ViewInplace,
             "the view '" + Name + "' and its in-place variant '" +
                 G.ViewInplace->Schema.Name.str() + "' have different signatures");
    for (DispatchKey Key : {DispatchKey::CompositeImplicitAutograd,
                            DispatchKey::CompositeImplicitAutogradNestedTensor})
      if (G.View->hasKernel(Key) && !G.ViewInplace->hasKernel(Key))
        report(finding::ViewCompositeMismatch, *G.ViewInplace,
               "'" + Name + "' is " + toString(Key).str() + ", but '" +
                   G.ViewInplace->Schema.Name.str() + "' is not; both or neither must be " +
                   toString(Key).str());
  }

  const NativeFunctionsViewGroup &G;
  JoinContext &C;
  const Dialect &D;
  std::string Name;
};

/// As text. Only the names of copying forms are others than in signature().
std::string viewSignature(size_t Index, const NativeFunction &F, JoinContext &C) {
  llvm::StringRef Base = F.rootName();
  if (!Base.ends_with("_copy") && !Base.ends_with("_scatter"))
    return C.signature(Index, F).str();
  return F.Schema.viewSignature(C.Ops.D->Schema.ScatterIsViewInverse).str();
}

} // namespace

void buildViewGroups(JoinContext &C) {
  const Dialect &D = *C.Ops.D;
  std::vector<llvm::SmallVector<Candidate, 3>> Groups;
  llvm::StringMap<size_t> BySignature;
  for (auto [Index, F] : llvm::enumerate(C.Ops.Functions)) {
    if (C.Refused.contains(&F))
      continue;
    ViewRole Role{F.viewKind(D), F.Kind};
    if (Role.View == ViewKind::AliasingInplace && !F.hasTag("inplace_view"))
      C.Diags
          .report(finding::InplaceViewTag, F.SchemaText.At,
                  "'{0}' is an in-place view, so it needs 'tags: inplace_view'",
                  F.Schema.Name.str())
          .op(F.Schema.Name.str());
    auto [It, New] = BySignature.try_emplace(viewSignature(Index, F, C), Groups.size());
    if (New)
      Groups.emplace_back();
    auto &Group = Groups[It->second];
    const auto *Other = llvm::find_if(Group, [&](const Candidate &M) { return M.Role == Role; });
    if (Other != Group.end()) {
      C.Diags
          .report(finding::ViewRoleTwice, F.SchemaText.At,
                  "'{0}' and '{1}' are both {2} with the signature '{3}'; remove one",
                  F.Schema.Name.str(), Other->F->Schema.Name.str(), describe(Role), It->first())
          .op(F.Schema.Name.str())
          .note(Other->F->SchemaText.At, "the other variant is here");
      continue;
    }
    Group.push_back({Role, &F});
  }

  for (auto &Group : Groups) {
    auto Find = [&](ViewRole Role) -> const NativeFunction * {
      const auto *It = llvm::find_if(Group, [&](const Candidate &M) { return M.Role == Role; });
      return It == Group.end() ? nullptr : It->F;
    };
    NativeFunctionsViewGroup View;
    View.View = Find({ViewKind::Aliasing, SchemaKind::Functional});
    if (View.View) {
      View.ViewInplace = Find({ViewKind::AliasingInplace, SchemaKind::Inplace});
      View.ViewCopy = Find({ViewKind::NonAliasing, SchemaKind::Functional});
      ViewGroupCheck Check(View, C);
      Check.run();
      if (C.takesBroken() && !Check.isWhole())
        View.View = View.ViewInplace = nullptr;
      else
        C.Ops.ViewGrouped.push_back(View);
    }
    for (const Candidate &Member : Group)
      if (!View.View ||
          (Member.F != View.View && Member.F != View.ViewInplace && Member.F != View.ViewCopy))
        C.Ops.ViewGrouped.push_back(Member.F);
  }
}

} // namespace opsig
