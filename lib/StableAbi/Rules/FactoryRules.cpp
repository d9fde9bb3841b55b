//===- FactoryRules.cpp - tensors that are made from options ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before: torch::empty({m, n}, x.options().dtype(torch::kInt))
// After:  torch::stable::new_empty(x, {m, n}, torch::headeronly::ScalarType::Int)
//
// Before: at::zeros({n}, at::TensorOptions().dtype(at::kFloat).device(d))
// After:  torch::stable::full({n}, 0, torch::headeronly::ScalarType::Float, std::nullopt, d)
//
// Before: torch::tensor(x, torch::dtype(torch::kDouble))
// After:  torch::stable::full({}, x, torch::headeronly::ScalarType::Double)
//
// Before: torch::from_blob(p, {n}, x.options())
// After:  torch::stable::from_blob(p, {n}, {1}, x.device(), x.scalar_type())
//
//===----------------------------------------------------------------------===//
#include "Rules/RuleTable.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/StringExtras.h"

using namespace opsig;
using namespace llvm;

namespace {

bool asksForGradients(const ApiOptions &O, const StableContext &Context) {
  return O.RequiresGrad.isValid() && Context.text(O.RequiresGrad) != "false";
}

/// Strides are written where sizes are one number; otherwise they have to be there.
RuleResult blobRule(const ApiUse &Use, const StableContext &Context) {
  const ApiOptions &O = Use.Options;
  auto Stays = [&](StringRef Why) { return staysAsIs(Use, finding::UnstableFunction, Why.str()); };
  size_t Count = Use.Args.size();
  if (!Use.isCall() || Count < 3 || Count > 4 || !O.Known)
    return Stays("pass sizes, strides, device and dtype to torch::stable::from_blob");
  StringRef Sizes = Context.text(Use.Args[1].At);
  bool OneSize = Sizes.starts_with("{") && !Sizes.contains(',');
  bool HasStrides = Count == 4 && (StringRef(Use.Args[2].Type).contains("ArrayRef") ||
                                   StringRef(Use.Args[2].Type).contains("vector") ||
                                   Context.text(Use.Args[2].At).starts_with("{"));
  if (Count == 4 ? !HasStrides : !OneSize)
    return Stays(Count == 4 ? "pass the deleter as the last argument of torch::stable::from_blob"
                            : "pass the strides, which torch::stable::from_blob requires");
  bool SaysDevice = O.Device.isValid() || O.Like.isValid();
  bool SaysDtype = O.Dtype.isValid() || O.Like.isValid();
  bool Plain = !O.Layout.isValid() && !O.PinMemory.isValid() && !asksForGradients(O, Context);
  if (!SaysDevice || !SaysDtype || !Plain)
    return Stays("pass dtype and device, which torch::stable::from_blob requires");
  WayBuilder Way(Context);
  Way.at(Use.At).pattern("torch::stable::from_blob($1, $2, ", Use);
  Way.pattern(HasStrides ? "$3, $v, $d)" : "{1}, $v, $d)", Use);
  return movesBy(Use, finding::UnstableFunction, "torch::stable::from_blob", std::move(Way));
}

/// `torch::tensor(x, torch::dtype(t))` of a number, which is a tensor without dimensions.
RuleResult numberRule(const ApiUse &Use, const StableContext &Context) {
  const ApiOptions &O = Use.Options;
  bool Exact = Use.Args.size() == 2 &&
               is_contained({"float", "double", "int", "bool"}, StringRef(Use.Args[0].Type));
  if (!Exact || !O.Known || !O.Dtype.isValid() || O.RequiresGrad.isValid())
    return staysAsIs(Use, finding::UnstableFunction,
                     "torch::stable::full takes a double and a dtype, not a list of elements");
  WayBuilder Way(Context);
  Way.at(Use.At).pattern("torch::stable::full({}, $1$p)", Use);
  return movesBy(Use, finding::UnstableFunction, "torch::stable::full", std::move(Way));
}

} // namespace

void opsig::addParts(WayBuilder &Way, const ApiOptions &O, Span Like, StringRef Dot) {
  struct {
    Span Said;
    StringRef Method;
  } const Parts[] = {{O.Dtype, "scalar_type()"},
                     {O.Layout, "layout()"},
                     {O.Device, "device()"},
                     {O.PinMemory, ""}};
  size_t Last = Like.isValid() ? 3 : 0;
  for (size_t I = Last; I < std::size(Parts); ++I)
    if (Parts[I].Said.isValid())
      Last = I + 1;
  for (const auto &[Said, Method] : ArrayRef(Parts).take_front(Last)) {
    Way.text(", ");
    if (Said.isValid())
      Way.from(Said);
    else if (Like.isValid())
      Way.from(Like).text((Dot + Method).str());
    else
      Way.text("std::nullopt").header("optional");
  }
}

RuleResult opsig::factoryRule(const ApiUse &Use, const StableContext &Context) {
  StringRef Name = withoutNamespace(Use.Name);
  if (Name == "from_blob")
    return blobRule(Use, Context);
  if (Name == "tensor" && Use.Is == ApiUse::Function && Use.isCall())
    return numberRule(Use, Context);
  const bool IsMethod = Use.Is == ApiUse::Method;
  Name = IsMethod ? Name.rsplit("::").second : Name;
  StringRef Made = Name;
  if (Made.consume_front("new_") != IsMethod)
    return std::nullopt;
  Made.consume_back("_like");
  if (!isWordOf("empty zeros ones full", Made))
    return std::nullopt;
  const ApiOptions &O = Use.Options;
  const size_t Given = Use.Args.size(), Needed = Made == "full" ? 2 : 1;
  auto Stays = [&](StringRef Why) {
    return staysAsIs(Use, IsMethod ? finding::UnstableMethod : finding::UnstableFunction,
                     Why.str());
  };
  if (!Use.isCall() || Given < Needed)
    return Stays("");
  // What is given one by one, or a memory format, is none of the chain.
  if (Given > Needed && (!O.Known || Given > Needed + 1))
    return Stays("pass dtype, layout and device separately");
  if (asksForGradients(O, Context))
    return Stays("call set_requires_grad() on the new tensor");
  RuleTable Table = IsMethod ? RuleTable::Methods : RuleTable::Functions;
  if (RuleResult Change = ruleFrom(Table, ((IsMethod ? "Tensor." : "") + Name).str(), Use, Context))
    return Change;
  return Stays("pass the dtype, because torch::stable::full takes a double and does not use the "
               "type of the value");
}

/// A variable that nothing but factories use is not needed any more.
RuleResult opsig::optionsRule(const ApiUse &Use, const StableContext &Context) {
  uint32_t Served = 0;
  for (const ApiUse &Other : Context.Unit.Uses)
    if (&Other != &Use && is_contained(Other.Options.Variables, Use.NameAt)) {
      bool Moves = false;
      if (Other.Is == ApiUse::Function)
        if (RuleResult R = factoryRule(Other, Context))
          Moves = R->Is != StableChange::Stays;
      if (Other.Is == ApiUse::Method)
        if (RuleResult R = methodRule(Other, Context))
          Moves = R->Is != StableChange::Stays;
      // Of a variable that is made of this one.
      Served += Moves || Other.Is == ApiUse::Variable;
    }
  if (!Use.Options.Known || Served < Use.Count)
    return staysAsIs(Use, finding::UnstableType, "pass dtype, layout and device separately");
  WayBuilder Way(Context);
  Way.at(Context.wholeLines(Use.At));
  return movesInWords(Use, finding::UnstableType, "its parts", std::move(Way));
}
