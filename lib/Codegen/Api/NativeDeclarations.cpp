//===- NativeDeclarations.cpp - Declarations of in-tree kernels -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Api/FamilyPlansInternal.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace opsig {

namespace {

constexpr Template FunctionText = "TORCH_API ${signature};";

constexpr Template StructuredText =
    R"(struct ${export} structured_${kernel} : public at::meta::structured_${meta} {
void impl(${params});
};)";

/// The kernels of one namespace; each text once, in the order of first mention.
struct NamespaceBlock {
  StringRef Name;
  std::vector<std::string> Kernels;
  StringSet<> Seen;

  void add(std::string Kernel) {
    if (Seen.insert(Kernel).second)
      Kernels.push_back(std::move(Kernel));
  }
};

NamespaceBlock &blockOf(StringRef Name, std::vector<NamespaceBlock> &Blocks) {
  for (NamespaceBlock &B : Blocks)
    if (B.Name == Name)
      return B;
  return Blocks.emplace_back(NamespaceBlock{Name, {}, {}});
}

} // namespace

KernelDeclaration planDeclaration(const KernelEntry &Kernel) {
  if (Kernel.Structured)
    return KernelDeclaration::StructuredClass;
  return StringRef(Kernel.Kernel).contains("legacy::") ? KernelDeclaration::Elsewhere
                                                       : KernelDeclaration::Function;
}

std::string structuredDeclaration(const NativeFunctionsGroup &G, const KernelEntry &Kernel,
                                  const Dialect &D) {
  bool Xpu = Kernel.Key == DispatchKey::XPU && D.Output.ExportsXpuKernels;
  Signature Impl = structuredImpl(G, D);
  return printed<StructuredText>("export"_hole = Xpu ? "TORCH_XPU_API" : "TORCH_API",
                                 "kernel"_hole = Kernel.Kernel, "meta"_hole = structuredMetaName(G),
                                 "params"_hole = declarations(Impl.Params, D));
}

namespace {

/// The kernels that \p Index has for a function or group. A namespace is opened also where there is
/// none.
void addKernels(const FunctionOrGroup &FG, const BackendIndex &Index, const Dialect &D,
                std::vector<NamespaceBlock> &Blocks) {
  const auto *Group = std::get_if<NativeFunctionsGroup>(&FG);
  const NativeFunction &Primary =
      Group ? Group->primary(Index) : *std::get<const NativeFunction *>(FG);
  const KernelEntry *Kernel = Index.kernel(Primary);
  NamespaceBlock &Block = blockOf(Kernel ? StringRef(Kernel->CppNamespace) : "at::native", Blocks);
  if (Group && Kernel && planDeclaration(*Kernel) == KernelDeclaration::StructuredClass) {
    Block.add(structuredDeclaration(*Group, *Kernel, D));
    return;
  }
  Lowering L = Group ? Lowering::of(*Group, D) : Lowering::of(Primary, D);
  for (const NativeFunction *F : functionsOf(FG))
    if (const KernelEntry *K = Index.kernel(*F);
        K && planDeclaration(*K) != KernelDeclaration::Elsewhere)
      Block.add(printed<FunctionText>("signature"_hole =
                                          kernelSignature(*F, Index, L).decl(D, K->Kernel)));
}

} // namespace

std::vector<std::string> nativeDeclarations(ArrayRef<const FunctionOrGroup *> Groups,
                                            const Operators &Ops) {
  std::vector<NamespaceBlock> Blocks;
  for (const FunctionOrGroup *G : Groups)
    for (const BackendIndex &Index : Ops.Indices)
      addKernels(*G, Index, *Ops.D, Blocks);
  std::vector<std::string> Lines;
  for (NamespaceBlock &B : Blocks) {
    Lines.push_back(openNamespaces(B.Name));
    llvm::move(B.Kernels, std::back_inserter(Lines));
    Lines.push_back(closeNamespaces(B.Name) + "        "); // torchgen's own white space
  }
  return Lines;
}

} // namespace opsig
