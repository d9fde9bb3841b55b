//===- CallRules.cpp - methods, functions and operators --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before: x.fill_(v)                      After: torch::stable::fill_(x, v)
// Before: at::pad(x, ...)                 After: torch::stable::pad(x, ...)
// Before: x.data_ptr<float>()             After: x.const_data_ptr<float>() where it is only read
//
// Which functions there are say the headers. What is written here are the operators whose name or
// arguments differ.
//
//===----------------------------------------------------------------------===//
#include "Rules/RuleTable.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace opsig;
using namespace llvm;

namespace {

constexpr StringLiteral StableScopes[] = {
    "torch::stable::", "torch::headeronly::", "torch::stable::accelerator::"};
constexpr StringLiteral TensorClass = "torch::stable::Tensor",
                        DeviceClass = "torch::stable::Device";

/// The class of the stable ABI that \p Class became.
StringRef stableClass(StringRef Class) {
  return StringSwitch<StringRef>(withoutNamespace(Class))
      .Cases({"Tensor", "TensorBase"}, TensorClass)
      .Case("Device", DeviceClass)
      .Cases({"ArrayRef", "IntArrayRef"}, "torch::headeronly::HeaderOnlyArrayRef")
      .Case("Generator", "torch::stable::Generator")
      .Default("");
}

bool isTensor(StringRef Type) {
  StringRef Name = withoutNamespace(Type);
  return Name == "Tensor" || Name == "TensorBase";
}

/// `x.fill_(v)` as a call of \p Function.
WayBuilder callOf(StringRef Function, const ApiUse &Use, const StableContext &Context,
                  StringRef Object) {
  WayBuilder Way(Context);
  Way.at(Use.At).name(Function).text("(").pattern(Object, Use);
  Way.pattern(Use.Args.empty() ? ")" : ", $a)", Use);
  return Way;
}

/// Functions of the stable ABI that are called otherwise.
StringRef renamedFunction(StringRef Name) {
  return StringSwitch<StringRef>(Name).Case("sub", "subtract").Default(Name);
}

std::string otherArguments(StringRef Function) {
  return ("its replacement '" + Function + "' takes different arguments").str();
}

StableChange dataPointer(const ApiUse &Use, StringRef Name, const StableContext &Context) {
  auto To = [&](StringRef Method) {
    WayBuilder Way(Context);
    Way.at(Use.NameAt).text(Method).need((TensorClass + "::" + Method).str());
    // The type of a pointer to const is said without.
    StringRef Type = Use.TemplateText;
    if (Type.consume_front("<") && Type.ltrim().consume_front("const ")) {
      Span Const = Use.TemplateArgs;
      size_t At = StringRef(Use.TemplateText).find("const ");
      Way.at({Const.File, uint32_t(Const.Offset + At), 6});
    }
    return Way;
  };
  bool Reads = Use.OnlyRead || StringRef(Use.TemplateText).contains("<const ");
  if (!Reads)
    return movesBy(Use, finding::UnstableMethod, "mutable_data_ptr", To("mutable_data_ptr"));
  StableChange Change =
      movesBy(Use, finding::UnstableMethod, "const_data_ptr", To("const_data_ptr"));
  if (!StringRef(Use.TemplateText).contains("<const "))
    addAlternative(Change, To("mutable_data_ptr"));
  return Change;
}

/// What the schema has in another order or way than the function.
StableChange methodAsFunction(const ApiUse &Use, StringRef Name, const StableContext &Context) {
  std::string Function = ("torch::stable::" + renamedFunction(Name)).str();
  const bool Known = Context.Names.Find(Function).has_value();
  if (!Known || !Context.Names.Takes(Function, Use.Args.size() + 1))
    if (RuleResult Dispatched = dispatcherRule(Use, Name, Context))
      return *Dispatched;
  if (Known && !Context.Names.Takes(Function, Use.Args.size() + 1))
    return staysAsIs(Use, finding::UnstableMethod, otherArguments(Function));
  StableChange Change =
      movesBy(Use, finding::UnstableMethod, Function, callOf(Function, Use, Context, "$x"));
  // What writes into a tensor takes no temporary and nothing const, as methods do.
  if (Use.ObjectConst || !Use.ObjectLvalue)
    addAlternative(Change, callOf(Function, Use, Context, LvalueObject));
  if (Change.Is == StableChange::Stays && !Context.Names.Find(Function))
    Change.Why = howInstead(Name);
  return Change;
}

/// `x.item().toInt()` as a method of x.
RuleResult scalarItemRule(const ApiUse &Use, StringRef Name, const StableContext &Context) {
  for (const ApiUse &Other : Context.Unit.Uses)
    if (Other.Is == ApiUse::Method && Other.At == Use.Object && Other.Args.empty() &&
        !Other.TemplateArgs.isValid() && StringRef(Other.Name).ends_with("Tensor::item")) {
      ApiUse Both = Use;
      Both.Object = Other.Object;
      Both.Arrow = Other.Arrow;
      return ruleFrom(RuleTable::Methods, ("Tensor.item." + Name).str(), Both, Context);
    }
  return std::nullopt;
}

RuleResult tensorMethod(const ApiUse &Use, StringRef Name, const StableContext &Context) {
  if (Name.starts_with("new_"))
    if (RuleResult Factory = factoryRule(Use, Context))
      return Factory;
  if (Name == "index")
    return sliceRule(Use, Context);
  if (Name == "index_put_")
    return slicePutRule(Use, Context);
  if ((Name == "data_ptr" || Name == "data") && Use.TemplateArgs.isValid())
    return dataPointer(Use, Name, Context);
  // An accessor points into what has to be there as long.
  if (Name.contains("accessor") && !Use.ObjectLvalue)
    return staysAsIs(Use, finding::UnstableMethod, howInstead(Name));
  if (Name == "to" && (Use.Options.PinMemory.isValid() || Use.Options.RequiresGrad.isValid()))
    return staysAsIs(Use, finding::UnstableMethod, "pass dtype and device separately");
  return std::nullopt;
}

/// A function of another name; where it is called, the arguments are part of the change, since it
/// may be they that it cannot take.
StableChange calledAs(const ApiUse &Use, StringRef Function, const StableContext &Context) {
  WayBuilder Way(Context);
  if (Use.Args.empty() || Use.TemplateArgs.isValid() || Use.InMacro) {
    Way.at(Use.NameAt).name(Function);
  } else {
    Way.at(Use.At).name(Function).pattern("($a)", Use);
  }
  return movesBy(Use, finding::UnstableFunction, Function, std::move(Way));
}

} // namespace

RuleResult opsig::methodRule(const ApiUse &Use, const StableContext &Context) {
  auto [Class, Name] = StringRef(Use.Name).rsplit("::");
  if (isStableName(Class))
    return std::nullopt;
  if (withoutNamespace(Class) == "Scalar")
    if (RuleResult Item = scalarItemRule(Use, Name, Context))
      return Item;
  // Chained options are part of the factory that takes them; blocks are registrations.
  StringRef Short = withoutNamespace(Class);
  if (Short == "TensorOptions" || Short == "Library" || Short == "TypeMeta")
    return std::nullopt;
  if (Name == "options" && isTensor(Class))
    return std::nullopt;
  StringRef Stable = stableClass(Class);
  bool Untyped = Name != "data_ptr" || !Use.TemplateArgs.isValid();
  bool Plain = Name != "is_contiguous" || Use.Args.empty();
  if (!Stable.empty() && Untyped && Plain) {
    if (std::optional<StableName> Same = Context.Names.Find((Stable + "::" + Name).str())) {
      if (Same->Since.empty())
        return std::nullopt;
      // As it is, but not for every target.
      WayBuilder Way(Context);
      Way.need((Stable + "::" + Name).str());
      if (Way.missing().empty())
        return std::nullopt;
      return staysAsIs(Use, finding::UnstableMethod, Way.missing());
    }
  }
  if (Name.starts_with("operator") || Name.starts_with("~"))
    return std::nullopt;
  if (isTensor(Class))
    if (RuleResult Change = tensorMethod(Use, Name, Context))
      return Change;
  const StringRef Of = isTensor(Class) ? "Tensor" : Short;
  if (RuleResult Change = ruleFrom(RuleTable::Methods, (Of + "." + Name).str(), Use, Context))
    return Change;
  if (isTensor(Class))
    return methodAsFunction(Use, Name, Context);
  if (Context.Names.IsHeader(Use.Header))
    return std::nullopt;
  return staysAsIs(Use, finding::UnstableMethod, "");
}

RuleResult opsig::functionRule(const ApiUse &Use, const StableContext &Context) {
  if (isStableName(Use.Name))
    return std::nullopt;
  StringRef Name = withoutNamespace(Use.Name);
  if (RuleResult Factory = factoryRule(Use, Context))
    return Factory;
  if (RuleResult Pad = padRule(Use, Context))
    return Pad;
  if (RuleResult Change = ruleFrom(RuleTable::Functions, Name, Use, Context))
    return Change;
  // `TensorOptions` are put together for a factory.
  if (isWordOf("dtype device layout pinned_memory requires_grad", Name))
    return std::nullopt;
  if (Context.Names.IsHeader(Use.Header) &&
      !Context.Names.Find(("torch::headeronly::" + Name).str()))
    return std::nullopt;
  for (StringRef Scope : StableScopes) {
    std::string Function = (Scope + renamedFunction(Name)).str();
    if (!Context.Names.Find(Function))
      continue;
    if (Use.isCall() && !Context.Names.Takes(Function, Use.Args.size()))
      break;
    return calledAs(Use, Function, Context);
  }
  if (RuleResult Dispatched = dispatcherRule(Use, Name, Context))
    return Dispatched;
  for (StringRef Scope : StableScopes)
    if (std::string Function = (Scope + renamedFunction(Name)).str(); Context.Names.Find(Function))
      return staysAsIs(Use, finding::UnstableFunction, otherArguments(Function));
  return staysAsIs(Use, finding::UnstableFunction, howInstead(Name));
}

RuleResult opsig::operatorRule(const ApiUse &Use, const StableContext &Context) {
  StringRef Name = withoutNamespace(Use.Name);
  // Only those of tensors are operators of PyTorch's.
  bool OfTensor = any_of(Use.Args, [](const ApiArgument &A) { return isTensor(A.Type); });
  if (!OfTensor || Name.ends_with("operator=") || Name.ends_with("operator<<") ||
      Context.Names.IsHeader(Use.Header))
    return std::nullopt;
  if (StringRef(Use.Args[0].Type).starts_with("torch::stable::"))
    return std::nullopt;
  Name = Name.substr(Name.rfind("operator"));
  if (RuleResult Change = ruleFrom(RuleTable::Methods, ("Tensor." + Name).str(), Use, Context))
    return Change;
  const bool Both =
      Use.Args.size() == 2 && isTensor(Use.Args[0].Type) && isTensor(Use.Args[1].Type);
  if (Both)
    if (RuleResult Change = ruleFrom(RuleTable::Operators, Name, Use, Context))
      return Change;
  if (StringRef Overload = overloadOf(Name); Both && !Overload.empty())
    if (RuleResult Dispatched = dispatchedOperator(Use, Overload, Context))
      return Dispatched;
  return staysAsIs(Use, finding::UnstableFunction, "");
}

/// What a guard is made of: it takes an index.
RuleResult opsig::constructRule(const ApiUse &Use, const StableContext &Context) {
  StringRef Name = withoutNamespace(Use.Name);
  if (!isWordOf("cuda::CUDAGuard cuda::OptionalCUDAGuard DeviceGuard OptionalDeviceGuard", Name) ||
      Use.Args.size() != 1)
    return std::nullopt;
  const ApiArgument &Argument = Use.Args[0];
  if (withoutNamespace(Argument.Type) != "Device")
    return std::nullopt;
  WayBuilder Way(Context);
  for (const ApiUse &Other : Context.Unit.Uses)
    if (Other.Is == ApiUse::Method && Other.At == Argument.At &&
        StringRef(Other.Name).ends_with("::device")) {
      Way.at(Argument.At).pattern("$o$.get_device_index()", Other);
      return movesBy(Use, finding::UnstableFunction, "get_device_index", std::move(Way));
    }
  // `a ? b : c` is one operand.
  bool Chosen = Context.text(Argument.At).contains('?');
  Way.at(Argument.At).pattern(Chosen ? "($1).index()" : "$1.index()", Use);
  return movesBy(Use, finding::UnstableFunction, "index", std::move(Way));
}
