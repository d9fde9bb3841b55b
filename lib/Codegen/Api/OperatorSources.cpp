//===- OperatorSources.cpp - Operators_N.cpp --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Api/StaticDispatchInternal.h"
#include "opsig/Codegen/Sharding.h"

using namespace llvm;

namespace opsig {

void generateOperatorSources(const AtenInput &In, AtenSink Out, Diagnostics &Diags) {
  constexpr unsigned NumShards = 5;
  StaticDispatch Static(In.StaticDispatch, In.Ops);
  std::vector<ShardItem> Items;
  Items.reserve(In.Ops.Functions.size());
  for (const NativeFunction &F : In.Ops.Functions) {
    OperatorApi Api(F, In.dialect());
    ShardItem &Item = Items.emplace_back();
    Item.Key = F.rootName();
    Item.Lists["operator_headers"].push_back(
        ("#include <ATen/ops/" + F.rootName() + ".h>").str());
    Item.Lists["definitions"].push_back(Api.structDefinition(Static.callBody(Api, Diags)));
  }
  addShardedFiles(In, {AtenFolder::Main, AtenList::Main, "Operators.cpp"}, Items, NumShards,
                  {"operator_headers", "definitions"},
                  {{"static_dispatch_extra_headers", Static.functionsIncludes()}},
                  {"operator_headers", "static_dispatch_extra_headers", "definitions"}, Out, Diags);
}

} // namespace opsig
