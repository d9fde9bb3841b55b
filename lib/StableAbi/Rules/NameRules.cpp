//===- NameRules.cpp - types, constants and macros ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which name stands for which is read from the headers of both: that of the stable ABI is the same
// class, or made after it. Whether it is there, and since when, is asked of StableNames.
//
//===----------------------------------------------------------------------===//
#include "Rules/StableInternal.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace opsig;
using namespace llvm;

namespace {

struct NameRule {
  StringLiteral From, To;
};

/// Without the namespaces at, c10 and torch.
constexpr NameRule Types[] = {
    // torch/csrc/stable: classes of the same purpose
    {"Tensor", "torch::stable::Tensor"},
    {"TensorBase", "torch::stable::Tensor"},
    {"Device", "torch::stable::Device"},
    {"Generator", "torch::stable::Generator"},
    {"DeviceGuard", "torch::stable::accelerator::DeviceGuard"},
    {"OptionalDeviceGuard", "torch::stable::accelerator::DeviceGuard"},
    {"cuda::CUDAGuard", "torch::stable::accelerator::DeviceGuard"},
    {"cuda::OptionalCUDAGuard", "torch::stable::accelerator::DeviceGuard"},
    // torch/headeronly: the same classes
    {"ScalarType", "torch::headeronly::ScalarType"},
    {"Dtype", "torch::headeronly::ScalarType"},
    {"DeviceType", "torch::headeronly::DeviceType"},
    {"Layout", "torch::headeronly::Layout"},
    {"MemoryFormat", "torch::headeronly::MemoryFormat"},
    {"Half", "torch::headeronly::Half"},
    {"BFloat16", "torch::headeronly::BFloat16"},
    {"Float8_e4m3fn", "torch::headeronly::Float8_e4m3fn"},
    {"Float8_e4m3fnuz", "torch::headeronly::Float8_e4m3fnuz"},
    {"Float8_e5m2", "torch::headeronly::Float8_e5m2"},
    {"Float8_e5m2fnuz", "torch::headeronly::Float8_e5m2fnuz"},
    {"Float8_e8m0fnu", "torch::headeronly::Float8_e8m0fnu"},
    {"complex", "torch::headeronly::complex"},
    {"CppTypeToScalarType", "torch::headeronly::CppTypeToScalarType"},
    {"IntArrayRef", "torch::headeronly::IntHeaderOnlyArrayRef"},
    {"ArrayRef", "torch::headeronly::HeaderOnlyArrayRef"},
    {"DeviceIndex", "torch::stable::accelerator::DeviceIndex"},
    {"TensorAccessor", "torch::headeronly::HeaderOnlyTensorAccessor"},
    {"GenericPackedTensorAccessor", "torch::headeronly::HeaderOnlyGenericPackedTensorAccessor"},
    {"PackedTensorAccessor", "torch::headeronly::HeaderOnlyGenericPackedTensorAccessor"},
    {"PackedTensorAccessor64", "torch::headeronly::HeaderOnlyGenericPackedTensorAccessor"},
    {"DefaultPtrTraits", "torch::headeronly::DefaultPtrTraits"},
};

/// What became part of the language's library.
constexpr NameRule Standard[] = {{"optional", "std::optional"},
                                 {"nullopt_t", "std::nullopt_t"},
                                 {"string_view", "std::string_view"}};

constexpr NameRule ScalarConstants[] = {
    {"kByte", "Byte"},
    {"kUInt8", "Byte"},
    {"kChar", "Char"},
    {"kInt8", "Char"},
    {"kShort", "Short"},
    {"kInt16", "Short"},
    {"kInt", "Int"},
    {"kInt32", "Int"},
    {"kLong", "Long"},
    {"kInt64", "Long"},
    {"kHalf", "Half"},
    {"kFloat16", "Half"},
    {"kFloat", "Float"},
    {"kFloat32", "Float"},
    {"kDouble", "Double"},
    {"kFloat64", "Double"},
    {"kBool", "Bool"},
    {"kBFloat16", "BFloat16"},
    {"kUInt16", "UInt16"},
    {"kUInt32", "UInt32"},
    {"kUInt64", "UInt64"},
    {"kComplexHalf", "ComplexHalf"},
    {"kComplexFloat", "ComplexFloat"},
    {"kComplexDouble", "ComplexDouble"},
    {"kFloat8_e4m3fn", "Float8_e4m3fn"},
    {"kFloat8_e4m3fnuz", "Float8_e4m3fnuz"},
    {"kFloat8_e5m2", "Float8_e5m2"},
    {"kFloat8_e5m2fnuz", "Float8_e5m2fnuz"},
    {"kFloat8_e8m0fnu", "Float8_e8m0fnu"},
};

constexpr StringLiteral DeviceConstants[] = {"CPU", "CUDA", "HIP",  "XPU", "MPS",         "Meta",
                                             "XLA", "HPU",  "MTIA", "IPU", "PrivateUse1", "Vulkan"};
constexpr StringLiteral LayoutConstants[] = {"Strided",   "Sparse",    "SparseCsr", "Mkldnn",
                                             "SparseCsc", "SparseBsr", "SparseBsc", "Jagged"};

/// Macros of the same arguments.
constexpr NameRule Macros[] = {
    {"TORCH_LIBRARY", "STABLE_TORCH_LIBRARY"},
    {"TORCH_LIBRARY_FRAGMENT", "STABLE_TORCH_LIBRARY_FRAGMENT"},
    {"TORCH_LIBRARY_IMPL", "STABLE_TORCH_LIBRARY_IMPL"},
    {"TORCH_CHECK", "STD_TORCH_CHECK"},
    {"TORCH_CHECK_NOT_IMPLEMENTED", "STD_TORCH_CHECK"},
    {"TORCH_CHECK_TYPE", "STD_TORCH_CHECK"},
    {"TORCH_CHECK_LINALG", "STD_TORCH_CHECK"},
    {"TORCH_INTERNAL_ASSERT", "STD_TORCH_CHECK"},
    {"AT_ASSERT", "STD_TORCH_CHECK"},
    {"AT_ASSERTM", "STD_TORCH_CHECK"},
    {"C10_CUDA_CHECK", "STD_CUDA_CHECK"},
    {"AT_CUDA_CHECK", "STD_CUDA_CHECK"},
    {"C10_CUDA_KERNEL_LAUNCH_CHECK", "STD_CUDA_KERNEL_LAUNCH_CHECK"},
    {"AT_DISPATCH_V2", "THO_DISPATCH_V2"},
    {"AT_DISPATCH_SWITCH", "THO_DISPATCH_SWITCH"},
    {"AT_DISPATCH_CASE", "THO_DISPATCH_CASE"},
    {"AT_PRIVATE_CASE_TYPE_USING_HINT", "THO_PRIVATE_CASE_TYPE_USING_HINT"},
};

/// Macros that compare: Before and the operator between their first two arguments.
constexpr NameRule Comparisons[] = {{"TORCH_CHECK_EQ", "=="}, {"TORCH_CHECK_NE", "!="},
                                    {"TORCH_CHECK_LE", "<="}, {"TORCH_CHECK_LT", "<"},
                                    {"TORCH_CHECK_GE", ">="}, {"TORCH_CHECK_GT", ">"}};

template <size_t N> const NameRule *find(const NameRule (&Rules)[N], StringRef From) {
  const auto *Found = find_if(Rules, [&](const NameRule &R) { return R.From == From; });
  return Found == std::end(Rules) ? nullptr : Found;
}

StableChange renamed(const ApiUse &Use, FindingId Id, StringRef To, const StableContext &Context) {
  WayBuilder Way(Context.Names);
  Way.at(Use.NameAt).name(To);
  return movesBy(Use, Id, To, std::move(Way));
}

StableChange standard(const ApiUse &Use, StringRef To, StringRef Header,
                      const StableContext &Context) {
  WayBuilder Way(Context.Names);
  Way.at(Use.NameAt).text(To).header(Header);
  return movesBy(Use, finding::UnstableType, To, std::move(Way));
}

/// Errors that have a class of their own in Python, which it makes of a standard exception, too.
struct ErrorRule {
  StringLiteral Class, Check, StableCheck, Exception;
};
constexpr ErrorRule Errors[] = {
    {"IndexError", "TORCH_CHECK_INDEX", "STABLE_CHECK_INDEX", "std::out_of_range"},
    {"ValueError", "TORCH_CHECK_VALUE", "STABLE_CHECK_VALUE", "std::invalid_argument"}};

/// The class in Python of what a check raises, where it is not RuntimeError and will be.
StringRef errorClass(StringRef Macro) {
  return StringSwitch<StringRef>(Macro)
      .Case("TORCH_CHECK_NOT_IMPLEMENTED", "NotImplementedError")
      .Case("TORCH_CHECK_TYPE", "TypeError")
      .Case("TORCH_CHECK_LINALG", "LinAlgError")
      .Default("");
}

void review(StableChange &Change, std::string Why) {
  if (Change.Is != StableChange::Moves)
    return;
  Change.Is = StableChange::Review;
  Change.Why = std::move(Why);
}

/// Of types that are no parameter or variable of the stable ABI.
StringRef whyNot(StringRef Name) {
  return StringSwitch<StringRef>(Name)
      .Case("Scalar",
            "take a double, an int64_t or a bool, and one operator for each that is needed")
      .Cases({"SymInt", "SymIntArrayRef", "SymFloat", "SymBool"},
             "take an int64_t; the operator is not traced by symbols then")
      .Case("TensorOptions", "say dtype, layout and device by themselves")
      .Cases({"Storage", "QScheme", "Stream"}, "the stable ABI has no documented type for it")
      .Default("");
}

} // namespace

std::string opsig::constantFor(StringRef Name) {
  if (const NameRule *Known = find(ScalarConstants, Name))
    return ("torch::headeronly::ScalarType::" + Known->To).str();
  if (Name.consume_front("k")) {
    if (is_contained(DeviceConstants, Name))
      return ("torch::headeronly::DeviceType::" + Name).str();
    if (is_contained(LayoutConstants, Name))
      return ("torch::headeronly::Layout::" + Name).str();
  }
  return "";
}

/// Names of the stable ABI are what they are.
bool opsig::isStableName(StringRef Name) {
  return Name.starts_with("torch::stable::") || Name.starts_with("torch::headeronly::");
}

RuleResult opsig::typeRule(const ApiUse &Use, const StableContext &Context) {
  StringRef Name = withoutNamespace(Use.Name);
  if (isStableName(Use.Name))
    return std::nullopt;
  if (RuleResult Address = addressRule(Use, Context))
    return Address;
  if (Name == "TensorList" || Name == "ITensorListRef") {
    WayBuilder Way(Context.Names);
    Way.at(Use.NameAt)
        .name("torch::headeronly::HeaderOnlyArrayRef")
        .text("<")
        .name("torch::stable::Tensor")
        .text(">");
    return movesBy(Use, finding::UnstableType,
                   "torch::headeronly::HeaderOnlyArrayRef<torch::stable::Tensor>", std::move(Way));
  }
  if (Name == "PackedTensorAccessor32" && Use.TemplateArgs.isValid()) {
    // The one class has the type of indices last.
    Span Inner = {Use.TemplateArgs.File, Use.TemplateArgs.Offset + 1, Use.TemplateArgs.Length - 2};
    bool HasTraits = StringRef(Use.TemplateText).contains("PtrTraits");
    WayBuilder Way(Context.Names);
    Way.at(Use.At).name("torch::headeronly::HeaderOnlyGenericPackedTensorAccessor").text("<");
    Way.from(Inner).text(HasTraits ? ", int32_t>"
                                   : ", torch::headeronly::DefaultPtrTraits, int32_t>");
    return movesBy(Use, finding::UnstableType,
                   "torch::headeronly::HeaderOnlyGenericPackedTensorAccessor", std::move(Way));
  }
  if (Name == "RestrictPtrTraits") {
    // It stands beside the other traits, for compilers of CUDA alone: nobody else has it before,
    // either.
    WayBuilder Way(Context.Names);
    Way.at(Use.NameAt).text("torch::headeronly::RestrictPtrTraits");
    Way.need("torch::headeronly::DefaultPtrTraits");
    return movesBy(Use, finding::UnstableType, "torch::headeronly::RestrictPtrTraits",
                   std::move(Way));
  }
  if (Name == "cuda::CUDAStream") {
    WayBuilder Way(Context.Names);
    Way.at(Use.NameAt).text("cudaStream_t");
    return movesBy(Use, finding::UnstableType, "cudaStream_t", std::move(Way));
  }
  if (const NameRule *Known = find(Standard, Name))
    return standard(Use, Known->To, Known->To == "std::string_view" ? "string_view" : "optional",
                    Context);
  if (const NameRule *Known = find(Types, Name))
    return renamed(Use, finding::UnstableType, Known->To, Context);
  if (Context.Names.IsHeader(Use.Header))
    return std::nullopt;
  StringRef Why = whyNot(Name);
  return staysAsIs(Use, finding::UnstableType, Why.str());
}

RuleResult opsig::constantRule(const ApiUse &Use, const StableContext &Context) {
  StringRef Name = withoutNamespace(Use.Name);
  if (isStableName(Use.Name))
    return std::nullopt;
  if (Name == "nullopt" || Name == "in_place")
    return standard(Use, ("std::" + Name).str(), "optional", Context);
  if (std::string To = constantFor(Name); !To.empty()) {
    WayBuilder Way(Context.Names);
    // The enumeration is what headers declare.
    Way.at(Use.NameAt).text(To).need(StringRef(To).rsplit("::").first);
    return movesBy(Use, finding::UnstableType, To, std::move(Way));
  }
  // `at::ScalarType::Half` without its enumeration: an enumerator that `using` has brought.
  if (Context.Names.IsHeader(Use.Header))
    return std::nullopt;
  return staysAsIs(Use, finding::UnstableType, "");
}

/// `TORCH_CHECK_INDEX(i < n)`, `C10_THROW_ERROR(IndexError, "far")`.
static RuleResult errorRule(const ApiUse &Use, const StableContext &Context) {
  const bool Throws = Use.Name == "C10_THROW_ERROR" && Use.Args.size() == 2;
  const auto *Known = find_if(Errors, [&](const ErrorRule &R) {
    return Throws ? Context.text(Use.Args[0].At) == R.Class : Use.Name == R.Check;
  });
  WayBuilder Way(Context.Names);
  if (Known != std::end(Errors)) {
    Way.header("stdexcept");
    if (Throws)
      Way.at(Use.At).text(("throw " + Known->Exception + "(").str()).from(Use.Args[1].At).text(")");
    else
      Way.at(Use.NameAt).text(Known->StableCheck).helper(Known->StableCheck);
    StringRef Instead = Throws ? Known->Exception : Known->StableCheck;
    return movesBy(Use, finding::UnstableMacro, Instead, std::move(Way));
  }
  if (!Throws)
    return std::nullopt;
  Way.at(Use.At).name("STD_TORCH_CHECK").text("(false, ").from(Use.Args[1].At).text(")");
  StableChange Change = movesBy(Use, finding::UnstableMacro, "STD_TORCH_CHECK", std::move(Way));
  review(Change, "it raises a RuntimeError, whatever the class was");
  return Change;
}

/// `C10_LOG_API_USAGE_ONCE("name");` counts calls in PyTorch's own logs: the statement goes.
static RuleResult usageLogRule(const ApiUse &Use, const StableContext &Context) {
  StringRef End = Context.text({Use.At.File, Use.At.end(), ~0u - Use.At.end()});
  size_t Semicolon = End.find_first_not_of(" \t");
  if (Use.Name != "C10_LOG_API_USAGE_ONCE" || Semicolon == StringRef::npos || End[Semicolon] != ';')
    return std::nullopt;
  Span Statement = Use.At;
  Statement.Length += Semicolon + 1;
  WayBuilder Way(Context.Names);
  Way.at(Context.wholeLines(Statement));
  StableChange Change = movesBy(Use, finding::UnstableMacro, "nothing", std::move(Way));
  Change.InWords = true;
  review(Change, "PyTorch's usage log does not count these calls any more");
  return Change;
}

RuleResult opsig::macroRule(const ApiUse &Use, const StableContext &Context) {
  StringRef Name = Use.Name;
  if (RuleResult Change = usageLogRule(Use, Context))
    return Change;
  if (RuleResult Change = errorRule(Use, Context))
    return Change;
  if (const NameRule *Known = find(Macros, Name)) {
    StableChange Change = renamed(Use, finding::UnstableMacro, Known->To, Context);
    if (StringRef Class = errorClass(Name); !Class.empty())
      review(Change, "it raises a RuntimeError, not " + Class.str());
    return Change;
  }
  WayBuilder Way(Context.Names);
  if (Name == "AT_ERROR" || Name == "TORCH_ERROR") {
    if (!Use.ArgList.isValid())
      return staysAsIs(Use, finding::UnstableMacro, "");
    Way.at(Use.At)
        .name("STD_TORCH_CHECK")
        .text(Use.Args.empty() ? "(false" : "(false, ")
        .from(Use.ArgList)
        .text(")");
    return movesBy(Use, finding::UnstableMacro, "STD_TORCH_CHECK", std::move(Way));
  }
  if (const NameRule *Known = find(Comparisons, Name); Known && Use.Args.size() >= 2) {
    Way.at(Use.At)
        .name("STD_TORCH_CHECK")
        .text("(")
        .from(Use.Args[0].At)
        .text((" " + Known->To + " ").str())
        .from(Use.Args[1].At);
    Way.text(")");
    return movesBy(Use, finding::UnstableMacro, "STD_TORCH_CHECK", std::move(Way));
  }
  if ((Name == "TORCH_WARN" || Name == "TORCH_WARN_ONCE") && Use.Args.size() == 1 &&
      Context.text(Use.Args[0].At).starts_with("\"")) {
    Way.at(Use.At)
        .need("aoti_torch_warn")
        .text("aoti_torch_warn(__func__, __FILE__, __LINE__, ")
        .from(Use.Args[0].At)
        .text(")");
    StableChange Change = movesBy(Use, finding::UnstableMacro, "aoti_torch_warn", std::move(Way));
    if (Name == "TORCH_WARN_ONCE")
      review(Change, "it warns each time, not once");
    return Change;
  }
  if ((Name == "TORCH_SELECTIVE_SCHEMA" || Name == "TORCH_SELECTIVE_NAME") &&
      Use.ArgList.isValid()) {
    Way.at(Use.At).from(Use.ArgList);
    StableChange Change = movesBy(Use, finding::UnstableMacro, "the string", std::move(Way));
    Change.InWords = true;
    return Change;
  }
  if (Name == "TORCH_FN" || Name == "TORCH_FN_TYPE")
    return std::nullopt; // with its registration
  if (Name.starts_with("AT_DISPATCH_"))
    return dispatchRule(Use, Context);
  if (Context.Names.IsHeader(Use.Header))
    return std::nullopt;
  if (any_of(Context.Unit.Modules, [&](const PythonModule &M) { return M.At == Use.NameAt; }))
    return std::nullopt; // ModuleRules.cpp
  return staysAsIs(Use, finding::UnstableMacro,
                   Name == "PYBIND11_MODULE"
                       ? "define the functions as operators in a STABLE_TORCH_LIBRARY block"
                       : "");
}
