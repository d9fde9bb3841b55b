//===- PyYamlResolver.cpp - What plain scalars and defaults are read as -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// plain text => string or not, by YAML 1.1
// C++ default => bool | int | float | string, by Python's int() and float() => YAML text
//
//===----------------------------------------------------------------------===//
#include "Lists/PyYamlScalarInternal.h"
#include "opsig/Support/PythonNumber.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>
#include <optional>

using namespace llvm;

namespace opsig {

//===-- A reader for the small grammars below -------------------------------===//

namespace {

using CharTest = bool (*)(char);

bool isSign(char C) { return C == '-' || C == '+'; }
bool isDigitOrLine(char C) { return isDigit(C) || C == '_'; }
bool isSpaceOrTab(char C) { return C == ' ' || C == '\t'; }

/// Takes what matches off the front; true if it was there.
struct Reader {
  StringRef Rest;

  bool one(CharTest Test) {
    bool Found = !Rest.empty() && Test(Rest.front());
    if (Found)
      Rest = Rest.drop_front();
    return Found;
  }
  bool one(char C) { return Rest.consume_front(StringRef(&C, 1)); }
  size_t many(CharTest Test) {
    size_t Count = Rest.take_while(Test).size();
    Rest = Rest.drop_front(Count);
    return Count;
  }
  /// From Least to Most digits.
  bool digits(size_t Least, size_t Most) {
    size_t Count = std::min(Rest.take_while([](char C) { return isDigit(C); }).size(), Most);
    Rest = Rest.drop_front(Count);
    return Count >= Least;
  }
  bool done() const { return Rest.empty(); }
};

//===-- YAML 1.1 ------------------------------------------------------------===//

bool isWordValue(StringRef Text) {
  return StringSwitch<bool>(Text)
      .Cases({"yes", "Yes", "YES", "no", "No", "NO"}, true)
      .Cases({"true", "True", "TRUE", "false", "False", "FALSE"}, true)
      .Cases({"on", "On", "ON", "off", "Off", "OFF"}, true)
      .Cases({"~", "null", "Null", "NULL", ""}, true)
      .Cases({".nan", ".NaN", ".NAN", "<<", "="}, true)
      .Default(false);
}

bool isInfinity(StringRef Text) {
  Reader R{Text};
  R.one(isSign);
  return R.Rest == ".inf" || R.Rest == ".Inf" || R.Rest == ".INF";
}

bool isRadixInt(StringRef Text) {
  Reader R{Text};
  R.one(isSign);
  if (!R.one('0'))
    return false;
  if (R.one('b'))
    return R.many([](char C) { return C == '0' || C == '1' || C == '_'; }) && R.done();
  if (R.one('x'))
    return R.many([](char C) { return isHexDigit(C) || C == '_'; }) && R.done();
  R.many([](char C) { return (C >= '0' && C <= '7') || C == '_'; });
  return R.done();
}

bool isDecimalInt(StringRef Text) {
  Reader R{Text};
  R.one(isSign);
  return R.one([](char C) { return C >= '1' && C <= '9'; }) && (R.many(isDigitOrLine), R.done());
}

/// "1:30", "-12:05:59.5": base 60. The first digit of an int is not 0; a float has a point.
bool isSexagesimal(StringRef Text) {
  Reader R{Text};
  R.one(isSign);
  bool LeadingZero = R.Rest.starts_with("0");
  if (!R.one([](char C) { return isDigit(C); }))
    return false;
  R.many(isDigitOrLine);
  bool Parts = false;
  while (R.one(':')) {
    StringRef Digits = R.Rest.take_while([](char C) { return isDigit(C); });
    if (Digits.empty() || Digits.size() > 2 || (Digits.size() == 2 && Digits[0] > '5'))
      return false;
    R.Rest = R.Rest.drop_front(Digits.size());
    Parts = true;
  }
  if (!Parts)
    return false;
  if (R.one('.'))
    return R.many(isDigitOrLine), R.done();
  return !LeadingZero && R.done();
}

bool takeExponent(Reader &R) {
  if (!R.one([](char C) { return C == 'e' || C == 'E'; }))
    return true;
  return R.one(isSign) && R.digits(1, StringRef::npos);
}

/// A point is needed, digits before it or after it, and a sign in the exponent; only a number that
/// begins with a digit may have a sign of its own.
bool isFloat(StringRef Text) {
  Reader R{Text};
  bool Signed = R.one(isSign);
  bool Whole = R.one([](char C) { return isDigit(C); });
  if (Whole)
    R.many(isDigitOrLine);
  if (!R.one('.'))
    return false;
  if (!Whole && (Signed || !R.one([](char C) { return isDigit(C); })))
    return false;
  R.many(isDigitOrLine);
  return takeExponent(R) && R.done();
}

bool takeDate(Reader &R, size_t Least) {
  return R.digits(4, 4) && R.one('-') && R.digits(Least, 2) && R.one('-') && R.digits(Least, 2);
}

bool takeZone(Reader &R) {
  R.many(isSpaceOrTab);
  if (R.one('Z'))
    return true;
  if (!R.one(isSign))
    return false;
  return R.digits(1, 2) && (!R.one(':') || R.digits(2, 2));
}

bool isTimestamp(StringRef Text) {
  Reader Day{Text};
  if (takeDate(Day, 2) && Day.done())
    return true;
  Reader R{Text};
  if (!takeDate(R, 1))
    return false;
  if (!R.one([](char C) { return C == 'T' || C == 't'; }) && !R.many(isSpaceOrTab))
    return false;
  if (!(R.digits(1, 2) && R.one(':') && R.digits(2, 2) && R.one(':') && R.digits(2, 2)))
    return false;
  if (R.one('.'))
    R.digits(0, StringRef::npos);
  return R.done() || (takeZone(R) && R.done());
}

} // namespace

bool readsAsOtherThanString(StringRef Text) {
  if (isWordValue(Text))
    return true;
  // All others begin like numbers.
  if (!isDigit(Text.front()) && !isSign(Text.front()) && Text.front() != '.')
    return false;
  return isInfinity(Text) || isRadixInt(Text) || isDecimalInt(Text) || isSexagesimal(Text) ||
         isFloat(Text) || isTimestamp(Text);
}

//===-- Their text ----------------------------------------------------------===//

std::string pyYamlFloat(double Value) {
  if (std::isnan(Value))
    return ".nan";
  if (std::isinf(Value))
    return Value < 0 ? "-.inf" : ".inf";
  PythonDigits Digits = pythonDigits(Value);
  if (Digits.Exponent.empty())
    return Digits.Mantissa;
  return Digits.Mantissa + (StringRef(Digits.Mantissa).contains('.') ? "e" : ".0e") +
         Digits.Exponent;
}

void appendPyYamlDefault(std::string &Out, StringRef Text, unsigned Indent) {
  if (Text == "true" || Text == "false")
    Out += Text;
  else if (std::optional<std::string> Int = pythonInt(Text))
    Out += *Int;
  else if (std::optional<double> Float = pythonFloat(Text))
    Out += pyYamlFloat(*Float);
  else
    appendPyYamlString(Out, Text, Indent);
}

} // namespace opsig
