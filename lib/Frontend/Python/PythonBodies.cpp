//===- PythonBodies.cpp - Bodies of Python functions ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "bodies" of share/python/kernel_bodies.py => FunctionFlow
//
//===----------------------------------------------------------------------===//
#include "Python/PythonBodiesInternal.h"

#include "llvm/ADT/DenseMap.h"

using namespace opsig;
using namespace llvm;

namespace {

uint32_t numberAt(const json::Array &A, size_t I) {
  std::optional<int64_t> N = I < A.size() ? A[I].getAsInteger() : std::nullopt;
  return N && *N >= 0 && *N <= UINT32_MAX ? uint32_t(*N) : 0;
}

const json::Array &listOf(const json::Object &O, StringRef Key) {
  static const json::Array Empty;
  const json::Array *Out = O.getArray(Key);
  return Out ? *Out : Empty;
}

Span spanOf(const json::Array *A) {
  return A && A->size() == 2 ? Span{0, numberAt(*A, 0), numberAt(*A, 1)} : Span();
}

std::string textOf(const json::Object &O, StringRef Key) {
  return O.getString(Key).value_or("").str();
}

class BodyReader {
public:
  explicit BodyReader(const json::Array &Bodies) : Bodies(Bodies) {
    for (size_t I = 0; I != Bodies.size(); ++I)
      if (const json::Object *Body = Bodies[I].getAsObject())
        Places[Body->getInteger("function").value_or(-1)] = I;
  }

  std::optional<std::vector<FunctionFlow>> read() {
    std::vector<FunctionFlow> Out;
    for (const json::Value &V : Bodies) {
      const json::Object *Body = V.getAsObject();
      if (!Body)
        return std::nullopt;
      Out.push_back(flow(*Body));
      if (!isSound(Out.back(), Bodies.size()))
        return std::nullopt;
    }
    return Out;
  }

private:
  FunctionFlow flow(const json::Object &Body);
  FlowCall call(const json::Object &Call);
  /// Every index is one of something that is there.
  static bool isSound(const FunctionFlow &F, size_t NumFlows);

  const json::Array &Bodies;
  DenseMap<int64_t, uint32_t> Places; ///< of functions, among the bodies
};

FlowCall BodyReader::call(const json::Object &Call) {
  FlowCall Out;
  Out.Callee = textOf(Call, "callee");
  for (const json::Value &Word : listOf(Call, "keywords"))
    Out.TensorParams.push_back(Word.getAsString().value_or("").str());
  for (const json::Value &V : listOf(Call, "args"))
    if (const json::Array *A = V.getAsArray(); A && A->size() == 3) {
      uint32_t Position = (*A)[1].getAsInteger() == -1 ? ~0u : numberAt(*A, 1);
      Out.Args.push_back(
          {(*A)[0].getAsString().value_or("").str(), Position, numberAt(*A, 2), false});
    }
  auto Known = Places.find(Call.getInteger("function").value_or(-1));
  if (Known != Places.end())
    Out.Flow = Known->second;
  else if (std::string Import = textOf(Call, "import"); !Import.empty())
    Out.Symbol = (Call.getBoolean("launch").value_or(false) ? "launch " : "import ") + Import;
  Out.At = spanOf(Call.getArray("at"));
  return Out;
}

FunctionFlow BodyReader::flow(const json::Object &Body) {
  FunctionFlow Out;
  Out.Name = textOf(Body, "name");
  Out.NameAt = spanOf(Body.getArray("name_at"));
  Out.NumParams = Body.getInteger("parameters").value_or(0);
  for (const json::Value &V : listOf(Body, "values")) {
    FlowValue &Value = Out.Values.emplace_back();
    const json::Array *A = V.getAsArray();
    if (!A || A->size() != 3)
      continue;
    Value.Is = FlowValue::Kind(std::min<uint32_t>(numberAt(*A, 0), FlowValue::OneOf));
    Value.Index = numberAt(*A, 1);
    if (const json::Array *From = (*A)[2].getAsArray())
      for (size_t I = 0; I != From->size(); ++I)
        Value.From.push_back(numberAt(*From, I));
  }
  for (const json::Value &V : listOf(Body, "calls"))
    if (const json::Object *Call = V.getAsObject())
      Out.Calls.push_back(call(*Call));
  for (const json::Value &V : listOf(Body, "handed"))
    if (const json::Object *Call = V.getAsObject())
      Out.Handed.push_back(call(*Call));
  for (const json::Value &V : listOf(Body, "writes"))
    if (const json::Array *A = V.getAsArray(); A && A->size() == 2)
      Out.Writes.push_back({numberAt(*A, 0), spanOf((*A)[1].getAsArray())});
  for (const json::Value &V : listOf(Body, "returns"))
    if (const json::Array *A = V.getAsArray(); A && A->size() == 2)
      Out.Returns.push_back({numberAt(*A, 0), spanOf((*A)[1].getAsArray())});
  const json::Array &Escapes = listOf(Body, "escapes");
  for (size_t I = 0; I != Escapes.size(); ++I)
    Out.Escapes.push_back(numberAt(Escapes, I));
  Out.Complete = Body.getBoolean("complete").value_or(false);
  Out.Finishes = Body.getBoolean("finishes").value_or(false);
  return Out;
}

bool BodyReader::isSound(const FunctionFlow &F, size_t NumFlows) {
  auto IsValue = [&](FlowIndex I) { return I < F.Values.size(); };
  if (F.Values.size() <= F.NumParams)
    return false;
  for (const FlowValue &V : F.Values) {
    if (!all_of(V.From, IsValue))
      return false;
    if ((V.Is == FlowValue::Parameter && V.Index >= F.NumParams) ||
        (V.Is == FlowValue::Result && V.Index >= F.Calls.size()) ||
        (V.Is == FlowValue::Part && V.From.size() != 1))
      return false;
  }
  auto IsCall = [&](const FlowCall &C) {
    return (C.Flow == FlowCall::NoFlow || C.Flow < NumFlows) &&
           all_of(C.Args, [&](const FlowArgument &A) { return IsValue(A.Value); });
  };
  auto HasValue = [&](const auto &Of) { return IsValue(Of.Value); };
  return all_of(F.Calls, IsCall) && all_of(F.Handed, IsCall) && all_of(F.Writes, HasValue) &&
         all_of(F.Returns, HasValue) && all_of(F.Escapes, IsValue);
}

} // namespace

std::optional<std::vector<FunctionFlow>> opsig::pythonFlows(const json::Object &Facts) {
  return BodyReader(listOf(Facts, "bodies")).read();
}
