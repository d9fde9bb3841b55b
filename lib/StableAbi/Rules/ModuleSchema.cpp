//===- ModuleSchema.cpp - the schema of a function that Python was offered -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Rules/ModuleInternal.h"
#include "opsig/Check/InferredSchema.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace opsig;
using namespace llvm;

bool opsig::isIdentifier(StringRef Name) {
  return !Name.empty() && !isDigit(Name.front()) &&
         all_of(Name, [](char C) { return isAlnum(C) || C == '_'; });
}

namespace {

/// The shortest text that is read as the number again; as a float where the kernel took one.
std::string shortest(double Value, bool IsFloat) {
  char Text[40];
  for (int Digits = 1; Digits <= 17; ++Digits) {
    std::snprintf(Text, sizeof(Text), "%.*g", Digits, Value);
    double Read = std::strtod(Text, nullptr);
    if (IsFloat ? float(Read) == float(Value) : Read == Value)
      break;
  }
  return Text;
}

std::optional<std::string> scalarDefault(const CppType &T, StringRef Value) {
  int64_t Int;
  double Float;
  bool IsInt = !Value.getAsInteger(10, Int);
  if (T.is("bool") && IsInt)
    return Int ? "True" : "False";
  if (IsInt && T.is("long"))
    return Value.str();
  bool IsFloat = T.is("float");
  if ((!IsFloat && !T.is("double")) || Value.getAsDouble(Float) || !std::isfinite(Float))
    return std::nullopt;
  return IsInt ? Value.str() : shortest(Float, IsFloat);
}

/// What a schema says for a default value, in a string of C++.
std::optional<std::string> defaultText(const CppType &Declared, StringRef Value) {
  const CppType &Outer = Declared.referee();
  const bool Optional = Outer.isTemplate("std::optional");
  const CppType &T = Optional ? Outer.Args.front() : Outer;
  if (Value == "none")
    return Optional ? std::optional<std::string>("None") : std::nullopt;
  bool IsString = T.Name == "std::basic_string" || T.Name == "std::basic_string_view";
  if (IsString && Value.consume_front("\"") && Value.consume_back("\"")) {
    bool Plain =
        all_of(Value, [](char C) { return isAlnum(C) || StringRef("_-.: /").contains(C); });
    return Plain ? std::optional("\\\"" + Value.str() + "\\\"") : std::nullopt;
  }
  if (!T.isTemplate("std::vector"))
    return scalarDefault(T, Value);
  if (!Value.consume_front("{") || !Value.consume_back("}"))
    return std::nullopt;
  std::vector<std::string> Items;
  SmallVector<StringRef> Parts;
  Value.split(Parts, ", ", /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef Part : Parts) {
    std::optional<std::string> Item = scalarDefault(T.Args.front(), Part);
    if (!Item)
      return std::nullopt;
    Items.push_back(std::move(*Item));
  }
  return "[" + join(Items, ", ") + "]";
}

/// What an operator returns of these is a number to Python, which pybind11 made its own object of.
bool isNumberInPython(const CppType &T) {
  return T.is("c10::ScalarType") || T.is("c10::Layout") || T.is("c10::MemoryFormat") ||
         any_of(T.Args, isNumberInPython);
}

bool isFloat(const CppType &T) {
  const CppType &Value = T.referee();
  return Value.is("float") || (Value.isTemplate("std::optional") && Value.Args.front().is("float"));
}

} // namespace

std::optional<std::string> opsig::schemaOf(const BoundFunction &Bound, const TypeNames &Names,
                                           const SchemaMarks &Marks, std::string &Why) {
  RegisteredKernel Kernel = withWideNumbers(Bound.Kernel);
  std::vector<KernelParam> &Params = Kernel.Decl.Params;
  auto No = [&](const Twine &Reason) {
    Why = ("'" + Bound.Name + "' " + Reason).str();
    return std::nullopt;
  };
  for (const KernelParam &P : Params)
    if (!isCarried(P.Canonical.referee()) || P.Canonical.Is == CppType::RightRef)
      return No("takes a '" + P.TypeText + "', which TORCH_BOX does not support");
  if (!isReturned(Kernel.Decl.ReturnCanonical))
    return No("returns a '" + Kernel.Decl.ReturnText + "', which TORCH_BOX does not support");
  if (isNumberInPython(Kernel.Decl.ReturnCanonical))
    return No("returns a '" + Kernel.Decl.ReturnText + "', which Python would receive as a number");
  if (!Bound.Args.empty() && Bound.Args.size() != Params.size())
    return No("has names for only some of its arguments");
  std::vector<std::string> Defaults(Params.size());
  for (auto [P, Arg, Default, Given] :
       zip(Params, Bound.Args, Defaults, Bound.Kernel.Decl.Params)) {
    P.Name = Arg.Name;
    if (!Arg.HasDefault)
      continue;
    std::optional<std::string> Text =
        defaultText(isFloat(Given.Canonical) ? Given.Canonical : P.Canonical, Arg.Default);
    if (!Text)
      return No("has a default for '" + Arg.Name + "' that a schema cannot express");
    Default = std::move(*Text);
  }
  for (const KernelParam &P : Params)
    if (!P.Name.empty() && !isIdentifier(P.Name))
      return No("has an argument with the invalid name '" + P.Name + "'");
  if (auto Schema = inferredSchema(Bound.Name, Kernel, Names, Defaults, Marks))
    return Schema->str();
  return No("has types that a schema cannot express");
}
