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
// Which overload is called says the C++ function that Clang chose: the one whose signature the
// release's schema demands. The function is the one that is called now, so the call is as good; but
// it is no part of what PyTorch promises to keep, which somebody has to know.
//
//===----------------------------------------------------------------------===//
#include "Rules/StableInternal.h"
#include "opsig/Signature/Signature.h"
#include "opsig/Support/CodeTemplate.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace opsig;
using namespace llvm;

namespace {

/// A value that StableIValue carries.
struct CarriedType {
  StringLiteral Schema, Cpp;
  bool ByReference = false; ///< as a parameter
  bool InLists = false;     ///< a parameter may be a list of them
};

constexpr CarriedType CarriedTypes[] = {
    {"Tensor", "torch::stable::Tensor", /*ByReference=*/true, /*InLists=*/true},
    {"int", "int64_t", false, /*InLists=*/true},
    {"SymInt", "int64_t", false, /*InLists=*/true},
    {"float", "double", false, /*InLists=*/true},
    {"bool", "bool"},
    {"str", "std::string", /*ByReference=*/true},
    {"ScalarType", "torch::headeronly::ScalarType"},
    {"Layout", "torch::headeronly::Layout"},
    {"MemoryFormat", "torch::headeronly::MemoryFormat"},
    {"Device", "torch::stable::Device"},
};

/// Null for what is not carried.
const CarriedType *carried(const opsig::Type &T) {
  if (!T.isBase())
    return nullptr;
  const auto *Found = find_if(CarriedTypes, [Name = toString(T.dispatched().base())](
                                                const CarriedType &C) { return C.Schema == Name; });
  return Found == std::end(CarriedTypes) ? nullptr : Found;
}

/// As a parameter of the function that is written; "" for what is not carried. A list in an
/// optional is one that owns its elements: it may be made of a temporary.
std::string paramType(const opsig::Type &T) {
  const opsig::Type Given = T.isOptional() ? T.elem() : T;
  const CarriedType *C = carried(Given.isList() ? Given.elem() : Given);
  if (!C || (Given.isList() && !T.isOptional() && !C->InLists))
    return "";
  if (T.isOptional())
    return formatv(Given.isList() ? "const std::optional<std::vector<{0}>> &"
                                  : "const std::optional<{0}> &",
                   C->Cpp);
  if (T.isList())
    return formatv("torch::headeronly::HeaderOnlyArrayRef<{0}> ", C->Cpp);
  return formatv(C->ByReference ? "const {0} &" : "{0} ", C->Cpp);
}

std::string returnType(const opsig::Type &T) {
  const CarriedType *C = carried(T.isList() ? T.elem() : T);
  if (!C)
    return "";
  return T.isList() ? formatv("std::vector<{0}>", C->Cpp).str() : C->Cpp.str();
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

constexpr StringLiteral HelperText =
    R"(/// Calls aten::${operator} through the dispatcher.
[[maybe_unused]] static ${returned} ${name}(${parameters}) {
  std::array<StableIValue, ${size}> stack{${stack}};
  TORCH_ERROR_CODE_CHECK(${shim}("aten::${base}", "${overload}", stack.data()${version}));
  ${results}
})";

/// Puts the call of one operator together.
class DispatchedCall {
public:
  DispatchedCall(const ApiUse &Use, const StableContext &Context, const FunctionSchema &Schema)
      : Use(Use), Context(Context), Schema(Schema), NumTaken(Schema.Args.size()) {}

  /// False where it takes or returns what cannot be boxed.
  bool canBeBoxed();
  RuleResult change();

private:
  StableHelper helper() const;
  std::vector<std::string> parameters() const;
  /// What is given for the argument of that number.
  void argument(WayBuilder &Way, size_t Number, const ApiArgument &Given) const;
  std::string name() const { return "aten_" + Schema.Name.unambiguous(); }
  bool isNewShim() const;
  bool isMethod() const { return Use.Is == ApiUse::Method; }
  size_t numGiven() const { return Use.Args.size() + isMethod(); }

  const ApiUse &Use;
  const StableContext &Context;
  const FunctionSchema &Schema;
  /// How many arguments the function takes; the others are None.
  size_t NumTaken;
};

bool DispatchedCall::canBeBoxed() {
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

std::vector<std::string> DispatchedCall::parameters() const {
  // Defaults are for the last ones only.
  size_t FirstDefault = NumTaken;
  while (FirstDefault > 0 && defaultOf(Schema.Args[FirstDefault - 1]))
    --FirstDefault;
  std::vector<std::string> Params;
  for (size_t I = 0; I < NumTaken; ++I) {
    const Argument &A = Schema.Args[I];
    Params.push_back(paramType(A.Ty) + A.Name + (I >= FirstDefault ? " = " + *defaultOf(A) : ""));
  }
  return Params;
}

StableHelper DispatchedCall::helper() const {
  std::vector<std::string> Types, Values, Stack;
  for (auto [I, R] : enumerate(Schema.Returns)) {
    Types.push_back(returnType(R.Ty));
    Values.push_back(formatv("torch::stable::detail::to<{0}>(stack[{1}])", Types.back(), I));
  }
  for (auto [I, A] : enumerate(Schema.Args.All))
    Stack.push_back(
        formatv("torch::stable::detail::from({0})", I < NumTaken ? A.Name : "std::nullopt"));
  const std::string All = join(Types, ", "), Each = join(Values, ", ");
  const size_t Size = std::max({Schema.Args.size(), Schema.Returns.size(), size_t(1)});
  StableHelper Out{name(), ""};
  CodeTemplate(HelperText)
      .print(Out.Text,
             {{"operator", Schema.operatorName()},
              {"returned", Types.empty()       ? "void"
                           : Types.size() == 1 ? All
                                               : "std::tuple<" + All + ">"},
              {"name", name()},
              {"parameters", parameters()},
              {"size", utostr(Size)},
              {"stack", Stack},
              {"shim", isNewShim() ? "torch_call_dispatcher" : "aoti_torch_call_dispatcher"},
              {"base", Schema.Name.Name.str()},
              {"overload", Schema.Name.Overload},
              {"version", isNewShim() ? ", TORCH_ABI_VERSION" : ""},
              {"results", Types.empty()       ? std::vector<std::string>()
                          : Types.size() == 1 ? std::vector{"return " + Each + ";"}
                                              : std::vector{"return {" + Each + "};"}}},
             BlockLines::Keep);
  return Out;
}

void DispatchedCall::argument(WayBuilder &Way, size_t Number, const ApiArgument &Given) const {
  const opsig::Type &T = Schema.Args[Number].Ty;
  if (T.isOptional() && T.elem().isList()) {
    Way.optionalList(carried(T.elem().elem())->Cpp, Given);
    return;
  }
  bool Wrap = isNumber(Given) && T.isList();
  Way.text(Wrap ? "{" : "").from(Given.At).text(Wrap ? "}" : "");
}

RuleResult DispatchedCall::change() {
  WayBuilder Way(Context);
  Way.at(Use.At).text(name()).text("(");
  if (isMethod())
    Way.pattern(Use.Args.empty() ? "$x" : "$x, ", Use);
  for (auto [I, Given] : enumerate(Use.Args)) {
    Way.text(I ? ", " : "");
    argument(Way, I + isMethod(), Given);
  }
  const StableHelper Helper = helper();
  Way.text(")").lookUp(Helper.Text).helper(Helper).need("torch::stable::Tensor");
  Way.header("torch/csrc/stable/stableivalue_conversions.h");
  Way.header("torch/headeronly/util/shim_utils.h");
  StableChange Change =
      movesInWords(Use, isMethod() ? finding::UnstableMethod : finding::UnstableFunction,
                   "the dispatcher", std::move(Way));
  if (Change.Is == StableChange::Stays)
    return std::nullopt;
  toBeReviewed(Change, "the stable ABI has no function for it, so the new code calls 'aten::" +
                           Schema.operatorName() + "' by name, which a later release may change");
  return Change;
}

RuleResult callOf(const ApiUse &Use, const NativeFunction &F, const StableContext &Context) {
  DispatchedCall Call(Use, Context, F.Schema);
  return Call.canBeBoxed() ? Call.change() : std::nullopt;
}

/// The C++ function that a schema demands is the one that is called. Packed options are several of
/// the schema's arguments.
bool isCalled(const NativeFunction &F, const ApiUse &Use, const Dialect &D) {
  CppForm Form;
  Form.Method = Use.Is == ApiUse::Method;
  const CppSignatures Forms = cppSignatures(F, Form, Lowering::of(F, D));
  return any_of(Forms.all(), [&](const Signature *S) {
    return equal(S->Params, Use.Params, [&](const Binding &P, StringRef Given) {
      return P.Arg && P.Type.Ty.str(D) == Given;
    });
  });
}

} // namespace

RuleResult opsig::dispatcherRule(const ApiUse &Use, StringRef Operator,
                                 const StableContext &Context) {
  const Operators *Ops = Context.Names.Ops;
  if (!Use.isCall() || !Use.NameAt.isValid() || Use.InMacro || !Ops)
    return std::nullopt;
  for (const NativeFunction &F : Ops->Functions)
    if (F.Schema.Name.Name.str() == Operator && !whyNotLowerable(F.Schema, *Ops->D) &&
        isCalled(F, Use, *Ops->D))
      return callOf(Use, F, Context);
  return std::nullopt;
}

RuleResult opsig::dispatchedOperator(const ApiUse &Use, StringRef Overload,
                                     const StableContext &Context) {
  const Operators *Ops = Context.Names.Ops;
  const NativeFunction *F = Ops && !Use.InMacro ? Ops->find(Overload) : nullptr;
  return F ? callOf(Use, *F, Context) : std::nullopt;
}
