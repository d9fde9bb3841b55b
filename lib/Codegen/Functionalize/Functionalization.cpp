//===- Functionalization.cpp - RegisterFunctionalization_N.cpp, FunctionalInverses.h ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Functionalize/FunctionalizationInternal.h"
#include "opsig/Signature/Functionalization.h"

using namespace llvm;

namespace opsig {

namespace {

constexpr unsigned NumShards = 4;

constexpr Template EntryText = R"(
m.impl("${op}", ${if type}static_cast<${type}>(at::native::${kernel})${else}TORCH_FN(functionalization::${kernel})${end});)";

void printEntry(std::string &Out, const FunctionalizationEntry &E, const Dialect &D) {
  const NativeFunction &F = *E.Function;
  std::string Type, Kernel = E.Composite ? E.Composite->Kernel : functionalizationName(F.Schema);
  if (E.Composite) // A pointer's type that keeps the names of the parameters.
    Type =
        nativeSignature(F.Schema, Lowering::of(F, D), E.Composite->supportsSymInt()).defn(D, "(*)");
  print<EntryText>(Out, "op"_hole = F.Schema.Name.str(), "type"_hole = Type,
                   "kernel"_hole = Kernel);
}

/// What the functions of an item add to a file.
struct ItemTexts {
  FunctionalizationItem Of;
  std::vector<std::string> Kernels, Entries;
};

/// Adds kernels and entries of an item, or reports why there are none.
void addCode(ItemTexts &To, const Dialect &D, Findings &Diags) {
  if (std::optional<FunctionalizationProblem> Problem = whyNotFunctionalized(To.Of, D)) {
    reportFunctionalization(*Problem->Function, Problem->Why, Diags);
    return;
  }
  for (const FunctionalizationKernel &K : planKernels(To.Of)) {
    FirstError Failed;
    auto *Print = K.ViewGroup ? printViewKernel : printMutationKernel;
    Print(To.Kernels.emplace_back(), planKernel(K, D), D, Failed);
    succeeded(Failed, *K.Function, Diags);
  }
  for (const FunctionalizationEntry &E : planEntries(To.Of, D))
    printEntry(To.Entries.emplace_back(), E, D);
}

void addViewInverses(const AtenInput &In, FileWriter &Out) {
  const Dialect &D = In.dialect();
  std::vector<std::string> Declarations;
  for (const NativeFunctionsViewGroup *G : viewGroups(In.Ops)) {
    if (!hasInverse(*G))
      continue;
    // A selective build has not checked more than that; `base` stands for this argument.
    Arguments::Slice Args = G->View->Schema.Args.all();
    if (Args.empty() || !Args[0].Ty.is(BaseTy::Tensor)) {
      reportFunctionalization(*G->View, "the first argument of a view must be a tensor",
                              Out.diags());
      continue;
    }
    Signature Inverse = viewInverseSignature(*G, Lowering::of(*G->View, D));
    Declarations.push_back("static " + Inverse.decl(D) + ";");
  }
  Out.add({"FunctionalInverses.h"}, "view_inverse_declarations"_hole = Declarations);
}

} // namespace

void printIncludes(std::string &Out, const FunctionalizationItem &Item) {
  for (const NativeFunction *F : includedFunctions(Item))
    Out += opInclude(*F, "_native") + "\n" + opInclude(*F, "_ops") + "\n";
}

void generateFunctionalization(const AtenInput &In, FileWriter &Out) {
  size_t NumBefore = Out.diags().size();
  std::vector<ItemTexts> Items;
  for (const FunctionalizationItem &Item : functionalizationItems(In.Ops)) {
    Items.push_back({Item, {}, {}});
    // A selective build has no functionalization.
    if (In.Selected.includesAll())
      addCode(Items.back(), In.dialect(), Out.diags());
  }
  if (Out.diags().size() != NumBefore)
    return;
  auto Root = [](const ItemTexts &I) { return rootName(I.Of); };
  auto Includes = [](std::string &To, const ItemTexts *I) { printIncludes(To, I->Of); };
  auto Lines = [](std::vector<std::string> ItemTexts::*Of) {
    return [Of](std::string &To, const ItemTexts *I) { HoleView(I->*Of).printLines(To); };
  };
  Out.addShards(
      {"RegisterFunctionalization.cpp"}, Items, NumShards, Root, [&](const Shard<ItemTexts> &S) {
        Out.add(S.Spec,
                frame("shard_id"_hole = S.Id, "ops_headers"_hole = each(S.Items, Includes),
                      "func_add_back_views_definitions"_hole = "",
                      "func_add_back_views_registrations"_hole = ""),
                "func_definitions"_hole = each(S.Items, Lines(&ItemTexts::Kernels)),
                "func_registrations"_hole = each(S.Items, Lines(&ItemTexts::Entries)));
      });
  addViewInverses(In, Out);
}

} // namespace opsig
