//===- OperatorSources.cpp - Operators_N.cpp, TensorBody.h, RedispatchFunctions.h ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Api/StaticDispatchInternal.h"
#include "opsig/Codegen/Aten.h"

using namespace llvm;

namespace opsig {

void generateOperatorSources(const AtenInput &In, FileWriter &Out) {
  constexpr unsigned NumShards = 5;
  StaticDispatch Static(In.StaticDispatch, In.Ops);
  struct Item {
    const NativeFunction *Function;
    std::string Definition;
  };
  std::vector<Item> Items;
  Items.reserve(In.Ops.Functions.size());
  for (const NativeFunction &F : In.Ops.Functions) {
    OperatorApi Api(F, In.dialect());
    Api.printDefinition(Items.emplace_back(&F).Definition, Static.callBody(Api, Out.diags()));
  }
  auto Root = [](const Item &I) { return I.Function->rootName(); };
  Out.addShards({"Operators.cpp"}, Items, NumShards, Root, [&](const Shard<Item> &S) {
    Out.add(S.Spec, frame("shard_id"_hole = S.Id),
            "operator_headers"_hole =
                each(S.Items, [](const Item *I) { return opInclude(*I->Function, ""); }),
            "static_dispatch_extra_headers"_hole = Static.functionsIncludes(),
            "definitions"_hole =
                each(S.Items, [](const Item *I) -> StringRef { return I->Definition; }));
  });
}

void generateTensorMethods(const AtenInput &In, FileWriter &Out) {
  std::vector<OperatorApi> All;
  All.reserve(In.Ops.Functions.size());
  for (const NativeFunction &F : In.Ops.Functions)
    All.emplace_back(F, In.dialect());
  using Api = const OperatorApi &;
  auto Methods = make_filter_range(All, [](Api A) { return A.function().IsMethodVariant; });
  Out.add({"TensorBody.h", "", FileFolder::Core, FileList::Core},
          "tensor_method_declarations"_hole =
              each(Methods, [](std::string &To, Api A) { A.printMethodDeclarations(To); }),
          "tensor_method_definitions"_hole = each(
              Methods, [&](std::string &To, Api A) { A.printMethodDefinitions(To, Out.diags()); }));
  Out.add({"RedispatchFunctions.h"},
          "function_redispatch_definitions"_hole = each(
              All, [&](std::string &To, Api A) { A.printRedispatchFunctions(To, Out.diags()); }));
}

} // namespace opsig
