//===- NativeFunction.cpp - Questions to one operator -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Operators/NativeFunction.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

namespace opsig {

static constexpr llvm::StringLiteral UfuncKeyNames[] = {
    "CUDAFunctor", "CUDAFunctorOnOther", "CUDAFunctorOnSelf",
    "CPUScalar",   "CPUVector",          "ScalarOnly",
    "Generic"};

llvm::StringRef toString(UfuncKey Key) { return UfuncKeyNames[static_cast<unsigned>(Key)]; }

std::optional<UfuncKey> parseUfuncKey(llvm::StringRef Name) {
  const auto *It = llvm::find(UfuncKeyNames, Name);
  if (It == std::end(UfuncKeyNames))
    return std::nullopt;
  return static_cast<UfuncKey>(It - std::begin(UfuncKeyNames));
}

const Precompute::Replacement *Precompute::replacementOf(llvm::StringRef ArgumentName) const {
  const auto *It = llvm::find_if(llvm::ArrayRef(Replace),
                                 [&](const Replacement &R) { return R.Source == ArgumentName; });
  return It == Replace.data() + Replace.size() ? nullptr : It;
}

bool KernelEntry::supportsSymInt() const { return llvm::StringRef(Kernel).contains("_symint"); }

std::string NativeFunction::shownName() const {
  std::string Name = Schema.Name.str();
  return Namespace == "aten" ? Name : Namespace + "::" + Name;
}

bool NativeFunction::hasTag(llvm::StringRef Tag) const {
  return std::binary_search(Tags.begin(), Tags.end(), Tag);
}

llvm::StringRef kindTag(const FunctionSchema &S, const Dialect &D) {
  if (!D.Schema.TagsOutAndInplace)
    return "";
  return S.isOut() ? "out" : S.isInplace() ? "inplace" : "";
}

const KernelEntry *NativeFunction::kernel(DispatchKey Key) const {
  for (const KernelEntry &Entry : Dispatch)
    if (Entry.Key == Key)
      return &Entry;
  return nullptr;
}

bool NativeFunction::hasCompositeKernel() const {
  return hasKernel(DispatchKey::CompositeImplicitAutograd) ||
         hasKernel(DispatchKey::CompositeExplicitAutograd) ||
         hasKernel(DispatchKey::CompositeExplicitAutogradNonFunctional);
}

bool NativeFunction::hasSymInt(const Dialect &D) const {
  return Schema.hasSymInt(D.Schema.SymIntInReturnsCounts);
}

bool NativeFunction::isViewOp(const Dialect &D) const {
  bool ReturnsView = llvm::any_of(
      Schema.Returns, [](const Return &R) { return R.Annotation && !R.Annotation->IsWrite; });
  // resize_ changes no aliasing although it is tagged; later releases say the same of resize_as_.
  bool InplaceView = hasTag("inplace_view");
  if (InplaceView) {
    std::string Name = Schema.Name.str();
    InplaceView = Name != "resize_" && !(D.Schema.ExcusesResizeAs && Name == "resize_as_");
  }
  bool Wildcard = llvm::any_of(Schema.Args.all(), [](const Argument &A) {
    return A.Annotation && llvm::StringRef(A.Annotation->After).contains('*');
  });
  return ReturnsView || InplaceView || Wildcard;
}

ViewKind NativeFunction::viewKind(const Dialect &D) const {
  if (!isViewOp(D))
    return ViewKind::NonAliasing;
  return Schema.isInplace() ? ViewKind::AliasingInplace : ViewKind::Aliasing;
}

} // namespace opsig
