//===- NativeDeclarations.cpp - Declarations of in-tree kernels -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Api/FamilyPlansInternal.h"
#include "Api/KernelDeclarationsInternal.h"
#include "Print/NamespacesInternal.h"
#include "opsig/Signature/Signature.h"
#include "opsig/Support/Printer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace opsig {

namespace {

constexpr Template FunctionText = "TORCH_API ${signature};";

constexpr Template StructuredText =
    R"(struct ${export} structured_${kernel} : public at::meta::structured_${meta} {
void impl(${params});
};)";

// What each block ends in.
constexpr StringLiteral BlockEnd = "        ";

constexpr StringLiteral DefaultNamespace = "at::native";

/// The kernels of one namespace; each text once, in the order of first mention.
class NamespaceBlock {
public:
  explicit NamespaceBlock(StringRef Name) : Name(Name) {}
  StringRef name() const { return Name; }

  void add(std::string Kernel) {
    if (Seen.insert(Kernel).second)
      Kernels.push_back(std::move(Kernel));
  }

  void print(std::vector<std::string> &Lines) {
    Lines.push_back(StringRef(openNamespaces(Name)).rtrim('\n').str());
    std::move(Kernels.begin(), Kernels.end(), std::back_inserter(Lines));
    Lines.push_back(closeNamespaces(Name) + BlockEnd.str());
  }

private:
  StringRef Name;
  std::vector<std::string> Kernels;
  StringSet<> Seen;
};

NamespaceBlock &blockOf(StringRef Name, std::vector<NamespaceBlock> &Blocks) {
  for (NamespaceBlock &B : Blocks)
    if (B.name() == Name)
      return B;
  return Blocks.emplace_back(Name);
}

void addFunction(const NativeFunction &F, const BackendIndex &Index, const Lowering &L,
                 NamespaceBlock &Block) {
  const KernelEntry *Kernel = Index.kernel(F);
  if (Kernel && planDeclaration(*Kernel) != KernelDeclaration::Elsewhere)
    Block.add(printed<FunctionText>("signature"_hole =
                                        kernelSignature(F, Index, L).decl(*L.D, Kernel->Kernel)));
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
  std::string Params;
  for (const Binding &B : structuredImpl(G, D).Params)
    Params += (Params.empty() ? "" : ", ") + B.decl(D);
  bool Xpu = Kernel.Key == DispatchKey::XPU && D.Output.ExportsXpuKernels;
  StringRef Export = Xpu ? "TORCH_XPU_API" : "TORCH_API";
  return printed<StructuredText>("export"_hole = Export, "kernel"_hole = Kernel.Kernel,
                                 "meta"_hole = structuredMetaName(G), "params"_hole = Params);
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
  NamespaceBlock &Block =
      blockOf(Kernel ? StringRef(Kernel->CppNamespace) : StringRef(DefaultNamespace), Blocks);
  if (Group && Kernel && planDeclaration(*Kernel) == KernelDeclaration::StructuredClass) {
    Block.add(structuredDeclaration(*Group, *Kernel, D));
    return;
  }
  Lowering L = Group ? Lowering::of(*Group, D) : Lowering::of(Primary, D);
  for (const NativeFunction *F : functionsOf(FG))
    addFunction(*F, Index, L, Block);
}

} // namespace

std::vector<std::string> nativeDeclarations(ArrayRef<const FunctionOrGroup *> Groups,
                                            const Operators &Ops) {
  std::vector<NamespaceBlock> Blocks;
  for (const FunctionOrGroup *G : Groups)
    for (const BackendIndex &Index : Ops.Indices)
      addKernels(*G, Index, *Ops.D, Blocks);
  std::vector<std::string> Lines;
  for (NamespaceBlock &B : Blocks)
    B.print(Lines);
  return Lines;
}

} // namespace opsig
