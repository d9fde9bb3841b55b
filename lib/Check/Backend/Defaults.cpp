//===- Defaults.cpp - default arguments of kernels ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// default of the schema => in the words of KernelParam::DefaultValue => compared with the found one
//
// Where one side cannot be told, or both may be the same after a conversion, there is no finding.
//
//===----------------------------------------------------------------------===//
#include "Backend/BackendInternal.h"
#include "opsig/Support/FindingIds.h"

#include "llvm/ADT/StringSwitch.h"

using namespace opsig;
using namespace llvm;

namespace {

/// Without the quotes and backslashes of a schema string.
std::string unquoted(StringRef Quoted) {
  std::string Text;
  for (size_t I = 1; I + 1 < Quoted.size(); ++I) {
    if (Quoted[I] == '\\' && I + 2 < Quoted.size())
      ++I;
    Text += Quoted[I];
  }
  return Text;
}

/// A schema default in the words of KernelParam::DefaultValue.
std::string valueOf(StringRef Default) {
  if (Default.starts_with("[") && Default.ends_with("]")) {
    std::string Text;
    SmallVector<StringRef> Elements;
    Default.drop_front().drop_back().split(Elements, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    for (StringRef Element : Elements)
      Text += (Text.empty() ? "" : ", ") + valueOf(Element.trim());
    return "{" + Text + "}";
  }
  if (Default.size() >= 2 && (Default.front() == '"' || Default.front() == '\''))
    return "\"" + unquoted(Default) + "\"";
  return StringSwitch<std::string>(Default)
      .Case("None", "none")
      .Case("True", "1")
      .Case("False", "0")
      .Case("Mean", "Reduction::Mean")
      .Case("long", "ScalarType::Long")
      .Case("contiguous_format", "MemoryFormat::Contiguous")
      .Default(Default.str());
}

bool isList(StringRef Value) { return Value.starts_with("{"); }
bool isString(StringRef Value) { return Value.starts_with("\""); }
bool isEnumerator(StringRef Value) { return !isString(Value) && Value.contains("::"); }

std::optional<double> numberOf(StringRef Value) {
  // A kernel takes a reduction as a number.
  Value = StringSwitch<StringRef>(Value)
              .Case("Reduction::None", "0")
              .Case("Reduction::Mean", "1")
              .Case("Reduction::Sum", "2")
              .Default(Value);
  double Number = 0;
  if (Value.getAsDouble(Number))
    return std::nullopt;
  return Number;
}

/// One value stands for all elements: `int[2] stride=1`.
bool listDiffers(StringRef List, StringRef One);

/// Whether both are known and not the same.
bool differ(StringRef Schema, StringRef Found) {
  if (Found.empty() || Schema == Found)
    return false;
  if (Schema == "none" || Found == "none") // {} is an empty list or no list at all
    return Schema != "{}" && Found != "{}";
  if (isList(Schema) != isList(Found))
    return isList(Schema) ? listDiffers(Schema, Found) : listDiffers(Found, Schema);
  if (isList(Schema)) {
    SmallVector<StringRef> Want, Got;
    Schema.drop_front().drop_back().split(Want, ", ", /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    Found.drop_front().drop_back().split(Got, ", ", /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    return Want.size() != Got.size() || any_of(zip(Want, Got), [](auto Pair) {
             return differ(std::get<0>(Pair), std::get<1>(Pair));
           });
  }
  if (isString(Schema) || isString(Found))
    return isString(Schema) && isString(Found);
  std::optional<double> Expected = numberOf(Schema), Got = numberOf(Found);
  if (Expected && Got)
    return *Expected != *Got;
  return isEnumerator(Schema) && isEnumerator(Found);
}

bool listDiffers(StringRef List, StringRef One) {
  SmallVector<StringRef> Elements;
  List.drop_front().drop_back().split(Elements, ", ", /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  return Elements.empty() || any_of(Elements, [&](StringRef E) { return differ(One, E); });
}

} // namespace

void opsig::reportDefaults(const ComparedKernel &C, const Dialect &D, UnitFiles &Files,
                           Findings &Diags) {
  const KernelDecl &K = *C.Kernel.Decl;
  const std::vector<Binding> &Want = C.Want.Params;
  // Which parameter is which is certain only where the lists agree.
  if (!C.Differences.empty() || K.Params.size() != Want.size())
    return;
  for (size_t I = 0; I < Want.size(); ++I) {
    const Argument *Arg = Want[I].Arg;
    const KernelParam &P = K.Params[I];
    if (!Arg || !Arg->Default || !P.Default.isValid() ||
        !differ(valueOf(*Arg->Default), P.DefaultValue))
      continue;
    // The options of factories are empty in every kernel, whatever the schema says of them.
    std::string Expected = Want[I].Default.value_or(defaultText(*Arg->Default, Arg->Ty, D, false));
    if (Expected == "{}" && P.DefaultValue == "none")
      continue;
    Finding &Diag =
        Diags.report(finding::KernelDefault, Files.place(*C.Kernel.Unit, P.Default),
                     "parameter {0} of {1} defaults to '{2}'; the schema's default is '{3}'",
                     paramName(P, I), C.Name, Files.text(*C.Kernel.Unit, P.Default), *Arg->Default);
    Diag.op(C.Function.shownName());
    Diag.Hint = Expected;
    if (K.Editable)
      Diag.Fixes.push_back({Diag.At.File, P.Default.Offset, P.Default.Length, Diag.Hint});
    C.AddNotes(Diag);
  }
}
