//===- PythonSignature.cpp - Signatures of the Python bindings --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// schema => positional | keyword | out | tensor options => text of the argument parser
//
// Tensor options are not those of the schema: whatever makes a tensor takes them in Python, and
// requires_grad with them.
//
//===----------------------------------------------------------------------===//
#include "PythonInternal.h"
#include "opsig/Dialect/PythonTraits.h"
#include "opsig/Support/PythonNumber.h"
#include "opsig/Support/SchemaFindingIds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace opsig {

namespace {

/// What the tracer takes apart into its parts.
constexpr StringLiteral NotTraced[] = {"convolution",      "conv1d",           "conv2d",
                                       "conv3d",           "conv_transpose1d", "conv_transpose2d",
                                       "conv_transpose3d", "lstm_cell",        "gru_cell",
                                       "rnn_tanh_cell",    "rnn_relu_cell",    "_coalesced"};

//===-- arguments -----------------------------------------------------------===//

/// C++ default => what the generator makes of it on its way through Python.
std::string pythonDefault(StringRef Default, const Type &T, const Dialect &D) {
  std::string Cpp = defaultText(Default, T, D, /*SymInt=*/false);
  if (Cpp == "true")
    return "True";
  if (Cpp == "false")
    return "False";
  if (std::optional<std::string> Int = pythonInt(Cpp))
    return *Int;
  if (std::optional<double> Float = pythonFloat(Cpp))
    return pythonRepr(*Float);
  return Cpp;
}

PythonArgument pythonArgument(const Argument &A, const Dialect &D) {
  PythonArgument Result{A.Name, A.Ty, std::nullopt, ""};
  if (A.Default)
    Result.Default = pythonDefault(*A.Default, A.Ty, D);
  return Result;
}

/// One argument for all outputs.
std::optional<PythonArgument> outArgument(Arguments::Slice Outputs) {
  if (Outputs.empty())
    return std::nullopt;
  if (Outputs.size() == 1)
    return PythonArgument{Outputs.front().Name, Outputs.front().Ty, "None", ""};
  return PythonArgument{"out", Type(BaseTy::Tensor).list(Outputs.size()), "None", ""};
}

//===-- tensor options ------------------------------------------------------===//

struct FactoryTraits {
  bool TakesOptions = false;
  bool LikeAnother = false; ///< zeros_like, new_zeros
};

FactoryTraits factoryTraits(const FunctionSchema &S, StringRef Category, const Dialect &D) {
  bool ReturnsTensor = any_of(S.Returns, [](const Return &R) { return R.Ty.isTensorLike(); });
  bool Factory = Category == "factory" || (ReturnsTensor && !S.Args.hasTensorArg());
  std::string Name = cppName(S);
  FactoryTraits Traits;
  Traits.LikeAnother = Category == "new" || Category == "like" ||
                       StringRef(Name).starts_with("new_") || StringRef(Name).ends_with("_like");
  bool Dummy = D.Python.DummiesTakeNoOptions && Category == "dummy";
  Traits.TakesOptions = (Factory || Traits.LikeAnother) && !Dummy;
  return Traits;
}

/// The default of the schema's own option; empty where it has none or None.
std::string schemaDefault(const FunctionSchema &S, unsigned Option, const Dialect &D) {
  if (!S.Args.hasTensorOptions())
    return "";
  const Argument &A = S.Args.tensorOptions()[Option];
  if (!A.Default || *A.Default == "None")
    return "";
  return defaultText(*A.Default, A.Ty, D, /*SymInt=*/false);
}

std::vector<PythonArgument> tensorOptions(const FunctionSchema &S, FactoryTraits Traits,
                                          const Dialect &D) {
  if (!Traits.TakesOptions)
    return {};
  std::string Dtype, Layout, Device;
  if (!Traits.LikeAnother) {
    Dtype = schemaDefault(S, 0, D);
    Layout = schemaDefault(S, 1, D);
    Device = schemaDefault(S, 2, D);
    if (Device.empty())
      Device = "torch::tensors::get_default_device()";
  } else if (D.Python.LikeDefaultsFromSelf) {
    Dtype = "self.scalar_type()";
    Layout = "self.layout()";
    Device = "self.device()";
  }
  auto Optional = [](BaseTy Base) { return Type(Base).optional(); };
  return {{"dtype", Optional(BaseTy::ScalarType), "None", std::move(Dtype)},
          {"layout", Optional(BaseTy::Layout), "None", std::move(Layout)},
          {"device", Optional(BaseTy::Device), "None", std::move(Device)},
          {"pin_memory", Optional(BaseTy::Bool), "False", ""},
          {"requires_grad", Optional(BaseTy::Bool), "False", ""}};
}

//===-- signatures ----------------------------------------------------------===//

PythonSignature makeSignature(const FunctionSchema &S, StringRef Category, PythonForm Form,
                              const Dialect &D) {
  PythonSignature Result;
  Result.Name = S.Name.Name.str();
  Result.Form = Form;
  const Arguments &Args = S.Args;
  Result.Positional.reserve(Args.positional().size());
  Result.Keyword.reserve(Args.kwargOnly().size());
  for (const Argument &A : Args.positional())
    if (Form == PythonForm::Function || &A != Args.self())
      Result.Positional.push_back(pythonArgument(A, D));
  for (const Argument &A : Args.kwargOnly())
    if (!Args.isTensorOption(&A - Args.All.data()))
      Result.Keyword.push_back(pythonArgument(A, D));
  Result.Out = outArgument(Args.out());
  Result.Options = tensorOptions(S, factoryTraits(S, Category, D), D);
  return Result;
}

void print(raw_ostream &OS, const PythonArgument &A, PythonForm Form, const Dialect &D) {
  bool Renamed = Form == PythonForm::Function && A.Name == "self" && A.Ty.is(BaseTy::Tensor);
  OS << pythonTypeText(A.Ty, D).value_or("?") << ' ' << (Renamed ? StringRef("input") : A.Name);
  if (!A.Default)
    return;
  StringRef Default = *A.Default;
  bool IsNone = Default == "{}" || Default == "nullptr" || Default == D.Spelling.Nullopt;
  OS << '=' << (IsNone ? StringRef("None") : Default);
}

std::string signatureText(const PythonSignature &S, bool WithOut, const Dialect &D) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << S.Name << '(';
  ListSeparator Comma;
  unsigned Index = 0;
  for (const PythonArgument *A : S.arguments()) {
    if (!WithOut && S.Out && A == &*S.Out)
      continue;
    if (Index++ == S.Positional.size())
      OS << Comma << '*';
    OS << Comma;
    print(OS, *A, S.Form, D);
  }
  OS << ')';
  if (S.Deprecated)
    OS << "|deprecated";
  return Text;
}

//===-- what stands in the way ----------------------------------------------===//

bool hasMixedNames(const FunctionSchema &S) {
  auto Unnamed = [](const Return &R) { return R.Name.empty(); };
  return S.Returns.size() > 1 && any_of(S.Returns, Unnamed) && !all_of(S.Returns, Unnamed);
}

template <typename... Ts>
PythonBlocker obstacle(FindingId Id, const char *Format, const Ts &...Values) {
  return {Id, formatv(Format, Values...).str()};
}

} // namespace

std::string PythonArgument::str(PythonForm Form, const Dialect &D) const {
  std::string Text;
  raw_string_ostream OS(Text);
  print(OS, *this, Form, D);
  return Text;
}

SmallVector<const PythonArgument *, 12> PythonSignature::arguments() const {
  SmallVector<const PythonArgument *, 12> All;
  auto Add = [&](const PythonArgument &A) { All.push_back(&A); };
  for_each(Positional, Add);
  for_each(Keyword, Add);
  if (Out)
    Add(*Out);
  for_each(Options, Add);
  return All;
}

unsigned PythonSignature::count() const {
  return Positional.size() + Keyword.size() + Out.has_value() + Options.size();
}

std::string PythonSignature::str(const Dialect &D) const {
  return signatureText(*this, /*WithOut=*/true, D);
}

std::string PythonSignature::strWithoutOut(const Dialect &D) const {
  return signatureText(*this, /*WithOut=*/false, D);
}

PythonSignature pythonSignature(const NativeFunction &F, PythonForm Form, const Dialect &D) {
  return makeSignature(F.Schema, F.CategoryOverride, Form, D);
}

PythonSignature pythonSignature(const DeprecatedFunction &Old, const NativeFunction &F,
                                PythonForm Form, const Dialect &D) {
  PythonSignature S = makeSignature(Old.Schema, F.CategoryOverride, Form, D);
  S.Deprecated = &Old;
  return S;
}

std::vector<StringRef> pythonResultFields(const FunctionSchema &S) {
  if (S.Returns.size() <= 1 || S.Returns.front().Name.empty())
    return {};
  std::vector<StringRef> Fields;
  for (const Return &R : S.Returns)
    Fields.push_back(R.Name);
  return Fields;
}

bool isTraceable(const FunctionSchema &S) {
  if (any_of(S.Args.All, [](const Argument &A) { return A.Ty.is(BaseTy::Storage); }))
    return false;
  if (none_of(S.Returns, [](const Return &R) { return R.Ty.isTensorLike(); }))
    return false;
  return !is_contained(NotTraced, StringRef(S.Name.Name.Base));
}

std::string pythonReturnText(const NativeFunction &F, const Dialect &D) {
  std::vector<Return> Values = F.Schema.Returns;
  for (Return &R : Values)
    R.Annotation.reset();
  return returnsType(Values, Lowering::of(F, D), /*SymInt=*/true).str(D);
}

std::optional<PythonBlocker> whyNotPython(const NativeFunction &F, const Dialect &D) {
  return whyNotPython(F, pythonSignature(F, PythonForm::Function, D), D);
}

std::optional<PythonBlocker> whyNotPython(const NativeFunction &F,
                                          const PythonSignature &AsFunction, const Dialect &D) {
  const FunctionSchema &S = F.Schema;
  for (const Argument &A : S.Args.All)
    if (A.Name == "requires_grad")
      return obstacle(finding::PythonReservedArgument,
                      "an argument cannot be named 'requires_grad', because the Python binding "
                      "adds an argument of that name");
  for (const PythonArgument *A : AsFunction.arguments())
    if (!pythonTypeText(A->Ty, D) || !pythonUnpack(*A, D))
      return obstacle(finding::PythonArgumentType,
                      "PyTorch's argument parser does not support type '{0}' of argument '{1}'",
                      A->Ty.str(), A->Name);
  if (hasMixedNames(S))
    return obstacle(finding::PythonMixedReturnNames,
                    "only some returns have names; name all returns or none");
  std::string Returns = pythonReturnText(F, D);
  if (!is_contained(D.Python.ReturnTypes, StringRef(Returns)))
    return obstacle(finding::PythonReturnType,
                    "Python bindings cannot return '{0}'; expected tensors, numbers, or tuples and "
                    "lists of tensors",
                    Returns);
  return whyNotServed(AsFunction, F);
}

std::optional<PythonBlocker> whyNotServed(const PythonSignature &S, const NativeFunction &F) {
  bool TakesOptions = F.Schema.Args.hasTensorOptions();
  if (S.Options.empty() && TakesOptions)
    return obstacle(
        finding::PythonFactoryOptions,
        "'{0}' takes tensor options, but Python passes them only to operators that take no tensor "
        "or are named 'new_*' or '*_like'; add 'category_override: factory'",
        F.Schema.Name.str());
  if (S.Options.empty() || TakesOptions)
    return std::nullopt;
  if (!F.Schema.isOut())
    return obstacle(finding::PythonFactoryOptions,
                    "'{0}' returns a tensor but takes none, so Python passes dtype, "
                    "layout, device and pin_memory; add them to the schema",
                    F.Schema.Name.str());
  if (S.Out && S.Out->Name != "out")
    return obstacle(finding::PythonFactoryOptions,
                    "the out argument of '{0}' is named '{1}', but Python compares the tensor "
                    "options with those of 'out'; rename '{1}' to 'out'",
                    F.Schema.Name.str(), S.Out->Name);
  return std::nullopt;
}

} // namespace opsig
