//===- KernelDeclarations.cpp - Classes of meta functions, kernels ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Api/FamilyPlansInternal.h"
#include "opsig/Dialect/OutputTraits.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace opsig {

//===-- Meta functions of structured groups ---------------------------------===//

namespace {

// With precomputed values the function returns a struct with a bool per value that tells whether it
// was set.
constexpr Template MetaClassText = R"(
struct TORCH_API structured_${name} : public ${parent} {
    ${=blank}${if values}
                template <${flags}>
                struct TORCH_API precompute_out {
                    ${=setters}
                    ${=members};
            };${end}
    ${=blank}${if values}using meta_return_ty = precompute_out <${trues}>;${end}
    ${if values}meta_return_ty${else}void${end} meta(${params});
};
)";
constexpr Template SetterText = R"(

                    precompute_out<${after}> set_${name}(${type} value) {
                        static_assert(${flag} == false, "${name} already set");
                        precompute_out<${after}> ret;
${=assignments}
return ret;
                    }
                )";

struct PrecomputedValue {
  std::string Name;
  std::string Flag; ///< the name in capitals
  std::string Type;
};

std::vector<PrecomputedValue> precomputedValues(const NativeFunctionsGroup &G, const Dialect &D) {
  std::vector<PrecomputedValue> Values;
  auto Add = [&](const std::vector<Argument> &Arguments) {
    for (const Argument &A : Arguments)
      Values.push_back({A.Name, StringRef(A.Name).upper(), structuredType(A).strWithoutRef(D)});
  };
  if (!G.Out->Precomputed)
    return Values;
  for (const Precompute::Replacement &R : G.Out->Precomputed->Replace)
    Add(R.By);
  Add(G.Out->Precomputed->Add);
  return Values;
}

} // namespace

std::vector<const NativeFunctionsGroup *>
structuredGroups(ArrayRef<const FunctionOrGroup *> Groups) {
  std::vector<const NativeFunctionsGroup *> Structured;
  for (const FunctionOrGroup *G : Groups)
    if (const auto *Group = std::get_if<NativeFunctionsGroup>(G); Group && Group->structured())
      Structured.push_back(Group);
  return Structured;
}

void declareMeta(std::string &Out, const NativeFunctionsGroup &G, const Dialect &D) {
  std::vector<PrecomputedValue> Values = precomputedValues(G, D);
  using V = const PrecomputedValue &;
  auto Setter = [&](std::string &To, V Set) {
    auto IsSet = [&](V Value) { return &Value == &Set; };
    print<SetterText>(To,
                      "after"_hole =
                          each(Values, [&](V Value) { return IsSet(Value) ? "true" : Value.Flag; }),
                      "name"_hole = Set.Name, "type"_hole = Set.Type, "flag"_hole = Set.Flag,
                      "assignments"_hole = each(
                          Values,
                          [&](V Value) {
                            return "ret." + Value.Name + " = " +
                                   (IsSet(Value) ? "value;" : "this->" + Value.Name + ";");
                          },
                          "\n"));
  };
  const std::string &Parent = G.Out->StructuredInherits;
  Signature Meta = structuredMeta(G, D);
  print<MetaClassText>(
      Out, "name"_hole = structuredMetaName(G),
      "parent"_hole = Parent.empty() ? StringRef("at::impl::MetaBase") : StringRef(Parent),
      "blank"_hole = "", "values"_hole = !Values.empty(),
      "flags"_hole = each(Values, [](V Value) { return "bool " + Value.Flag + " = false"; }),
      "setters"_hole = each(Values, Setter, "\n"),
      "members"_hole = each(
          Values, [](V Value) { return Value.Type + " " + Value.Name; }, ";\n"),
      "trues"_hole = each(Values, [](V) { return "true"; }),
      "params"_hole = declarations(Meta.Params, D));
}

//===-- Kernels in the tree -------------------------------------------------===//

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
