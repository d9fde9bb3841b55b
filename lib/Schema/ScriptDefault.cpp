//===- ScriptDefault.cpp - defaults in libtorch's schema strings -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScriptInternal.h"
#include "opsig/Support/FindingIds.h"
#include "opsig/Support/PythonNumber.h"
#include "opsig/Support/TypoCorrection.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <cstdlib>

using namespace opsig;
using namespace opsig::script;
using namespace llvm;

namespace {

/// The type by which a default is read: some types are numbers there.
StringRef readAs(const Type &Ty) {
  if (!Ty.isBase() || !Ty.elements().empty())
    return "";
  if (is_contained({BaseTy::ScalarType, BaseTy::Layout, BaseTy::MemoryFormat, BaseTy::SymInt},
                   Ty.base()))
    return "int";
  return toString(Ty.base());
}

/// That type, or an optional one.
bool is(const Type &Ty, StringRef Name) { return (Ty.isOptional() ? Ty.elem() : Ty).is(Name); }

double signedNumber(bool IsNegative, StringRef Digits) {
  double Number = std::strtod(Digits.str().c_str(), nullptr);
  return IsNegative ? -Number : Number;
}

bool overflows(StringRef Number) { return std::isinf(signedNumber(false, Number)); }

/// Equal for equal numbers; zero has no sign.
std::string floatValue(double Number) {
  return formatv("float {0}", pythonRepr(Number == 0 ? 0 : Number)).str();
}

/// The numbers that stand for words, which are the same in every release that has the word.
int numberOf(StringRef Word) {
  static constexpr StringLiteral Dtypes[] = {"uint8",
                                             "int8",
                                             "int16",
                                             "int32",
                                             "int64",
                                             "float16",
                                             "float32",
                                             "float64",
                                             "complex32",
                                             "complex64",
                                             "complex128",
                                             "bool",
                                             "qint8",
                                             "quint8",
                                             "qint32",
                                             "bfloat16",
                                             "quint4x2",
                                             "quint2x4",
                                             "bits1x8",
                                             "bits2x4",
                                             "bits4x2",
                                             "bits8",
                                             "bits16",
                                             "float8_e5m2",
                                             "float8_e4m3fn",
                                             "float8_e5m2fnuz",
                                             "float8_e4m3fnuz",
                                             "uint16",
                                             "uint32",
                                             "uint64",
                                             "uint1",
                                             "uint2",
                                             "uint3",
                                             "uint4",
                                             "uint5",
                                             "uint6",
                                             "uint7",
                                             "int1",
                                             "int2",
                                             "int3",
                                             "int4",
                                             "int5",
                                             "int6",
                                             "int7",
                                             "float8_e8m0fnu",
                                             "float4_e2m1fn_x2",
                                             "bcomplex32"};
  static constexpr std::pair<StringLiteral, StringLiteral> Others[] = {
      {"short", "int16"},        {"int", "int32"},        {"long", "int64"},
      {"half", "float16"},       {"float", "float32"},    {"double", "float64"},
      {"chalf", "complex32"},    {"cfloat", "complex64"}, {"complex", "complex64"},
      {"cdouble", "complex128"}, {"bit", "uint1"}};
  const auto *Other = find_if(Others, [&](const auto &O) { return O.first == Word; });
  const auto *Found = find(Dtypes, Other == std::end(Others) ? Word : StringRef(Other->second));
  if (Found != std::end(Dtypes))
    return int(Found - std::begin(Dtypes));
  return Word == "Mean" ? 1 : 0; // "strided" and "contiguous_format" are 0
}

/// What stands between the quotes, of which there may be three.
StringRef literalBody(StringRef Literal) {
  size_t Quotes =
      Literal.size() >= 6 && Literal[0] == Literal[1] && Literal[1] == Literal[2] ? 3 : 1;
  return Literal.drop_front(Quotes).drop_back(Quotes);
}

/// The characters of a literal whose escapes are good.
std::string stringValue(StringRef Literal) {
  StringRef Body = literalBody(Literal);
  std::string Out;
  while (!Body.empty()) {
    char C = Body.front();
    Body = Body.drop_front();
    if (C != '\\' || Body.empty()) {
      Out += C;
      continue;
    }
    static constexpr StringLiteral Letters = "abfnvt", Means = "\a\b\f\n\v\t";
    unsigned Octal = 0;
    if (size_t At = Letters.find(Body.front()); At != StringRef::npos)
      Out += Means[At];
    else if (Body.size() >= 3 && !Body.take_front(3).getAsInteger(8, Octal))
      Out += char(Octal);
    else if (Body.front() != '\n') // a line goes on
      Out += Body.front();
    Body = Body.drop_front(Octal || Body.starts_with("000") ? 3 : 1);
  }
  return Out;
}

/// Only the escapes that TorchScript has.
bool escapesAreGood(StringRef Literal) {
  StringRef Body = literalBody(Literal);
  while (true) {
    size_t At = Body.find('\\');
    if (At == StringRef::npos || At + 1 >= Body.size())
      return true;
    Body = Body.drop_front(At + 1);
    if (StringRef("\\'\"\nabfnvt").contains(Body[0])) {
      Body = Body.drop_front(1);
      continue;
    }
    StringRef Octal = Body.take_front(3);
    if (Octal.size() < 3 || !all_of(Octal, [](char C) { return C >= '0' && C <= '7'; }) ||
        Octal[0] > '3')
      return false;
    Body = Body.drop_front(3);
  }
}

} // namespace

/// One value. Which words it may be does not depend on the type; how numbers are read does.
bool Parser::parseConstant(const Type &Ty, Constant &Out) {
  Token First = L.current();
  if (First.is("True") || First.is("False") || First.is("None")) {
    LastEnd = L.next().Text.end();
    Out = First.is("None") ? Constant::None : Constant::Bool;
    Value = First.Text.str();
    return true;
  }
  if (First.Is == Token::String) {
    LastEnd = L.next().Text.end();
    Out = Constant::String;
    if (!escapesAreGood(First.Text))
      return error(First, "this string has an escape sequence that libtorch does not support");
    Value = "str " + stringValue(First.Text);
    return true;
  }
  if (First.Is == Token::Ident) {
    static constexpr StringLiteral Words[] = {"float",   "complex", "long",
                                              "strided", "Mean",    "contiguous_format"};
    static constexpr StringLiteral Known[] = {"True", "False", "None"};
    bool IsScalarType = is(Ty, "ScalarType") && is_contained(Rules.ScalarTypes, First.Text);
    if (!IsScalarType && !is_contained(Words, First.Text)) {
      std::vector<StringRef> Names(std::begin(Known), std::end(Known));
      std::string Near = didYouMean(First.Text, Names);
      if (is_contained({"nullptr", "NULL", "null", "nullopt"}, First.Text))
        Near = "; use 'None'";
      if (is(Ty, "str"))
        Near = "; write the string in quotes";
      else if (Near.empty() && is(Ty, "ScalarType"))
        Near = First.Text != "uint8" && numberOf(First.Text) == 0
                   ? "; expected the name of a dtype, such as 'float' or 'long'"
                   : " in this PyTorch release";
      else if (Near.empty() && is(Ty, "Layout"))
        Near = "; the only layout that can be a default is 'strided'";
      else if (Near.empty() && is(Ty, "MemoryFormat"))
        Near = "; the only memory format that can be a default is 'contiguous_format'";
      else if (Near.empty())
        Near = "; expected a number, a string, True, False or None";
      error(First, "'{0}' cannot be a default{1}", First.Text, Near);
      Errors.back().suggest(onlyCorrection(First.Text, Names));
      return false;
    }
    LastEnd = L.next().Text.end();
    Out = Constant::Int;
    Value = "int " + std::to_string(numberOf(First.Text));
    return true;
  }
  bool Negative = L.nextIf("-");
  Token Number;
  if (!expectNumber(Number))
    return false;
  StringRef Digits = Number.Text;
  StringRef As = readAs(Ty);
  if (As == "complex" || Digits.contains('j')) {
    Out = Constant::Complex;
    // The last letter is cut off, whatever it is.
    if (none_of(Digits.drop_back(), isDigit))
      return error(Number, "invalid imaginary number '{0}'", Number.Text);
    Value = "complex " + floatValue(signedNumber(Negative, Digits.drop_back()));
    return !overflows(Digits.drop_back()) || error(Number, "'{0}' is too large", Number.Text);
  }
  if (As == "float" || Digits.contains('.') || Digits.contains('e')) {
    Out = Constant::Float;
    Value = floatValue(signedNumber(Negative, Digits));
    return !overflows(Digits) || error(Number, "'{0}' is too large", Number.Text);
  }
  Out = Constant::Int;
  StringRef Whole = Digits.take_while(isDigit);
  uint64_t Magnitude = 0;
  if (Whole.getAsInteger(10, Magnitude) || Magnitude > (uint64_t(1) << 63) - (Negative ? 0 : 1))
    return error(Number, "'{0}' does not fit into an 'int'", Number.Text);
  Value = "int " + std::string(Negative && Magnitude ? "-" : "") + std::to_string(Magnitude);
  return true;
}

/// Lists hold values of exactly their element's type.
bool Parser::fitsList(const Type &Element, Constant Value, const Token &At) {
  StringRef As = readAs(Element);
  bool Fits =
      (As == "int" && Value == Constant::Int) || (As == "float" && Value == Constant::Float) ||
      (As == "bool" && Value == Constant::Bool) || (As == "complex" && Value == Constant::Complex);
  return Fits ||
         error(At, "'{0}' cannot be an element of the default; expected elements of type '{1}'",
               At.Text, Element.str());
}

bool Parser::parseConstants(const Type &Element, std::optional<uint32_t> Size) {
  Token Open = L.current();
  if (!expect("["))
    return false;
  std::vector<std::pair<Constant, Token>> Values;
  std::vector<std::string> Compared;
  if (!L.current().is("]"))
    do {
      Token At = L.current();
      Constant Kind;
      if (!parseConstant(Element, Kind))
        return false;
      Values.push_back({Kind, At});
      Compared.push_back(Value);
    } while (L.nextIf(","));
  if (!expect("]"))
    return false;
  if (!is_contained({"int", "float", "bool", "complex"}, readAs(Element)))
    return error(Open, "lists of '{0}' cannot have a default", Element.str());
  for (const auto &[Kind, At] : Values)
    if (!fitsList(Element, Kind, At))
      return false;
  Value = "[" + join(Compared, ", ") + "]";
  // PyTorch's own poolings have `int[2] stride=[]`: nothing is given.
  if (Size && Values.size() > 1 && Values.size() != *Size)
    remark(finding::RegisteredDefault, Open,
           "the default has {0} elements, but the list has size {1}", Values.size(), *Size);
  return true;
}

bool Parser::parseListDefault(const Type &Element, std::optional<uint32_t> Size) {
  Token First = L.current();
  if (First.Is == Token::Ident || First.is("(") || First.is("{"))
    return error(First,
                 "expected a list in brackets, such as '[0, 1]', as the default but found {0}",
                 describe(First));
  if (!Size || First.is("["))
    return parseConstants(Element, Size);
  Constant Kind;
  if (!parseConstant(Element, Kind))
    return false;
  if (!is_contained({"int", "float", "bool", "complex"}, readAs(Element)))
    return error(First, "lists of '{0}' cannot have a default", Element.str());
  // A list that nobody writes out is not written out here.
  constexpr uint32_t LongestList = 4096;
  Value = *Size > LongestList ? formatv("[{0} of {1}]", *Size, Value).str()
                              : "[" + join(std::vector<std::string>(*Size, Value), ", ") + "]";
  return *Size == 0 || fitsList(Element, Kind, First);
}

bool Parser::parseDevice() {
  Token Device = L.current();
  if (Device.Is != Token::String)
    return error(Device, "expected a string but found {0}", describe(Device));
  LastEnd = L.next().Text.end();
  auto [Kind, Index] = Device.Text.trim("'\"").split(':');
  static constexpr StringLiteral Kinds[] = {
      "cpu",    "cuda", "ipu",  "xpu",  "mkldnn", "opengl", "opencl",
      "ideep",  "hip",  "ve",   "fpga", "ort",    "xla",    "lazy",
      "vulkan", "mps",  "meta", "hpu",  "mtia",   "maia",   "privateuseone"};
  std::vector<StringRef> Names(std::begin(Kinds), std::end(Kinds));
  if (!is_contained(Kinds, Kind) ||
      (!Rules.DeviceTypes.empty() && !is_contained(Rules.DeviceTypes, Kind)))
    return error(Device, "unknown device '{0}'{1}", Kind, didYouMean(Kind, Names));
  bool HasIndex = Device.Text.contains(':');
  unsigned Number;
  if (HasIndex && (Index.getAsInteger(10, Number) || (Index.size() > 1 && Index[0] == '0')))
    return error(Device, "invalid device index '{0}'", Index);
  Value = "device " + Device.Text.trim("'\"").str();
  return true;
}

/// Which defaults are taken, but give the kernel something that is not of its type.
void Parser::remarkDefault(const Type &Ty, Constant Value, const Token &At) {
  bool IsOptional = Ty.isOptional();
  StringRef As = readAs(IsOptional ? Ty.elem() : Ty);
  if (Value == Constant::None && !IsOptional)
    return remark(finding::RegisteredDefault, At,
                  "an argument of type '{0}' cannot default to None; use '{0}?'", Ty.str());
  bool IsNumber = Value == Constant::Int || Value == Constant::Float || Value == Constant::Complex;
  bool Fits = Value == Constant::None || As.empty() || (As == "int" && Value == Constant::Int) ||
              (As == "float" && (Value == Constant::Int || Value == Constant::Float)) ||
              (As == "bool" && Value == Constant::Bool) ||
              (As == "str" && Value == Constant::String) || (As == "complex" && IsNumber) ||
              (As == "Scalar" && (IsNumber || Value == Constant::Bool)) ||
              !is_contained({"int", "float", "bool", "str", "complex", "Scalar"}, As);
  if (!Fits)
    remark(finding::RegisteredDefault, At,
           "default '{0}' does not match the type; expected a value of type '{1}'", At.Text,
           Ty.str());
}

bool Parser::parseDefault(const Type &Ty, std::optional<uint32_t> Size) {
  Token First = L.current();
  if (Ty.isList())
    return parseListDefault(Ty.elem(), Size);
  StringRef As = readAs(Ty);
  if (is_contained({"Tensor", "Generator", "Quantizer"}, As)) {
    if (!First.is("None"))
      return error(First, "the default of a '{0}' can only be None", As);
    Value = "None";
    return expect("None");
  }
  if (As == "Device")
    return parseDevice();
  if (!Ty.isOptional() && !is_contained({"str", "Scalar", "int", "bool", "float", "complex"}, As))
    return error(First, "an argument of type '{0}' cannot have a default", Ty.str());
  Constant Kind;
  if (!parseConstant(Ty, Kind))
    return false;
  remarkDefault(Ty, Kind, First);
  return true;
}
