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
#include "Rules/StableInternal.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace opsig;
using namespace llvm;

namespace {

enum class Fill : uint8_t { None, Zero, One, Value };

struct Factory {
  Fill With = Fill::None;
  bool Like = false;   ///< empty_like: the first argument is a tensor
  bool Method = false; ///< new_empty
  bool Known = false;
};

Factory factoryOf(StringRef Name) {
  Factory F;
  F.Known = true;
  F.Method = Name.consume_front("new_");
  F.Like = Name.consume_back("_like");
  if (Name == "empty")
    F.With = Fill::None;
  else if (Name == "zeros")
    F.With = Fill::Zero;
  else if (Name == "ones")
    F.With = Fill::One;
  else if (Name == "full")
    F.With = Fill::Value;
  else
    F.Known = false;
  return F;
}

class FactoryRule {
public:
  FactoryRule(const ApiUse &Use, const StableContext &Context, Factory F)
      : Use(Use), Context(Context), F(F),
        Id(Use.Is == ApiUse::Method ? finding::UnstableMethod : finding::UnstableFunction) {}

  StableChange run();

private:
  StableChange stays(StringRef Why) const { return staysAsIs(Use, Id, Why.str()); }
  /// A new tensor beside \p Like.
  StableChange beside(Span Like, bool Arrow, Span Size);
  StableChange byItself(Span Size);
  StableChange alike();
  void fill(WayBuilder &Way) const;

  const ApiUse &Use;
  const StableContext &Context;
  Factory F;
  FindingId Id;
  ApiOptions Options;
};

StableChange FactoryRule::beside(Span Like, bool Arrow, Span Size) {
  StringRef Function = F.With == Fill::None   ? "torch::stable::new_empty"
                       : F.With == Fill::Zero ? "torch::stable::new_zeros"
                                              : "torch::stable::full";
  WayBuilder Way(Context.Names);
  Way.at(Use.At).name(Function).text("(");
  StringRef Star = Arrow ? "*" : "", Dot = Arrow ? "->" : ".";
  if (F.With == Fill::None || F.With == Fill::Zero) {
    Way.text(Star).from(Like).text(", ").from(Size);
    addParts(Way, Options);
  } else {
    Way.from(Size).text(", ");
    fill(Way);
    addParts(Way, Options, Like, Dot);
  }
  Way.text(")");
  StableChange Change = movesBy(Use, Id, Function, std::move(Way));
  if (F.With != Fill::None && F.With != Fill::Zero)
    lookWhereRepeated(Change, Like, Context);
  return Change;
}

void FactoryRule::fill(WayBuilder &Way) const {
  if (F.With == Fill::Zero)
    Way.text("0");
  else if (F.With == Fill::One)
    Way.text("1");
  else
    Way.from(Use.Args[1].At);
}

StableChange FactoryRule::byItself(Span Size) {
  StringRef Function = F.With == Fill::None ? "torch::stable::empty" : "torch::stable::full";
  if (F.With == Fill::Value && !Options.Dtype.isValid())
    return stays("say the dtype: it was that of the value, and torch::stable::full takes a double");
  WayBuilder Way(Context.Names);
  Way.at(Use.At).name(Function).text("(").from(Size);
  if (F.With != Fill::None) {
    Way.text(", ");
    fill(Way);
  }
  addParts(Way, Options);
  Way.text(")");
  return movesBy(Use, Id, Function, std::move(Way));
}

/// `empty_like(x)`, `zeros_like(x, options)`.
StableChange FactoryRule::alike() {
  const ApiArgument &Like = Use.Args[0];
  bool Plain = Use.Args.size() == (F.With == Fill::Value ? 2 : 1);
  WayBuilder Way(Context.Names);
  if (F.With == Fill::None && Plain) {
    Way.at(Use.NameAt).name("torch::stable::empty_like");
    return movesBy(Use, Id, "torch::stable::empty_like", std::move(Way));
  }
  StringRef Function = F.With == Fill::None   ? "torch::stable::new_empty"
                       : F.With == Fill::Zero ? "torch::stable::new_zeros"
                                              : "torch::stable::full";
  Way.at(Use.At).name(Function).text("(");
  if (F.With == Fill::None || F.With == Fill::Zero) {
    Way.from(Like.At).text(", ").from(Like.At).text(".sizes()");
    addParts(Way, Options);
  } else {
    Way.from(Like.At).text(".sizes(), ");
    fill(Way);
    Way.text(", ");
    Options.Dtype.isValid() ? Way.from(Options.Dtype) : Way.from(Like.At).text(".scalar_type()");
    Way.text(", std::nullopt, ");
    Options.Device.isValid() ? Way.from(Options.Device) : Way.from(Like.At).text(".device()");
  }
  Way.text(")");
  StableChange Change = movesBy(Use, Id, Function, std::move(Way));
  toBeReviewed(Change, "the new tensor is contiguous, whatever the strides of the other are");
  return Change;
}

StableChange FactoryRule::run() {
  size_t Before = (F.Method || F.Like ? 1 : 1) + (F.With == Fill::Value ? 1 : 0);
  if (!Use.isCall() || Use.Args.size() < Before)
    return stays("");
  Options = Use.Options;
  bool HasOptions = Use.Args.size() > Before;
  // What is given one by one, or a memory format, is none of the chain.
  if (HasOptions && (!Options.Known || Use.Args.size() > Before + 1))
    return stays("say dtype, layout and device by themselves");
  if (Options.RequiresGrad.isValid() && Context.text(Options.RequiresGrad) != "false")
    return stays("call set_requires_grad() of the new tensor");
  if (F.Like)
    return alike();
  if (F.Method)
    return beside(Use.Object, Use.Arrow, Use.Args[0].At);
  if (Options.Like.isValid())
    return beside(Options.Like, false, Use.Args[0].At);
  return byItself(Use.Args[0].At);
}

/// Strides are written where sizes are one number; otherwise they have to be there.
RuleResult blobRule(const ApiUse &Use, const StableContext &Context) {
  const ApiOptions &O = Use.Options;
  auto Stays = [&](StringRef Why) { return staysAsIs(Use, finding::UnstableFunction, Why.str()); };
  size_t Count = Use.Args.size();
  if (!Use.isCall() || Count < 3 || Count > 4 || !O.Known)
    return Stays("torch::stable::from_blob takes sizes, strides, device and dtype");
  StringRef Sizes = Context.text(Use.Args[1].At);
  bool OneSize = Sizes.starts_with("{") && !Sizes.contains(',');
  bool HasStrides = Count == 4 && (StringRef(Use.Args[2].Type).contains("ArrayRef") ||
                                   StringRef(Use.Args[2].Type).contains("vector") ||
                                   Context.text(Use.Args[2].At).starts_with("{"));
  if (Count == 4 ? !HasStrides : !OneSize)
    return Stays(Count == 4 ? "torch::stable::from_blob takes a deleter last"
                            : "say the strides, which torch::stable::from_blob takes");
  bool SaysDevice = O.Device.isValid() || O.Like.isValid();
  bool SaysDtype = O.Dtype.isValid() || O.Like.isValid();
  bool Plain = !O.Layout.isValid() && !O.PinMemory.isValid() &&
               (!O.RequiresGrad.isValid() || Context.text(O.RequiresGrad) == "false");
  if (!SaysDevice || !SaysDtype || !Plain)
    return Stays("say dtype and device, of which torch::stable::from_blob guesses none");
  WayBuilder Way(Context.Names);
  Way.at(Use.At).name("torch::stable::from_blob").text("(").from(Use.Args[0].At).text(", ");
  Way.from(Use.Args[1].At).text(", ");
  HasStrides ? Way.from(Use.Args[2].At) : Way.text("{1}");
  Way.text(", ");
  O.Device.isValid() ? Way.from(O.Device) : Way.from(O.Like).text(".device()");
  Way.text(", ");
  O.Dtype.isValid() ? Way.from(O.Dtype) : Way.from(O.Like).text(".scalar_type()");
  Way.text(")");
  return movesBy(Use, finding::UnstableFunction, "torch::stable::from_blob", std::move(Way));
}

/// `torch::tensor(x, torch::dtype(t))` of a number, which is a tensor without dimensions.
RuleResult numberRule(const ApiUse &Use, const StableContext &Context) {
  const ApiOptions &O = Use.Options;
  bool Exact = Use.Args.size() == 2 &&
               is_contained({"float", "double", "int", "bool"}, StringRef(Use.Args[0].Type));
  if (!Exact || !O.Known || !O.Dtype.isValid() || O.RequiresGrad.isValid())
    return staysAsIs(Use, finding::UnstableFunction,
                     "torch::stable::full takes a double and a dtype, and no list of elements");
  WayBuilder Way(Context.Names);
  Way.at(Use.At).name("torch::stable::full").text("({}, ").from(Use.Args[0].At);
  addParts(Way, O);
  Way.text(")");
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
  Name = Use.Is == ApiUse::Method ? Name.rsplit("::").second : Name;
  Factory F = factoryOf(Name);
  if (!F.Known || (Use.Is == ApiUse::Method) != F.Method)
    return std::nullopt;
  return FactoryRule(Use, Context, F).run();
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
    return staysAsIs(Use, finding::UnstableType, "say dtype, layout and device by themselves");
  WayBuilder Way(Context.Names);
  Way.at(Context.wholeLines(Use.At));
  StableChange Change =
      movesBy(Use, finding::UnstableType, "the parts by themselves", std::move(Way));
  Change.InWords = true;
  return Change;
}
