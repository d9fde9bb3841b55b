//===- Functionalization.cpp - RegisterFunctionalization_N.cpp --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Functionalize/FunctionalizationInternal.h"
#include "opsig/Codegen/Sharding.h"
#include "opsig/Support/Printer.h"

using namespace llvm;

namespace opsig {

namespace {

constexpr Template EntryText = "m.impl(\"${op}\", ${kernel});";
constexpr Template OwnKernelText = "TORCH_FN(functionalization::${kernel})";
constexpr Template CompositeKernelText = "static_cast<${type}>(at::native::${kernel})";

constexpr StringRef FileName = "RegisterFunctionalization.cpp";
constexpr unsigned NumShards = 4;
constexpr StringRef Headers = "ops_headers";
constexpr StringRef Definitions = "func_definitions";
constexpr StringRef Registrations = "func_registrations";
constexpr StringRef ShardedHoles[] = {Headers, Definitions, Registrations,
                                      "func_add_back_views_definitions",
                                      "func_add_back_views_registrations"};
constexpr StringRef Needs[] = {Definitions, Registrations};

std::string registration(const FunctionalizationEntry &E, const Dialect &D) {
  const NativeFunction &F = *E.Function;
  std::string Kernel;
  if (E.Composite) {
    Signature Native = nativeSignature(F.Schema, Lowering::of(F, D), E.Composite->supportsSymInt());
    // A pointer's type that keeps the names of the parameters.
    Kernel = printed<CompositeKernelText>("type"_hole = Native.defn(D, "(*)"),
                                          "kernel"_hole = E.Composite->Kernel);
  } else {
    Kernel = printed<OwnKernelText>("kernel"_hole = functionalizationName(F.Schema));
  }
  return printed<EntryText>("op"_hole = F.Schema.Name.str(), "kernel"_hole = Kernel);
}

/// Adds kernels and entries of an item, or reports why there are none.
void addCode(ShardItem &To, const FunctionalizationItem &Item, const Dialect &D,
             Diagnostics &Diags) {
  if (std::optional<FunctionalizationProblem> Problem = whyNotFunctionalized(Item, D)) {
    reportFunctionalization(*Problem->Function, Problem->Why, Diags);
    return;
  }
  for (const FunctionalizationKernel &K : planKernels(Item))
    if (auto Text =
            orReport(K.ViewGroup ? viewKernel(K, D) : mutationKernel(K, D), *K.Function, Diags))
      To.Lists[Definitions].push_back(std::move(*Text));
  for (const FunctionalizationEntry &E : planEntries(Item, D))
    To.Lists[Registrations].push_back(registration(E, D));
}

ShardItem shardItem(const FunctionalizationItem &Item, const AtenInput &In, Diagnostics &Diags) {
  ShardItem Result{rootName(Item), {}};
  std::vector<std::string> &Includes = Result.Lists[Headers];
  for (const NativeFunction *F : includedFunctions(Item))
    for (StringRef Suffix : {"native", "ops"})
      Includes.push_back(opInclude(*F, Suffix));
  // A selective build has no functionalization.
  if (In.Selected.includesAll())
    addCode(Result, Item, In.dialect(), Diags);
  return Result;
}

} // namespace

void generateFunctionalization(const AtenInput &In, AtenSink Out, Diagnostics &Diags) {
  size_t NumBefore = Diags.size();
  std::vector<FunctionalizationItem> Functions = functionalizationItems(In.Ops);
  std::vector<ShardItem> Items;
  Items.reserve(Functions.size()); // Growing would copy every text.
  for (const FunctionalizationItem &Item : Functions)
    Items.push_back(shardItem(Item, In, Diags));
  if (Diags.size() != NumBefore)
    return;
  addShardedFiles(In, {AtenFolder::Main, AtenList::Main, FileName.str()}, Items, NumShards,
                  ShardedHoles, /*Base=*/{}, Needs, Out, Diags);
  addViewInverses(In, Out, Diags);
}

} // namespace opsig
