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
#include "llvm/ADT/Sequence.h"
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

/// "x", or "*x" of a pointer, as the first argument of a function.
void object(WayBuilder &Way, const ApiUse &Use) {
  if (Use.Arrow)
    Way.text("*");
  Way.from(Use.Object);
}

/// What a call is given. PyTorch's class for optional lists takes care of numbers and lists in
/// braces, the optional of a view that stands for it does not.
void arguments(WayBuilder &Way, const ApiUse &Use, const StableContext &Context) {
  auto IsList = [&](size_t I) {
    return I < Use.Params.size() && withoutNamespace(Use.Params[I]) == "OptionalIntArrayRef";
  };
  if (none_of(seq<size_t>(0, Use.Args.size()), IsList)) {
    if (!Use.Args.empty())
      Way.from(Use.ArgList);
    return;
  }
  for (auto [I, Given] : enumerate(Use.Args)) {
    Way.text(I ? ", " : "");
    IsList(I) ? optionalList(Way, "int64_t", Given, Context) : void(Way.from(Given.At));
  }
}

/// `x.fill_(v)` as a call of \p Function.
WayBuilder callOf(StringRef Function, const ApiUse &Use, const StableContext &Context,
                  bool Lvalue) {
  WayBuilder Way(Context.Names);
  Way.at(Use.At).name(Function).text("(");
  if (Lvalue)
    objectAsLvalue(Way, Use);
  else
    object(Way, Use);
  if (!Use.Args.empty())
    Way.text(", ");
  arguments(Way, Use, Context);
  Way.text(")");
  return Way;
}

/// Functions of the stable ABI that are called otherwise.
StringRef renamedFunction(StringRef Name) {
  return StringSwitch<StringRef>(Name).Case("sub", "subtract").Default(Name);
}

std::string otherArguments(StringRef Function) {
  return ("'" + Function + "' takes other arguments").str();
}

StableChange dataPointer(const ApiUse &Use, StringRef Name, const StableContext &Context) {
  auto To = [&](StringRef Method) {
    WayBuilder Way(Context.Names);
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
  StableChange Change = movesBy(Use, finding::UnstableMethod, Function,
                                callOf(Function, Use, Context, /*Lvalue=*/false));
  // What writes into a tensor takes no temporary and nothing const, as methods do.
  if (Use.ObjectConst || !Use.ObjectLvalue)
    addAlternative(Change, callOf(Function, Use, Context, /*Lvalue=*/true));
  if (Change.Is == StableChange::Stays && !Context.Names.Find(Function))
    Change.Why = howInstead(Name);
  return Change;
}

/// The element of \p Of, a method's object, as \p Type; "float" for "item_float32".
RuleResult itemAs(const ApiUse &Use, const ApiUse &Of, StringRef Type,
                  const StableContext &Context) {
  StringRef Shim = StringSwitch<StringRef>(Type)
                       .Case("float", "float32")
                       .Case("double", "float64")
                       .Cases({"int64_t", "long"}, "int64")
                       .Cases({"int", "int32_t"}, "int32")
                       .Case("int16_t", "int16")
                       .Case("int8_t", "int8")
                       .Case("uint8_t", "uint8")
                       .Case("bool", "bool")
                       .Default("");
  if (Shim.empty())
    return std::nullopt;
  std::string Function = ("item_" + Shim).str(), Called = ("aoti_torch_item_" + Shim).str();
  WayBuilder Way(Context.Names);
  Way.at(Use.At).text(Function + "(");
  object(Way, Of);
  Way.text(")").need(Called).header("torch/headeronly/util/shim_utils.h");
  Way.helper(
      StableHelper{Function, ("/// The only element of a tensor.\n[[maybe_unused]] static " + Type +
                              " " + Function + "(const torch::stable::Tensor &tensor) {\n  " +
                              Type + " value{};\n  TORCH_ERROR_CODE_CHECK(" + Called +
                              "(tensor.get(), &value));\n  return value;\n}")
                                 .str()});
  StableChange Change = movesBy(Use, finding::UnstableMethod, Called, std::move(Way));
  return Change.Is == StableChange::Stays ? RuleResult() : Change;
}

/// `x.item<float>()`.
RuleResult itemRule(const ApiUse &Use, const StableContext &Context) {
  if (!Use.Args.empty())
    return std::nullopt;
  return itemAs(Use, Use, StringRef(Use.TemplateText).trim("<> "), Context);
}

/// `x.item().toInt()`.
RuleResult scalarItemRule(const ApiUse &Use, StringRef Name, const StableContext &Context) {
  StringRef Type = StringSwitch<StringRef>(Name)
                       .Case("toFloat", "float")
                       .Case("toDouble", "double")
                       .Case("toLong", "int64_t")
                       .Case("toInt", "int")
                       .Case("toBool", "bool")
                       .Default("");
  for (const ApiUse &Other : Context.Unit.Uses)
    if (Other.Is == ApiUse::Method && Other.At == Use.Object && Other.Args.empty() &&
        !Other.TemplateArgs.isValid() && StringRef(Other.Name).ends_with("Tensor::item"))
      return itemAs(Use, Other, Type, Context);
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
    return staysAsIs(Use, finding::UnstableMethod, "say dtype and device by themselves");
  if (Name == "item")
    return itemRule(Use, Context);
  return std::nullopt;
}

/// A function of another name; where it is called, the arguments are part of the change, since it
/// may be they that it cannot take.
StableChange calledAs(const ApiUse &Use, StringRef Function, const StableContext &Context) {
  WayBuilder Way(Context.Names);
  if (Use.Args.empty() || Use.TemplateArgs.isValid() || Use.InMacro) {
    Way.at(Use.NameAt).name(Function);
  } else {
    Way.at(Use.At).name(Function).text("(");
    arguments(Way, Use, Context);
    Way.text(")");
  }
  return movesBy(Use, finding::UnstableFunction, Function, std::move(Way));
}

} // namespace

void opsig::objectAsLvalue(WayBuilder &Way, const ApiUse &Use) {
  Way.helper("lvalue_of").text("lvalue_of(").name(TensorClass).text("(");
  object(Way, Use);
  Way.text("))");
}

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
      WayBuilder Way(Context.Names);
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
  if (Name == "dtype" || Name == "device" || Name == "layout" || Name == "pinned_memory" ||
      Name == "requires_grad")
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
  bool IsGuard = Name == "cuda::CUDAGuard" || Name == "cuda::OptionalCUDAGuard" ||
                 Name == "DeviceGuard" || Name == "OptionalDeviceGuard";
  if (!IsGuard || Use.Args.size() != 1)
    return std::nullopt;
  const ApiArgument &Argument = Use.Args[0];
  if (withoutNamespace(Argument.Type) != "Device")
    return std::nullopt;
  WayBuilder Way(Context.Names);
  for (const ApiUse &Other : Context.Unit.Uses)
    if (Other.Is == ApiUse::Method && Other.At == Argument.At &&
        StringRef(Other.Name).ends_with("::device")) {
      Way.at(Argument.At)
          .from(Other.Object)
          .text(Other.Arrow ? "->" : ".")
          .text("get_device_index()");
      return movesBy(Use, finding::UnstableFunction, "get_device_index", std::move(Way));
    }
  // `a ? b : c` is one operand.
  bool Chosen = Context.text(Argument.At).contains('?');
  Way.at(Argument.At)
      .text(Chosen ? "(" : "")
      .from(Argument.At)
      .text(Chosen ? ").index()" : ".index()");
  return movesBy(Use, finding::UnstableFunction, "index", std::move(Way));
}
