//===- AotiShimArguments.cpp - C forms of arguments and results -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Aoti/AotiShimsInternal.h"
#include "Print/FragmentInternal.h"
#include "opsig/Signature/Signature.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace opsig {

//===-- The shape of the emitted code ---------------------------------------===//

namespace {

// C++ values of C ones.
constexpr FixedString WrittenTensorText = "*tensor_handle_to_tensor_pointer(${name})";
constexpr FixedString ResolvedTensorText = "resolve_tensor_dispatch_flags(${name})";
constexpr FixedString GeneratorText = "*generator_handle_to_generator_pointer(${name})";
constexpr FixedString CastText = "static_cast<${type}>(${name})";
constexpr FixedString DeviceText = "c10::Device(static_cast<c10::DeviceType>(${name}), "
                                   "static_cast<c10::DeviceIndex>(${index}))";

// Of optional ones.
constexpr FixedString OptionalListText = "pointer_to_optional_list<${element}>(${name}, ${length})";
constexpr FixedString OptionalDeviceText = "pointer_to_optional_device(${name}, ${index})";
constexpr FixedString OptionalText = "pointer_to_optional<${type}>(${name})";

// Of lists.
constexpr FixedString BoolArrayText = "pointer_to_list<${size}>(${name})";
constexpr FixedString ListText = "pointer_to_list<${element}>(${name}, ${length})";
constexpr FixedString ResolvedListText = "resolve_tensor_list_dispatch_flags(${name}, ${length})";
constexpr FixedString OptionalTensorsText =
    "c10::List<${element}>(c10::ArrayRef<${element}>(${list}))";

// Results.
constexpr FixedString AssignText = "*${result} = ${value};";
constexpr FixedString AssignIfWantedText = "if (${result}) { *${result} = ${value}; }";
constexpr FixedString ElementText = "std::get<${index}>(tmp_result)";
constexpr FixedString NewTensorText = "new_tensor_handle(std::move(${value}))";
// The semicolon is one too many, which C++ allows.
constexpr FixedString NewTensorStatementText = "new_tensor_handle(std::move(${value}));";

constexpr StringLiteral Tensor = "at::Tensor";
constexpr StringLiteral OptionalTensor = "::std::optional<at::Tensor>";

} // namespace

//===-- Arguments -----------------------------------------------------------===//

namespace {

/// The type a value of a base type has in C and in C++.
struct BaseForm {
  StringRef InC, InCpp;
};

std::optional<BaseForm> formOf(BaseTy Ty, const ShimFacts &Facts) {
  switch (Ty) {
  case BaseTy::Tensor:
    return BaseForm{"AtenTensorHandle", Tensor};
  case BaseTy::Bool:
    return BaseForm{"int32_t", "bool"};
  case BaseTy::Int:
    return BaseForm{"int64_t", "int64_t"};
  case BaseTy::SymInt:
    return BaseForm{"int64_t", "c10::SymInt"};
  case BaseTy::Scalar:
    return BaseForm{"double", "c10::Scalar"};
  case BaseTy::Float:
    return BaseForm{"double", "double"};
  case BaseTy::Str:
    return BaseForm{"const char*", Facts.StringView};
  case BaseTy::DeviceIndex:
    return BaseForm{"int32_t", "c10::DeviceIndex"};
  case BaseTy::Layout:
    return BaseForm{"int32_t", "c10::Layout"};
  case BaseTy::MemoryFormat:
    return BaseForm{"int32_t", "c10::MemoryFormat"};
  case BaseTy::ScalarType:
    return BaseForm{"int32_t", "c10::ScalarType"};
  case BaseTy::Generator:
    return BaseForm{"AtenGeneratorHandle", "at::Generator"};
  default:
    return std::nullopt;
  }
}

/// An argument: one or two C parameters, and the C++ expression over them.
struct ShimArgument {
  SmallVector<std::string, 2> Types;
  SmallVector<std::string, 2> Names;
  std::string InCpp;
  std::string Call;
};

std::string baseCall(BaseTy Ty, const BaseForm &Form, StringRef Name, bool IsWrite,
                     const ShimFacts &Facts) {
  switch (Ty) {
  case BaseTy::Tensor:
    // What is resolved is a value of its own, which cannot be written to.
    if (IsWrite || Facts.Tensors == ShimTensors::AsTheyAre)
      return fill<WrittenTensorText>("name"_hole = Name);
    return fill<ResolvedTensorText>("name"_hole = Name);
  case BaseTy::Generator:
    return fill<GeneratorText>("name"_hole = Name);
  case BaseTy::DeviceIndex:
  case BaseTy::Layout:
  case BaseTy::MemoryFormat:
  case BaseTy::ScalarType:
    return fill<CastText>("type"_hole = Form.InCpp, "name"_hole = Name);
  default:
    return Name.str();
  }
}

std::optional<ShimArgument> convert(const Type &T, StringRef Name, bool IsWrite,
                                    const ShimFacts &Facts);

std::optional<ShimArgument> convertBase(BaseTy Ty, StringRef Name, bool IsWrite,
                                        const ShimFacts &Facts) {
  if (Ty == BaseTy::Device) {
    std::string Index = (Name + "_index_").str();
    return ShimArgument{{"int32_t", "int32_t"},
                        {Name.str(), Index},
                        "c10::Device",
                        fill<DeviceText>("name"_hole = Name, "index"_hole = Index)};
  }
  std::optional<BaseForm> Form = formOf(Ty, Facts);
  if (!Form)
    return std::nullopt;
  return ShimArgument{{Form->InC.str()},
                      {Name.str()},
                      Form->InCpp.str(),
                      baseCall(Ty, *Form, Name, IsWrite, Facts)};
}

/// A pointer, null for nothing; lengths and indices are passed as they are.
std::optional<ShimArgument> convertOptional(const Type &Elem, StringRef Name,
                                            const ShimFacts &Facts) {
  std::optional<ShimArgument> A = convert(Elem, Name, /*IsWrite=*/false, Facts);
  if (!A)
    return std::nullopt;
  A->Types[0] += "*";
  StringRef Element = A->InCpp;
  if (Element.consume_front("c10::ArrayRef<"))
    A->Call = fill<OptionalListText>("element"_hole = Element.drop_back(),
                                     "name"_hole = A->Names[0], "length"_hole = A->Names[1]);
  else if (Elem.is(BaseTy::Device))
    A->Call = fill<OptionalDeviceText>("name"_hole = A->Names[0], "index"_hole = A->Names[1]);
  else if (Elem.is(BaseTy::Tensor) && Facts.Tensors == ShimTensors::Resolved)
    A->Call = fill<ResolvedTensorText>("name"_hole = A->Names[0]);
  else
    A->Call = fill<OptionalText>("type"_hole = Element, "name"_hole = A->Names[0]);
  A->InCpp = "::std::optional<" + A->InCpp + ">";
  return A;
}

std::string listCall(const Type &List, const ShimArgument &Elem, StringRef Length, bool IsWrite,
                     const ShimFacts &Facts) {
  StringRef Name = Elem.Names[0];
  // There is no ArrayRef over vector<bool>, so these are arrays.
  if (List.elem().is(BaseTy::Bool))
    return fill<BoolArrayText>("size"_hole = utostr(List.listSize()), "name"_hole = Name);
  bool Resolves = Facts.Tensors == ShimTensors::Resolved &&
                  (Elem.InCpp == OptionalTensor || (Elem.InCpp == Tensor && !IsWrite));
  std::string Text = Resolves ? fill<ResolvedListText>("name"_hole = Name, "length"_hole = Length)
                              : fill<ListText>("element"_hole = Elem.InCpp, "name"_hole = Name,
                                               "length"_hole = Length);
  if (Elem.InCpp == OptionalTensor)
    return fill<OptionalTensorsText>("element"_hole = Elem.InCpp, "list"_hole = Text);
  return Text;
}

/// A pointer to elements that are not written to, and a length.
std::optional<ShimArgument> convertList(const Type &List, StringRef Name, bool IsWrite,
                                        const ShimFacts &Facts) {
  std::optional<ShimArgument> A = convert(List.elem(), Name, /*IsWrite=*/false, Facts);
  // An element has to be one C value.
  if (!A || A->Types.size() != 1)
    return std::nullopt;
  std::string Length = A->Names[0] + "_len_";
  A->Call = listCall(List, *A, Length, IsWrite, Facts);
  A->Types[0] = "const " + A->Types[0] + "*";
  A->Types.push_back("int64_t");
  A->Names.push_back(std::move(Length));
  A->InCpp = "c10::ArrayRef<" + A->InCpp + ">";
  return A;
}

std::optional<ShimArgument> convert(const Type &T, StringRef Name, bool IsWrite,
                                    const ShimFacts &Facts) {
  if (T.isOptional())
    return convertOptional(T.elem(), Name, Facts);
  if (T.isList())
    return convertList(T, Name, IsWrite, Facts);
  return convertBase(T.base(), Name, IsWrite, Facts);
}

/// What the operator gets for an argument that the shim does not take.
std::string leftOut(const Argument &Arg, const Dialect &D) {
  if (D.Shims.LeftOut == ShimLeftOut::Nullopt || !Arg.Default)
    return "std::nullopt";
  return defaultText(*Arg.Default, Arg.Ty, D, /*SymInt=*/false);
}

bool addArguments(ShimPlan &Plan, ArrayRef<Argument> Args, ArrayRef<StringRef> LeftOut,
                  const Dialect &D) {
  for (const Argument &Arg : Args) {
    if (is_contained(LeftOut, Arg.Name)) {
      Plan.CallArgs.push_back(leftOut(Arg, D));
      continue;
    }
    std::optional<ShimArgument> A = convert(Arg.Ty, Arg.Name, Arg.isWrite(), D.Shims);
    if (!A)
      return false;
    for (const auto &[Type, Name] : zip(A->Types, A->Names))
      Plan.Params.push_back(Type + " " + Name);
    Plan.CallArgs.push_back(std::move(A->Call));
  }
  return true;
}

} // namespace

//===-- Results -------------------------------------------------------------===//

namespace {

/// \p Value as it is handed out through C.
std::string resultValue(const Type &T, StringRef Value, const ShimFacts &Facts) {
  switch (T.base()) {
  case BaseTy::Tensor:
    return Facts.Layout == ShimLayout::Blanks
               ? fill<NewTensorStatementText>("value"_hole = Value)
               : fill<NewTensorText>("value"_hole = Value);
  case BaseTy::SymInt:
    return (Value + ".expect_int()").str();
  case BaseTy::Scalar:
    return (Value + ".toDouble()").str();
  default:
    return Value.str();
  }
}

bool addResults(ShimPlan &Plan, const FunctionSchema &S, const ShimFacts &Facts) {
  std::string Op = S.Name.unambiguous();
  bool Nullable =
      any_of(Facts.NullableResults, [&](StringRef Part) { return StringRef(Op).contains(Part); });
  for (auto [I, R] : enumerate(S.Returns)) {
    std::optional<BaseForm> Form = R.Ty.isBase() ? formOf(R.Ty.base(), Facts) : std::nullopt;
    if (!Form)
      return false;
    std::string Result = "ret" + utostr(I);
    Plan.Params.push_back((Form->InC + "* " + Result).str());
    std::string Value =
        S.Returns.size() == 1 ? "tmp_result" : fill<ElementText>("index"_hole = utostr(I));
    Value = resultValue(R.Ty, Value, Facts);
    Plan.Assignments.push_back(
        Nullable ? fill<AssignIfWantedText>("result"_hole = Result, "value"_hole = Value)
                 : fill<AssignText>("result"_hole = Result, "value"_hole = Value));
  }
  return true;
}

} // namespace

std::optional<ShimPlan> planShim(const FunctionSchema &S, const Dialect &D,
                                 ArrayRef<StringRef> LeftOut) {
  ShimPlan Plan;
  // As in the C++ function, out arguments come first. What they and inplace functions return is
  // known to the caller.
  bool Good = addArguments(Plan, S.Args.out(), LeftOut, D) &&
              addArguments(Plan, S.Args.nonOut(), LeftOut, D) &&
              (S.isOut() || S.isInplace() || addResults(Plan, S, D.Shims));
  if (!Good)
    return std::nullopt;
  return Plan;
}

} // namespace opsig
