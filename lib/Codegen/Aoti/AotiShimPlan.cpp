//===- AotiShimPlan.cpp - Which operators have C functions ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Aoti/AotiShimsInternal.h"
#include "opsig/Dialect/AtenTraits.h"
#include "opsig/Dialect/ShimTraits.h"

using namespace llvm;

namespace opsig {

namespace {

/// Whose kernels a shim calls; no key: the operator itself, through the dispatcher.
using ShimCallee = std::optional<DispatchKey>;

class ShimPlanner {
public:
  explicit ShimPlanner(const AtenInput &In) : In(In), Facts(In.dialect().Shims) {}

  std::vector<ShimFile> files() const {
    std::vector<ShimFile> Files;
    for (DispatchKey Device : Facts.Devices)
      if (hasFile(Device))
        Files.push_back(Facts.Shape == ShimShape::OfAllOps ? fileOfAll(Device)
                                                           : file(Device, Facts.DeviceOps));
    if (!Facts.GenericOps.empty())
      Files.push_back(file(std::nullopt, Facts.GenericOps));
    for (ShimFile &File : Files) {
      sort(File.Includes);
      File.Includes.erase(llvm::unique(File.Includes), File.Includes.end());
    }
    return Files;
  }

private:
  bool hasFile(DispatchKey Device) const {
    if (Facts.OnlyRegisteredDevices)
      return is_contained(In.Keys, Device);
    // Whether or not any operator has a kernel there.
    return is_contained(In.FunctionKeys, Device);
  }

  bool hasKernel(const NativeFunction &F, DispatchKey Key) const {
    const BackendIndex *Index = In.Ops.index(Key);
    return Index && Index->hasKernel(F);
  }

  /// Of its own, or of the out function that it is generated from.
  bool hasKernelOrDelegate(const NativeFunction &F, DispatchKey Key) const {
    if (hasKernel(F, Key))
      return true;
    const NativeFunction *Out =
        F.StructuredDelegate ? In.Ops.find(F.StructuredDelegate->str()) : nullptr;
    return Out && hasKernel(*Out, Key);
  }

  std::optional<ShimCallee> callee(const NativeFunction &F,
                                   std::optional<DispatchKey> Device) const {
    if (!Device)
      return ShimCallee();
    bool OfAll = Facts.Shape == ShimShape::OfAllOps;
    if (OfAll ? hasKernel(F, *Device) : hasKernelOrDelegate(F, *Device))
      return Device;
    // Shims of an extension leave these to the ones in the tree.
    if (In.Options.ExtendAotiShims)
      return std::nullopt;
    for (DispatchKey Key : {DispatchKey::CompositeExplicitAutograd,
                            DispatchKey::CompositeExplicitAutogradNonFunctional})
      if (hasKernel(F, Key))
        return ShimCallee(Key);
    if (!OfAll && hasKernel(F, DispatchKey::CompositeImplicitAutograd))
      return ShimCallee(DispatchKey::CompositeImplicitAutograd);
    return std::nullopt;
  }

  ShimFile file(std::optional<DispatchKey> Device, ArrayRef<StringRef> Ops) const {
    ShimFile Result{Device, {}, {}, {}};
    for (StringRef Name : Ops)
      if (const NativeFunction *F = In.Ops.find(Name); F && F->Namespace == "aten")
        add(*F, Result);
    return Result;
  }

  ShimFile fileOfAll(DispatchKey Device) const {
    ShimFile Result{Device, {}, {}, {}};
    for (const NativeFunction &F : In.Ops.Functions) {
      if (F.hasTag("pointwise"))
        Result.Without.push_back({&F, {"it is pointwise"}});
      else
        add(F, Result);
    }
    return Result;
  }

  void add(const NativeFunction &F, ShimFile &File) const {
    std::optional<ShimCallee> Calls = callee(F, File.Device);
    if (!Calls) {
      File.Without.push_back({&F, {"neither the device nor a composite key has a kernel for it"}});
      return;
    }
    // An operator that has no C form is included all the same.
    File.Includes.push_back(opInclude(F, *Calls ? dispatchSuffix(**Calls) : ""));
    if (!addShims(F, *Calls, File))
      File.Without.push_back({&F, {"one of its types has no C equivalent"}});
  }

  /// The operator's first shim, and before it those that came later, which take more. All or none.
  bool addShims(const NativeFunction &F, ShimCallee Calls, ShimFile &File) const {
    std::string Name = F.Schema.Name.unambiguous();
    size_t NumBefore = File.Shims.size();
    SmallVector<StringRef> LeftOut;
    for (const ShimVersion &V : versions(F)) {
      std::optional<ShimPlan> Plan = planShim(F.Schema, In.dialect(), LeftOut);
      if (!Plan) {
        File.Shims.resize(NumBefore);
        return false;
      }
      std::string Suffix = V.Number == 1 ? "" : "_v" + std::to_string(V.Number);
      File.Shims.push_back({&F, Calls, std::move(*Plan), Name + Suffix, V.Since});
      append_range(LeftOut, V.NewArguments);
    }
    return true;
  }

  /// The latest first.
  SmallVector<ShimVersion> versions(const NativeFunction &F) const {
    std::string Name = F.Schema.Name.str();
    SmallVector<ShimVersion> Versions;
    copy_if(Facts.Versions, std::back_inserter(Versions),
            [&](const ShimVersion &V) { return V.Op == Name; });
    if (none_of(Versions, [](const ShimVersion &V) { return V.Number == 1; }))
      Versions.emplace_back();
    sort(Versions, [](const ShimVersion &A, const ShimVersion &B) { return A.Number > B.Number; });
    return Versions;
  }

  const AtenInput &In;
  const ShimTraits &Facts;
};

} // namespace

std::string ShimFile::device() const { return Device ? toLower(*Device) : "aten"; }

std::vector<ShimFile> planShimFiles(const AtenInput &In) {
  if (!In.dialect().Aten.HasAotiShims)
    return {};
  return ShimPlanner(In).files();
}

} // namespace opsig
