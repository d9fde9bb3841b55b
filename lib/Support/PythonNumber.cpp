//===- PythonNumber.cpp - Numbers as Python reads and prints them ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Support/PythonNumber.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <charconv>
#include <cmath>

using namespace llvm;

namespace opsig {

namespace {

bool isSign(char C) { return C == '+' || C == '-'; }

/// Takes parts from the front of a text.
struct Reader {
  StringRef Rest;

  bool done() const { return Rest.empty(); }
  bool startsWithDigit() const { return !Rest.empty() && isDigit(Rest.front()); }
  bool one(function_ref<bool(char)> Accepts) {
    if (Rest.empty() || !Accepts(Rest.front()))
      return false;
    Rest = Rest.drop_front();
    return true;
  }
  bool one(char Expected) {
    return one([=](char C) { return C == Expected; });
  }
  /// Digits with single lines between them, appended without the lines.
  bool digits(std::string &Digits) {
    do {
      StringRef Run = Rest.take_while([](char C) { return isDigit(C); });
      if (Run.empty())
        return false;
      Digits += Run;
      Rest = Rest.drop_front(Run.size());
    } while (one('_'));
    return true;
  }
};

StringRef stripLikePython(StringRef Text) { return Text.trim(" \t\n\v\f\r"); }

} // namespace

std::optional<std::string> pythonInt(StringRef Text) {
  Reader R{stripLikePython(Text)};
  bool Negative = R.Rest.starts_with("-");
  R.one(isSign);
  std::string Digits;
  if (!R.digits(Digits) || !R.done())
    return std::nullopt;
  StringRef Significant = StringRef(Digits).ltrim('0');
  if (Significant.empty())
    return "0";
  return ((Negative ? "-" : "") + Significant).str();
}

std::optional<double> pythonFloat(StringRef Text) {
  Reader R{stripLikePython(Text)};
  bool Negative = R.Rest.starts_with("-");
  R.one(isSign);
  if (R.Rest.equals_insensitive("inf") || R.Rest.equals_insensitive("infinity"))
    return Negative ? -INFINITY : INFINITY;
  if (R.Rest.equals_insensitive("nan"))
    return NAN;

  std::string Number = Negative ? "-" : "";
  bool Whole = R.startsWithDigit();
  if (Whole && !R.digits(Number))
    return std::nullopt;
  if (R.one('.')) {
    Number += Whole ? "." : "0.";
    if (R.startsWithDigit() ? !R.digits(Number) : !Whole)
      return std::nullopt;
  } else if (!Whole) {
    return std::nullopt;
  }
  if (R.one([](char C) { return C == 'e' || C == 'E'; })) {
    Number += R.Rest.starts_with("-") ? "e-" : "e";
    R.one(isSign);
    if (!R.digits(Number))
      return std::nullopt;
  }
  if (!R.done())
    return std::nullopt;
  // Not strtod: it depends on the locale.
  APFloat Value(APFloat::IEEEdouble());
  Expected<APFloat::opStatus> Status =
      Value.convertFromString(Number, APFloat::rmNearestTiesToEven);
  if (!Status) {
    consumeError(Status.takeError());
    return std::nullopt;
  }
  return Value.convertToDouble();
}

PythonDigits pythonDigits(double Value) {
  // "-1.25e-07": the shortest digits that read back as the value.
  char Buffer[40];
  auto End = std::to_chars(Buffer, std::end(Buffer), Value, std::chars_format::scientific).ptr;
  auto [Mantissa, ExponentText] = StringRef(Buffer, End - Buffer).split('e');
  int Exponent;
  ExponentText.consume_front("+");
  ExponentText.getAsInteger(10, Exponent);
  // repr leaves the exponent out from 1e-4 up to 1e16.
  if (Exponent < -4 || Exponent >= 16)
    return {Mantissa.str(), ((Exponent < 0 ? "-" : "+") +
                             Twine(std::abs(Exponent) < 10 ? "0" : "") + Twine(std::abs(Exponent)))
                                .str()};
  End = std::to_chars(Buffer, std::end(Buffer), Value, std::chars_format::fixed).ptr;
  StringRef Fixed(Buffer, End - Buffer);
  return {(Fixed + (Fixed.contains('.') ? "" : ".0")).str(), ""};
}

std::string pythonRepr(double Value) {
  if (std::isnan(Value))
    return "nan";
  if (std::isinf(Value))
    return Value < 0 ? "-inf" : "inf";
  PythonDigits Digits = pythonDigits(Value);
  return Digits.Exponent.empty() ? Digits.Mantissa : Digits.Mantissa + "e" + Digits.Exponent;
}

} // namespace opsig
