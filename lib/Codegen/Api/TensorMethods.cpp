//===- TensorMethods.cpp - TensorBody.h and RedispatchFunctions.h -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Api/OperatorApiInternal.h"
#include "opsig/Codegen/Sharding.h"

using namespace llvm;

namespace opsig {

void generateTensorMethods(const AtenInput &In, AtenSink Out, Diagnostics &Diags) {
  std::vector<std::string> Declarations, Definitions, Redispatching;
  for (const NativeFunction &F : In.Ops.Functions) {
    OperatorApi Api(F, In.dialect());
    if (F.IsMethodVariant) {
      Declarations.push_back(Api.methodDeclarations());
      Definitions.push_back(Api.methodDefinitions(Diags));
    }
    Redispatching.push_back(Api.redispatchFunctions(Diags));
  }
  addFile(In, {AtenFolder::Core, AtenList::Core, "TensorBody.h"},
          {{"tensor_method_declarations", std::move(Declarations)},
           {"tensor_method_definitions", std::move(Definitions)}},
          {"tensor_method_declarations", "tensor_method_definitions"}, Out, Diags);
  addFile(In, {AtenFolder::Main, AtenList::Main, "RedispatchFunctions.h"},
          {{"function_redispatch_definitions", std::move(Redispatching)}},
          {"function_redispatch_definitions"}, Out, Diags);
}

} // namespace opsig
