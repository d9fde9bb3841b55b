//===- DispatcherRules.cpp - operators that the stable ABI has no function for -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before: at::mul(x, y).cumsum(0)
// After:  aten_cumsum(aten_mul_Tensor(x, y), 0), where
//
//   static torch::stable::Tensor aten_mul_Tensor(const torch::stable::Tensor &self,
//                                                const torch::stable::Tensor &other) {
//     std::array<StableIValue, 2> stack{torch::stable::detail::from(self), ...};
//     TORCH_ERROR_CODE_CHECK(torch_call_dispatcher("aten::mul", "Tensor", stack.data(), ...));
//     return torch::stable::detail::to<torch::stable::Tensor>(stack[0]);
//   }
//
// Which overload is called says the C++ function that Clang chose; its schema stands in the headers
// of the same PyTorch. The function is the one that is called now, so the call is as good; but it
// is no part of what PyTorch promises to keep, which somebody has to know.
//
//===----------------------------------------------------------------------===//
#include "Rules/StableInternal.h"
#include "opsig/Schema/Parse.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace opsig;
using namespace llvm;

namespace {

/// Of a value that StableIValue carries; "" for others.
StringRef valueType(const opsig::Type &T) {
  return StringSwitch<StringRef>(T.isBase() ? toString(T.dispatched().base()) : "")
      .Case("Tensor", "torch::stable::Tensor")
      .Cases({"int", "SymInt"}, "int64_t")
      .Case("float", "double")
      .Case("bool", "bool")
      .Case("str", "std::string")
      .Case("ScalarType", "torch::headeronly::ScalarType")
      .Case("Layout", "torch::headeronly::Layout")
      .Case("MemoryFormat", "torch::headeronly::MemoryFormat")
      .Case("Device", "torch::stable::Device")
      .Default("");
}

/// As a parameter of the function that is written. A list in an optional is one that owns its
/// elements: it may be made of a temporary.
std::string paramType(const opsig::Type &T) {
  if (T.isOptional()) {
    opsig::Type Inner = T.elem();
    StringRef Value = valueType(Inner.isList() ? Inner.elem() : Inner);
    if (Value.empty())
      return "";
    return Inner.isList() ? ("const std::optional<std::vector<" + Value + ">> &").str()
                          : ("const std::optional<" + Value + "> &").str();
  }
  if (T.isList()) {
    StringRef Value = valueType(T.elem());
    bool Known = Value == "int64_t" || Value == "double" || Value == "torch::stable::Tensor";
    return Known ? ("torch::headeronly::HeaderOnlyArrayRef<" + Value + "> ").str() : "";
  }
  StringRef Value = valueType(T);
  bool ByReference = Value.contains("Tensor") || Value == "std::string";
  return Value.empty() ? "" : ByReference ? ("const " + Value + " &").str() : (Value + " ").str();
}

std::string returnType(const opsig::Type &T) {
  if (!T.isList())
    return valueType(T).str();
  StringRef Value = valueType(T.elem());
  return Value.empty() ? "" : ("std::vector<" + Value + ">").str();
}

/// A default of a schema in C++; none where that is not known.
std::optional<std::string> defaultOf(const Argument &A) {
  if (!A.Default)
    return std::nullopt;
  StringRef Text = StringRef(*A.Default).trim();
  if (Text == "None")
    return "std::nullopt";
  if (Text == "True" || Text == "False")
    return Text.lower();
  double Number;
  bool IsNumber = !Text.getAsDouble(Number);
  return IsNumber && !A.Ty.isList() ? std::optional<std::string>(Text.str()) : std::nullopt;
}

bool isNumber(const ApiArgument &Given) {
  return StringSwitch<bool>(Given.Type)
      .Cases({"int", "long", "unsigned int", "unsigned long"}, true)
      .Cases({"short", "bool"}, true)
      .Default(false);
}

/// Puts the call of one operator together.
class DispatchedCall {
public:
  DispatchedCall(const ApiUse &Use, const StableContext &Context, std::string Schema)
      : Use(Use), Context(Context), Text(std::move(Schema)) {}

  /// False where it takes or returns what cannot be boxed.
  bool read();
  std::optional<StableChange> change();

private:
  StableHelper helper() const;
  std::string parameters() const;
  std::string results() const;
  /// What is given for the argument of that number.
  void argument(WayBuilder &Way, size_t Number, const ApiArgument &Given) const;
  std::string name() const { return "aten_" + Schema.Name.unambiguous(); }
  bool isNewShim() const;
  size_t numGiven() const { return Use.Args.size() + (Use.Is == ApiUse::Method ? 1 : 0); }

  const ApiUse &Use;
  const StableContext &Context;
  std::string Text;
  FunctionSchema Schema;
  /// How many arguments the function takes; the others are None.
  size_t NumTaken = 0;
};

bool DispatchedCall::read() {
  Grammar All;
  All.Types.set();
  SchemaErrors Errors, Remarks;
  std::optional<FunctionSchema> Read = parseScriptSchema(Text, All, ScriptRules(), Errors, Remarks);
  if (!Read || Read->VarArgs || Read->VarReturns)
    return false;
  Schema = std::move(*Read);
  Schema.Name.Name.Namespace.clear();
  NumTaken = Schema.Args.size();
  // Optionals of what cannot be carried can be left out, if they are not given.
  while (NumTaken > numGiven() && Schema.Args[NumTaken - 1].Ty.isOptional() &&
         paramType(Schema.Args[NumTaken - 1].Ty).empty() &&
         defaultOf(Schema.Args[NumTaken - 1]) == "std::nullopt")
    --NumTaken;
  if (numGiven() > NumTaken)
    return false;
  for (size_t I = 0; I < NumTaken; ++I)
    if (paramType(Schema.Args[I].Ty).empty() || (I >= numGiven() && !defaultOf(Schema.Args[I])))
      return false;
  return none_of(Schema.Returns, [](const Argument &R) { return returnType(R.Ty).empty(); });
}

bool DispatchedCall::isNewShim() const {
  std::optional<StableName> New = Context.Names.Find("torch_call_dispatcher");
  return New && Context.Names.allows(*New);
}

std::string DispatchedCall::parameters() const {
  // Defaults are for the last ones only.
  size_t FirstDefault = NumTaken;
  while (FirstDefault > 0 && defaultOf(Schema.Args[FirstDefault - 1]))
    --FirstDefault;
  std::vector<std::string> Params;
  for (size_t I = 0; I < NumTaken; ++I) {
    const Argument &A = Schema.Args[I];
    Params.push_back(paramType(A.Ty) + A.Name + (I >= FirstDefault ? " = " + *defaultOf(A) : ""));
  }
  return join(Params, ", ");
}

std::string DispatchedCall::results() const {
  std::vector<std::string> Values;
  for (auto [I, R] : enumerate(Schema.Returns))
    Values.push_back("torch::stable::detail::to<" + returnType(R.Ty) + ">(stack[" +
                     std::to_string(I) + "])");
  if (Values.empty())
    return "";
  return "  return " + (Values.size() == 1 ? Values.front() : "{" + join(Values, ", ") + "}") +
         ";\n";
}

StableHelper DispatchedCall::helper() const {
  std::vector<std::string> Types, Stack;
  for (const Argument &R : Schema.Returns)
    Types.push_back(returnType(R.Ty));
  std::string Returned = Types.empty()       ? "void"
                         : Types.size() == 1 ? Types.front()
                                             : "std::tuple<" + join(Types, ", ") + ">";
  for (auto [I, A] : enumerate(Schema.Args.All))
    Stack.push_back("torch::stable::detail::from(" + (I < NumTaken ? A.Name : "std::nullopt") +
                    ")");
  size_t Size = std::max({Schema.Args.size(), Schema.Returns.size(), size_t(1)});
  std::string Out = "/// aten::" + Schema.operatorName() + ", by the dispatcher.\n";
  Out += "[[maybe_unused]] static " + Returned + " " + name() + "(" + parameters() + ") {\n";
  Out += "  std::array<StableIValue, " + std::to_string(Size) + "> stack{" + join(Stack, ", ") +
         "};\n";
  Out += isNewShim() ? "  TORCH_ERROR_CODE_CHECK(torch_call_dispatcher("
                     : "  TORCH_ERROR_CODE_CHECK(aoti_torch_call_dispatcher(";
  Out += "\"aten::" + Schema.Name.Name.str() + "\", \"" + Schema.Name.Overload +
         "\", stack.data()" + (isNewShim() ? ", TORCH_ABI_VERSION));\n" : "));\n");
  return {name(), Out + results() + "}"};
}

void DispatchedCall::argument(WayBuilder &Way, size_t Number, const ApiArgument &Given) const {
  const opsig::Type &T = Schema.Args[Number].Ty;
  if (T.isOptional() && T.elem().isList())
    return optionalList(Way, valueType(T.elem().elem()), Given, Context);
  bool Wrap = isNumber(Given) && T.isList();
  Way.text(Wrap ? "{" : "").from(Given.At).text(Wrap ? "}" : "");
}

std::optional<StableChange> DispatchedCall::change() {
  WayBuilder Way(Context.Names);
  Way.at(Use.At).text(name()).text("(");
  if (Use.Is == ApiUse::Method)
    Way.text(Use.Arrow ? "*" : "").from(Use.Object).text(Use.Args.empty() ? "" : ", ");
  for (auto [I, Given] : enumerate(Use.Args)) {
    Way.text(I ? ", " : "");
    argument(Way, I + (Use.Is == ApiUse::Method ? 1 : 0), Given);
  }
  const StableHelper Written = helper();
  StringRef Body = Written.Text;
  Way.text(")").helper(Written).header("array");
  for (StringRef Header : {"optional", "string", "tuple", "vector"})
    if (Body.contains(("std::" + Header).str()))
      Way.header(Header);
  Way.need(isNewShim() ? "torch_call_dispatcher" : "aoti_torch_call_dispatcher");
  Way.need("torch::stable::Tensor").header("torch/csrc/stable/stableivalue_conversions.h");
  Way.header("torch/headeronly/util/shim_utils.h");
  for (StringRef Name : {"ScalarType", "Layout", "MemoryFormat", "HeaderOnlyArrayRef"})
    if (Body.contains(("torch::headeronly::" + Name).str()))
      Way.need(("torch::headeronly::" + Name).str());
  if (Body.contains("torch::stable::Device"))
    Way.need("torch::stable::Device");
  FindingId Id = Use.Is == ApiUse::Method ? finding::UnstableMethod : finding::UnstableFunction;
  StableChange Change = movesBy(Use, Id, "the dispatcher", std::move(Way));
  if (Change.Is == StableChange::Stays)
    return std::nullopt;
  Change.InWords = true;
  Change.Is = StableChange::Review;
  Change.Why = "the stable ABI has no function for it, and 'aten::" + Schema.operatorName() +
               "' is called by its name, which may change";
  return Change;
}

RuleResult callOf(const ApiUse &Use, StringRef Schema, const StableContext &Context) {
  DispatchedCall Call(Use, Context, Schema.str());
  return Call.read() ? Call.change() : std::nullopt;
}

} // namespace

std::string opsig::plainType(StringRef Declared) {
  std::string Out;
  SmallVector<StringRef> Words;
  for (StringRef Rest = Declared; !Rest.empty();) {
    size_t End = Rest.find_if_not([](char C) { return isAlnum(C) || C == '_' || C == ':'; });
    StringRef Word =
        Rest.take_front(End == StringRef::npos ? Rest.size() : std::max<size_t>(End, 1));
    Rest = Rest.drop_front(Word.size());
    if (Word == "const" || Word == "&" || Word == " ")
      continue;
    Word = Word.substr(Word.rfind(':') + 1);
    Out += StringSwitch<StringRef>(Word)
               .Case("SymInt", "int64_t")
               .Case("SymIntArrayRef", "IntArrayRef")
               .Case("OptionalSymIntArrayRef", "OptionalIntArrayRef")
               .Case("ITensorListRef", "TensorList")
               .Default(Word);
  }
  return Out;
}

void opsig::optionalList(WayBuilder &Way, StringRef Element, const ApiArgument &Given,
                         const StableContext &Context) {
  const bool Number = isNumber(Given);
  if (!Number && !Context.text(Given.At).starts_with("{")) {
    Way.from(Given.At);
    return;
  }
  Way.text(("std::vector<" + Element + ">").str()).header("vector");
  Way.text(Number ? "{" : "").from(Given.At).text(Number ? "}" : "");
}

RuleResult opsig::dispatcherRule(const ApiUse &Use, StringRef Operator,
                                 const StableContext &Context) {
  if (!Use.isCall() || !Use.NameAt.isValid() || Use.InMacro || !Context.Names.Operators)
    return std::nullopt;
  std::vector<std::string> Called;
  for (const std::string &P : Use.Params)
    Called.push_back(plainType(P));
  for (const AtenOperator &Known : Context.Names.Operators(Operator)) {
    std::vector<std::string> Takes;
    for (const std::string &P : Known.Params)
      Takes.push_back(plainType(P));
    // A method has the tensor in front.
    if (Use.Is == ApiUse::Method && !Takes.empty() && Takes.front() == "Tensor")
      Takes.erase(Takes.begin());
    if (Takes == Called)
      return callOf(Use, Known.Schema, Context);
  }
  return std::nullopt;
}

RuleResult opsig::dispatchedOperator(const ApiUse &Use, StringRef Overload,
                                     const StableContext &Context) {
  if (Use.InMacro || !Context.Names.Operators)
    return std::nullopt;
  for (const AtenOperator &Known : Context.Names.Operators(Overload.split('.').first))
    if (StringRef(Known.Schema).starts_with((Overload + "(").str()))
      return callOf(Use, Known.Schema, Context);
  return std::nullopt;
}
