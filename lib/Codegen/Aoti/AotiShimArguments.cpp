//===- AotiShimArguments.cpp - C forms of arguments and results -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Aoti/AotiShimsInternal.h"
#include "opsig/Dialect/ShimTraits.h"

using namespace llvm;

namespace opsig {

//===-- The shape of the emitted code ---------------------------------------===//

namespace {

// C++ values of C ones.
constexpr Template WrittenTensorText = "*tensor_handle_to_tensor_pointer(${name})";
constexpr Template ResolvedTensorText = "resolve_tensor_dispatch_flags(${name})";
constexpr Template GeneratorText = "*generator_handle_to_generator_pointer(${name})";
constexpr Template CastText = "static_cast<${type}>(${name})";
constexpr Template DeviceText = "c10::Device(static_cast<c10::DeviceType>(${name}), "
                                "static_cast<c10::DeviceIndex>(${index}))";

// Of optional ones.
constexpr Template OptionalListText = "pointer_to_optional_list<${element}>(${name}, ${length})";
constexpr Template OptionalDeviceText = "pointer_to_optional_device(${name}, ${index})";
constexpr Template OptionalText = "pointer_to_optional<${type}>(${name})";

// Of lists.
constexpr Template BoolArrayText = "pointer_to_list<${size}>(${name})";
constexpr Template ListText = "pointer_to_list<${element}>(${name}, ${length})";
constexpr Template ResolvedListText = "resolve_tensor_list_dispatch_flags(${name}, ${length})";
constexpr Template OptionalTensorsText =
    "c10::List<${element}>(c10::ArrayRef<${element}>(${list}))";

constexpr StringLiteral Tensor = "at::Tensor";

//===-- Arguments -----------------------------------------------------------===//

/// The type a value of a base type has in C and in C++.
struct BaseForm {
  StringRef InC, InCpp;
};

constexpr std::pair<BaseTy, BaseForm> Forms[] = {
    {BaseTy::Tensor, {"AtenTensorHandle", Tensor}},
    {BaseTy::Bool, {"int32_t", "bool"}},
    {BaseTy::Int, {"int64_t", "int64_t"}},
    {BaseTy::SymInt, {"int64_t", "c10::SymInt"}},
    {BaseTy::Scalar, {"double", "c10::Scalar"}},
    {BaseTy::Float, {"double", "double"}},
    {BaseTy::DeviceIndex, {"int32_t", "c10::DeviceIndex"}},
    {BaseTy::Layout, {"int32_t", "c10::Layout"}},
    {BaseTy::MemoryFormat, {"int32_t", "c10::MemoryFormat"}},
    {BaseTy::ScalarType, {"int32_t", "c10::ScalarType"}},
    {BaseTy::Generator, {"AtenGeneratorHandle", "at::Generator"}}};

std::optional<BaseForm> formOf(BaseTy Ty, const ShimTraits &Facts) {
  if (Ty == BaseTy::Str)
    return BaseForm{"const char*", Facts.StringView};
  if (Ty == BaseTy::Generator && Facts.Shape == ShimShape::OfAllOps)
    return std::nullopt;
  auto Form = find_if(Forms, [&](const auto &F) { return F.first == Ty; });
  return Form == std::end(Forms) ? std::nullopt : std::optional(Form->second);
}

/// An argument: one or two C parameters, and the C++ expression over them.
struct ShimArgument {
  SmallVector<std::string, 2> Types;
  SmallVector<std::string, 2> Names;
  std::string InCpp;
  std::string Call;
};

std::string baseCall(BaseTy Ty, const BaseForm &Form, StringRef Name, bool IsWrite,
                     const ShimTraits &Facts) {
  switch (Ty) {
  case BaseTy::Tensor:
    // What is resolved is a value of its own, which cannot be written to.
    if (IsWrite || Facts.Tensors == ShimTensors::AsTheyAre)
      return printed<WrittenTensorText>("name"_hole = Name);
    return printed<ResolvedTensorText>("name"_hole = Name);
  case BaseTy::Generator:
    return printed<GeneratorText>("name"_hole = Name);
  case BaseTy::DeviceIndex:
  case BaseTy::Layout:
  case BaseTy::MemoryFormat:
  case BaseTy::ScalarType:
    return printed<CastText>("type"_hole = Form.InCpp, "name"_hole = Name);
  default:
    return Name.str();
  }
}

std::optional<ShimArgument> convert(const Type &T, StringRef Name, bool IsWrite, const Dialect &D);

std::optional<ShimArgument> convertBase(BaseTy Ty, StringRef Name, bool IsWrite, const Dialect &D) {
  if (Ty == BaseTy::Device) {
    std::string Index = (Name + "_index_").str();
    return ShimArgument{{"int32_t", "int32_t"},
                        {Name.str(), Index},
                        "c10::Device",
                        printed<DeviceText>("name"_hole = Name, "index"_hole = Index)};
  }
  std::optional<BaseForm> Form = formOf(Ty, D.Shims);
  if (!Form)
    return std::nullopt;
  return ShimArgument{{Form->InC.str()},
                      {Name.str()},
                      Form->InCpp.str(),
                      baseCall(Ty, *Form, Name, IsWrite, D.Shims)};
}

/// A pointer, null for nothing; lengths and indices are passed as they are.
std::optional<ShimArgument> convertOptional(const Type &Elem, StringRef Name, const Dialect &D) {
  std::optional<ShimArgument> A = convert(Elem, Name, /*IsWrite=*/false, D);
  if (!A)
    return std::nullopt;
  A->Types[0] += "*";
  StringRef Element = A->InCpp;
  if (Element.consume_front("c10::ArrayRef<"))
    A->Call = printed<OptionalListText>("element"_hole = Element.drop_back(),
                                        "name"_hole = A->Names[0], "length"_hole = A->Names[1]);
  else if (Elem.is(BaseTy::Device))
    A->Call = printed<OptionalDeviceText>("name"_hole = A->Names[0], "index"_hole = A->Names[1]);
  else if (Elem.is(BaseTy::Tensor) && D.Shims.Tensors == ShimTensors::Resolved)
    A->Call = printed<ResolvedTensorText>("name"_hole = A->Names[0]);
  else
    A->Call = printed<OptionalText>("type"_hole = Element, "name"_hole = A->Names[0]);
  A->InCpp = (D.Spelling.Optional + "<" + A->InCpp + ">").str();
  return A;
}

std::string listCall(const Type &List, const ShimArgument &Elem, StringRef Length, bool IsWrite,
                     const Dialect &D) {
  StringRef Name = Elem.Names[0];
  // There is no ArrayRef over vector<bool>, so these are arrays.
  if (List.elem().is(BaseTy::Bool))
    return printed<BoolArrayText>("size"_hole = utostr(List.listSize()), "name"_hole = Name);
  const Type Of = List.elem();
  bool OfOptionals = Of.isOptional() && Of.elem().is(BaseTy::Tensor);
  bool Resolves = D.Shims.Tensors == ShimTensors::Resolved &&
                  (OfOptionals || (Of.is(BaseTy::Tensor) && !IsWrite));
  std::string Text = Resolves
                         ? printed<ResolvedListText>("name"_hole = Name, "length"_hole = Length)
                         : printed<ListText>("element"_hole = Elem.InCpp, "name"_hole = Name,
                                             "length"_hole = Length);
  if (OfOptionals)
    return printed<OptionalTensorsText>("element"_hole = Elem.InCpp, "list"_hole = Text);
  return Text;
}

/// A pointer to elements that are not written to, and a length.
std::optional<ShimArgument> convertList(const Type &List, StringRef Name, bool IsWrite,
                                        const Dialect &D) {
  std::optional<ShimArgument> A = convert(List.elem(), Name, /*IsWrite=*/false, D);
  // An element has to be one C value.
  if (!A || A->Types.size() != 1)
    return std::nullopt;
  std::string Length = A->Names[0] + "_len_";
  A->Call = listCall(List, *A, Length, IsWrite, D);
  A->Types[0] = "const " + A->Types[0] + "*";
  A->Types.push_back("int64_t");
  A->Names.push_back(std::move(Length));
  A->InCpp = "c10::ArrayRef<" + A->InCpp + ">";
  return A;
}

std::optional<ShimArgument> convert(const Type &T, StringRef Name, bool IsWrite, const Dialect &D) {
  if (T.isOptional())
    return convertOptional(T.elem(), Name, D);
  if (T.isList())
    return convertList(T, Name, IsWrite, D);
  return convertBase(T.base(), Name, IsWrite, D);
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
    std::optional<ShimArgument> A = convert(Arg.Ty, Arg.Name, Arg.isWrite(), D);
    if (!A)
      return false;
    for (const auto &[Type, Name] : zip(A->Types, A->Names))
      Plan.Params.push_back({Type, Name});
    Plan.CallArgs.push_back(std::move(A->Call));
  }
  return true;
}

//===-- Results -------------------------------------------------------------===//

/// \p Value as it is handed out through C.
std::string resultValue(BaseTy Ty, StringRef Value) {
  StringRef AsNumber = Ty == BaseTy::SymInt   ? ".expect_int()"
                       : Ty == BaseTy::Scalar ? ".toDouble()"
                                              : "";
  return (Value + AsNumber).str();
}

bool addResults(ShimPlan &Plan, const FunctionSchema &S, const ShimTraits &Facts) {
  std::string Op = S.Name.unambiguous();
  Plan.HasNullableResults =
      any_of(Facts.NullableResults, [&](StringRef Part) { return StringRef(Op).contains(Part); });
  for (auto [I, R] : enumerate(S.Returns)) {
    std::optional<BaseForm> Form = R.Ty.isBase() ? formOf(R.Ty.base(), Facts) : std::nullopt;
    if (!Form)
      return false;
    std::string Result = "ret" + utostr(I);
    Plan.Params.push_back({(Form->InC + "*").str(), Result});
    std::string Value =
        S.Returns.size() == 1 ? "tmp_result" : "std::get<" + utostr(I) + ">(tmp_result)";
    Plan.Results.push_back({std::move(Result), resultValue(R.Ty.base(), Value),
                            /*IsHandle=*/R.Ty.is(BaseTy::Tensor)});
  }
  return true;
}

} // namespace

std::optional<ShimPlan> planShim(const FunctionSchema &S, const Dialect &D,
                                 ArrayRef<StringRef> LeftOut) {
  ShimPlan Plan;
  // As in the C++ function, out arguments come first. What they and, where that was thought of,
  // inplace functions return is known to the caller.
  bool KnownResults = S.isOut() || (S.isInplace() && D.Shims.Shape != ShimShape::OfAllOps);
  bool Good = addArguments(Plan, S.Args.out(), LeftOut, D) &&
              addArguments(Plan, S.Args.nonOut(), LeftOut, D) &&
              (KnownResults || addResults(Plan, S, D.Shims));
  if (!Good)
    return std::nullopt;
  return Plan;
}

} // namespace opsig
